package importer

// This file gathers findings: one by one where each tool matters, counted where there are many of a kind.

import (
	"fmt"
	"slices"
	"strings"

	"codemode/directory"
)

// remarks holds the findings of one list.
type remarks struct {
	file   string
	limit  int // of single findings
	single []directory.Finding
	more   int
	kinds  map[string]*kind
}

// kind counts one sort of remark; the first tool it is about stands for all.
type kind struct {
	count   int
	which   string
	finding directory.Finding
	one     string // what is said of one tool
	many    string // with %d for how many
}

// about is the tool that a remark is about.
type about struct {
	key  string
	line int
}

// fail reports one tool, or argument, that was left out.
func (r *remarks) fail(a about, rule, hint, format string, args ...any) {
	r.add(directory.Finding{Line: a.line, Key: a.key, Severity: directory.SeverityError, Rule: rule, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// warn reports one tool that is not wrong.
func (r *remarks) warn(a about, rule, hint, format string, args ...any) {
	r.add(directory.Finding{Line: a.line, Key: a.key, Severity: directory.SeverityWarning, Rule: rule, Message: fmt.Sprintf(format, args...), Hint: hint})
}

func (r *remarks) add(f directory.Finding) {
	if len(r.single) >= r.limit {
		r.more++
		return
	}
	f.File = r.file
	r.single = append(r.single, f)
}

// count notes one more tool of a kind. Kinds are few: which is one of a closed list or, at most, of
// maxFields field names.
func (r *remarks) count(a about, rule, which, hint, one, many string) {
	k, ok := r.kinds[rule+"/"+which]
	if !ok {
		k = &kind{which: which, one: one, many: many, finding: directory.Finding{File: r.file, Line: a.line, Key: a.key, Severity: directory.SeverityWarning, Rule: rule, Hint: hint}}
		r.kinds[rule+"/"+which] = k
	}
	k.count++
}

// list returns the findings by line.
func (r *remarks) list() []directory.Finding {
	out := slices.Clone(r.single)
	for _, k := range r.kinds {
		f := k.finding
		f.Message = k.one
		if k.count > 1 {
			f.Message = fmt.Sprintf(k.many, k.count)
			f.Key = "" // the line is the first one's
		}
		out = append(out, f)
	}
	slices.SortStableFunc(out, func(a, b directory.Finding) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return strings.Compare(a.Rule+a.Message, b.Rule+b.Message)
	})
	if r.more > 0 {
		out = append(out, directory.Finding{File: r.file, Line: out[len(out)-1].Line, Severity: directory.SeverityError, Rule: "more_findings",
			Message: fmt.Sprintf("%d more findings about single tools were left out", r.more)})
	}
	return out
}

// notCarried counts what a row has no place for.
func (r *remarks) notCarried() []Count {
	var out []Count
	for _, k := range r.kinds {
		if k.finding.Rule == "not_carried" {
			out = append(out, Count{Kind: k.which, Count: k.count})
		}
	}
	slices.SortFunc(out, func(a, b Count) int { return strings.Compare(a.Kind, b.Kind) })
	return out
}
