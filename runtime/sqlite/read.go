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
		err = runtime.Errorf(runtime.NotFound, "no run %s", quote(runID))
	}
	return entries, err
}

// Receipt returns one by its id, or the last of a run by the run's. See runtime.Store.
func (s *Store) Receipt(ctx context.Context, id string) (runtime.Receipt, error) {
	var r runtime.Receipt
	found := false
	err := s.each(ctx, func(rows *sql.Rows) error {
		found = true
		var body []byte
		if err := rows.Scan(&body); err != nil {
			return err
		}
		if err := json.Unmarshal(body, &r); err != nil {
			return damaged("receipt "+quote(id), err)
		}
		return nil
	}, `SELECT body FROM receipt WHERE receipt_id = ?1 OR run = (SELECT id FROM run WHERE run_id = ?1)
		ORDER BY receipt_id = ?1 DESC, id DESC LIMIT 1`, id)
	if err == nil && !found {
		err = runtime.Errorf(runtime.NotFound, "no receipt %s", quote(id)).WithHint("give the id of a receipt or of a run")
	}
	return r, err
}

// Receipts returns the newest first, at most limit; none for a limit of 0 or less.
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
			return damaged("receipt "+quote(r.ReceiptID), err)
		}
		list = append(list, r)
		return nil
	}, `SELECT receipt_id, run_id, receipt.state, reason, started, calls FROM receipt JOIN run ON run.id = receipt.run
		ORDER BY receipt.id DESC LIMIT ?`, max(0, limit))
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
