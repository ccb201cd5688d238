package sqlite

// This file holds the operations that read. They see the last committed state and wait for no writer.

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"codemode/runtime"
)

// Journal returns a run's entries in order. See runtime.Store.
func (s *Store) Journal(ctx context.Context, runID string) ([]runtime.Entry, error) {
	var entries []runtime.Entry
	err := s.each(ctx, func(rows *sql.Rows) error {
		var e runtime.Entry
		var at string
		if err := rows.Scan(&e.N, &e.Kind, &at, (*[]byte)(&e.Data)); err != nil {
			return err
		}
		var err error
		if e.At, err = time.Parse(time.RFC3339Nano, at); err != nil {
			return damaged("an entry of run "+quote(runID), err)
		}
		if len(e.Data) == 0 {
			e.Data = nil
		}
		entries = append(entries, e)
		return nil
	}, `SELECT n, kind, at, data FROM entry WHERE run = (SELECT id FROM run WHERE run_id = ?) ORDER BY n`, runID)
	if err == nil && len(entries) == 0 {
		err = runtime.Errorf(runtime.NotFound, "no run %s", quote(runID)).WithHint("give the id of a run; receipts list shows them")
	}
	return entries, err
}

// findReceipt always has one row, so that both its answers are of the same moment: a receipt that is
// written meanwhile can't make a run look as if it had not ended.
const findReceipt = `SELECT (SELECT body FROM receipt WHERE receipt_id = ?1 OR run = (SELECT id FROM run WHERE run_id = ?1)
	ORDER BY receipt_id = ?1 DESC, id DESC LIMIT 1), EXISTS (SELECT 1 FROM run WHERE run_id = ?1)`

// Receipt returns one by its id, or the last of a run by the run's. See runtime.Store.
func (s *Store) Receipt(ctx context.Context, id string) (runtime.Receipt, error) {
	var r runtime.Receipt
	err := s.each(ctx, func(rows *sql.Rows) error {
		var body []byte
		var isRun bool
		if err := rows.Scan(&body, &isRun); err != nil {
			return err
		}
		if body == nil {
			return noReceipt(id, isRun)
		}
		if err := json.Unmarshal(body, &r); err != nil {
			return damaged("receipt "+quote(id), err)
		}
		return nil
	}, findReceipt, id)
	return r, err
}

func noReceipt(id string, isRun bool) error {
	if isRun {
		return runtime.Errorf(runtime.NotFound, "run %s has no receipt: it did not end (it is still running, or its process died)", quote(id)).
			WithHint("look at its journal for what it did: codemode receipts journal %s", quote(id))
	}
	return runtime.Errorf(runtime.NotFound, "no receipt %s", quote(id)).WithHint("give the id of a receipt or of a run")
}

// listRuns reads the newest runs by their row and no more of them than asked for.
const listRuns = `SELECT coalesce(receipt_id, ''), run_id, coalesce(receipt.state, run.state), coalesce(reason, ''),
	coalesce(started, (SELECT at FROM entry WHERE run = run.id AND n = 1), ''),
	coalesce(calls, (SELECT count(*) FROM call WHERE run = run.id))
	FROM run LEFT JOIN receipt ON receipt.run = run.id ORDER BY run.id DESC, receipt.id DESC LIMIT ?`

// Receipts returns the runs that were started last, newest first, at most limit; none for a limit of
// 0 or less. See runtime.Store.
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

// each runs a query and hands over its rows.
func (s *Store) each(ctx context.Context, row func(*sql.Rows) error, query string, args ...any) error {
	if err := s.ready(); err != nil {
		return err
	}
	rows, err := s.reader.QueryContext(ctx, query, args...)
	if err != nil {
		return s.fault(ctx, err)
	}
	for rows.Next() {
		if err := row(rows); err != nil {
			return errors.Join(s.fault(ctx, err), rows.Close())
		}
	}
	return s.fault(ctx, errors.Join(rows.Err(), rows.Close()))
}
