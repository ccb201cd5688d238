package sqlite

// This file holds what reads runs and journals. It sees the last committed state and waits for no writer.

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"codemode/runtime"
)

// Run returns a run's record and where it stands. See runtime.Records.
func (s *Store) Run(ctx context.Context, runID string) (runtime.RunStatus, error) {
	status := runtime.RunStatus{RunRecord: runtime.RunRecord{RunID: runID}}
	found, err := s.one(ctx, func(rows *sql.Rows) error {
		var request []byte
		var deadline string
		err := rows.Scan(&status.Task, &request, &deadline, &status.State, &status.Epoch, &status.Held, &status.Cancelled)
		if err != nil {
			return err
		}
		status.Request = value(request)
		if deadline == "" {
			return nil
		}
		if status.Deadline, err = time.Parse(time.RFC3339Nano, deadline); err != nil {
			return damaged("the deadline of run "+quote(runID), err)
		}
		return nil
	}, `SELECT task, request, deadline, state, epoch, lease > ?, cancelled FROM run WHERE run_id = ?`, sortable(s.now()), runID)
	if err == nil && !found {
		err = noRun(runID)
	}
	return status, err
}

// Overdue returns runs that nobody holds and whose deadline has passed, the one longest past it first.
// See runtime.Records.
func (s *Store) Overdue(ctx context.Context, limit int) ([]string, error) {
	var runs []string
	err := s.each(ctx, func(rows *sql.Rows) error {
		var runID string
		if err := rows.Scan(&runID); err != nil {
			return err
		}
		runs = append(runs, runID)
		return nil
	}, `SELECT run_id FROM run WHERE deadline > '' AND `+notEnded+` AND deadline <= ?1 AND lease <= ?1 ORDER BY deadline, id LIMIT ?2`,
		sortable(s.now()), max(0, limit))
	return runs, err
}

// Journal returns a run's entries in order. See runtime.Records.
func (s *Store) Journal(ctx context.Context, runID string) ([]runtime.Entry, error) {
	var entries []runtime.Entry
	found := false
	err := s.each(ctx, func(rows *sql.Rows) error {
		found = true
		var n sql.NullInt64 // unset in the one row of a run without entries
		var kind, at sql.NullString
		var data []byte
		if err := rows.Scan(&n, &kind, &at, &data); err != nil || !n.Valid {
			return err
		}
		when, err := time.Parse(time.RFC3339Nano, at.String)
		if err != nil {
			return damaged("an entry of run "+quote(runID), err)
		}
		entries = append(entries, runtime.Entry{N: int(n.Int64), Kind: runtime.EntryKind(kind.String), At: when, Data: value(data)})
		return nil
	}, `SELECT n, kind, at, data FROM run LEFT JOIN entry ON entry.run = run.id WHERE run_id = ? ORDER BY n`, runID)
	if err == nil && !found {
		err = noRun(runID)
	}
	return entries, err
}

// one runs a query of at most one row, hands it over, and reports whether there was one.
func (s *Store) one(ctx context.Context, row func(*sql.Rows) error, query string, args ...any) (found bool, err error) {
	err = s.each(ctx, func(rows *sql.Rows) error {
		found = true
		return row(rows)
	}, query, args...)
	return found, err
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
