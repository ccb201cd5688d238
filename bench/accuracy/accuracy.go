// Package accuracy measures how right the generator and the search are, on the example directory and
// on public data where that is present.
//
//	report, err := accuracy.Schema(bench.Options{Data: "../shared/data"})
//
// Each bench is a file of its own, with the report it gives. Nothing here is tuned: what is measured
// is what the product does.
package accuracy

import (
	"errors"
	"io/fs"
	"strings"
)

// Missing is the data that was not there. Every report has it.
type Missing struct {
	// Absent are files and folders below the folder of the data. What is measured on them is left out.
	Absent []string `json:"absent,omitempty"`
}

// without notes that data is not there, as against unreadable, and reports whether that is what err says.
func (m *Missing) without(data string, err error) bool {
	if !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	m.Absent = append(m.Absent, data)
	return true
}

// notes say the same to a reader.
func (m Missing) notes() []string {
	if len(m.Absent) == 0 {
		return nil
	}
	return []string{"not measured, the data is absent: " + strings.Join(m.Absent, ", ")}
}
