package runtime

// This file runs a checked script in a worker and writes what came of it into the receipt.

import (
	"context"
	"encoding/json"
	"maps"
	"time"

	"codemode/directory/contract"
)

// drainTime is how long calls that are still out may take to record how they ended, once the run is
// over and they have been cancelled.
const drainTime = 3 * time.Second

// job is what an execution does within its open run: a script in a worker, or a single call.
type job struct {
	begun   started
	events  Events
	perform func(context.Context, *run) (Outcome, error)
}

// script is the job of running a checked script.
func (s *Service) script(req Request, script Script, a authority) job {
	begun := s.begin(a)
	begun.ScriptSHA256, begun.Check, begun.Seed = scriptDigest(req.Sources), s.checkName(req.Check), newSeed()
	for _, in := range req.Inputs {
		begun.InputsSHA256[in.Name] = in.SHA256
	}
	return job{begun, req.Events, func(ctx context.Context, r *run) (Outcome, error) {
		return s.Workers.Run(ctx, Program{
			RunID: r.id, Script: script, Methods: a.names, Inputs: req.Inputs, Limits: a.limits,
			Seed: begun.Seed, NowUnixMillis: begun.NowUnixMillis,
		}, r)
	}}
}

// scriptDigest is that of the file, as sha256sum gives it. Of several files it is the digest of the
// canonical JSON object that has each file's digest by its name.
func scriptDigest(files []Source) string {
	byName := map[string]string{}
	for _, f := range files {
		byName[f.Name] = contract.Digest([]byte(f.Text))
	}
	if len(files) == 1 {
		return byName[files[0].Name]
	}
	return digestOf(byName)
}

// execute opens the run in the store, performs the job and closes the run. It returns an error when
// the run could not begin or could not be recorded; what the job came to is in result.
func (s *Service) execute(ctx context.Context, j job, a authority, result *Result) *Error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{id: result.RunID, epoch: 1, limits: a.limits, cancel: cancel, events: j.events, quiet: make(chan struct{})}
	r.gate = &gate{run: r, service: s, grants: a.grants, methods: a.methods}
	if err := s.open(ctx, r, j.begun, a); err != nil {
		return err
	}
	result.State = Running
	outcome, err := j.perform(ctx, r)
	cancel()
	r.drain()
	result.conclude(r, outcome, err)
	return s.finish(context.WithoutCancel(ctx), r, j.begun, a, outcome, result)
}

// begin is what is known of every run when it starts.
func (s *Service) begin(a authority) started {
	st := started{
		GrantsSHA256: a.digest, ContractsSHA256: digestOf(contractDigests(a.methods)), InputsSHA256: map[string]string{},
		NowUnixMillis: s.Now().UnixMilli(), Limits: a.limits, Versions: s.Versions,
	}
	for _, g := range a.grants {
		if !g.Empty() {
			st.Principal, st.Agent = g.Principal, g.Agent
		}
	}
	return st
}

func contractDigests(methods map[string]contract.Contract) map[string]string {
	out := map[string]string{}
	for name, c := range methods {
		out[name] = c.Digest
	}
	return out
}

func (s *Service) checkName(mode CheckMode) string {
	switch mode {
	case CheckOff:
		return string(CheckOff)
	case "":
		mode = CheckTools
	}
	return string(mode) + ", typescript " + s.Versions["typescript"]
}

func (s *Service) open(ctx context.Context, r *run, st started, a authority) *Error {
	data, err := json.Marshal(st)
	if err != nil {
		return AsError(err)
	}
	record := RunRecord{RunID: r.id, Epoch: r.epoch, Accounts: a.accounts, Started: Entry{Kind: EntryStarted, At: s.Now(), Data: data}}
	if err := s.Store.Start(ctx, r.id+"/start", record); err != nil {
		return AsError(err)
	}
	return nil
}

// drain waits for calls that are being cancelled. One that takes longer stays in the journal as
// called and not settled.
func (r *run) drain() {
	done := make(chan struct{})
	go func() { r.inFlight.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(drainTime):
	}
}

