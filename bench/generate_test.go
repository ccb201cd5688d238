package bench_test

// This file measures the generator on directories of several sizes.

import (
	"fmt"
	"runtime"
	"syscall"
	"testing"

	"codemode/bench"
	"codemode/directory"
	"codemode/gen"
)

// BenchmarkGenerateRows generates the example directory, and directories made of copies of its rows
// under other keys and categories. live-MB is what the output holds.
func BenchmarkGenerateRows(b *testing.B) {
	dir, err := directory.Load("../fixtures/directory", directory.LoadOptions{})
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{len(dir.Rows), 9_000, 90_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			d := copies(dir, n)
			var timer bench.Timer
			var out *gen.Output
			b.ReportAllocs()
			before, rounds := cpuMillis(b), 0
			for b.Loop() {
				rounds++
				timer.Time(func() {
					if out, err = gen.Generate(d, gen.Options{}); err != nil {
						b.Fatal(err)
					}
				})
			}
			b.ReportMetric((cpuMillis(b)-before)/float64(rounds), "cpu-ms")
			timer.Report(b)
			b.ReportMetric(float64(len(out.Contracts)), "operations")
			b.ReportMetric(liveMB(), "live-MB")
			runtime.KeepAlive(out)
		})
	}
}

// copies is a directory of n rows. Copies of flows are left out: they would all call the first rows.
func copies(dir *directory.Directory, n int) *directory.Directory {
	rows := append([]directory.Row{}, dir.Rows[:min(n, len(dir.Rows))]...)
	for round := 1; len(rows) < n; round++ {
		for _, row := range dir.Rows {
			if row.Type == directory.Flow || len(rows) == n {
				continue
			}
			row.Key, row.Category = fmt.Sprintf("%s_%d", row.Key, round), fmt.Sprintf("%s%d", row.Category, round)
			rows = append(rows, row)
		}
	}
	return &directory.Directory{Rows: rows}
}

// cpuMillis is the time that all processors spent on this process: unlike the clock it holds still
// while the machine does other things. It counts the collector's work too.
func cpuMillis(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e6
}

func liveMB() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / 1e6
}
