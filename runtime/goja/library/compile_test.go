package library_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"codemode/directory"
	"codemode/fixtures"
	"codemode/fixtures/tsc"
	"codemode/gen"
	"codemode/gen/ts"
	"codemode/runtime"
	"codemode/runtime/accept"
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
	files["granted.d.ts"] = ts.Granted(methods, inputs, nil)
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
			accepted, _, refused := accept.Script([]runtime.Source{{Name: "main.ts", Text: s.Text}}, accept.Limits{})
			if refused == nil {
				files[folder+"/"+s.Name] = accepted.Files[0].Module
			}
		}
	}
	maps.Copy(files, surface(t, slices.Sorted(maps.Keys(inputs))))
	return files
}

var grammar = regexp.MustCompile(`^TS1\d\d\d$`)

// TestScriptsAsWithOwnLibrary compiles every fixture script that parses, with no other errors than the
// compiler's own library gives.
func TestScriptsAsWithOwnLibrary(t *testing.T) {
	files := scripts(t, "scripts/good", "scripts/untidy", "scripts/wrong", "hostile")
	delete(files, "hostile/reference-lib.ts")            // asks for the DOM, and gets it with the compiler's own library
	delete(files, "scripts/wrong/42-locale-argument.ts") // the engine takes no locale, which only this library says
	maps.DeleteFunc(files, func(name, _ string) bool {   // they use timers and the like, which no ECMAScript library declares
		return strings.HasPrefix(name, "hostile/runaway/")
	})
	for _, f := range theirs(t, files) { // of a program that does not parse the compiler says nothing more
		if grammar.MatchString(f.Code) {
			delete(files, f.File)
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
	if len(files) < 200 || len(want) < 30 {
		t.Errorf("%d files with %d errors are too few to say anything", len(files), len(want))
	}
	t.Logf("%d files, %d errors with the compiler's own library, %d with this one", len(files), len(want), len(got))
}

// TestReferenceLib holds that a script cannot bring the compiler's own library in.
func TestReferenceLib(t *testing.T) {
	script := "/// <reference lib=\"dom\" />\n/// <reference lib=\"esnext\" />\nfetch(\"x\"); new WeakRef({});\nexport default 1;\n"
	found := ours(t, map[string]string{"script.ts": script})
	if len(found) != 2 || found[0].Line != 3 || found[1].Line != 3 {
		t.Errorf("%+v", found)
	}
}

func counted(found []tsc.Problem) map[string]int {
	out := map[string]int{}
	for _, f := range found {
		out[f.String()]++
	}
	return out
}

// timers are what the compiler's own library lacks without the DOM.
const timers = `declare function setTimeout(f: (...args: any[]) => void, ms?: number, ...args: any[]): number;
declare function clearTimeout(id: number | undefined): void;
declare function queueMicrotask(f: () => void): void;
`

// TestInference compiles a page of assertions about inferred types, and runs it: what compiles exists.
// The compiler's own library agrees with every line that is not marked as better or newer here.
func TestInference(t *testing.T) {
	page := read(t, "testdata/inference.ts")
	for _, f := range ours(t, map[string]string{"inference.ts": page}) {
		t.Error(f)
	}
	differs := map[int]bool{}
	for i, line := range strings.Split(page, "\n") {
		differs[i+1] = strings.HasSuffix(line, "// differs")
	}
	wrong := map[int]bool{}
	for _, f := range theirs(t, map[string]string{"inference.ts": page, "timers.d.ts": timers}) {
		if wrong[f.Line] = true; f.File != "inference.ts" || !differs[f.Line] {
			t.Errorf("with the compiler's own library %s", f)
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

// TestEveryday compiles a page of idioms with both libraries, and runs it.
func TestEveryday(t *testing.T) {
	files := map[string]string{"everyday.ts": read(t, "testdata/everyday.ts")}
	found := ours(t, files)
	files["timers.d.ts"] = timers
	for _, f := range append(found, theirs(t, files)...) {
		t.Error(f)
	}
	if got := string(run(t, files["everyday.ts"])); got != `[2,8,"1",1,1,["a"],{"a":1}]` {
		t.Errorf("the page returned %s", got)
	}
}

// TestSyntaxFindsItsTypes holds that no syntax asks for a global type that is not there: such an error
// stands in no file, so that the checker would take it for one of the declarations.
func TestSyntaxFindsItsTypes(t *testing.T) {
	script := strings.Join([]string{
		`import data from "./data.ts" with { type: "json" };`,
		`const later = await import("./data.ts", { with: { type: "json" } });`,
		`{ using a = null; await using b = null; }`,
		`{ using a = {}; await using b = {}; }`,
		`function d(value: any, context: any): any {}`,
		`@d class C { @d f = 1; @d accessor a = 1; @d get g() { return 1; } @d set s(v: number) {} @d m() {} static { } #p = 1; has(o: object) { return #p in o; } }`,
		`async function* pages() { yield* pages(); for await (const p of pages()) yield p; }`,
		`function* steps(): Iterable<number> { yield* steps(); }`,
		`for (const x of 5) {} for await (const x of 5) {} [...5]; const [y] = 5; f(...5);`,
		"pages`x${import.meta}`; new.target; class D extends Promise<number> {}; async () => { await later; };",
		`const { a, ...rest } = later as any; function keys<T extends object>(o: T) { for (const k in o) o[k]; const { ...r } = o; return r; }`,
		`1n ** 2n; /(?<n>x)/v.exec("x")?.groups?.n; Symbol.dispose; Symbol.asyncDispose; arguments; enum E { A } namespace N { export const x = 1; }`,
		`export default [data, rest, y];`,
	}, "\n")
	found := ours(t, map[string]string{"script.ts": script, "data.ts": "export default 1;"})
	for _, f := range found {
		if f.File != "script.ts" {
			t.Error(f)
		}
	}
	if len(found) == 0 {
		t.Error("the script should have errors of its own")
	}
}

var wantText = regexp.MustCompile(`// want "(.*?)"`)

// TestRefused holds that names and arguments which the engine does not have do not compile, and that
// plain mistakes are still found.
func TestRefused(t *testing.T) {
	page := read(t, "testdata/refused.ts")
	found := map[int][]string{}
	for _, f := range ours(t, map[string]string{"refused.ts": page}) {
		if f.File != "refused.ts" {
			t.Error(f)
		}
		found[f.Line] = append(found[f.Line], f.Code+": "+f.Text)
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
