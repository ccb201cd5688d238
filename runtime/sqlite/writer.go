package sqlite

// This file holds the one connection that writes. It is kept for the store's life with its prepared
// statements; transactions are begun and ended in words, because a COMMIT that fails (a full disk)
// leaves SQLite's transaction open where database/sql believes it gone.

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
)

type writer struct {
	db   *sql.DB
	slot chan struct{} // held by the operation under way
	conn *conn         // nil before the first use and after a failure
}

// conn is the connection with its statements. A new one is at synchronous=FULL.
type conn struct {
	*sql.Conn
	stmts   map[string]*sql.Stmt
	relaxed bool
}

func newWriter(db *sql.DB) *writer {
	db.SetMaxOpenConns(1)
	return &writer{db: db, slot: make(chan struct{}, 1)}
}

// do runs fn on the connection, alone. Waiting ends with ctx.
func (w *writer) do(ctx context.Context, fn func(*conn) error) error {
	select {
	case w.slot <- struct{}{}:
		defer func() { <-w.slot }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if w.conn == nil {
		raw, err := w.db.Conn(ctx)
		if err != nil {
			return err
		}
		w.conn = &conn{Conn: raw, stmts: map[string]*sql.Stmt{}}
	}
	err := fn(w.conn)
	if errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) {
		err = errors.Join(err, w.discard())
	}
	return err
}

// discard closes the connection for good, so that nothing of a broken transaction stays.
func (w *writer) discard() error {
	c := w.conn
	w.conn = nil
	if c == nil {
		return nil
	}
	c.finalize()
	err := c.Raw(func(any) error { return driver.ErrBadConn })
	if errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone) {
		err = nil
	}
	return err
}

func (w *writer) close() error {
	w.slot <- struct{}{}
	defer func() { <-w.slot }()
	var errs []error
	if w.conn != nil {
		w.conn.finalize()
		errs = append(errs, w.conn.Close())
		w.conn = nil
	}
	return errors.Join(append(errs, w.db.Close())...)
}

// finalize closes the statements: database/sql does not for those of a single connection, and SQLite
// keeps the files of a closed connection open until it is done. Their errors are those of their last
// run once more, so they say nothing new.
func (c *conn) finalize() {
	for query, st := range c.stmts {
		_ = st.Close()
		delete(c.stmts, query)
	}
}

// write runs fn in one transaction that holds the write lock from its start. Once fn is done the
// commit no longer listens to ctx: its answer is then certain.
func (s *Store) write(ctx context.Context, relaxed bool, fn func(*conn) error) error {
	if err := s.ready(); err != nil {
		return err
	}
	err := s.writer.do(ctx, func(c *conn) error {
		if err := c.flushing(ctx, relaxed); err != nil {
			return err
		}
		return c.transact(ctx, fn)
	})
	return s.fault(ctx, err)
}

func (c *conn) transact(ctx context.Context, fn func(*conn) error) error {
	if err := c.exec(ctx, "BEGIN IMMEDIATE"); err != nil {
		return errors.Join(err, unknown(ctx))
	}
	err := fn(c)
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		err = c.exec(context.WithoutCancel(ctx), "COMMIT")
	}
	if err == nil {
		return nil
	}
	return errors.Join(err, c.rollback(ctx))
}

// unknown gives the connection up when an operation failed as its context ended: it may have been done
// all the same, and a transaction that nobody ends would take every later operation down.
func unknown(ctx context.Context) error {
	if ctx.Err() != nil {
		return driver.ErrBadConn
	}
	return nil
}

// rollback undoes the transaction. SQLite may have done so by itself (full disk, interrupt), and then
// ROLLBACK fails; the connection is given up rather than guessed about.
func (c *conn) rollback(ctx context.Context) error {
	if _, err := c.ExecContext(context.WithoutCancel(ctx), "ROLLBACK"); err != nil {
		return driver.ErrBadConn
	}
	return nil
}

// flushing sets whether the next commit waits for the disk.
func (c *conn) flushing(ctx context.Context, relaxed bool) error {
	if c.relaxed == relaxed {
		return nil
	}
	level := "FULL"
	if relaxed {
		level = "NORMAL"
	}
	if err := c.exec(ctx, "PRAGMA synchronous="+level); err != nil {
		return errors.Join(err, driver.ErrBadConn) // at which level it is now is not known
	}
	c.relaxed = relaxed
	return nil
}

func (c *conn) exec(ctx context.Context, query string, args ...any) error {
	st, err := c.stmt(ctx, query)
	if err != nil {
		return err
	}
	_, err = st.ExecContext(ctx, args...)
	return err
}

// get reads one row into dest and reports whether there was one.
func (c *conn) get(ctx context.Context, query string, args []any, dest ...any) (bool, error) {
	st, err := c.stmt(ctx, query)
	if err != nil {
		return false, err
	}
	err = st.QueryRowContext(ctx, args...).Scan(dest...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

func (c *conn) stmt(ctx context.Context, query string) (*sql.Stmt, error) {
	if st, ok := c.stmts[query]; ok {
		return st, nil
	}
	st, err := c.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	c.stmts[query] = st
	return st, nil
}
