package schema

// This file intersects two types that are neither unions nor references.

import "slices"

// meet returns the values that are of both types. Both are bodies.
func (p *parser) meet(a, b *Type) (*Type, error) {
	if p.disjoint(a, b) {
		return p.make(&Type{Kind: Never})
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
	t.Doc = a.Doc.over(b.Doc)
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
		prop, err := p.meetNext(a.Properties, b.Properties, &i, &j)
		if err != nil {
			return nil, err
		}
		if prop.Required && prop.Type.Kind == Never {
			return &Type{Kind: Never}, nil
		}
		t.Properties = append(t.Properties, prop)
	}
	t.Patterns = append(slices.Clone(a.Patterns), b.Patterns...)
	t.Additional = a.Additional
	if t.Additional == nil {
		t.Additional = b.Additional
	} else if b.Additional != nil {
		both, err := p.intersect(a.Additional, b.Additional)
		if err != nil {
			return nil, err
		}
		t.Additional = both
	}
	return t, nil
}

// meetNext takes the next property by name from one list or from both.
func (p *parser) meetNext(a, b []Property, i, j *int) (Property, error) {
	switch {
	case *j == len(b) || *i < len(a) && a[*i].Name < b[*j].Name:
		*i++
		return a[*i-1], nil
	case *i == len(a) || b[*j].Name < a[*i].Name:
		*j++
		return b[*j-1], nil
	}
	x, y := a[*i], b[*j]
	*i, *j = *i+1, *j+1
	t, err := p.intersect(x.Type, y.Type)
	return Property{x.Name, t, x.Required || y.Required}, err
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
