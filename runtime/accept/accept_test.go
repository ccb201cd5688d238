package accept

import (
	"strings"
	"testing"

	"codemode/runtime"
)

// one is a script of one file.
func one(text string) []runtime.Source {
	return []runtime.Source{{Name: "main.ts", Text: text}}
}

func TestShapes(t *testing.T) {
	const body, expr = "export default async function () { ", "export default "
	tests := []struct{ name, text, head string }{
		{"module", "const a = 1;\nexport default a", ""},
		{"no result", "await tools.a.b();", ""},
		{"body", "const a = 1;\nreturn a", body},
		{"return in a block", "if (x) { return 1 }\nfoo()", body},
		{"return in a loop", "for (const a of b) { if (a) return a }", body},
		{"return in for await", "for await (const a of b) { return a }", body},
		{"return after else", "if (a) f(); else { return 2 }", body},
		{"return in a switch", "switch (a) { case 1: { return 2 } }", body},
		{"return in a function only", "function f() { return 1 }\nf()", ""},
		{"return in a typed function", "function f(): { a: number } { return {a: 1} }\nf()", ""},
		{"return in an arrow", "const f = () => { return 1 }\nf()", ""},
		{"return in a method", "const o = { f() { return 1 } }\no.f()", ""},
		{"a member named return", "const o = { return: 1 }; o.return", ""},
		{"return in a string", "const s = 'return 1'; `return ${s}`", ""},
		{"return in a comment", "// return 1\nf() /* return 2 */", ""},
		{"return in a regexp", "const r = /{ return/; r.test('a')", ""},
		{"return after a template hole", "const s = `${`${1}`}`; return s", body},
		{"arrow", "async () => { return 1 }", expr},
		{"arrow with semicolon", "async () => { return 1 };\n", expr},
		{"arrow with comment", "// what\nasync () => { return 1 }; // end", expr},
		{"arrow expression", "async () => await tools.a.b()", expr},
		{"arrow with parameter", "x => x", expr},
		{"typed arrow", "async (): Promise<number> => { return 1 }", expr},
		{"function", "async function main() { return 1 }", expr},
		{"anonymous function", "async function () { return 1 }", expr},
		{"two functions", "function a() { return 1 }\nfunction b() { return 2 }", ""},
		{"called", "(async () => { return 1 })();", expr},
		{"not called", "(async () => { return 1 })", expr},
		{"function with a type in its return type", "async function main(): Promise<Record<string, { n: number }>> { return {} }", expr},
		{"division after an increment", "let i = 4; const d = i++ / 2; return d / 1", body},
		{"export default function", "export default async function () { return 1 }", ""},
		{"export of a list", "const a = 1; export { a as default }", ""},
		{"division is no regexp", "const a = b / 2; const c = d / 3; return a", body},
		{"regexp after if", "if (a) /[/]{/.test(b)\nreturn 1", body},
		{"shebang", "#!/usr/bin/env codemode\nreturn 1", body},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			script, _, err := Script(one(tt.text), Limits{})
			if err != nil {
				t.Fatal(err)
			}
			f := script.Files[0]
			if tt.head == "" {
				if f.Module != tt.text {
					t.Fatalf("module = %q, want it unchanged", f.Module)
				}
				return
			}
			if !strings.Contains(f.Module, tt.head) || f.Inserted.Columns != len(tt.head) {
				t.Fatalf("module = %q, inserted = %+v; want %q put in", f.Module, f.Inserted, tt.head)
			}
		})
	}
}

func TestLastCall(t *testing.T) {
	const before = "async function main() { return 1 }\nconst go = async () => 2;\n"
	for last, taken := range map[string]bool{
		"main();": true, "go() // now": true, "await main()": true, "main().catch((e) => { throw e });": true,
		"main()\n  .then((x) => x + 1)\n  .catch(console.error)": true, "(async () => { return 3 })();": true,
		"await (async function () { return 3 })().finally(() => {})": true,
		"if (a) { main() }": false, "const x = await main()": false, "main();\nconsole.log(1)": false, "a.main()": false,
		"await tools.a.b()": false, "void main()": false, "other()": false, "main": false, "x = main()": false,
	} {
		script, _, err := Script(one(before+last), Limits{})
		want := before + last
		if taken {
			want = before + "export default " + last
		}
		if err != nil || script.Files[0].Module != want || script.Silent == taken {
			t.Errorf("%q: module = %q, silent = %v, %v", last, script.Files[0].Module, script.Silent, err)
		}
	}
}

