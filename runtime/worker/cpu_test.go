package worker_test

// This file tests the limit of CPU time: on code that can be interrupted, on native functions that
// cannot, and on scripts that only wait.

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"codemode/runtime"
)

func TestCPULimit(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("CPU time is bounded on Linux only")
	}
	pool := newPool(t)
	for _, c := range []struct {
		name, text string
		native     bool // the kernel has to kill it
	}{
		{"a loop", "for (;;) {}", false},
		{"a loop that allocates", "for (let a = []; ; ) a = [a.length]", false},
		{"a loop between calls", "for (;;) await tools.crm.get({ n: 1 })", false},
		{"a loop in a timer", "setTimeout(() => { for (;;) {} }, 1); await new Promise(() => {})", false},
		{"a loop in the result", "export default { get a() { for (;;) {} } }", false},
		{"a regular expression", "/^(?=(a+)+$)/.test('a'.repeat(60) + 'b')", true},
		{"a sort", "const wide = Array(1e5).fill(1); Array(3000).fill(wide).sort()", true},
		{"JSON", "const none = { toJSON: Function.prototype }, o = {}; for (let i = 0; i < 2e4; i++) o['k' + i] = none; JSON.stringify(Array(3000).fill(o))", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := script(c.text)
			p.Limits = runtime.Limits{WallMillis: 30_000, CPUMillis: 300}
			out := run(t, pool, p, &host{})
			if out.Reason != runtime.ReasonCPU || out.Err.Code != runtime.Timeout || !strings.Contains(out.Err.Message, "computed longer than 300 ms") || out.Err.Hint == "" {
				t.Fatal(describe(out))
			}
			if out.CPUMillis < 300 || out.CPUMillis > 3000 {
				t.Errorf("it used %d ms", out.CPUMillis)
			}
			if killed := out.Err.Cause != nil; killed != c.native {
				t.Errorf("killed: %v", killed)
			}
			t.Log(out.CPUMillis, out.WallMillis)
		})
	}
	noChildren(t, pool)
}

func TestWaitingCostsNoCPU(t *testing.T) {
	h := &host{call: func(context.Context, runtime.StubCall) runtime.Settlement {
		time.Sleep(500 * time.Millisecond)
		return runtime.Settlement{Result: []byte("1")}
	}}
	p := script("await Promise.all([tools.crm.get(), new Promise((r) => setTimeout(r, 700))]); export default await tools.crm.get()")
	p.Limits.CPUMillis = 400
	out := run(t, newPool(t), p, h)
	if string(out.Result) != "1" || out.WallMillis < 1000 || out.CPUMillis > 400 {
		t.Errorf("%d ms of %d: %s", out.CPUMillis, out.WallMillis, describe(out))
	}
}
