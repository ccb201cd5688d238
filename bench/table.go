package bench

// This file holds how measured figures are shown.

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Report is what one bench found. Its JSON form holds the figures as numbers.
type Report interface {
	// Tables are the same figures for a reader.
	Tables() []Table
}

// Table is one table of figures.
type Table struct {
	Title   string
	Columns []string
	Rows    [][]string
	Notes   []string // what the figures assume, a line each
}

// Write prints the table in aligned columns.
func (t Table) Write(w io.Writer) error {
	fmt.Fprintln(w, t.Title)
	tw := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	if len(t.Columns) > 0 {
		fmt.Fprintln(tw, "  "+strings.Join(t.Columns, "\t"))
	}
	for _, row := range t.Rows {
		fmt.Fprintln(tw, "  "+strings.Join(row, "\t"))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, note := range t.Notes {
		fmt.Fprintln(w, "  "+note)
	}
	_, err := fmt.Fprintln(w)
	return err
}
