package runtime

// This file holds the journal of a run as its holder writes it: entries are put in order in memory and
// reach the store in batches. What was recorded before a write's intent is durable with it; what only
// reads did may reach the disk later, since it can be repeated.

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

const (
	// flushEvery bounds how long an entry waits in memory.
	flushEvery = 100 * time.Millisecond
	// flushBytes and flushEntries bound how much waits there.
	flushBytes   = 1 << 20
	flushEntries = 512
)

type journal struct {
	store Runs
	runID string
	epoch int64
	now   func() time.Time

	mu      sync.Mutex
	pending []Entry
	bytes   int

	writing sync.Mutex // held while a batch is written: batches reach the store in order
	batches int
	failed  error // the first write that failed; nothing is written after it
}

// add puts an entry behind those that are there. It writes nothing; a journal that has much to write
// says so.
func (j *journal) add(kind EntryKind, data any, relaxed bool) (full bool, err error) {
	raw, err := json.Marshal(data)
	if err != nil {
		return false, err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.pending = append(j.pending, Entry{Kind: kind, At: j.now(), Data: raw, Relaxed: relaxed})
	j.bytes += len(raw)
	return j.bytes >= flushBytes || len(j.pending) >= flushEntries, nil
}

// flush writes what waits. It returns the error of an earlier flush too: with a hole in it a journal is
// none.
func (j *journal) flush(ctx context.Context) error {
	j.writing.Lock()
	defer j.writing.Unlock()
	if j.failed != nil {
		return j.failed
	}
	batch := j.take()
	if len(batch) == 0 {
		return nil
	}
	j.batches++
	j.failed = j.store.Append(context.WithoutCancel(ctx), j.op("append", j.batches), j.runID, j.epoch, batch...)
	return j.failed
}

// close takes what waits, for the operation that ends the run's hold and journals it.
func (j *journal) close() ([]Entry, error) {
	j.writing.Lock()
	defer j.writing.Unlock()
	return j.take(), j.failed
}

func (j *journal) take() []Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	batch := j.pending
	j.pending, j.bytes = nil, 0
	return batch
}

// op names an operation of this holder.
func (j *journal) op(what string, n int) string {
	return fmt.Sprintf("%s/%d/%s/%d", j.runID, j.epoch, what, n)
}

// keepFlushing writes what waits from time to time, until ctx ends.
func (j *journal) keepFlushing(ctx context.Context, failed func(error)) {
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := j.flush(ctx); err != nil {
				failed(err)
				return
			}
		}
	}
}

// CallEntry is the data of EntryCalled and EntrySettled: one call of the script, or a step of a flow.
type CallEntry struct {
	Seq    int    `json:"seq"`
	Helper Helper `json:"helper,omitempty"`
	Method string `json:"method,omitempty"`
	// ArgsSHA256 is over the canonical arguments, as in CallRecord.
	ArgsSHA256 string `json:"arguments_sha256"`
	At         Pos    `json:"at,omitzero"`
	// Args are those of a question only: a person has to see them.
	Args json.RawMessage `json:"args,omitempty"`
	// Record is that of a capability's call, Step and Parent included.
	Record *CallRecord `json:"call,omitempty"`

	// How it was settled. Now is the script's clock from then on; Late marks one that came after the
	// script's end and was not delivered.
	Result  json.RawMessage `json:"result,omitempty"`
	BigInts []string        `json:"bigints,omitempty"`
	Err     *Error          `json:"error,omitempty"`
	Now     int64           `json:"now_unix_ms,omitempty"`
	Late    bool            `json:"late,omitempty"`
}

func entryOf(c StubCall) CallEntry {
	e := CallEntry{Seq: c.Seq, Helper: c.Helper, Method: c.Method, ArgsSHA256: argsDigest(c.Args), At: c.At}
	if c.Helper == HelperAsk {
		e.Args = c.Args
	}
	return e
}

func (e CallEntry) settlement() Settlement {
	return Settlement{Result: e.Result, BigInts: e.BigInts, Err: e.Err, NowUnixMillis: e.Now}
}

// isStep reports an entry of a flow's step, which the script does not see.
func (e CallEntry) isStep() bool { return e.Record != nil && e.Record.Step > 0 }
