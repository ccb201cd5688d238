package goja

// This file holds the stubs: how a call leaves the script, and how its settlement comes back.

import (
	"errors"

	"codemode/runtime"

	js "github.com/dop251/goja"
)

// calls are those without a settlement yet, in the order made; waiting have not gone out.
type calls struct {
	seq     int
	running int
	open    map[int]*call
	waiting []*call
}

type call struct {
	runtime.StubCall
	resolve, reject func(any) error
	// abandoned is the error that the call is given when the script has ended before it.
	abandoned *js.Object
}

type settledCall struct {
	call *call
	s    runtime.Settlement
}

// stub is the function behind tools.<namespace>.<method>. It always returns a promise: also bad
// arguments reject it, so that one way of catching is enough.
func (r *run) stub(method string) *js.Object {
	_, name := cutMethod(method)
	return r.function(name, 1, func(c js.FunctionCall) js.Value {
		at, _ := r.here()
		promise, resolve, reject := r.vm.NewPromise()
		var args []byte
		var refusal *refused
		if thrown := r.vm.Try(func() { args, refusal = r.arguments(method, c.Arguments) }); thrown != nil {
			must(reject(thrown.Value())) // by a getter or toJSON of the script's
			return r.vm.ToValue(promise)
		}
		if r.ended {
			refusal = &refused{err: runtime.Errorf(runtime.Cancelled, "the script has ended")}
		}
		if refusal != nil {
			refusal.err.Call = method
			e := r.toolError(refusal.err, &at)
			if refusal.limit != "" {
				r.limits[e] = refusal.limit
			}
			must(reject(e))
			return r.vm.ToValue(promise)
		}
		r.calls.seq++
		r.dispatch(&call{StubCall: runtime.StubCall{Seq: r.calls.seq, Method: method, Args: args, At: at}, resolve: resolve, reject: reject})
		return r.vm.ToValue(promise)
	})
}

// must passes on errors that no script can catch (an interrupt, an exhausted stack).
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// refused is a call that does not go out.
type refused struct {
	err   *runtime.Error
	limit runtime.Reason
}

func (r *run) arguments(method string, args []js.Value) ([]byte, *refused) {
	if len(args) == 0 || len(args) == 1 && js.IsUndefined(args[0]) {
		return []byte("{}"), nil
	}
	if len(args) > 1 || !isPlainObject(args[0]) {
		return nil, &refused{err: runtime.Errorf(runtime.InvalidArgument, "%s takes one object with named arguments", method).
			WithHint("write tools.%s({ name: value })", method)}
	}
	out, err := r.encode(args[0], "args", r.p.Limits.ArgumentBytes)
	switch {
	case err == nil:
		return out, nil
	case err.tooLarge:
		return nil, &refused{limit: runtime.ReasonArguments, err: runtime.Errorf(runtime.InvalidArgument,
			"the arguments are larger than %d bytes", r.p.Limits.ArgumentBytes).WithHint("send less, or in parts")}
	}
	return nil, &refused{err: runtime.Errorf(runtime.InvalidArgument, "%s", err.text).WithHint("%s", err.hint)}
}

// dispatch sends the call, or lets it wait while as many as allowed are under way.
func (r *run) dispatch(c *call) {
	r.calls.open[c.Seq] = c
	if r.calls.running >= r.p.Limits.ConcurrentCalls {
		r.calls.waiting = append(r.calls.waiting, c)
		return
	}
	r.calls.running++
	go func() {
		s := r.host.Call(r.ctx, c.StubCall)
		r.settled <- settledCall{c, s} // never blocks: it holds as many as may run
	}()
}

// deliver gives one settlement to the script. The next waiting call goes out first: it does not
// depend on what the script does with this one.
func (r *run) deliver(s settledCall) error {
	delete(r.calls.open, s.call.Seq)
	r.calls.running--
	if len(r.calls.waiting) > 0 {
		next := r.calls.waiting[0]
		r.calls.waiting = r.calls.waiting[1:]
		r.dispatch(next)
	}
	r.advance(s.s.NowUnixMillis)
	var value js.Value
	settle := s.call.resolve
	err := r.guarded(func() {
		if s.s.Err == nil {
			value = r.decode(s.s.Result, s.s.BigInts)
			return
		}
		e := *s.s.Err
		if e.Call == "" {
			e.Call = s.call.Method
		}
		value, settle = r.toolError(&e, &s.call.At), s.call.reject
	})
	var thrown *js.Exception
	if errors.As(err, &thrown) { // a result that does not parse; the service sends none
		e := runtime.Errorf(runtime.Internal, "the result of %s cannot be read", s.call.Method)
		err = r.guarded(func() { value, settle = r.toolError(e, &s.call.At), s.call.reject })
	}
	if err != nil {
		return err
	}
	return settle(value)
}

func cutMethod(method string) (namespace, name string) {
	for i := range method {
		if method[i] == '.' {
			return method[:i], method[i+1:]
		}
	}
	return "", method
}
