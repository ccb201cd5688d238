package goja

// This file gives settlements to the script, one a turn.

import (
	"errors"
	"fmt"

	"codemode/runtime"

	js "github.com/dop251/goja"
)

// deliver gives one settlement to the script; the VM then drains its jobs before it returns.
func (r *run) deliver(seq int, s runtime.Settlement) error {
	c := r.calls.open[seq]
	if c == nil {
		return fmt.Errorf("goja: a settlement of call %d, which is not open", seq)
	}
	if s.Pending && c.timer == nil {
		if !c.pending {
			c.pending = true
			r.calls.pending++
		}
		return nil
	}
	r.close(c)
	if c.timer != nil {
		return r.fire(c.timer, s)
	}
	r.advance(s.NowUnixMillis)
	var value js.Value
	settle := c.resolve
	fail := func(e runtime.Error) {
		if e.Call == "" {
			e.Call = c.method()
		}
		value, settle = r.toolError(&e, &c.At), c.reject
	}
	err := r.guarded(func() {
		if s.Err != nil {
			fail(*s.Err)
		} else {
			value = r.result(c.Helper, s)
		}
	})
	var thrown *js.Exception
	if errors.As(err, &thrown) { // a result that does not parse; the service sends none
		err = r.guarded(func() { fail(*runtime.Errorf(runtime.Internal, "the result of %s cannot be read", c.method())) })
	}
	if err != nil {
		return err
	}
	return settle(value)
}

// result is what the script gets of a settlement.
func (r *run) result(helper runtime.Helper, s runtime.Settlement) js.Value {
	v := r.decode(s.Result, s.BigInts)
	switch helper {
	case runtime.HelperSave:
		return js.Undefined()
	case runtime.HelperLoad:
		if v = v.ToObject(r.vm).Get("value"); v == nil {
			return js.Undefined()
		}
	}
	return v
}

// advance moves the script's clock, in Unix milliseconds; it never goes back.
func (r *run) advance(now int64) { r.now = max(r.now, now) }
