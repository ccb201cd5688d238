// Package library holds the declarations of what a script finds in the engine: the language as goja
// has it, and what the prelude adds. The type checker sees them in place of TypeScript's own library,
// so that a name it accepts exists when the script runs.
//
//	checker, err := typecheck.New(typecheck.Config{Compiler: compiler, Library: library.Files()})
//
// The files are written by hand from ECMA-262, a file a theme. A test finds every declared name in a
// real VM, and every name of the VM in them, so they change with the engine.
//
// They do not declare what depends on a run or a directory: tools, inputs, artifacts, progress,
// console and ToolError come from package gen/ts.
package library

import (
	"embed"
	"io/fs"
)

//go:embed *.d.ts
var files embed.FS

// Files returns the declaration files by name, such as "arrays.d.ts". They are ambient and make one
// whole: a program compiled with them needs --noLib.
func Files() map[string]string {
	out := map[string]string{}
	names, err := fs.Glob(files, "*.d.ts")
	if err != nil {
		panic(err) // the pattern is constant
	}
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			panic(err) // embedded
		}
		out[name] = string(text)
	}
	return out
}
