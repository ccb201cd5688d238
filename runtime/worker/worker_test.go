package worker_test

// This file builds the real worker once and holds what the other tests share.

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"codemode/runtime"
	"codemode/runtime/worker"
)

var command []string

// TestMain is also the main of the processes that tests start of this binary.
func TestMain(m *testing.M) {
	if mode, ok := rogueMode(); ok {
		rogue(mode)
		return
	}
	for _, a := range os.Args[1:] {
		if command, ok := strings.CutPrefix(a, "-service="); ok {
			service(command)
			return
		}
	}
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "codemode-worker")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "codemode-worker")
	build := exec.Command("go", "build", "-o", binary, "codemode/cmd/codemode-worker")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the worker: %v\n%s", err, out)
		return 1
	}
	command = []string{binary}
	return m.Run()
}

func newPool(tb testing.TB) *worker.Pool {
	tb.Helper()
	pool := worker.New(worker.Config{Command: command})
	tb.Cleanup(func() {
		if err := pool.Close(); err != nil {
			tb.Errorf("close: %v", err)
		}
	})
	return pool
}

// host is the service of a test: call makes settlements, one a goroutine; timers wait, and questions
// wait for a person.
type host struct {
	call func(context.Context, runtime.StubCall) runtime.Settlement // nil echoes the arguments

	order     sync.Mutex // held by the one settlement that is under way
	mu        sync.Mutex
	calls     []runtime.StubCall
	console   []runtime.ConsoleLine
	progress  []string
	artifacts []runtime.ArtifactData
	onConsole func()
	room      func(ctx context.Context, bytes int64) (func(), error) // nil: there is
}

func (h *host) Call(ctx context.Context, c runtime.StubCall, settle func(runtime.Settlement)) {
	h.mu.Lock()
	h.calls = append(h.calls, c)
	h.mu.Unlock()
	deliver := func(s runtime.Settlement) {
		h.order.Lock()
		defer h.order.Unlock()
		settle(s)
	}
	switch c.Helper {
	case runtime.HelperAsk:
		go deliver(runtime.Settlement{Pending: true})
	case runtime.HelperTimer:
		t := timerOf(c)
		time.AfterFunc(time.Duration(t.Ms)*time.Millisecond, func() { deliver(runtime.Settlement{NowUnixMillis: t.Due}) })
	default:
		go func() { deliver(h.settlement(ctx, c)) }()
	}
}

type timerArgs struct{ Ms, Due int64 }

func timerOf(c runtime.StubCall) (t timerArgs) {
	if err := json.Unmarshal(c.Args, &t); err != nil {
		panic(err)
	}
	return t
}

func (h *host) settlement(ctx context.Context, c runtime.StubCall) runtime.Settlement {
	if h.call == nil {
		return runtime.Settlement{Result: c.Args, NowUnixMillis: 1_000_000 + int64(c.Seq)}
	}
	return h.call(ctx, c)
}

func (h *host) Console(l runtime.ConsoleLine) {
	if h.onConsole != nil {
		h.onConsole()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.console = append(h.console, l)
}

func (h *host) Progress(m string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.progress = append(h.progress, m)
}

func (h *host) Artifact(_ context.Context, a runtime.ArtifactData) *runtime.Error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.artifacts = append(h.artifacts, a)
	return nil
}

func (h *host) Room(ctx context.Context, bytes int64) (func(), error) {
	if h.room != nil {
		return h.room(ctx, bytes)
	}
	return func() {}, nil
}

// script makes a program of files; a single text is main.ts.
func script(text string) runtime.Program {
	return files("main.ts", map[string]string{"main.ts": text})
}

func files(entry string, texts map[string]string) runtime.Program {
	s := runtime.Script{Entry: entry}
	for name, text := range texts {
		s.Files = append(s.Files, runtime.SourceFile{Name: name, Text: text, Module: text})
	}
	return runtime.Program{RunID: "run_test", Script: s, Seed: 1, NowUnixMillis: 1_000_000,
		Methods: []string{"crm.list", "crm.get", "mail.send"}, Limits: runtime.Limits{WallMillis: 5000}}
}

