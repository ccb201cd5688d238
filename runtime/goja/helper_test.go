package goja

// This file tests what a script asks of the service itself, and when it is suspended.

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"codemode/runtime"
)

// helped answers helpers with what their documentation says.
func helped(_ context.Context, c runtime.StubCall) runtime.Settlement {
	result := map[runtime.Helper]string{
		runtime.HelperSearch: `[{"name":"a.b","description":"d","declaration":"b(): Promise<void>;"}]`,
		runtime.HelperSave:   `null`,
		runtime.HelperLoad:   `{"value":{"page":3,"id":9007199254740993}}`,
		runtime.HelperRead:   `{"text":"abc","next":3,"bytes":10}`,
	}[c.Helper]
	if c.Helper == runtime.HelperLoad && strings.Contains(string(c.Args), "absent") {
		result = "{}"
	}
	return runtime.Settlement{Result: json.RawMessage(result)}
}

func TestHelpers(t *testing.T) {
	for _, c := range []struct{ script, result, made string }{
		{`checkpoint.save("p", { page: 3, at: new Date(0), big: 12345678901234567890n, none: undefined })`, `null`, `checkpoint.save {"name":"p","value":{"page":3,"at":"1970-01-01T00:00:00.000Z","big":12345678901234567890}}`},
		{`checkpoint.save("p", null).then((v) => v === undefined)`, `true`, `checkpoint.save {"name":"p","value":null}`},
		{`checkpoint.load("p").then((v) => [v.page, typeof v.id])`, `[3,"bigint"]`, `checkpoint.load {"name":"p"}`},
		{`checkpoint.load("absent").then((v) => v === undefined)`, `true`, `checkpoint.load {"name":"absent"}`},
		{`directory.search("open \"invoices\"").then((l) => l[0].name)`, `"a.b"`, `directory.search {"query":"open \"invoices\""}`},
		{`directory.search("x", 5).then((l) => l.length)`, `1`, `directory.search {"query":"x","limit":5}`},
		{`results.read("sha256:1")`, `{"text":"abc","next":3,"bytes":10}`, `results.read {"handle":"sha256:1"}`},
		{`results.read("sha256:1", 0, 65536).then((r) => r.next)`, `3`, `results.read {"handle":"sha256:1","offset":0,"bytes":65536}`},
		{`results.read("sha256:1", undefined, 7).then((r) => r.bytes)`, `10`, `results.read {"handle":"sha256:1","bytes":7}`},
	} {
		s := &service{settle: helped}
		out := exec(t, context.Background(), "return await "+c.script, s)
		if string(out.Result) != c.result || len(s.made) != 1 || fmt.Sprintf("%s %s", s.made[0].Helper, s.made[0].Args) != c.made || s.made[0].Method != "" || s.made[0].At.Line != 1 {
			t.Errorf("%s: %s %v, made %v", c.script, out.Result, out.Err, s.made)
		}
	}
}

func TestHelpersRefuse(t *testing.T) {
	for script, want := range map[string]string{
		`ask()`:                                  `ask: its question must be text that is not empty; write ask("Which account?", { type: "string" })`,
		`ask("")`:                                `ask: its question must be text that is not empty`,
		`ask("q", "string")`:                     `ask: its schema must be a JSON Schema, an object`,
		`ask("q", null)`:                         `ask: its schema must be a JSON Schema, an object`,
		`ask("q", [1])`:                          `ask: its schema must be a JSON Schema, an object`,
		`ask("q", { f() {} })`:                   `schema.f is a function`,
		`ask("q", {}, 1)`:                        `ask: it takes no more than 2 arguments, and was given 3`,
		`ask("\ud800")`:                          `question`,
		`checkpoint.save("p")`:                   `checkpoint.save: its value must not be undefined; null stands for nothing; write checkpoint.save("page", 3)`,
		`checkpoint.save(1, 1)`:                  `checkpoint.save: its name must be text`,
		`checkpoint.save("p", { m: new Map() })`: `value.m is a Map`,
		`checkpoint.save("p", [Promise.resolve()])`: `value[0] is a promise`,
		`checkpoint.load({ name: "p" })`:            `checkpoint.load: its name must be text`,
		`directory.search("x", 0)`:                  `directory.search: its limit must be a whole number, 1 or more`,
		`directory.search("x", 1.5)`:                `directory.search: its limit must be a whole number`,
		`directory.search("x", "5")`:                `directory.search: its limit must be a whole number`,
		`directory.search("x", NaN)`:                `directory.search: its limit must be a whole number`,
		`results.read()`:                            `results.read: its handle must be text that is not empty; write results.read(error.handle, 0, 65536)`,
		`results.read("h", -1)`:                     `results.read: its offset must be a whole number, 0 or more`,
		`results.read("h", 0, 2 ** 53)`:             `results.read: its bytes must be a whole number, 1 or more`,
	} {
		s := &service{}
		out := exec(t, context.Background(), "return await "+script+".catch((e) => [e instanceof ToolError, e.code, e.method, e.message + '; ' + e.hint])", s)
		name, _, _ := strings.Cut(script, "(")
		var got []any
		if err := json.Unmarshal(out.Result, &got); err != nil || len(got) != 4 {
			t.Errorf("%s: %s %v", script, out.Result, out.Err)
			continue
		}
		if text := got[3].(string); got[0] != true || got[1] != "invalid_argument" || got[2] != name || !strings.Contains(text, want) || len(s.made) > 0 {
			t.Errorf("%s: %v, made %v", script, got, s.made)
		}
	}
}

