package golang_test

import (
	"testing"

	"codemode/bench"
	"codemode/gen/golang"
)

// BenchmarkPackage writes the bindings of the whole example directory.
func BenchmarkPackage(b *testing.B) {
	cs := fixtureContracts(b)
	var timer bench.Timer
	lines := 0
	for b.Loop() {
		timer.Time(func() {
			files, err := golang.Package("bindings", header, cs)
			if err != nil {
				b.Fatal(err)
			}
			lines = 0
			for _, text := range files {
				for _, c := range text {
					if c == '\n' {
						lines++
					}
				}
			}
		})
	}
	timer.Report(b)
	b.ReportMetric(float64(len(cs)), "methods")
	b.ReportMetric(float64(lines), "lines")
}
