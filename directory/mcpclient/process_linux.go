package mcpclient

// This file ends what left the group of a server's process, as a program that calls setsid does: it still
// has the environment that it was started with, unless it took care to drop it.

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// maxSweeps bounds the hunt for processes that start others faster than they are ended.
const maxSweeps = 20

// killMarked kills every process with an entry in its environment, until there is none.
func killMarked(entry string) {
	for range maxSweeps {
		if !sweep(entry) {
			return
		}
	}
}

// sweep looks at every process once and reports whether it killed one.
func sweep(entry string) bool {
	names, _ := filepath.Glob("/proc/[0-9]*/environ") // fails for a bad pattern only
	killed := false
	for _, name := range names {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		if err != nil || !marked(name, entry) {
			continue
		}
		p, err := os.FindProcess(pid)
		if err != nil {
			continue
		}
		if marked(name, entry) { // again: p is held now, and can't become another process of this number
			killed = p.Kill() == nil || killed
		}
		p.Release()
	}
	return killed
}

// marked reports an environment with an entry. One of another user's process cannot be read, and is none
// of the server's; one of a process that ended is empty.
func marked(name, entry string) bool {
	environ, err := os.ReadFile(name)
	if err != nil {
		return false
	}
	for e := range bytes.SplitSeq(environ, []byte{0}) {
		if string(e) == entry {
			return true
		}
	}
	return false
}
