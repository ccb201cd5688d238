package sqlite

// This file gives the store what goes wrong around a file, for real: locks, a full disk, damage.

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"codemode/runtime"
)

// unavailable wants Unavailable with the words in message or hint.
func unavailable(t *testing.T, err error, words ...string) {
	t.Helper()
	var e *runtime.Error
	if !errors.As(err, &e) || e.Code != runtime.Unavailable || e.Hint == "" {
		t.Fatalf("error is %v, want unavailable with a hint", err)
	}
	for _, w := range words {
		if !strings.Contains(e.Error(), w) {
			t.Errorf("error %q does not say %q", e, w)
		}
	}
}

func openErr(t *testing.T, path string) error {
	t.Helper()
	s, err := Open(t.Context(), Config{Path: path, BusyTimeout: 50 * time.Millisecond})
	if err == nil {
		t.Errorf("%s opened", path)
		s.Close()
	}
	return err
}

// raw is a connection of another program.
func raw(t *testing.T, path string, statements ...string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	for _, st := range statements {
		if _, err := db.Exec(st); err != nil {
			t.Fatalf("%s: %v", st, err)
		}
	}
	return db
}

func journalLen(t *testing.T, s *Store, runID string) int {
	t.Helper()
	entries, err := s.Journal(t.Context(), runID)
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

func progress(s *Store, op, runID string) error {
	return s.Append(context.Background(), op, runID, 1, note("on the way", false))
}

func TestOpenMakesPrivateFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "it's 100% #1?mode=memory")
	path := filepath.Join(dir, "store?x=1#y %41.db")
	s := open(t, path)
	start(t, s, "run_1")
	for p, want := range map[string]os.FileMode{filepath.Dir(dir): 0o700, dir: 0o700, path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600} {
		info, err := os.Stat(p)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: mode %v (%v), want %v", p, info, err, want)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, path)
	defer s.Close()
	if n := journalLen(t, s, "run_1"); n != 1 {
		t.Errorf("journal has %d entries", n)
	}
}

func TestOpenRefusesWhatIsNoStore(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte(strings.Repeat("not a database. ", 500)), 0o600); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, "other.db")
	raw(t, other, "CREATE TABLE songs (title TEXT)").Close()

	unavailable(t, openErr(t, dir), "is a directory")
	unavailable(t, openErr(t, file), "damaged or not a store")
	unavailable(t, openErr(t, filepath.Join(file, "below.db")), "no directory")
	unavailable(t, openErr(t, other), "another program")
	unavailable(t, openErr(t, os.DevNull), "not a regular file")
	if got, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(got), "not a database") {
		t.Errorf("the file that is no store was changed: %.20q %v", got, err)
	}
	var e *runtime.Error
	if _, err := Open(t.Context(), Config{}); !errors.As(err, &e) || e.Code != runtime.InvalidArgument {
		t.Errorf("no path: %v", err)
	}
}

func TestOpenRefusesNewerSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := open(t, path)
	start(t, s, "run_1")
	s.Close()
	db := raw(t, path, "INSERT INTO migration VALUES (99, 'later')")
	unavailable(t, openErr(t, path), "newer codemode", "99", "update codemode")
	db.Close()
	noneOpen(t, path)
	db = raw(t, path)
	if _, err := db.Exec("DELETE FROM migration WHERE version = 99"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	s = open(t, path)
	defer s.Close()
	if n := journalLen(t, s, "run_1"); n != 1 {
		t.Errorf("journal has %d entries", n)
	}
}

