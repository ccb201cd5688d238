package worker_test

// This file tests suspension and replay through real workers: a recorded order repeats a run, and a
// suspended one goes on with its answers.

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"codemode/runtime"
	"codemode/runtime/worker"

	"github.com/google/go-cmp/cmp"
)

// historian records the order of settlements, or repeats a recorded one: it then settles a call as soon
// as it is its turn, and goes on with what the record does not have.
type historian struct {
	settlement func(runtime.StubCall) (runtime.Settlement, bool) // false leaves the call open
	shuffle    *rand.Rand                                        // nil settles calls in the order made

	mu      sync.Mutex
	record  []delivery // what is left to repeat
	order   []delivery
	calls   []string
	console []string
	open    []open
	over    bool
}

type delivery struct {
	seq int
	s   runtime.Settlement
}

type open struct {
	c      runtime.StubCall
	settle func(runtime.Settlement)
}

func (h *historian) Call(_ context.Context, c runtime.StubCall, settle func(runtime.Settlement)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls = append(h.calls, fmt.Sprintf("%d %s%s %s", c.Seq, c.Helper, c.Method, c.Args))
	h.open = append(h.open, open{c, settle})
	if _, ok := h.settlement(c); !ok && c.Helper == runtime.HelperAsk {
		settle(runtime.Settlement{Pending: true})
	}
	for len(h.record) > 0 {
		i := slices.IndexFunc(h.open, func(o open) bool { return o.c.Seq == h.record[0].seq })
		if i < 0 {
			return
		}
		h.deliver(i, h.record[0].s)
		h.record = h.record[1:]
	}
	if h.shuffle == nil {
		h.any(0)
		return
	}
	time.AfterFunc(time.Duration(h.shuffle.IntN(3))*time.Millisecond, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if len(h.open) > 0 && !h.over {
			h.any(h.shuffle.IntN(len(h.open)))
		}
	})
}

// any settles open calls, from the i-th on until one can be.
func (h *historian) any(i int) {
	for range h.open {
		if s, ok := h.settlement(h.open[i].c); ok {
			h.deliver(i, s)
			return
		}
		i = (i + 1) % len(h.open)
	}
}

func (h *historian) deliver(i int, s runtime.Settlement) {
	o := h.open[i]
	h.open = slices.Delete(h.open, i, i+1)
	h.order = append(h.order, delivery{o.c.Seq, s})
	o.settle(s)
}

func (h *historian) Console(l runtime.ConsoleLine) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.console = append(h.console, l.Text)
}
func (*historian) Progress(string)                                               {}
func (*historian) Artifact(context.Context, runtime.ArtifactData) *runtime.Error { return nil }

func (*historian) Room(context.Context, int64) (func(), error) { return func() {}, nil }

func (h *historian) trace(out runtime.Outcome) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Concat(h.calls, h.console, []string{fmt.Sprint(h.order), describe(out), fmt.Sprint(out.Waiting)})
}

// echo settles all but questions.
func echo(c runtime.StubCall) (runtime.Settlement, bool) {
	return runtime.Settlement{Result: c.Args, NowUnixMillis: 1_000_000 + int64(c.Seq)}, c.Helper != runtime.HelperAsk
}

const racing = `
const log = (...words) => console.log(Date.now(), ...words);
const wait = (ms, v) => new Promise((r) => setTimeout(r, ms, v));
const made = [];
const call = (n) => { const p = (async () => { const r = await tools.crm.get({ n }); log(n); await null; log(n, "job"); return r.n; })(); made.push(p); return p; };
const ticker = setInterval(() => { log("tick"); }, 3);
log("race", await Promise.race([call(1), call(2).then(() => call(3)), wait(5)]));
log("any", await Promise.any([call(4).then(() => { throw 1; }), wait(1, "w"), call(5)]));
log("all", await Promise.all([6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16].map(call)));
clearInterval(ticker);
export default [await Promise.all(made), Math.random(), Date.now()];`

