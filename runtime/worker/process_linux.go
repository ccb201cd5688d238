package worker

import (
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// attributes put the worker into a process group of its own and let it die with the service.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// pollable gives a file to the Go runtime's poller: a reader that waits then holds no thread, and what it
// reads is handed on without a switch between threads.
func pollable(f *os.File) *os.File {
	if err := syscall.SetNonblock(int(f.Fd()), true); err != nil {
		return f
	}
	return os.NewFile(f.Fd(), f.Name())
}

// cpuOf is the CPU time that a living process has used, 0 when that can't be told: the clock that
// clock_getcpuclockid(3) gives for its number.
func cpuOf(pid int) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|2), &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}

func killGroup(pid int) {
	_ = syscall.Kill(-pid, syscall.SIGKILL) // ESRCH: gone already
}

// peakOf is the largest resident size that wait reported, in bytes.
func peakOf(usage any) int64 {
	if u, ok := usage.(*syscall.Rusage); ok {
		return u.Maxrss << 10
	}
	return 0
}

// killedFromOutside reports whether the process died of SIGKILL. Asked once it is known that we did not
// send it, that leaves the kernel, which kills so when the machine or a control group is out of memory.
func killedFromOutside(state *os.ProcessState) bool {
	if state == nil {
		return false
	}
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}
