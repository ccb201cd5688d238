package main

import (
	"strings"

	"golang.org/x/sys/unix"
)

func kernelRelease() string { return strings.TrimSpace(readOr("/proc/sys/kernel/osrelease", "")) }

// writable reports why a path can't be written, as the process's effective user.
func writable(path string) error {
	return unix.Faccessat(unix.AT_FDCWD, path, unix.W_OK, unix.AT_EACCESS)
}

func freeBytes(path string) (int64, bool) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * s.Bsize, true
}
