package worker

// This file holds the service's side of one run.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"codemode/runtime"
)

type session struct {
	w       *process
	p       runtime.Program
	host    runtime.Host
	started time.Time

	calls    sync.WaitGroup
	inFlight atomic.Int64
	lastSeq  int
	bundle   string
	spent    spent
	peak     int64
	// late and gave tell why the process was killed: its time was over, or the caller's.
	late, gave atomic.Bool
}

// spent is what the worker has put out.
type spent struct {
	consoleBytes, artifactBytes int64
	consoleLines, artifacts     int
}

// run drives the worker to its end. When it returns, the process is reaped and no call is under way.
func (s *session) run(ctx context.Context) runtime.Outcome {
	calls, cancel := context.WithCancel(ctx)
	defer cancel()
	wall := time.AfterFunc(time.Duration(s.p.Limits.WallMillis)*time.Millisecond+grace, func() { s.late.Store(true); s.stop() })
	defer wall.Stop()
	stop := context.AfterFunc(ctx, func() { s.gave.Store(true); s.stop() })
	defer stop()

	out, err := s.talk(calls)
	wall.Stop()
	s.stop()
	s.w.kill()
	cancel()
	s.calls.Wait()
	if err != nil {
		out = s.died(ctx, err)
	}
	return s.account(out)
}

// stop kills the process, after a look at how much memory it took.
func (s *session) stop() {
	if peak := s.w.peak(); peak > 0 {
		atomic.StoreInt64(&s.peak, peak)
	}
	s.w.signal()
}

func (s *session) account(out runtime.Outcome) runtime.Outcome {
	out.BundleSHA256 = s.bundle
	out.WallMillis = time.Since(s.started).Milliseconds()
	if state := s.w.cmd.ProcessState; state != nil {
		out.CPUMillis = (state.UserTime() + state.SystemTime()).Milliseconds()
		out.MemoryBytes = peakOf(state.SysUsage())
	}
	if peak := atomic.LoadInt64(&s.peak); peak > 0 {
		out.MemoryBytes = peak
	}
	return out
}

// talk sends the program and serves the worker's frames until it says done.
func (s *session) talk(ctx context.Context) (runtime.Outcome, error) {
	sent := make(chan error, 1)
	go func() { sent <- s.send() }() // a worker that does not read must not keep us from reading
	defer func() { <-sent }()
	defer s.w.signal() // lets a send that is stuck end
	for {
		f, err := readFrame(s.w.out, fromWorker(largest(s.p.Limits)))
		if err != nil {
			return runtime.Outcome{}, err
		}
		if f.Kind == kindDone {
			s.stop()
			return s.done(f)
		}
		if err := s.serve(ctx, f); err != nil {
			return runtime.Outcome{}, err
		}
	}
}

func (s *session) send() error {
	for _, in := range s.p.Inputs {
		if err := s.w.in.write(frame{Kind: kindInput, Name: in.Name, SHA256: in.SHA256, Payload: in.Bytes}); err != nil {
			return err
		}
	}
	p := s.p
	p.Inputs = nil
	raw, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return s.w.in.write(frame{Kind: kindRun, Payload: raw})
}

// largest is the most that one frame of the run may carry.
func largest(l runtime.Limits) int64 {
	return max(l.ArgumentBytes, l.OutputBytes, l.ConsoleBytes, l.ArtifactBytes)
}

// fromWorker caps what a worker may send; payload is the largest the run's limits allow.
func fromWorker(payload int64) caps {
	const slack = 64 << 10
	return caps{header: 256 << 10, payload: uint32(min(payload+slack, 1<<31))}
}

func (s *session) serve(ctx context.Context, f frame) error {
	switch {
	case f.Kind == kindBundled && s.bundle == "":
		s.bundle = f.Name
		return nil
	case s.bundle == "":
		return broken("%.20q before the bundle", f.Kind)
	case f.Kind == kindCall:
		return s.call(ctx, f)
	case f.Kind == kindConsole, f.Kind == kindProgress:
		return s.console(f)
	case f.Kind == kindArtifact:
		return s.artifact(f)
	}
	return broken("unexpected frame %.20q", f.Kind)
}

// call serves one call, if it is one that the engine would make.
func (s *session) call(ctx context.Context, f frame) error {
	l := s.p.Limits
	switch {
	case f.Seq != s.lastSeq+1:
		return broken("call %d after %d", f.Seq, s.lastSeq)
	case s.inFlight.Load() >= int64(l.ConcurrentCalls):
		return broken("more than %d calls at once", l.ConcurrentCalls)
	case int64(len(f.Payload)) > l.ArgumentBytes || !json.Valid(f.Payload):
		return broken("arguments that are too large or no JSON")
	}
	s.lastSeq = f.Seq
	s.inFlight.Add(1)
	s.calls.Go(func() {
		st := s.host.Call(ctx, runtime.StubCall{Seq: f.Seq, Method: f.Method, Args: f.Payload, At: f.At})
		if int64(len(st.Result)) > l.ResultBytes {
			st = runtime.Settlement{NowUnixMillis: st.NowUnixMillis, Err: runtime.Errorf(runtime.ResultTooLarge,
				"the result of %s is larger than %d bytes", f.Method, l.ResultBytes).WithHint("ask for less, by a filter or a page")}
		}
		s.inFlight.Add(-1)
		s.settle(f.Seq, st)
	})
	return nil
}