func TestLockedByAnother(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s, err := Open(t.Context(), Config{Path: path, BusyTimeout: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	start(t, s, "run_1")
	other := raw(t, path, "BEGIN EXCLUSIVE")
	unavailable(t, progress(s, "op_1", "run_1"), "locked by another process", "50ms", "busy timeout")
	if n := journalLen(t, s, "run_1"); n != 1 { // reading goes on
		t.Errorf("journal has %d entries", n)
	}
	second, err := Open(t.Context(), Config{Path: path, BusyTimeout: 50 * time.Millisecond})
	if err != nil {
		t.Fatalf("opening an up-to-date store needs no lock: %v", err)
	}
	defer second.Close()
	unavailable(t, progress(second, "op_2", "run_1"), "locked")

	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	patient, err := Open(t.Context(), Config{Path: path, BusyTimeout: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer patient.Close()
	err = patient.Append(ctx, "op_3", "run_1", 1, runtime.Entry{Kind: runtime.EntryProgress})
	if e := runtime.AsError(err); e.Code != runtime.Timeout {
		t.Errorf("a caller's deadline while locked: %v", err)
	}
	if _, err := other.Exec("COMMIT"); err != nil {
		t.Fatal(err)
	}
	for i, st := range []*Store{s, second, patient} {
		if err := progress(st, fmt.Sprintf("op_%d", i+1), "run_1"); err != nil {
			t.Errorf("after the lock: %v", err)
		}
	}
	if n := journalLen(t, s, "run_1"); n != 4 {
		t.Errorf("journal has %d entries", n)
	}
}

// TestLockedWhileOpening holds a fresh file, and one in exclusive locking mode, where not even reading works.
func TestLockedWhileOpening(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fresh.db")
	db := raw(t, path, "BEGIN EXCLUSIVE")
	unavailable(t, openErr(t, path), "locked by another process")
	db.Close()
	open(t, path).Close()
	db = raw(t, path, "PRAGMA locking_mode=EXCLUSIVE", "BEGIN EXCLUSIVE", "UPDATE run SET epoch = epoch", "COMMIT")
	unavailable(t, openErr(t, path), "locked by another process")
	db.Close()
	open(t, path).Close()
}

func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := open(t, path)
	defer s.Close()
	start(t, s, "run_1")
	limit := func(pragma string) {
		t.Helper()
		if err := s.writer.do(t.Context(), func(c *conn) error { var n int; _, err := c.get(t.Context(), pragma, nil, &n); return err }); err != nil {
			t.Fatal(err)
		}
	}
	big := note(strings.Repeat("x", 1<<20), false)
	for op, do := range []func(op string) error{
		func(op string) error { return s.Append(t.Context(), op, "run_1", 1, note("before", false), big) },
		func(op string) error { return s.Suspend(t.Context(), op, "run_1", 1, big) },
	} {
		before := journalLen(t, s, "run_1")
		limit("PRAGMA max_page_count=1") // SQLite takes the pages in use as the least
		unavailable(t, do(fmt.Sprint(op)), "full", "free space")
		if n := journalLen(t, s, "run_1"); n != before {
			t.Errorf("%d entries of an operation that failed", n-before)
		}
		limit("PRAGMA max_page_count=1000000")
		if err := do(fmt.Sprint(op)); err != nil {
			t.Errorf("after space was freed: %v", err)
		}
	}
	if n := journalLen(t, s, "run_1"); n != 4 {
		t.Errorf("journal has %d entries", n)
	}
}

func TestDamage(t *testing.T) {
	fill := func(t *testing.T) string {
		path := filepath.Join(t.TempDir(), "store.db")
		s := open(t, path)
		start(t, s, "run_1")
		for i := range 200 {
			if err := progress(s, fmt.Sprintf("op_%d", i), "run_1"); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		return path
	}
	scribble := func(t *testing.T, path string, from, n int64) {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteAt([]byte(strings.Repeat("\xde\xad", int(n/2))), from); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("header", func(t *testing.T) {
		path := fill(t)
		scribble(t, path, 0, 64)
		unavailable(t, openErr(t, path), "damaged", "copy")
	})
	t.Run("schema page", func(t *testing.T) {
		path := fill(t)
		scribble(t, path, 100, 3996)
		unavailable(t, openErr(t, path), "damaged")
	})
	t.Run("all other pages", func(t *testing.T) {
		path := fill(t)
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		scribble(t, path, 4096, info.Size()-4096)
		err = func() error {
			s, err := Open(t.Context(), Config{Path: path})
			if err != nil {
				return err
			}
			defer s.Close()
			if _, err := s.Journal(t.Context(), "run_1"); err != nil {
				unavailable(t, err, "damaged")
			} else {
				t.Error("a damaged journal was read")
			}
			return progress(s, "op_new", "run_1")
		}()
		unavailable(t, err, "damaged")
	})
}

func TestFileTakenAway(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := open(t, path)
	defer s.Close()
	start(t, s, "run_1")
	if err := os.Rename(path, path+".moved"); err != nil {
		t.Fatal(err)
	}
	unavailable(t, progress(s, "op_1", "run_1"), "removed or replaced")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := s.Journal(t.Context(), "run_1")
	unavailable(t, err, "removed or replaced")
	if err := os.Rename(path+".moved", path); err != nil {
		t.Fatal(err)
	}
	if err := progress(s, "op_1", "run_1"); err != nil {
		t.Errorf("after it was put back: %v", err)
	}
}

// TestTransactionThatBreaks ends a transaction under the store's feet: the connection is given up,
// and the next operation works on a new one, at the full flush.
func TestTransactionThatBreaks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := open(t, path)
	defer noneOpen(t, path)
	defer s.Close()
	start(t, s, "run_1")
	if err := s.Append(t.Context(), "relaxed", "run_1", 1, note("read", true)); err != nil {
		t.Fatal(err)
	}
	err := s.write(t.Context(), true, func(c *conn) error { return c.exec(t.Context(), "ROLLBACK") })
	if err == nil {
		t.Fatal("COMMIT without a transaction passed")
	}
	err = s.write(t.Context(), false, func(c *conn) error {
		var level int
		if _, err := c.get(t.Context(), "PRAGMA synchronous", nil, &level); err != nil || level != 2 {
			t.Errorf("synchronous is %d (%v), want 2", level, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := progress(s, "op_1", "run_1"); err != nil {
		t.Error(err)
	}
}

// noneOpen wants no descriptor of the store left in this process.
func noneOpen(t *testing.T, path string) {
	t.Helper()
	links, err := filepath.Glob("/proc/self/fd/*")
	if err != nil || len(links) == 0 {
		t.Skip("no /proc/self/fd here to look for open files")
	}
	for _, link := range links {
		if to, err := os.Readlink(link); err == nil && strings.HasPrefix(to, path) {
			t.Errorf("still open: %s", to)
		}
	}
}

func TestBlobTooLarge(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "store.db"))
	defer s.Close()
	err := s.PutBlob(t.Context(), "sha256:any", make([]byte, 256<<20+1)) // refused before any of it is read
	if e := runtime.AsError(err); e.Code != runtime.InvalidArgument || !strings.Contains(e.Error(), "268435457") || !strings.Contains(e.Error(), "split") {
		t.Errorf("error is %v", err)
	}
}

func TestOpenTogether(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	errs := make(chan error, 8)
	for i := range cap(errs) {
		go func() {
			s, err := Open(context.Background(), Config{Path: path})
			if err == nil {
				err = errors.Join(s.Start(context.Background(), "start", runtime.RunRecord{RunID: fmt.Sprint("run_", i)}, time.Hour), s.Close())
			}
			errs <- err
		}()
	}
	for range cap(errs) {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	s := open(t, path)
	defer s.Close()
	for i := range cap(errs) {
		journalLen(t, s, fmt.Sprint("run_", i))
	}
}

// TestCancelledWritesLeaveTheStoreWhole ends operations at any moment of theirs, and holds that the
// next one finds no transaction of theirs open.
func TestCancelledWritesLeaveTheStoreWhole(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "s.db"))
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 400 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rnd.IntN(400))*time.Microsecond)
		_ = s.write(ctx, i%2 == 0, func(c *conn) error { return c.exec(ctx, "DELETE FROM run WHERE 0") }) // cut off or not, as it falls
		cancel()
		if err := s.write(t.Context(), i%3 == 0, func(*conn) error { return nil }); err != nil {
			t.Fatalf("after %d writes that were cut off: %v (%v)", i+1, err, runtime.AsError(err).Cause)
		}
	}
}
