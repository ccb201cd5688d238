package typecheck

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"codemode/runtime"
	"codemode/runtime/accept"
)

// compiler finds the real compiler; without one the test cannot say anything.
func compiler(t testing.TB) Compiler {
	t.Helper()
	c, err := Find(FindConfig{})
	if err != nil {
		t.Skipf("no TypeScript %s compiler: %v", Version, err)
	}
	return c
}

func open(t testing.TB, cfg Config) *Checker {
	t.Helper()
	cfg.Compiler = compiler(t)
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// requestFor is a request for one file against the surface in testdata.
func requestFor(t testing.TB, mode runtime.CheckMode, text string) runtime.CheckRequest {
	t.Helper()
	declarations := map[string]string{}
	names, err := filepath.Glob("testdata/surface/*.d.ts")
	if err != nil || len(names) == 0 {
		t.Fatal("no surface", err)
	}
	for _, name := range names {
		declarations[filepath.Base(name)] = readFile(t, name)
	}
	return runtime.CheckRequest{
		Mode: mode, Script: single(text), Declarations: declarations, Set: "surface",
		Granted: readFile(t, "testdata/surface/granted.txt"),
	}
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func single(text string) runtime.Script {
	return runtime.Script{Entry: "main.ts", Files: []runtime.SourceFile{{Name: "main.ts", Text: text, Module: text}}}
}

func fileOf(name, text string) runtime.SourceFile {
	return runtime.SourceFile{Name: name, Text: text, Module: text}
}

// TestSeveralFiles holds that each file's errors are its own, and that what is left out of the next
// script is gone.
func TestSeveralFiles(t *testing.T) {
	c := open(t, Config{})
	req := requestFor(t, runtime.CheckTools, "")
	req.Script.Files = []runtime.SourceFile{
		fileOf("main.ts", "import { load, gone } from './lib/load';\nexport default (await load()).emial;\n"),
		fileOf("lib/load.ts", "import type { Id } from './ids.ts';\nexport const load = (id: Id = 'a') => tools.crm.getContact({ id, x: 1 });\n"),
		fileOf("lib/ids.ts", "export type Id = string;"),
		fileOf("lib/data.json", `{"a": [1, 2]}`),
	}
	var got []string
	for _, d := range check(t, c, req) {
		got = append(got, fmt.Sprintf("%s:%d:%d %s %s", d.File, d.Line, d.Column, d.Code, d.Message))
	}
	want := []string{
		"main.ts:1:16 TS2305 module '\"./lib/load\"' has no exported member 'gone'",
		"main.ts:2:31 TS2551 the result of crm.getContact has no field emial; did you mean email?",
		"lib/load.ts:2:66 TS2353 crm.getContact takes no argument x",
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	req.Script.Files = req.Script.Files[:1]
	if again := check(t, c, req); len(again) != 1 || again[0].Code != accept.CodeImport {
		t.Errorf("after the file was left out: %+v", again)
	}
}

// TestAuthorCoordinates holds that places are those of the author's text, in UTF-16 units.
func TestAuthorCoordinates(t *testing.T) {
	c := open(t, Config{})
	head := "export default (async () => { "
	for _, tc := range []struct {
		name, text, module string
		inserted           runtime.Insertion
		line, column       int
	}{
		{"plain", "\n  tools.crm.nope;", "", runtime.Insertion{}, 2, 13},
		{"astral", "const s = '💡💡'; tools.crm.nope;", "", runtime.Insertion{}, 1, 29},
		{"umlauts", "const größe = 'ü'; tools.crm.nope;", "", runtime.Insertion{}, 1, 30},
		{"crlf", "const a = 1;\r\n\r\ntools.crm.nope;", "", runtime.Insertion{}, 3, 11},
		{"byte order mark", "\uFEFFtools.crm.nope;", "", runtime.Insertion{}, 1, 12},
		{"invalid bytes", "'\xff\xff'; tools.crm.nope;", "", runtime.Insertion{}, 1, 17},
		{"wrapped", "tools.crm.nope;", head + "tools.crm.nope;\n})();", runtime.Insertion{Line: 1, Column: 1, Columns: len(head)}, 1, 11},
		{"wrapped, second line", "1;\ntools.crm.nope;", head + "1;\ntools.crm.nope;\n})();", runtime.Insertion{Line: 1, Column: 1, Columns: len(head)}, 2, 11},
		{"past the end", "let x = [1", head + "let x = [1\n})();", runtime.Insertion{Line: 1, Column: 1, Columns: len(head)}, 1, 11},
	} {
		t.Run(tc.name, func(t *testing.T) {
			req := requestFor(t, runtime.CheckTools, tc.text)
			req.Script.Files[0].Module = cmp.Or(tc.module, tc.text)
			req.Script.Files[0].Inserted = tc.inserted
			got := check(t, c, req)
			if len(got) == 0 || got[0].Line != tc.line || got[0].Column != tc.column {
				t.Errorf("%+v, want %d:%d", got, tc.line, tc.column)
			}
		})
	}
}

// TestMethodAndMissing holds what the pipeline finds declarations and hints by.
func TestMethodAndMissing(t *testing.T) {
	c := open(t, Config{})
	for _, tc := range []struct{ text, method, missing string }{
		{"tools.crm.listContact({});", "", "crm.listContact"},
		{"const { crm } = tools; crm.listContact({});", "", "crm.listContact"},
		{"tools.mail.send({});", "", "mail"},
		{"tools.hidden.secret({});", "", "hidden"},
		{"mail.send({});", "", ""},
		{"const { web } = tools; await web.search({ query: 5 });", "web.search", ""},
		{"await tools.web.search({ qery: 'x' });", "web.search", ""},
		{"await tools.web.search({});", "web.search", ""},
		{"await tools.web.search();", "web.search", ""},
		{"(await tools.web.search({ query: 'x' })).results[0].rank;", "web.search", ""},
		{"for (const x of tools.crm.listContacts({})) {}", "crm.listContacts", ""},
		{"tools.web.ping().length;", "web.ping", ""},
		{"const up = tools.web.ping(); up.length;", "web.ping", ""},
		{"const found = tools.crm.listContacts({}); for (const c of found) {}", "crm.listContacts", ""},
		{"let s = 'x'; await tools.crm.listContacts({ sort: s });", "crm.listContacts", ""},
	} {
		got := check(t, c, requestFor(t, runtime.CheckTools, tc.text))
		if len(got) == 0 || got[0].Method != tc.method || got[0].Missing != tc.missing {
			t.Errorf("%s: %+v", tc.text, got)
		}
	}
}

// TestUnknownNames holds that a bare name is told from a namespace.
func TestUnknownNames(t *testing.T) {
	c := open(t, Config{})
	for text, want := range map[string]string{"await sleep(100);": "sleep", "await delay(100);": "delay", "await wait(100);": "wait", "mail.send({});": "mail", "tools.mail.send({});": "", "crm.getContact({ id: '1' });": ""} {
		if got := check(t, c, requestFor(t, runtime.CheckTools, text)); len(got) != 1 || got[0].Unknown != want {
			t.Errorf("%s: %+v, want the name %q", text, got, want)
		}
	}
}

// TestHints holds what the checker says to write instead.
func TestHints(t *testing.T) {
	c := open(t, Config{})
	for _, tc := range []struct{ text, hint string }{
		{"const r = await tools.web.search({ query: 'x' }); r[0];", "use r.results"},
		{"const r = await tools.web.search({ query: 'x' }); r.map((x) => x);", "use r.results"},
		{"const r = await tools.web.search({ query: 'x' }); for (const c of r) {}", "iterate r.results"},
		{"for (const c of await tools.web.search({ query: 'x' })) {}", "iterate its field results: with const r = await ..., r.results"},
		{"const r = await tools.crm.getContact({ id: '1' }); for (const c of r.address) {}", "it has city, country"},
		{"const r = await tools.package.new({ name: 'x' }); const [a] = r;", "iterate r.parts"},
		{"const p = await tools.files.convert({ path: 'x', to: 'y' }); [...p];", "iterate p.pages"},
		{"inputs.orders.csv();", "the inputs are people; --input orders=PATH gives it, over MCP the argument inputs"},
		{"const { orders } = inputs;", "the inputs are people; --input orders=PATH gives it, over MCP the argument inputs"},
		{"tools.web.ping();", "put await before it, or void if its end does not matter"},
		{"tools.web.ping().catch(() => 0);", "put await before it, or return or keep its promise"},
		{"import _ from 'lodash';", "no packages were given: codemode modules prepare makes a folder of them, --modules FOLDER gives it; the script's own files are imported by relative path"},
	} {
		if got := check(t, c, requestFor(t, runtime.CheckTools, tc.text)); len(got) == 0 || got[0].Hint != tc.hint {
			t.Errorf("%s: %+v, want the hint %q", tc.text, got, tc.hint)
		}
	}
}

// TestFloatingPastTheWarnings holds that as many warnings as are told do not hide a call that blocks.
func TestFloatingPastTheWarnings(t *testing.T) {
	c := open(t, Config{})
	text := strings.Repeat("tools.web.ping().catch(() => 0);\n", 25) + "tools.web.ping();\n"
	for _, mode := range []runtime.CheckMode{runtime.CheckTools, runtime.CheckStrict} {
		blocked := slices.DeleteFunc(check(t, c, requestFor(t, mode, text)), func(d runtime.Diagnostic) bool { return d.Severity != runtime.SeverityError })
		if len(blocked) != 1 || blocked[0].Line != 26 || blocked[0].Code != codeFloating {
			t.Errorf("%s: %+v", mode, blocked)
		}
	}
}

// TestModes holds that off asks nobody, and that a mode is one of three.
func TestModes(t *testing.T) {
	c := open(t, Config{Launcher: []string{"/nonexistent"}})
	if got, err := c.Check(t.Context(), requestFor(t, runtime.CheckOff, "tools.crm.nope;")); len(got) != 0 || err != nil {
		t.Error(got, err)
	}
	if _, err := c.Check(t.Context(), requestFor(t, "lax", "1;")); runtime.AsError(err).Code != runtime.InvalidArgument {
		t.Error(err)
	}
}

// TestRequestRefused holds that a request which is none does not reach the compiler.
func TestRequestRefused(t *testing.T) {
	c := open(t, Config{Launcher: []string{"/nonexistent"}})
	for name, change := range map[string]func(*runtime.CheckRequest){
		"no file":             func(r *runtime.CheckRequest) { r.Script.Files = nil },
		"absolute":            func(r *runtime.CheckRequest) { r.Script.Files[0].Name = "/main.ts" },
		"outside":             func(r *runtime.CheckRequest) { r.Script.Files[0].Name = "../types/crm.d.ts" },
		"outside within":      func(r *runtime.CheckRequest) { r.Script.Files[0].Name = "a/../../main.ts" },
		"not shortest":        func(r *runtime.CheckRequest) { r.Script.Files[0].Name = "./main.ts" },
		"backslash":           func(r *runtime.CheckRequest) { r.Script.Files[0].Name = `a\main.ts` },
		"configuration":       func(r *runtime.CheckRequest) { r.Script.Files[0].Name = "a/tsconfig.json" },
		"package":             func(r *runtime.CheckRequest) { r.Script.Files[0].Name = "node_modules/x/index.ts" },
		"twice":               func(r *runtime.CheckRequest) { r.Script.Files = append(r.Script.Files, r.Script.Files[0]) },
		"huge":                func(r *runtime.CheckRequest) { r.Script.Files[0].Module = strings.Repeat(" ", maxScriptBytes+1) },
		"declaration outside": func(r *runtime.CheckRequest) { r.Declarations["../x.d.ts"] = "" },
		"declaration is code": func(r *runtime.CheckRequest) { r.Declarations["x.ts"] = "" },
	} {
		req := requestFor(t, runtime.CheckTools, "1;")
		change(&req)
		if _, err := c.Check(t.Context(), req); runtime.AsError(err).Code != runtime.InvalidArgument {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestBrokenDeclarations holds that declarations which do not compile are not taken for a surface:
// every script would look right, or wrong.
func TestBrokenDeclarations(t *testing.T) {
	c := open(t, Config{})
	for name, change := range map[string]func(*runtime.CheckRequest){
		"syntax":          func(r *runtime.CheckRequest) { r.Declarations["crm.d.ts"] += "}" },
		"granted syntax":  func(r *runtime.CheckRequest) { r.Granted += "}" },
		"granted unknown": func(r *runtime.CheckRequest) { r.Granted += "declare const more: Pick<Tools.crm, 'nope'>;" },
	} {
		req := requestFor(t, runtime.CheckTools, "export default 1;")
		req.Set = name
		change(&req)
		_, err := c.Check(t.Context(), req)
		if e := runtime.AsError(err); e.Code != runtime.Internal || e.Cause == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDisturbedDeclarations holds that a script which spoils the declarations is refused as a script,
// and the next one is checked as ever.
func TestDisturbedDeclarations(t *testing.T) {
	for _, text := range []string{
		"declare global { var tools: any }\nexport default 1;",
		"using r = { [Symbol.dispose]() {} };\nexport default 1;", // the library has no Disposable
	} {
		c := open(t, Config{})
		got, err := c.Check(t.Context(), requestFor(t, runtime.CheckTools, text))
		if err != nil || !slices.ContainsFunc(got, func(d runtime.Diagnostic) bool { return d.Severity == runtime.SeverityError && d.Line == 1 }) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
		if got, err := c.Check(t.Context(), requestFor(t, runtime.CheckTools, "export default 1;")); err != nil || len(got) > 0 {
			t.Errorf("after %q: %+v, %v", text, got, err)
		}
	}
}

// TestSets holds that two directories side by side do not mix, in one process or several, and that
// the granted part changes with each run.
func TestSets(t *testing.T) {
	c := open(t, Config{Processes: 2})
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			ns := fmt.Sprintf("ns%d", i%3)
			req := runtime.CheckRequest{
				Mode: runtime.CheckTools, Set: ns, Script: single(fmt.Sprintf("export default await tools.%s.m%d({});", ns, i%2)),
				Declarations: map[string]string{"a.d.ts": fmt.Sprintf("declare namespace Tools { interface %s { m0(args: {}): Promise<number>; m1(args: {}): Promise<number> } }", ns)},
				Granted:      fmt.Sprintf("declare const tools: { %s: Pick<Tools.%s, 'm0'> };", ns, ns),
			}
			got, err := c.Check(t.Context(), req)
			if err != nil || len(got) != i%2 {
				t.Errorf("%d: %+v, %v", i, got, err)
			}
		})
	}
	wg.Wait()
	if len(c.live) > 2 {
		t.Errorf("%d processes for 2", len(c.live))
	}
}

// TestLibrary holds that a library of our own replaces the compiler's.
func TestLibrary(t *testing.T) {
	base := "interface Array<T> { length: number; [n: number]: T }\ninterface Boolean {}\ninterface CallableFunction {}\ninterface Function {}\ninterface IArguments {}\n" +
		"interface NewableFunction {}\ninterface Number {}\ninterface Object {}\ninterface RegExp {}\ninterface String { readonly length: number }\n"
	c := open(t, Config{Library: map[string]string{"engine.d.ts": base}})
	req := runtime.CheckRequest{Mode: runtime.CheckTools, Script: single("export default ['a'].length + 'b'.length;"), Set: "x", Granted: ""}
	if got := check(t, c, req); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	req.Script = single("export default new Map();")
	if got := check(t, c, req); len(got) != 1 || got[0].Message != "there is no Map" {
		t.Errorf("%+v", got)
	}
	lacking := open(t, Config{Library: map[string]string{"engine.d.ts": "interface String {}"}})
	if _, err := lacking.Check(t.Context(), req); runtime.AsError(err).Code != runtime.Internal {
		t.Errorf("a library without arrays: %v", err)
	}
}

// TestCaps holds the number and length of what a check returns, errors first.
func TestCaps(t *testing.T) {
	c := open(t, Config{MaxDiagnostics: 5})
	text := "const acc = {};\n" + strings.Repeat("acc.x = 1;\n", 30) + strings.Repeat("tools.crm.nope;\n", 3) +
		"tools.crm." + strings.Repeat("n", 5000) + ";\n"
	got := check(t, c, requestFor(t, runtime.CheckTools, text))
	errors := 0
	for i, d := range got {
		if len(d.Message) > maxMessage {
			t.Errorf("message of %d bytes", len(d.Message))
		}
		if d.Severity == runtime.SeverityError {
			errors++
		}
		if i > 0 && d.Line < got[i-1].Line {
			t.Errorf("line %d after %d", d.Line, got[i-1].Line)
		}
	}
	if len(got) != 5 || errors != 4 {
		t.Errorf("%d diagnostics, %d errors", len(got), errors)
	}
}
