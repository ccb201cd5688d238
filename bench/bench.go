// Package bench measures: how figures are timed and shown. Package accuracy below it holds the tables
// that codemode bench prints; Go's benchmarks get medians and 95th percentiles beside their means.
//
//	report, err := accuracy.Search(bench.Options{Data: "../shared/data"})
//	for _, table := range report.Tables() { table.Write(os.Stdout) }
//
//	var timer bench.Timer
//	for b.Loop() {
//		timer.Time(func() { ... })
//	}
//	timer.Report(b) // 2.1 p50-ms  4.7 p95-ms
//
// make bench runs the benchmarks of all packages.
package bench

// Options say what to measure on.
type Options struct {
	// Fixtures is the folder with the example directory and gold contracts of it; only Inference reads it.
	Fixtures string
	// Data is the folder with public test data; what is not there is left out and said in the report.
	Data string
}
