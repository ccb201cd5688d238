// Package bench measures: medians and 95th percentiles beside the means that Go reports, and the
// whole pipeline on the example directory.
//
//	var timer bench.Timer
//	for b.Loop() {
//		timer.Time(func() { ... })
//	}
//	timer.Report(b) // 2.1 p50-ms  4.7 p95-ms
//
// make bench runs the benchmarks of all packages. Nothing in the product imports it.
package bench

import (
	"slices"
	"testing"
	"time"
)

// Timer keeps how long each round took.
type Timer struct{ took []time.Duration }

// Time runs one round.
func (t *Timer) Time(round func()) {
	begun := time.Now()
	round()
	t.took = append(t.took, time.Since(begun))
}

// Report adds the median and the 95th percentile, in milliseconds, to what the benchmark reports.
func (t *Timer) Report(b *testing.B) {
	if len(t.took) == 0 {
		return
	}
	slices.Sort(t.took)
	b.ReportMetric(t.at(50), "p50-ms")
	b.ReportMetric(t.at(95), "p95-ms")
}

func (t *Timer) at(percent int) float64 {
	return float64(t.took[(len(t.took)-1)*percent/100].Nanoseconds()) / 1e6
}
