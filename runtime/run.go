package runtime

// This file holds one run while it goes: what its worker put out, what its calls became, and the order
// in which the script gets to see them.

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"codemode/directory/contract"
)

// maxRefused is how many refused calls a run may have: each stands in its receipt, and costs no budget.
const maxRefused = 1_000

// runAccount is the account that every call of a run is charged to, beside its grant's.
const runAccount = "run"

// run is the host of one worker. It collects and delivers; the gate decides.
type run struct {
	id        string
	task      string
	principal string
	basis     Basis
	methods   []string
	limits    Limits
	service   *Service
	gate      *gate
	cancel    context.CancelFunc
	events    Events
	journal   *journal
	accounts  *accounts
	past      *player // nil for a run that begins
	resumed   bool
	kept      atomic.Int64  // bytes that helpers had the store take
	opened    chan struct{} // closed once the store has the run, or could not take it; nil for one that it has
	unopened  *Error        // why it could not
	entering  time.Duration // how long the store took over it

	// order is held while a settlement is journaled and delivered: the journal's order is the script's.
	order   sync.Mutex
	ringing sync.Mutex // held while timers that are due are delivered, in their order
	clock   int64      // the script's, in Unix milliseconds
	over    bool       // the script has ended; what settles now is late

	mu        sync.Mutex
	reason    Reason // why the service stopped the run, before the worker said anything
	err       *Error
	active    int           // calls between their intent and their outcome
	halting   bool          // no further call is let in
	quiet     chan struct{} // closed when the run is halting and no call is active
	calls     []CallRecord
	timers    timers
	timeless  bool            // the script has ended: no timer is set any more
	refused   int             // calls
	held      map[string]bool // handles of results that were too large
	inFlight  sync.WaitGroup
	console   []ConsoleLine
	artifacts []Artifact
}

// Events are told what happens while a run goes; each may be nil. Calls come from several goroutines
// at once, and one that was cancelled may come after the run's result. What a resumed run repeats is not
// told again.
type Events struct {
	Console  func(ConsoleLine)
	Progress func(message string)
	Call     func(CallRecord)
}

// opening enters the run into the store while its worker bundles the script. Nothing is journaled, and no
// call begins, before that is done.
func (r *run) opening(open func() *Error) {
	r.opened = make(chan struct{})
	go func() {
		defer close(r.opened)
		begun := time.Now()
		if r.unopened = open(); r.unopened != nil {
			r.cancel()
		}
		r.entering = time.Since(begun)
	}()
}

func (r *run) waitOpen() *Error {
	if r.opened != nil {
		<-r.opened
	}
	return r.unopened
}

// Call implements Host.
func (r *run) Call(ctx context.Context, c StubCall, settle func(Settlement)) {
	if err := r.waitOpen(); err != nil {
		settle(Settlement{Err: err}) // the run ends
		return
	}
	if r.past != nil && r.past.take(c, settle) {
		return
	}
	r.begin(ctx, c, settle)
}

// begin performs a call that is not of the past.
func (r *run) begin(ctx context.Context, c StubCall, settle func(Settlement)) {
	switch c.Helper {
	case HelperTimer:
		r.startTimer(c, settle)
		return
	case HelperAsk:
		r.ask(ctx, c, settle)
		return
	}
	r.inFlight.Go(func() {
		var e CallEntry
		durable := false
		stay := r.service.Room.enter(r.limits.ResultBytes)
		defer stay.leave()
		if c.Helper != "" {
			e = r.help(ctx, c, stay)
		} else {
			e, durable = r.gate.call(ctx, c, stay)
		}
		r.deliver(ctx, e, durable, settle)
	})
}

// deliver journals a settlement and gives it to the script, one at a time. That of a write is on the
// disk before the script sees it.
func (r *run) deliver(ctx context.Context, e CallEntry, durable bool, settle func(Settlement)) {
	r.order.Lock()
	defer r.order.Unlock()
	r.clock = max(r.clock, cmp.Or(e.Now, r.service.Now().UnixMilli()))
	e.Now, e.Late = r.clock, r.over
	if e.Late {
		e.Result, e.BigInts = nil, nil // no replay delivers it
	}
	if err := r.record(ctx, EntrySettled, e, durable); err != nil {
		e = CallEntry{Seq: e.Seq, Err: r.unrecorded(e, err), Now: e.Now}
	}
	if !r.over {
		settle(e.settlement())
	}
}

// record journals an entry; durable ones, and those that fill the journal, are written at once.
func (r *run) record(ctx context.Context, kind EntryKind, data any, durable bool) error {
	full, err := r.journal.add(kind, data, !durable)
	if err == nil && (full || durable) {
		err = r.journal.flush(ctx)
	}
	return err
}

// unrecorded ends the run: what can't be recorded must not go on.
func (r *run) unrecorded(e CallEntry, err error) *Error {
	failed := *AsError(err)
	failed.Message = "the call was made but its outcome could not be recorded: " + failed.Message
	failed.Call, failed.Pos = e.Method, &e.At
	r.stop(ReasonUnavail, &failed)
	return &failed
}

// end says that the script has ended, and stops its timers.
func (r *run) end() {
	r.order.Lock()
	r.over = true
	r.order.Unlock()
	r.stopTimers()
}

// stop ends the run for a reason of the service's own; the first one stands.
func (r *run) stop(reason Reason, err *Error) {
	r.mu.Lock()
	if r.reason == NoReason {
		r.reason, r.err = reason, err
	}
	r.mu.Unlock()
	r.cancel()
}