// conclude fills in what the worker and the calls came to. What the service stopped the run for
// comes before what the worker says, which only saw that it was killed.
func (result *Result) conclude(r *run, outcome Outcome, failed error) {
	result.Diagnostics = append(result.Diagnostics, outcome.Diagnostics...)
	result.Calls = r.records()
	result.Console = append(result.Console, r.lines()...)
	result.Truncated.Console = outcome.ConsoleTruncated
	result.Usage = Usage{
		Calls: int64(charged(result.Calls)), CPUMillis: outcome.CPUMillis, WallMillis: outcome.WallMillis,
		MemoryBytes: outcome.MemoryBytes, OutputBytes: int64(len(outcome.Result)),
	}
	reason, err := r.stopped()
	switch {
	case reason != NoReason:
		*result = result.fail(reason, err)
	case failed != nil:
		*result = result.fail(reasonOf(AsError(failed)), AsError(failed))
	case outcome.Reason != NoReason:
		*result = result.fail(exhausted(outcome, result.Calls), outcome.Err)
	default:
		result.State, result.Result = Finished, outcome.Result
		result.keep(r.files())
	}
}

// exhausted tells a script that ended because its calls were used up from one that failed by itself.
func exhausted(o Outcome, calls []CallRecord) Reason {
	if o.Reason != ReasonScript || o.Err == nil || o.Err.Code != BudgetExhausted {
		return o.Reason
	}
	for _, c := range calls {
		if c.Code == BudgetExhausted {
			return ReasonCalls
		}
	}
	return o.Reason
}

func charged(calls []CallRecord) (n int) {
	for _, c := range calls {
		if c.State != "refused" {
			n++
		}
	}
	return n
}

func (result *Result) keep(files []ArtifactData) {
	result.Files = files
	for _, f := range files {
		result.Artifacts = append(result.Artifacts, Artifact{
			Path: f.Path, MediaType: f.MediaType, Bytes: int64(len(f.Bytes)), SHA256: contract.Digest(f.Bytes),
		})
	}
}

// finish writes the receipt. A result whose receipt can't be kept is handed over all the same, and
// the run counts as failed.
func (s *Service) finish(ctx context.Context, r *run, st started, a authority, outcome Outcome, result *Result) *Error {
	receipt := s.receipt(r, st, a, outcome, result)
	if err := s.Store.Finish(ctx, r.id+"/finish", r.epoch, receipt); err != nil {
		return AsError(err)
	}
	result.Receipt = receipt.ReceiptID
	return nil
}

func (s *Service) receipt(r *run, st started, a authority, outcome Outcome, result *Result) Receipt {
	receipt := Receipt{
		ReceiptID: NewID("rcpt", s.Now()), RunID: r.id, Principal: st.Principal, Agent: st.Agent,
		State: result.State, Reason: result.Reason, Error: result.Error,
		Started: time.UnixMilli(st.NowUnixMillis).UTC(), Finished: s.Now().UTC(),
		ScriptSHA256: st.ScriptSHA256, BundleSHA256: outcome.BundleSHA256, ContractsSHA256: st.ContractsSHA256,
		GrantsSHA256: st.GrantsSHA256, InputsSHA256: st.InputsSHA256, Check: st.Check,
		Calls: result.Calls, Usage: result.Usage, Budgets: remaining(a.accounts, result.Calls),
		Artifacts: result.Artifacts, Truncated: result.Truncated, Versions: s.Versions,
	}
	if result.State == Finished {
		receipt.ResultSHA256 = valueDigest(result.Result)
	}
	return receipt
}

// remaining is what each account has left: the least that any call saw after it.
func remaining(accounts map[string]Budget, calls []CallRecord) map[string]Budget {
	left := maps.Clone(accounts)
	for _, c := range calls {
		for account, b := range c.After {
			left[account] = left[account].Tighten(b)
		}
	}
	return left
}

func (r *run) lines() []ConsoleLine {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.console
}

func (r *run) files() []ArtifactData {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.artifacts
}
