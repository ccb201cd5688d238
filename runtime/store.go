package runtime

// This file holds what the runtime asks of a store. Each method is one atomic operation.

import (
	"context"
	"encoding/json"
	"time"
)

// Store keeps runs, their journals, budgets and receipts. Errors: Conflict (the run exists, the
// epoch is not the run's), NotFound, BudgetExhausted, Unavailable (locked, full, gone: with what to
// do). A method that returned nil is durable. OperationID makes a repeated call a no-op that
// returns what the first returned.
type Store interface {
	// Start records a new run with its budgets and journals EntryStarted.
	Start(ctx context.Context, op string, run RunRecord) error
	// BeginCall reserves the charge in every named account and journals the intent, or does neither.
	BeginCall(ctx context.Context, op string, in CallIntent) (Balance, error)
	// EndCall settles the charge, returns what was not used, and journals the outcome.
	EndCall(ctx context.Context, op string, out CallOutcome) (Balance, error)
	// Append journals other entries of a run, in order.
	Append(ctx context.Context, op, runID string, epoch int64, entries ...Entry) error
	// Finish moves the run to its last state, journals EntryFinished and keeps the receipt.
	Finish(ctx context.Context, op string, epoch int64, r Receipt) error

	// Journal returns a run's entries in order.
	Journal(ctx context.Context, runID string) ([]Entry, error)
	// Receipt returns one by receipt id or run id. NotFound tells a run without a receipt, which
	// did not end (it is still running, or its process died), from an id that names nothing.
	Receipt(ctx context.Context, id string) (Receipt, error)
	// Receipts lists the runs in the order they were started, newest first, at most limit. A run
	// without a receipt stands among the others with ReceiptID "", the state that it is in, and as
	// many calls as its journal has begun.
	Receipts(ctx context.Context, limit int) ([]ReceiptSummary, error)
	Close() error
}

// RunRecord opens a run.
type RunRecord struct {
	RunID string `json:"run_id"`
	Epoch int64  `json:"epoch"` // fencing: a later holder of the run's lease has a larger one
	// Accounts are the run's budgets by account name ("grant:0", "run").
	Accounts map[string]Budget `json:"accounts"`
	Started  Entry             `json:"started"`
}

// CallIntent is journaled before the effect.
type CallIntent struct {
	RunID, CallID string
	Epoch         int64
	Seq           int
	Method        string
	// Accounts are charged Charge each, all or none.
	Accounts []string
	Charge   map[Dimension]int64
	Entry    Entry // EntryCalled
	// Relaxed lets the store not wait for the disk: what it acknowledges survives the death of the
	// process, and that of the machine once a later operation that is not relaxed returned. For
	// reads, which may be repeated; never for the intent of a write.
	Relaxed bool
}

// CallOutcome is journaled after it.
type CallOutcome struct {
	RunID, CallID string
	Epoch         int64
	Accounts      []string
	// Release gives back what was reserved and not used; Charge adds what was used beyond it.
	Release map[Dimension]int64
	Charge  map[Dimension]int64
	Entry   Entry // EntrySettled
	Relaxed bool  // as in CallIntent
}

// Balance is what is left in each charged account, by account and dimension.
type Balance map[string]Budget

// EntryKind is the kind of a journal entry.
type EntryKind string

const (
	EntryStarted    EntryKind = "started"
	EntryCalled     EntryKind = "called"
	EntrySettled    EntryKind = "settled"
	EntryProposed   EntryKind = "proposed"
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
}
