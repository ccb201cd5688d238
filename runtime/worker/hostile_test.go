package worker_test

// This file runs what is meant to hurt: every script must end with a reason, soon after its limit,
// and leave neither a process nor a service that is worse for it.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"testing"
	"time"

	"codemode/runtime"
	"codemode/runtime/worker"
)

const corpus = "../../../shared/data/hostile_scripts/scripts.json"

// harmless are scripts of the corpus that this engine ends properly within the limits.
var harmless = []string{
	"export cyclic", // it exports nothing; TestHostileScripts has one that does
	// Large but linear: a fast machine ends them in time and within their memory.
	"Date parse long", "regex replace w/ backref on 30MB", "normalize NFKC blowup", "encodeURIComponent 200MB", "toFixed/Number long",
	"rope string 3e7 concat then index",
}

func TestHostileCorpus(t *testing.T) {
	raw, err := os.ReadFile(corpus)
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("the data beside the project is absent: " + corpus)
	}
	if err != nil {
		t.Fatal(err)
	}
	var scripts []struct{ Name, Script string }
	if err := json.Unmarshal(raw, &scripts); err != nil {
		t.Fatal(err)
	}
	if len(scripts) != 59 {
		t.Errorf("%d scripts, want 59", len(scripts))
	}
	pool := newPool(t)
	for _, s := range scripts {
		t.Run(s.Name, func(t *testing.T) {
			out := hostile(t, pool, s.Script, runtime.Limits{})
			if out.Err == nil && !slices.Contains(harmless, s.Name) {
				t.Errorf("ended properly: %s", out.Result)
			}
			t.Logf("%s: %s %v (%d ms, %d MiB)", s.Name, out.Reason, out.Err, out.WallMillis, out.MemoryBytes>>20)
		})
	}
	noChildren(t, pool)
}

// stuck is far more than a limit takes to act, also on a machine that is busy with other things.
const stuck = 10 * time.Second

// hostile runs a script under tight limits and checks what holds for any.
func hostile(t *testing.T, pool *worker.Pool, text string, l runtime.Limits) runtime.Outcome {
	t.Helper()
	l.WallMillis = cmp.Or(l.WallMillis, 700)
	p := script(text)
	p.Limits = l
	start := time.Now()
	out := run(t, pool, p, &host{})
	if took := time.Since(start); took > stuck {
		t.Errorf("took %v", took)
	}
	if (out.Err == nil) != (out.Reason == runtime.NoReason) || (out.Err == nil) != (out.Result != nil) {
		t.Errorf("half an outcome: %s", describe(out))
	}
	if out.Reason == runtime.ReasonWorker || out.Reason == runtime.ReasonInternal {
		t.Errorf("no reason found: %s", describe(out))
	}
	return out
}

// noChildren closes the pool and checks that nothing of it is left.
func noChildren(t *testing.T, pool *worker.Pool) {
	t.Helper()
	if err := pool.Close(); err != nil {
		t.Fatal(err)
	}
	if left := children(t); len(left) > 0 {
		t.Errorf("processes left: %q", left)
	}
	if _, err := pool.Run(context.Background(), script("export default 1"), &host{}); err == nil {
		t.Error("a closed pool runs")
	}
}

