// Package diff says what changed between two versions of a directory's contracts, and whether that
// widens what a script may do.
//
//	report, err := diff.Compare(old, now)
//	for _, c := range report.Changes { fmt.Println(c.Name, c.Class, c.Widens) }
//	report.Acknowledge(list) // what a person has reviewed
//
// Contracts are the same when their key and operation are; a name may change. A change widens when a
// call is possible, or has a reach, that was not before: a new operation or name (a grant may match
// it), an argument or value that was refused, a new destination, another credential, an effect that
// decisions are not asked for any more, or anything else sent for the same arguments (contract.Source). Argument schemas are compared by proof: every new value an old
// one is narrowed, the other way round widened, and what cannot be proven either way is changed, which
// counts as widened. So a widening is never called narrowed.
//
// A change breaks scripts when one that was right may now be refused: an operation or name that is gone,
// narrower arguments, another result type.
//
// The package sees what contracts hold: of the template behind one only that it is another, not what is
// different about it. Contracts without a Source hold not even that. It reads no files and decides
// nothing.
package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"codemode/directory"
	"codemode/directory/contract"
)

// Class is what kind of change it is, most serious first.
type Class string

const (
	ClassAdded    Class = "added"
	ClassWidened  Class = "widened"
	ClassChanged  Class = "changed" // could not be decided; counts as widened
	ClassRenamed  Class = "renamed" // counts as widened: another grant may match the new name
	ClassRemoved  Class = "removed"
	ClassNarrowed Class = "narrowed"
	ClassResult   Class = "result"
	ClassWords    Class = "words" // documentation only
)

var classOrder = []Class{ClassAdded, ClassWidened, ClassChanged, ClassRenamed, ClassRemoved, ClassNarrowed, ClassResult, ClassWords}

// Part is one changed part of a contract.
type Part struct {
	// Field is "args.limit", "result.items[].id", "effect", "destinations" ...
	Field string `json:"field"`
	Class Class  `json:"class"`
	// Before and After are what stood there, types as TypeScript writes them; "" for nothing.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
	Breaks bool   `json:"breaks,omitempty"`
	// Note says what to do where Before and After do not show it.
	Note string `json:"note,omitempty"`
}

// Change is one contract that is not what it was.
type Change struct {
	Row string `json:"row"` // as directory.Reference has it
	// Place is "file:line" of the row, where Locate knew it.
	Place   string `json:"place,omitempty"`
	Name    string `json:"name"`
	OldName string `json:"old_name,omitempty"` // where it differs
	// Class is the most serious of Classes.
	Class   Class   `json:"class"`
	Classes []Class `json:"classes"`
	Widens  bool    `json:"widens"`
	Breaks  bool    `json:"breaks"`
	Parts   []Part  `json:"parts"`
	// Remarks say why what changed reads as it does now, where the rows were read (Report.Explain).
	Remarks []string `json:"remarks,omitempty"`
	// From and To are digests, "" where there is no contract.
	From string `json:"from"`
	To   string `json:"to"`
	// Acknowledged is who reviewed exactly this change, and why.
	Acknowledged *Acknowledgement `json:"acknowledged,omitempty"`
}

// Stale is a contract that changed in more than words under a version that did not rise. A change that
// no edit of the row makes does not count: another name, which names.json records, and a result that is
// observed.
type Stale struct {
	Row        string `json:"row"`
	Name       string `json:"name"`
	OldVersion int    `json:"old_version"`
	Version    int    `json:"version"`
}

// Report is all that changed, the most serious first, then by name.
type Report struct {
	Changes []Change `json:"changes"`
	Stale   []Stale  `json:"stale_versions"`
	// Unused are acknowledgements that match no change.
	Unused []Acknowledgement `json:"unused_acknowledgements"`
}

// Locate says where rows stand now, "file:line" by directory.Reference.
func (r *Report) Locate(places map[string]string) {
	for i := range r.Changes {
		r.Changes[i].Place = places[r.Changes[i].Row]
	}
}

// Open are the widenings that nobody has acknowledged.
func (r Report) Open() []Change {
	var out []Change
	for _, c := range r.Changes {
		if c.Widens && c.Acknowledged == nil {
			out = append(out, c)
		}
	}
	return out
}