func TestImportsStayOutside(t *testing.T) {
	script, _, err := Script(one("import { a } from './a'\nimport './b';\nreturn a"), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	want := "import { a } from './a'\nimport './b';\nexport default async function () { return a\n}"
	if got := script.Files[0].Module; got != want {
		t.Errorf("module = %q, want %q", got, want)
	}
}

func TestSilentScripts(t *testing.T) {
	for text, want := range map[string]bool{
		"return 1": false, "async () => {}": false, "export default 1": false, "const a = 1; export { a as default }": false,
		"await tools.a.b()": true, "async function main() { return 1 }\nmain()": false,
		"async function main() { return 1 }\nconsole.log(await main())": true, "export const a = 1": true,
	} {
		script, _, err := Script(one(text), Limits{})
		if err != nil || script.Silent != want {
			t.Errorf("%q: silent = %v, %v; want %v", text, script.Silent, err, want)
		}
	}
}

func TestAuthorPlaces(t *testing.T) {
	script, _, err := Script(one("// 𝒜\n  return 𝒜x"), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	f := script.Files[0]
	column := 1 + strings.Index(strings.Split(f.Module, "\n")[1], "return")
	for _, tt := range []struct{ line, column, wantLine, wantColumn int }{
		{1, 4, 1, 4},
		{2, 1, 2, 1},
		{2, 10, 2, 3}, // inside what was inserted
		{2, column, 2, 3},
		{3, 1, 2, 13}, // the closing brace
	} {
		if l, c := f.Author(tt.line, tt.column); l != tt.wantLine || c != tt.wantColumn {
			t.Errorf("Author(%d, %d) = %d, %d; want %d, %d", tt.line, tt.column, l, c, tt.wantLine, tt.wantColumn)
		}
	}
}

func TestLimits(t *testing.T) {
	deep := func(open, shut string, n int) string {
		return "return " + strings.Repeat(open, n) + "1" + strings.Repeat(shut, n)
	}
	tests := []struct {
		name, text string
		reason     runtime.Reason
		column     int // on the first line, 0 for no place
	}{
		{"fits", deep("[", "]", 64), runtime.NoReason, 0},
		{"brackets", deep("[", "]", 65), runtime.ReasonNesting, 72},
		{"arrows", "return " + strings.Repeat("a=>", 65) + "1", runtime.ReasonNesting, 201},
		{"arrows with parentheses", "return " + strings.Repeat("(a)=>", 65) + "1", runtime.ReasonNesting, 331},
		{"many arrows side by side", strings.Repeat("f(a => a)\n", 300), runtime.NoReason, 0},
		{"prefixes", "return " + strings.Repeat("! ", 65) + "1", runtime.ReasonNesting, 136},
		{"holes", "return " + strings.Repeat("`${", 65) + strings.Repeat("}`", 65), runtime.ReasonNesting, 201},
		{"brackets in a string", "return '" + strings.Repeat("[", 1000) + "'", runtime.NoReason, 0},
		{"closers without openers", "return 1" + strings.Repeat("}", 100), runtime.NoReason, 0},
		{"bytes", "return '" + strings.Repeat("x", 256<<10) + "'", runtime.ReasonSource, 0},
		{"empty", " \n", runtime.ReasonInput, 0},
		{"not UTF-8", "return '\xff'", runtime.ReasonInput, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, reason, err := Script(one(tt.text), Limits{})
			if reason != tt.reason || (err != nil) != (tt.reason != runtime.NoReason) {
				t.Fatalf("reason = %q, err = %v; want %q", reason, err, tt.reason)
			}
			at := runtime.Pos{File: "main.ts", Line: 1, Column: tt.column}
			if tt.column > 0 && (err.Pos == nil || *err.Pos != at) {
				t.Errorf("at = %+v, want %+v", err.Pos, at)
			}
		})
	}
}

func TestFileNames(t *testing.T) {
	for _, name := range []string{"", "/etc/passwd", "../a.ts", "a/../../b.ts", "a\\b.ts", "a\x00.ts", "./a.ts", "a\n.ts", "a\u202e.ts", "a:b.ts",
		"__proto__.ts", "a/__proto__/b.ts", "node_modules/a.ts", "NODE_MODULES/a.ts", "a/node_modules/b.ts", "package.json", "tsconfig.json", "a.txt", "a", "a.tsx", "a.ts/", "a//b.ts",
		".ts", "a/.b.ts", "a?.ts", "a#.ts", "a%2f.ts", "a*.ts", "\xff.ts", strings.Repeat("a", 200) + ".ts"} {
		if _, reason, _ := Script([]runtime.Source{{Name: name, Text: "return 1"}}, Limits{}); reason != runtime.ReasonInput {
			t.Errorf("name %q: reason %q, want %q", name, reason, runtime.ReasonInput)
		}
	}
}

// Chains nest without brackets; lists and lines do not.
func TestChains(t *testing.T) {
	many := func(s string) string { return strings.Repeat(s, 1100) }
	tests := []struct {
		name, text string
		reason     runtime.Reason
	}{
		{"members", "return x" + many(".a"), runtime.ReasonNesting},
		{"optional members", "return x" + many("?.a"), runtime.ReasonNesting},
		{"indexes", "return x" + many("[0]"), runtime.ReasonNesting},
		{"calls", "return x" + many("(1)"), runtime.ReasonNesting},
		{"tagged templates", "return x" + many("`a`"), runtime.ReasonNesting},
		{"operators", "return 1" + many(" + 1"), runtime.ReasonNesting},
		{"words", "return 1" + many(" in x"), runtime.ReasonNesting},
		{"branches", "return " + many("a ? 1 : ") + "2", runtime.ReasonNesting},
		{"types", "let x: " + many("A<") + "1" + many(">"), runtime.ReasonNesting},
		{"sequence", "return (" + many("1, ") + "1)", runtime.ReasonNesting},
		{"sequence in a statement", many("f(), ") + "1", runtime.ReasonNesting},
		{"sequence in an index", "return x[" + many("1, ") + "1]", runtime.ReasonNesting},
		{"sequence in a hole", "return `${" + many("1, ") + "1}`", runtime.ReasonNesting},
		{"else if", many("if (a) { b() } else ") + "{ c() }", runtime.ReasonNesting},
		{"else if without braces", many("if (a) b(); else ") + "c()", runtime.ReasonNesting},
		{"loops in loops", many("while (a) ") + "b()", runtime.ReasonNesting},
		{"labels", many("a: ") + "1", runtime.ReasonNesting},
		{"unsure arrows", "return " + strings.Repeat("a ? (b) : c => ", 9) + "1", runtime.ReasonNesting},
		{"unsure arrows in bodies", "return " + strings.Repeat("a ? (b) : c => { return ", 9) + "1" + strings.Repeat("}", 9), runtime.ReasonNesting},
		{"one unsure arrow after another", strings.Repeat("f(a ? (b) : c => d);\n", 50), runtime.NoReason},
		{"lines", many("a.b(c + d)\n"), runtime.NoReason},
		{"statements", many("a.b(c + d);"), runtime.NoReason},
		{"increments", many("i++;"), runtime.NoReason},
		{"declarations by lines", many("const a = b.c\n"), runtime.NoReason},
		{"list", "return [" + many("a.b + 1, ") + "]", runtime.NoReason},
		{"object", "return { " + many("a: b.c, ") + "}", runtime.NoReason},
		{"arguments", "f(" + many("a.b, ") + "1)", runtime.NoReason},
		{"type members by lines", "type A = {" + many("a: string\n") + "}", runtime.NoReason},
		{"cases", "switch (a) {" + many("case 1: case 2: b(); break;") + "}", runtime.NoReason},
		{"ifs beside each other", many("if (a) { b() }\n"), runtime.NoReason},
		{"functions", many("function f(a: number): string { return g(a) + 1 }\n"), runtime.NoReason},
		{"templates", "return `" + strings.Repeat("${a.b} ", 900) + "`", runtime.NoReason},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, reason, err := Script(one(tt.text), Limits{})
			if reason != tt.reason || (reason == runtime.ReasonNesting) != (err != nil && err.Pos != nil) {
				t.Errorf("reason %q, error %v; want %q", reason, err, tt.reason)
			}
		})
	}
}

