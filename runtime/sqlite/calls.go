package sqlite

// This file holds the operations that write: each one transaction, each with an operation id.

import (
	"context"
	"encoding/json"

	"codemode/runtime"
)

// Start records a new run in state running. See runtime.Store.
func (s *Store) Start(ctx context.Context, op string, run runtime.RunRecord) error {
	accounts, err := encodeAccounts(run.Accounts)
	if err == nil {
		err = wellFormed(ids{"operation": op, "run": run.RunID}, run.Started)
	}
	if err != nil {
		return err
	}
	return s.write(ctx, false, func(c *conn) error {
		r, found, err := c.run(ctx, run.RunID)
		if err != nil {
			return err
		}
		if found {
			return c.startedAlready(ctx, r, op)
		}
		err = c.exec(ctx, `INSERT INTO run (run_id, epoch, state, entries, accounts) VALUES (?, ?, ?, 0, ?)`,
			run.RunID, run.Epoch, runtime.Running, accounts)
		if err != nil {
			return err
		}
		if r, _, err = c.run(ctx, run.RunID); err != nil {
			return err
		}
		if err := c.journal(ctx, r, operation{op, "start", nil}, run.Started); err != nil {
			return err
		}
		return c.save(ctx, r)
	})
}

func (c *conn) startedAlready(ctx context.Context, r *run, op string) error {
	repeated, err := c.repeated(ctx, r, operation{op, "start", nil})
	if err != nil || repeated {
		return err
	}
	return runtime.Errorf(runtime.Conflict, "run %s exists", quote(r.runID)).WithHint("start it under a new id")
}

// BeginCall reserves a call's charge and journals its intent, or does neither. See runtime.Store.
func (s *Store) BeginCall(ctx context.Context, op string, in runtime.CallIntent) (runtime.Balance, error) {
	err := wellFormed(ids{"operation": op, "run": in.RunID, "call": in.CallID}, in.Entry)
	if err == nil {
		err = validCharge(in.Accounts, in.Charge)
	}
	if err != nil {
		return nil, err
	}
	var left runtime.Balance
	do := operation{op, "begin call " + in.CallID, &left}
	err = s.inRun(ctx, in.RunID, in.Epoch, do, in.Relaxed, func(c *conn, r *run) error {
		if r.state != runtime.Running {
			return r.not("running", "no call can begin")
		}
		if _, found, err := c.call(ctx, r, in.CallID); err != nil || found {
			return orConflict(err, "call %s of run %s has begun already", quote(in.CallID), quote(r.runID))
		}
		if err := r.reserve(in.Accounts, in.Charge); err != nil {
			return err
		}
		left = r.balance(in.Accounts)
		return c.begin(ctx, r, do, in)
	})
	if err != nil {
		return nil, err
	}
	return left, nil
}

func (c *conn) begin(ctx context.Context, r *run, do operation, in runtime.CallIntent) error {
	if err := c.journal(ctx, r, do, in.Entry); err != nil {
		return err
	}
	accounts, err := json.Marshal(in.Accounts)
	if err != nil {
		return err
	}
	charge, err := json.Marshal(in.Charge)
	if err != nil {
		return err
	}
	return c.exec(ctx, `INSERT INTO call (run, call_id, seq, method, accounts, charge) VALUES (?, ?, ?, ?, ?, ?)`,
		r.id, in.CallID, in.Seq, in.Method, string(accounts), string(charge))
}

