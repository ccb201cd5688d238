package typecheck

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"codemode/runtime"
)

// canary is a file of the host, under every name by which a compiler might look for one.
type canary struct{ dir, secret string }

func plant(t *testing.T) canary {
	t.Helper()
	c := canary{t.TempDir(), "CANARY_" + strings.ToUpper(strings.ReplaceAll(t.Name(), "/", "_"))}
	body := fmt.Sprintf("export declare const %s: 1; declare global { const %s_GLOBAL: 1 }\n", c.secret, c.secret)
	for _, name := range []string{
		"canary.ts", "canary.d.ts", "canary.js", "canary.json", "tsconfig.json", "index.d.ts",
		"node_modules/canary/index.d.ts", "node_modules/@types/canary/index.d.ts", "node_modules/@typescript/lib-es5/index.d.ts",
		"lib.canary.d.ts",
	} {
		text := body
		switch {
		case strings.HasSuffix(name, ".json"):
			text = fmt.Sprintf(`{"%s": 1}`, c.secret)
		case strings.HasSuffix(name, ".js"):
			text = fmt.Sprintf("export const %s = 1;", c.secret)
		}
		path := filepath.Join(c.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(c.dir, "canary.d.ts"), filepath.Join(c.dir, "linked.d.ts")); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestNothingOfTheHost tries every way a script has to name a file, against a canary that is there.
// What it could import it would be told: that a name is missing means that the file was not read. The
// compiler is asked alone, without the screening of imports that comes before it.
func TestNothingOfTheHost(t *testing.T) {
	c := open(t, Config{})
	can := plant(t)
	up := strings.Repeat("../", 12)
	rel := up + strings.TrimPrefix(can.dir, "/")
	texts := map[string]string{}
	for _, target := range []string{
		can.dir + "/canary", can.dir + "/canary.ts", can.dir + "/canary.d.ts", can.dir + "/canary.js", can.dir + "/canary.json",
		can.dir, can.dir + "/linked", can.dir + "/linked.d.ts", can.dir + "/lib.canary.d.ts", rel + "/canary", rel + "/canary.d.ts", rel + "/linked",
		"canary", "file://" + can.dir + "/canary.ts", "/proc/self/environ", "/etc/passwd", can.dir + "/node_modules/canary",
		filepath.Dir(c.cfg.Compiler.Path) + "/../" + rel + "/canary",
	} {
		texts["import "+target] = fmt.Sprintf("import * as x from %q;\nexport default x.%s;", target, can.secret)
		texts["import type "+target] = fmt.Sprintf("let x: typeof import(%q).%s = 1;\nexport default x;", target, can.secret)
		texts["dynamic "+target] = fmt.Sprintf("export default (await import(%q)).%s;", target, can.secret)
		texts["reference path "+target] = fmt.Sprintf("/// <reference path=%q />\nexport default %s_GLOBAL;", target, can.secret)
		texts["reference types "+target] = fmt.Sprintf("/// <reference types=%q />\nexport default %s_GLOBAL;", target, can.secret)
		texts["reference lib "+target] = fmt.Sprintf("/// <reference lib=%q />\nexport default %s_GLOBAL;", target, can.secret)
	}
	for name, text := range texts {
		got, err := c.queue(t.Context(), requestFor(t, runtime.CheckTools, text))
		if err != nil {
			t.Fatal(err)
		}
		blocked := false
		for _, d := range got {
			blocked = blocked || d.Severity == runtime.SeverityError
		}
		if !blocked {
			t.Errorf("%s: passed: %+v", name, got)
		}
	}
}

// TestFileSystemAnswers holds that whatever is not ours is absent in its own form, for each
// callback: null alone, or an error, would make the compiler look at the host.
func TestFileSystemAnswers(t *testing.T) {
	can := plant(t)
	lib, err := openLibrary(filepath.Dir(compiler(t).Path))
	if err != nil {
		t.Fatal(err)
	}
	fs := newFileSystem(lib, newPackages(nil))
	fs.put(scriptDir+"main.ts", "1")
	absent := map[string]string{
		"readFile": `{"content":null}`, "fileExists": "false", "directoryExists": "false",
		"getAccessibleEntries": `{"directories":[],"files":[]}`,
	}
	for _, path := range []string{
		can.dir, can.dir + "/canary.ts", can.dir + "/linked.d.ts", "/", "/etc/passwd", "/proc/self/environ", "",
		lib.dir, lib.dir + "/tsc", lib.dir + "/../package.json", lib.dir + "/./lib.es5.d.ts", lib.dir + "//lib.es5.d.ts",
		lib.dir + "/sub/lib.es5.d.ts", lib.dir + "/lib.nope.d.ts", lib.dir + "/lib.es5.d.ts/", lib.dir + "/lib..d.ts",
		rootDir + "/script/../../etc/passwd", "relative.ts", "main.ts", "\x00",
	} {
		for method, want := range absent {
			if got := reply(t, fs, method, path); got != want {
				t.Errorf("%s(%q) = %s, want %s", method, path, got, want)
			}
		}
		if got, want := reply(t, fs, "realpath", path), string(mustJSON(t, path)); got != want {
			t.Errorf("realpath(%q) = %s, want %s", path, got, want)
		}
	}
	if got := reply(t, fs, "fileExists", lib.dir+"/lib.es5.d.ts"); got != "true" {
		t.Error("the library is not there")
	}
	if got := reply(t, fs, "readFile", scriptDir+"main.ts"); got != `{"content":"1"}` {
		t.Error("the script is not there:", got)
	}
}

// TestLibrarySymlink holds that a link named like a library file is none.
func TestLibrarySymlink(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/lib.es5.d.ts", []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/passwd", dir+"/lib.evil.d.ts"); err != nil {
		t.Fatal(err)
	}
	lib, err := openLibrary(dir)
	if err != nil {
		t.Fatal(err)
	}
	if lib.has(dir + "/lib.evil.d.ts") {
		t.Error("a link counts as a library file")
	}
	// One that was a file at first and is a link now.
	if err := os.Remove(dir + "/lib.es5.d.ts"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/passwd", dir+"/lib.es5.d.ts"); err != nil {
		t.Fatal(err)
	}
	if text, ok := lib.read(dir + "/lib.es5.d.ts"); ok {
		t.Errorf("a link was read: %.40q", text)
	}
}

func reply(t *testing.T, fs *fileSystem, method, path string) string {
	t.Helper()
	got, err := fs.answer(method, mustJSON(t, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(mustJSON(t, got))
}

func mustJSON(t *testing.T, v any) json.RawMessage {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// bombs are scripts that keep a compiler busy, or kill it.
func bombs() map[string]string {
	return map[string]string{
		"nested arrays":      "const x = " + strings.Repeat("[", 400) + "1" + strings.Repeat("]", 400) + "; export default x;",
		"recursive type":     "type F<N extends number, A extends 1[] = []> = A['length'] extends N ? A : F<N, [...A, 1]>;\ntype G<T> = T extends [infer H, ...infer R] ? [...G<R>, H, ...G<R>] : [];\nlet x: G<F<40>>; export default x;",
		"template product":   "type D = 0|1|2|3|4|5|6|7|8|9; type P<A extends string|number> = `${A}${D}${D}${D}${D}`;\nlet x: P<P<D>> = ''; export default x;",
		"huge union":         "type D = '0'|'1'|'2'|'3'|'4'|'5'|'6'|'7'|'8'|'9';\ntype U = `${D}${D}${D}${D}`; type M = { [K in U]: { [L in U as `${K}${L}`]: K } };\nlet x: M[U]; export default x;",
		"exponential spread": "const a0 = {a:1};\n" + spreads(26) + "export default a26;",
		"deep parens":        "export default " + strings.Repeat("(", 100_000) + "1" + strings.Repeat(")", 100_000) + ";",
		"deep arrows":        "export default " + strings.Repeat("a=>", 80_000) + "1;",
		"long chain":         "const x: any = 1; export default x" + strings.Repeat(".a", 120_000) + ";",
		"long sum":           "export default 1" + strings.Repeat("+1", 120_000) + ";",
		"long else":          "let n = 1;" + strings.Repeat("if (n) n++; else ", 15_000) + "n--; export default n;",
		"doubled text":       "type B<T extends string> = `${T}${T}`;\nlet x: " + strings.Repeat("B<", 40) + "'a'" + strings.Repeat(">", 40) + "; export default x;",
		"long tuple":         "let x: [" + strings.Repeat("1,", 100_000) + "] = [] as any; export default x;",
		"long sequence":      "export default (" + strings.Repeat("1,", 100_000) + "1);",
		"many errors":        strings.Repeat("foo();", 40_000),
		"many floating":      strings.Repeat("tools.web.ping();", 15_000),
	}
}

func spreads(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "const a%d = Math.random() > .5 ? {...a%d, x%d: 1} : {...a%d, y%d: 2};\n", i, i-1, i, i-1, i)
	}
	return b.String()
}

// TestBombs holds that each ends, in an answer or a clear error, and that the next check works.
func TestBombs(t *testing.T) {
	c := open(t, Config{Deadline: 1500 * time.Millisecond})
	for name, text := range bombs() {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			got, err := c.Check(t.Context(), requestFor(t, runtime.CheckTools, text))
			t.Logf("%s: %v, %d diagnostics, %v", name, time.Since(start).Round(time.Millisecond), len(got), err)
			var e *runtime.Error
			if err != nil && (!errors.As(err, &e) || e.Code != runtime.Timeout && e.Code != runtime.CheckFailed) {
				t.Errorf("error %v (%v)", err, e)
			}
			if e != nil && e.Code == runtime.CheckFailed {
				t.Log(e.Cause)
			}
			if len(got) > 20 {
				t.Errorf("%d diagnostics", len(got))
			}
			if after := check(t, c, requestFor(t, runtime.CheckTools, "export default tools.crm.nope;")); len(after) != 1 {
				t.Errorf("the check after it: %+v", after)
			}
		})
	}
}