// TestHostileScripts pins the reason of each way to do harm.
func TestHostileScripts(t *testing.T) {
	pool := newPool(t)
	for _, c := range []struct {
		name, text string
		limits     runtime.Limits
		want       []runtime.Reason
	}{
		{"endless loop", "while (true) {}", runtime.Limits{}, []runtime.Reason{runtime.ReasonWall}},
		{"endless loop in finally", "try { while (true) {} } catch {} finally { while (true) {} }", runtime.Limits{}, []runtime.Reason{runtime.ReasonWall}},
		{"catch and go on", "for (;;) { try { throw 1 } catch { continue } finally { continue } }", runtime.Limits{}, []runtime.Reason{runtime.ReasonWall}},
		{"microtasks", "const f = () => Promise.resolve().then(f); await f()", runtime.Limits{}, []runtime.Reason{runtime.ReasonWall, runtime.ReasonMemory}},
		{"growing array", "const a = []; while (true) a.push(new Array(1e5).fill(7))", runtime.Limits{}, []runtime.Reason{runtime.ReasonMemory, runtime.ReasonWall}},
		{"huge string", "export default 'a'.repeat(2 ** 30).length", runtime.Limits{}, []runtime.Reason{runtime.ReasonMemory}},
		{"never settled", "await new Promise(() => {})", runtime.Limits{}, []runtime.Reason{runtime.ReasonDeadlock}},
		{"recursion", "const f = () => 1 + f(); f()", runtime.Limits{}, []runtime.Reason{runtime.ReasonStack}},
		{"recursion, caught", "const f = () => { try { return f() } catch { return f() } }; f()", runtime.Limits{}, []runtime.Reason{runtime.ReasonStack}},
		{"promise flood", "for (;;) new Promise(() => {})", runtime.Limits{}, []runtime.Reason{runtime.ReasonWall, runtime.ReasonMemory}},
		{"rejection flood", "for (;;) Promise.reject(new Error('x'))", runtime.Limits{}, []runtime.Reason{runtime.ReasonWall, runtime.ReasonMemory}},
		{"console flood", "for (;;) console.log('a line of text', { a: [1, 2, 3] })", runtime.Limits{}, []runtime.Reason{runtime.ReasonWall}},
		{"progress flood", "for (;;) progress('x'.repeat(1e4))", runtime.Limits{}, []runtime.Reason{runtime.ReasonWall}},
		{"call flood", "for (;;) tools.crm.list({ text: 'x'.repeat(1000) })", runtime.Limits{}, []runtime.Reason{runtime.ReasonWall, runtime.ReasonMemory}},
		{"awaited call flood", "for (;;) await Promise.all([tools.crm.list(), tools.crm.get()])", runtime.Limits{}, []runtime.Reason{runtime.ReasonWall}},
		{"artifact flood", "for (let i = 0; ; i++) artifacts.write('f' + i, 'x')", runtime.Limits{}, []runtime.Reason{runtime.ReasonFiles}},
		{"artifact too large", "artifacts.write('f', 'x'.repeat(2e6))", runtime.Limits{ArtifactBytes: 1e6}, []runtime.Reason{runtime.ReasonArtifacts}},
		{"timer flood", "for (;;) setTimeout(() => {}, 1e6)", runtime.Limits{}, []runtime.Reason{runtime.ReasonScript}},
		{"interval for ever", "setInterval(() => {}, 1); await new Promise(() => {})", runtime.Limits{}, []runtime.Reason{runtime.ReasonWall}},
		{"deep result", "let a = []; for (let i = 0; i < 1000; i++) a = [a]; export default a", runtime.Limits{}, []runtime.Reason{runtime.ReasonScript}},
		{"cyclic result", "const a = {}; a.a = a; export default a", runtime.Limits{}, []runtime.Reason{runtime.ReasonScript}},
		{"wide result", "let a = [1]; for (let i = 0; i < 40; i++) a = [a, a]; export default a", runtime.Limits{}, []runtime.Reason{runtime.ReasonOutput}},
		{"result too large", "export default 'x'.repeat(2e6)", runtime.Limits{}, []runtime.Reason{runtime.ReasonOutput}},
		{"endless getter in the result", "export default { get a() { for (;;) {} } }", runtime.Limits{}, []runtime.Reason{runtime.ReasonWall}},
		{"arguments too large", "await tools.crm.list({ a: 'x'.repeat(2e6) })", runtime.Limits{}, []runtime.Reason{runtime.ReasonArguments}},
		{"deep source", "export default " + repeat("[", 200_000) + repeat("]", 200_000), runtime.Limits{}, []runtime.Reason{runtime.ReasonNesting, runtime.ReasonStack, runtime.ReasonMemory, runtime.ReasonWall, runtime.ReasonScript}},
		{"arrows in the source", "export default " + repeat("a=>", 60_000) + "1", runtime.Limits{}, []runtime.Reason{runtime.ReasonWall, runtime.ReasonNesting, runtime.ReasonStack, runtime.ReasonMemory}},
		{"deep JSON", "JSON.parse('['.repeat(1e6) + ']'.repeat(1e6))", runtime.Limits{}, []runtime.Reason{runtime.ReasonScript}},
		{"getter on then", "export default { get then() { for (;;) {} } }", runtime.Limits{}, []runtime.Reason{runtime.ReasonWall}},
		{"endless toString of the error", "throw { toString() { for (;;) {} }, get name() { for (;;) {} } }", runtime.Limits{}, []runtime.Reason{runtime.ReasonScript, runtime.ReasonWall}},
		{"endless name of the error", "const e = new Error('x'); Object.defineProperty(e, 'name', { get() { for (;;) {} } }); throw e", runtime.Limits{}, []runtime.Reason{runtime.ReasonWall}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !slices.Contains(c.want, runtime.ReasonWall) { // it ends before, however slow the machine
				c.limits.WallMillis, c.limits.CPUMillis = stuck.Milliseconds()-1000, stuck.Milliseconds()
			}
			out := hostile(t, pool, c.text, c.limits)
			if !slices.Contains(c.want, out.Reason) {
				t.Errorf("want %q: %s", c.want, describe(out))
			}
		})
	}
	noChildren(t, pool)
}

