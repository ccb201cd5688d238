package sqlite

// This file turns what the file system and SQLite say into errors that say what to do.

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"codemode/runtime"
)

// fault returns err as a runtime.Error; one that is so already stays.
func (s *Store) fault(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	var known *runtime.Error
	if errors.As(err, &known) {
		return known
	}
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return runtime.Errorf(runtime.Timeout, "the store %s did not answer in time; nothing was changed", s.name).WithCause(err)
	case ctx.Err() != nil:
		return runtime.Errorf(runtime.Cancelled, "the store's operation was cancelled; nothing was changed").WithCause(err)
	}
	var failed *driver.Error
	if !errors.As(err, &failed) {
		if s.closed.Load() {
			return s.ready()
		}
		return runtime.AsError(err)
	}
	return s.explain(failed.Code() & 0xff).WithCause(err)
}

// explain says what a primary result code means here (https://www.sqlite.org/rescode.html).
func (s *Store) explain(code int) *runtime.Error {
	say := func(format, hint string) *runtime.Error {
		return runtime.Errorf(runtime.Unavailable, format, s.name).WithHint("%s", hint)
	}
	switch code {
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED:
		return runtime.Errorf(runtime.Unavailable, "the store %s is locked by another process, for longer than %s", s.name, s.wait).
			WithHint("end the process that holds it, or allow a longer busy timeout; then repeat")
	case codes.SQLITE_FULL:
		return say("the disk of the store %s is full; nothing of this operation was kept", "free space, then repeat; earlier operations are safe")
	case codes.SQLITE_CORRUPT, codes.SQLITE_NOTADB:
		return say("the store %s is damaged or not a store", "move it and its -wal and -shm files aside, and put a copy in their place")
	case codes.SQLITE_READONLY, codes.SQLITE_PERM, codes.SQLITE_AUTH:
		return say("the store %s may not be written", "allow this user to write the file and its directory")
	case codes.SQLITE_CANTOPEN:
		return say("the store %s can't be opened", "check its directory and this user's permissions")
	case codes.SQLITE_IOERR:
		return say("reading or writing the store %s failed; nothing of this operation was kept", "check the disk, then repeat")
	case codes.SQLITE_TOOBIG, codes.SQLITE_NOMEM:
		return say("the store %s has no room for an entry of this size", "make it smaller")
	}
	return runtime.Errorf(runtime.Internal, "the store failed").WithHint("the operator finds the cause in the log")
}

// fileFault says why the file could not be made or opened for writing.
func fileFault(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS):
		return runtime.Errorf(runtime.Unavailable, "the store %s may not be written", path).
			WithHint("allow this user to write the file and its directory, or name another file").WithCause(err)
	case errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT):
		return runtime.Errorf(runtime.Unavailable, "the disk of the store %s is full", path).WithHint("free space, then try again").WithCause(err)
	case errors.Is(err, syscall.ENOTDIR) || errors.Is(err, fs.ErrExist):
		return runtime.Errorf(runtime.Unavailable, "the store %s stands below a file that is no directory", path).WithHint("name another file").WithCause(err)
	}
	return runtime.Errorf(runtime.Unavailable, "the store %s can't be opened: %v", path, errors.Unwrap(err)).WithHint("name another file").WithCause(err)
}

func busy(err error) bool {
	var failed *driver.Error
	return errors.As(err, &failed) && (failed.Code()&0xff == codes.SQLITE_BUSY || failed.Code()&0xff == codes.SQLITE_LOCKED)
}

// damaged is for a row that is there and does not read.
func damaged(what string, err error) error {
	return runtime.Errorf(runtime.Unavailable, "the store is damaged: %s does not read", what).
		WithHint("put a copy of the store in its place").WithCause(err)
}

// orConflict is for a row that should not have been there.
func orConflict(err error, hint, format string, args ...any) error {
	if err != nil {
		return err
	}
	return runtime.Errorf(runtime.Conflict, format, args...).WithHint("%s", hint)
}