func TestHelperArgumentsTooLarge(t *testing.T) {
	for _, script := range []string{`await checkpoint.save("p", "x".repeat(2 ** 20))`, `await ask("x".repeat(2 ** 20))`, `await checkpoint.save("x".repeat(2 ** 20 - 40), "y".repeat(19))`} {
		s := &service{}
		if out := exec(t, context.Background(), script, s); out.Reason != runtime.ReasonArguments || len(s.made) > 0 {
			t.Errorf("%s: %+v", script, out)
		}
	}
}

func TestHelpersAreConstant(t *testing.T) {
	out := exec(t, context.Background(), `"use strict";
const tries = [() => { ask = 1 }, () => { ask.x = 1 }, () => { checkpoint.save = 1 }, () => { checkpoint.x = 1 }, () => { delete directory.search }, () => { results = 1 }];
const names = [ask, checkpoint.save, checkpoint.load, directory.search, results.read].map((f) => f.name + f.length + String(f));
return [tries.map((f) => { try { f(); return "changed" } catch (e) { return e.name } }), names, typeof checkpoint.then]`, &service{})
	want := `[["TypeError","TypeError","TypeError","TypeError","TypeError","TypeError"],` +
		`["ask1function ask() { [native code] }","save2function save() { [native code] }","load1function load() { [native code] }","search1function search() { [native code] }","read1function read() { [native code] }"],"undefined"]`
	if string(out.Result) != want {
		t.Errorf("%s %v", out.Result, out.Err)
	}
}

func TestHandleOfLargeResult(t *testing.T) {
	s := &service{settle: func(context.Context, runtime.StubCall) runtime.Settlement {
		return runtime.Settlement{Err: &runtime.Error{Code: runtime.ResultTooLarge, Message: "m", Handle: "sha256:7"}}
	}}
	if out := exec(t, context.Background(), "return await tools.a.b().catch((e) => [e.handle, Object.keys(e)])", s); string(out.Result) != `["sha256:7",["code","method","handle"]]` {
		t.Errorf("%s %v", out.Result, out.Err)
	}
	if out := exec(t, context.Background(), "await tools.a.b()", s); out.Err == nil || out.Err.Handle != "sha256:7" || out.Err.Code != runtime.ResultTooLarge {
		t.Errorf("%+v", out.Err)
	}
}

