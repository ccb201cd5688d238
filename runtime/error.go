package runtime

// This file holds the one error that leaves the runtime. A model reads it: it is product text.

import (
	"errors"
	"fmt"
	"strings"
)

// Code is the closed set of reasons an operation did not do what was asked.
type Code string

const (
	InvalidArgument Code = "invalid_argument"
	NotGranted      Code = "not_granted"
	GrantExpired    Code = "grant_expired"
	BudgetExhausted Code = "budget_exhausted"
	NeedsDecision   Code = "needs_decision"
	Conflict        Code = "conflict"
	NotFound        Code = "not_found"
	Refused         Code = "refused"
	RateLimited     Code = "rate_limited"
	RemoteFailed    Code = "remote_failed"
	Unavailable     Code = "unavailable"
	Timeout         Code = "timeout"
	Cancelled       Code = "cancelled"
	OutcomeUnknown  Code = "outcome_unknown"
	ResultTooLarge  Code = "result_too_large"
	ScriptFailed    Code = "script_failed"
	CheckFailed     Code = "check_failed"
	Internal        Code = "internal"
)

// Known reports one of the codes above.
func (c Code) Known() bool {
	switch c {
	case InvalidArgument, NotGranted, GrantExpired, BudgetExhausted, NeedsDecision, Conflict, NotFound, Refused, RateLimited,
		RemoteFailed, Unavailable, Timeout, Cancelled, OutcomeUnknown, ResultTooLarge, ScriptFailed, CheckFailed, Internal:
		return true
	}
	return false
}

// CodeOfStatus tells what an HTTP status that is no success means for a caller (RFC 9110, RFC 6585).
func CodeOfStatus(status int) Code {
	switch status {
	case 404, 410:
		return NotFound
	case 409, 412:
		return Conflict
	case 429:
		return RateLimited
	}
	return RemoteFailed
}

// Error is what a caller, and through ToolError a script, gets to see. Message is lower case and
// says what happened; Hint says what to do.
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	// Pos is where in the author's script the failing thing stands.
	Pos *Pos `json:"at,omitempty"`
	// Trace is how the script came to Pos where that stands in a package: the calls from there outward, up to
	// the author's own; where the stack has none of the author's (a callback, an await of several), the import.
	Trace []Pos `json:"trace,omitempty"`
	// Call is the method called, "" outside a call.
	Call string `json:"method,omitempty"`
	// Status is the destination's own status (an HTTP status), 0 for none.
	Status int `json:"status,omitempty"`
	// Detail is the destination's own words, capped and scrubbed of secrets.
	Detail string `json:"detail,omitempty"`

	// Handle names a result that was too large for the script, for results.read.
	Handle string `json:"handle,omitempty"`

	// Cause never leaves the process: it goes to the private log only.
	Cause error `json:"-"`
}

// Errorf makes an Error with a formatted message.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// WithHint returns e with the hint set.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// WithCause returns e with the cause set.
func (e *Error) WithCause(err error) *Error {
	e.Cause = err
	return e
}

func (e *Error) Error() string {
	s := string(e.Code) + ": " + e.Message
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

func (e *Error) Unwrap() error { return e.Cause }

// AsError returns err as an *Error. One of our own making that is not an Error becomes Internal
// with a fixed text, so that nothing of the service's inside reaches a script.
func AsError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return Errorf(Internal, "the service failed").WithHint("try again; the operator finds the cause in the log").WithCause(err)
}

// Pos is a place in a file of the author's script: line and column count from 1, the column in
// UTF-16 units as editors and TypeScript count.
type Pos struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// InPackage reports a place in a package's file, which is not the author's.
func (p Pos) InPackage() bool { return strings.HasPrefix(p.File, PackagesFolder) }

// PosIn is the place at a byte offset in a text; its file is not said.
func PosIn(text string, offset int) Pos {
	before := text[:offset]
	tail := before[strings.LastIndexByte(before, '\n')+1:]
	return Pos{Line: 1 + strings.Count(before, "\n"), Column: 1 + units(tail)}
}