// halt ends the run at quiescence: no further call begins, and those that have begun settle first.
func (r *run) halt(reason Reason, err *Error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.reason == NoReason {
		r.reason, r.err = reason, err
	}
	if !r.halting {
		r.halting = true
		r.hush()
	}
}

// enter lets a call begin; every call that was let in leaves.
func (r *run) enter() *Error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.halting {
		return Errorf(Cancelled, "the run is ending, since another call needs a decision")
	}
	r.active++
	return nil
}

func (r *run) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.active--
	r.hush()
}

// hush tells quiesce that nothing is going on any more. The caller holds the lock.
func (r *run) hush() {
	if r.halting && r.active == 0 {
		close(r.quiet)
	}
}

// quiesce holds back what a script would go on with while its run is halting, until no call is
// active; then the run ends.
func (r *run) quiesce(ctx context.Context) {
	r.mu.Lock()
	halting := r.halting
	r.mu.Unlock()
	if !halting {
		return
	}
	select {
	case <-r.quiet:
	case <-ctx.Done():
	}
	r.cancel()
}

func (r *run) stopped() (Reason, *Error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reason, r.err
}

// keep puts a call into the run's record.
func (r *run) keep(c CallRecord) {
	r.mu.Lock()
	r.calls = append(r.calls, c)
	if c.State == "refused" {
		r.refused++
	}
	tooMany := r.refused > maxRefused
	r.mu.Unlock()
	if tooMany {
		r.stop(ReasonCalls, Errorf(BudgetExhausted, "more than %d calls of the script were refused", maxRefused).
			WithHint("look at why the first one was refused; a loop that tries again is no help"))
	}
	if r.events.Call != nil {
		r.events.Call(c)
	}
}

// records are the calls in the order the script made them, steps behind their flow.
func (r *run) records() []CallRecord {
	r.mu.Lock()
	defer r.mu.Unlock()
	return sortedRecords(r.calls)
}

func sortedRecords(calls []CallRecord) []CallRecord {
	out := append([]CallRecord{}, calls...) // [] in JSON, also when there are none
	slices.SortStableFunc(out, func(a, b CallRecord) int { return cmp.Or(a.Seq-b.Seq, a.Step-b.Step) })
	return out
}

// Console implements Host.
func (r *run) Console(line ConsoleLine) {
	r.mu.Lock()
	r.console = append(r.console, line)
	r.mu.Unlock()
	if r.events.Console != nil && !r.past.playing() {
		r.events.Console(line)
	}
}

// Progress implements Host.
func (r *run) Progress(message string) {
	if r.waitOpen() != nil {
		return
	}
	if r.past.report(message) {
		return
	}
	if err := r.record(context.Background(), EntryProgress, progressed{message}, false); err != nil {
		r.stop(ReasonUnavail, AsError(err))
	}
	if r.events.Progress != nil {
		r.events.Progress(message)
	}
}

// progressed is the data of EntryProgress.
type progressed struct {
	Message string `json:"message"`
}

// Artifact implements Host. The bytes go to the store by their digest, where a repetition of the run finds
// them, and the run keeps none. A path written twice keeps the last.
func (r *run) Artifact(ctx context.Context, a ArtifactData) *Error {
	if err := r.clash(a.Path); err != nil {
		return err
	}
	kept := Artifact{Path: a.Path, MediaType: a.MediaType, Bytes: int64(len(a.Bytes)), SHA256: contract.Digest(a.Bytes)}
	if err := r.service.Store.PutBlob(ctx, kept.SHA256, a.Bytes); err != nil {
		return r.service.notKept(r.id, a.Path, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := slices.IndexFunc(r.artifacts, func(other Artifact) bool { return other.Path == a.Path }); i >= 0 {
		r.artifacts[i] = kept
	} else {
		r.artifacts = append(r.artifacts, kept)
	}
	return nil
}

// clash refuses a path that would make a folder of another artifact, or a file of its folder: the two
// could not be kept beside each other.
func (r *run) clash(path string) *Error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, other := range r.artifacts {
		if strings.HasPrefix(other.Path, path+"/") || strings.HasPrefix(path, other.Path+"/") {
			return Errorf(InvalidArgument, "the artifact path %.100q does not go with %.100q, which was written before", path, other.Path).
				WithHint("one would be the other's folder; use another name")
		}
	}
	return nil
}

// Room implements Host.
func (r *run) Room(ctx context.Context, bytes int64) (leave func(), err error) {
	stay := r.service.Room.enter(r.limits.ResultBytes)
	if err := stay.grow(ctx, bytes); err != nil {
		stay.leave()
		return nil, err
	}
	return stay.leave, nil
}

func (r *run) lines() []ConsoleLine {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.console
}

func (r *run) files() []Artifact {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.artifacts
}

// started is the data of a run's first journal entry.
type started struct {
	Principal       string            `json:"principal"`
	Agent           string            `json:"agent"`
	ScriptSHA256    string            `json:"script_sha256"`
	ContractsSHA256 string            `json:"contracts_sha256"`
	GrantsSHA256    string            `json:"grants_sha256"`
	InputsSHA256    map[string]string `json:"inputs_sha256,omitempty"`
	Check           string            `json:"check"`
	Seed            uint64            `json:"seed"`
	NowUnixMillis   int64             `json:"now_unix_ms"`
	Limits          Limits            `json:"limits"`
	Versions        map[string]string `json:"versions"`
}

func (st started) basis() Basis {
	inputs := maps.Clone(st.InputsSHA256)
	if inputs == nil {
		inputs = map[string]string{} // what a journal has of no inputs
	}
	return Basis{Script: st.ScriptSHA256, Inputs: digestOf(inputs), Contracts: st.ContractsSHA256}
}

func digestOf(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return valueDigest(raw)
}
