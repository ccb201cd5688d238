package sqlite

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"codemode/bench"
	"codemode/runtime"
)

// BenchmarkAppend is the cost of one operation with so many entries of 300 bytes.
func BenchmarkAppend(b *testing.B) {
	for _, entries := range []int{1, 1000} {
		for _, relaxed := range []bool{false, true} {
			b.Run(fmt.Sprintf("entries=%d/relaxed=%t", entries, relaxed), func(b *testing.B) {
				s := open(b, filepath.Join(b.TempDir(), "store.db"))
				defer s.Close()
				start(b, s, "run_1")
				batch := make([]runtime.Entry, entries)
				for i := range batch {
					batch[i] = note(strings.Repeat("x", 298), relaxed)
				}
				var timer bench.Timer
				for n := 0; b.Loop(); n++ {
					timer.Time(func() {
						if err := s.Append(b.Context(), fmt.Sprint("append ", n), "run_1", 1, batch...); err != nil {
							b.Fatal(err)
						}
					})
				}
				timer.Report(b)
			})
		}
	}
}

// BenchmarkJournal reads 10,000 entries of 300 bytes, as a replay does.
func BenchmarkJournal(b *testing.B) {
	s := open(b, filepath.Join(b.TempDir(), "store.db"))
	defer s.Close()
	start(b, s, "run_1")
	batch := make([]runtime.Entry, 10_000)
	for i := range batch {
		batch[i] = note(strings.Repeat("x", 298), true)
	}
	if err := s.Append(b.Context(), "append", "run_1", 1, batch...); err != nil {
		b.Fatal(err)
	}
	var timer bench.Timer
	for b.Loop() {
		timer.Time(func() {
			if _, err := s.Journal(b.Context(), "run_1"); err != nil {
				b.Fatal(err)
			}
		})
	}
	timer.Report(b)
}
