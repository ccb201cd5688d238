package runtime

// This file takes runs up again: to go on with them, to repeat them, to end them.

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Resume goes on with a run that is suspended, or whose process died: a fresh worker is given the
// recorded settlements in their order, and then the run is live. Result.Error has code NotFound for no
// such run, and Conflict for one that is held elsewhere, has ended, or was made under other contracts.
func (s *Service) Resume(ctx context.Context, runID string, events Events) (result Result) {
	result = newResult(s.Now())
	result.RunID = runID
	defer func() { s.logFailure(result) }()
	status, err := s.resumable(ctx, runID)
	if err != nil {
		return result.fail(reasonOf(err), err)
	}
	if status.Cancelled {
		return s.abandon(ctx, runID, WasCancelled, ReasonCancelled, Errorf(Cancelled, "the run was cancelled"))
	}
	j, a, h, err := s.revive(ctx, status)
	if err != nil {
		return result.fail(reasonOf(err), err)
	}
	j.events = events
	if err := s.goOn(ctx, j, a, h, &result); err != nil {
		return result.fail(reasonOf(err), err)
	}
	return result
}

// ResumeUnder is Resume for who holds grants: a run that was not begun under exactly these, with their
// principal and agent, does not exist for them.
func (s *Service) ResumeUnder(ctx context.Context, grants []Grant, runID string, events Events) Result {
	if err := s.begunUnder(ctx, grants, runID); err != nil {
		result := newResult(s.Now())
		result.RunID = runID
		return result.fail(reasonOf(err), err)
	}
	return s.Resume(ctx, runID, events)
}

func (s *Service) begunUnder(ctx context.Context, grants []Grant, runID string) *Error {
	none := Errorf(NotFound, "there is no run %.100q of these grants", runID).WithHint("take the run_id from the answer of the run that was suspended")
	status, failed := s.Store.Run(ctx, runID)
	if failed != nil {
		if err := AsError(failed); err.Code != NotFound {
			return err
		}
		return none
	}
	var request stored
	if json.Unmarshal(status.Request, &request) != nil || digestOf(request.Grants) != digestOf(grants) {
		return none
	}
	return nil
}

// resumable is a run that somebody may go on with.
func (s *Service) resumable(ctx context.Context, runID string) (RunStatus, *Error) {
	status, err := s.Store.Run(ctx, runID)
	switch {
	case err != nil:
		return status, AsError(err)
	case !status.State.CanBecome(Expired):
		return status, Errorf(Conflict, "run %s is %s already", runID, status.State).WithHint("its receipt says how it ended: codemode receipts show %s", runID)
	case status.Held:
		return status, Errorf(Conflict, "run %s is under way", runID).WithHint("wait for it; if its process died, it can be resumed %s later", lease)
	}
	return status, nil
}

// goOn claims the run and carries it on from its history.
func (s *Service) goOn(ctx context.Context, j job, a authority, h *history, result *Result) *Error {
	epoch, failed := s.Store.Claim(ctx, NewID("claim", s.Now()), result.RunID, lease)
	if failed != nil {
		return AsError(failed)
	}
	h, err := s.history(ctx, result.RunID) // what the last holder wrote until it was fenced off
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := s.newRun(result.RunID, epoch, j, a, cancel)
	r.resumed = true
	h.charge(r.accounts)
	r.calls = append(r.calls, h.records...)
	for _, c := range h.dangling() {
		if c.Step > 0 { // a call that the script made is made again, and then is in the record
			r.calls = append(r.calls, c)
		}
	}
	r.past = newPlayer(r, h)
	r.inFlight.Go(func() { r.past.play(ctx) })
	if err := r.record(ctx, EntryResumed, resumed{epoch}, true); err != nil {
		return AsError(err)
	}
	return s.carry(ctx, r, j, result)
}

// resumed is the data of EntryResumed.
type resumed struct {
	Epoch int64 `json:"epoch"`
}

// revive makes a run's job again from what the store keeps of it.
func (s *Service) revive(ctx context.Context, status RunStatus) (job, authority, *history, *Error) {
	var j job
	var a authority
	h, err := s.history(ctx, status.RunID)
	if err != nil {
		return j, a, nil, err
	}
	if failed := json.Unmarshal(status.Request, &j.request); failed != nil || len(j.request.Sources) == 0 {
		return j, a, nil, Errorf(Conflict, "run %s was not of a script, or was recorded by another version", status.RunID).WithCause(failed)
	}
	for i, in := range j.request.Inputs {
		bytes, failed := s.Store.Blob(ctx, in.SHA256)
		if failed != nil {
			return j, a, nil, Errorf(Conflict, "the input %s of run %s is not kept any more", in.Name, status.RunID).WithCause(failed)
		}
		j.request.Inputs[i].Bytes = bytes
	}
	script, _, err := s.Accept(j.request.Sources, h.started.Limits.WithDefaults())
	if err == nil {
		a, err = s.authority(j.request.Grants, j.request.Budget)
	}
	if err == nil {
		err = h.sameContracts(s.Digests.of(a))
	}
	if err == nil {
		err = h.sameParts(s.Versions)
	}
	script = s.link(script)
	j.task, j.begun, j.sources = status.Task, h.started, script.sources()
	j.perform = s.performScript(script, j.request.Inputs, a.names, h.started)
	return j, a, h, err
}

