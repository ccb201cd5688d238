package accept

// This file says what a file of a script may be called.

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"codemode/runtime"
)

// endings are those of files that are modules.
var endings = []string{".ts", ".mts", ".js", ".mjs"}

// takeName refuses a name that could stand for anything but one file of the script, or for a file that
// configures a compiler. Taken holds the names of the files before, in lower case.
func takeName(name string, taken map[string]string) *runtime.Error {
	if !plainName(name) {
		return runtime.Errorf(runtime.InvalidArgument, "%s can't be a script file's name", quoted(name)).
			WithHint("use a plain relative name of letters, digits, - and _ that ends in .ts, such as main.ts")
	}
	folded := strings.ToLower(name)
	if other, twice := taken[folded]; twice {
		return runtime.Errorf(runtime.InvalidArgument, "the script has two files named %s", other).WithHint("names that differ in letter case only count as one")
	}
	taken[folded] = name
	return nil
}

func plainName(name string) bool {
	if len(name) > 200 || !utf8.ValidString(name) || !slices.Contains(endings, path.Ext(name)) {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		bare, _, _ := strings.Cut(part, ".")
		if bare == "" || bare == "__proto__" || strings.EqualFold(part, "node_modules") || strings.HasSuffix(part, " ") {
			return false
		}
	}
	for _, r := range name {
		if !unicode.IsPrint(r) || strings.ContainsRune("\\:*?\"<>|#%", r) {
			return false
		}
	}
	return true
}
