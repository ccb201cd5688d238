package sqlite

// This file holds receipts: what stands in their table, and how they are found.

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"codemode/runtime"
)

// receiptRow is a receipt as it is kept, with what a listing shows of it.
type receiptRow struct {
	runtime.ReceiptSummary
	started string
	body    []byte
}

func encodeReceipt(r runtime.Receipt) (receiptRow, error) {
	row := receiptRow{ReceiptSummary: runtime.ReceiptSummary{ReceiptID: r.ReceiptID, State: r.State, Reason: r.Reason, Calls: len(r.Calls)}}
	err := ids{"receipt": r.ReceiptID}.check()
	if err != nil {
		return row, err
	}
	if row.started, err = encodeTime(r.Started); err != nil {
		return row, err
	}
	row.body, err = json.Marshal(r)
	switch {
	case err != nil:
		return row, runtime.Errorf(runtime.InvalidArgument, "receipt %s: %v", quote(r.ReceiptID), err)
	case replacedText(row.body):
		return row, runtime.Errorf(runtime.InvalidArgument, "receipt %s holds text that is not valid UTF-8", quote(r.ReceiptID))
	}
	return row, validJSON("receipt "+quote(r.ReceiptID), row.body)
}

// replacedText reports whether encoding/json had to replace bytes that are not UTF-8. It writes the
// escape \ufffd for those only; a replacement character that stood there it writes as it is.
func replacedText(raw []byte) bool {
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		if bytes.HasPrefix(raw[i:], []byte(`\ufffd`)) {
			return true
		}
		i++
	}
	return false
}

// finishedEntry is the journal's last line of a run.
func finishedEntry(r runtime.Receipt) (runtime.Entry, error) {
	data, err := json.Marshal(struct {
		ReceiptID string         `json:"receipt_id"`
		State     runtime.State  `json:"state"`
		Reason    runtime.Reason `json:"reason,omitempty"`
	}{r.ReceiptID, r.State, r.Reason})
	return runtime.Entry{Kind: runtime.EntryFinished, At: r.Finished, Data: data}, err
}

func (c *conn) insertReceipt(ctx context.Context, r *run, row receiptRow) error {
	var n int
	if found, err := c.get(ctx, `SELECT 1 FROM receipt WHERE receipt_id = ?`, []any{row.ReceiptID}, &n); err != nil || found {
		return orConflict(err, "give every receipt an id of its own", "receipt %s exists", quote(row.ReceiptID))
	}
	return c.exec(ctx, `INSERT INTO receipt (run, receipt_id, reason, started, calls, body) VALUES (?, ?, ?, ?, ?, ?)`,
		r.id, row.ReceiptID, row.Reason, row.started, row.Calls, row.body)
}

// findReceipt has a row for a receipt, and for a run with or without one, so that what it says is of
// one moment: a receipt that is written meanwhile can't make a run look as if it had not ended.
const findReceipt = `SELECT body, 1 FROM receipt WHERE receipt_id = ?1
	UNION ALL SELECT body, 2 FROM run LEFT JOIN receipt ON receipt.run = run.id WHERE run_id = ?1 ORDER BY 2 LIMIT 1`

// Receipt returns one by its id, or by its run's. See runtime.Records.
func (s *Store) Receipt(ctx context.Context, id string) (runtime.Receipt, error) {
	var r runtime.Receipt
	found, err := s.one(ctx, func(rows *sql.Rows) error {
		var body []byte
		var by int
		if err := rows.Scan(&body, &by); err != nil {
			return err
		}
		if body == nil {
			return runtime.Errorf(runtime.NotFound, "run %s has no receipt: it did not end (it is still running or suspended, or its process died)", quote(id)).
				WithHint("look at its journal for what it did: codemode receipts journal %s", quote(id))
		}
		if err := json.Unmarshal(body, &r); err != nil {
			return damaged("receipt "+quote(id), err)
		}
		return nil
	}, findReceipt, id)
	if err == nil && !found {
		err = runtime.Errorf(runtime.NotFound, "no receipt %s", quote(id)).WithHint("give the id of a receipt or of a run")
	}
	return r, err
}

// listRuns reads the newest runs by their row and no more of them than asked for.
const listRuns = `SELECT coalesce(receipt_id, ''), run_id, state, coalesce(reason, ''), coalesce(receipt.started, run.started),
	coalesce(receipt.calls, run.calls)
	FROM run LEFT JOIN receipt ON receipt.run = run.id ORDER BY run.id DESC LIMIT ?`

// Receipts returns the runs that were started last, newest first, at most limit; none for a limit of
// 0 or less. See runtime.Records.
func (s *Store) Receipts(ctx context.Context, limit int) ([]runtime.ReceiptSummary, error) {
	var list []runtime.ReceiptSummary
	err := s.each(ctx, func(rows *sql.Rows) error {
		var r runtime.ReceiptSummary
		var started string
		if err := rows.Scan(&r.ReceiptID, &r.RunID, &r.State, &r.Reason, &started, &r.Calls); err != nil {
			return err
		}
		var err error
		if r.Started, err = time.Parse(time.RFC3339Nano, started); err != nil {
			return damaged("the start of run "+quote(r.RunID), err)
		}
		list = append(list, r)
		return nil
	}, listRuns, max(0, limit))
	return list, err
}