// sameContracts refuses a run whose methods are not what they were: the script was checked against
// those. A grant that has expired since takes its methods with it; the gate says so when they are called.
func (h *history) sameContracts(now string) *Error {
	if now != h.started.ContractsSHA256 {
		return Errorf(Conflict, "the granted methods are not those that the run began with").
			WithHint("the directory has changed, or a grant has expired; start a new run")
	}
	return nil
}

// sameParts refuses a run on another engine, bundler or set of packages: what the script does may depend
// on them.
func (h *history) sameParts(now map[string]string) *Error {
	for _, part := range []string{"goja", "esbuild", "modules"} {
		if h.started.Versions[part] != now[part] {
			return Errorf(Conflict, "the run began with %s %s, and this is %s", part, cmp.Or(h.started.Versions[part], "none"), cmp.Or(now[part], "none")).
				WithHint("take it up where the same is installed, or start a new run")
		}
	}
	return nil
}

// Cancel ends a run. One that is under way is stopped by its holder within a second or two; one that
// nobody holds ends at once, with a receipt of what had happened. It is no error to cancel twice.
func (s *Service) Cancel(ctx context.Context, runID string) (State, *Error) {
	status, failed := s.Store.Run(ctx, runID)
	if failed != nil {
		return "", AsError(failed)
	}
	if !status.State.CanBecome(WasCancelled) {
		return status.State, nil
	}
	if err := s.Store.Cancel(ctx, runID+"/cancel", runID); err != nil {
		return status.State, AsError(err)
	}
	if status.Held {
		return status.State, nil
	}
	result := s.abandon(ctx, runID, WasCancelled, ReasonCancelled, Errorf(Cancelled, "the run was cancelled"))
	if result.Receipt == "" && result.Error != nil && result.Error.Code != Conflict {
		return status.State, result.Error
	}
	return result.State, nil
}

// Sweep ends the runs that nobody holds and whose deadline has passed, and returns how many.
func (s *Service) Sweep(ctx context.Context) (int, error) {
	const batch = 100
	ids, err := s.Store.Overdue(ctx, batch)
	if err != nil {
		return 0, err
	}
	n := 0
	var errs []error
	for _, id := range ids {
		result := s.abandon(ctx, id, Expired, ReasonExpired, Errorf(Timeout, "the run's deadline passed before it went on"))
		switch {
		case result.Receipt != "":
			n++
		case result.Error != nil && result.Error.Code != Conflict: // Conflict: another process was faster
			errs = append(errs, result.Error)
		}
	}
	return n, errors.Join(errs...)
}

// abandon ends a run that nobody holds, with the receipt that its journal makes.
func (s *Service) abandon(ctx context.Context, runID string, state State, reason Reason, why *Error) Result {
	result := newResult(s.Now())
	result.RunID = runID
	epoch, failed := s.Store.Claim(ctx, NewID("claim", s.Now()), runID, lease)
	if failed != nil {
		return result.fail(reasonOf(AsError(failed)), AsError(failed))
	}
	h, err := s.history(ctx, runID)
	if err != nil {
		return result.fail(reasonOf(err), err)
	}
	result.State, result.Reason, result.Error = state, reason, why
	result.Calls = h.ended()
	result.Usage.Calls = int64(charged(result.Calls))
	receipt := s.receipt(runID, h.started, nil, Outcome{Settled: len(h.settled)}, result)
	if err := s.Store.Finish(ctx, fmt.Sprintf("%s/%d/finish/0", runID, epoch), epoch, receipt); err != nil {
		return result.fail(reasonOf(AsError(err)), AsError(err))
	}
	result.Receipt = receipt.ReceiptID
	return result
}

// ended are the records of all calls. Of one that began and has no outcome it is not known whether it
// happened, unless it was a read.
func (h *history) ended() []CallRecord {
	return sortedRecords(append(h.dangling(), h.records...))
}

// dangling are the records of calls that began and have no outcome.
func (h *history) dangling() (calls []CallRecord) {
	settled := map[string]bool{}
	for _, r := range h.records {
		settled[r.CallID] = true
	}
	for _, c := range h.charged {
		if !settled[c.CallID] {
			c.State, c.Code = "failed", OutcomeUnknown
			calls = append(calls, c)
		}
	}
	return calls
}
