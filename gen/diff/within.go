package diff

// This file proves that every value of one schema is a value of another. A proof that is not found is
// no claim: what cannot be proven counts as different.

import (
	"encoding/json"
	"slices"
)

// Relation is how the values of two schemas stand to each other.
type Relation string

const (
	Same     Relation = "same"
	Narrowed Relation = "narrowed" // each new value is an old one
	Widened  Relation = "widened"  // each old value is a new one, and there may be more
	Changed  Relation = "changed"  // neither, as far as can be decided
)

// maxSteps bounds the effort of one comparison.
const maxSteps = 200_000

// prover proves one comparison. open holds the pairs that are being proven, each with the level at which
// it was opened. Where a schema leads back to itself, what is to be proven of it may be assumed of what
// stands inside the value, since values are finite; of the same value nothing may be assumed.
type prover struct {
	steps int
	open  map[[2]*form]int
	depth int
	level int // how far inside the value
}

// relate compares two schemas.
func relate(old, now *form) Relation {
	narrower, wider := proven(now, old), proven(old, now)
	switch {
	case narrower && wider:
		return Same
	case narrower:
		return Narrowed
	case wider:
		return Widened
	}
	return Changed
}

func proven(a, b *form) bool {
	p := &prover{open: map[[2]*form]int{}}
	return p.within(a, b)
}

// maxProofDepth bounds how deep proofs nest.
const maxProofDepth = 300

// within proves that each value of a is one of b.
func (p *prover) within(a, b *form) bool {
	if p.steps++; a == nil || b == nil || p.steps > maxSteps || p.depth > maxProofDepth {
		return false
	}
	if a.never || b.free() || a.summary == b.summary {
		return true
	}
	if b.never || a.opaque || b.opaque || a.doc.dialect != b.doc.dialect {
		return false
	}
	pair := [2]*form{a, b}
	if level, open := p.open[pair]; open {
		return p.level > level
	}
	p.open[pair] = p.level
	p.depth++
	defer func() { delete(p.open, pair); p.depth-- }()

	for k := range b.words {
		if k == "unevaluatedProperties" || k == "unevaluatedItems" || k == "not a schema" {
			return false // it depends on everything beside it
		}
	}
	if b.ref != "" && !p.within(a, b.target()) {
		return false
	}
	for _, part := range b.parts {
		if !p.within(a, b.doc.form(part)) {
			return false
		}
	}
	if len(b.either) > 0 && !p.withinSome(a, b, b.either) {
		return false
	}
	if len(b.one) > 0 && !(apart(b.doc, b.one) && p.withinSome(a, b, b.one)) && !sameChoice(a, b) {
		return false
	}
	return p.withinOwn(a, b)
}

// inside proves within of what stands inside the two values.
func (p *prover) inside(a, b *form) bool {
	p.level++
	defer func() { p.level-- }()
	return p.within(a, b)
}

// free reports whether a form allows every value.
func (f *form) free() bool {
	return !f.never && !f.opaque && f.kinds == anything && !f.listed && f.least == nil && f.most == nil && f.step == nil && len(f.sizes) == 0 &&
		len(f.words) == 0 && len(f.prefix) == 0 && f.items == "" && len(f.properties) == 0 && len(f.required) == 0 && len(f.patterns) == 0 &&
		f.additional == "" && f.nameForm == "" && f.ref == "" && len(f.parts) == 0 && len(f.either) == 0 && len(f.one) == 0
}

func (f *form) target() *form {
	if f.ref == rootRef {
		return f.doc.form("")
	}
	return f.doc.form(f.ref)
}

// anyPart reports whether something holds for one of the schemas beside a's own keywords; of the members
// of a choice it must hold for all.
func (p *prover) anyPart(a *form, holds func(*form) bool) bool {
	if a.ref != "" && holds(a.target()) {
		return true
	}
	for _, part := range a.parts {
		if holds(a.doc.form(part)) {
			return true
		}
	}
	for _, choice := range [][]string{a.either, a.one} {
		all := len(choice) > 0
		for _, member := range choice {
			all = all && holds(a.doc.form(member))
		}
		if all {
			return true
		}
	}
	return false
}

// withinSome proves that each value of a is one of some member of a choice of b.
func (p *prover) withinSome(a, b *form, members []string) bool {
	for _, m := range members {
		if p.within(a, b.doc.form(m)) {
			return true
		}
	}
	if p.anyPart(a, func(part *form) bool {
		return part != nil && p.enter(func() bool { return p.withinSome(part, b, members) })
	}) {
		return true
	}
	pieces := split(a)
	if len(pieces) < 2 {
		return false
	}
	for _, piece := range pieces {
		if !slices.ContainsFunc(members, func(m string) bool { return p.within(piece, b.doc.form(m)) }) {
			return false
		}
	}
	return true
}

// enter counts a step down that opens no pair.
func (p *prover) enter(prove func() bool) bool {
	if p.steps++; p.steps > maxSteps || p.depth > maxProofDepth {
		return false
	}
	p.depth++
	defer func() { p.depth-- }()
	return prove()
}

// split cuts a form into forms of one value or one kind each.
func split(a *form) []*form {
	var out []*form
	if a.listed {
		for _, v := range a.values {
			piece := *a
			piece.values, piece.summary = []json.RawMessage{v}, a.summary+" only "+string(v)
			out = append(out, &piece)
		}
		return out
	}
	for _, k := range []kinds{null, boolean, number, text, array, object} {
		if a.kinds&k != 0 {
			piece := *a
			piece.kinds, piece.summary = a.kinds&k, a.summary+" only "+piece.kinds.String()
			out = append(out, &piece)
		}
	}
	return out
}

// apart reports whether no value can be of two members: they differ in kind.
func apart(d *document, members []string) bool {
	var seen kinds
	for _, m := range members {
		f := d.form(m)
		if f == nil {
			return false
		}
		k := f.possible(0)
		if seen&k != 0 {
			return false
		}
		seen |= k
	}
	return true
}

// possible are the kinds that a form may allow, at most.
func (f *form) possible(depth int) kinds {
	if f == nil {
		return anything
	}
	if f.never {
		return 0
	}
	k := f.kinds
	if f.listed {
		var listed kinds
		for _, v := range f.values {
			listed |= kindOf(v)
		}
		k &= listed
	}
	if f.ref != "" && depth < 20 {
		k &= f.target().possible(depth + 1)
	}
	return k
}

// sameChoice reports whether two forms have the same oneOf, word for word.
func sameChoice(a, b *form) bool {
	if len(a.one) != len(b.one) {
		return false
	}
	for i := range a.one {
		x, y := a.doc.form(a.one[i]), b.doc.form(b.one[i])
		if x == nil || y == nil || x.summary != y.summary {
			return false
		}
	}
	return true
}

// withinOwn proves that a's values fit b's own keywords.
func (p *prover) withinOwn(a, b *form) bool {
	if p.own(a, b) {
		return true
	}
	return p.anyPart(a, func(part *form) bool {
		return part != nil && p.enter(func() bool { return p.withinOwn(part, b) })
	})
}
