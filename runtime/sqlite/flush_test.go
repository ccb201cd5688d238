package sqlite

// This file tests what waits for the disk.

import (
	"path/filepath"
	"testing"
	"time"

	"codemode/runtime"
)

// TestFlushing pins what a relaxed write changes, and for how long.
func TestFlushing(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "store.db"))
	defer s.Close()
	for _, relaxed := range []bool{false, true, true, false} {
		err := s.write(t.Context(), relaxed, func(c *conn) error {
			var level int
			_, err := c.get(t.Context(), "PRAGMA synchronous", nil, &level)
			if want := map[bool]int{false: 2, true: 1}[relaxed]; level != want {
				t.Errorf("relaxed=%t: synchronous is %d, want %d", relaxed, level, want)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestWaitsForTheDisk pins which operations flush the log.
func TestWaitsForTheDisk(t *testing.T) {
	s, ctx := open(t, filepath.Join(t.TempDir(), "store.db")), t.Context()
	defer s.Close()
	read, write, record := note("read", true), note("write", false), runtime.RunRecord{RunID: "run_1"}
	for _, op := range []struct {
		name  string
		do    func() error
		waits bool
	}{
		{"start a run that reads", func() error { return s.Start(ctx, "a", record, time.Hour, read) }, false},
		{"start a run that writes", func() error {
			return s.Start(ctx, "a", runtime.RunRecord{RunID: "run_2"}, time.Hour, read, write)
		}, true},
		{"append reads", func() error { return s.Append(ctx, "b", "run_1", 1, read, read) }, false},
		{"append a write behind reads", func() error { return s.Append(ctx, "c", "run_1", 1, read, write) }, true},
		{"append a read behind a write", func() error { return s.Append(ctx, "d", "run_1", 1, write, read) }, true},
		{"renew", func() error { _, err := s.Renew(ctx, "run_1", 1, time.Hour); return err }, false},
		{"suspend", func() error { return s.Suspend(ctx, "e", "run_1", 1, read) }, true},
		{"answer", func() error { return s.Answer(ctx, "f", "run_1", read) }, true},
		{"claim", func() error { _, err := s.Claim(ctx, "g", "run_1", time.Hour); return err }, true},
		{"cancel", func() error { return s.Cancel(ctx, "h", "run_1") }, true},
		{"save", func() error {
			return s.SaveCheckpoint(ctx, "j", 2, runtime.Checkpoint{Task: "t", Name: "n", RunID: "run_1"})
		}, true},
		{"finish", func() error {
			return s.Finish(ctx, "i", 2, runtime.Receipt{RunID: "run_1", ReceiptID: "rcpt_1", State: runtime.Finished}, read)
		}, true},
		{"put a blob", func() error { return s.PutBlob(ctx, digest(nil), nil) }, true},
	} {
		if err := s.writer.do(ctx, func(c *conn) error { return c.flushing(ctx, op.waits) }); err != nil { // the other level
			t.Fatal(err)
		}
		if err := op.do(); err != nil {
			t.Fatalf("%s: %v", op.name, err)
		}
		if waited := s.synchronous(t) == 2; waited != op.waits {
			t.Errorf("%s waits for the disk: %t, want %t", op.name, waited, op.waits)
		}
	}
}

// synchronous is the level of the last write.
func (s *Store) synchronous(t *testing.T) (level int) {
	t.Helper()
	err := s.writer.do(t.Context(), func(c *conn) error {
		_, err := c.get(t.Context(), "PRAGMA synchronous", nil, &level)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return level
}
