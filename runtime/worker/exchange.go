package worker

// This file holds the service's side of one run: an exchange of frames with a worker, to its end.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"time"

	"codemode/runtime"
)

type exchange struct {
	w       *process
	p       runtime.Program
	host    runtime.Host
	started time.Time
	warmed  time.Duration // the CPU time that the process had used before

	calls  served
	bundle string
	spent  spent
	// stopped is set when the process is about to be killed; peak and cpu are what it had taken by then.
	stopped   atomic.Bool
	peak, cpu atomic.Int64
	// late and gave tell why the process was killed: its time was over, or the caller's.
	late, gave atomic.Bool
}

// spent is what the worker has put out.
type spent struct {
	consoleBytes, artifactBytes int64
	consoleLines, artifacts     int
}

// run drives the worker to its end. When it returns, the process is killed and no settlement is on its
// way; what the host still does has lost its context. It waits until a process is reaped only where that
// says what became of it: taking its memory back takes longer than most scripts run.
func (x *exchange) run(ctx context.Context) runtime.Outcome {
	calls, cancel := context.WithCancel(ctx)
	defer cancel()
	wall := time.AfterFunc(time.Duration(x.p.Limits.WallMillis)*time.Millisecond+grace, func() { x.late.Store(true); cancel(); x.stop() })
	defer wall.Stop()
	stop := context.AfterFunc(ctx, func() { x.gave.Store(true); x.stop() })
	defer stop()

	out, err := x.talk(calls)
	wall.Stop()
	x.stop()
	cancel()
	sent := x.calls.end()
	if err == nil && out.Settled > sent {
		err = broken("it took %d settlements of %d", out.Settled, sent)
	}
	if ctx.Err() != nil {
		x.gave.Store(true)
	}
	if err == nil && out.Err != nil && (x.gave.Load() || x.late.Load()) {
		err = errEnding // the script failed of its calls being cancelled, before the kill reached it
	}
	if err != nil {
		x.w.kill()
		out = x.died(ctx, err)
		out.Settled = sent
	}
	return x.account(out)
}

var errEnding = errors.New("the run was ending")

// stop kills the process, after a look at what it took.
func (x *exchange) stop() {
	if !x.stopped.CompareAndSwap(false, true) {
		return
	}
	x.peak.Store(x.w.peak())
	x.cpu.Store(int64(x.w.cpu()))
	x.w.signal()
}

func (x *exchange) account(out runtime.Outcome) runtime.Outcome {
	out.BundleSHA256 = x.bundle
	out.WallMillis = time.Since(x.started).Milliseconds()
	out.CPUMillis = x.usedCPU().Milliseconds()
	if out.MemoryBytes = x.peak.Load(); out.MemoryBytes == 0 && !x.w.alive() {
		// What wait reports is never less than the service itself held when it started the worker; a worker
		// that died before it was looked at has not held more than its limit.
		out.MemoryBytes = min(peakOf(x.w.cmd.ProcessState.SysUsage()), x.p.Limits.MemoryBytes)
	}
	return out
}

// usedCPU is what the process has used of the run's CPU time, as far as it is known.
func (x *exchange) usedCPU() time.Duration {
	cpu := time.Duration(x.cpu.Load())
	if cpu == 0 && !x.w.alive() {
		cpu = x.w.cmd.ProcessState.UserTime() + x.w.cmd.ProcessState.SystemTime()
	}
	return max(0, cpu-x.warmed)
}

// talk sends the program and serves the worker's frames until it says done.
func (x *exchange) talk(ctx context.Context) (runtime.Outcome, error) {
	sent := make(chan error, 1)
	go func() { sent <- x.send() }() // a worker that does not read must not keep us from reading
	defer func() { <-sent }()
	defer x.w.signal() // lets a send that is stuck end
	caps := fromWorker(x.p.Limits)
	for {
		f, payload, err := readHeader(x.w.out, caps)
		if err == nil && f.Kind != kindArtifact {
			f.Payload, err = readExactly(x.w.out, payload)
		}
		if err != nil {
			return runtime.Outcome{}, err
		}
		if f.Kind == kindDone {
			x.stop()
			return x.done(f)
		}
		if err := x.serve(ctx, f, payload); err != nil {
			return runtime.Outcome{}, err
		}
	}
}

