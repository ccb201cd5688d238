package gen

// This file shares independent work among the processors.

import (
	goruntime "runtime"
	"sync"
	"sync/atomic"
)

// parallel calls do once for each number below n, in any order, and waits for all.
func parallel(n int, do func(i int)) {
	var next atomic.Int64
	var done sync.WaitGroup
	for range min(goruntime.GOMAXPROCS(0), n) {
		done.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	done.Wait()
}
