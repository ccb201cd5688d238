package runtime

// This file holds what the runtime asks of a store. Each method is one atomic operation.

import (
	"context"
	"encoding/json"
	"time"
)

// Store keeps runs, their journals, checkpoints and receipts. Errors: Conflict (the run exists, the
// epoch is not the run's, its state does not allow it), NotFound, Unavailable (locked, full, gone: with
// what to do). A method that returned nil is durable, but for entries marked Relaxed. op, unique within a
// run or a checkpoint's task, makes a repeated operation a no-op that returns what the first returned;
// the same op for another operation is Conflict. Times are the store's own clock, so that machines that share it agree.
type Store interface {
	Runs
	Records
	Checkpoints
	Close() error
}

// Runs moves runs through their states. A run is held by one process at a time: the epoch (1, 2 ...) fences
// off a holder once another has claimed the run, which it can when the lease has ended. A holder whose
// lease has ended and whose run nobody claimed (its machine slept) goes on holding it.
type Runs interface {
	// Start records a new run in state running, held at epoch 1, and journals its first entries.
	Start(ctx context.Context, op string, run RunRecord, lease time.Duration, entries ...Entry) error
	// Append journals entries of a run that the caller holds, in order. It waits for the disk unless every
	// entry is Relaxed.
	Append(ctx context.Context, op, runID string, epoch int64, entries ...Entry) error
	// Suspend journals entries, gives the lease up and leaves the run in state suspended.
	Suspend(ctx context.Context, op, runID string, epoch int64, entries ...Entry) error
	// Finish journals entries and EntryFinished, moves the run to its last state and keeps the receipt.
	Finish(ctx context.Context, op string, epoch int64, r Receipt, entries ...Entry) error

	// Claim takes a run that nobody holds (it is suspended, or its holder's lease has ended) to state
	// running under the next epoch, which it returns. Conflict when it is held, or has ended.
	Claim(ctx context.Context, op, runID string, lease time.Duration) (int64, error)
	// Renew lengthens the lease of the run's holder and reports whether Cancel was called.
	Renew(ctx context.Context, runID string, epoch int64, lease time.Duration) (cancelled bool, err error)
	// Cancel asks for the end of a run that has not ended; its holder, or who claims it next, ends it.
	Cancel(ctx context.Context, op, runID string) error
	// Answer journals an entry from outside in a run that has not ended: the answer to a question.
	Answer(ctx context.Context, op, runID string, e Entry) error
}

// Records reads what is kept.
type Records interface {
	// Run returns a run's record and where it stands. NotFound for an id that names none.
	Run(ctx context.Context, runID string) (RunStatus, error)
	// Overdue returns, the longest overdue first and at most limit, runs that nobody holds, have not ended, and whose
	// deadline has passed.
	Overdue(ctx context.Context, limit int) ([]string, error)
	// Journal returns a run's entries in order.
	Journal(ctx context.Context, runID string) ([]Entry, error)
	// Receipt returns one by receipt id or run id. NotFound tells a run without a receipt, which
	// did not end (it is still running, or its process died), from an id that names nothing.
	Receipt(ctx context.Context, id string) (Receipt, error)
	// Receipts lists the runs in the order they were started, newest first, at most limit. A run
	// without a receipt stands among the others with ReceiptID "", the state that it is in, and as
	// many calls as its journal has begun.
	Receipts(ctx context.Context, limit int) ([]ReceiptSummary, error)
}

// Checkpoints keeps values of a task between its runs, and the bytes of inputs, artifacts, and results that
// were too large.
type Checkpoints interface {
	// SaveCheckpoint keeps the value under the task and name, in the place of an earlier one. The caller
	// holds the run that it says it is of: one that lost it would put an older value in the place of a newer.
	SaveCheckpoint(ctx context.Context, op string, epoch int64, c Checkpoint) error
	// Checkpoint returns it; NotFound when there is none.
	Checkpoint(ctx context.Context, task, name string) (Checkpoint, error)
	// PutBlob keeps bytes under their digest ("sha256:<hex>"), which it verifies. Keeping the same bytes
	// twice is no error.
	PutBlob(ctx context.Context, digest string, bytes []byte) error
	// Blob returns them; NotFound when there are none.
	Blob(ctx context.Context, digest string) ([]byte, error)
}

// RunRecord opens a run.
type RunRecord struct {
	RunID string `json:"run_id"`
	Task  string `json:"task,omitempty"`
	// Request is what the run is made of, as JSON, for the process that resumes it.
	Request json.RawMessage `json:"request"`
	// Deadline is when a run that has not ended expires; zero for never.
	Deadline time.Time `json:"deadline,omitzero"`
}

// RunStatus is a run's record and where it stands.
type RunStatus struct {
	RunRecord
	State State `json:"state"`
	Epoch int64 `json:"epoch"`
	// Held says that a holder's lease has not ended.
	Held bool `json:"held"`
	// Cancelled says that its end was asked for.
	Cancelled bool `json:"cancelled"`
}

// Checkpoint is a value that a script saved, with the digest of what it was made under.
type Checkpoint struct {
	Task  string          `json:"task"` // under its principal: "user:ana/import"
	Name  string          `json:"name"`
	RunID string          `json:"run_id"`
	Basis Basis           `json:"basis"`
	Value json.RawMessage `json:"value"`
	At    time.Time       `json:"at"`
}

// Basis are the digests that a checkpoint is valid under.
type Basis struct {
	Script    string `json:"script_sha256"`
	Inputs    string `json:"inputs_sha256"`
	Contracts string `json:"contracts_sha256"`
}

// EntryKind is the kind of a journal entry.
type EntryKind string

const (
	EntryStarted    EntryKind = "started"
	EntryCalled     EntryKind = "called"
	EntrySettled    EntryKind = "settled"
	EntryProposed   EntryKind = "proposed"
	EntryAnswered   EntryKind = "answered"  // a person answered a question
	EntrySuspended  EntryKind = "suspended" // the script waits for answers
	EntryResumed    EntryKind = "resumed"   // another process took the run over
	EntryCheckpoint EntryKind = "checkpoint"
	EntryProgress   EntryKind = "progress"
	EntryFinished   EntryKind = "finished"
)

// Entry is one line of a journal. The store numbers entries of a run from 1.
type Entry struct {
	N    int             `json:"n"`
	Kind EntryKind       `json:"kind"`
	At   time.Time       `json:"at"`
	Data json.RawMessage `json:"data"`
	// Relaxed lets the store not wait for the disk: what it acknowledges survives the death of the
	// process, and that of the machine once a later operation that is not relaxed returned. For what may
	// be repeated, such as reads; never for the intent of a write.
	Relaxed bool `json:"-"`
}
