// Package runtime is the domain: what a run, a call, a grant, a budget and a receipt are, and the
// pipeline that takes a script to its result.
//
//	service := runtime.Service{Surface: surface, Accept: accept, Checker: checker, Workers: pool, ...}
//	result := service.Run(ctx, runtime.Request{Sources: files, Grants: grants})
//	// result.State == runtime.Finished, result.Result == the script's JSON
//
// A script is accepted, checked, bundled and run in that order; every call it makes passes the Gate.
// The package imports the standard library and the contract leaf only: what it needs of a parser, a
// compiler, a process, a store or a network stands here as small interfaces, and package assemble wires
// them.
package runtime

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"log/slog"
	"slices"
	"time"

	"codemode/directory/contract"
)

// Service runs scripts on one directory.
type Service struct {
	Surface    Surface
	Checker    Checker // nil runs only requests with CheckOff
	Workers    Workers
	Invoker    Invoker
	Validator  Validator
	Conditions Conditions
	Store      Store
	// Accept makes a script of its source files, within the limits of a run. Its errors carry code
	// InvalidArgument and, where there is one, a place; the Reason tells a limit from bad input.
	Accept func(files []Source, limits Limits) (Script, Reason, *Error)
	// Link adds to a script the files of the packages that it imports; nil means that there are none.
	Link func(Script) Script
	// Search finds methods among the granted, for directory.search; nil means that there is none.
	Search func(ctx context.Context, query string, limit int, granted []string) []Found
	// Maximum bounds what grants may give: the server's own level. A dimension that it does not name has
	// the default of its ceiling.
	Maximum  Budget
	Versions map[string]string // of codemode, typescript, esbuild, goja
	Log      *slog.Logger      // private: causes of internal errors; nil discards
	Now      func() time.Time  // the clock

	Room    *Room    // for large values of all runs; nil is without end
	Digests *Digests // of granted contracts; nil makes each anew
}

// Request is one script to run, with what it may use.
type Request struct {
	Sources []Source // the first is the entry
	Inputs  []Input
	Grants  []Grant
	Check   CheckMode // "" means CheckTools
	// Task names the durable unit that this is an attempt at: its checkpoints are those of earlier
	// attempts. "" is a task of this run alone.
	Task string
	// Budget is the task's own: of each dimension the lowest of grant, task and server holds.
	Budget Budget
	Events Events
}

// Result is how a run ended. Its JSON form is an interface that stays.
type Result struct {
	RunID       string          `json:"run_id"`
	State       State           `json:"state"`
	Reason      Reason          `json:"reason"`
	Error       *Error          `json:"error,omitempty"`
	Result      json.RawMessage `json:"result"`
	Diagnostics []Diagnostic    `json:"diagnostics"`
	Calls       []CallRecord    `json:"calls"`
	Usage       Usage           `json:"usage"`
	Artifacts   []Artifact      `json:"artifacts"`
	Console     []ConsoleLine   `json:"console"`
	Truncated   Truncated       `json:"truncated"`
	Receipt     string          `json:"receipt"`
	// Questions are what a suspended run waits for.
	Questions []Question `json:"questions,omitempty"`

	// Sources are the files that places in this result may stand in: the author's, and those of packages that
	// were linked to them.
	Sources []Source `json:"-"`
}

// Run takes one script from its text to its receipt. All that goes wrong is in the Result.
func (s *Service) Run(ctx context.Context, req Request) (result Result) {
	result = newResult(s.Now())
	result.Sources = req.Sources
	defer func() { s.logFailure(result) }()
	script, authority, reason, err := s.prepare(ctx, req, &result)
	if err != nil {
		return result.fail(reason, err)
	}
	if err := s.execute(ctx, s.script(req, script, authority), authority, &result); err != nil {
		return result.fail(reasonOf(err), err)
	}
	return result
}

// Check accepts and type-checks a script without running it.
func (s *Service) Check(ctx context.Context, req Request) (result Result) {
	result = newResult(s.Now())
	result.Sources = req.Sources
	defer func() { s.logFailure(result) }()
	if _, _, reason, err := s.prepare(ctx, req, &result); err != nil {
		return result.fail(reason, err)
	}
	result.State = Finished
	return result
}

// prepare is all that comes before anything happens: see what the script may do, accept it, check it.
func (s *Service) prepare(ctx context.Context, req Request, result *Result) (Script, authority, Reason, *Error) {
	a, err := s.authority(req.Grants, req.Budget)
	if err != nil {
		return Script{}, a, ReasonInput, err
	}
	script, reason, err := s.Accept(req.Sources, a.limits)
	if err != nil {
		return script, a, reason, err
	}
	reason, err = s.check(ctx, req, script, a, result)
	return script, a, reason, err
}

