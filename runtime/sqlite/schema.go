package sqlite

// This file holds the tables and brings a file up to them, version by version.

import (
	"context"
	"time"

	"codemode/runtime"
)

// migrations are applied in order, each once; a file's version is how many it has seen. One that was
// released is never edited: a change is another migration.
func migrations() []string {
	return []string{firstSchema}
}

const migrationTable = `CREATE TABLE IF NOT EXISTS migration (version INTEGER PRIMARY KEY, applied TEXT NOT NULL) STRICT`

// notEnded are the states that a run can leave.
const notEnded = `state IN ('running', 'suspended')`

// In firstSchema a run is one row that holds what every operation on it needs, so that an operation
// reads and writes few rows. Times are texts of one width, in UTC, that compare as the times do.
const firstSchema = `
CREATE TABLE run (
	id        INTEGER PRIMARY KEY,
	run_id    TEXT NOT NULL UNIQUE,
	task      TEXT NOT NULL,
	request   BLOB NOT NULL,    -- JSON
	deadline  TEXT NOT NULL,    -- '' for never
	started   TEXT NOT NULL,
	state     TEXT NOT NULL,
	epoch     INTEGER NOT NULL,
	lease     TEXT NOT NULL,    -- until when it is held, '' for by nobody
	cancelled INTEGER NOT NULL,
	entries   INTEGER NOT NULL, -- how many its journal has
	calls     INTEGER NOT NULL  -- how many of them began a call
) STRICT;
CREATE INDEX run_deadline ON run (deadline) WHERE deadline > '' AND ` + notEnded + `;
CREATE TABLE entry (
	run  INTEGER NOT NULL REFERENCES run(id),
	n    INTEGER NOT NULL,      -- from 1, without gaps
	kind TEXT NOT NULL,
	at   TEXT NOT NULL,
	data BLOB NOT NULL,         -- JSON
	PRIMARY KEY (run, n)
) STRICT, WITHOUT ROWID;
CREATE TABLE operation (
	scope  TEXT NOT NULL,       -- what the id is unique in
	id     TEXT NOT NULL,
	doing  TEXT NOT NULL,       -- what it was, to refuse its id for another
	answer INTEGER NOT NULL,
	PRIMARY KEY (scope, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE receipt (
	run        INTEGER PRIMARY KEY REFERENCES run(id),
	receipt_id TEXT NOT NULL UNIQUE,
	reason     TEXT NOT NULL,
	started    TEXT NOT NULL,
	calls      INTEGER NOT NULL,
	body       BLOB NOT NULL    -- JSON
) STRICT;
CREATE TABLE checkpoint (
	task      TEXT NOT NULL,
	name      TEXT NOT NULL,
	run_id    TEXT NOT NULL,
	script    TEXT NOT NULL,    -- it and the next two: digests that the value was made under
	inputs    TEXT NOT NULL,
	contracts TEXT NOT NULL,
	value     BLOB NOT NULL,    -- JSON
	at        TEXT NOT NULL,
	PRIMARY KEY (task, name)
) STRICT;
CREATE TABLE blob (
	id     INTEGER PRIMARY KEY,
	digest TEXT NOT NULL UNIQUE,
	bytes  BLOB NOT NULL
) STRICT;
`

// prepareFile looks at the file before it changes anything in it, then turns the log on and migrates.
func (c *conn) prepareFile(ctx context.Context, wait time.Duration) error {
	version, err := c.version(ctx)
	if err != nil {
		return err
	}
	if err := c.walMode(ctx, wait); err != nil {
		return err
	}
	if version == len(migrations()) {
		return nil
	}
	return c.transact(ctx, func(c *conn) error { return c.migrate(ctx) })
}

// version returns how many migrations the file has seen; 0 is an empty file.
func (c *conn) version(ctx context.Context) (int, error) {
	var tables, ours int
	_, err := c.get(ctx, `SELECT count(*), count(*) FILTER (WHERE name = 'migration') FROM sqlite_schema`, nil, &tables, &ours)
	if err != nil || tables == 0 {
		return 0, err
	}
	if ours == 0 {
		return 0, runtime.Errorf(runtime.Unavailable, "the store's file is the database of another program").WithHint("name another file")
	}
	var version int
	if _, err := c.get(ctx, `SELECT coalesce(max(version), 0) FROM migration`, nil, &version); err != nil {
		return 0, err
	}
	if known := len(migrations()); version > known {
		return 0, runtime.Errorf(runtime.Unavailable, "the store was written by a newer codemode: its schema is %d, this one knows %d", version, known).
			WithHint("update codemode, or name another file")
	}
	return version, nil
}

// walMode turns the write-ahead log on. SQLite answers "busy" to that at once, without waiting, when
// two do it together; so the waiting is done here.
func (c *conn) walMode(ctx context.Context, wait time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		var mode string
		_, err := c.get(ctx, "PRAGMA journal_mode=WAL", nil, &mode)
		switch {
		case err == nil && mode == "wal":
			return nil
		case err == nil:
			return runtime.Errorf(runtime.Unavailable, "the file system does not carry a write-ahead log (journal mode is %s)", mode).
				WithHint("put the store on a local disk")
		case !busy(err):
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// migrate looks at the version again, now that no other process can change it.
func (c *conn) migrate(ctx context.Context) error {
	have, err := c.version(ctx)
	if err != nil {
		return err
	}
	if _, err := c.ExecContext(ctx, migrationTable); err != nil {
		return err
	}
	for v, text := range migrations()[have:] {
		if _, err := c.ExecContext(ctx, text); err != nil {
			return err
		}
		now := time.Now().UTC().Format(time.RFC3339)
		if _, err := c.ExecContext(ctx, `INSERT INTO migration (version, applied) VALUES (?, ?)`, have+v+1, now); err != nil {
			return err
		}
	}
	return nil
}
