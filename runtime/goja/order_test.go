package goja

// This file tests what replay rests on: a script is a function of the settlements in their order.

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"codemode/runtime"

	"github.com/google/go-cmp/cmp"
)

// racing has calls, timers and helpers under way at once, and notes what came first.
const racing = `
const log = (...words) => console.log(Date.now(), ...words);
const wait = (ms, v) => new Promise((r) => setTimeout(r, ms, v));
const made = [];
const make = async (n) => { log("call", n); const r = await tools.a.b({ n }); log("settled", r.n); await null; log("job", n); return r.n; };
const call = (n) => { const p = make(n); made.push(p); return p; };
let ticks = 0;
const ticker = setInterval(() => { log("tick", ++ticks); if (ticks === 3) clearInterval(ticker); }, 7);
const gone = setTimeout(() => log("never"), 5);
call(100).then(() => clearTimeout(gone));
const raced = await Promise.race([call(1), wait(20, "slow"), call(2).then(() => call(3))]);
log("race", raced);
const any = await Promise.any([call(4).then(() => { throw new Error("no"); }), wait(3, "waited"), call(5)]);
log("any", any);
const all = await Promise.all([call(6), checkpoint.save("a", { ticks }), checkpoint.load("a"), wait(1, "w"), ...[7, 8, 9, 10, 11, 12, 13, 14].map(call)]);
log("all", all);
const settled = await Promise.allSettled([directory.search("x", 2), wait(2), call(15)]);
log(Math.random(), settled.map((s) => s.status));
while (ticks < 3) await wait(1);
for (const p of made) await p;
return [raced, any, all, ticks, Date.now(), Math.random()];`

// trace is all that a script shows of itself.
type trace struct {
	Outcome string
	Calls   []string
	Console []string
	Order   []int
}

func traceOf(out runtime.Outcome, s *service) trace {
	t := trace{Outcome: fmt.Sprint(string(out.Result), out.Reason, out.Err), Console: s.console, Order: s.order}
	for _, c := range s.made {
		t.Calls = append(t.Calls, fmt.Sprintf("%d %s%s %s %v", c.Seq, c.Helper, c.Method, c.Args, c.At))
	}
	return t
}

func TestOrderDecides(t *testing.T) {
	results := map[string]bool{}
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		first := &service{pick: func(open []runtime.StubCall) int { return random.IntN(len(open)) }}
		out := exec(t, context.Background(), racing, first)
		if out.Err != nil {
			t.Fatalf("seed %d: %v", seed, out.Err)
		}
		want := traceOf(out, first)
		results[strings.Join(want.Console, "\n")] = true

		order := slices.Clone(first.order)
		again := &service{}
		again.pick = func(open []runtime.StubCall) int {
			next := order[len(again.order)]
			return slices.IndexFunc(open, func(c runtime.StubCall) bool { return c.Seq == next })
		}
		out = exec(t, context.Background(), racing, again)
		if diff := cmp.Diff(want, traceOf(out, again)); diff != "" {
			t.Fatalf("seed %d: the same order went another way:\n%s", seed, diff)
		}
	}
	if len(results) < 190 {
		t.Errorf("200 orders made only %d histories", len(results))
	}
}

// The order of settlements alone says who wins, whatever the times of timers.
func TestServiceDecidesRaces(t *testing.T) {
	const script = `const wait = (ms, v) => new Promise((r) => setTimeout(r, ms, v));
return await Promise.race([tools.a.b().then(() => "call"), wait(1000, "late timer"), wait(1, "early timer"), checkpoint.load("x").then(() => "load")])`
	for i, want := range []string{`"call"`, `"late timer"`, `"early timer"`, `"load"`} {
		out := exec(t, context.Background(), script, &service{pick: func(open []runtime.StubCall) int { return i }})
		if string(out.Result) != want {
			t.Errorf("the settlement of call %d first: %s %v", i+1, out.Result, out.Err)
		}
	}
}