// The order in which the service settles is all that a run depends on: repeated, it gives the same
// calls, lines and result.
func TestReplayRepeatsTheRun(t *testing.T) {
	pool := newPool(t)
	histories := map[string]bool{}
	for seed := range uint64(20) {
		first := &historian{settlement: echo, shuffle: rand.New(rand.NewPCG(seed, 7))}
		out := replayed(t, pool, racing, first)
		if out.Err != nil {
			t.Fatal(describe(out))
		}
		histories[strings.Join(first.console, "\n")] = true
		again := &historian{settlement: func(runtime.StubCall) (s runtime.Settlement, ok bool) { return }, record: slices.Clone(first.order)}
		second := replayed(t, pool, racing, again)
		if diff := cmp.Diff(first.trace(out), again.trace(second)); diff != "" {
			t.Fatalf("seed %d:\n%s", seed, diff)
		}
	}
	if len(histories) < 10 {
		t.Errorf("20 runs have %d histories", len(histories))
	}
}

func replayed(t *testing.T, pool *worker.Pool, text string, h *historian) runtime.Outcome {
	t.Helper()
	out, err := pool.Run(context.Background(), script(text), h)
	if err != nil {
		t.Fatal(err)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.over = true
	return out
}

// A run that is suspended again and again comes to its end by replay with the answers.
func TestSuspendedRunGoesOn(t *testing.T) {
	pool := newPool(t)
	const text = `
const first = ask("first?", { type: "string" });
console.log("asked");
const rows = await tools.crm.list({ page: 1 });
const [a, b] = await Promise.all([first, ask("second?")]);
await new Promise((r) => setTimeout(r, 2));
clearTimeout(setTimeout(() => {}, 1e9));
const c = await ask("third " + a + b);
export default [rows.page, a, b, c, Date.now()];`
	answers := map[int]string{}
	var record []delivery
	for _, waiting := range [][]int{{1, 3}, {3}, {6}, nil} {
		h := &historian{record: slices.Clone(record), settlement: func(c runtime.StubCall) (runtime.Settlement, bool) {
			if answer := answers[c.Seq]; answer != "" {
				return runtime.Settlement{Result: []byte(answer), NowUnixMillis: 2_000_000 + int64(c.Seq)}, true
			}
			s, ok := echo(c)
			return s, ok && !strings.Contains(string(c.Args), "1000000000")
		}}
		out := replayed(t, pool, text, h)
		if out.Err != nil || !slices.Equal(out.Waiting, waiting) || (out.Result == nil) == (waiting == nil) || out.BundleSHA256 == "" {
			t.Fatalf("waiting %v, want %v: %s", out.Waiting, waiting, describe(out))
		}
		if len(h.console) != 1 || len(h.record) > 0 {
			t.Errorf("console %q, not repeated %v", h.console, h.record)
		}
		record = h.order
		for _, seq := range waiting[:min(1, len(waiting))] {
			answers[seq] = fmt.Sprintf(`"answer %d"`, seq)
		}
		if waiting == nil && string(out.Result) != `[1,"answer 1","answer 3","answer 6",2000006]` {
			t.Error(describe(out))
		}
	}
	noChildren(t, pool)
}

// An answer that is on its way when the script has nothing else to wait for is not lost.
func TestAnswerBeforeSuspension(t *testing.T) {
	pool := newPool(t)
	h := &historian{settlement: func(c runtime.StubCall) (runtime.Settlement, bool) {
		return runtime.Settlement{Result: []byte("7")}, true
	}}
	out := replayed(t, pool, "let n = 0; for (let i = 0; i < 50; i++) n += await ask('q' + i); export default n", h)
	if string(out.Result) != "350" {
		t.Error(describe(out), out.Waiting)
	}
}

func TestSuspendedConsoleIsFlagged(t *testing.T) {
	pool := newPool(t)
	p := script("for (let i = 0; i < 50; i++) console.log(i); await ask('q')")
	p.Limits.ConsoleLines = 10
	if out := run(t, pool, p, &host{}); !out.ConsoleTruncated || !slices.Equal(out.Waiting, []int{1}) {
		t.Error(describe(out))
	}
}
