package schema

// This file turns schemas around: not, and what else, else and the absence of a key stand for. A type
// can say "any other kind" and "this key is absent"; "any other text" it can't. That is kept as an
// except until it meets a type with finitely many values, and dropped where it meets none.

import (
	"fmt"
	"slices"
	"strconv"

	"codemode/directory/contract"
)

const (
	// except is every value but the literals and null of its Members. It never stands in a graph.
	except Kind = "except"
	// maxNegation bounds how deep a schema is turned around.
	maxNegation = 8
	// maxChoices bounds the alternatives that conditions may make of one schema: more of them help no
	// reader.
	maxChoices = 8
)

// basicTypes are the kinds that together take any value.
var basicTypes = []Kind{String, Number, Boolean, Array, Object, Null}

// assertsOn are the keywords that refuse only values of one kind, and of which no more is said here.
var assertsOn = map[string]Kind{
	"minLength": String, "maxLength": String, "pattern": String, "contentEncoding": String, "contentMediaType": String,
	"minimum": Number, "maximum": Number, "exclusiveMinimum": Number, "exclusiveMaximum": Number, "multipleOf": Number,
	"items": Array, "prefixItems": Array, "additionalItems": Array, "unevaluatedItems": Array, "contains": Array, "minItems": Array, "maxItems": Array, "uniqueItems": Array,
	"patternProperties": Object, "additionalProperties": Object, "unevaluatedProperties": Object, "propertyNames": Object, "minProperties": Object,
	"maxProperties": Object, "dependentRequired": Object, "dependentSchemas": Object, "dependencies": Object,
}

// negation returns a type that holds every value that a schema refuses, and others where no type is
// exact. It reads as the specification does.
func (p *parser) negation(node any, at string, depth int) (*Type, error) {
	switch n := node.(type) {
	case bool:
		if n {
			return p.leaf(Never), nil
		}
		return p.leaf(Unknown), nil
	case map[string]any:
		if depth == 0 || len(at) > contract.MaxPointer {
			return p.leaf(Unknown), nil
		}
		return p.refusals(n, at, depth-1)
	}
	return nil, fmt.Errorf("%s: not a schema: want an object or a boolean", place(at))
}

// refusals is the union of what each keyword refuses.
func (p *parser) refusals(m map[string]any, at string, depth int) (*Type, error) {
	words := sortedKeys(m)
	if _, ok := m["$ref"].(string); ok && p.doc.Legacy {
		words = []string{"$ref"}
	}
	var out []*Type
	for _, word := range words {
		ts, err := p.refusedBy(word, m, at, depth)
		if err != nil {
			return nil, err
		}
		if out = append(out, ts...); len(out) > maxChoices {
			return p.leaf(Unknown), nil
		}
	}
	return p.union(out)
}

func (p *parser) refusedBy(word string, m map[string]any, at string, depth int) ([]*Type, error) {
	sub := m[word]
	here := join(at, word)
	switch word {
	case "type":
		return p.otherKinds(m)
	case "const":
		return p.exceptValues([]any{sub}, here)
	case "enum":
		list, _ := sub.([]any)
		return p.exceptValues(list, here)
	case "properties":
		return p.wrongProperties(sub, here, depth)
	case "required":
		return p.absences(requiredKeys(m))
	case "allOf":
		return p.negations(sub, here, depth)
	case "anyOf":
		return p.noneOf(sub, here, depth)
	case "not":
		return one(p.schema(sub, here, everyKind, nil))
	case "$ref":
		return p.wrongTarget(sub, at, depth)
	case "oneOf", "if", "$dynamicRef", "$recursiveRef", "format":
		return one(p.leaf(Unknown), nil)
	}
	if kind, ok := assertsOn[word]; ok && !isEmpty(sub) {
		return one(p.anyOfKind(kind))
	}
	return nil, nil // an annotation, or a keyword that no dialect has
}

func one(t *Type, err error) ([]*Type, error) { return []*Type{t}, err }

// anyOfKind is the type of all values of a kind.
func (p *parser) anyOfKind(k Kind) (*Type, error) {
	switch k {
	case Object:
		return p.make(&Type{Kind: Object, Additional: p.leaf(Unknown)})
	case Array:
		return p.make(&Type{Kind: Array, Elem: p.leaf(Unknown)})
	}
	return p.leaf(k), nil
}

// otherKinds are the kinds that "type" leaves out. What is not an integer may be another number.
func (p *parser) otherKinds(m map[string]any) ([]*Type, error) {
	set, ok := namedKinds(m)
	if !ok {
		return one(p.leaf(Unknown), nil)
	}
	return p.kindsBut(set)
}