// TestDeadline holds that a script without end is a Timeout, and that its process is gone.
func TestDeadline(t *testing.T) {
	c := open(t, Config{Deadline: 500 * time.Millisecond})
	_, err := c.Check(t.Context(), requestFor(t, runtime.CheckTools, bombs()["nested arrays"]))
	if e := runtime.AsError(err); e.Code != runtime.Timeout {
		t.Fatalf("error %v", err)
	}
	if len(c.live) != 0 || len(c.idle) != 0 {
		t.Errorf("%d processes live", len(c.live))
	}
}

// TestContext holds that a caller who goes away takes the check along, running or waiting.
func TestContext(t *testing.T) {
	c := open(t, Config{})
	ctx, cancel := context.WithCancel(t.Context())
	bomb := requestFor(t, runtime.CheckTools, bombs()["nested arrays"])
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			_, err := c.Check(ctx, bomb)
			if e := runtime.AsError(err); e.Code != runtime.Cancelled {
				t.Errorf("error %v", err)
			}
		})
	}
	waitUntil(t, func() bool { c.mu.Lock(); defer c.mu.Unlock(); return len(c.live) > 0 })
	cancel()
	wg.Wait()
	check(t, c, requestFor(t, runtime.CheckTools, "export default 1;"))
}

// TestClose holds that closing ends a check under way, and that none starts after it.
func TestClose(t *testing.T) {
	c := open(t, Config{})
	done := make(chan error)
	bomb := requestFor(t, runtime.CheckTools, bombs()["nested arrays"])
	go func() { _, err := c.Check(context.Background(), bomb); done <- err }()
	waitUntil(t, func() bool { c.mu.Lock(); defer c.mu.Unlock(); return len(c.live) > 0 })
	c.Close()
	if e := runtime.AsError(<-done); e.Code != runtime.Cancelled {
		t.Errorf("error %v", e)
	}
	if _, err := c.Check(t.Context(), bomb); runtime.AsError(err).Code != runtime.Cancelled {
		t.Errorf("error after close: %v", err)
	}
}

func waitUntil(t *testing.T, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("never")
		}
	}
}
