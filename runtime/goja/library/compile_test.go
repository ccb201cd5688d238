package library_test

import (
	"fmt"
	"maps"
	"os"
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

// TestInference compiles a page of assertions about inferred types, and runs it: what compiles exists.
// The compiler's own library agrees with every line that is not marked as better or newer here.
func TestInference(t *testing.T) {
	page := read(t, "testdata/inference.ts")
	for _, f := range ours(t, map[string]string{"inference.ts": page}) {
		t.Errorf("%s:%d: %s", f.file, f.line, f.text)
	}
	differs := map[int]bool{}
	for i, line := range strings.Split(page, "\n") {
		differs[i+1] = strings.HasSuffix(line, "// differs")
	}
	timers := "declare function setTimeout(f: (...args: any[]) => void, ms?: number, ...args: any[]): number;\ndeclare function queueMicrotask(f: () => void): void;\n"
	wrong := map[int]bool{}
	for _, f := range theirs(t, map[string]string{"inference.ts": page, "timers.d.ts": timers}) {
		if wrong[f.line] = true; f.file != "inference.ts" || !differs[f.line] {
			t.Errorf("with the compiler's own library %s:%d: %s", f.file, f.line, f.text)
		}
	}
	for line, marked := range differs {
		if marked && !wrong[line] {
			t.Errorf("line %d is marked, and the compiler's own library takes it too", line)
		}
	}
	if got := string(run(t, page)); got != "[1,2]" {
		t.Errorf("the page returned %s", got)
	}
}

var wantText = regexp.MustCompile(`// want "(.*?)"`)

// TestRefused holds that names and arguments which the engine does not have do not compile, and that
// plain mistakes are still found.
func TestRefused(t *testing.T) {
	page := read(t, "testdata/refused.ts")
	found := map[int][]string{}
	for _, f := range ours(t, map[string]string{"refused.ts": page}) {
		if f.file != "refused.ts" {
			t.Errorf("%s:%d: %s", f.file, f.line, f.text)
		}
		found[f.line] = append(found[f.line], f.text)
	}
	for i, line := range strings.Split(page, "\n") {
		want, got := wantText.FindStringSubmatch(line), strings.Join(found[i+1], "\n")
		if want == nil && got != "" || want != nil && !strings.Contains(got, want[1]) {
			t.Errorf("%d: %s: %s", i+1, line, got)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
