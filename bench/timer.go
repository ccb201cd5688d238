package bench

// This file holds how rounds are timed.

import (
	"slices"
	"time"
)

// Timer keeps how long each round took.
type Timer struct{ took []time.Duration }

// Time runs one round.
func (t *Timer) Time(round func()) {
	begun := time.Now()
	round()
	t.Add(time.Since(begun))
}

// Add counts a round that took so long.
func (t *Timer) Add(took time.Duration) { t.took = append(t.took, took) }

// Join counts the rounds of another timer too.
func (t *Timer) Join(other Timer) { t.took = append(t.took, other.took...) }

// Rounds is how many were timed.
func (t *Timer) Rounds() int { return len(t.took) }

// Metrics is what of a *testing.B a Timer reports to.
type Metrics interface {
	ReportMetric(n float64, unit string)
}

// Report adds the median and the 95th percentile, in milliseconds, to what a benchmark reports.
func (t *Timer) Report(b Metrics) {
	if len(t.took) == 0 {
		return
	}
	b.ReportMetric(t.Percentile(50), "p50-ms")
	b.ReportMetric(t.Percentile(95), "p95-ms")
}

// Percentile is the time in milliseconds that so many percent of the rounds did not exceed; 0
// before the first round.
func (t *Timer) Percentile(percent int) float64 {
	if len(t.took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(t.took))
	return float64(sorted[(len(sorted)-1)*percent/100].Nanoseconds()) / 1e6
}