func newResult(now time.Time) Result {
	return Result{
		RunID: NewID("run", now), State: Prepared, Result: json.RawMessage("null"), Diagnostics: []Diagnostic{},
		Calls: []CallRecord{}, Artifacts: []Artifact{}, Console: []ConsoleLine{},
	}
}

func (r Result) fail(reason Reason, err *Error) Result {
	r.State, r.Reason, r.Error = Failed, reason, err
	if reason == ReasonCancelled {
		r.State = WasCancelled
	}
	return r
}

// reasonOf is the reason of a run that the service itself could not carry on.
func reasonOf(err *Error) Reason {
	switch err.Code {
	case CheckFailed:
		return ReasonCheck
	case Cancelled:
		return ReasonCancelled
	case Internal:
		return ReasonInternal
	case InvalidArgument:
		return ReasonInput
	}
	return ReasonUnavail
}

// authority is what a run's grants come to.
type authority struct {
	grants   []boundGrant
	methods  map[string]contract.Contract
	names    []string // sorted
	limits   Limits
	accounts map[string]Budget
	digest   string
	remarks  []Diagnostic // what about the grants is surely not meant
}

// check runs the checker and fills the diagnostics with what the surface knows of them.
func (s *Service) check(ctx context.Context, req Request, script Script, a authority, result *Result) (Reason, *Error) {
	result.Diagnostics = append(silence(script), a.remarks...)
	if req.Check == CheckOff {
		return NoReason, nil
	}
	if s.Checker == nil {
		return ReasonUnavail, Errorf(Unavailable, "there is no type checker").WithHint("use --check=off to run without one")
	}
	mode := req.Check
	if mode == "" {
		mode = CheckTools
	}
	found, err := s.Checker.Check(ctx, CheckRequest{
		Mode: mode, Script: script, Declarations: s.Surface.Declarations, Set: s.Surface.Set,
		Granted: s.Surface.Granted(a.names, inputNames(req.Inputs), s.InForce(req.Grants, req.Budget).Lines()),
	})
	if err != nil {
		return checkReason(AsError(err)), AsError(err)
	}
	result.Diagnostics = append(s.explain(found, script, a), result.Diagnostics...)
	for _, d := range result.Diagnostics {
		if d.Severity == SeverityError {
			err := Errorf(CheckFailed, "%s", d.Message).WithHint("nothing ran; mend the script and send it again")
			err.Pos = &Pos{File: d.File, Line: d.Line, Column: d.Column}
			return ReasonCheck, err
		}
	}
	return NoReason, nil
}

// silence warns the author of a script whose result can only be null.
func silence(script Script) []Diagnostic {
	if !script.Silent {
		return []Diagnostic{}
	}
	return []Diagnostic{{
		File: script.Entry, Line: 1, Column: 1, Code: "CM002", Severity: SeverityWarning,
		Message: "nothing says what the result is, so it is null", Hint: "end the script with return, or export default",
	}}
}

func checkReason(err *Error) Reason {
	if err.Code == Timeout {
		return ReasonCheckTime
	}
	return reasonOf(err)
}

func inputNames(inputs []Input) []string {
	names := make([]string, len(inputs))
	for i, in := range inputs {
		names[i] = in.Name
	}
	slices.Sort(names)
	return names
}

func (s *Service) contractByKey(key, operation string) (contract.Contract, bool) {
	for _, c := range s.Surface.Contracts {
		if c.Key == key && c.Operation == operation {
			return c, true
		}
	}
	return contract.Contract{}, false
}

// logFailure writes the cause that no script, agent or receipt gets to see.
func (s *Service) logFailure(r Result) {
	if s.Log != nil && r.Error != nil && r.Error.Cause != nil {
		s.Log.Error("run failed", "run", r.RunID, "reason", r.Reason, "error", r.Error.Message, "cause", r.Error.Cause)
	}
}

// logCause does the same for a call, whose error the script may have caught.
func (s *Service) logCause(runID string, c CallRecord, err *Error) {
	if s.Log != nil && err != nil && err.Cause != nil {
		s.Log.Error("call failed", "run", runID, "call", c.CallID, "method", c.Method, "error", err.Message, "cause", err.Cause)
	}
}

func newSeed() uint64 {
	var b [8]byte
	rand.Read(b[:]) // never fails since Go 1.24
	return binary.LittleEndian.Uint64(b[:])
}
