package sqlite

// This file holds the operations on runs: each one transaction.

import (
	"context"
	"time"

	"codemode/runtime"
)

// Start records a new run, held at epoch 1. It waits for the disk only when an entry demands it: a run
// that has done nothing may be started anew. See runtime.Runs.
func (s *Store) Start(ctx context.Context, op string, record runtime.RunRecord, lease time.Duration, entries ...runtime.Entry) error {
	do := operation{id: op, scope: runScope(record.RunID), doing: "start the run", relaxed: allRelaxed(entries)}
	if err := wellFormed(do, ids{"run": record.RunID}, entries...); err != nil {
		return err
	}
	if err := validRecord(record, lease); err != nil {
		return err
	}
	return s.once(ctx, &do, func(c *conn) error {
		_, found, err := c.run(ctx, record.RunID)
		if err != nil || found {
			return orConflict(err, "start it under a new id", "run %s exists", quote(record.RunID))
		}
		r, err := c.insertRun(ctx, record, s.startTime(entries))
		if err != nil {
			return err
		}
		r.hold(s.now(), lease)
		return c.append(ctx, r, entries)
	})
}

// startTime is what a listing shows of a run without a receipt.
func (s *Store) startTime(entries []runtime.Entry) time.Time {
	if len(entries) > 0 {
		return entries[0].At
	}
	return s.now()
}

// Append journals entries of a run that the caller holds. See runtime.Runs.
func (s *Store) Append(ctx context.Context, op, runID string, epoch int64, entries ...runtime.Entry) error {
	if len(entries) == 0 {
		return runtime.Errorf(runtime.InvalidArgument, "nothing to append to run %s", quote(runID)).WithHint("give at least one entry")
	}
	do := operation{id: op, scope: runScope(runID), doing: "append to the journal", relaxed: allRelaxed(entries)}
	return s.inRun(ctx, &do, runID, entries, func(_ *conn, r *run) error { return r.heldAt(epoch) })
}

// Suspend journals entries and gives the lease up. See runtime.Runs.
func (s *Store) Suspend(ctx context.Context, op, runID string, epoch int64, entries ...runtime.Entry) error {
	do := operation{id: op, scope: runScope(runID), doing: "suspend the run"}
	return s.inRun(ctx, &do, runID, entries, func(_ *conn, r *run) error {
		if err := r.heldAt(epoch); err != nil {
			return err
		}
		return r.leave(runtime.Suspended)
	})
}

// Finish moves the run to its last state and keeps its receipt. See runtime.Runs.
func (s *Store) Finish(ctx context.Context, op string, epoch int64, receipt runtime.Receipt, entries ...runtime.Entry) error {
	row, err := encodeReceipt(receipt)
	if err != nil {
		return err
	}
	last, err := finishedEntry(receipt)
	if err != nil {
		return err
	}
	entries = append(entries[:len(entries):len(entries)], last)
	do := operation{id: op, scope: runScope(receipt.RunID), doing: "finish the run with receipt " + receipt.ReceiptID}
	return s.inRun(ctx, &do, receipt.RunID, entries, func(c *conn, r *run) error {
		if err := r.heldAt(epoch); err != nil {
			return err
		}
		if !ended(receipt.State) {
			return runtime.Errorf(runtime.Conflict, "%s is no state that a run ends in", quote(string(receipt.State)))
		}
		if err := r.leave(receipt.State); err != nil {
			return err
		}
		return c.insertReceipt(ctx, r, row)
	})
}

// Claim takes a run that nobody holds. See runtime.Runs.
func (s *Store) Claim(ctx context.Context, op, runID string, lease time.Duration) (int64, error) {
	if err := validLease(lease); err != nil {
		return 0, err
	}
	do := operation{id: op, scope: runScope(runID), doing: "claim the run"}
	err := s.inRun(ctx, &do, runID, nil, func(_ *conn, r *run) error {
		now := s.now()
		switch {
		case ended(r.state):
			return r.not("it can't be claimed")
		case r.heldUntil(now):
			return runtime.Errorf(runtime.Conflict, "run %s is held by another process until %s", quote(runID), r.lease).
				WithHint("claim it once its holder has suspended it, or has not renewed its lease")
		}
		r.epoch, r.state = r.epoch+1, runtime.Running
		r.hold(now, lease)
		do.answer = r.epoch
		return nil
	})
	if err != nil {
		return 0, err
	}
	return do.answer, nil
}

// Renew lengthens the holder's lease. It does not wait for the disk: a lease that dies with the machine
// dies with its holder. See runtime.Runs.
func (s *Store) Renew(ctx context.Context, runID string, epoch int64, lease time.Duration) (cancelled bool, err error) {
	if err := validLease(lease); err != nil {
		return false, err
	}
	err = s.write(ctx, true, func(c *conn) error {
		r, err := c.mustRun(ctx, runID)
		if err != nil {
			return err
		}
		if err := r.heldAt(epoch); err != nil {
			return err
		}
		r.hold(s.now(), lease)
		cancelled = r.cancelled
		return c.save(ctx, r)
	})
	return cancelled && err == nil, err
}

// Cancel asks for the end of a run. See runtime.Runs.
func (s *Store) Cancel(ctx context.Context, op, runID string) error {
	do := operation{id: op, scope: runScope(runID), doing: "cancel the run"}
	return s.inRun(ctx, &do, runID, nil, func(_ *conn, r *run) error {
		if ended(r.state) {
			return r.not("it can't be cancelled")
		}
		r.cancelled = true
		return nil
	})
}

// Answer journals an entry from outside. What it answers is part of what the operation is, so that an
// answer given twice in different words is told. See runtime.Runs.
func (s *Store) Answer(ctx context.Context, op, runID string, e runtime.Entry) error {
	do := operation{id: op, scope: runScope(runID), doing: "answer with " + string(e.Kind) + " " + digest(e.Data)}
	return s.inRun(ctx, &do, runID, []runtime.Entry{e}, func(_ *conn, r *run) error {
		if ended(r.state) {
			return r.not("nothing can be answered")
		}
		return nil
	})
}

// inRun is the frame of an operation on a run that exists: change looks at the run and changes it, then
// the entries are journaled.
func (s *Store) inRun(ctx context.Context, do *operation, runID string, entries []runtime.Entry, change func(*conn, *run) error) error {
	if err := wellFormed(*do, ids{"run": runID}, entries...); err != nil {
		return err
	}
	return s.once(ctx, do, func(c *conn) error {
		r, err := c.mustRun(ctx, runID)
		if err != nil {
			return err
		}
		if err := change(c, r); err != nil {
			return err
		}
		return c.append(ctx, r, entries)
	})
}
