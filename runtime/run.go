package runtime

// This file holds one run while it goes: what its worker put out and what its calls became.

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

// runAccount is the account that every call of a run is charged to, beside its grant's.
const runAccount = "run"

// run is the host of one worker. It collects; the gate decides.
type run struct {
	id     string
	epoch  int64
	limits Limits
	gate   *gate
	cancel context.CancelFunc
	events Events

	mu        sync.Mutex
	reason    Reason // why the service stopped the run, before the worker said anything
	err       *Error
	active    int           // calls between their intent and their outcome
	halting   bool          // no further call is let in
	quiet     chan struct{} // closed when the run is halting and no call is active
	calls     []CallRecord
	inFlight  sync.WaitGroup
	console   []ConsoleLine
	artifacts []ArtifactData
}

// Events are told what happens while a run goes; each may be nil. Calls come from several goroutines
// at once, and one that was cancelled may come after the run's result.
type Events struct {
	Console  func(ConsoleLine)
	Progress func(message string)
	Call     func(CallRecord)
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

func (r *run) record(c CallRecord) {
	r.mu.Lock()
	r.calls = append(r.calls, c)
	r.mu.Unlock()
	if r.events.Call != nil {
		r.events.Call(c)
	}
}

// records are the calls in the order the script made them, steps behind their flow.
func (r *run) records() []CallRecord {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := append([]CallRecord{}, r.calls...) // [] in JSON, also when there are none
	slices.SortStableFunc(out, func(a, b CallRecord) int { return cmp.Or(a.Seq-b.Seq, a.Step-b.Step) })
	return out
}

// Call implements Host.
func (r *run) Call(ctx context.Context, c StubCall) Settlement {
	r.inFlight.Add(1)
	defer r.inFlight.Done()
	return r.gate.call(ctx, c)
}

// Console implements Host.
func (r *run) Console(line ConsoleLine) {
	r.mu.Lock()
	r.console = append(r.console, line)
	r.mu.Unlock()
	if r.events.Console != nil {
		r.events.Console(line)
	}
}

// Progress implements Host.
func (r *run) Progress(message string) {
	if r.events.Progress != nil {
		r.events.Progress(message)
	}
}

// Artifact implements Host. A path written twice keeps the last bytes; one that would make a folder
// of another artifact, or a file of its folder, could not be kept beside it and is refused.
func (r *run) Artifact(a ArtifactData) *Error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.artifacts {
		other := r.artifacts[i].Path
		if other == a.Path {
			r.artifacts[i] = a
			return nil
		}
		if strings.HasPrefix(other, a.Path+"/") || strings.HasPrefix(a.Path, other+"/") {
			return Errorf(InvalidArgument, "the artifact path %.100q does not go with %.100q, which was written before", a.Path, other).
				WithHint("one would be the other's folder; use another name")
		}
	}
	r.artifacts = append(r.artifacts, a)
	return nil
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

func digestOf(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return valueDigest(raw)
}
