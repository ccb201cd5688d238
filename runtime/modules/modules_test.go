package modules_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codemode/runtime"
	"codemode/runtime/accept"
	"codemode/runtime/esbuild"
	"codemode/runtime/modules"
	"codemode/runtime/typecheck"
)

// installed are packages as npm leaves them: one of each kind that resolution must know.
var installed = map[string]string{
	// Modules by exports, with conditions, a pattern, a closed target, types, and no effects.
	"node_modules/shapes/package.json": `{"name":"shapes","version":"1.2.3","type":"module","sideEffects":false,"dependencies":{"plain":"1"},"imports":{"#units":"./lib/units.js"},
		"exports":{".":{"types":"./index.d.ts","node":"./node.js","import":"./index.js","default":"./index.cjs"},"./parts/*":"./lib/*.js","./parts/secret":null,"./types":{"types":"./index.d.ts"}}}`,
	"node_modules/shapes/index.js":      "export { area } from './lib/area.js';\nexport { unused } from './lib/unused.js';",
	"node_modules/shapes/index.d.ts":    "export declare function area(side: number): number;\nexport interface Square { side: number }",
	"node_modules/shapes/index.cjs":     "throw new Error('the wrong condition')",
	"node_modules/shapes/node.js":       "throw new Error('the wrong condition')",
	"node_modules/shapes/lib/area.js":   "import { scale } from '#units';\nimport plain from 'plain';\nexport const area = (side) => plain.twice(side * side * scale) / 2;",
	"node_modules/shapes/lib/units.js":  "export const scale = 1;",
	"node_modules/shapes/lib/unused.js": "export const unused = 'never-used-marker';",
	"node_modules/shapes/lib/secret.js": "export default 'secret-marker';",
	"node_modules/shapes/README.md":     "not for scripts",
	// CommonJS by main without an ending, without types; a package within it is none.
	"node_modules/plain/package.json":                 `{"name":"plain","version":"2.0.0","main":"./main"}`,
	"node_modules/plain/main.js":                      "const half = require('./lib/half');\nexports.twice = (n) => n * 2;\nexports.half = half;",
	"node_modules/plain/lib/half/index.js":            "module.exports = (n) => n / 2;",
	"node_modules/plain/node_modules/in/index.js":     "exports.inner = 1",
	"node_modules/plain/needs.js":                     "module.exports = require('child_process')",
	"node_modules/plain/away.js":                      "module.exports = require('../shapes/lib/secret.js')",
	"node_modules/plain/inner.js":                     "module.exports = require('in')",
	"node_modules/@scope/unlisted/package.json":       `{"name":"@scope/unlisted","version":"1.0.0"}`,
	"node_modules/@scope/unlisted/index.js":           "export default 'unlisted-marker'",
	"node_modules/plain/node_modules/in/package.json": `{"name":"in","version":"1.0.0"}`,
}

