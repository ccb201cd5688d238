package schema

// This file intersects two types that are neither unions nor references.

import "slices"

// meet returns the values that are of both types. Both are bodies.
func (p *parser) meet(a, b *Type) (*Type, error) {
	if p.disjoint(a, b) {
		return p.leaf(Never), nil
	}
	var t *Type
	var err error
	switch {
	case a.Kind == Literal || b.Kind == Literal:
		t = meetLiteral(a, b)
	case a.Kind == Integer || b.Kind == Integer:
		t = &Type{Kind: Integer, Wide: a.Wide || b.Wide}
	case a.Kind == Object && b.Kind == Object:
		t, err = p.meetObjects(a, b)
	case a.Kind == Array && b.Kind == Array:
		t = &Type{Kind: Array}
		t.Elem, err = p.intersect(a.Elem, b.Elem)
	case a.Kind == Array || a.Kind == Tuple:
		t, err = p.meetTuples(a, b)
	default:
		t = &Type{Kind: a.Kind}
	}
	if err != nil {
		return nil, err
	}
	if t.Doc = a.Doc.over(b.Doc); t.Kind == Literal && string(t.Doc.Default) != string(t.Value) {
		t.Doc.Default = nil // that of another alternative
	}
	return p.make(t)
}

// meetLiteral intersects types of the same basic kind of which one at least is a literal.
func meetLiteral(a, b *Type) *Type {
	if a.Kind != Literal {
		a, b = b, a
	}
	switch {
	case b.Kind == Literal && string(a.Value) != string(b.Value), b.Kind == Integer && !a.isInteger():
		return &Type{Kind: Never}
	case b.Kind == Integer && b.Wide:
		return &Type{Kind: Literal, Value: a.Value, Wide: true}
	}
	return &Type{Kind: Literal, Value: a.Value, Wide: a.Wide || b.Wide}
}

func (p *parser) meetObjects(a, b *Type) (*Type, error) {
	t := &Type{Kind: Object, Closed: a.Closed || b.Closed}
	for i, j := 0, 0; i < len(a.Properties) || j < len(b.Properties); {
		prop, err := p.meetNext(a, b, &i, &j)
		if err != nil {
			return nil, err
		}
		if prop.Required && prop.Type.Kind == Never {
			return &Type{Kind: Never}, nil
		}
		t.Properties = append(t.Properties, prop)
	}
	var err error
	for _, side := range [][2]*Type{{a, b}, {b, a}} {
		for _, pattern := range side[0].Patterns {
			if pattern, err = p.beyondPattern(pattern, side[1]); err != nil {
				return nil, err
			}
			if t.Patterns, err = p.addPattern(t.Patterns, pattern); err != nil {
				return nil, err
			}
		}
	}
	switch {
	case t.Closed:
	case a.Additional == nil || b.Additional == nil:
		if t.Additional = a.Additional; t.Additional == nil {
			t.Additional = b.Additional
		}
	default:
		t.Additional, err = p.intersect(a.Additional, b.Additional)
	}
	return t, err
}

// beyondPattern holds a pattern of one object against another that has none: its keys are among the
// other's unnamed ones.
func (p *parser) beyondPattern(pattern Pattern, other *Type) (Pattern, error) {
	if len(other.Patterns) > 0 || other.Additional == nil {
		return pattern, nil
	}
	t, err := p.intersect(pattern.Type, other.Additional)
	pattern.Type = t
	return pattern, err
}

// meetNext takes the next property by name from one object or from both.
func (p *parser) meetNext(a, b *Type, i, j *int) (Property, error) {
	switch {
	case *j == len(b.Properties) || *i < len(a.Properties) && a.Properties[*i].Name < b.Properties[*j].Name:
		*i++
		return p.within(b, a.Properties[*i-1]), nil
	case *i == len(a.Properties) || b.Properties[*j].Name < a.Properties[*i].Name:
		*j++
		return p.within(a, b.Properties[*j-1]), nil
	}
	x, y := a.Properties[*i], b.Properties[*j]
	*i, *j = *i+1, *j+1
	t, err := p.intersect(x.Type, y.Type)
	return Property{x.Name, t, x.Required || y.Required}, err
}

// within holds a property against an object that does not name it. A closed one has no such key, which
// is taken at its word only as written: who closes two parts of a whole means to close the whole.
func (p *parser) within(t *Type, prop Property) Property {
	if !t.Closed || p.opt.Untyped != AsWritten || slices.ContainsFunc(t.Patterns, func(p Pattern) bool { return p.Keys == nil || p.Keys.Match(prop.Name) }) {
		return prop
	}
	prop.Type = p.leaf(Never)
	return prop
}

// meetTuples intersects two of which one at least is a tuple.
func (p *parser) meetTuples(a, b *Type) (*Type, error) {
	t := &Type{Kind: Tuple, Min: max(a.Min, b.Min)}
	for i := range max(len(a.Prefix), len(b.Prefix)) {
		x, y := a.position(i), b.position(i)
		if x == nil || y == nil {
			return p.closeTuple(t)
		}
		e, err := p.intersect(x, y)
		if err != nil {
			return nil, err
		}
		t.Prefix = append(t.Prefix, e)
	}
	if a.Elem == nil || b.Elem == nil {
		return p.closeTuple(t)
	}
	var err error
	t.Elem, err = p.intersect(a.Elem, b.Elem)
	return t, err
}

// closeTuple ends a tuple at what it holds so far; one that needs more has no values.
func (p *parser) closeTuple(t *Type) (*Type, error) {
	if t.Min > len(t.Prefix) {
		return &Type{Kind: Never}, nil
	}
	return t, nil
}

// position is the type of an array's element i; nil for none.
func (t *Type) position(i int) *Type {
	if i < len(t.Prefix) {
		return t.Prefix[i]
	}
	return t.Elem
}
