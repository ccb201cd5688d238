package goja

// This file says how a run ended.

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	goruntime "runtime"
	"strings"

	"codemode/runtime"

	js "github.com/dop251/goja"
)

// maxMessage bounds an error's text, in bytes.
const maxMessage = 4096

// finish ends a script that ran to its end: no call may have been forgotten, no error unseen, and the
// result must be data.
func (r *run) finish(result js.Value) runtime.Outcome {
	forgotten, err := r.abandon()
	if err != nil {
		return r.stopped(err)
	}
	if forgotten != nil {
		return r.forgotten(forgotten)
	}
	if p := r.firstUnhandled(); p != nil {
		return r.threw(p.Result())
	}
	return r.output(result)
}

// abandon rejects the calls that are still under way, as cancelled. The losers of a race take it in
// silence. When a rejection goes unseen, nobody awaited the call; when code of the author's goes on with
// it, nobody awaited that code, which a catch of its own would hide. The first such call is returned.
func (r *run) abandon() (*call, error) {
	before := r.rejected
	r.ended = true
	owners := map[*js.Object]*call{}
	var first *call
	for _, c := range r.unsettled() {
		err := r.guarded(func() {
			e := runtime.Errorf(runtime.Cancelled, "the script ended before this call did")
			e.Call = c.method()
			c.abandoned = r.toolError(e, &c.At)
		})
		if err != nil {
			return nil, err
		}
		owners[c.abandoned] = c
		r.waits.went = false
		if err := c.reject(c.abandoned); err != nil {
			return nil, err
		}
		if r.waits.went && first == nil {
			first = c
		}
	}
	for p, n := range r.unhandled {
		if o, ok := p.Result().(*js.Object); ok && n > before {
			if c := owners[o]; c != nil && (first == nil || c.made < first.made) {
				first = c
			}
		}
	}
	return first, nil
}

func (r *run) firstUnhandled() *js.Promise {
	var first *js.Promise
	for p, n := range r.unhandled {
		if first == nil || n < r.unhandled[first] {
			first = p
		}
	}
	return first
}

func (r *run) forgotten(c *call) runtime.Outcome {
	e := runtime.Errorf(runtime.ScriptFailed, "the script ended while %s, called at %s, was still under way", c.written(), place(c.At)).
		WithHint("await every call, or gather them with await Promise.all([...])")
	e.Pos, e.Call = &c.At, c.method()
	return runtime.Outcome{Reason: runtime.ReasonUnawaited, Err: e}
}

func place(p runtime.Pos) string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

func (r *run) output(result js.Value) runtime.Outcome {
	var out []byte
	var refusal *encodeError
	if result == nil || js.IsUndefined(result) {
		result = js.Null()
	}
	err := r.guarded(func() { out, refusal = r.encode(result, "result", r.p.Limits.OutputBytes) })
	switch {
	case err != nil:
		return r.stopped(err)
	case refusal == nil:
		return runtime.Outcome{Result: out}
	case refusal.tooLarge:
		return r.exceeded(runtime.ReasonOutput)
	}
	return r.failed(runtime.Errorf(runtime.ScriptFailed, "the result cannot be returned: %s", refusal.text).WithHint("%s", refusal.hint))
}

func (r *run) deadlocked() runtime.Outcome {
	e := runtime.Errorf(runtime.ScriptFailed, "the script awaits a promise that nothing can settle: no call is under way and no timer is set").
		WithHint("resolve it, or await the call it was meant to wait for")
	e.Pos = r.waitPlace()
	return runtime.Outcome{Reason: runtime.ReasonDeadlock, Err: e}
}

func (r *run) exceeded(limit runtime.Reason) runtime.Outcome {
	return runtime.Outcome{Reason: limit, Err: r.p.Limits.Exceeded(limit)}
}

func (r *run) failed(e *runtime.Error) runtime.Outcome {
	return runtime.Outcome{Reason: runtime.ReasonScript, Err: e}
}

