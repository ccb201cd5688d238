// Package directory is rows as data: loading them from files, linting them, and the documentation
// lines in their content.
//
//	dir, err := directory.Load("rows.jsonl", directory.LoadOptions{})
//	for _, row := range dir.Rows { fmt.Println(row.Key, row.Description) }
//	for _, f := range directory.Lint(dir) { fmt.Println(f) }
//
// It does not infer contracts (package gen/infer does) and calls nothing.
package directory

import (
	"cmp"
	"slices"
	"strings"
)

// Directory is a loaded set of rows with what was wrong about those that could not be loaded.
type Directory struct {
	// Rows are sorted by key, each key once.
	Rows []Row
	// Pages are entries that only document: there is nothing to call, whatever their type. They yield no contract and are
	// no rows; their words are there to be read. Sorted by key, each key once.
	Pages []Row
	// Names are the recorded names, by Reference. A name stays taken also where its row is not there.
	Names map[string]RecordedName
	// Observed are the observed results, by Reference, also those of rows that are not there.
	Observed map[string]Observation
	// Findings name the entries that were left out, and why.
	Findings []Finding
	// LeftOut counts entries that could not be read: a row that is not among Rows may be one of them.
	LeftOut int

	observedAt map[string]int // the line of each entry of Observed, by Reference
	observed   string         // the file of Observed
}

// Finding is one remark about a place in a directory.
type Finding struct {
	File     string   `json:"file"`
	Line     int      `json:"line"` // from 1
	Key      string   `json:"key,omitempty"`
	Severity Severity `json:"severity"`
	// Rule is the finding's stable name: "missing_description", "malformed_row", ...
	Rule    string `json:"rule"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// RuleCount says how often a rule was found.
type RuleCount struct {
	Rule     string   `json:"rule"`
	Severity Severity `json:"severity"`
	Count    int      `json:"count"`
}

// CountByRule sums findings up, the most frequent rule first, of equals errors before warnings. A
// rule that was found with both severities has a count for each.
func CountByRule(findings []Finding) []RuleCount {
	type kind struct {
		rule     string
		severity Severity
	}
	counts := map[kind]int{}
	for _, f := range findings {
		counts[kind{f.Rule, f.Severity}]++
	}
	out := make([]RuleCount, 0, len(counts))
	for k, n := range counts {
		out = append(out, RuleCount{Rule: k.rule, Severity: k.severity, Count: n})
	}
	slices.SortFunc(out, func(a, b RuleCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(string(a.Severity), string(b.Severity)), strings.Compare(a.Rule, b.Rule))
	})
	return out
}

// Severity orders findings.
type Severity string

const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
)

// SideFault is the first finding of error severity about a file beside the rows, by the end of its
// rules' names: "_name" of names.json, "_observation" of observed.json. Whoever writes that file anew
// would lose the entry that it is about.
func (d *Directory) SideFault(suffix string) (Finding, bool) {
	for _, f := range d.Findings {
		if strings.HasSuffix(f.Rule, suffix) && f.Severity == SeverityError {
			return f, true
		}
	}
	return Finding{}, false
}

// Row returns the row with the key.
func (d *Directory) Row(key string) (Row, bool) {
	for i := range d.Rows {
		if d.Rows[i].Key == key {
			return d.Rows[i], true
		}
	}
	return Row{}, false
}
