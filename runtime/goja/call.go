package goja

// This file holds the calls of a script: how they leave it, numbered in the order in which they go out.

import (
	"slices"

	"codemode/runtime"

	js "github.com/dop251/goja"
)

// calls are those without a settlement yet.
type calls struct {
	made, sent int
	pending    int                        // how many of open wait for a person
	open       map[int]*call              // those sent, by number
	count      map[runtime.Helper]int     // how many of open are of a kind; "" are capabilities
	queues     map[runtime.Helper][]*call // those that go out when one of their kind has settled
}

type call struct {
	runtime.StubCall     // Seq is set when it goes out
	made             int // its place in the order in which the script made them
	resolve, reject  func(any) error
	timer            *timer // set instead, for a timer
	pending          bool   // it waits for a person
	// abandoned is the error that the call is given when the script has ended before it.
	abandoned *js.Object
}

// method is how a ToolError names what was called.
func (c *call) method() string {
	if c.Helper != "" {
		return string(c.Helper)
	}
	return c.Method
}

// written is how the script wrote it.
func (c *call) written() string {
	if c.Helper != "" {
		return string(c.Helper)
	}
	return "tools." + c.Method
}

// stub is the function behind tools.<namespace>.<method>.
func (r *run) stub(method string) *js.Object {
	_, name := cutMethod(method)
	return r.caller(name, 1, runtime.StubCall{Method: method}, func(args []js.Value) ([]byte, *refused) { return r.arguments(method, args) })
}

// caller makes a function that calls the service. It always returns a promise: also bad arguments
// reject it, so that one way of catching is enough.
func (r *run) caller(name string, length int, stub runtime.StubCall, arguments func([]js.Value) ([]byte, *refused)) *js.Object {
	return r.function(name, length, func(f js.FunctionCall) js.Value {
		c := &call{StubCall: stub}
		c.At, _ = r.here()
		promise, resolve, reject := r.vm.NewPromise()
		c.resolve, c.reject = resolve, reject
		var refusal *refused
		if thrown := r.vm.Try(func() { c.Args, refusal = arguments(f.Arguments) }); thrown != nil {
			must(reject(thrown.Value())) // by a getter or toJSON of the script's
			return r.vm.ToValue(promise)
		}
		if r.ended {
			refusal = &refused{err: runtime.Errorf(runtime.Cancelled, "the script has ended")}
		}
		if refusal != nil {
			r.refuse(c, refusal)
		} else {
			r.make(c)
		}
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

func (r *run) refuse(c *call, refusal *refused) {
	refusal.err.Call = c.method()
	e := r.toolError(refusal.err, &c.At)
	if refusal.limit != "" {
		r.limits[e] = refusal.limit
	}
	must(c.reject(e))
}

func (r *run) arguments(method string, args []js.Value) ([]byte, *refused) {
	if len(args) == 0 || len(args) == 1 && js.IsUndefined(args[0]) {
		return []byte("{}"), nil
	}
	if len(args) > 1 || !isPlainObject(args[0]) {
		return nil, &refused{err: runtime.Errorf(runtime.InvalidArgument, "%s takes one object with named arguments", method).
			WithHint("write tools.%s({ name: value })", method)}
	}
	return r.argument(args[0], "args", r.p.Limits.ArgumentBytes)
}

// argument writes a value that leaves the script, in at most room bytes.
func (r *run) argument(v js.Value, name string, room int64) ([]byte, *refused) {
	out, err := r.encode(v, name, room)
	switch {
	case err == nil:
		return out, nil
	case err.tooLarge:
		return nil, &refused{limit: runtime.ReasonArguments, err: r.p.Limits.Exceeded(runtime.ReasonArguments)}
	}
	return nil, &refused{err: runtime.Errorf(runtime.InvalidArgument, "%s", err.text).WithHint("%s", err.hint)}
}

// make sends a call, or lets it wait while as many of its kind are open as may be.
func (r *run) make(c *call) {
	r.calls.made++
	c.made = r.calls.made
	if r.full(c.Helper) {
		r.calls.queues[c.Helper] = append(r.calls.queues[c.Helper], c)
		return
	}
	r.send(c)
}

func (r *run) full(kind runtime.Helper) bool { return r.calls.count[kind] >= r.p.Limits.Open(kind) }

func (r *run) send(c *call) {
	r.calls.sent++
	c.Seq = r.calls.sent
	r.calls.open[c.Seq] = c
	r.calls.count[c.Helper]++
	r.port.Call(c.StubCall)
}

// close takes a settled call from the open ones. The next of its kind that waits goes out at once: it
// does not depend on what the script does with the settlement.
func (r *run) close(c *call) {
	delete(r.calls.open, c.Seq)
	if c.pending {
		r.calls.pending--
	}
	r.calls.count[c.Helper]--
	if queue := r.calls.queues[c.Helper]; len(queue) > 0 {
		r.calls.queues[c.Helper] = queue[1:]
		r.send(queue[0])
	}
}

// unsettled are the calls that the script may await, timers left out, in the order made.
func (r *run) unsettled() []*call {
	var out []*call
	for _, c := range r.calls.open {
		if c.timer == nil {
			out = append(out, c)
		}
	}
	for _, queue := range r.calls.queues {
		out = append(out, queue...)
	}
	slices.SortFunc(out, func(a, b *call) int { return a.made - b.made })
	return out
}

// idle reports whether no settlement can bring the script on, but for those of the pending calls that it
// returns. Cleared timers are still open, and bring nothing.
func (r *run) idle() (pending []int, idle bool) {
	if len(r.timers) > 0 || len(r.calls.open)-r.calls.count[runtime.HelperTimer] > r.calls.pending {
		return nil, false
	}
	for _, c := range r.unsettled() {
		if c.pending { // others wait in a queue behind them
			pending = append(pending, c.Seq)
		}
	}
	return pending, true
}

func cutMethod(method string) (namespace, name string) {
	for i := range method {
		if method[i] == '.' {
			return method[:i], method[i+1:]
		}
	}
	return "", method
}
