package goja

// This file holds one run: the loop that delivers one event a turn until the script has ended.

import (
	"context"
	"math/rand/v2"
	"time"

	"codemode/runtime"

	js "github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

// bundleName is the file of code that the bundler put in. It is no URL: goja would resolve the author's
// files against one.
const bundleName = "<bundle>"

type run struct {
	ctx    context.Context
	vm     *js.Runtime
	p      runtime.Program
	bundle runtime.Bundle
	host   runtime.Host
	hooks  hooks
	files  map[string]bool

	clock   time.Time
	settled chan settledCall
	calls   calls
	timers  timers
	waits   waits
	console console

	// unhandled are rejected promises that nobody looks at, numbered as they came; limits says which
	// thrown errors are about a limit, so that one that goes uncaught ends the run with that reason.
	unhandled map[*js.Promise]int
	rejected  int
	limits    map[*js.Object]runtime.Reason
	artifacts written
	// ended is set once the result is known: what the script does after is not heard.
	ended bool
}

func newRun(ctx context.Context, p runtime.Program, b runtime.Bundle, host runtime.Host) *run {
	p.Limits = p.Limits.WithDefaults()
	r := &run{ctx: ctx, vm: js.New(), p: p, bundle: b, host: host, files: map[string]bool{},
		limits: map[*js.Object]runtime.Reason{}, unhandled: map[*js.Promise]int{}}
	for _, f := range p.Script.Files {
		r.files[f.Name] = true
	}
	r.clock = time.UnixMilli(p.NowUnixMillis)
	r.settled = make(chan settledCall, p.Limits.ConcurrentCalls)
	r.calls.open = map[int]*call{}
	random := rand.New(rand.NewPCG(p.Seed, 0x9E3779B97F4A7C15))
	r.vm.SetRandSource(random.Float64)
	r.vm.SetTimeSource(func() time.Time { return r.clock })
	r.vm.SetMaxCallStackSize(p.Limits.StackFrames)
	r.vm.SetPromiseRejectionTracker(r.trackRejection)
	r.vm.SetAsyncContextTracker(r)
	r.vm.SetParserOptions(parser.WithDisableSourceMaps)
	return r
}

// execute compiles the bundle, starts it and delivers events until it has ended.
func (r *run) execute() runtime.Outcome {
	program, err := compile(r.bundle)
	if err != nil {
		return r.failed(&runtime.Error{Code: runtime.ScriptFailed, Message: "the script does not compile: " + r.compileText(err), Pos: r.compilePlace(err)})
	}
	main, err := r.vm.RunProgram(program)
	if err != nil {
		return r.stopped(err)
	}
	started, err := r.hooks.run(nil, main)
	if err != nil {
		return r.stopped(err)
	}
	promise, ok := started.Export().(*js.Promise)
	if !ok {
		return r.failed(runtime.Errorf(runtime.Internal, "the script did not start"))
	}
	return r.loop(promise)
}

func (r *run) loop(main *js.Promise) runtime.Outcome {
	for main.State() == js.PromiseStatePending {
		if len(r.calls.open) == 0 && r.timers.empty() {
			return r.deadlocked()
		}
		if err := r.turn(); err != nil {
			return r.stopped(err)
		}
	}
	if main.State() == js.PromiseStateRejected {
		r.ended = true
		return r.threw(main.Result())
	}
	return r.finish(main.Result())
}

// turn waits for one event and delivers it; the VM then drains its jobs before it returns.
func (r *run) turn() error {
	due, stop := r.timers.wait()
	defer stop()
	select {
	case s := <-r.settled:
		return r.deliver(s)
	default:
	}
	select {
	case s := <-r.settled:
		return r.deliver(s)
	case <-due:
		return r.fire()
	case <-r.ctx.Done():
		return r.ctx.Err()
	}
}

// Grab, Resumed and Exited make the run goja's tracker of async contexts. It keeps the places of
// awaits that have not come back, so that a deadlock can name its own.
func (r *run) Grab() any {
	return r.waits.add(r.vm.CaptureCallStack(waitFrames, nil))
}

// Resumed is called when what was grabbed goes on.
func (r *run) Resumed(grabbed any) {
	if id, ok := grabbed.(int); ok {
		r.waits.drop(id)
	}
}

// Exited is called when a resumed context is left.
func (r *run) Exited() {}

func (r *run) trackRejection(p *js.Promise, op js.PromiseRejectionOperation) {
	if op == js.PromiseRejectionHandle {
		delete(r.unhandled, p)
		return
	}
	r.rejected++
	r.unhandled[p] = r.rejected
}
