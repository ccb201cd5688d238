package speed

// This file measures how many runs a second a service makes for several clients, and what CPU time each
// takes.

import (
	"errors"
	"sync"
	"time"

	"codemode/bench"
	"codemode/runtime"
)

// Rate is what clients that each send a script as soon as their last one has ended see.
type Rate struct {
	Clients   int     `json:"clients"`
	PerSecond float64 `json:"runs_per_second"`
	Times
	// CPUMillis is the CPU time of a run: of this process, its workers and the compiler; 0 where it can't
	// be told.
	CPUMillis float64 `json:"cpu_ms"`
}

func (m *measurement) rate(clients int) (Rate, error) {
	s := script{text: `export default await tools.text.slugify({ text: "Two Words" })`}
	m.system.WaitIdle()
	timers, errs := make([]bench.Timer, clients), make([]error, clients)
	cpu, begun := cpuTime(), time.Now()
	var wg sync.WaitGroup
	for i := range clients {
		wg.Go(func() {
			for errs[i] == nil && time.Since(begun) < m.busy {
				timers[i].Time(func() { errs[i] = m.run(s, runtime.CheckTools) })
			}
		})
	}
	wg.Wait()
	took := time.Since(begun)
	m.system.WaitIdle() // what it started is part of what it took
	used := cpuTime() - cpu
	var all bench.Timer
	for _, t := range timers {
		all.Join(t)
	}
	return Rate{
		Clients: clients, PerSecond: float64(all.Rounds()) / took.Seconds(), Times: times(&all),
		CPUMillis: float64(used.Microseconds()) / 1000 / float64(max(1, all.Rounds())),
	}, errors.Join(errs...)
}
