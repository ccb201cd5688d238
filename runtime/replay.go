package runtime

// This file repeats runs: from the journal, in a fresh worker, calling nothing and recording nothing.

import (
	"context"
	"fmt"
	"time"
)

// Replayed says how a repetition compares with the run.
type Replayed struct {
	// Identical: the repetition makes the run's journal again, entry by entry, and comes to the same end.
	Identical bool `json:"identical"`
	// Differences say in words what was not so.
	Differences []string `json:"differences,omitempty"`
	// Settlements are how many were repeated, of Recorded: those that the script took.
	Settlements int `json:"settlements"`
	Recorded    int `json:"recorded"`
}

// cutOff is how long a script may go on after the last settlement, when its run was ended from outside.
const cutOff = 500 * time.Millisecond

// Replay repeats a run. The result is what the script came to this time. A run that did not end by
// itself (a limit, a person, a dead process) is repeated up to its last settlement.
func (s *Service) Replay(ctx context.Context, runID string, events Events) (result Result, replayed Replayed) {
	result = newResult(s.Now())
	result.RunID = runID
	defer func() { s.logFailure(result) }()
	status, failed := s.Store.Run(ctx, runID)
	if failed != nil {
		return result.fail(reasonOf(AsError(failed)), AsError(failed)), replayed
	}
	j, a, h, err := s.revive(ctx, status)
	if err != nil {
		return result.fail(reasonOf(err), err), replayed
	}
	receipt, failed := s.Store.Receipt(ctx, runID)
	if failed != nil && AsError(failed).Code != NotFound {
		return result.fail(ReasonUnavail, AsError(failed)), replayed
	}
	if receipt.ReceiptID != "" {
		h.settled = h.settled[:min(receipt.Settlements, len(h.settled))]
	}
	j.events = events
	r := s.repeat(ctx, j, a, h, receipt, &result)
	return result, r.compare(s.again(j, a), receipt, result)
}

func (s *Service) repeat(ctx context.Context, j job, a authority, h *history, receipt Receipt, result *Result) *run {
	result.Sources = j.sources
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := s.newRun(result.RunID, 0, j, a, cancel)
	r.journal.store = nowhere{}
	r.past = newPlayer(r, h)
	r.past.audit, r.past.patient = true, cutOff
	if receipt.endedByItself() {
		r.past.patient = time.Duration(j.begun.Limits.WithDefaults().WallMillis) * time.Millisecond
	}
	r.inFlight.Go(func() { r.past.play(ctx) })
	outcome, err := j.perform(ctx, r)
	r.end()
	cancel()
	r.drain()
	r.calls = h.ended()
	result.conclude(r, outcome, err)
	return r
}

// endedByItself reports whether the end is the script's doing, so that a repetition comes to it again.
func (r Receipt) endedByItself() bool {
	switch r.Reason {
	case NoReason, ReasonScript, ReasonDeadlock, ReasonUnawaited, ReasonCalls, ReasonOutput, ReasonArtifacts, ReasonFiles, ReasonArguments,
		ReasonResult, ReasonStack:
		return r.ReceiptID != ""
	}
	return false
}

// again is what the run is made of, by what the store keeps of it now.
func (s *Service) again(j job, a authority) started {
	st := j.begun
	st.ScriptSHA256, st.ContractsSHA256, st.GrantsSHA256 = scriptDigest(j.request.Sources), s.Digests.of(a), a.digest
	return st
}

func (r *run) compare(begun started, was Receipt, is Result) Replayed {
	h := r.past.history
	out := Replayed{Settlements: int(r.past.played.Load()), Recorded: len(h.settled)}
	differ := func(what string, was, is any) {
		if was != is {
			out.Differences = append(out.Differences, fmt.Sprintf("%s was %v, and is %v now", what, was, is))
		}
	}
	if is.Reason == ReasonDiverged {
		out.Differences = append(out.Differences, is.Error.Message)
	} else {
		out.Differences = r.past.remade.differences(h, begun)
	}
	differ("the number of settlements", out.Recorded, out.Settlements)
	if was.endedByItself() {
		differ("state", was.State, is.State)
		differ("reason", was.Reason, is.Reason)
		differ("the error", asText(was.Error), asText(is.Error))
		if was.State == Finished && is.State == Finished {
			differ("the digest of the result", was.ResultSHA256, valueDigest(is.Result))
		}
		differ("the digest of the artifacts", digestOf(append([]Artifact{}, was.Artifacts...)), digestOf(append([]Artifact{}, is.Artifacts...)))
	}
	out.Identical = len(out.Differences) == 0
	return out
}

// nowhere is the journal's store of a run that is only repeated.
type nowhere struct{ Runs }

func (nowhere) Append(context.Context, string, string, int64, ...Entry) error { return nil }