// Compare compares two sets of sealed contracts, each in any order. Errors: a key and operation twice,
// and a contract that does not match its digest.
func Compare(old, now []contract.Contract) (Report, error) {
	before, err := newSide("old", old)
	if err != nil {
		return Report{}, err
	}
	after, err := newSide("new", now)
	if err != nil {
		return Report{}, err
	}
	r := Report{Changes: []Change{}, Stale: []Stale{}, Unused: []Acknowledgement{}}
	for ref, o := range before.byRef {
		if n, ok := after.byRef[ref]; ok {
			r.compare(before, after, ref, o, n)
		} else {
			r.add(Change{Row: ref, Name: o.Name, From: o.Digest}, []Part{{Field: "operation", Class: ClassRemoved, Before: signature(o), Breaks: true}})
		}
	}
	for ref, n := range after.byRef {
		if _, ok := before.byRef[ref]; !ok {
			r.add(Change{Row: ref, Name: n.Name, To: n.Digest}, []Part{{Field: "operation", Class: ClassAdded, After: signature(n)}})
		}
	}
	slices.SortFunc(r.Changes, func(a, b Change) int {
		return cmp.Or(slices.Index(classOrder, a.Class)-slices.Index(classOrder, b.Class), strings.Compare(a.Name, b.Name), strings.Compare(a.Row, b.Row))
	})
	slices.SortFunc(r.Stale, func(a, b Stale) int { return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Row, b.Row)) })
	return r, nil
}

// side is one of the two sets.
type side struct {
	byRef map[string]contract.Contract
	refs  map[string]string // by name
}

func newSide(which string, contracts []contract.Contract) (side, error) {
	s := side{map[string]contract.Contract{}, map[string]string{}}
	for _, c := range contracts {
		ref := directory.Reference(c.Key, c.Operation)
		if _, twice := s.byRef[ref]; twice {
			return s, fmt.Errorf("diff: the %s contracts have %q twice", which, ref)
		}
		if !c.Sealed() {
			return s, fmt.Errorf("diff: the %s contract %s (row %s) does not match its digest; generate it again", which, c.Name, ref)
		}
		s.byRef[ref], s.refs[c.Name] = c, ref
	}
	return s, nil
}

// add completes a change and keeps it.
func (r *Report) add(c Change, parts []Part) {
	slices.SortStableFunc(parts, func(a, b Part) int { return slices.Index(classOrder, a.Class) - slices.Index(classOrder, b.Class) })
	c.Parts = parts
	for _, p := range parts {
		if !slices.Contains(c.Classes, p.Class) {
			c.Classes = append(c.Classes, p.Class)
		}
		c.Widens = c.Widens || p.Class.Widens()
		c.Breaks = c.Breaks || p.Breaks
	}
	c.Class = c.Classes[0]
	r.Changes = append(r.Changes, c)
}

// Widens reports whether a class counts as a widening.
func (c Class) Widens() bool {
	return slices.Index(classOrder, c) <= slices.Index(classOrder, ClassRenamed)
}

func (r *Report) compare(before, after side, ref string, o, n contract.Contract) {
	if o.Digest == n.Digest {
		return
	}
	parts := fields(before, after, o, n)
	c := Change{Row: ref, Name: n.Name, From: o.Digest, To: n.Digest}
	if o.Name != n.Name {
		c.OldName = o.Name
	}
	r.add(c, parts)
	if n.Version <= o.Version && inRow(o, n, parts) {
		r.Stale = append(r.Stale, Stale{Row: ref, Name: n.Name, OldVersion: o.Version, Version: n.Version})
	}
}

// inRow reports whether some change, of more than words, stands in the row.
func inRow(o, n contract.Contract, parts []Part) bool {
	observed := undeclared(o) && undeclared(n)
	return slices.ContainsFunc(parts, func(p Part) bool {
		if p.Field == "source" && o.Source == "" {
			return false // it may always have been so
		}
		return p.Class != ClassWords && p.Field != "name" && !(observed && p.Class == ClassResult)
	})
}

// undeclared reports whether nothing in the row gives the result its type.
func undeclared(c contract.Contract) bool {
	from := c.Provenance["result"]
	return from == contract.FromObserved || from == contract.FromNone
}

// Remark is what the generator said of one field of a contract: "effect", "params/limit".
type Remark struct{ Row, Field, Message string }

// Explain adds to each change the remarks about the fields that changed; to what was added, all.
func (r *Report) Explain(remarks []Remark) {
	by := map[string][]Remark{}
	for _, m := range remarks {
		by[m.Row] = append(by[m.Row], m)
	}
	for i := range r.Changes {
		c := &r.Changes[i]
		for _, m := range by[c.Row] {
			if c.To != "" && slices.ContainsFunc(c.Parts, func(p Part) bool { return p.about(m.Field) }) {
				c.Remarks = append(c.Remarks, m.Field+": "+m.Message)
			}
		}
	}
}

// about reports whether a remark about a field of the contract may say why the part changed.
func (p Part) about(field string) bool {
	root, _, _ := strings.Cut(field, "/")
	part, _, _ := strings.Cut(p.Field, ".")
	part, _, _ = strings.Cut(part, "[")
	switch {
	case p.Class == ClassWords:
		return false
	case part == "operation" || part == root:
		return true
	}
	return root == "params" && (part == "args" || part == "positional") || part == "effect" && root == "undo" || root == "template" && part != "name"
}
