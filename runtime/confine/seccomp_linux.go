package confine

// This file holds which system calls are left. A call that is not answers "operation not permitted": Go's
// runtime and the C library take that from a call they can do without, and a program that needs it says so.

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/sys/unix"
)

// noSuchCall makes the C library start a thread by clone, whose flags a filter can see, where it would by
// clone3, whose flags stand in memory.
const noSuchCall = seccomp.ActionErrno | seccomp.Action(unix.ENOSYS)

// newNamespaces are clone's flags for namespaces. That for time shares its bit with the signal of a child,
// and only clone3 and unshare take it.
const newNamespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC |
	unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

// calls are what a policy leaves: those named, and those named whose arguments fit.
type calls struct {
	names []string
	when  []seccomp.NameWithConditions
}

// systemCalls is what is left to a process that may open files and start programs, or only compute.
func systemCalls(open bool) calls {
	if open {
		return programCalls()
	}
	return computeCalls()
}

// computeCalls are those of a Go program that computes, reads and writes what is open already, and ends;
// with the C library's for a thread, since codemode as its own worker may be linked with it.
func computeCalls() calls {
	return calls{
		names: []string{
			"read", "write", "readv", "writev", "close", // open descriptors
			"epoll_wait", "epoll_pwait", "epoll_ctl",
			"munmap", "madvise", "futex", "sched_yield", // memory and threads
			"clock_gettime", "clock_nanosleep", "nanosleep", "gettimeofday", "restart_syscall", // time
			"rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "getpid", "gettid", // signals
			"set_robust_list", "rseq", "getrandom", "getrusage", "getrlimit", "exit", "exit_group",
		},
		when: slices.Concat(
			either("mmap", and(2, seccomp.BitsNotSet, unix.PROT_EXEC)),
			either("mprotect", and(2, seccomp.BitsNotSet, unix.PROT_EXEC)),
			either("clone", slices.Concat(and(0, seccomp.BitsSet, unix.CLONE_THREAD), and(0, seccomp.BitsNotSet, newNamespaces))),
			either("tgkill", and(0, seccomp.Equal, uint64(os.Getpid()))),                              // its own threads
			either("fcntl", and(1, seccomp.Equal, unix.F_GETFL), and(1, seccomp.Equal, unix.F_SETFL)), // to wait for a pipe
			either("prctl", and(0, seccomp.Equal, unix.PR_SET_VMA)),                                   // the collector names its memory
			// Limits are read; a run's own are set when it begins, and can only go down.
			either("prlimit64",
				slices.Concat(and(0, seccomp.Equal, 0), and(2, seccomp.Equal, 0)),
				slices.Concat(and(0, seccomp.Equal, 0), and(1, seccomp.Equal, unix.RLIMIT_DATA)),
				slices.Concat(and(0, seccomp.Equal, 0), and(1, seccomp.Equal, unix.RLIMIT_CPU))),
		),
	}
}

// withheld are the calls that no confined program gets: other machines, other processes, the kernel's
// own parts, other views of the system.
var withheld = []string{
	"socket", "socketpair", "connect", "bind", "listen", "accept", "accept4",
	"ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "kcmp",
	"keyctl", "add_key", "request_key", "bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register",
	"unshare", "setns", "chroot", "pivot_root", "mount", "umount2", "mount_setattr", "move_mount", "open_tree", "open_tree_attr", "fsopen", "fsconfig", "fsmount", "fspick",
	"name_to_handle_at", "open_by_handle_at", "fanotify_init", "quotactl", "quotactl_fd", "acct", "swapon", "swapoff", "reboot", "syslog", "vhangup",
	"init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "iopl", "ioperm", "modify_ldt", "personality",
	"settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "sethostname", "setdomainname",
	"clone", "clone3", // clone comes back without namespaces
}

// programCalls are all that this build knows, but for those withheld: a list of what is forbidden alone
// would leave the calls of the machine's other architecture, and those that a later kernel brings.
func programCalls() calls {
	info, err := arch.GetInfo("")
	if err != nil {
		return calls{}
	}
	var c calls
	for _, name := range slices.Sorted(maps.Keys(info.SyscallNames)) {
		if !slices.Contains(withheld, name) {
			c.names = append(c.names, name)
		}
	}
	c.when = either("clone", and(0, seccomp.BitsNotSet, newNamespaces))
	return c
}

func and(argument uint32, op seccomp.Operation, value uint64) seccomp.ArgumentConditions {
	return seccomp.ArgumentConditions{{Argument: argument, Operation: op, Value: value}}
}

func either(name string, alternatives ...seccomp.ArgumentConditions) []seccomp.NameWithConditions {
	var out []seccomp.NameWithConditions
	for _, a := range alternatives {
		out = append(out, seccomp.NameWithConditions{Name: name, Conditions: a})
	}
	return out
}

// filter leaves the process, every thread of it, the calls and no other.
func filter(c calls, r *Report) error {
	info, err := arch.GetInfo("")
	if err != nil || !seccomp.Supported() {
		r.note("seccomp", false)
		return nil
	}
	known := func(name string) bool { _, ok := info.SyscallNames[name]; return ok }
	c.names = slices.DeleteFunc(slices.Clone(c.names), func(name string) bool { return !known(name) })
	err = seccomp.LoadFilter(seccomp.Filter{NoNewPrivs: true, Flag: seccomp.FilterFlagTSync, Policy: seccomp.Policy{
		DefaultAction: seccomp.ActionErrno,
		Syscalls: []seccomp.SyscallGroup{
			{Action: seccomp.ActionAllow, Names: c.names, NamesWithCondtions: c.when},
			{Action: noSuchCall, Names: []string{"clone3"}},
		},
	}})
	if err != nil {
		return fmt.Errorf("confine: %w", err)
	}
	if filtered() {
		r.note("seccomp", true)
		return nil
	}
	return errNotApplied
}

var errNotApplied = errors.New("confine: the kernel took the filter of system calls and does not apply it")

// filtered tells whether a filter is in force: where the kernel can't put it on every thread it answers
// with the number of one, which the library takes for success.
func filtered() bool {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err == nil {
		_ = unix.Close(fd) // the caller gives up
	}
	return errors.Is(err, unix.EPERM)
}