// stopped is the outcome of an error that left the VM.
func (r *run) stopped(err error) runtime.Outcome {
	r.ended = true
	var thrown *js.Exception
	var overflow *js.StackOverflowError
	switch {
	case errors.As(err, &overflow):
		return r.exceeded(runtime.ReasonStack)
	case errors.Is(err, context.DeadlineExceeded):
		return r.exceeded(runtime.ReasonWall)
	case r.ctx.Err() != nil:
		return runtime.Outcome{Reason: runtime.ReasonCancelled, Err: runtime.Errorf(runtime.Cancelled, "the run was cancelled")}
	case errors.As(err, &thrown):
		return r.threw(thrown.Value())
	}
	return runtime.Outcome{Reason: runtime.ReasonInternal, Err: runtime.AsError(err)}
}

// threw is the outcome of a value that nothing caught.
func (r *run) threw(v js.Value) runtime.Outcome {
	e := &runtime.Error{Code: runtime.ScriptFailed}
	err := r.guarded(func() { r.describe(e, v) })
	var thrown *js.Exception
	if err != nil && !errors.As(err, &thrown) {
		return r.stopped(err)
	}
	if err != nil {
		e.Message = "thrown: a value that cannot be shown"
	}
	if o, ok := v.(*js.Object); ok && r.limits[o] != "" {
		return runtime.Outcome{Reason: r.limits[o], Err: e}
	}
	return r.failed(e)
}

// describe fills e from the thrown value; it runs the script's code (getters, toString).
func (r *run) describe(e *runtime.Error, v js.Value) {
	text, err := r.hooks.text(nil, v)
	must(err)
	e.Message = cut(text.String())
	o, ok := v.(*js.Object)
	if !ok {
		return
	}
	if stack := o.Get("stack"); stack != nil {
		r.locate(e, stack.String())
	}
	if is, err := r.hooks.isToolError(nil, v); err != nil || !is.ToBoolean() {
		return
	}
	e.Message = cut("ToolError " + field(o, "code") + ": " + field(o, "message"))
	if code := runtime.Code(field(o, "code")); code.Known() {
		e.Code = code // what the script let through says more than that it failed
	}
	e.Call, e.Hint, e.Detail = cut(field(o, "method")), cut(field(o, "hint")), cut(field(o, "detail"))
	e.Handle = cut(field(o, "handle"))
	if s := o.Get("status"); s != nil && !js.IsUndefined(s) {
		e.Status = int(s.ToInteger())
	}
}

func field(o *js.Object, name string) string {
	v := o.Get(name)
	if v == nil || js.IsUndefined(v) || js.IsNull(v) {
		return ""
	}
	return v.String()
}

// goDump is how goja shows an object that has no text, in a TypeError: with Go's names and addresses.
var goDump = regexp.MustCompile(`&\{Object 0x.* \(\*goja\.\w+\)`)

func cut(s string) string {
	if len(s) > 2*maxMessage {
		s = s[:2*maxMessage] // before it is copied
	}
	s = goDump.ReplaceAllString(s, "the object")
	if len(s) > maxMessage {
		s = s[:maxMessage] + "..."
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// panicked is the outcome of a Go panic. Sizes that Go cannot allocate are the script's doing.
func (r *run) panicked(x any) runtime.Outcome {
	r.ended = true
	if err, ok := x.(error); ok {
		var runtimeErr goruntime.Error
		if !errors.As(err, &runtimeErr) {
			return r.stopped(err)
		}
		if exhausted(runtimeErr) {
			return r.exceeded(runtime.ReasonMemory)
		}
	}
	if s, ok := x.(string); ok && strings.Contains(s, "output length overflow") {
		return r.exceeded(runtime.ReasonMemory)
	}
	e := runtime.Errorf(runtime.Internal, "the engine failed").WithCause(fmt.Errorf("panic: %v", x))
	return runtime.Outcome{Reason: runtime.ReasonInternal, Err: e}
}

// exhausted reports whether a panic says that a size is beyond what can be allocated.
func exhausted(e goruntime.Error) bool {
	text := e.Error()
	return strings.Contains(text, "makeslice") || strings.Contains(text, "growslice") || strings.Contains(text, "out of memory")
}
