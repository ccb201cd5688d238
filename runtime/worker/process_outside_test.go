package worker_test

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"codemode/runtime"
	"codemode/runtime/worker"
)

// outside records what is done to workers from outside, and fails where it is told to.
type outside struct {
	enter, started error

	mu                       sync.Mutex
	entered, there, finished int
	pids                     []int
}

func (o *outside) Enter(*exec.Cmd) (worker.Hold, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.entered++
	return hold{o}, o.enter
}

type hold struct{ o *outside }

func (h hold) Started(pid int) error {
	h.o.mu.Lock()
	defer h.o.mu.Unlock()
	h.o.there++
	h.o.pids = append(h.o.pids, pid)
	return h.o.started
}

func (h hold) LimitMemory(int64) error { return nil }
func (h hold) Peak() int64             { return 123 << 20 }
func (h hold) Kill()                   {}
func (h hold) Close() {
	h.o.mu.Lock()
	defer h.o.mu.Unlock()
	h.o.finished++
}

// Each worker is held once, from before it starts until it is reaped, and its figures are the hold's.
func TestOutside(t *testing.T) {
	o := &outside{}
	pool := worker.NewOutside(worker.Config{Command: command}, o)
	for range 3 {
		out := run(t, pool, script("export default 1"), &host{})
		if out.Err != nil || out.MemoryBytes != 123<<20 {
			t.Errorf("%d bytes, %s", out.MemoryBytes, describe(out))
		}
	}
	noChildren(t, pool)
	if o.entered < 3 || o.there != o.entered || o.finished != o.entered {
		t.Errorf("%d entered, %d started, %d closed", o.entered, o.there, o.finished)
	}
}

// A worker that can't be held is not run unheld.
func TestOutsideFails(t *testing.T) {
	for _, o := range []*outside{{enter: errors.New("no group")}, {started: errors.New("no group")}} {
		pool := worker.NewOutside(worker.Config{Command: command, Idle: -1}, o)
		_, err := pool.Run(context.Background(), script("export default 1"), &host{})
		if e := runtime.AsError(err); e.Code != runtime.Unavailable || e.Cause == nil || !strings.Contains(e.Cause.Error(), "no group") {
			t.Errorf("%v", err)
		}
		noChildren(t, pool)
		if o.enter == nil && o.finished != o.entered {
			t.Errorf("%d entered, %d closed", o.entered, o.finished)
		}
	}
	pool := worker.NewOutside(worker.Config{Command: []string{"/nonexistent"}, Idle: -1}, &outside{})
	if _, err := pool.Run(context.Background(), script("export default 1"), &host{}); runtime.AsError(err).Code != runtime.Unavailable {
		t.Errorf("%v", err)
	}
	noChildren(t, pool)
}

// The probe of a worker says what it tried, and the kernel says what it is.
func TestProbe(t *testing.T) {
	o := &outside{}
	line, status, err := worker.Probe(command, o)
	if err != nil || !strings.Contains(line, `"attempts":[{`) || !strings.Contains(status, "NoNewPrivs:") {
		t.Errorf("%v %s %s", err, line, status)
	}
	if left := children(t); len(left) > 0 || o.finished != 1 {
		t.Errorf("left: %q, %d closed", left, o.finished)
	}
	if _, _, err := worker.Probe([]string{"/bin/false"}, o); err == nil {
		t.Error("a program that says nothing passes")
	}
}
