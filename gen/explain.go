package gen

// This file tells of one row what each field of its contracts was read from.

import (
	"fmt"
	"maps"
	"slices"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/gen/infer"
)

// Explanation is one contract of a row, and why it says what it says.
type Explanation struct {
	Contract    contract.Contract  `json:"contract"`
	Evidence    []infer.Evidence   `json:"evidence"` // sorted by field
	Grade       Grade              `json:"grade"`
	Diagnostics []infer.Diagnostic `json:"diagnostics"`
}

// Explain explains the contracts of the row with this key, by operation. Out is what Generate made of
// the whole directory: names, and what a flow takes from its steps, are settled there.
func Explain(dir *directory.Directory, out *Output, key string) ([]Explanation, error) {
	row, ok := dir.Row(key)
	if !ok {
		return nil, fmt.Errorf("explain: no row has the key %q", key)
	}
	read := map[string]infer.Explanation{}
	for _, e := range infer.Explain(row, infer.Options{}) {
		read[e.Contract.Operation] = e
	}
	var explained []Explanation
	for _, c := range out.Contracts {
		if c.Key != key {
			continue
		}
		e := read[c.Operation]
		remarks := []infer.Diagnostic{}
		for _, d := range out.Diagnostics { // those of infer, and what Generate had to add
			if d.Key == key && d.Operation == c.Operation {
				remarks = append(remarks, d)
			}
		}
		explained = append(explained, Explanation{
			Contract: c, Evidence: settled(c, e), Grade: GradeOf(row, c),
			Diagnostics: remarks,
		})
	}
	return explained, nil
}

// settled is the evidence for the contract as it is after what Generate added to it.
func settled(c contract.Contract, e infer.Explanation) []infer.Evidence {
	known := map[string]infer.Evidence{}
	for _, v := range e.Evidence {
		known[v.Field] = v
	}
	out := []infer.Evidence{}
	for _, field := range slices.Sorted(maps.Keys(c.Provenance)) {
		v, ok := known[field]
		if from := c.Provenance[field]; !ok || v.Provenance != from {
			v = infer.Evidence{Field: field, Provenance: from}
			if from == contract.FromTemplate || from == contract.FromObserved {
				v.Place = "the rows that it calls"
			}
		}
		out = append(out, v)
	}
	return out
}
