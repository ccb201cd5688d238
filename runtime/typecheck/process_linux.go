package typecheck

// This file holds what of a process's confinement only Linux has.

import (
	"math"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// ownGroup puts the child into a process group of its own and has it killed when we die.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// sealDescriptors marks all descriptors past the standard three close-on-exec: Go does so for its
// own, but one that this process itself inherited would reach the child. A kernel before 5.11 does
// not know the call; there the launcher has to close them.
func sealDescriptors() {
	_ = unix.CloseRange(3, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)
}

// limitMemory caps the data segment of the started process, hard, before it has read anything.
func limitMemory(pid int, bytes int64) error {
	limit := unix.Rlimit{Cur: uint64(bytes), Max: uint64(bytes)}
	err := unix.Prlimit(pid, unix.RLIMIT_DATA, &limit, nil)
	if err != nil && err != unix.ESRCH {
		return err
	}
	return nil
}

// peakMemory is the largest resident set of an exited process in bytes; Linux reports it in KiB. It is
// never less than what the process that started it held then.
func peakMemory(state *os.ProcessState) int64 {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss << 10
	}
	return 0
}
