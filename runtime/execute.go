package runtime

// This file runs a checked script in a worker and writes what came of it into the receipt.

import (
	"cmp"
	"context"
	"encoding/json"
	"sync"
	"time"

	"codemode/directory/contract"
)

// drainTime is how long calls that are still out may take to record how they ended, once the run is
// over and they have been cancelled.
const drainTime = 500 * time.Millisecond

// job is what an execution does within its open run: a script in a worker, or a single call.
type job struct {
	task    string
	request stored
	begun   started
	sources []Source // for the result; none of a single call
	events  Events
	perform func(context.Context, *run) (Outcome, error)
}

// stored is what a run is made of, kept for the process that resumes it. Inputs are kept by digest.
type stored struct {
	Sources []Source  `json:"sources"`
	Inputs  []Input   `json:"inputs,omitempty"`
	Grants  []Grant   `json:"grants"`
	Budget  Budget    `json:"budget,omitempty"`
	Check   CheckMode `json:"check"`
}

// script is the job of running a checked script.
func (s *Service) script(req Request, script Script, a authority) job {
	begun := s.begin(a)
	begun.ScriptSHA256, begun.Check, begun.Seed = scriptDigest(req.Sources), s.checkName(req.Check), newSeed()
	for _, in := range req.Inputs {
		begun.InputsSHA256[in.Name] = in.SHA256
	}
	script = s.link(script)
	return job{
		task: req.Task, request: stored{req.Sources, req.Inputs, req.Grants, req.Budget, req.Check}, begun: begun, events: req.Events,
		sources: script.sources(), perform: s.performScript(script, req.Inputs, a.names, begun),
	}
}

// link adds the files of the packages that the script imports.
func (s *Service) link(script Script) Script {
	if s.Link == nil {
		return script
	}
	return s.Link(script)
}

func (s *Service) performScript(script Script, inputs []Input, methods []string, begun started) func(context.Context, *run) (Outcome, error) {
	return func(ctx context.Context, r *run) (Outcome, error) {
		return s.Workers.Run(ctx, Program{
			RunID: r.id, Script: script, Methods: methods, Inputs: inputs, Limits: begun.Limits,
			Seed: begun.Seed, NowUnixMillis: begun.NowUnixMillis,
		}, r)
	}
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
	r := s.newRun(result.RunID, 1, j, a, cancel)
	r.opening(func() *Error { return s.open(ctx, r, j) })
	return s.carry(ctx, r, j, result)
}

func (s *Service) newRun(id string, epoch int64, j job, a authority, cancel context.CancelFunc) *run {
	r := &run{
		id: id, task: cmp.Or(j.task, id), principal: j.begun.Principal, basis: j.begun.basis(), methods: a.names, limits: j.begun.Limits, service: s, cancel: cancel,
		events: j.events, accounts: newAccounts(a.accounts), quiet: make(chan struct{}),
		held: map[string]bool{}, clock: j.begun.NowUnixMillis,
		journal: &journal{store: s.Store, runID: id, epoch: epoch, now: s.Now},
	}
	r.gate = &gate{run: r, service: s, grants: a.grants, methods: a.methods}
	return r
}

// carry takes an open run to its end, or to where it waits for answers.
func (s *Service) carry(ctx context.Context, r *run, j job, result *Result) *Error {
	result.State, result.Sources = Running, j.sources
	held, release := context.WithCancel(ctx)
	var holding sync.WaitGroup
	onceOpen := func(keep func(context.Context)) {
		holding.Go(func() {
			if r.waitOpen() == nil {
				keep(held)
			}
		})
	}
	onceOpen(r.hold)
	onceOpen(func(ctx context.Context) {
		r.journal.keepFlushing(ctx, func(err error) { r.stop(ReasonUnavail, AsError(err)) })
	})
	outcome, err := j.perform(ctx, r)
	if err := r.waitOpen(); err != nil {
		release()
		holding.Wait()
		result.conclude(r, Outcome{Reason: ReasonUnavail, Err: err, ConsoleTruncated: outcome.ConsoleTruncated}, nil)
		return err
	}
	outcome = r.blameStore(outcome)
	r.end()
	r.cancel()
	r.drain()
	release()
	holding.Wait()
	result.conclude(r, outcome, err)
	return s.finish(context.WithoutCancel(ctx), r, j.begun, outcome, result)
}

// slowStore is how long the store may take over a new run. The script may have waited for it, so that it is
// not the script that took too long.
const slowStore = time.Second

