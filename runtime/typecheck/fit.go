package typecheck

// This file decides whether a value that TypeScript refuses may still be right. The relation is the
// one of the language's own type assertions ("sufficiently overlaps"), put together from
// assignability: a type may fit where some value of it would.

// fit says how a value's type stands to the type wanted.
type fit int

const (
	always fit = iota // every value is right
	maybe             // some value is right: the run validates it
	never             // none is
)

// maxFitDepth bounds how deep objects are compared; what is deeper may fit.
const maxFitDepth = 6

// judgeExpression looks at the expression before its type: a literal, or a branch of a condition,
// is wrong by itself though the type of the whole would have room.
func (x *examination) judgeExpression(t *tree, i uint32, depth int) (fit, error) {
	if depth > maxFitDepth {
		return maybe, nil
	}
	i = t.core(i)
	worst := always
	for _, part := range t.parts(i) {
		f, err := x.judgeExpression(t, part, depth+1)
		if err != nil || f == never {
			return f, err
		}
		worst = max(worst, f)
	}
	if k := t.kind(i); k == kindConditional || k == kindBinary && len(t.parts(i)) > 0 {
		return worst, nil
	}
	have, err := x.typeAt(t.handle(i))
	if err != nil {
		return never, err
	}
	want, err := x.wanted(t.handle(i))
	if err != nil || have == nil || want == nil {
		return never, err
	}
	f, err := x.compare(have, want, t.filled(i), depth)
	return max(worst, f), err
}

// parts are the expressions of which the value is made, each with a wanted type of its own.
func (t *tree) parts(i uint32) []uint32 {
	c := t.children(i)
	switch t.kind(i) {
	case kindConditional:
		if len(c) == 5 {
			return []uint32{c[2], c[4]}
		}
	case kindBinary:
		switch t.operator(i) {
		case kindBarBar, kindQuestionQuestion:
			return []uint32{c[0], c[len(c)-1]}
		case kindAmpersandAnd, kindComma:
			return c[len(c)-1:]
		}
	case kindObjectLiteral:
		var out []uint32
		for _, m := range t.members(i) {
			switch t.kind(m) {
			case kindPropertyAssign:
				out = append(out, t.last(m))
			case kindShorthand:
				out = append(out, t.first(m))
			}
		}
		return out
	case kindArrayLiteral:
		return t.members(i)
	}
	return nil
}

// members are the children of a literal's list.
func (t *tree) members(i uint32) []uint32 {
	var out []uint32
	for _, c := range t.children(i) {
		if t.kind(c) == kindList {
			out = append(out, t.children(c)...)
		}
	}
	return out
}

// compare tells how have fits want. filled says that the script adds members to the value later, so
// that a missing one proves nothing.
func (x *examination) compare(have, want *typ, filled bool, depth int) (fit, error) {
	if have == nil || want == nil || have.is(flagAny|flagUnknown|flagNever) || want.is(flagAny|flagUnknown) || depth > maxFitDepth {
		return maybe, nil
	}
	if ok, err := x.assignable(have, want); ok || err != nil {
		return always, err
	}
	if have.is(flagUnion) {
		return x.compareParts(have, func(p *typ) (fit, error) {
			if p.is(flagsNullable) {
				return never, nil
			}
			return x.compare(p, want, filled, depth+1)
		})
	}
	if want.is(flagUnion) {
		return x.compareParts(want, func(p *typ) (fit, error) {
			if p.is(flagsNullable) {
				return never, nil
			}
			return x.compare(have, p, filled, depth+1)
		})
	}
	switch {
	case have.is(flagsNullable):
		return never, nil
	case have.is(flagsPrimitive) && want.is(flagObject|flagNonPrim):
		return never, nil
	case have.is(flagNonPrim) || want.is(flagNonPrim):
		return maybe, nil
	case have.is(flagsPrimitive) && want.is(flagsPrimitive):
		wider, err := x.assignable(want, have)
		if wider {
			return maybe, err
		}
		return never, err
	case have.is(flagObject) && want.is(flagsPrimitive):
		return x.compareEmpty(have)
	case have.is(flagObject) && want.is(flagObject):
		return x.compareObjects(have, want, filled, depth)
	}
	return maybe, nil // a type parameter, an intersection ...
}

