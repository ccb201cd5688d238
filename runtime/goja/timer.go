package goja

// This file holds timers. The service waits, and decides when they fire among the other settlements; the
// clock a script reads when one fires is the time it was due on that clock, so that it does not depend
// on how busy the machine was.

import (
	"fmt"

	"codemode/runtime"

	js "github.com/dop251/goja"
)

type timer struct {
	id      int
	f       js.Callable
	ms, due int64
	repeats bool
}

func (r *run) nativeSetTimer(c js.FunctionCall) js.Value {
	if r.full(runtime.HelperTimer) {
		panic(r.vm.NewTypeError("more than %d timers wait already; one that is cleared counts until it is due", r.p.Limits.Open(runtime.HelperTimer)))
	}
	f, ok := js.AssertFunction(c.Argument(0))
	if !ok {
		panic(r.vm.NewTypeError("a timer takes a function"))
	}
	ms := min(max(c.Argument(1).ToFloat(), 1), 1<<31-1)
	if ms != ms {
		ms = 1
	}
	r.lastTimer++
	t := &timer{id: r.lastTimer, f: f, ms: int64(ms), repeats: c.Argument(2).ToBoolean()}
	if !r.ended {
		r.timers[t.id] = t
		r.arm(t)
	}
	return r.vm.ToValue(t.id)
}

func (r *run) arm(t *timer) {
	t.due = r.now + t.ms
	r.make(&call{timer: t, StubCall: runtime.StubCall{Helper: runtime.HelperTimer, Args: fmt.Appendf(nil, `{"ms":%d,"due":%d}`, t.ms, t.due)}})
}

func (r *run) nativeClearTimer(c js.FunctionCall) js.Value {
	delete(r.timers, int(c.Argument(0).ToInteger()))
	return js.Undefined()
}

// fire runs a timer that has come due, unless it was cleared.
func (r *run) fire(t *timer, s runtime.Settlement) error {
	if r.timers[t.id] == nil {
		return nil
	}
	if s.Err != nil {
		return s.Err
	}
	r.advance(t.due)
	if t.repeats {
		r.arm(t)
	} else {
		delete(r.timers, t.id)
	}
	_, err := t.f(nil)
	return err
}