func folder(t *testing.T, change func(dir string)) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range installed {
		write(t, dir, name, text)
	}
	if _, err := modules.Prepare(t.Context(), dir, []string{"shapes@1.2.3", "plain@2.0.0"}, io.Discard); err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(dir)
	}
	return dir
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T) *modules.Modules {
	t.Helper()
	m, err := modules.Open(folder(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func script(t *testing.T, text string) runtime.Script {
	t.Helper()
	s, _, err := accept.Script([]runtime.Source{{Name: "main.ts", Text: text}}, accept.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A linked script holds what it needs, down to the last file, and no file more.
func TestLinkTakesWhatIsNeeded(t *testing.T) {
	m := open(t)
	for text, want := range map[string][]string{
		"return 1": {"main.ts"},
		"import { area } from 'shapes'; return area(2)": {
			"main.ts", "node_modules/plain/lib/half/index.js", "node_modules/plain/main.js", "node_modules/plain/package.json", "node_modules/shapes/index.js",
			"node_modules/shapes/lib/area.js", "node_modules/shapes/lib/units.js", "node_modules/shapes/lib/unused.js", "node_modules/shapes/package.json",
		},
		"import 'shapes/parts/units'; return 1": {"main.ts", "node_modules/shapes/lib/units.js", "node_modules/shapes/package.json", "node_modules/plain/package.json"},
		"import x from 'nope'; return 1":        {"main.ts", "node_modules/plain/package.json", "node_modules/shapes/package.json"},
	} {
		var got []string
		for _, f := range m.Link(script(t, text)).Files {
			got = append(got, f.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s\n%q, want\n%q", text, got, want)
		}
	}
}

// A linked file says by which of the author's imports it was come to first, also from another package.
func TestLinkTellsTheImport(t *testing.T) {
	linked := open(t).Link(script(t, "const a = 1;\nimport { area } from 'shapes';\nimport plain from 'plain';\nreturn area(a)"))
	for name, want := range map[string]runtime.Pos{
		"main.ts": {}, "node_modules/shapes/lib/area.js": {File: "main.ts", Line: 2, Column: 22}, "node_modules/plain/main.js": {File: "main.ts", Line: 2, Column: 22},
	} {
		if f, ok := linked.File(name); !ok || f.From != want {
			t.Errorf("%s is there: %v, by %v, want %v", name, ok, f.From, want)
		}
	}
	linked = open(t).Link(script(t, "import 'shapes/parts/units';\nimport plain from 'plain';\nreturn plain"))
	if f, _ := linked.File("node_modules/plain/main.js"); f.From != (runtime.Pos{File: "main.ts", Line: 2, Column: 19}) {
		t.Errorf("plain is imported at %v", f.From)
	}
}

// What does not parse in a package is placed there, whichever line it is on.
func TestSyntaxErrorInAPackage(t *testing.T) {
	m, err := modules.Open(folder(t, func(dir string) {
		write(t, dir, "node_modules/plain/lib/half/index.js", "module.exports = {\n  half(n) {\n    return /*😀*/ );\n  },\n};\n")
		if _, err := modules.Prepare(t.Context(), dir, []string{"plain@2.0.0"}, io.Discard); err != nil {
			t.Fatal(err)
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	_, found := esbuild.Bundler{}.Bundle(m.Link(script(t, "\nimport plain from 'plain'; return plain")))
	if len(found) != 1 || found[0].File != "node_modules/plain/lib/half/index.js" || found[0].Line != 3 || found[0].Column != 19 {
		t.Fatalf("found %+v", found)
	}
	if at := found[0].Trace; len(at) != 1 || at[0] != (runtime.Pos{File: "main.ts", Line: 2, Column: 19}) {
		t.Errorf("the trace is %+v", at)
	}
}

// The bundler finds packages by Node's rules, and refuses what is not to be had in words of its own. The
// checker says the same of what the script itself imports, at the same place.
func TestBundleAndCheck(t *testing.T) {
	m := open(t)
	checker := checkerOf(t, m.Files())
	if bundle, _ := (esbuild.Bundler{}).Bundle(m.Link(script(t, "import { area } from 'shapes'; return area(2)"))); strings.Contains(bundle.Code, "never-used-marker") {
		t.Error("what a package without effects does not give the script is in the bundle")
	}
	for _, c := range []struct {
		text, code string // part of the code, "" for a refusal
		refused    string
		inside     bool // refused within the package, which only the bundler reads
	}{
		{"import { area } from 'shapes'; return area(2)", "side * side * scale", "", false},
		{"import { scale } from 'shapes/parts/units'; return scale", "scale = 1", "", false},
		{"import plain from 'plain'; return plain", "exports.twice", "", false},
		{"import half from 'plain/lib/half'; return half", "n / 2", "", false},
		{"import { twice } from 'plain/main.js'; return twice", "exports.twice", "", false},
		{"import type { Square } from 'shapes'; const s: Square = { side: 1 }; return s", "side: 1", "", false},
		{"export * from 'shapes'; export default 1", "main_default = 1", "", false},
		{"import x from 'shape'; return x", "", `there is no package "shape"; did you mean shapes?`, false},
		{"import x from '@scope/unlisted'; return x", "", `there is no package "@scope/unlisted"; these can be imported: plain, shapes`, false},
		{"import x from 'shapes/parts/secret'; return x", "", `package shapes has no code for "shapes/parts/secret"`, false},
		{"import x from 'shapes/lib/area.js'; return x", "", `package shapes exports no "shapes/lib/area.js"; it exports shapes, shapes/parts/*`, false},
		{"import x from 'shapes/types'; return x", "", `package shapes has no code for "shapes/types"`, false},
		{"import x from 'shapes/../plain/main.js'; return x", "", `package shapes exports no`, false},
		{"import x from 'plain/../shapes/lib/secret.js'; return x", "", `package plain has no`, false},
		{"import x from './node_modules/plain/main.js'; return x", "", `a package is imported by its name`, false},
		{"import x from 'plain/node_modules/in'; return x", "", `package plain has no`, false},
		{"import x from 'plain/needs'; return x", "", `package plain can't be used: "child_process" is a module of Node`, true},
		{"import x from 'plain/away'; return x", "", `package plain can't be used: "../shapes/lib/secret.js" leads out of package plain`, true},
		{"import x from 'plain/inner'; return x", "", `package plain can't be used: there is no package "in"`, true},
	} {
		s := script(t, c.text)
		bundle, found := esbuild.Bundler{}.Bundle(m.Link(s))
		if c.refused == "" && (len(found) > 0 || !strings.Contains(bundle.Code, c.code)) || strings.Contains(bundle.Code, "secret-marker") || strings.Contains(bundle.Code, "unlisted-marker") {
			t.Errorf("%s: %v\n%s", c.text, found, bundle.Code)
		}
		if c.refused != "" && (len(found) == 0 || found[0].Code != accept.CodeImport || !strings.Contains(found[0].Message+"; "+found[0].Hint, c.refused)) {
			t.Errorf("%s: bundler: %+v, want %q", c.text, found, c.refused)
		}
		checked, err := checker.Check(t.Context(), runtime.CheckRequest{Mode: runtime.CheckTools, Script: s})
		if err != nil {
			t.Fatal(err)
		}
		checked = slices.DeleteFunc(checked, func(d runtime.Diagnostic) bool { return d.Severity != runtime.SeverityError })
		if want := errorsOf(found); !c.inside && fmt.Sprint(checked) != fmt.Sprint(want) {
			t.Errorf("%s: checker: %+v\nbundler: %+v", c.text, checked, want)
		}
	}
}

func errorsOf(found []runtime.Diagnostic) []runtime.Diagnostic {
	return append([]runtime.Diagnostic{}, found...)
}

// Declarations of packages type what scripts do; a package without any says so and gives unknown.
func TestCheckerKnowsPackages(t *testing.T) {
	checker := checkerOf(t, open(t).Files())
	for _, c := range []struct{ text, want string }{
		{"import { area } from 'shapes'; const n: number = area(1); return n", ""},
		{"import { area } from 'shapes'; return area('x')", "TS2345 warning"},
		{"import { are } from 'shapes'; return are", "TS2724 error"},
		{"import p, { twice } from 'plain'; const n = twice(p.half(1) as number); return [n, new p.Thing()]", "CM103 warning"},
		{"import { twice } from 'plain'; const n: number = twice(1); return n", "CM103 warning TS2322 warning"},
		{"import * as p from 'plain'; return p", "CM103 warning"},
	} {
		found, err := checker.Check(t.Context(), runtime.CheckRequest{Mode: runtime.CheckTools, Script: script(t, c.text)})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range found {
			got = append(got, d.Code+" "+string(d.Severity))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %+v, want %q", c.text, found, c.want)
		}
	}
}

func checkerOf(t *testing.T, packages accept.Packages) *typecheck.Checker {
	t.Helper()
	compiler, err := typecheck.Find(typecheck.FindConfig{})
	if err != nil {
		t.Skipf("no compiler: %v", err)
	}
	c, err := typecheck.New(typecheck.Config{Compiler: compiler, Packages: packages})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// A folder that is not what its list says is not opened, and the error says what differs.
func TestOpenRefuses(t *testing.T) {
	relist := func(t *testing.T, dir string, change func(l map[string]map[string]string)) {
		raw, err := os.ReadFile(filepath.Join(dir, modules.ListName))
		if err != nil {
			t.Fatal(err)
		}
		var l map[string]map[string]string
		if err := json.Unmarshal(raw, &l); err != nil {
			t.Fatal(err)
		}
		change(l)
		raw, _ = json.Marshal(l)
		write(t, dir, modules.ListName, string(raw))
	}
	secret := filepath.Join(t.TempDir(), "secret.js")
	write(t, filepath.Dir(secret), "secret.js", "export default 'host-marker'")
	link := func(t *testing.T, target, name string) {
		if err := os.Symlink(target, name); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		change func(t *testing.T, dir string)
		want   string
	}{
		"no list":        {func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, modules.ListName)) }, "no such file"},
		"a list of junk": {func(t *testing.T, dir string) { write(t, dir, modules.ListName, "[]") }, "cannot unmarshal"},
		"a range": {func(t *testing.T, dir string) {
			relist(t, dir, func(l map[string]map[string]string) { l["packages"]["plain"] = "^2.0.0" })
		}, "exact version"},
		"a path": {func(t *testing.T, dir string) {
			relist(t, dir, func(l map[string]map[string]string) { l["packages"]["../plain"] = "2.0.0" })
		}, "exact version"},
		"another version": {func(t *testing.T, dir string) {
			relist(t, dir, func(l map[string]map[string]string) { l["packages"]["plain"] = "2.0.1" })
		}, `package plain has version "2.0.0", and 2.0.1 is listed`},
		"no digest": {func(t *testing.T, dir string) {
			relist(t, dir, func(l map[string]map[string]string) { delete(l["sha256"], "plain") })
		}, "without the digest"},
		"not installed": {func(t *testing.T, dir string) { os.RemoveAll(filepath.Join(dir, "node_modules/plain")) }, "not installed"},
		"changed":       {func(t *testing.T, dir string) { write(t, dir, "node_modules/plain/main.js", "exports.evil = 1") }, "the content of package plain is not"},
		"added":         {func(t *testing.T, dir string) { write(t, dir, "node_modules/plain/more.js", "exports.evil = 1") }, "the content of package plain is not"},
		"another name": {func(t *testing.T, dir string) {
			write(t, dir, "node_modules/plain/package.json", `{"name":"shapes","version":"2.0.0"}`)
		}, "calls itself"},
		"not UTF-8": {func(t *testing.T, dir string) { write(t, dir, "node_modules/plain/main.js", "\xff") }, "not valid UTF-8"},
		"too large": {func(t *testing.T, dir string) {
			write(t, dir, "node_modules/plain/big.js", strings.Repeat("x", 33<<20))
		}, "more than 33554432 bytes"},
		"a linked file":   {func(t *testing.T, dir string) { link(t, secret, filepath.Join(dir, "node_modules/plain/out.js")) }, "links are not followed"},
		"a linked README": {func(t *testing.T, dir string) { link(t, secret, filepath.Join(dir, "node_modules/plain/out.md")) }, "links are not followed"},
		"a linked folder": {func(t *testing.T, dir string) {
			link(t, filepath.Dir(secret), filepath.Join(dir, "node_modules/plain/out"))
		}, "links are not followed"},
		"a linked list": {func(t *testing.T, dir string) {
			os.Rename(filepath.Join(dir, modules.ListName), filepath.Join(dir, "other.json"))
			link(t, "other.json", filepath.Join(dir, modules.ListName))
		}, "links are not followed"},
		"a linked package": {func(t *testing.T, dir string) {
			os.Rename(filepath.Join(dir, "node_modules/plain"), filepath.Join(dir, "elsewhere"))
			link(t, "../elsewhere", filepath.Join(dir, "node_modules/plain"))
		}, "links are not followed"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := modules.Open(folder(t, func(dir string) { c.change(t, dir) }))
			var e *runtime.Error
			if !errors.As(err, &e) || e.Code != runtime.InvalidArgument || !strings.Contains(e.Message, c.want) || strings.Contains(e.Message, "host-marker") {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// The digest is of all packages and versions: another content is another digest.
func TestVersions(t *testing.T) {
	a := open(t)
	if got := a.Versions(); got["npm:shapes"] != "1.2.3" || got["npm:plain"] != "2.0.0" || got["modules"] != a.Digest() || len(got) != 3 {
		t.Errorf("versions %v", got)
	}
	if again := open(t); again.Digest() != a.Digest() {
		t.Error("the same packages have another digest")
	}
	dir := folder(t, func(dir string) { write(t, dir, "node_modules/plain/main.js", "exports.other = 1") })
	if _, err := modules.Prepare(t.Context(), dir, []string{"plain@2.0.0"}, io.Discard); err != nil {
		t.Fatal(err)
	}
	b, err := modules.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if b.Digest() == a.Digest() {
		t.Error("another content has the same digest")
	}
}

// npm is started for what is missing only, and none of a package's scripts may run.
func TestPrepareInstalls(t *testing.T) {
	bin, dir := t.TempDir(), folder(t, nil)
	log := filepath.Join(bin, "log")
	write(t, bin, "npm", "#!/bin/sh\necho \"$@\" >> "+log+"\nmkdir -p "+dir+"/node_modules/extra\n"+
		`echo '{"name":"extra","version":"3.0.0","main":"x.js"}' > `+dir+"/node_modules/extra/package.json\necho 'exports.x = 1' > "+dir+"/node_modules/extra/x.js\n")
	if err := os.Chmod(filepath.Join(bin, "npm"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	remarks, err := modules.Prepare(t.Context(), dir, []string{"plain@2.0.0", "extra@3.0.0"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(log)
	if err != nil || !strings.Contains(string(raw), "--ignore-scripts") || !strings.HasSuffix(string(raw), "-- extra@3.0.0\n") {
		t.Errorf("npm was called with %q, %v", raw, err)
	}
	if !slices.ContainsFunc(remarks, func(r string) bool { return strings.HasPrefix(r, "extra declares no types") }) {
		t.Errorf("remarks %q", remarks)
	}
	m, err := modules.Open(dir)
	if err != nil || len(m.Versions()) != 4 {
		t.Errorf("%v, %v", m.Versions(), err)
	}
	for _, bad := range []string{"plain", "plain@", "plain@^2", "plain@latest", "--prefix=/@1.0.0", "../x@1.0.0", "git+https://x@1.0.0"} {
		if _, err := modules.Prepare(t.Context(), dir, []string{bad}, io.Discard); runtime.AsError(err).Code != runtime.InvalidArgument {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// What a listed package needs and is not listed is told when the list is made.
func TestPrepareRemarks(t *testing.T) {
	dir := t.TempDir()
	for name, text := range installed {
		write(t, dir, name, text)
	}
	remarks, err := modules.Prepare(t.Context(), dir, []string{"shapes@1.2.3"}, io.Discard)
	if err != nil || len(remarks) != 1 || !strings.Contains(remarks[0], "shapes depends on plain 1, which is not on the list") {
		t.Errorf("%q, %v", remarks, err)
	}
}