// compareParts returns the best fit of a union's parts, but never always: another part refused.
func (x *examination) compareParts(union *typ, one func(*typ) (fit, error)) (fit, error) {
	parts, err := x.parts(union)
	if err != nil {
		return never, err
	}
	for _, p := range parts {
		if f, err := one(p); f < never || err != nil {
			return maybe, err
		}
	}
	return never, nil
}

// compareEmpty takes {} for what it is after a test for truth: any value.
func (x *examination) compareEmpty(have *typ) (fit, error) {
	sym, err := x.symbolOf(have)
	if err != nil || sym != nil && sourceOf(sym) != fromNowhere && len(sym.Declarations) > 0 {
		return never, err
	}
	members, err := x.propertiesOf(have)
	if err != nil || len(members) > 0 {
		return never, err
	}
	return maybe, nil
}

// compareObjects compares what want asks for, member by member.
func (x *examination) compareObjects(have, want *typ, filled bool, depth int) (fit, error) {
	haveArray, err := x.isArray(have)
	if err != nil {
		return never, err
	}
	wantArray, err := x.isArray(want)
	if err != nil {
		return never, err
	}
	switch {
	case haveArray && wantArray:
		return x.compareElements(have, want, depth)
	case haveArray != wantArray:
		return never, nil
	}
	members, err := x.propertiesOf(want)
	if err != nil {
		return never, err
	}
	return x.compareMembers(have, members, filled, depth)
}

func (x *examination) compareElements(have, want *typ, depth int) (fit, error) {
	from, err := x.arguments(have)
	if err != nil {
		return never, err
	}
	to, err := x.arguments(want)
	if err != nil || len(from) == 0 || len(to) == 0 {
		return maybe, err
	}
	if len(from) != len(to) && len(to) > 1 && len(from) > 0 {
		tuple, err := ask[bool](x.snapshot, "isTupleType", map[string]any{"type": have.ID})
		if tuple || err != nil {
			return never, err
		}
	}
	for i, f := range from {
		got, err := x.compare(f, to[min(i, len(to)-1)], false, depth+1)
		if err != nil || got == never {
			return got, err
		}
	}
	return maybe, nil
}

func (x *examination) compareMembers(have *typ, members []*symbol, filled bool, depth int) (fit, error) {
	shared := 0
	for _, m := range members {
		mine, err := x.propertyOf(have, m.Name)
		if err != nil {
			return never, err
		}
		if mine == nil {
			if m.Flags&symbolOptional == 0 && !filled {
				return x.compareOpen(have)
			}
			continue
		}
		shared++
		f, err := x.compareMember(mine, m, filled, depth)
		if err != nil || f == never {
			return f, err
		}
	}
	if shared == 0 && len(members) > 0 && !filled {
		return x.compareOpen(have)
	}
	return maybe, nil
}

// compareOpen allows a type with an index signature any member.
func (x *examination) compareOpen(have *typ) (fit, error) {
	infos, err := ask[[]struct{}](x.snapshot, "getIndexInfosOfType", map[string]any{"type": have.ID})
	if err != nil || len(infos) == 0 {
		return never, err
	}
	return maybe, nil
}

func (x *examination) compareMember(mine, wanted *symbol, filled bool, depth int) (fit, error) {
	from, err := x.typeOf(mine)
	if err != nil || filled && from.is(flagsNullable) { // null until it is filled
		return maybe, err
	}
	to, err := x.typeOf(wanted)
	if err != nil {
		return never, err
	}
	return x.compare(from, to, false, depth+1)
}
