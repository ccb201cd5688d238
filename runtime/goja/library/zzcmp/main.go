package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"

	"codemode/directory"
	"codemode/fixtures"
	"codemode/gen"
	"codemode/gen/ts"
	"codemode/runtime"
	"codemode/runtime/goja/library"
	"codemode/runtime/typecheck"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func cases(path string) map[string]string {
	out := map[string]string{}
	var name string
	var b strings.Builder
	for _, line := range strings.SplitAfter(string(must(os.ReadFile(path))), "\n") {
		if strings.HasPrefix(line, "-- ") && strings.HasSuffix(strings.TrimSpace(line), " --") {
			if name != "" {
				out[name] = b.String()
			}
			name = strings.Trim(strings.TrimSpace(line), "- ")
			b.Reset()
			continue
		}
		b.WriteString(line)
	}
	out[name] = b.String()
	return out
}

func main() {
	ctx := context.Background()
	compiler := must(typecheck.Find(typecheck.FindConfig{}))
	open := func(lib map[string]string) *typecheck.Checker {
		return must(typecheck.New(typecheck.Config{Compiler: compiler, Library: lib}))
	}
	old, own := open(nil), open(library.Files())
	defer old.Close()
	defer own.Close()
	decl := map[string]string{}
	for _, f := range must(filepath.Glob("runtime/typecheck/testdata/surface/*.d.ts")) {
		decl[filepath.Base(f)] = string(must(os.ReadFile(f)))
	}
	granted := string(must(os.ReadFile("runtime/typecheck/testdata/surface/granted.txt")))
	check := func(c *typecheck.Checker, req runtime.CheckRequest) []string {
		ds, err := c.Check(ctx, req)
		if err != nil {
			e := runtime.AsError(err)
			return []string{fmt.Sprint("ERROR ", err, " cause ", e.Cause)}
		}
		var out []string
		for _, d := range ds {
			out = append(out, fmt.Sprintf("%s %d:%d %s %s | %s | %s %s", d.Severity, d.Line, d.Column, d.Code, d.Message, d.Hint, d.Method, d.Missing))
		}
		return out
	}
	n, diffs := 0, 0
	compare := func(name string, req runtime.CheckRequest) {
		n++
		a, b := check(old, req), check(own, req)
		for _, x := range a {
			if !slices.Contains(b, x) {
				diffs++
				fmt.Println(name, "ONLY OLD", x)
			}
		}
		for _, x := range b {
			if !slices.Contains(a, x) {
				diffs++
				fmt.Println(name, "ONLY OWN", x)
			}
		}
	}
	for _, mode := range []runtime.CheckMode{runtime.CheckTools, runtime.CheckStrict} {
		for _, file := range []string{"right", "wrong"} {
			all := cases("runtime/typecheck/testdata/" + file + ".txtar")
			names := []string{}
			for k := range all {
				names = append(names, k)
			}
			sort.Strings(names)
			for _, k := range names {
				s := runtime.Script{Entry: "main.ts", Files: []runtime.SourceFile{{Name: "main.ts", Text: all[k], Module: all[k]}}}
				compare(string(mode)+"/"+file+"/"+k, runtime.CheckRequest{Mode: mode, Script: s, Declarations: decl, Set: "surface", Granted: granted})
			}
		}
	}
	fmt.Println(n, "testdata checks,", diffs, "differences")

	// fixtures
	rows := must(fixtures.Rows(fixtures.Base))
	tmp := must(os.MkdirTemp("", "cmp"))
	defer os.RemoveAll(tmp)
	for k, v := range rows {
		os.WriteFile(filepath.Join(tmp, k), v, 0o644)
	}
	out := must(gen.Generate(must(directory.Load(tmp, directory.LoadOptions{})), gen.Options{}))
	fd := map[string]string{}
	for k, v := range out.Files {
		if strings.HasSuffix(k, ".d.ts") && k != "tools.d.ts" {
			fd[k] = string(v)
		}
	}
	var methods []string
	for _, c := range out.Contracts {
		methods = append(methods, c.Name)
	}
	n, diffs = 0, 0
	for _, folder := range []string{"scripts", "hostile"} {
		for _, s := range must(fixtures.Scripts(folder)) {
			acc, _, err := runtime.Accept([]runtime.Source{{Name: "main.ts", Text: s.Text}}, runtime.AcceptLimits{})
			if err != nil {
				continue
			}
			var in []string
			for k := range s.Inputs {
				in = append(in, k)
			}
			compare(folder+"/"+s.Name, runtime.CheckRequest{Mode: runtime.CheckTools, Script: acc, Declarations: fd, Set: "fx", Granted: ts.Granted(methods, in)})
		}
	}
	fmt.Println(n, "fixture scripts,", diffs, "differences")

	// odd syntax
	for _, text := range []string{
		"using x = null; export default 1;", "await using x = null; export default 1;",
		"function d(v: any, c: any) {} @d class A { @d m() {} @d accessor x = 1; }",
		"export default import.meta.url;", "export default (await import('./main')).default;", "const a = <T,>(x: T) => x; export default a(1);",
		"export default async function* () { yield 1; }", "class A { #x = 1; has(o: object) { return #x in o; } static { } accessor y = 1 }",
		"/// <reference lib=\"dom\" />\nfetch('x');", "/// <reference lib=\"es2020\" />\nnew WeakRef({});", "/// <reference no-default-lib=\"true\" />\nexport default 1;", "import x from './y.json' with { type: 'json' }; export default x;",
		"export default <div/>;", "new.target", "enum E { A } export default E.A;", "namespace N { export const x = 1 } export default N.x;",
		"declare global { interface Array<T> { foo: T } } export default [].foo;", "type X = Iterator<number>; const z: Disposable = null!; export default z;",
		"const e = [1n, ...'ab', ...new Map()]; export default `${e}`;", "export default /x/v.test('a') || /(?<a>.)(?<a>.)/d;",
		"const f = function () { return arguments.callee; }; export default f();", "const {a, ...b} = {a: 1, c: 2}; let [x, ...y] = 'abc'; export default b.c + y.length",
		"export default (1234.5).toLocaleString('en');", "export default [1].values().map(x => x);", "export default Function('x');", "export default async () => { for await (const x of [1]) {} }",
	} {
		s := runtime.Script{Entry: "main.ts", Files: []runtime.SourceFile{{Name: "main.ts", Text: text, Module: text}}}
		req := runtime.CheckRequest{Mode: runtime.CheckTools, Script: s, Declarations: decl, Set: "surface", Granted: granted}
		fmt.Printf("%.70s\n   own %v\n   old %v\n", text, check(own, req), check(old, req))
	}

	// time
	for _, lib := range []map[string]string{nil, library.Files(), nil, library.Files()} {
		var first, warm []time.Duration
		for range 5 {
			c := open(lib)
			for i := range 40 {
				text := fmt.Sprintf("const rows = await tools.crm.listContacts({}); export default rows.map((r, i) => i + %d);", i)
				s := runtime.Script{Entry: "main.ts", Files: []runtime.SourceFile{{Name: "main.ts", Text: text, Module: text}}}
				at := time.Now()
				check(c, runtime.CheckRequest{Mode: runtime.CheckTools, Script: s, Declarations: decl, Set: "surface", Granted: granted})
				if d := time.Since(at); i == 0 {
					first = append(first, d)
				} else {
					warm = append(warm, d)
				}
			}
			c.Close()
		}
		slices.Sort(first)
		slices.Sort(warm)
		fmt.Printf("library of %d files: first median %v; warm p50 %v p95 %v\n", len(lib), first[2], warm[len(warm)/2], warm[len(warm)*95/100])
	}
}