func TestTimers(t *testing.T) {
	for _, c := range []struct{ name, script, want, made string }{
		{"the clock is when it was due", "const t = Date.now(); await new Promise((r) => setTimeout(r, 5000)); return Date.now() - t", "5000", `timer {"ms":5000,"due":5000}`},
		{"never back", "await tools.a.b(); const t = Date.now(); setTimeout(() => {}, 1); await tools.a.b(); await tools.a.b(); await new Promise((r) => setTimeout(r, 1)); return Date.now() >= t", "true",
			`a.b {}, timer {"ms":1,"due":1002}, a.b {}, a.b {}, timer {"ms":1,"due":1005}`},
		{"an interval arms itself anew", "const at = []; await new Promise((r) => { const id = setInterval(() => { at.push(Date.now()); if (at.length === 3) { clearInterval(id); r() } }, 10) }); return at", "[10,20,30]",
			`timer {"ms":10,"due":10}, timer {"ms":10,"due":20}, timer {"ms":10,"due":30}, timer {"ms":10,"due":40}`},
		{"one that is cleared does not move the clock", "clearTimeout(setTimeout(() => { throw 1 }, 900)); await new Promise((r) => setTimeout(r, 5)); return Date.now()", "5", `timer {"ms":900,"due":900}, timer {"ms":5,"due":5}`},
		{"whole milliseconds, one at least", "for (const ms of [1.9, -5, NaN, '7', 1e300]) setTimeout(() => {}, ms); return 1", "1",
			`timer {"ms":1,"due":1}, timer {"ms":1,"due":1}, timer {"ms":1,"due":1}, timer {"ms":7,"due":7}, timer {"ms":2147483647,"due":2147483647}`},
		{"none after the end", "tools.a.b().catch(() => setTimeout(() => {}, 1)); return Promise.race([tools.a.b(), 1])", "", "a.b {}, a.b {}"},
	} {
		s := &service{}
		out := exec(t, context.Background(), c.script, s)
		var made []string
		for _, call := range s.made {
			made = append(made, fmt.Sprintf("%s%s %s", call.Helper, call.Method, call.Args))
			if call.Helper == runtime.HelperTimer && call.At != (runtime.Pos{}) {
				t.Errorf("%s: a timer at %v", c.name, call.At)
			}
		}
		if string(out.Result) != c.want || strings.Join(made, ", ") != c.made {
			t.Errorf("%s: %s %v, made %q", c.name, out.Result, out.Err, made)
		}
	}
}

func TestClearedTimersAreNoHope(t *testing.T) {
	for _, script := range []string{
		"clearTimeout(setTimeout(() => {}, 1)); await new Promise(() => {})",
		"clearInterval(setInterval(() => {}, 1)); await new Promise(() => {})",
		"await new Promise(() => {})",
	} {
		if out := exec(t, context.Background(), script, &service{}); out.Reason != runtime.ReasonDeadlock {
			t.Errorf("%s: %+v", script, out)
		}
	}
}

// A settlement that belongs to no call, or fails a timer, ends the run: the service sends none.
func TestOddSettlements(t *testing.T) {
	fail := &service{settle: func(context.Context, runtime.StubCall) runtime.Settlement {
		return runtime.Settlement{Err: runtime.Errorf(runtime.Unavailable, "the store is gone")}
	}}
	out := exec(t, context.Background(), "await new Promise((r) => setTimeout(r, 1))", fail)
	if out.Reason != runtime.ReasonInternal || out.Err.Code != runtime.Unavailable {
		t.Errorf("%+v", out)
	}
	twice := &service{}
	twice.pick = func([]runtime.StubCall) int {
		twice.open = append(twice.open, twice.made[0])
		return len(twice.open) - 1
	}
	if out := exec(t, context.Background(), "await tools.a.b(); await tools.a.b()", twice); out.Reason != runtime.ReasonInternal {
		t.Errorf("%+v", out)
	}
}
