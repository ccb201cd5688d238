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

// Host is the service's side of a running worker. Its methods may be called concurrently.
type Host interface {
	// Call takes one call of the script and returns at once. It calls settle once for each call, or never
	// when the run ends first; never for two calls at a time, and in the order in which the script is to
	// see the settlements: that order is the run's history, and is what a replay repeats. A call
	// that waits for a person is settled as Pending first.
	Call(ctx context.Context, c StubCall, settle func(Settlement))
	// Console, Progress, Artifact take what the script put out, in order, within the limits. The error of
	// Artifact is that of the script's write.
	Console(ConsoleLine)
	Progress(message string)
	Artifact(ctx context.Context, a ArtifactData) *Error
	// Room waits until there is room for a file of so many bytes. Only then is it read from the worker; once
	// Artifact has had it, leave is called.
	Room(ctx context.Context, bytes int64) (leave func(), err error)
}

// Helper names what a script asks of the service itself, beside the capabilities under tools.
type Helper string

const (
	// HelperTimer waits. Args: {"ms": 20, "due": 1000020}, where due is the script's clock then, in Unix
	// milliseconds; the settlement's clock is due or later.
	HelperTimer Helper = "timer"
	// HelperAsk asks a person. Args: {"question": "...", "schema": {...}}; the result fits the schema.
	HelperAsk Helper = "ask"
	// HelperSearch finds granted methods. Args: {"query": "...", "limit": 5}; the result is a list of
	// {"name", "description", "declaration"}.
	HelperSearch Helper = "directory.search"
	// HelperSave keeps a value for a later run of the same task. Args: {"name": "...", "value": ...}.
	HelperSave Helper = "checkpoint.save"
	// HelperLoad brings it back. Args: {"name": "..."}; the result is {"value": ...}, or {} for none.
	HelperLoad Helper = "checkpoint.load"
	// HelperRead reads a part of a result that was too large. Args: {"handle": "...", "offset": 0, "bytes":
	// 65536}; the result is {"text": "...", "next": 65536, "bytes": 20000000}, without next at the end.
	HelperRead Helper = "results.read"
)

// StubCall is one call as it arrives from the script.
type StubCall struct {
	Seq    int             `json:"seq"` // from 1, in the order the script made them
	Helper Helper          `json:"helper,omitempty"`
	Method string          `json:"method,omitempty"` // "" for a helper
	Args   json.RawMessage `json:"args"`             // one JSON object; integers above 2^53 as digits
	At     Pos             `json:"at"`               // the author's line; zero for a timer
}

// Settlement is how a call came out. The worker delivers one a turn and drains the script's jobs
// before the next.
type Settlement struct {
	Result json.RawMessage // unset with Err
	// BigInts are JSON Pointers to the integers of Result that the declaration types as bigint.
	BigInts []string
	Err     *Error // thrown as a ToolError
	// Pending says that this call waits for a person, and settles later or in another process: when
	// nothing else is open, the script is suspended. Nothing else is set.
	Pending bool
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
	BundleSHA256 string
	// Settled is how many settlements the script took; where it was stopped, how many were sent.
	Settled int
	// Waiting are the numbers of the pending calls without which the script can't go on: it has neither
	// ended nor failed, and is resumed by replay once they are decided.
	Waiting          []int
	ConsoleTruncated bool
	CPUMillis        int64
	WallMillis       int64
	MemoryBytes      int64 // peak resident of the process
}
