package library_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"codemode/directory"
	"codemode/fixtures"
	"codemode/gen"
	"codemode/gen/ts"
	"codemode/runtime"
)

// surface returns the declarations of the fixture directory with every method and the inputs granted.
func surface(t *testing.T, inputs []string) map[string]string {
	t.Helper()
	site := fixtures.Start(t)
	dir, err := directory.Load(site.Directory(t), directory.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := gen.Generate(dir, gen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for name, text := range out.Files {
		if strings.HasSuffix(name, ".d.ts") && name != "tools.d.ts" {
			files["types/"+name] = string(text)
		}
	}
	var methods []string
	for _, c := range out.Contracts {
		methods = append(methods, c.Name)
	}
	files["granted.d.ts"] = ts.Granted(methods, inputs)
	if len(methods) < 30 {
		t.Fatalf("%d methods in the fixture directory", len(methods))
	}
	return files
}

// scripts returns the modules of the fixture scripts of the folders, by file name.
func scripts(t *testing.T, folders ...string) map[string]string {
	t.Helper()
	files, inputs := map[string]string{}, map[string]string{}
	for _, folder := range folders {
		list, err := fixtures.Scripts(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range list {
			maps.Copy(inputs, s.Inputs)
			accepted, _, refused := runtime.Accept([]runtime.Source{{Name: "main.ts", Text: s.Text}}, runtime.AcceptLimits{})
			if refused == nil {
				files["scripts/"+folder+"/"+s.Name] = accepted.Files[0].Module
			}
		}
	}
	maps.Copy(files, surface(t, slices.Sorted(maps.Keys(inputs))))
	return files
}

var grammar = regexp.MustCompile(`^TS1\d\d\d: `)

// TestScriptsAsWithOwnLibrary compiles every fixture script, and compares the errors with those that
// the compiler's own library gives.
func TestScriptsAsWithOwnLibrary(t *testing.T) {
	files := scripts(t, "scripts/good", "scripts/untidy", "scripts/wrong", "hostile")
	for _, f := range theirs(t, files) { // of a program that does not parse the compiler says nothing more
		if grammar.MatchString(f.text) {
			delete(files, f.file)
		}
	}
	want, got := counted(theirs(t, files)), counted(ours(t, files))
	for _, text := range slices.Sorted(maps.Keys(got)) {
		if got[text] > want[text] {
			t.Errorf("only with this library: %s", text)
		}
	}
	for _, text := range slices.Sorted(maps.Keys(want)) {
		if want[text] > got[text] {
			t.Errorf("only with the compiler's own: %s", text)
		}
	}
	t.Logf("%d files, %d errors with the compiler's own library, %d with this one", len(files), len(want), len(got))
}

func counted(found []finding) map[string]int {
	out := map[string]int{}
	for _, f := range found {
		out[fmt.Sprintf("%s:%d: %s", f.file, f.line, f.text)]++
	}
	return out
}
