package main

// This file maps how things end to exit codes. The codes are an interface that stays.

import (
	"errors"

	"codemode/runtime"
)

const (
	exitFinished    = 0
	exitScript      = 1
	exitUsage       = 2
	exitCheck       = 3
	exitLimit       = 4
	exitDecision    = 5
	exitUnavailable = 6
)

// exitError ends the command with a code; an empty text prints nothing more.
type exitError struct {
	code int
	text string
}

func (e *exitError) Error() string { return e.text }

// codeOf is the exit code of an error: its own, that of a runtime error's code, or usage.
func codeOf(err error) int {
	var exit *exitError
	if errors.As(err, &exit) {
		return exit.code
	}
	var known *runtime.Error
	if errors.As(err, &known) {
		switch known.Code {
		case runtime.Unavailable, runtime.Internal:
			return exitUnavailable
		case runtime.NeedsDecision:
			return exitDecision
		case runtime.BudgetExhausted, runtime.Timeout, runtime.ResultTooLarge:
			return exitLimit
		case runtime.NotFound: // a run, receipt or store that is not there
			return exitUsage
		case runtime.RemoteFailed, runtime.Cancelled, runtime.Conflict, runtime.Refused,
			runtime.RateLimited, runtime.OutcomeUnknown, runtime.NotGranted, runtime.GrantExpired, runtime.ScriptFailed:
			return exitScript
		}
	}
	return exitUsage
}

// codeOfRun is the exit code of a run's reason.
func codeOfRun(r runtime.Result) int {
	switch {
	case r.State == runtime.Finished:
		return exitFinished
	case r.Reason == runtime.ReasonCheck:
		return exitCheck
	case r.Reason == runtime.ReasonDecision, r.State == runtime.Suspended:
		return exitDecision
	case r.Reason.Limit():
		return exitLimit
	case r.Reason == runtime.ReasonInput:
		return exitUsage
	case r.Reason == runtime.ReasonUnavail, r.Reason == runtime.ReasonInternal, r.Reason == runtime.ReasonWorker:
		return exitUnavailable
	}
	return exitScript
}

// failed says why a command could not do what was asked, with --json as a document too unless it has
// printed its own.
func (t *terminal) failed(err error) {
	t.say("codemode: %s", printable(err.Error(), 0))
	if !t.json || t.out.written > 0 || t.out.failed != nil {
		return
	}
	known := &runtime.Error{Code: runtime.InvalidArgument, Message: err.Error()}
	errors.As(err, &known)
	_ = t.printJSON(map[string]*runtime.Error{"error": known}) // its failure would be told by the exit code that stands anyway
}