// EndCall settles a call once and journals its outcome. A charge beyond what is left takes the
// account to 0: the use has happened and its outcome must stand. See runtime.Store.
func (s *Store) EndCall(ctx context.Context, op string, out runtime.CallOutcome) (runtime.Balance, error) {
	err := wellFormed(ids{"operation": op, "run": out.RunID, "call": out.CallID}, out.Entry)
	if err == nil {
		err = validCharge(out.Accounts, out.Charge)
	}
	if err == nil {
		err = validCharge(out.Accounts, out.Release)
	}
	if err != nil {
		return nil, err
	}
	var left runtime.Balance
	do := operation{op, "end call " + out.CallID, &left}
	err = s.inRun(ctx, out.RunID, out.Epoch, do, out.Relaxed, func(c *conn, r *run) error {
		call, found, err := c.call(ctx, r, out.CallID)
		if err != nil {
			return err
		}
		if !found {
			return runtime.Errorf(runtime.NotFound, "run %s has no call %s", quote(r.runID), quote(out.CallID))
		}
		if call.settled {
			return runtime.Errorf(runtime.Conflict, "call %s is settled already", quote(out.CallID))
		}
		if err := r.settle(call, out); err != nil {
			return err
		}
		left = r.balance(out.Accounts)
		if err := c.journal(ctx, r, do, out.Entry); err != nil {
			return err
		}
		return c.exec(ctx, `UPDATE call SET settled = ? WHERE run = ? AND call_id = ?`, r.entries, r.id, out.CallID)
	})
	if err != nil {
		return nil, err
	}
	return left, nil
}

// Append journals other entries of a run, in the order given. See runtime.Store.
func (s *Store) Append(ctx context.Context, op, runID string, epoch int64, entries ...runtime.Entry) error {
	if err := wellFormed(ids{"operation": op, "run": runID}, entries...); err != nil {
		return err
	}
	if len(entries) == 0 {
		return runtime.Errorf(runtime.InvalidArgument, "nothing to append to run %s", quote(runID))
	}
	do := operation{op, "append", nil}
	return s.inRun(ctx, runID, epoch, do, false, func(c *conn, r *run) error {
		return c.journal(ctx, r, do, entries...)
	})
}

// Finish moves the run to its last state and keeps its receipt. See runtime.Store.
func (s *Store) Finish(ctx context.Context, op string, epoch int64, r runtime.Receipt) error {
	body, err := encodeReceipt(r)
	if err != nil {
		return err
	}
	end, err := finishedEntry(r)
	if err != nil {
		return err
	}
	if err := wellFormed(ids{"operation": op, "run": r.RunID, "receipt": r.ReceiptID}, end); err != nil {
		return err
	}
	started, err := encodeTime(r.Started)
	if err != nil {
		return err
	}
	do := operation{op, "finish " + r.ReceiptID, nil}
	return s.inRun(ctx, r.RunID, epoch, do, false, func(c *conn, run *run) error {
		if !run.state.CanBecome(r.State) {
			return run.not(string(r.State), "it can't become that")
		}
		var n int
		if found, err := c.get(ctx, `SELECT 1 FROM receipt WHERE receipt_id = ?`, []any{r.ReceiptID}, &n); err != nil || found {
			return orConflict(err, "receipt %s exists", quote(r.ReceiptID))
		}
		run.state = r.State
		if err := c.journal(ctx, run, do, end); err != nil {
			return err
		}
		return c.exec(ctx, `INSERT INTO receipt (receipt_id, run, state, reason, started, calls, body) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			r.ReceiptID, run.id, r.State, r.Reason, started, len(r.Calls), body)
	})
}

// inRun is the frame of every operation on a run that exists: it answers a repeated operation with
// the first answer, fences off an older or newer holder of the run, refuses a run that has ended, and
// saves the run once fn is done.
func (s *Store) inRun(ctx context.Context, runID string, epoch int64, do operation, relaxed bool, fn func(*conn, *run) error) error {
	return s.write(ctx, relaxed, func(c *conn) error {
		r, found, err := c.run(ctx, runID)
		if err != nil {
			return err
		}
		if !found {
			return runtime.Errorf(runtime.NotFound, "no run %s", quote(runID))
		}
		if repeated, err := c.repeated(ctx, r, do); err != nil || repeated {
			return err
		}
		if r.epoch != epoch {
			return runtime.Errorf(runtime.Conflict, "run %s is held by epoch %d, not %d", quote(runID), r.epoch, epoch).
				WithHint("another process has taken the run over; leave it to that one")
		}
		if ended(r.state) {
			return r.not("under way", "nothing can be added")
		}
		if err := fn(c, r); err != nil {
			return err
		}
		return c.save(ctx, r)
	})
}
