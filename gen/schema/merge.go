package schema

// This file joins types: union for anyOf and oneOf, intersect for allOf and whatever else stands
// side by side. Both widen rather than narrow where they cannot be exact.

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
)

// maxSpread bounds how many types distributing an intersection over unions may make; past it, and
// where they would take a tenth of what the graph may, the intersection stands as it is.
const maxSpread = 64

// bytesPerType is how many bytes of a name or value count as one more type.
const bytesPerType = 64

// measure computes the size from the parts.
func (t *Type) measure() {
	t.size = 1 + len(t.Value)/bytesPerType
	for _, p := range t.Properties {
		t.size += len(p.Name) / bytesPerType
	}
	t.children(func(c *Type) { t.size += c.size })
}

// sum is equal for types that are equal but for their Docs. Most types are never compared, so it is
// computed when one is.
func (t *Type) sum() [16]byte {
	if !t.summed {
		whole := sha256.Sum256(t.appendSummed(make([]byte, 0, 512)))
		t.digest, t.summed = [16]byte(whole[:]), true
	}
	return t.digest
}

// appendSummed writes what a sum is made over, so that no two types share their bytes.
func (t *Type) appendSummed(out []byte) []byte {
	number := func(n int) { out = binary.AppendUvarint(out, uint64(n)) }
	text := func(s string) {
		number(len(s))
		out = append(out, s...)
	}
	flag := func(b bool) {
		if b {
			out = append(out, 1)
		} else {
			out = append(out, 0)
		}
	}
	text(string(t.Kind))
	text(string(t.Value))
	flag(t.Wide)
	flag(t.Closed)
	number(t.Min)
	for _, n := range []int{len(t.Properties), len(t.Patterns), len(t.Prefix), len(t.Members)} {
		number(n)
	}
	flag(t.Additional != nil)
	flag(t.Elem != nil)
	for _, p := range t.Properties {
		text(p.Name)
		flag(p.Required)
	}
	for _, p := range t.Patterns {
		text(p.Expr)
	}
	if t.Ref != nil {
		text(t.Ref.pointer)
	}
	t.children(func(c *Type) {
		sum := c.sum()
		out = append(out, sum[:]...)
	})
	return out
}

// union joins alternatives: nested unions are flattened, doubles dropped, a literal dropped beside
// its own type, null put last.
func (p *parser) union(members []*Type) (*Type, error) {
	var flat []*Type
	for _, m := range members {
		if m.Kind == Union {
			flat = append(flat, m.Members...)
		} else if m.Kind != Never {
			flat = append(flat, m)
		}
	}
	var kindSeen kinds
	wide := false
	for _, m := range flat {
		kindSeen |= m.Kind.bit()
		wide = wide || m.Kind == Integer && m.Wide
	}
	switch {
	case kindSeen.has(Unknown):
		return p.leaf(Unknown), nil
	case kindSeen.has(except):
		return p.joinExcept(flat)
	case len(flat) == 1:
		return flat[0], nil
	}
	seen := make(map[[16]byte]bool, len(flat))
	var out, null []*Type
	for _, m := range flat {
		switch {
		case seen[m.sum()], m.Kind == Literal && !m.Wide && kindSeen.has(m.literalKind()), m.Kind == Literal && m.Wide && wide, m.Kind == Integer && !m.Wide && kindSeen.has(Number):
		case m.Kind == Null:
			null = []*Type{m}
		default:
			out = append(out, m)
		}
		seen[m.sum()] = true
	}
	return p.oneOf(foldBooleans(append(out, null...)))
}

// oneOf makes a union of members that need no more tidying.
func (p *parser) oneOf(members []*Type) (*Type, error) {
	switch len(members) {
	case 0:
		return p.leaf(Never), nil
	case 1:
		return members[0], nil
	}
	return p.make(&Type{Kind: Union, Members: members})
}

// foldBooleans turns the literals true and false into boolean.
func foldBooleans(members []*Type) []*Type {
	is := func(m *Type) bool { return m.Kind == Literal && m.literalKind() == Boolean }
	first := slices.IndexFunc(members, is)
	if first < 0 || !slices.ContainsFunc(members[first+1:], is) {
		return members
	}
	out := slices.Clone(members)
	out[first] = leaves[Boolean]
	return slices.DeleteFunc(out, is)
}

// literalKind is the kind of a literal's value. Every number counts as Number here.
func (t *Type) literalKind() Kind {
	switch t.Value[0] {
	case '"':
		return String
	case 't', 'f':
		return Boolean
	}
	return Number
}

// isInteger reports whether a literal is a whole number.
func (t *Type) isInteger() bool {
	v := string(t.Value)
	return t.literalKind() == Number && (strings.Contains(v, "e+") || !strings.ContainsAny(v, ".e"))
}

