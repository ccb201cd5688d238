package esbuild_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codemode/runtime"
	"codemode/runtime/accept"
	"codemode/runtime/esbuild"
)

func bundle(texts ...string) (runtime.Bundle, []runtime.Diagnostic) {
	s := runtime.Script{Entry: texts[0]}
	for i := 0; i < len(texts); i += 2 {
		s.Files = append(s.Files, runtime.SourceFile{Name: texts[i], Text: texts[i+1], Module: texts[i+1]})
	}
	return esbuild.Bundler{}.Bundle(s)
}

func TestWrap(t *testing.T) {
	b, diags := bundle("main.ts", "import { n } from './lib/n';\nconst x: number = await n;\nexport const other = 1;\nexport default x // the end", "lib/n.ts", "export const n = Promise.resolve(1)")
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	want := `(async function __top(){"use strict";
// script:lib/n.ts
var n = Promise.resolve(1);

// script:main.ts
var x = await n;
var other = 1;
var main_default = x;
return main_default;
})`
	if b.Code != want {
		t.Errorf("%s", b.Code)
	}
	if pos, ok := b.Author(6, 15); !ok || pos != (runtime.Pos{File: "main.ts", Line: 2, Column: 25}) {
		t.Errorf("the await's operand is at %v %v", pos, ok)
	}
	if pos, ok := b.Author(1, 1); ok {
		t.Errorf("the wrapper is at %v", pos)
	}
}

// unscreened begins a script whose rest the screening of imports takes for a template, by the regular
// expression after a block: the bundler is alone with it.
const unscreened = "if (1) {}\n/`/.test('a');\n"

// A canary on the host is found by no import, loader, comment or pattern.
func TestHostIsOutOfReach(t *testing.T) {
	dir := t.TempDir()
	const secret = "canary-5d1f"
	for name, text := range map[string]string{
		"canary.ts": "export default '" + secret + "'", "canary.json": `{"k":"` + secret + `"}`, "canary.txt": secret,
		"canary.map":    `{"version":3,"sources":["` + secret + `.ts"],"mappings":"AAAA"}`,
		"tsconfig.json": `{"compilerOptions":{"paths":{"x":["./canary.ts"]},"jsxFactory":"` + secret + `"}}`,
		"package.json":  `{"name":"` + secret + `","main":"canary.ts"}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	up := strings.Repeat("../", 20) + strings.TrimPrefix(dir, "/")
	for _, text := range []string{
		"import x from './canary'; export default x", "import x from './canary.json'; export default x", "import x from '" + dir + "/canary.ts'; export default x",
		"import x from 'file://" + dir + "/canary.ts'; export default x", "import x from '" + up + "/canary'; export default x", "import x from 'x'; export default x",
		"export * from './canary'", "export default require('./canary.txt')", "export default await import('./canary')", "export default (n) => import('./' + n)",
		"export default (n) => import(`" + up + "/${n}`)", "export default (n) => require('" + up + "/' + n)", "export default new URL('./canary.txt', import.meta.url).href",
		"import x from './canary.txt' with { type: 'text' }; export default x", "import x from './canary.txt' with { type: 'file' }; export default x",
		"import x from 'data:text/javascript,export default 1'; export default x", "import './canary.css'", "import '.'", "import './'", "import '..'",
		"/// <reference path=\"" + dir + "/canary.ts\" />\nexport default 1", "throw 1 //# sourceMappingURL=canary.map", "throw 1 //# sourceMappingURL=" + dir + "/canary.map",
		"throw 1 /*# sourceMappingURL=file://" + dir + "/canary.map */", "/** @jsx canary */ export default <a/>", "@import './canary.txt'",
		"export default import.meta.glob('./*')", "import x from './canary.ts?raw'; export default x", "import x from '#canary'; export default x",
	} {
		for _, text := range []string{text, unscreened + text} {
			b, diags := bundle("main.ts", text)
			all := fmt.Sprint(b.Code, diags, b.Places)
			if strings.Contains(all, secret) || strings.Contains(strings.ReplaceAll(all, text, ""), "canary.map") {
				t.Errorf("%s\nreached the host: %s", text, all)
			}
		}
	}
}

// A source map comment of the author's gives no place a false name, not even one that is overlooked.
func TestSourceMapCommentIsNotBelieved(t *testing.T) {
	forged := "//# sourceMappingURL=data:application/json,%7B%22version%22%3A3%2C%22sources%22%3A%5B%22forged.ts%22%5D%2C%22mappings%22%3A%22AAAA%22%7D"
	b, diags := bundle("main.ts", unscreened+"throw 1\n"+forged)
	if len(diags) > 0 || len(b.Places) == 0 {
		t.Fatal(diags, b.Places)
	}
	for _, p := range b.Places {
		if p.Author.File != "main.ts" {
			t.Errorf("%v", p)
		}
	}
}

func TestDiagnostics(t *testing.T) {
	for _, c := range []struct {
		text, message, code string
		line, column        int
	}{
		{"const a = 1;\n\tconst é = '😀' foo", `Expected ";" but found "foo"`, esbuild.CodeSyntax, 2, 17},
		{"import x from 'lodash'; x()", "there is no package \"lodash\"", accept.CodeImport, 1, 15},
		{"\n  import { y } from './lib'; y()", "No matching export in \"lib.ts\" for import \"y\"", esbuild.CodeSyntax, 2, 12},
		{"import x from './lib.ts' with { type: 'json' }; x()", "import attributes are not supported", accept.CodeImport, 1, 26},
		{"export default 1; export default 2", "Multiple exports with the same name \"default\"", esbuild.CodeSyntax, 1, 26},
		{"", "has no file", esbuild.CodeSyntax, 1, 1},
	} {
		entry := "main.ts"
		b, diags := bundle(entry, c.text, "lib.ts", "export const x = 1")
		if c.text == "" {
			b, diags = esbuild.Bundler{}.Bundle(runtime.Script{Entry: entry})
		}
		if len(diags) == 0 || b.Code != "" {
			t.Errorf("%q: %v", c.text, diags)
			continue
		}
		d := diags[0]
		if !strings.Contains(d.Message, c.message) || d.Code != c.code || d.Line != c.line || d.Column != c.column || d.Severity != runtime.SeverityError || d.File != entry {
			t.Errorf("%q: %+v", c.text, d)
		}
	}
}

// FuzzBundle: any text becomes code whose places stand in the author's files, or a diagnostic.
func FuzzBundle(f *testing.F) {
	for _, text := range []string{"export default 1", "await 0; throw 1 //", "#!x\r\nlet a = `\u2028`", "export {x as default}; var x", "import('./'+y)", "eval('1')", "module.exports = 1", "<a/>", "@d class {}", "`\nexport {\n  a as default\n};\n`"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			return
		}
		b, diags := bundle("main.ts", text)
		failed := false
		for _, d := range diags {
			failed = failed || d.Severity == runtime.SeverityError
			if d.Line < 1 || d.Column < 1 || d.File != "main.ts" {
				t.Errorf("%+v", d)
			}
		}
		if failed != (b.Code == "") {
			t.Errorf("code of %d bytes, %v", len(b.Code), diags)
		}
		lines := strings.Count(text, "\n") + 1
		for _, p := range b.Places {
			if p.Author.File != "main.ts" || p.Author.Line < 1 || p.Author.Line > lines+strings.Count(text, "\r")+strings.Count(text, "\u2028")+strings.Count(text, "\u2029") {
				t.Errorf("%+v", p)
			}
		}
	})
}
