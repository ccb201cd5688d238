package worker

// This file holds the worker's side: one process, one run.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"

	"codemode/directory/contract"
	"codemode/runtime"
)

// Bundler makes one piece of code of a script. A bundle is complete when no diagnostic is an error.
type Bundler interface {
	Bundle(s runtime.Script) (runtime.Bundle, []runtime.Diagnostic)
}

// Engine runs bundled code until it ends or ctx does; all that went wrong is in the Outcome.
type Engine interface {
	Run(ctx context.Context, p runtime.Program, b runtime.Bundle, host runtime.Host) runtime.Outcome
}

// Parts are what a worker process is made of.
type Parts struct {
	Bundler Bundler
	Engine  Engine
	// Confined says how the process is locked in; the service is told.
	Confined string
	// LimitMemory bounds the process's memory from the start of the run on.
	LimitMemory func(bytes int64) error
}

// Serve warms the bundler, says ready on out, reads one program from in, runs it and writes how it
// ended. It returns an error when the service's side breaks off or breaks the protocol; then the
// process should end.
func Serve(ctx context.Context, in io.Reader, out io.Writer, parts Parts) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &child{in: bufio.NewReaderSize(in, 64<<10), out: newFrameWriter(out), parts: parts, settled: map[int]chan runtime.Settlement{},
		kept: make(chan *runtime.Error, 1), closed: make(chan struct{}), cancel: cancel}
	c.turn.L = &c.mu
	parts.Bundler.Bundle(warmScript())
	if err := c.out.write(frame{Kind: kindReady, Protocol: protocol, Confined: parts.Confined}); err != nil {
		return fmt.Errorf("worker: say ready: %w", err)
	}
	p, err := c.program()
	if errors.Is(err, io.EOF) {
		return nil // never used
	}
	if err != nil {
		return fmt.Errorf("worker: read the program: %w", err)
	}
	if err := parts.limit(p.Limits.MemoryBytes); err != nil {
		return fmt.Errorf("worker: %w", err)
	}
	go c.receive()
	outcome := c.run(ctx, p)
	return c.done(outcome)
}

// warmScript makes the bundler do once what it does for every script.
func warmScript() runtime.Script {
	text := "export default async () => { for await (const x of [1]) return x }"
	return runtime.Script{Entry: "warm.ts", Files: []runtime.SourceFile{{Name: "warm.ts", Text: text, Module: text}}}
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

type child struct {
	in     *bufio.Reader
	out    *frameWriter
	parts  Parts
	cancel context.CancelFunc
	kept   chan *runtime.Error
	closed chan struct{} // the service's side is gone

	mu      sync.Mutex
	settled map[int]chan runtime.Settlement
	turn    sync.Cond // of mu; sent tells how many calls have gone out
	sent    int
}

// fromService caps what the service may send: an input file is the largest payload, a settlement's
// pointers to its bigints the largest header (2 MiB of them, each byte up to six in JSON).
var fromService = caps{header: 16 << 20, payload: 1 << 30}

func (c *child) program() (runtime.Program, error) {
	var p runtime.Program
	var inputs []runtime.Input
	for {
		f, err := readFrame(c.in, fromService)
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

// receive hands settlements to the calls that wait for them. When the service is gone, or speaks
// another language, the run ends.
func (c *child) receive() {
	defer close(c.closed)
	defer c.cancel()
	for {
		f, err := readFrame(c.in, fromService)
		if err != nil {
			return
		}
		switch f.Kind {
		case kindSettled:
			c.mu.Lock()
			wait := c.settled[f.Seq]
			delete(c.settled, f.Seq)
			c.mu.Unlock()
			if wait == nil {
				return
			}
			wait <- runtime.Settlement{Result: f.Payload, BigInts: f.BigInts, Err: f.Err, NowUnixMillis: f.Now}
		case kindKept:
			c.kept <- f.Err
		default:
			return
		}
	}
}

func (c *child) run(ctx context.Context, p runtime.Program) runtime.Outcome {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(p.Limits.WallMillis)*time.Millisecond)
	defer cancel()
	b, diags := c.parts.Bundler.Bundle(p.Script)
	for _, d := range diags {
		if d.Severity == runtime.SeverityError {
			e := runtime.Errorf(runtime.CheckFailed, "%s", d.Message)
			e.Hint, e.Pos = d.Hint, &runtime.Pos{File: d.File, Line: d.Line, Column: d.Column}
			return runtime.Outcome{Reason: runtime.ReasonCheck, Err: e, Diagnostics: diags}
		}
	}
	if err := c.out.write(frame{Kind: kindBundled, Name: contract.Digest([]byte(b.Code))}); err != nil {
		return runtime.Outcome{Reason: runtime.ReasonInternal, Err: runtime.AsError(err)}
	}
	out := c.parts.Engine.Run(ctx, p, b, c)
	out.Diagnostics = diags
	return out
}

func (c *child) done(o runtime.Outcome) error {
	e := &ended{Reason: o.Reason, Err: o.Err, Diagnostics: o.Diagnostics, ConsoleTruncated: o.ConsoleTruncated}
	if o.Err != nil && o.Err.Cause != nil {
		e.Cause = o.Err.Cause.Error()
	}
	if err := c.out.write(frame{Kind: kindDone, Ended: e, Payload: o.Result}); err != nil {
		return fmt.Errorf("worker: say done: %w", err)
	}
	return nil
}

// Call, Console, Progress and Artifact make the child the engine's host.
func (c *child) Call(ctx context.Context, call runtime.StubCall) runtime.Settlement {
	wait := make(chan runtime.Settlement, 1)
	if err := c.send(call, wait); err != nil {
		return c.gone(err)
	}
	select {
	case s := <-wait:
		return s
	case <-ctx.Done():
		return runtime.Settlement{Err: runtime.Errorf(runtime.Cancelled, "the run has ended")}
	}
}

// send writes the call when those made before it are written: the engine calls from many goroutines.
func (c *child) send(call runtime.StubCall, wait chan runtime.Settlement) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.sent+1 < call.Seq {
		c.turn.Wait()
	}
	c.sent++
	c.settled[call.Seq] = wait
	c.turn.Broadcast()
	return c.out.write(frame{Kind: kindCall, Seq: call.Seq, Method: call.Method, At: call.At, Payload: call.Args})
}

// gone ends the run when the service does not listen any more.
func (c *child) gone(err error) runtime.Settlement {
	c.cancel()
	return runtime.Settlement{Err: runtime.AsError(err)}
}

// Console writes a line; a service that is slow to take it slows the script.
func (c *child) Console(l runtime.ConsoleLine) {
	if err := c.out.write(frame{Kind: kindConsole, Level: l.Level, At: l.At, Payload: []byte(l.Text)}); err != nil {
		c.cancel()
	}
}

// Progress writes a message.
func (c *child) Progress(message string) {
	if err := c.out.write(frame{Kind: kindProgress, Payload: []byte(message)}); err != nil {
		c.cancel()
	}
}

// Artifact writes a file and waits until the service has taken or refused it.
func (c *child) Artifact(a runtime.ArtifactData) *runtime.Error {
	if err := c.out.write(frame{Kind: kindArtifact, Path: a.Path, MediaType: a.MediaType, Payload: a.Bytes}); err != nil {
		c.cancel()
		return runtime.AsError(err)
	}
	select {
	case e := <-c.kept:
		return e
	case <-c.closed:
		return runtime.Errorf(runtime.Cancelled, "the run has ended")
	}
}
