package typecheck

// This file lets the compiler see the declarations of prepared packages, and declares what scripts import
// of packages that have none.

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"codemode/runtime"
	"codemode/runtime/accept"
)

// Packages stand where the compiler looks for them, beside the script.
const (
	packagesDir = scriptDir + runtime.PackagesFolder
	untypedFile = packagesDir + "untyped.d.ts"
)

// packages are the files of packages, the same for every process.
type packages struct {
	files accept.Packages
	dirs  map[string]bool // absolute
}

func newPackages(files accept.Packages) *packages {
	p := &packages{files: files, dirs: map[string]bool{}}
	for name := range files {
		for dir := path.Dir(packagesDir + name); dir != "/" && !p.dirs[dir]; dir = path.Dir(dir) {
			p.dirs[dir] = true
		}
	}
	return p
}

// text returns a declaration file or a package.json; code is not for the compiler.
func (p *packages) text(name string) (string, bool) {
	file, ok := strings.CutPrefix(name, packagesDir)
	if !ok || !strings.HasSuffix(file, ".d.ts") && !strings.HasSuffix(file, ".d.mts") && path.Ext(file) != ".json" {
		return "", false
	}
	text, ok := p.files[file]
	return text, ok
}

// ownFiles takes the files of packages out, with which a script may have been linked.
func ownFiles(s runtime.Script) runtime.Script {
	s.Files = slices.DeleteFunc(slices.Clone(s.Files), func(f runtime.SourceFile) bool { return strings.HasPrefix(f.Name, runtime.PackagesFolder) })
	return s
}

var identifier = regexp.MustCompile(`^[\p{L}_$][\p{L}\p{N}_$]*$`)

// untyped declares the packages without types that the script imports: each name it takes is something
// that can be called, constructed and looked into, and gives unknown.
func untyped(reach accept.Reach, files accept.Packages) string {
	var b strings.Builder
	imported := reach.ImportedNames()
	for _, spec := range slices.Sorted(maps.Keys(imported)) {
		name, _ := accept.SplitPackage(spec)
		if files[name+"/package.json"] == "" || files.Typed(spec) {
			continue
		}
		fmt.Fprintf(&b, "declare module %q {\n  interface Untyped { (...args: any[]): unknown; new (...args: any[]): unknown; readonly [name: string]: Untyped }\n", spec)
		names := imported[spec]
		slices.Sort(names)
		for i, name := range slices.Compact(names) {
			if identifier.MatchString(name) {
				fmt.Fprintf(&b, "  const _%d: Untyped; type _%d = unknown; export { _%d as %s };\n", i, i, i, name)
			}
		}
		b.WriteString("  export {};\n}\n")
	}
	return b.String()
}

// importCodes are what the compiler says where an import is refused in other words already.
var importCodes = []string{
	"TS1202", "TS1323", "TS1324", "TS1343", "TS1470", "TS2304", "TS2305", "TS2306", "TS2307", "TS2552", "TS2580", "TS2591", "TS2614", "TS2688",
	"TS2732", "TS2792", "TS2821", "TS2823", "TS2856", "TS2882", "TS5097", "TS6053", "TS7016", "TS1192",
}

// join adds what is said of the script's imports to what the compiler found, in order of place. Where
// both speak of the same import, on one line, only the first does.
func join(said, found []runtime.Diagnostic, files []runtime.SourceFile, limit int) []runtime.Diagnostic {
	type line struct {
		file   string
		number int
	}
	spoken := map[line]bool{}
	for _, d := range said {
		spoken[line{d.File, d.Line}] = d.Severity == runtime.SeverityError
	}
	out := slices.Clone(said)
	for _, d := range found {
		if !spoken[line{d.File, d.Line}] || !slices.Contains(importCodes, d.Code) {
			out = append(out, d)
		}
	}
	return order(out, files, limit)
}
