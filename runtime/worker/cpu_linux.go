package worker

import (
	"fmt"
	"syscall"
	"time"
)

// cpuTime is what the process has used since it was started.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0 // the kernel's limit is left
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// limitCPU has the kernel kill the process once it has used as much, rounded up to whole seconds.
func limitCPU(total time.Duration) error {
	seconds := uint64((total + time.Second - 1) / time.Second)
	if err := syscall.Setrlimit(syscall.RLIMIT_CPU, &syscall.Rlimit{Cur: seconds, Max: seconds}); err != nil {
		return fmt.Errorf("limit CPU time to %d s: %w", seconds, err)
	}
	return nil
}