// intersect returns the type of the values that are of both types.
func (p *parser) intersect(a, b *Type) (*Type, error) {
	switch {
	case a.Kind == Unknown:
		return p.document(b, a.Doc)
	case b.Kind == Unknown:
		return p.document(a, b.Doc)
	case a.Kind == Never || b.Kind == Never:
		return p.leaf(Never), nil
	case a.sum() == b.sum():
		return p.document(a, b.Doc)
	case b.Kind == except:
		return p.without(a, b)
	case a.Kind == except:
		return p.without(b, a)
	}
	x, y := a.body(), b.body()
	if a.Kind == Reference && b.Kind == Reference {
		pair := [2][16]byte{a.sum(), b.sum()}
		if p.meeting[pair] {
			return p.both(a, b) // both lead back to themselves: so does what they share
		}
		p.meeting[pair] = true
		defer delete(p.meeting, pair)
	}
	switch {
	case x == nil || y == nil:
		return p.both(a, b)
	case x.plain() || y.plain():
		t, err := p.intersect(x, y)
		if err != nil {
			return nil, err
		}
		return p.document(t, a.Doc.over(b.Doc))
	case x.Kind == Intersection || y.Kind == Intersection:
		return p.both(a, b) // distributing it again would multiply it
	case x.Kind == Union || y.Kind == Union:
		return p.spread(a, b, x, y)
	}
	return p.meet(x, y)
}

// plain reports that what a reference says is for the first lines of intersect.
func (t *Type) plain() bool { return t.Kind == Unknown || t.Kind == Never || t.Kind == except }

// body returns what a type says, a reference followed; nil while that is still being read.
func (t *Type) body() *Type {
	for range 100 { // references that are nothing but references may form a ring
		if t.Kind != Reference {
			return t
		}
		if !t.Ref.done {
			return nil
		}
		t = t.Ref.Type
	}
	return nil
}

// both writes the intersection down as one.
func (p *parser) both(a, b *Type) (*Type, error) {
	var members []*Type
	for _, t := range []*Type{a, b} {
		if t.Kind == Intersection {
			members = append(members, t.Members...)
		} else {
			members = append(members, t)
		}
	}
	seen := map[[16]byte]bool{}
	members = slices.DeleteFunc(members, func(m *Type) bool {
		dup := seen[m.sum()]
		seen[m.sum()] = true
		return dup
	})
	if len(members) == 1 {
		return members[0], nil
	}
	return p.make(&Type{Kind: Intersection, Members: members, Doc: a.Doc.over(b.Doc)})
}

// spread distributes an intersection over the unions on its sides, whose bodies are x and y. An
// object with keys of its own stays beside the union: written once, it reads better.
func (p *parser) spread(a, b, x, y *Type) (*Type, error) {
	left, right := membersOf(x, a), membersOf(y, b)
	if len(left)*len(right) > maxSpread || x.size*len(right)+y.size*len(left) > p.opt.MaxTypes/10 {
		if p.disjoint(x, y) {
			return p.leaf(Never), nil
		}
		return p.both(a, b)
	}
	if cost(left)*len(right) > 12 || cost(right)*len(left) > 12 {
		if t, err := p.beside(left, right); t != nil || err != nil {
			return t, err
		}
	}
	var out []*Type
	for _, l := range left {
		for _, r := range right {
			t, err := p.intersect(l, r)
			if err != nil {
				return nil, err
			}
			out = append(out, t)
		}
	}
	u, err := p.union(out)
	if err != nil {
		return nil, err
	}
	return p.document(u, a.Doc.over(b.Doc))
}

// beside handles one object against alternatives: those that can be objects stay in a union of
// their own. It returns nil when neither side is one object.
func (p *parser) beside(left, right []*Type) (*Type, error) {
	one, many := left, right
	if len(one) != 1 {
		one, many = right, left
	}
	if len(one) != 1 || one[0].body() == nil || one[0].body().Kind != Object {
		return nil, nil
	}
	var fit []*Type
	for _, m := range many {
		if !p.disjoint(one[0].body(), m) {
			fit = append(fit, m)
		}
	}
	if len(fit) < 2 {
		return nil, nil
	}
	u, err := p.oneOf(fit)
	if err != nil {
		return nil, err
	}
	return p.both(one[0], u)
}

// membersOf lists a type's members; a type that is no union is its own only one, kept as the
// reference it was.
func membersOf(body, t *Type) []*Type {
	if body.Kind == Union {
		return body.Members
	}
	return []*Type{t}
}

func cost(ts []*Type) int {
	if len(ts) != 1 || ts[0].body() == nil {
		return 0
	}
	return len(ts[0].body().Properties)
}

// disjoint reports whether two types surely share no value, by their kinds alone.
func (p *parser) disjoint(a, b *Type) bool {
	x, sureX := a.basicKinds(8)
	y, sureY := b.basicKinds(8)
	return sureX && sureY && x&y == 0
}

// basicKinds returns the JSON types of a type's values, and whether they can be said.
func (t *Type) basicKinds(depth int) (set kinds, sure bool) {
	body := t.body()
	if body == nil || depth == 0 {
		return 0, false
	}
	switch body.Kind {
	case Unknown, Intersection, except:
		return 0, false
	case Never:
		return 0, true
	case Literal:
		return body.literalKind().bit(), true
	case Integer:
		return Number.bit(), true
	case Tuple:
		return Array.bit(), true
	case Union:
		for _, m := range body.Members {
			sub, sure := m.basicKinds(depth - 1)
			if !sure {
				return 0, false
			}
			set |= sub
		}
		return set, true
	}
	return body.Kind.bit(), true
}
