package infer_test

import (
	"path/filepath"
	"testing"

	"codemode/directory"
	"codemode/gen/infer"
)

// BenchmarkDirectory infers every row of the example directory, on one core.
func BenchmarkDirectory(b *testing.B) {
	dir, err := directory.Load(filepath.Join("..", "..", "fixtures", "directory"), directory.LoadOptions{})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(len(dir.Rows)), "rows")
	for b.Loop() {
		for _, row := range dir.Rows {
			infer.Infer(row, infer.Options{})
		}
	}
}