func run(t *testing.T, pool *worker.Pool, p runtime.Program, h *host) runtime.Outcome {
	t.Helper()
	out, err := pool.Run(context.Background(), p, h)
	if err != nil {
		t.Fatalf("run: %v", err)
	}
	return out
}

func describe(o runtime.Outcome) string {
	s := fmt.Sprintf("reason %q result %s", o.Reason, o.Result)
	if o.Err != nil {
		s += " error " + o.Err.Error()
		if o.Err.Pos != nil {
			s += fmt.Sprintf(" at %s:%d:%d", o.Err.Pos.File, o.Err.Pos.Line, o.Err.Pos.Column)
		}
		if o.Err.Cause != nil {
			s += " cause " + o.Err.Cause.Error()
		}
	}
	return s
}

// children lists the processes that this one started and that still exist, zombies too.
func children(t *testing.T) []string {
	t.Helper()
	var out []string
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		raw, err := os.ReadFile(dir + "/stat")
		if err != nil {
			continue // it ended meanwhile
		}
		_, rest, ok := strings.Cut(string(raw), ") ")
		fields := strings.Fields(rest)
		if ok && len(fields) > 1 && fields[1] == strconv.Itoa(os.Getpid()) {
			out = append(out, dir+" "+string(raw))
		}
	}
	return out
}

// A pool has its reserve full again after a run; one for a single script has none left, and runs another
// one all the same.
func TestReserve(t *testing.T) {
	for _, c := range []struct {
		config      worker.Config
		first, then int
	}{
		{worker.Config{}, 2, 2},
		{worker.Config{Idle: 3}, 3, 3},
		{worker.Config{Idle: -1}, 0, 0},
		{worker.Config{Once: true}, 1, 0},
	} {
		c.config.Command = command
		pool := worker.New(c.config)
		t.Cleanup(func() { noChildren(t, pool) })
		for _, want := range []int{c.first, c.then, c.then} {
			pool.WaitIdle()
			if got := len(children(t)); got != want {
				t.Errorf("%+v: %d workers in reserve, not %d", c.config, got, want)
			}
			if out := run(t, pool, script("export default 1"), &host{}); out.Err != nil {
				t.Error(describe(out))
			}
		}
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Runs that start workers of their own while the pool closes end, or are told that it is closed.
func TestCloseAmidStarts(t *testing.T) {
	for i := range 40 {
		pool := worker.New(worker.Config{Command: command, Idle: i%3 - 1})
		var all sync.WaitGroup
		begin := make(chan struct{})
		for range 4 {
			all.Go(func() {
				<-begin
				out, err := pool.Run(context.Background(), script("export default 1"), &host{})
				if err == nil && out.Err != nil || err != nil && runtime.AsError(err).Code != runtime.Unavailable {
					t.Error(err, describe(out))
				}
				pool.WaitIdle()
			})
		}
		close(begin)
		if err := pool.Close(); err != nil {
			t.Error(err)
		}
		all.Wait()
		noChildren(t, pool)
	}
}

func TestSimpleScript(t *testing.T) {
	pool := newPool(t)
	h := &host{}
	p := script("const r = await tools.crm.list({ page: 2 });\nconsole.log('got', r);\nexport default { page: r.page, at: Date.now() };\n")
	out := run(t, pool, p, h)
	if out.Err != nil || string(out.Result) != `{"page":2,"at":1000001}` {
		t.Fatal(describe(out))
	}
	if len(h.calls) != 1 || h.calls[0].Method != "crm.list" || string(h.calls[0].Args) != `{"page":2}` {
		t.Errorf("calls: %+v", h.calls)
	}
	if want := (runtime.Pos{File: "main.ts", Line: 1, Column: 27}); h.calls[0].At != want {
		t.Errorf("call at %v, want %v", h.calls[0].At, want)
	}
	if len(h.console) != 1 || h.console[0].Text != "got { page: 2 }" || h.console[0].At.Line != 2 {
		t.Errorf("console: %+v", h.console)
	}
	if out.MemoryBytes == 0 || out.BundleSHA256 == "" {
		t.Errorf("figures: %+v", out)
	}
	t.Log(pool.Confined(), out.CPUMillis, out.WallMillis, out.MemoryBytes)
}
