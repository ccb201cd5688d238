// Package confine locks the calling process in, for good: what it gives up, neither it nor a program
// it becomes can take back.
//
//	report, err := confine.Lock(confine.Policy{Read: []string{"/opt/compiler"}, OpenFiles: 256})
//	// report.String() == "landlock 7; enforced: files tcp signals no_new_privs ...; missing: udp"
//
// On Linux it is Landlock (files, TCP, signals as far as the kernel knows them), no_new_privs and
// resource limits. A kernel that lacks a part is not an error, since the parts stand for each other,
// but never silent: the Report says what is missing. Other systems have none of it, and say so. The
// package starts no process and hides nothing that was read before.
package confine

import (
	"fmt"
	"strings"
)

// Policy says what a process keeps.
type Policy struct {
	// Read are files and directories that may be read and executed; each must exist. Empty: none.
	Read []string
	// OpenFiles is how many descriptors may exist at once, those open already included.
	OpenFiles uint64
	// MemoryBytes limits the data segment (RLIMIT_DATA); 0 sets no limit.
	MemoryBytes int64
}

// Report says what is enforced.
type Report struct {
	// LandlockABI is the kernel's version, 0 for none.
	LandlockABI int
	// Enforced and Missing are what is and is not held back: "files", "tcp", "udp", "signals",
	// "no_new_privs", "open_files", "core", "file_size", and "memory" where the policy limits it.
	Enforced, Missing []string
}

// String is one line for a log or a receipt.
func (r Report) String() string {
	s := fmt.Sprintf("landlock %d; enforced: %s", r.LandlockABI, list(r.Enforced))
	if len(r.Missing) > 0 {
		s += "; missing: " + list(r.Missing)
	}
	return s
}

func list(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return strings.Join(names, " ")
}

func (r *Report) note(name string, enforced bool) {
	if enforced {
		r.Enforced = append(r.Enforced, name)
	} else {
		r.Missing = append(r.Missing, name)
	}
}
