package sqlite

// This file holds checkpoints and the bytes of inputs.

import (
	"context"
	"database/sql"
	"strconv"
	"time"

	"codemode/runtime"
)

// maxBlobBytes bounds what one blob takes of memory: its caller holds it whole, and the database two
// copies more while it is written.
const maxBlobBytes = 256 << 20

// SaveCheckpoint keeps the value in the place of an earlier one, for the run's holder. See runtime.Checkpoints.
func (s *Store) SaveCheckpoint(ctx context.Context, op string, epoch int64, c runtime.Checkpoint) error {
	do := operation{id: op, scope: taskScope(c.Task), doing: "save checkpoint " + strconv.Quote(c.Name) + " with value " + digest(c.Value)}
	if err := wellFormed(do, ids{"task": c.Task, "checkpoint": c.Name, "run": c.RunID}); err != nil {
		return err
	}
	for what, text := range map[string]string{"script": c.Basis.Script, "inputs": c.Basis.Inputs, "contracts": c.Basis.Contracts} {
		if err := validText("the digest of the "+what, text); err != nil {
			return err
		}
	}
	if err := validJSON("the value of checkpoint "+quote(c.Name), c.Value); err != nil {
		return err
	}
	at, err := encodeTime(c.At)
	if err != nil {
		return err
	}
	return s.once(ctx, &do, func(conn *conn) error {
		r, err := conn.mustRun(ctx, c.RunID)
		if err != nil {
			return err
		}
		if err := r.heldAt(epoch); err != nil {
			return err
		}
		return conn.exec(ctx, `INSERT OR REPLACE INTO checkpoint (task, name, run_id, script, inputs, contracts, value, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			c.Task, c.Name, c.RunID, c.Basis.Script, c.Basis.Inputs, c.Basis.Contracts, blob(c.Value), at)
	})
}

// Checkpoint returns what was saved last. See runtime.Checkpoints.
func (s *Store) Checkpoint(ctx context.Context, task, name string) (runtime.Checkpoint, error) {
	c := runtime.Checkpoint{Task: task, Name: name}
	found, err := s.one(ctx, func(rows *sql.Rows) error {
		var data []byte
		var at string
		err := rows.Scan(&c.RunID, &c.Basis.Script, &c.Basis.Inputs, &c.Basis.Contracts, &data, &at)
		if err != nil {
			return err
		}
		c.Value = value(data)
		if c.At, err = time.Parse(time.RFC3339Nano, at); err != nil {
			return damaged("checkpoint "+quote(name), err)
		}
		return nil
	}, `SELECT run_id, script, inputs, contracts, value, at FROM checkpoint WHERE task = ? AND name = ?`, task, name)
	if err == nil && !found {
		err = runtime.Errorf(runtime.NotFound, "task %s has no checkpoint %s", quote(task), quote(name)).WithHint("save it first")
	}
	return c, err
}

// PutBlob keeps bytes under their digest. See runtime.Checkpoints.
func (s *Store) PutBlob(ctx context.Context, name string, bytes []byte) error {
	if len(bytes) > maxBlobBytes {
		return runtime.Errorf(runtime.InvalidArgument, "the blob has %d bytes, at most %d are allowed", len(bytes), maxBlobBytes).
			WithHint("split it into smaller ones")
	}
	if is := digest(bytes); name != is {
		return runtime.Errorf(runtime.InvalidArgument, "the digest of the bytes is %s, not %s", is, quote(name)).
			WithHint(`give "sha256:" and the hexadecimal digest of exactly these bytes`)
	}
	return s.write(ctx, false, func(c *conn) error {
		var n int
		if found, err := c.get(ctx, `SELECT 1 FROM blob WHERE digest = ?`, []any{name}, &n); err != nil || found {
			return err
		}
		return c.exec(ctx, `INSERT INTO blob (digest, bytes) VALUES (?, ?)`, name, blob(bytes))
	})
}

// Blob returns the bytes of a digest. See runtime.Checkpoints.
func (s *Store) Blob(ctx context.Context, digest string) ([]byte, error) {
	var bytes []byte
	found, err := s.one(ctx, func(rows *sql.Rows) error { return rows.Scan(&bytes) }, `SELECT bytes FROM blob WHERE digest = ?`, digest)
	if err == nil && !found {
		err = runtime.Errorf(runtime.NotFound, "no blob %s", quote(digest)).WithHint("put it first")
	}
	return bytes, err
}
