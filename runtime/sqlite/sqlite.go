// Package sqlite keeps runs, journals, receipts, checkpoints and the bytes of inputs in one SQLite file:
// the store that needs no server.
//
//	store, err := sqlite.Open(ctx, sqlite.Config{Path: "/var/lib/codemode/store.db"})
//	if err != nil { ... } // a runtime.Error that says what to do
//	defer store.Close()
//	err = store.Append(ctx, op, runID, epoch, entries...) // nil: they are on the disk
//
// Each operation is one transaction of one connection; other processes may hold the same file open, and
// take runs over from each other by the file's leases and the machine's clock. The log is written ahead
// (WAL) and flushed by every operation (synchronous=FULL), so what was acknowledged survives a power
// failure. An operation whose entries are all Relaxed leaves its flush to the next that is not: it
// survives the death of the process, not that of the machine.
//
// Entries and checkpoints may have 64 MiB, blobs 256 MiB. Nothing is signed, and nothing is deleted.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	_ "modernc.org/sqlite" // the driver

	"codemode/runtime"
)

const (
	defaultBusyTimeout = 5 * time.Second
	readers            = 4
)

// Config says where the store is.
type Config struct {
	// Path is the database file. Where missing, its directory is made (mode 0700) and the file too
	// (0600); "-wal" and "-shm" files stand beside it while it is open.
	Path string
	// BusyTimeout is how long an operation waits for a process that holds the file; 0 means 5 s.
	BusyTimeout time.Duration
	// Now is the clock of leases and deadlines; nil means time.Now.
	Now func() time.Time
}

// Store is an open file. It is safe for concurrent use.
type Store struct {
	name   string // for messages: the file's name without its directory
	path   string
	file   fs.FileInfo // what was opened, to notice when it is taken away
	wait   time.Duration
	now    func() time.Time
	writer *writer
	reader *sql.DB
	closed atomic.Bool
}

var _ runtime.Store = (*Store)(nil)

// Open opens the store, creating it or bringing its tables up to date first. Errors: InvalidArgument
// (no path), Unavailable (no permission, locked, full, damaged, another program's or a newer
// codemode's file), Cancelled, Timeout. A file that can't be opened is left as it was.
func Open(ctx context.Context, c Config) (*Store, error) {
	if c.Path == "" {
		return nil, runtime.Errorf(runtime.InvalidArgument, "the store has no path").WithHint("name a file")
	}
	path, err := filepath.Abs(c.Path)
	if err != nil {
		return nil, runtime.Errorf(runtime.Unavailable, "store %s: the working directory is gone", c.Path).WithCause(err)
	}
	s := &Store{path: path, name: path, wait: c.BusyTimeout, now: c.Now}
	if s.wait <= 0 {
		s.wait = defaultBusyTimeout
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.file, err = createFile(path); err != nil {
		return nil, err
	}
	if err := s.connect(ctx); err != nil {
		err = s.fault(ctx, err)
		if closing := s.Close(); closing != nil {
			err = errors.Join(err, closing)
		}
		return nil, err
	}
	s.name = filepath.Base(path)
	return s, nil
}

// createFile makes the directory and the file where they are missing and proves that it may be
// written, because SQLite would quietly open it for reading only.
func createFile(path string) (fs.FileInfo, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fileFault(path, err)
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		what := "not a regular file"
		if info.IsDir() {
			what = "a directory"
		}
		return nil, runtime.Errorf(runtime.Unavailable, "the store %s is %s", path, what).WithHint("name a file in it, or another file")
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fileFault(path, err)
	}
	info, err := f.Stat()
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, fileFault(path, err)
	}
	return info, nil
}

func (s *Store) connect(ctx context.Context) error {
	db, err := sql.Open("sqlite", dsn(s.path, s.wait, false))
	if err != nil {
		return err
	}
	s.writer = newWriter(db)
	if err := s.writer.do(ctx, func(c *conn) error { return c.prepareFile(ctx, s.wait) }); err != nil {
		return err
	}
	s.reader, err = sql.Open("sqlite", dsn(s.path, s.wait, true))
	if err != nil {
		return err
	}
	s.reader.SetMaxOpenConns(readers)
	return s.reader.PingContext(ctx)
}

// dsn writes the driver's name of the file; the path is escaped, so that no "?" in it is an option.
func dsn(path string, wait time.Duration, readOnly bool) string {
	q := url.Values{}
	q.Set("_busy_timeout", strconv.FormatInt(max(1, wait.Milliseconds()), 10))
	q.Set("_synchronous", "FULL")
	q.Set("_foreign_keys", "1")
	q.Set("_defensive", "1")
	q.Set("_dqs", "0")
	q.Add("_pragma", "trusted_schema(0)")
	q.Add("_pragma", "cell_size_check(1)")
	q.Add("_pragma", "journal_size_limit(16777216)") // the log gives back what a large blob took
	if readOnly {
		q.Set("_query_only", "1")
	}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}).String()
}

// Close waits for the operation under way and closes the file. A second Close does nothing.
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	var errs []error
	if s.reader != nil {
		errs = append(errs, s.reader.Close())
	}
	if s.writer != nil {
		errs = append(errs, s.writer.close())
	}
	return errors.Join(errs...)
}

// ready refuses work on a closed store, or on a file that was deleted or replaced under it: what
// would be written there, nobody would find again.
func (s *Store) ready() error {
	if s.closed.Load() {
		return runtime.Errorf(runtime.Unavailable, "the store is closed").WithHint("open it again")
	}
	if info, err := os.Stat(s.path); err != nil || !os.SameFile(info, s.file) {
		return runtime.Errorf(runtime.Unavailable, "the store's file %s was removed or replaced while it was open", s.name).
			WithHint("put the file back or open the store again").WithCause(err)
	}
	return nil
}