func repeat(s string, n int) string { return string(slices.Repeat([]byte(s), n)) }

// A service that is slow to take console lines slows the script down; it does not fill up.
func TestConsoleBackpressure(t *testing.T) {
	pool := newPool(t)
	h := &host{onConsole: func() { time.Sleep(5 * time.Millisecond) }}
	p := script("for (let i = 0; i < 50; i++) console.log('x'.repeat(4000)); export default 1")
	out := run(t, pool, p, h)
	if out.Err != nil || len(h.console) != 50 || out.ConsoleTruncated {
		t.Errorf("%d lines, %s", len(h.console), describe(out))
	}
}

func TestConsoleIsCutAndFlagged(t *testing.T) {
	pool := newPool(t)
	h := &host{}
	p := script("for (let i = 0; i < 50; i++) console.log(i); export default 1")
	p.Limits.ConsoleLines = 10
	out := run(t, pool, p, h)
	if out.Err != nil || len(h.console) != 10 || !out.ConsoleTruncated {
		t.Errorf("%d lines, truncated %v, %s", len(h.console), out.ConsoleTruncated, describe(out))
	}
}

// The caller's end is the worker's: nothing is left, and the calls have been told.
func TestCancelKillsWorker(t *testing.T) {
	pool := newPool(t)
	ctx, cancel := context.WithCancel(context.Background())
	called := make(chan context.Context, 1)
	h := &host{call: func(ctx context.Context, c runtime.StubCall) runtime.Settlement {
		called <- ctx
		cancel()
		<-ctx.Done()
		return runtime.Settlement{Err: runtime.Errorf(runtime.Cancelled, "cancelled")}
	}}
	out, err := pool.Run(ctx, script("await tools.crm.list(); while (true) {}"), h)
	if err != nil || out.Reason != runtime.ReasonCancelled {
		t.Fatalf("%v %s", err, describe(out))
	}
	if call := <-called; call.Err() == nil {
		t.Error("Run returned, and its calls have not been told")
	}
	noChildren(t, pool)
}

// A call's own context ends with the script, however that ended, and what settles later goes nowhere.
func TestLateSettlement(t *testing.T) {
	pool := newPool(t)
	ended := make(chan struct{})
	var late func(runtime.Settlement)
	h := &laggard{made: func(ctx context.Context, settle func(runtime.Settlement)) {
		late = settle
		context.AfterFunc(ctx, func() { close(ended) })
	}}
	out, err := pool.Run(context.Background(), script("await Promise.race([tools.crm.list(), 1]); export default 1"), h)
	if err != nil || string(out.Result) != "1" {
		t.Fatal(err, describe(out))
	}
	select {
	case <-ended:
	case <-time.After(stuck):
		t.Error("the call was not told that the script has ended")
	}
	late(runtime.Settlement{Result: []byte("2")})
	noChildren(t, pool)
}

// laggard takes calls and leaves them to the test.
type laggard struct {
	host
	made func(context.Context, func(runtime.Settlement))
}

func (l *laggard) Call(ctx context.Context, _ runtime.StubCall, settle func(runtime.Settlement)) {
	l.made(ctx, settle)
}
