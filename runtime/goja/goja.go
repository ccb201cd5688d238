// Package goja runs one bundled script in one goja VM.
//
//	engine, err := goja.New()
//	vm, err := engine.Prepare()
//	outcome := vm.Run(ctx, program, bundle, port)
//
// The script finds the language and what the prelude adds: stubs under tools, inputs, artifacts,
// progress, console, ask, checkpoint, directory, results, ToolError, timers, and the small pieces goja
// lacks. It is handed plain values built inside the VM, never a Go object.
//
// A script is a function of its program and of the settlements that it is given. All that it wants of
// the world, timers too, are calls that go out through the port, numbered in that order, and come back
// one a turn: each settlement is delivered alone, in the order in which the service gave them, and every
// job it made is run before the next. The same settlements in the same order give the same calls and the
// same result. A script that can only go on with calls that wait for a person is suspended
// (Outcome.Waiting); one that waits for nothing at all is deadlocked.
//
// The clock is the service's: Date.now() is the time of the last settlement, or, when a timer fires,
// the time it was due. Math.random is seeded. eval and the constructors of functions are refused:
// nothing checked what they would run.
//
// Arguments and the result are written as JSON by rules of their own: a BigInt is its digits; an
// integer number beyond 2^53 is in exponent form, so that the service can tell that it was rounded;
// undefined members are left out; a Date is its ISO string; a Uint8Array or ArrayBuffer is base64, as
// JSON Schema's "byte" format has it; other typed arrays are arrays. What JSON cannot say (functions,
// symbols, cycles, NaN, Map, Set, lone surrogates) is an error that names its place. In results of
// calls, integers past 2^53 arrive as BigInt, never rounded.
//
// Interrupt does not stop goja's built-ins, and some of them exhaust memory: the process around this
// package carries the hard limits. It does not bundle, and knows nothing of processes.
package goja

import (
	"context"
	_ "embed"
	"fmt"

	"codemode/runtime"

	js "github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

//go:embed prelude.js
var preludeSource string

// preludeName is the file that the prelude's frames stand in; they never show as the author's.
const preludeName = "codemode:prelude"

// Engine makes VMs. It holds the compiled prelude and no state of a run.
type Engine struct {
	prelude, web *js.Program
}

// New compiles the prelude.
func New() (*Engine, error) {
	prelude, err := compilePrelude(preludeSource)
	if err != nil {
		return nil, err
	}
	web, err := compilePrelude(webSource)
	if err != nil {
		return nil, err
	}
	return &Engine{prelude, web}, nil
}

func compilePrelude(source string) (*js.Program, error) {
	ast, err := js.Parse(preludeName, source, parser.WithDisableSourceMaps)
	if err != nil {
		return nil, fmt.Errorf("goja: the prelude does not parse: %w", err)
	}
	prg, err := js.CompileAST(ast, true)
	if err != nil {
		return nil, fmt.Errorf("goja: the prelude does not compile: %w", err)
	}
	return prg, nil
}

// Port is the engine's way to the service. Its methods are called by one goroutine at a time; when the
// service is gone it ends the context of the run.
type Port interface {
	// Call sends a call, and does not wait for what comes of it.
	Call(runtime.StubCall)
	// Next waits for the next settlement, in the order in which the service gave them, and returns it with
	// the number of its call. If the script can only go on with calls that wait for a person, pending are
	// their numbers: Next then returns number 0 once the service says that none of them has settled.
	Next(ctx context.Context, pending []int) (int, runtime.Settlement, error)
	// Console, Progress and Artifact hand on what the script put out.
	Console(runtime.ConsoleLine)
	Progress(message string)
	Artifact(runtime.ArtifactData) *runtime.Error
}

// VM is one VM, made ahead of the run that it is for.
type VM struct{ run *run }

// Prepare makes a VM with all that does not depend on the program.
func (e *Engine) Prepare() (*VM, error) {
	r := newRun()
	if err := r.install(e); err != nil {
		return nil, fmt.Errorf("goja: %w", err)
	}
	return &VM{r}, nil
}

// Run runs the bundle to its end and says how it ended. It is called once. The end of ctx interrupts it: a
// deadline is reason wall_ms, anything else cancelled. Outcome's process figures are left to the caller.
func (v *VM) Run(ctx context.Context, p runtime.Program, b runtime.Bundle, port Port) (out runtime.Outcome) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := v.run
	r.begin(ctx, p, b, port)
	defer func() {
		if x := recover(); x != nil {
			out = r.panicked(x)
		}
		out.ConsoleTruncated = r.console.truncated
	}()
	stop := context.AfterFunc(ctx, func() { r.vm.Interrupt(ctx.Err()) })
	defer stop()
	if err := r.bind(); err != nil {
		return r.stopped(err)
	}
	return r.execute()
}
