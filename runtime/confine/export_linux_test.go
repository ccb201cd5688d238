package confine

// Inner is the main of the processes that the package's own tests start.
var Inner = inner
