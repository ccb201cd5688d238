package openapi

// This file gathers what could not be carried: by kind and count, and one by one where an operation is
// left out.

import (
	"fmt"
	"slices"
	"strings"

	"codemode/directory"
	"codemode/directory/importer"
)

type findings struct {
	file   string
	limit  int
	single []directory.Finding
	more   int
	failed int // operations left out, told or not
	kinds  map[string]*kind
}

// kind is one sort of thing that was met several times.
type kind struct {
	count   int
	finding directory.Finding // the first; its message has %d for the count
	lost    bool              // something of the document is not in the rows
}

func newFindings(opts Options) *findings {
	return &findings{file: opts.File, limit: opts.MaxFindings, kinds: map[string]*kind{}}
}

// fail reports an operation that was left out.
func (f *findings) fail(key string, line int, rule, hint, format string, args ...any) {
	f.failed++
	f.add(directory.Finding{Line: line, Key: key, Severity: directory.SeverityError, Rule: rule, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// warn reports an operation whose row the author should look at.
func (f *findings) warn(key string, line int, rule, hint, format string, args ...any) {
	f.add(directory.Finding{Line: line, Key: key, Severity: directory.SeverityWarning, Rule: rule, Message: fmt.Sprintf(format, args...), Hint: hint})
}

func (f *findings) add(one directory.Finding) {
	if len(f.single) >= f.limit {
		f.more++
		return
	}
	one.File, one.Line, one.Key = f.file, max(1, one.Line), clip(one.Key)
	f.single = append(f.single, one)
}

// lose counts what has no place in a row. Kinds are a closed list of words.
func (f *findings) lose(key string, line int, what, hint string) {
	f.count(key, line, "not_carried", what, hint, true)
}

// note counts what the rows' author should know.
func (f *findings) note(key string, line int, rule, what, hint string) {
	f.count(key, line, rule, what, hint, false)
}

func (f *findings) count(key string, line int, rule, what, hint string, lost bool) {
	k := f.kinds[what]
	if k == nil {
		k = &kind{lost: lost, finding: directory.Finding{File: f.file, Line: max(1, line), Key: clip(key), Severity: directory.SeverityWarning, Rule: rule, Hint: hint}}
		f.kinds[what] = k
	}
	k.count++
}

func (f *findings) list() []directory.Finding {
	out := slices.Clone(f.single)
	for what, k := range f.kinds {
		one := k.finding
		one.Message = what
		if k.lost {
			one.Message = "not carried: " + what
		}
		if k.count > 1 {
			one.Message = fmt.Sprintf("%s (%d times; the first is here)", one.Message, k.count)
		}
		out = append(out, one)
	}
	slices.SortFunc(out, func(a, b directory.Finding) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return strings.Compare(a.Rule+a.Message, b.Rule+b.Message)
	})
	if f.more > 0 {
		out = append(out, directory.Finding{File: f.file, Line: 1, Severity: directory.SeverityError, Rule: "more_findings",
			Message: fmt.Sprintf("%d more findings about single operations are not listed", f.more)})
	}
	return out
}

func (f *findings) notCarried() []importer.Count {
	var out []importer.Count
	for what, k := range f.kinds {
		if k.lost {
			out = append(out, importer.Count{Kind: what, Count: k.count})
		}
	}
	if f.failed > 0 {
		out = append(out, importer.Count{Kind: "operations", Count: f.failed})
	}
	slices.SortFunc(out, func(a, b importer.Count) int { return strings.Compare(a.Kind, b.Kind) })
	return out
}

// clip keeps names short within messages.
func clip(s string) string {
	if len(s) <= 120 {
		return s
	}
	return strings.ToValidUTF8(s[:120], "") + "..."
}
