package sqlite

// This file holds a run as one row: what every operation reads first and writes last.

import (
	"context"
	"encoding/json"

	"codemode/runtime"
)

type run struct {
	id       int64
	runID    string
	epoch    int64
	state    runtime.State
	entries  int
	accounts map[string]runtime.Budget
}

// operation is one call of a store method: its id, what it does (so that the id is not taken for
// another thing) and where its answer goes, nil for none.
type operation struct {
	id, doing string
	answer    *runtime.Balance
}

func (c *conn) run(ctx context.Context, runID string) (*run, bool, error) {
	r := &run{runID: runID}
	var accounts string
	found, err := c.get(ctx, `SELECT id, epoch, state, entries, accounts FROM run WHERE run_id = ?`,
		[]any{runID}, &r.id, &r.epoch, &r.state, &r.entries, &accounts)
	if err != nil || !found {
		return nil, false, err
	}
	if err := json.Unmarshal([]byte(accounts), &r.accounts); err != nil {
		return nil, false, damaged("the accounts of run "+quote(runID), err)
	}
	return r, true, nil
}

func (c *conn) save(ctx context.Context, r *run) error {
	accounts, err := json.Marshal(r.accounts)
	if err != nil {
		return err
	}
	return c.exec(ctx, `UPDATE run SET state = ?, entries = ?, accounts = ? WHERE id = ?`, r.state, r.entries, string(accounts), r.id)
}

// repeated reports whether the operation was done before and gives its answer again.
func (c *conn) repeated(ctx context.Context, r *run, do operation) (bool, error) {
	var doing, answer string
	found, err := c.get(ctx, `SELECT doing, answer FROM entry WHERE run = ? AND op = ?`, []any{r.id, do.id}, &doing, &answer)
	if err != nil || !found {
		return false, err
	}
	if doing != do.doing {
		return false, runtime.Errorf(runtime.Conflict, "operation id %s was used to %s", quote(do.id), quote(doing)).
			WithHint("give every operation an id of its own")
	}
	if do.answer == nil {
		return true, nil
	}
	if err := json.Unmarshal([]byte(answer), do.answer); err != nil {
		return false, damaged("the answer of operation "+quote(do.id), err)
	}
	return true, nil
}

// journal numbers the entries and writes them, the operation's id and answer with the first.
func (c *conn) journal(ctx context.Context, r *run, do operation, entries ...runtime.Entry) error {
	answer, err := json.Marshal(do.answer)
	if err != nil {
		return err
	}
	op, doing, text := any(do.id), any(do.doing), any(string(answer))
	for _, e := range entries {
		at, err := encodeTime(e.At)
		if err != nil {
			return err
		}
		r.entries++
		err = c.exec(ctx, `INSERT INTO entry (run, n, kind, at, data, op, doing, answer) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			r.id, r.entries, e.Kind, at, blob(e.Data), op, doing, text)
		if err != nil {
			return err
		}
		op, doing, text = nil, nil, nil
	}
	return nil
}

// not says that the run is not as it would have to be.
func (r *run) not(wanted, so string) error {
	return runtime.Errorf(runtime.Conflict, "run %s is %s, not %s: %s", quote(r.runID), r.state, wanted, so)
}

// ended reports whether no state follows: every state before the last can expire.
func ended(s runtime.State) bool { return !s.CanBecome(runtime.Expired) }

// call is a call that has begun.
type call struct {
	accounts []string
	charge   map[runtime.Dimension]int64
	settled  bool
}

func (c *conn) call(ctx context.Context, r *run, callID string) (call, bool, error) {
	var out call
	var accounts, charge string
	found, err := c.get(ctx, `SELECT accounts, charge, settled IS NOT NULL FROM call WHERE run = ? AND call_id = ?`,
		[]any{r.id, callID}, &accounts, &charge, &out.settled)
	if err != nil || !found {
		return out, false, err
	}
	if err := json.Unmarshal([]byte(accounts), &out.accounts); err != nil {
		return out, false, damaged("call "+quote(callID), err)
	}
	if err := json.Unmarshal([]byte(charge), &out.charge); err != nil {
		return out, false, damaged("call "+quote(callID), err)
	}
	return out, true, nil
}
