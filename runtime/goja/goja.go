// Package goja runs one bundled script in one goja VM.
//
//	engine, err := goja.New()
//	outcome := engine.Run(ctx, program, bundle, host)
//
// The script finds the language and what the prelude adds: stubs under tools, inputs, artifacts,
// progress, console, ToolError, timers, and the small pieces goja lacks. It is handed plain values
// built inside the VM, never a Go object. Calls go out concurrently and come back one a turn: each
// settlement is delivered alone, in the order received, and every job it made is run before the next.
//
// The clock is the service's: Date.now() is the time of the last settlement, or, when a timer fires,
// the time it was due. Timers wait in real time, because scripts use them to wait for the world; a
// pending timer is no deadlock. Math.random is seeded. eval and the constructors of functions are
// refused: nothing checked what they would run.
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

// Engine runs scripts. It holds the compiled prelude and no state of a run.
type Engine struct {
	prelude *js.Program
}

// New compiles the prelude.
func New() (*Engine, error) {
	ast, err := js.Parse(preludeName, preludeSource, parser.WithDisableSourceMaps)
	if err != nil {
		return nil, fmt.Errorf("goja: the prelude does not parse: %w", err)
	}
	prg, err := js.CompileAST(ast, true)
	if err != nil {
		return nil, fmt.Errorf("goja: the prelude does not compile: %w", err)
	}
	return &Engine{prelude: prg}, nil
}

// Run runs the bundle to its end and says how it ended. The end of ctx interrupts it: a deadline is
// reason wall_ms, anything else cancelled. Outcome's process figures are left to the caller.
func (e *Engine) Run(ctx context.Context, p runtime.Program, b runtime.Bundle, host runtime.Host) (out runtime.Outcome) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := newRun(ctx, p, b, host)
	defer func() {
		if x := recover(); x != nil {
			out = r.panicked(x)
		}
		out.ConsoleTruncated = r.console.truncated
	}()
	stop := context.AfterFunc(ctx, func() { r.vm.Interrupt(ctx.Err()) })
	defer stop()
	if err := r.install(e.prelude); err != nil {
		return r.stopped(err)
	}
	return r.execute()
}
