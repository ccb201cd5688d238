// Package accuracy measures how right the generator and the search are, on the example directory and
// on public data where that is present.
//
//	report, err := accuracy.Schema(bench.Options{Data: "../shared/data"})
//
// Each bench is a file of its own, with the report it gives. Nothing here is tuned: what is measured
// is what the product does.
package accuracy
