package worker_test

import (
	"context"
	"testing"

	"codemode/bench"
	"codemode/runtime/worker"
)

// The benchmarks run each script in a process of its own, taken from a pool that is full when it
// starts: what one caller waits for, killing and reaping included.
func benchmark(b *testing.B, text string) {
	pool := worker.New(worker.Config{Command: command, Idle: 2})
	defer func() {
		if err := pool.Close(); err != nil {
			b.Error(err)
		}
	}()
	p := script(text)
	p.Limits.WallMillis = 30_000
	var timer bench.Timer
	for b.Loop() {
		timer.Time(func() {
			out, err := pool.Run(context.Background(), p, &host{})
			if err != nil || out.Err != nil {
				b.Fatal(err, describe(out))
			}
		})
		b.StopTimer()
		pool.WaitIdle() // the next is ready, as it is when scripts come one at a time
		b.StartTimer()
	}
	timer.Report(b)
}

func BenchmarkTrivial(b *testing.B) { benchmark(b, "export default 1 + 1") }
func BenchmarkCalls100(b *testing.B) {
	benchmark(b, "let n = 0; for (let i = 0; i < 100; i++) n += (await tools.crm.get({ i })).i; export default n")
}
func BenchmarkLoop1e6(b *testing.B) {
	benchmark(b, "let n = 0; for (let i = 0; i < 1e6; i++) n += i % 7; export default n")
}
