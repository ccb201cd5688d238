package infer

// This file keeps what each field of a contract was read from, for people who ask why.

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/directory/template"
)

// Evidence is what one field of a contract was read from.
type Evidence struct {
	// Field is a key of Contract.Provenance.
	Field      string              `json:"field"`
	Provenance contract.Provenance `json:"provenance"`
	// Place is the part of the row: "input_schema/properties/limit", "target", "content # ARGS",
	// "arguments/2", "description", "examples". It is "" where nothing says anything.
	Place string `json:"place,omitempty"`
	// Words are as the row has them, at most maxEvidence bytes.
	Words string `json:"words,omitempty"`
}

// maxEvidence caps the bytes of one piece of evidence.
const maxEvidence = 200

// Explanation is one contract with the evidence for its fields, sorted by field.
type Explanation struct {
	Contract    contract.Contract
	Evidence    []Evidence
	Diagnostics []Diagnostic
}

// Explain does what Infer does, and tells what each field was read from.
func Explain(row directory.Row, opts Options) []Explanation {
	var out []Explanation
	for _, b := range builders(row, opts) {
		c := b.contract()
		out = append(out, Explanation{Contract: c, Evidence: b.evidence(), Diagnostics: b.remarks()})
	}
	return out
}

// source is a place in a row and the words that stand there.
type source struct{ place, words string }

func (b *builder) evidence() []Evidence {
	out := []Evidence{}
	for _, field := range slices.Sorted(maps.Keys(b.prov)) {
		e := Evidence{Field: field, Provenance: b.prov[field]}
		if e.Provenance != contract.FromNone {
			s := b.sources[field]
			e.Place, e.Words = s.place, excerpt(s.words)
		}
		out = append(out, e)
	}
	return out
}

// say notes where a field came from and what was read there.
func (b *builder) say(field string, from contract.Provenance, s source) {
	b.prov[field], b.sources[field] = from, s
}

// excerpt makes one line of words, cut where it is long.
func excerpt(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	if len(s) <= maxEvidence {
		return s
	}
	return strings.ToValidUTF8(s[:maxEvidence], "") + "..."
}

// told is the source that a provenance of the parameter means.
func (p param) told(from contract.Provenance) source {
	switch from {
	case contract.FromTemplate:
		return p.slot
	case contract.FromExample:
		if p.doc.place == "" || p.example.place != "" && p.from != contract.FromExample {
			return p.example
		}
	case contract.FromProse:
		if p.remark.place != "" {
			return p.remark
		}
	}
	if p.doc.place == "" {
		return p.slot // the words are those around the slot: a name that ends in a unit
	}
	return p.doc
}

// slotSource names a slot and what stands around it.
func (b *builder) slotSource(f *filled) source {
	if len(f.slots) == 0 {
		return source{}
	}
	s := f.slots[0]
	at := "$" + itoa(f.index) + " in the " + strings.ReplaceAll(string(s.Context), "_", " ")
	switch {
	case f.named:
		at = "{" + s.Hint + "}"
	case s.Hint != "":
		at += ", at " + s.Hint
	}
	switch s.Context {
	case template.URLHost, template.URLPath, template.URLQuery:
		return source{"target", at}
	case template.Header:
		return source{"headers", at}
	}
	return source{"content", at}
}

func (b *builder) exampleSource() source {
	switch {
	case len(b.row.Examples) > 0:
		return source{"examples", string(b.row.Examples[0])}
	case len(b.row.Docs.Examples) > 0:
		return source{"content # EX", b.row.Docs.Examples[0]}
	}
	return source{}
}

// listed is the source of one entry of an argument list.
func listed(i int, a directory.Argument) source {
	raw, err := json.Marshal(a)
	if err != nil {
		return source{}
	}
	return source{"arguments/" + itoa(i), string(raw)}
}

// from says which place the arguments were read at, where their own does not.
func (d docArgs) from(place string, lines []string) docArgs {
	d.source = source{place, strings.Join(lines, "\n")}
	for i := range d.params {
		if d.params[i].source.place == "" {
			d.params[i].source.place = place
		}
	}
	return d
}
