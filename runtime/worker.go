package runtime

// This file holds what the pipeline asks of the process that runs a script.

import (
	"context"
	"encoding/json"
)

// Workers runs scripts, each in a process of its own that holds one VM for one run and is never
// reused. Run returns an error only when no worker could be had (Unavailable); all that the script
// itself did is in the Outcome. When ctx ends the worker is killed. No process outlives Run.
type Workers interface {
	Run(ctx context.Context, p Program, host Host) (Outcome, error)
}

// Program is all a worker gets to know.
type Program struct {
	RunID  string
	Script Script
	// Methods are the granted "namespace.method" names; nothing else becomes a stub.
	Methods []string
	Inputs  []Input
	Limits  Limits
	// Seed feeds the script's random source; NowUnixMillis is its clock until the first settlement.
	Seed          uint64
	NowUnixMillis int64
}

// Input is one input file, readable by the script under its name.
type Input struct {
	Name   string `json:"name"`
	Bytes  []byte `json:"-"`
	SHA256 string `json:"sha256"` // "sha256:<hex>"
}

// Limits bound one run. A zero limit means the worker's default, never unlimited.
type Limits struct {
	WallMillis      int64 // from start of bundling to the result; default 30,000
	MemoryBytes     int64 // of the worker's data segment, the VM and bundler included; default 256 MiB
	StackFrames     int   // default 800
	ConcurrentCalls int   // default 8; further calls wait
	ArgumentBytes   int64 // of one call; default 1 MiB
	ResultBytes     int64 // of one call's result; default 8 MiB
	OutputBytes     int64 // the script's own result; default 1 MiB
	ConsoleBytes    int64 // default 256 KiB; what is past it is dropped and flagged
	ConsoleLines    int   // default 1,000
	ArtifactBytes   int64 // all together; default 64 MiB
	ArtifactCount   int   // default 100
}

// WithDefaults returns the limits with the defaults in place of those that are not above zero.
func (l Limits) WithDefaults() Limits {
	l.WallMillis, l.MemoryBytes = positive(l.WallMillis, 30_000), positive(l.MemoryBytes, 256<<20)
	l.StackFrames, l.ConcurrentCalls = positive(l.StackFrames, 800), positive(l.ConcurrentCalls, 8)
	l.ArgumentBytes, l.ResultBytes = positive(l.ArgumentBytes, 1<<20), positive(l.ResultBytes, 8<<20)
	l.OutputBytes = positive(l.OutputBytes, 1<<20)
	l.ConsoleBytes, l.ConsoleLines = positive(l.ConsoleBytes, 256<<10), positive(l.ConsoleLines, 1000)
	l.ArtifactBytes, l.ArtifactCount = positive(l.ArtifactBytes, 64<<20), positive(l.ArtifactCount, 100)
	return l
}

func positive[N int | int64](n, otherwise N) N {
	if n <= 0 {
		return otherwise
	}
	return n
}

// WallExceeded is the error of a script that ran longer than it may.
func (l Limits) WallExceeded() *Error {
	return Errorf(Timeout, "the script ran longer than %d ms", l.WallMillis).
		WithHint("do less in one run, or ask for a larger wall_ms")
}

// MemoryExceeded is the error of a script that needs more memory than it may have.
func (l Limits) MemoryExceeded() *Error {
	return Errorf(ScriptFailed, "the script needs more memory than its %d MiB", l.MemoryBytes>>20).
		WithHint("work in smaller parts, or ask for a larger memory_bytes")
}

// Host is the service's side of a running worker. Its methods may be called concurrently.
type Host interface {
	// Call performs one capability call and returns what the script gets to see.
	Call(ctx context.Context, c StubCall) Settlement
	// Console, Progress, Artifact take what the script put out, in order, within the limits.
	Console(ConsoleLine)
	Progress(message string)
	Artifact(ArtifactData) *Error
}

// StubCall is one call as it arrives from the script.
type StubCall struct {
	Seq    int             `json:"seq"` // from 1, in the order the script made them
	Method string          `json:"method"`
	Args   json.RawMessage `json:"args"` // one JSON object; integers above 2^53 as digits
	At     Pos             `json:"at"`   // the author's line
}

// Settlement is how a call came out. The worker delivers one a turn and drains the script's jobs
// before the next.
type Settlement struct {
	Result json.RawMessage // unset with Err
	// BigInts are JSON Pointers to the integers of Result that the declaration types as bigint.
	BigInts []string
	Err     *Error // thrown as a ToolError
	// NowUnixMillis is the script's clock from this settlement on.
	NowUnixMillis int64
}

// ConsoleLine is one console call of the script.
type ConsoleLine struct {
	Level string `json:"level"` // log info warn error debug
	Text  string `json:"text"`
	At    Pos    `json:"at"`
}

// ArtifactData is one file the script wrote.
type ArtifactData struct {
	Path      string
	MediaType string
	Bytes     []byte
}

// Outcome is how the script ended.
type Outcome struct {
	// Result is the script's result as JSON; "null" when it returned nothing. Set only without Err.
	Result json.RawMessage
	Reason Reason
	// Err is set for every Reason but none: its Pos is in the author's coordinates.
	Err *Error
	// Diagnostics are the bundler's: syntax errors, imports that do not exist, with their place.
	Diagnostics []Diagnostic
	// BundleSHA256 is the digest of the code that ran; "" if bundling failed.
	BundleSHA256     string
	ConsoleTruncated bool
	CPUMillis        int64
	WallMillis       int64
	MemoryBytes      int64 // peak resident of the process
}
