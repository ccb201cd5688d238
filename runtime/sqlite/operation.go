package sqlite

// This file makes operations happen once: what an operation id was used for is kept beside what it did.

import (
	"context"

	"codemode/runtime"
)

// operation is one call of a store method.
type operation struct {
	id string
	// scope is what the id is unique in: a run, or a task.
	scope string
	// doing says what it does, so that the id is not taken for another thing.
	doing string
	// relaxed does not wait for the disk.
	relaxed bool
	// answer is what it returns: an epoch, 0 for nothing.
	answer int64
}

func runScope(runID string) string { return "run " + runID }
func taskScope(task string) string { return "task " + task }

// once does fn in one transaction, unless the operation was done before: then the operation's answer is
// the first one.
func (s *Store) once(ctx context.Context, do *operation, fn func(*conn) error) error {
	return s.write(ctx, do.relaxed, func(c *conn) error {
		done, err := c.repeated(ctx, do)
		if err != nil || done {
			return err
		}
		if err := fn(c); err != nil {
			return err
		}
		return c.exec(ctx, `INSERT INTO operation (scope, id, doing, answer) VALUES (?, ?, ?, ?)`, do.scope, do.id, do.doing, do.answer)
	})
}

func (c *conn) repeated(ctx context.Context, do *operation) (bool, error) {
	var doing string
	found, err := c.get(ctx, `SELECT doing, answer FROM operation WHERE scope = ? AND id = ?`, []any{do.scope, do.id}, &doing, &do.answer)
	if err != nil || !found || doing == do.doing {
		return found && err == nil, err
	}
	return false, runtime.Errorf(runtime.Conflict, "operation id %s was used to %s, not to %s", quote(do.id), short(doing), short(do.doing)).
		WithHint("give every operation an id of its own")
}
