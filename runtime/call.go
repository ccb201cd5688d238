package runtime

// This file makes a single call without a script: what the legacy surface does. It takes the same
// path through the Gate, and leaves the same receipt, as a call of a script.

import (
	"context"
	"encoding/json"
	"time"
)

// CallRequest is one call.
type CallRequest struct {
	Method string
	Args   json.RawMessage // by name; what conditions and digests are about
	Grants []Grant
	// Invoker performs the call; nil means the service's own.
	Invoker Invoker
	// Untyped skips the validation of the arguments, for callers that give text by position.
	Untyped bool
}

// Call makes one call. Result.Result is what it returned; Result.Error is the call's own error.
func (s *Service) Call(ctx context.Context, req CallRequest) Result {
	result := newResult(s.Now())
	a, err := s.authority(req.Grants, nil)
	if err != nil {
		return result.fail(ReasonInput, err)
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(a.limits.WallMillis)*time.Millisecond)
	defer cancel()
	begun := s.begin(a)
	begun.ScriptSHA256, begun.Check = valueDigest(nil), string(CheckOff)
	if err := s.execute(ctx, job{begun: begun, perform: performCall(req)}, a, &result); err != nil {
		return result.fail(reasonOf(err), err)
	}
	return result
}

func performCall(req CallRequest) func(context.Context, *run) (Outcome, error) {
	return func(ctx context.Context, r *run) (Outcome, error) {
		r.gate.invoker, r.gate.untyped = req.Invoker, req.Untyped
		begun := time.Now()
		settled := make(chan Settlement, 1)
		r.Call(ctx, StubCall{Seq: 1, Method: req.Method, Args: req.Args}, func(s Settlement) { settled <- s })
		s := <-settled
		outcome := Outcome{Result: s.Result, Err: s.Err, Settled: 1, WallMillis: time.Since(begun).Milliseconds()}
		if s.Err != nil {
			outcome.Reason = ReasonScript
		} else if limit := r.limits.OutputBytes; int64(len(s.Result)) > limit {
			outcome.Result, outcome.Reason = nil, ReasonOutput
			outcome.Err = Errorf(ResultTooLarge, "the result of %s is larger than %d bytes; the call was made", req.Method, limit).
				WithHint("ask for less: a filter, a page, fewer fields; or for a larger output_bytes")
		}
		return outcome, nil
	}
}