func TestFiles(t *testing.T) {
	two := append(one("return 1"), runtime.Source{Name: "b.ts", Text: strings.Repeat("//\n", 100)})
	for _, tt := range []struct {
		limits Limits
		reason runtime.Reason
	}{
		{Limits{}, runtime.NoReason}, {Limits{FileBytes: 299}, runtime.ReasonSource}, {Limits{FileBytes: 300}, runtime.NoReason},
		{Limits{SourceBytes: 307}, runtime.ReasonSource}, {Limits{SourceBytes: 308}, runtime.NoReason}, {Limits{Files: 1}, runtime.ReasonSource},
	} {
		if _, reason, err := Script(two, tt.limits); reason != tt.reason {
			t.Errorf("%+v: %q, %v; want %q", tt.limits, reason, err, tt.reason)
		}
	}
	if _, reason, err := Script(append(one("return 1"), runtime.Source{Name: "Main.ts", Text: "1"}), Limits{}); reason != runtime.ReasonInput || err.Hint == "" {
		t.Errorf("two names that differ in case: %q, %v", reason, err)
	}
}

// A run's limits count where they are lower than the service's own.
func TestWithin(t *testing.T) {
	files := one("return [[1]]") // 12 bytes
	for _, tt := range []struct {
		own    Limits
		run    runtime.Limits
		reason runtime.Reason
	}{
		{Limits{}, runtime.Limits{}, runtime.NoReason},
		{Limits{}, runtime.Limits{SourceBytes: 12, Nesting: 2}, runtime.NoReason},
		{Limits{}, runtime.Limits{SourceBytes: 11}, runtime.ReasonSource},
		{Limits{}, runtime.Limits{SourceBytes: 12, Nesting: 1}, runtime.ReasonNesting},
		{Limits{SourceBytes: 11}, runtime.Limits{SourceBytes: 12}, runtime.ReasonSource},
		{Limits{Nesting: 1}, runtime.Limits{SourceBytes: 12, Nesting: 2}, runtime.ReasonNesting},
		{Limits{SourceBytes: 12}, runtime.Limits{SourceBytes: 11}, runtime.ReasonSource},
	} {
		if _, reason, err := Within(tt.own)(files, tt.run); reason != tt.reason {
			t.Errorf("%+v within %+v: %q, %v; want %q", tt.run, tt.own, reason, err, tt.reason)
		}
	}
}

func FuzzScript(f *testing.F) {
	for _, s := range []string{"return 1", "async () => {}", "`${`", "/[/", "a=>a=>", "}{)(", "#!x\n(", "import a from 'b'\nreturn", "import{type a as b}from'\\u{6e}'with{", "export*as'a'from'./b'", "require?.(", "//#sourceURL=", "import x=require("} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		script, _, err := Script(one(text), Limits{})
		if err != nil {
			return
		}
		file := script.Files[0]
		for _, d := range NewReach(script, nil).Refused() {
			if d.Line < 1 || d.Column < 1 || d.Message == "" {
				t.Fatalf("%+v", d)
			}
		}
		if strings.Count(file.Module, "\n") < strings.Count(file.Text, "\n") {
			t.Fatal("lines were lost")
		}
		if line, column := file.Author(file.Inserted.Line, file.Inserted.Column); file.Inserted.Columns > 0 && (line < 1 || column < 1) {
			t.Fatalf("Author = %d:%d", line, column)
		}
	})
}
