package goja

// This file holds one run: the loop that delivers one settlement a turn until the script has ended.

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
	port   Port
	hooks  hooks
	files  map[string]bool

	now       int64 // the script's clock, in Unix milliseconds
	calls     calls
	timers    map[int]*timer // those that have not fired and are not cleared, by id
	lastTimer int
	waits     waits
	console   console

	// unhandled are rejected promises that nobody looks at, numbered as they came; limits says which
	// thrown errors are about a limit, so that one that goes uncaught ends the run with that reason.
	unhandled map[*js.Promise]int
	rejected  int
	limits    map[*js.Object]runtime.Reason
	artifacts written
	// ended is set once the result is known: what the script does after is not heard.
	ended bool
}

// newRun makes a VM that knows of no program yet.
func newRun() *run {
	r := &run{vm: js.New(), files: map[string]bool{},
		timers: map[int]*timer{}, limits: map[*js.Object]runtime.Reason{}, unhandled: map[*js.Promise]int{}}
	r.calls = calls{open: map[int]*call{}, count: map[runtime.Helper]int{}, queues: map[runtime.Helper][]*call{}}
	r.vm.SetTimeSource(func() time.Time { return time.UnixMilli(r.now) })
	r.vm.SetPromiseRejectionTracker(r.trackRejection)
	r.vm.SetAsyncContextTracker(r)
	r.vm.SetParserOptions(parser.WithDisableSourceMaps)
	return r
}

// begin gives it its program.
func (r *run) begin(ctx context.Context, p runtime.Program, b runtime.Bundle, port Port) {
	p.Limits = p.Limits.WithDefaults()
	r.ctx, r.p, r.bundle, r.port, r.now = ctx, p, b, port, p.NowUnixMillis
	for _, f := range p.Script.Files {
		r.files[f.Name] = true
	}
	random := rand.New(rand.NewPCG(p.Seed, 0x9E3779B97F4A7C15))
	r.vm.SetRandSource(random.Float64)
	r.vm.SetMaxCallStackSize(p.Limits.StackFrames)
}

// execute compiles the bundle, starts it and delivers settlements until it has ended.
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

// loop takes one settlement a turn until the script has ended, or can't go on.
func (r *run) loop(main *js.Promise) runtime.Outcome {
	for main.State() == js.PromiseStatePending {
		pending, idle := r.idle()
		if idle && len(pending) == 0 {
			return r.deadlocked()
		}
		seq, s, err := r.port.Next(r.ctx, pending)
		if err == nil && seq == 0 && idle {
			r.ended = true
			return runtime.Outcome{Waiting: pending}
		}
		if err == nil {
			err = r.deliver(seq, s)
		}
		if err != nil {
			return r.stopped(err)
		}
	}
	if main.State() == js.PromiseStateRejected {
		r.ended = true
		return r.threw(main.Result())
	}
	return r.finish(main.Result())
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
