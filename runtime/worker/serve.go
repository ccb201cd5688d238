package worker

// This file holds the worker's side: one process, one run.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"

	"codemode/directory/contract"
	"codemode/runtime"
)

// Bundler makes one piece of code of a script. A bundle is complete when no diagnostic is an error.
type Bundler interface {
	Bundle(s runtime.Script) (runtime.Bundle, []runtime.Diagnostic)
}

// Engine makes a VM, ahead of the run that it is for.
type Engine func() (VM, error)

// VM runs bundled code, once, until it ends, has to wait for a person, or ctx ends; all that went wrong is
// in the Outcome.
type VM func(ctx context.Context, p runtime.Program, b runtime.Bundle, port *Port) runtime.Outcome

// Parts are what a worker process is made of.
type Parts struct {
	Bundler Bundler
	Engine  Engine
	// Confined says how the process is locked in; the service is told.
	Confined string
	// LimitMemory bounds the process's memory from the start of the run on.
	LimitMemory func(bytes int64) error
}

// Serve warms up, says ready on out, reads one program from in, runs it, writes how it ended and waits for
// the end of in. It returns an error when the service's side breaks off or breaks the protocol; then the
// process should end.
func Serve(ctx context.Context, in io.Reader, out io.Writer, parts Parts) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if f, ok := in.(*os.File); ok {
		in = pollable(f)
	}
	if err := parts.warm(ctx); err != nil {
		return fmt.Errorf("worker: warm up: %w", err)
	}
	vm, err := parts.Engine()
	if err != nil {
		return fmt.Errorf("worker: %w", err)
	}
	port := newPort(in, out, cancel)
	if err := port.out.write(frame{Kind: kindReady, Protocol: protocol, Confined: parts.Confined}); err != nil {
		return fmt.Errorf("worker: say ready: %w", err)
	}
	p, err := program(port.in)
	if errors.Is(err, io.EOF) {
		return nil // never used
	}
	if err != nil {
		return fmt.Errorf("worker: read the program: %w", err)
	}
	if err := parts.limit(p.Limits.MemoryBytes); err != nil {
		return fmt.Errorf("worker: %w", err)
	}
	go port.receive()
	outcome, err := parts.run(ctx, p, vm, port)
	if err != nil {
		return fmt.Errorf("worker: %w", err)
	}
	if err := port.done(outcome); err != nil {
		return err
	}
	<-port.closed // the service looks at what the process has taken, then kills it
	return nil
}

// limit bounds memory: the garbage collector works harder as the process nears the limit, and at
// the limit the kernel refuses. A stack that grows past a quarter of it ends the process as well.
func (p Parts) limit(bytes int64) error {
	debug.SetMemoryLimit(bytes - bytes/5)
	debug.SetMaxStack(int(bytes / 4))
	if p.LimitMemory == nil {
		return nil
	}
	return p.LimitMemory(bytes)
}

// fromService caps what the service may send: an input file is the largest payload, a settlement's
// pointers to its bigints the largest header (2 MiB of them, each byte up to six in JSON).
var fromService = caps{header: 16 << 20, payload: func(string) int64 { return 1 << 30 }}

// program reads the frames before the run.
func program(in io.Reader) (runtime.Program, error) {
	var p runtime.Program
	var inputs []runtime.Input
	for {
		f, err := readFrame(in, fromService)
		if err != nil {
			return p, err
		}
		switch f.Kind {
		case kindInput:
			inputs = append(inputs, runtime.Input{Name: f.Name, SHA256: f.SHA256, Bytes: f.Payload})
		case kindRun:
			err := json.Unmarshal(f.Payload, &p)
			p.Inputs = inputs
			return p, err
		default:
			return p, fmt.Errorf("unexpected frame %q", f.Kind)
		}
	}
}

// run bundles and runs the script within its time. An error means that the service is gone, or that the
// system refuses a limit.
func (p Parts) run(ctx context.Context, prog runtime.Program, vm VM, port *Port) (runtime.Outcome, error) {
	ctx, stop := context.WithTimeout(ctx, time.Duration(prog.Limits.WallMillis)*time.Millisecond)
	defer stop()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if err := watchCPU(ctx, time.Duration(prog.Limits.CPUMillis)*time.Millisecond, cancel); err != nil {
		return runtime.Outcome{}, err
	}
	out, err := p.perform(ctx, prog, vm, port)
	if out.Reason == runtime.ReasonCancelled && errors.Is(context.Cause(ctx), errCPU) {
		out.Reason, out.Err = runtime.ReasonCPU, prog.Limits.Exceeded(runtime.ReasonCPU)
	}
	return out, err
}

// perform bundles the script and runs it.
func (p Parts) perform(ctx context.Context, prog runtime.Program, vm VM, port *Port) (runtime.Outcome, error) {
	b, diags := p.Bundler.Bundle(prog.Script)
	for _, d := range diags {
		if d.Severity == runtime.SeverityError {
			e := runtime.Errorf(runtime.CheckFailed, "%s", d.Message)
			e.Hint, e.Pos, e.Trace = d.Hint, &runtime.Pos{File: d.File, Line: d.Line, Column: d.Column}, d.Trace
			return runtime.Outcome{Reason: runtime.ReasonCheck, Err: e, Diagnostics: diags}, nil
		}
	}
	if err := port.out.write(frame{Kind: kindBundled, Name: contract.Digest([]byte(b.Code))}); err != nil {
		return runtime.Outcome{}, err
	}
	out := vm(ctx, prog, b, port)
	out.Diagnostics = diags
	return out, nil
}

func (p *Port) done(o runtime.Outcome) error {
	e := &ended{Reason: o.Reason, Err: o.Err, Waiting: o.Waiting, Settled: p.taken, Diagnostics: o.Diagnostics, ConsoleTruncated: o.ConsoleTruncated}
	if o.Err != nil && o.Err.Cause != nil {
		e.Cause = o.Err.Cause.Error()
	}
	if err := p.out.write(frame{Kind: kindDone, Ended: e, Payload: o.Result}); err != nil {
		return fmt.Errorf("worker: say done: %w", err)
	}
	return nil
}
