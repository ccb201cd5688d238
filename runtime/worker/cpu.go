package worker

// This file bounds the CPU time of a run. The worker watches its own and interrupts the script; the
// kernel kills a process that does not listen, as one in a long native function does not.

import (
	"context"
	"errors"
	"time"
)

var errCPU = errors.New("the CPU time of the run is used up")

const (
	// watchEvery is the shortest time between two looks at the CPU time.
	watchEvery = 20 * time.Millisecond
	// watchThreads is how many threads of a worker compute at once, at most: one for Go code (its
	// environment says so), and some that are in the kernel.
	watchThreads = 3
)

// watchCPU cancels the run once the process has used as much CPU time as it may from now on, and has the
// kernel kill it a little later.
func watchCPU(ctx context.Context, may time.Duration, cancel context.CancelCauseFunc) error {
	end := cpuTime() + may
	if err := limitCPU(end + grace); err != nil {
		return err
	}
	go func() {
		for left := may; left > 0; left = end - cpuTime() {
			select {
			case <-time.After(max(watchEvery, left/watchThreads)):
			case <-ctx.Done():
				return
			}
		}
		cancel(errCPU)
	}()
	return nil
}
