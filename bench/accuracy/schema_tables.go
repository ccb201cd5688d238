package accuracy

// This file shows what Schema found.

import (
	"fmt"
	"strconv"

	"codemode/bench"
)

// Tables shows the cases, the suite by draft and reading, by keyword, and the keyword list.
func (r *SchemaReport) Tables() []bench.Table {
	tables := []bench.Table{r.summary()}
	for _, d := range r.Suite {
		tables = append(tables, d.table())
	}
	return append(tables, expressibleTable(r.Expressible))
}

func (r *SchemaReport) summary() bench.Table {
	t := bench.Table{
		Title:   "Types of JSON Schema, judged by TypeScript " + r.Compiler,
		Columns: []string{"data", "reading", "schemas", "do not compile", "valid rejected", "invalid caught", "on expressible keywords"},
		Notes: []string{"as written: the specification to the letter. as meant, what declarations are made by: an object without additionalProperties has no",
			"index signature, and properties, items and the like without a type stand for an object or an array."},
	}
	for _, d := range r.Suite {
		t.Rows = append(t.Rows, []string{"suite " + d.Draft, d.Reading, judgedSchemas(d.Total), strconv.Itoa(d.Total.Broken), schemaShare(d.Total.ValidRejected, d.Total.Valid),
			schemaShare(d.Total.InvalidCaught, d.Total.Invalid), schemaShare(d.Can.InvalidCaught, d.Can.Invalid)})
	}
	if r.Cases != nil {
		t.Rows = append(t.Rows, []string{"cases with right types", "as meant", fmt.Sprintf("%d of %d right", r.Cases.Right, r.Cases.Total)})
		t.Notes = append(t.Notes, r.Cases.Wrong...)
	}
	if r.OpenAPI != nil {
		t.Rows = append(t.Rows, []string{"OpenAPI components", "as meant", fmt.Sprintf("%d of %d read", r.OpenAPI.Read, r.OpenAPI.Schemas), strconv.Itoa(len(r.OpenAPI.Problems))})
		t.Notes = append(t.Notes, r.OpenAPI.Problems...)
	}
	t.Notes = append(t.Notes, r.notes()...)
	return t
}

func judgedSchemas(j Judged) string {
	text := fmt.Sprintf("%d of %d", j.Schemas-j.Remote-j.Refused, j.Schemas)
	if j.Remote > 0 {
		text += fmt.Sprintf(" (%d refer to other documents)", j.Remote)
	}
	if j.Refused > 0 {
		text += fmt.Sprintf(" (%d refused)", j.Refused)
	}
	return text
}

func (d DraftFigures) table() bench.Table {
	t := bench.Table{
		Title:   d.Draft + " by keyword, " + d.Reading,
		Columns: []string{"keyword", "expressible", "schemas", "do not compile", "valid rejected", "invalid caught"},
		Notes:   d.Problems,
	}
	for _, k := range d.Keywords {
		can := "no"
		if isExpressible(k.Keyword) {
			can = "yes"
		}
		t.Rows = append(t.Rows, []string{k.Keyword, can, strconv.Itoa(k.Schemas), strconv.Itoa(k.Broken), schemaShare(k.ValidRejected, k.Valid), schemaShare(k.InvalidCaught, k.Invalid)})
	}
	return t
}

func expressibleTable(list []Expressible) bench.Table {
	t := bench.Table{Title: "What a TypeScript type can express of each keyword", Columns: []string{"keyword", "counts", "why"}}
	for _, e := range list {
		can := "no"
		if e.Can {
			can = "yes"
		}
		t.Rows = append(t.Rows, []string{e.Keyword, can, e.Why})
	}
	return t
}

func schemaShare(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d (%.0f %%)", n, of, 100*float64(n)/float64(of))
}
