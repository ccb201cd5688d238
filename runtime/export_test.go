package runtime

// BigInts is bigInts, for tests that import what imports this package.
var BigInts = bigInts
