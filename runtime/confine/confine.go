// Package confine locks the calling process in, for good: what it gives up, neither it nor a program
// it becomes can take back.
//
//	report, err := confine.Lock(confine.Policy{OpenFiles: 3})
//	// report.String() == "landlock 7; enforced: files tcp signals no_new_privs ... seccomp; missing: udp"
//
// On Linux it is Landlock (files, TCP, signals as far as the kernel knows them), no_new_privs, no
// capabilities, resource limits, and seccomp: a list of the system calls that are left. A kernel that
// lacks a part is not an error, since the parts stand for each other, but never silent: the Report says
// what is missing. Other systems have none of it, and say so.
//
// What only the process that starts another can do for it, Outside does: a user id without rights, and a
// control group. Attempt lets a locked-in process try what it must not be able to do. The package starts
// no process and hides nothing that was read before.
package confine

import (
	"fmt"
	"slices"
	"strings"
)

// Policy says what a process keeps.
type Policy struct {
	// Open says that the process may open files, as far as Read lets it, and become another program.
	// Without it, only the system calls are left that computing and open descriptors need.
	Open bool
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
	LandlockABI int `json:"landlock_abi"`
	// Enforced and Missing are what is and is not held back: "files", "tcp", "udp", "signals",
	// "no_new_privs", "capabilities", "open_files", "core", "file_size", "seccomp", and "memory" where the
	// policy limits it.
	Enforced []string `json:"enforced"`
	Missing  []string `json:"missing,omitempty"`
}

// String is one line for a log or a receipt.
func (r Report) String() string {
	s := fmt.Sprintf("landlock %d; enforced: %s", r.LandlockABI, list(r.Enforced))
	if len(r.Missing) > 0 {
		s += "; missing: " + list(r.Missing)
	}
	return s
}

// Enforces reports whether a part is enforced.
func (r Report) Enforces(name string) bool { return slices.Contains(r.Enforced, name) }

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

// cover takes parts as enforced that another part enforces as well.
func (r *Report) cover(names ...string) {
	for _, name := range names {
		if i := slices.Index(r.Missing, name); i >= 0 {
			r.Missing = slices.Delete(r.Missing, i, i+1)
			r.Enforced = append(r.Enforced, name)
		}
	}
}
