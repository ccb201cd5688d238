// Package accept makes a script of the source text that an author sends, before anything else reads it.
//
//	script, reason, err := accept.Script(files, accept.Limits{})
//	// "return 1" has become the module "export default async function () { return 1\n}"
//	reach := accept.NewReach(script, packages)
//	refused := reach.Refused() // `import fs from "node:fs"` is, with its place and what to do
//
// It bounds bytes and nesting, because whatever parses the text after it recurses as deep; it makes one ES
// module of each of the shapes that agents write; and it says what imports can reach: the script's own
// files and prepared packages. Checker and bundler ask the same Reach, so that both refuse the same in the
// same words.
//
// It reads tokens and is no parser: what it can't tell it leaves to the checker and the bundler. It reads
// no file of the host, checks no types and runs nothing.
package accept

import (
	"cmp"
	"strings"
	"unicode/utf8"

	"codemode/runtime"
)

// Limits bound a script as text. Zero means the default.
type Limits struct {
	SourceBytes int // of all files together; default 256 KiB
	FileBytes   int // of one file; default SourceBytes
	Files       int // default 50
	Nesting     int // brackets, template holes, arrows or prefix operators in one another; default 64
	Chain       int // operators, member accesses and calls in one expression, or else-ifs; default 1,000
}

func (l Limits) orDefault() Limits {
	l.SourceBytes = cmp.Or(l.SourceBytes, 256<<10)
	l.FileBytes = cmp.Or(l.FileBytes, l.SourceBytes)
	l.Files, l.Nesting, l.Chain = cmp.Or(l.Files, 50), cmp.Or(l.Nesting, 64), cmp.Or(l.Chain, 1000)
	return l
}

// Within is the Accept of a service: scripts are held to the limits and, where those are lower, to the
// limits of their run.
func Within(limits Limits) func([]runtime.Source, runtime.Limits) (runtime.Script, runtime.Reason, *runtime.Error) {
	return func(files []runtime.Source, run runtime.Limits) (runtime.Script, runtime.Reason, *runtime.Error) {
		own := limits
		own.SourceBytes = lower(own.SourceBytes, int(run.SourceBytes))
		own.Nesting = lower(own.Nesting, run.Nesting)
		return Script(files, own)
	}
}

func lower(own, other int) int {
	if own <= 0 {
		return other
	}
	return min(own, other)
}

// Script turns source files, of which the first is the entry, into a script. Errors carry code
// InvalidArgument and, where there is one, a place; the Reason tells a limit from bad input.
func Script(files []runtime.Source, limits Limits) (runtime.Script, runtime.Reason, *runtime.Error) {
	limits = limits.orDefault()
	if len(files) == 0 || strings.TrimSpace(files[0].Text) == "" {
		return runtime.Script{}, runtime.ReasonInput, runtime.Errorf(runtime.InvalidArgument, "the script is empty").WithHint("write a module with `export default`, or statements that end in `return`")
	}
	if len(files) > limits.Files {
		return runtime.Script{}, runtime.ReasonSource, runtime.Errorf(runtime.InvalidArgument, "the script has %d files, at most %d are taken", len(files), limits.Files)
	}
	if err := measure(files, limits); err != nil {
		return runtime.Script{}, runtime.ReasonSource, err
	}
	script, names := runtime.Script{Entry: files[0].Name}, map[string]string{}
	for i, f := range files {
		if err := takeName(f.Name, names); err != nil {
			return runtime.Script{}, runtime.ReasonInput, err
		}
		file, silent, reason, err := scriptFile(f, i == 0, limits)
		if err != nil {
			return runtime.Script{}, reason, err
		}
		script.Silent = script.Silent || silent
		script.Files = append(script.Files, file)
	}
	return script, runtime.NoReason, nil
}

// measure bounds bytes before anything reads them.
func measure(files []runtime.Source, limits Limits) *runtime.Error {
	total := 0
	for _, f := range files {
		total += len(f.Text)
		if len(f.Text) > limits.FileBytes || total > limits.SourceBytes {
			return runtime.Errorf(runtime.InvalidArgument, "the script is over %d bytes, or one of its files over %d", limits.SourceBytes, limits.FileBytes).
				WithHint("move data into an input file and read it with `inputs`")
		}
	}
	return nil
}

func scriptFile(f runtime.Source, entry bool, limits Limits) (file runtime.SourceFile, silent bool, reason runtime.Reason, err *runtime.Error) {
	if !utf8.ValidString(f.Text) {
		return file, false, runtime.ReasonInput, runtime.Errorf(runtime.InvalidArgument, "%s is not valid UTF-8", f.Name).WithHint("save the script as UTF-8")
	}
	text := lex(f.Text)
	if at, what := tooDeep(text, limits); what != "" {
		err = runtime.Errorf(runtime.InvalidArgument, "the script %s", what).WithHint("split it into statements")
		place := runtime.PosIn(f.Text, at)
		place.File, err.Pos = f.Name, &place
		return file, false, runtime.ReasonNesting, err
	}
	file = runtime.SourceFile{Name: f.Name, Text: f.Text, Module: f.Text}
	if entry {
		file.Module, file.Inserted = asModule(f.Text, text.tokens)
		silent = file.Inserted.Columns == 0 && !exportsDefault(text.tokens)
	}
	return file, silent, runtime.NoReason, nil
}
