package speed

import (
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime is that of this process, of its children that were reaped, and of those that live.
func cpuTime() time.Duration {
	total := usage(unix.RUSAGE_SELF) + usage(unix.RUSAGE_CHILDREN)
	for _, pid := range children() {
		var t unix.Timespec
		if err := unix.ClockGettime(int32(^pid<<3|2), &t); err == nil { // clock_getcpuclockid(3)
			total += time.Duration(t.Nano())
		}
	}
	return total
}

func usage(who int) time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(who, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// children are the processes that this one has started and not reaped.
func children() []int {
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return nil
	}
	var out []int
	for _, task := range tasks {
		raw, err := os.ReadFile("/proc/self/task/" + task.Name() + "/children")
		if err != nil {
			continue // the thread has ended
		}
		for _, field := range strings.Fields(string(raw)) {
			if pid, err := strconv.Atoi(field); err == nil {
				out = append(out, pid)
			}
		}
	}
	return out
}
