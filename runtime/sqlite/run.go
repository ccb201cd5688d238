package sqlite

// This file holds a run as one row: what every operation reads first and writes last.

import (
	"context"
	"strings"
	"time"

	"codemode/runtime"
)

type run struct {
	id        int64
	runID     string
	state     runtime.State
	epoch     int64
	lease     string // until when it is held, "" for by nobody
	cancelled bool
	entries   int
	calls     int
}

func (c *conn) run(ctx context.Context, runID string) (*run, bool, error) {
	r := &run{runID: runID}
	found, err := c.get(ctx, `SELECT id, state, epoch, lease, cancelled, entries, calls FROM run WHERE run_id = ?`,
		[]any{runID}, &r.id, &r.state, &r.epoch, &r.lease, &r.cancelled, &r.entries, &r.calls)
	return r, found, err
}

func (c *conn) mustRun(ctx context.Context, runID string) (*run, error) {
	r, found, err := c.run(ctx, runID)
	if err == nil && !found {
		err = noRun(runID)
	}
	return r, err
}

func noRun(runID string) error {
	return runtime.Errorf(runtime.NotFound, "no run %s", quote(runID)).WithHint("give the id of a run; receipts list shows them")
}

func (c *conn) insertRun(ctx context.Context, record runtime.RunRecord, started time.Time) (*run, error) {
	at, err := encodeTime(started)
	if err != nil {
		return nil, err
	}
	deadline, err := encodeDeadline(record.Deadline)
	if err != nil {
		return nil, err
	}
	r := &run{runID: record.RunID, state: runtime.Running, epoch: 1}
	_, err = c.get(ctx, `INSERT INTO run (run_id, task, request, deadline, started, state, epoch, lease, cancelled, entries, calls)
		VALUES (?, ?, ?, ?, ?, ?, ?, '', 0, 0, 0) RETURNING id`,
		[]any{r.runID, record.Task, blob(record.Request), deadline, at, r.state, r.epoch}, &r.id)
	return r, err
}

func (c *conn) save(ctx context.Context, r *run) error {
	return c.exec(ctx, `UPDATE run SET state = ?, epoch = ?, lease = ?, cancelled = ?, entries = ?, calls = ? WHERE id = ?`,
		r.state, r.epoch, r.lease, r.cancelled, r.entries, r.calls, r.id)
}

// append numbers the entries, writes them, and saves the run.
func (c *conn) append(ctx context.Context, r *run, entries []runtime.Entry) error {
	for len(entries) > 0 {
		n := 1
		if len(entries) >= together {
			n = together
		}
		if err := c.insertEntries(ctx, r, entries[:n]); err != nil {
			return err
		}
		entries = entries[n:]
	}
	return c.save(ctx, r)
}

// together is how many entries one statement writes: a statement costs several times what a row does.
const together = 16

func (c *conn) insertEntries(ctx context.Context, r *run, entries []runtime.Entry) error {
	values := make([]any, 0, 5*len(entries))
	for _, e := range entries {
		at, err := encodeTime(e.At)
		if err != nil {
			return err
		}
		r.entries++
		if e.Kind == runtime.EntryCalled {
			r.calls++
		}
		values = append(values, r.id, r.entries, e.Kind, at, blob(e.Data))
	}
	const row = "(?, ?, ?, ?, ?)"
	return c.exec(ctx, "INSERT INTO entry (run, n, kind, at, data) VALUES "+row+strings.Repeat(", "+row, len(entries)-1), values...)
}

func (r *run) hold(now time.Time, lease time.Duration) { r.lease = sortable(now.Add(lease)) }

func (r *run) heldUntil(now time.Time) bool { return r.lease > sortable(now) }

// heldAt refuses all but the run's holder. A lease that has ended leaves the run to its holder until
// another process claims it: the epoch, not the clock, tells who holds it.
func (r *run) heldAt(epoch int64) error {
	switch {
	case r.epoch != epoch:
		return runtime.Errorf(runtime.Conflict, "run %s is held by epoch %d, not %d", quote(r.runID), r.epoch, epoch).
			WithHint("another process has taken the run over; leave it to that one")
	case r.state != runtime.Running:
		return r.not("nobody holds it")
	}
	return nil
}

// leave moves the run to a state in which nobody holds it.
func (r *run) leave(next runtime.State) error {
	if !r.state.CanBecome(next) {
		return r.not("it can't become " + string(next))
	}
	r.state, r.lease = next, ""
	return nil
}

// not says that the run is not in a state for it.
func (r *run) not(so string) error {
	return runtime.Errorf(runtime.Conflict, "run %s is %s: %s", quote(r.runID), r.state, so)
}

// ended reports a state that a run stays in.
func ended(s runtime.State) bool {
	switch s {
	case runtime.Finished, runtime.Failed, runtime.WasCancelled, runtime.Expired:
		return true
	}
	return false
}