func (r *run) blameStore(out Outcome) Outcome {
	if out.Reason == ReasonWall && r.entering > slowStore {
		out.Reason = ReasonUnavail
		out.Err = Errorf(Unavailable, "the store took %d ms to take the run in, which the script had to wait for", r.entering.Milliseconds()).
			WithHint("try again; if it stays so, look at the disk of the store")
	}
	return out
}

// begin is what is known of every run when it starts.
func (s *Service) begin(a authority) started {
	st := started{
		GrantsSHA256: a.digest, ContractsSHA256: s.Digests.of(a), InputsSHA256: map[string]string{},
		NowUnixMillis: s.Now().UnixMilli(), Limits: a.limits, Versions: s.Versions,
	}
	for _, g := range a.grants {
		if !g.Empty() {
			st.Principal, st.Agent = g.Principal, g.Agent
		}
	}
	return st
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

func (s *Service) open(ctx context.Context, r *run, j job) *Error {
	for _, in := range j.request.Inputs {
		if err := s.Store.PutBlob(ctx, in.SHA256, in.Bytes); err != nil {
			return AsError(err)
		}
	}
	request, err := json.Marshal(j.request)
	if err != nil {
		return AsError(err)
	}
	data, err := json.Marshal(j.begun)
	if err != nil {
		return AsError(err)
	}
	record := RunRecord{RunID: r.id, Task: r.task, Request: request, Deadline: s.Now().Add(taskLife)}
	first := Entry{Kind: EntryStarted, At: s.Now(), Data: data, Relaxed: true}
	if err := s.Store.Start(ctx, r.id+"/start", record, lease, first); err != nil {
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
	case len(outcome.Waiting) > 0:
		result.State = Suspended
	case outcome.Reason != NoReason:
		*result = result.fail(exhausted(outcome, result.Calls), outcome.Err)
	default:
		result.State, result.Result = Finished, outcome.Result
		result.Artifacts = append(result.Artifacts, r.files()...)
	}
}

// exhausted tells a script that ended because its calls were used up, or the result of one was too large,
// from one that failed by itself.
func exhausted(o Outcome, calls []CallRecord) Reason {
	limits := map[Code]Reason{BudgetExhausted: ReasonCalls, ResultTooLarge: ReasonResult}
	if o.Reason != ReasonScript || o.Err == nil || limits[o.Err.Code] == "" {
		return o.Reason
	}
	for _, c := range calls {
		if c.Code == o.Err.Code {
			return limits[c.Code]
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

// finish writes the receipt, or leaves the run suspended. A result whose receipt can't be kept is handed
// over all the same, and the run counts as failed.
func (s *Service) finish(ctx context.Context, r *run, st started, outcome Outcome, result *Result) *Error {
	entries, err := r.journal.close()
	if err != nil {
		return AsError(err)
	}
	if result.State == Suspended {
		return s.suspend(ctx, r, entries, result)
	}
	receipt := s.receipt(r.id, st, r.accounts.all(), outcome, *result)
	if err := s.Store.Finish(ctx, r.journal.op("finish", 0), r.journal.epoch, receipt, entries...); err != nil {
		return AsError(err)
	}
	result.Receipt = receipt.ReceiptID
	return nil
}

// suspend gives the run up until its questions are answered.
func (s *Service) suspend(ctx context.Context, r *run, entries []Entry, result *Result) *Error {
	entries = append(entries, Entry{Kind: EntrySuspended, At: s.Now(), Data: json.RawMessage("{}")})
	if err := s.Store.Suspend(ctx, r.journal.op("suspend", 0), r.id, r.journal.epoch, entries...); err != nil {
		return AsError(err)
	}
	var err *Error
	result.Questions, err = s.Questions(ctx, r.id)
	return err
}

func (s *Service) receipt(runID string, st started, budgets map[string]Budget, outcome Outcome, result Result) Receipt {
	receipt := Receipt{
		ReceiptID: NewID("rcpt", s.Now()), RunID: runID, Principal: st.Principal, Agent: st.Agent,
		State: result.State, Reason: result.Reason, Error: result.Error,
		Started: time.UnixMilli(st.NowUnixMillis).UTC(), Finished: s.Now().UTC(),
		ScriptSHA256: st.ScriptSHA256, BundleSHA256: outcome.BundleSHA256, ContractsSHA256: st.ContractsSHA256,
		GrantsSHA256: st.GrantsSHA256, InputsSHA256: st.InputsSHA256, Check: st.Check,
		Calls: result.Calls, Settlements: outcome.Settled, Usage: result.Usage, Budgets: budgets,
		Artifacts: result.Artifacts, Truncated: result.Truncated, Versions: s.Versions,
	}
	if result.State == Finished {
		receipt.ResultSHA256 = valueDigest(result.Result)
	}
	return receipt
}