func (x *exchange) send() error {
	for _, in := range x.p.Inputs {
		if err := x.w.in.write(frame{Kind: kindInput, Name: in.Name, SHA256: in.SHA256, Payload: in.Bytes}); err != nil {
			return err
		}
	}
	p := x.p
	p.Inputs = nil
	raw, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return x.w.in.write(frame{Kind: kindRun, Payload: raw})
}

// fromWorker caps what a worker may send, by the run's limits. What is over by a little is told from what
// no worker of ours would send.
func fromWorker(l runtime.Limits) caps {
	const slack = 64 << 10
	return caps{header: 256 << 10, payload: func(kind string) int64 {
		switch kind {
		case kindCall:
			return l.ArgumentBytes + slack
		case kindConsole, kindProgress:
			return l.ConsoleBytes + slack
		case kindArtifact:
			return l.ArtifactBytes + slack
		case kindDone:
			return l.OutputBytes + slack
		}
		return 0
	}}
}

// serve takes one frame; of a file the payload has not been read.
func (x *exchange) serve(ctx context.Context, f frame, payload uint32) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err() // what a killed worker left in the pipe
	case f.Kind == kindBundled && x.bundle == "":
		x.bundle = f.Name
		return nil
	case x.bundle == "":
		return broken("%.20q before the bundle", f.Kind)
	case x.calls.waiting != nil:
		return broken("%.20q after it was suspended", f.Kind)
	case f.Kind == kindCall:
		return x.call(ctx, f)
	case f.Kind == kindWaiting:
		return x.wait(f.Waiting)
	case f.Kind == kindConsole, f.Kind == kindProgress:
		return x.console(f)
	case f.Kind == kindArtifact:
		return x.artifact(ctx, f, payload)
	}
	return broken("unexpected frame %.20q", f.Kind)
}

func (x *exchange) console(f frame) error {
	x.spent.consoleLines++
	if f.Kind == kindConsole {
		x.spent.consoleBytes += int64(len(f.Payload))
	}
	if x.spent.consoleLines > x.p.Limits.ConsoleLines || x.spent.consoleBytes > x.p.Limits.ConsoleBytes {
		return broken("console output past its limit")
	}
	if f.Kind == kindProgress {
		x.host.Progress(scrub(string(f.Payload)))
		return nil
	}
	switch f.Level {
	case "log", "info", "warn", "error", "debug":
	default:
		return broken("console level %.20q", f.Level)
	}
	x.host.Console(runtime.ConsoleLine{Level: f.Level, Text: string(f.Payload), At: f.At})
	return nil
}

func (x *exchange) artifact(ctx context.Context, f frame, payload uint32) error {
	x.spent.artifacts++
	x.spent.artifactBytes += int64(payload)
	if x.spent.artifacts > x.p.Limits.ArtifactCount || x.spent.artifactBytes > x.p.Limits.ArtifactBytes {
		return broken("artifacts past their limit")
	}
	refused, err := x.receive(ctx, f, payload)
	if err != nil {
		return err
	}
	return x.w.in.write(frame{Kind: kindKept, Err: refused})
}

// receive reads a file once there is room for all of it.
func (x *exchange) receive(ctx context.Context, f frame, payload uint32) (refused *runtime.Error, err error) {
	leave, err := x.host.Room(ctx, int64(payload))
	if err != nil {
		return nil, err
	}
	defer leave()
	bytes := make([]byte, payload)
	if _, err := io.ReadFull(x.w.out, bytes); err != nil {
		return nil, err
	}
	return x.host.Artifact(ctx, runtime.ArtifactData{Path: f.Path, MediaType: f.MediaType, Bytes: bytes}), nil
}