// A script that can only go on with answers is suspended, and not before.
func TestSuspension(t *testing.T) {
	for _, c := range []struct {
		name, script string
		waiting      []int
		reason       runtime.Reason
		made         int
	}{
		{"one question", `await ask("q")`, []int{1}, "", 1},
		{"two at once", `await Promise.all([ask("a"), ask("b")])`, []int{1, 2}, "", 2},
		{"calls settle first", `const q = ask("a"); await tools.a.b(); await tools.a.b(); await q`, []int{1}, "", 3},
		{"timers fire first", `const q = ask("a"); await new Promise((r) => setTimeout(r, 5)); await Promise.all([q, tools.a.b()])`, []int{1}, "", 3},
		{"what goes on meanwhile goes on", `await Promise.all([ask("a"), (async () => { for (let i = 0; i < 3; i++) await tools.a.b(); await ask("b") })()])`, []int{1, 5}, "", 5},
		{"an uncleared timer goes on", `const q = ask("a"); let n = 0; const id = setInterval(() => { if (++n === 3) clearInterval(id) }, 1); await q`, []int{1}, "", 5},
		{"a cleared timer is no hope", `const q = ask("a"); clearTimeout(setTimeout(() => {}, 1)); await q`, []int{1}, "", 2},
		{"a promise of its own beside a question", `ask("a"); await new Promise(() => {})`, []int{1}, "", 1},
		{"a lost race", `await Promise.race([ask("a"), tools.a.b()])`, nil, "", 2},
		{"not awaited", `ask("a"); return 1`, nil, runtime.ReasonUnawaited, 1},
		{"not awaited, with a handler", `ask("a").then((x) => x); return 1`, nil, runtime.ReasonUnawaited, 1},
		{"a save not awaited", `checkpoint.save("a", 1); return 1`, nil, runtime.ReasonUnawaited, 1},
	} {
		s := &service{}
		out := exec(t, context.Background(), c.script, s)
		if !slices.Equal(out.Waiting, c.waiting) || out.Reason != c.reason || len(s.made) != c.made || (out.Waiting != nil) && (out.Result != nil || out.Err != nil) {
			t.Errorf("%s: %+v %v, %d calls", c.name, out, out.Err, len(s.made))
		}
	}
}

func TestUnawaitedQuestionIsNamed(t *testing.T) {
	out := exec(t, context.Background(), `ask("a"); return 1`, &service{})
	if out.Err == nil || !strings.Contains(out.Err.Message, "while ask, called at main.ts:1:") || out.Err.Call != "ask" || out.Err.Pos == nil {
		t.Errorf("%+v", out.Err)
	}
}

// More than may be open wait their turn, and a flood of one kind does not hold up another.
func TestQueues(t *testing.T) {
	most := map[runtime.Helper]int{}
	s := &service{settle: helped}
	s.pick = func(open []runtime.StubCall) int {
		count := map[runtime.Helper]int{}
		for _, c := range open {
			count[c.Helper]++
			most[c.Helper] = max(most[c.Helper], count[c.Helper])
		}
		return len(open) - 1
	}
	out := exec(t, context.Background(), `
const all = [];
for (let i = 0; i < 250; i++) all.push(checkpoint.load("x" + i), tools.a.b({ i }), new Promise((r) => setTimeout(r, 1)));
return (await Promise.all(all)).length`, s)
	if string(out.Result) != "750" || most[""] != 8 || most[runtime.HelperLoad] != 100 || most[runtime.HelperTimer] != 250 {
		t.Errorf("%s %v, at once %v", out.Result, out.Err, most)
	}
	for i, c := range s.made {
		if c.Seq != i+1 {
			t.Fatalf("call %d went out as number %d", c.Seq, i+1)
		}
	}
	flood := `for (let i = 0; i < 10001; i++) clearTimeout(setTimeout(() => {}, 1e6)); return 1`
	if out := exec(t, context.Background(), flood, &service{}); out.Reason != runtime.ReasonScript || !strings.Contains(out.Err.Message, "more than 10000 timers") {
		t.Errorf("%+v", out)
	}
}

// A capability may wait for a person too; one that settles after all goes on where it stood.
func TestPendingCalls(t *testing.T) {
	said := map[int]bool{}
	s := &service{}
	s.settle = func(_ context.Context, c runtime.StubCall) runtime.Settlement {
		if strings.Contains(string(c.Args), "decide") && !said[c.Seq] {
			said[c.Seq] = true
			if strings.Contains(string(c.Args), "soon") {
				s.open = append(s.open, c) // settles later in this run
			}
			return runtime.Settlement{Pending: true}
		}
		return runtime.Settlement{Result: c.Args}
	}
	out := exec(t, context.Background(), "const [a] = await Promise.all([tools.a.b({ decide: 'soon' }), tools.a.b({ n: 1 })]); console.log(a.decide); await tools.a.b({ decide: 'later' })", s)
	if !slices.Equal(out.Waiting, []int{3}) || !slices.Equal(s.console, []string{"soon"}) || out.Err != nil {
		t.Errorf("%+v, console %q", out, s.console)
	}
}