func (p *parser) kindsBut(set kinds) ([]*Type, error) {
	var out []*Type
	for _, k := range basicTypes {
		if set.has(k) {
			continue
		}
		t, err := p.anyOfKind(k)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// exceptValues is every value but those listed. Objects and arrays are not told apart.
func (p *parser) exceptValues(values []any, at string) ([]*Type, error) {
	t := &Type{Kind: except}
	for _, v := range values {
		vt, err := p.value(v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", place(at), err)
		}
		if vt.Kind == Literal || vt.Kind == Null {
			t.Members = append(t.Members, vt)
		}
	}
	if len(t.Members) == 0 {
		return one(p.leaf(Unknown), nil)
	}
	return one(p.make(t))
}

// wrongProperties are the objects of which one property at least does not fit.
func (p *parser) wrongProperties(node any, at string, depth int) ([]*Type, error) {
	props, _ := node.(map[string]any)
	var out []*Type
	for _, name := range sortedKeys(props) {
		wrong, err := p.negation(props[name], join(at, name), depth)
		if err != nil {
			return nil, err
		}
		if wrong.Kind == Never {
			continue
		}
		t, err := p.objectWith(Property{name, wrong, true})
		if err != nil {
			return nil, err
		}
		if out = append(out, t); len(out) > maxChoices {
			break // the caller gives up
		}
	}
	return out, nil
}

// absences are the objects that lack one key at least.
func (p *parser) absences(keys map[string]bool) ([]*Type, error) {
	var out []*Type
	for _, name := range sortedKeys(keys) {
		t, err := p.absence(name)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// absence is the objects without a key.
func (p *parser) absence(name string) (*Type, error) {
	return p.objectWith(Property{name, p.leaf(Never), false})
}

// objectWith is an object of which one property is known; other keys are open.
func (p *parser) objectWith(prop Property) (*Type, error) {
	t := &Type{Kind: Object, Properties: []Property{prop}}
	if p.opt.Untyped == AsWritten {
		t.Additional = p.leaf(Unknown)
	}
	return p.make(t)
}

func (p *parser) negations(node any, at string, depth int) ([]*Type, error) {
	subs, _ := node.([]any)
	var out []*Type
	for i, sub := range subs {
		t, err := p.negation(sub, join(at, strconv.Itoa(i)), depth)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

func (p *parser) noneOf(node any, at string, depth int) ([]*Type, error) {
	each, err := p.negations(node, at, depth)
	if err != nil {
		return nil, err
	}
	t := p.leaf(Unknown)
	for _, n := range each {
		if t, err = p.intersect(t, n); err != nil {
			return nil, err
		}
	}
	return one(t, nil)
}

func (p *parser) wrongTarget(node any, at string, depth int) ([]*Type, error) {
	ref, ok := node.(string)
	if !ok {
		return nil, nil
	}
	if p.doc.IsMetaSchema(ref, at) {
		return one(p.leaf(Unknown), nil)
	}
	target, err := p.doc.Resolve(ref, at)
	if err != nil {
		return nil, err
	}
	sub, _ := p.doc.Get(target)
	return one(p.negation(sub, target, depth))
}

// without takes the values that an except names out of a type.
func (p *parser) without(t, e *Type) (*Type, error) {
	body := t.body()
	if body == nil {
		return p.both(t, e)
	}
	var kept []*Type
	switch body.Kind {
	case except:
		return p.make(&Type{Kind: except, Members: append(slices.Clone(body.Members), e.Members...)})
	case Union:
		for _, m := range body.Members {
			k, err := p.without(m, e)
			if err != nil {
				return nil, err
			}
			kept = append(kept, k)
		}
	case Boolean:
		for _, v := range []string{"true", "false"} {
			lit, err := p.make(&Type{Kind: Literal, Value: []byte(v)})
			if err != nil {
				return nil, err
			}
			if !e.names(lit) {
				kept = append(kept, lit)
			}
		}
	default:
		if e.names(body) {
			return p.leaf(Never), nil
		}
		return p.document(t, e.Doc)
	}
	u, err := p.union(kept)
	if err != nil || u.sum() == body.sum() {
		return t, err
	}
	return p.document(u, t.Doc.over(e.Doc))
}

// names reports whether an except leaves a literal or null out.
func (t *Type) names(v *Type) bool {
	return slices.ContainsFunc(t.Members, func(m *Type) bool { return m.Kind == v.Kind && string(m.Value) == string(v.Value) })
}

// joinExcept is the union of types of which some are excepts: every value that one of them leaves out
// and none of the others takes.
func (p *parser) joinExcept(ts []*Type) (*Type, error) {
	at := slices.IndexFunc(ts, func(t *Type) bool { return t.Kind == except })
	out := &Type{Kind: except}
	for _, v := range ts[at].Members {
		taken := false
		for i, t := range ts {
			switch {
			case i == at || taken:
			case t.Kind == except:
				taken = !t.names(v)
			default:
				both, err := p.intersect(v, t)
				if err != nil {
					return nil, err
				}
				taken = both.Kind != Never
			}
		}
		if !taken {
			out.Members = append(out.Members, v)
		}
	}
	if len(out.Members) == 0 {
		return p.leaf(Unknown), nil
	}
	return p.make(out)
}

// tidy makes unknown of the excepts that met no type with finitely many values, and takes what is
// unknown out of intersections.
func tidy(t *Type, seen map[*Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	if t.Kind == except {
		*t = Type{Kind: Unknown, Doc: t.Doc, size: 1}
		return
	}
	if t.Ref != nil {
		tidy(t.Ref.Type, seen)
	}
	t.children(func(c *Type) { tidy(c, seen) })
	if t.Kind != Intersection {
		return
	}
	t.Members = slices.DeleteFunc(slices.Clone(t.Members), func(m *Type) bool { return m.Kind == Unknown })
	if len(t.Members) == 1 {
		doc := t.Doc.over(t.Members[0].Doc)
		*t = *t.Members[0]
		t.Doc = doc
	} else if len(t.Members) == 0 {
		*t = Type{Kind: Unknown, Doc: t.Doc, size: 1}
	}
}