// scriptReason reports one that a worker may give; the others are the service's own.
func scriptReason(r runtime.Reason) bool {
	switch r {
	case runtime.NoReason, runtime.ReasonScript, runtime.ReasonCheck, runtime.ReasonDeadlock, runtime.ReasonUnawaited, runtime.ReasonWall, runtime.ReasonCPU,
		runtime.ReasonMemory, runtime.ReasonStack, runtime.ReasonOutput, runtime.ReasonArtifacts, runtime.ReasonFiles, runtime.ReasonArguments, runtime.ReasonCancelled, runtime.ReasonInternal:
		return true
	}
	return false
}

func (x *exchange) done(f frame) (runtime.Outcome, error) {
	e := f.Ended
	switch {
	case e == nil || e.Settled < 0 || !scriptReason(e.Reason) || (e.Reason == runtime.NoReason) != (e.Err == nil):
		return runtime.Outcome{}, broken("an end without a reason")
	case e.Err != nil && e.Waiting != nil, e.Err == nil && !slices.Equal(e.Waiting, x.calls.waiting):
		return runtime.Outcome{}, broken("an end that waits for %v, where %v was agreed", e.Waiting, x.calls.waiting)
	case e.Waiting == nil && e.Err == nil && (int64(len(f.Payload)) > x.p.Limits.OutputBytes || !json.Valid(f.Payload)):
		return runtime.Outcome{}, broken("a result that is too large or no JSON")
	case e.Err == nil && x.bundle == "":
		return runtime.Outcome{}, broken("a result without code")
	}
	out := runtime.Outcome{Reason: e.Reason, Err: e.Err, Waiting: e.Waiting, Settled: e.Settled, Diagnostics: e.Diagnostics, ConsoleTruncated: e.ConsoleTruncated}
	if e.Err == nil && e.Waiting == nil {
		out.Result = f.Payload
	}
	if e.Err != nil && e.Cause != "" {
		out.Err.Cause = errors.New(scrub(e.Cause))
	}
	return out, nil
}

// died says why a worker ended without saying done.
func (x *exchange) died(ctx context.Context, err error) runtime.Outcome {
	l, stderr := x.p.Limits, x.w.stderr.text()
	cause := fmt.Errorf("%w; %s; it wrote: %s", err, x.w.cmd.ProcessState, stderr)
	switch {
	case errors.Is(err, errProtocol):
		return ending(runtime.ReasonWorker, runtime.Errorf(runtime.Internal, "the process that ran the script misbehaved").WithCause(cause))
	case x.gave.Load() && !errors.Is(ctx.Err(), context.DeadlineExceeded):
		return ending(runtime.ReasonCancelled, runtime.Errorf(runtime.Cancelled, "the run was cancelled").WithCause(cause))
	case x.gave.Load(), x.late.Load():
		return ending(runtime.ReasonWall, l.Exceeded(runtime.ReasonWall).WithCause(cause))
	case x.usedCPU() >= time.Duration(l.CPUMillis)*time.Millisecond && killedFromOutside(x.w.cmd.ProcessState):
		return ending(runtime.ReasonCPU, l.Exceeded(runtime.ReasonCPU).WithCause(cause))
	case outOfMemory(stderr), killedFromOutside(x.w.cmd.ProcessState):
		return ending(runtime.ReasonMemory, l.Exceeded(runtime.ReasonMemory).WithCause(cause))
	case stackOverflow(stderr) && x.bundle == "":
		return ending(runtime.ReasonNesting, runtime.Errorf(runtime.ScriptFailed, "the script is nested too deep to be read").
			WithHint("flatten it").WithCause(cause))
	case stackOverflow(stderr):
		return ending(runtime.ReasonStack, runtime.Errorf(runtime.ScriptFailed, "the script nests its data or calls too deep").
			WithHint("flatten the data, or use a loop").WithCause(cause))
	}
	return ending(runtime.ReasonWorker, runtime.Errorf(runtime.Internal, "the process that ran the script ended early").WithCause(cause))
}

func ending(reason runtime.Reason, e *runtime.Error) runtime.Outcome {
	return runtime.Outcome{Reason: reason, Err: e}
}
