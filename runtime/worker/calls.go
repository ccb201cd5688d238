package worker

// This file serves a worker's calls: what goes to the host, what comes back, and when a script that waits
// for people is suspended.

import (
	"context"
	"encoding/json"
	"sync"

	"codemode/runtime"
)

// served are the calls of a run. The lock is held while a settlement is written, so that a call is only
// taken once the worker has read all settlements before it: a worker that makes calls and reads no
// settlements would fill the service with results. A worker of ours always reads.
type served struct {
	mu   sync.Mutex
	last int
	sent int                    // settlements, but for those that say that a call waits
	open map[int]runtime.Helper // calls that are not settled, by number; "" are capabilities
	// pending are those of them that wait for a person.
	pending map[int]bool
	count   map[runtime.Helper]int // how many of them are of a kind
	// over is set when the script takes no more settlements: it has ended, or it is to be suspended, as it
	// waits for these calls.
	over    bool
	waiting []int
}

func newServed() served {
	return served{open: map[int]runtime.Helper{}, count: map[runtime.Helper]int{}, pending: map[int]bool{}}
}

// call hands on one call, if it is one that the engine would make.
func (x *exchange) call(ctx context.Context, f frame) error {
	if int64(len(f.Payload)) > x.p.Limits.ArgumentBytes || !json.Valid(f.Payload) {
		return broken("arguments that are too large or no JSON")
	}
	if err := x.calls.admit(f, x.p.Limits); err != nil {
		return err
	}
	c := runtime.StubCall{Seq: f.Seq, Helper: f.Helper, Method: f.Method, Args: f.Payload, At: f.At}
	x.host.Call(ctx, c, func(s runtime.Settlement) { x.settle(c, s) })
	return nil
}

func (s *served) admit(f frame, l runtime.Limits) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case f.Seq != s.last+1:
		return broken("call %d after %d", f.Seq, s.last)
	case (f.Helper == "") == (f.Method == ""), l.Open(f.Helper) == 0:
		return broken("a call of method %.20q and helper %.20q", f.Method, f.Helper)
	case s.count[f.Helper] >= l.Open(f.Helper):
		return broken("more than %d calls at once, helper %.20q", l.Open(f.Helper), f.Helper)
	}
	s.last = f.Seq
	s.open[f.Seq] = f.Helper
	s.count[f.Helper]++
	return nil
}

// settle sends a settlement. A worker that does not take it is gone, which the reader sees; the end of
// the run ends the wait for it.
func (x *exchange) settle(c runtime.StubCall, s runtime.Settlement) {
	if l := x.p.Limits; int64(len(s.Result)) > l.ResultBytes {
		s = runtime.Settlement{NowUnixMillis: s.NowUnixMillis, Err: l.Exceeded(runtime.ReasonResult)}
	}
	x.calls.mu.Lock()
	defer x.calls.mu.Unlock()
	if x.calls.over {
		return
	}
	if s.Pending {
		x.calls.pending[c.Seq] = true
	} else {
		delete(x.calls.open, c.Seq)
		delete(x.calls.pending, c.Seq)
		x.calls.count[c.Helper]--
		x.calls.sent++
	}
	f := frame{Kind: kindSettled, Seq: c.Seq, Pending: s.Pending, BigInts: s.BigInts, Now: s.NowUnixMillis, Err: s.Err, Payload: s.Result}
	if err := x.w.in.write(f); err != nil {
		x.w.signal()
	}
}

// wait hears of the pending calls that the script waits for. If one has settled by now, its settlement is
// on its way and the script goes on; else it is suspended.
func (x *exchange) wait(calls []int) error {
	x.calls.mu.Lock()
	defer x.calls.mu.Unlock()
	settled := false
	for i, seq := range calls {
		_, open := x.calls.open[seq]
		if seq > x.calls.last || open && !x.calls.pending[seq] || i > 0 && seq <= calls[i-1] {
			return broken("it waits for calls %v; pending are %v", calls, x.calls.pending)
		}
		settled = settled || !open
	}
	switch {
	case settled:
		return nil
	case len(calls) == 0 || len(calls) != len(x.calls.open)-x.calls.count[runtime.HelperTimer]:
		return broken("it waits for calls %v alone; open are %v", calls, x.calls.open)
	}
	x.calls.over, x.calls.waiting = true, calls
	return x.w.in.write(frame{Kind: kindSuspend})
}

// end lets no settlement through any more, and returns how many went. None is on its way then.
func (s *served) end() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	return s.sent
}
