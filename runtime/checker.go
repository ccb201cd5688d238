package runtime

// This file holds what the pipeline asks of a type checker.

import "context"

// Checker type-checks a script against the declarations of what it was granted. Check returns
// Unavailable when no compiler can be had and Timeout when the script takes too long to check.
type Checker interface {
	Check(ctx context.Context, req CheckRequest) ([]Diagnostic, error)
}

// CheckRequest is one script and the types it may use. Nothing else exists for the checker.
type CheckRequest struct {
	Mode CheckMode
	// Script is the accepted script; diagnostics come back in the author's coordinates.
	Script Script
	// Declarations are ambient .d.ts files by name, the same set for every run of a directory.
	// Set changes whenever any of them does, so that a warm checker can keep what it knows.
	Declarations map[string]string
	Set          string
	// Granted is the small ambient .d.ts of this run that picks from Declarations.
	Granted string
}

// CheckMode says what blocks a run.
type CheckMode string

const (
	// CheckTools blocks what would misuse the granted surface and warns of loose local code.
	CheckTools CheckMode = "tools"
	// CheckStrict blocks every error of tsc --strict.
	CheckStrict CheckMode = "strict"
	// CheckOff runs without a checker.
	CheckOff CheckMode = "off"
)

// Diagnostic is one remark about a place in the script.
type Diagnostic struct {
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Column   int      `json:"column"` // UTF-16 units, from 1
	Code     string   `json:"code"`   // "TS2551", "CM001" ...
	Severity Severity `json:"severity"`
	Message  string   `json:"message"`
	Hint     string   `json:"hint,omitempty"`
	// Trace is the author's import that leads to File, where that is of a package.
	Trace []Pos `json:"trace,omitempty"`
	// Declaration is the declaration of the method misused, complete.
	Declaration string `json:"declaration,omitempty"`

	// Method is the "namespace.method" the diagnostic stands in, when the checker can tell; Missing
	// is the "namespace" or "namespace.method" that was asked for and does not exist in the types;
	// Unknown is a bare name that nobody declares. The pipeline fills Declaration and Hint from them.
	Method  string `json:"-"`
	Missing string `json:"-"`
	Unknown string `json:"-"`
}

// Severity orders diagnostics.
type Severity string

const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
)