// settle sends a settlement. A worker that does not take it is gone, which the reader sees.
func (s *session) settle(seq int, st runtime.Settlement) {
	f := frame{Kind: kindSettled, Seq: seq, BigInts: st.BigInts, Now: st.NowUnixMillis, Err: st.Err, Payload: st.Result}
	if err := s.w.in.write(f); err != nil {
		s.w.signal()
	}
}

func (s *session) console(f frame) error {
	s.spent.consoleLines++
	if f.Kind == kindConsole {
		s.spent.consoleBytes += int64(len(f.Payload))
	}
	if s.spent.consoleLines > s.p.Limits.ConsoleLines || s.spent.consoleBytes > s.p.Limits.ConsoleBytes {
		return broken("console output past its limit")
	}
	if f.Kind == kindProgress {
		s.host.Progress(scrub(string(f.Payload)))
		return nil
	}
	switch f.Level {
	case "log", "info", "warn", "error", "debug":
	default:
		return broken("console level %.20q", f.Level)
	}
	s.host.Console(runtime.ConsoleLine{Level: f.Level, Text: string(f.Payload), At: f.At})
	return nil
}

func (s *session) artifact(f frame) error {
	s.spent.artifacts++
	s.spent.artifactBytes += int64(len(f.Payload))
	if s.spent.artifacts > s.p.Limits.ArtifactCount || s.spent.artifactBytes > s.p.Limits.ArtifactBytes {
		return broken("artifacts past their limit")
	}
	e := s.host.Artifact(runtime.ArtifactData{Path: f.Path, MediaType: f.MediaType, Bytes: f.Payload})
	if err := s.w.in.write(frame{Kind: kindKept, Err: e}); err != nil {
		return err
	}
	return nil
}

// scriptReasons are those that a worker may give; the others are the service's own.
func scriptReason(r runtime.Reason) bool {
	switch r {
	case runtime.NoReason, runtime.ReasonScript, runtime.ReasonCheck, runtime.ReasonDeadlock, runtime.ReasonUnawaited, runtime.ReasonWall, runtime.ReasonMemory,
		runtime.ReasonStack, runtime.ReasonOutput, runtime.ReasonArtifacts, runtime.ReasonArguments, runtime.ReasonCancelled, runtime.ReasonInternal:
		return true
	}
	return false
}

func (s *session) done(f frame) (runtime.Outcome, error) {
	e := f.Ended
	switch {
	case e == nil || !scriptReason(e.Reason) || (e.Reason == runtime.NoReason) != (e.Err == nil):
		return runtime.Outcome{}, broken("an end without a reason")
	case e.Err == nil && (int64(len(f.Payload)) > s.p.Limits.OutputBytes || !json.Valid(f.Payload)):
		return runtime.Outcome{}, broken("a result that is too large or no JSON")
	case e.Err == nil && s.bundle == "":
		return runtime.Outcome{}, broken("a result without code")
	}
	out := runtime.Outcome{Reason: e.Reason, Err: e.Err, Diagnostics: e.Diagnostics, ConsoleTruncated: e.ConsoleTruncated}
	if e.Err == nil {
		out.Result = f.Payload
	} else if e.Cause != "" {
		out.Err.Cause = errors.New(scrub(e.Cause))
	}
	return out, nil
}

// died says why a worker ended without saying done.
func (s *session) died(ctx context.Context, err error) runtime.Outcome {
	l, stderr := s.p.Limits, s.w.stderr.text()
	cause := fmt.Errorf("%w; %s; it wrote: %s", err, s.w.cmd.ProcessState, stderr)
	switch {
	case errors.Is(err, errProtocol):
		return ending(runtime.ReasonWorker, runtime.Errorf(runtime.Internal, "the process that ran the script misbehaved").WithCause(cause))
	case s.gave.Load() && !errors.Is(ctx.Err(), context.DeadlineExceeded):
		return ending(runtime.ReasonCancelled, runtime.Errorf(runtime.Cancelled, "the run was cancelled").WithCause(cause))
	case s.gave.Load(), s.late.Load():
		return ending(runtime.ReasonWall, runtime.Errorf(runtime.Timeout, "the script ran longer than %d ms", l.WallMillis).
			WithHint("do less in one run, or ask for a larger wall_ms").WithCause(cause))
	case outOfMemory(stderr), killedFromOutside(s.w.cmd.ProcessState):
		return ending(runtime.ReasonMemory, runtime.Errorf(runtime.ScriptFailed, "the script needs more memory than its %d MiB", l.MemoryBytes>>20).
			WithHint("work in smaller parts, or ask for a larger memory_bytes").WithCause(cause))
	case stackOverflow(stderr) && s.bundle == "":
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
