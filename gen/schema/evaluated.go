package schema

// This file reads the keywords that speak of what other keywords leave over: propertyNames and
// unevaluated*.

import (
	"slices"
	"strconv"
)

// maxNames bounds the names that propertyNames may turn into properties.
const maxNames = 64

// maxInPlace bounds the schemas that are asked what they evaluate.
const maxInPlace = 64

// remains is what a schema's unevaluatedItems and unevaluatedProperties apply to: what none of the
// schemas for the same value may evaluate. An item or key that may or may not be evaluated is of one of
// the types that would evaluate it, or of the unevaluated one.
type remains struct {
	prefix int     // items before it may be evaluated
	items  []*Type // of items after it that may be
	names  map[string]bool
	keys   []*Type // of other keys that may be
	seen   map[string]bool
	unsure bool
}

// remainsOf returns nil where a schema has no such keyword, or it cannot be said what remains.
func (p *parser) remainsOf(m map[string]any, at string) (*remains, error) {
	if p.doc.Legacy || !hasAny(m, "unevaluatedItems", "unevaluatedProperties") {
		return nil, nil
	}
	r := &remains{names: map[string]bool{}, seen: map[string]bool{}}
	if err := p.inPlace(r, m, at); err != nil || r.unsure {
		return nil, err
	}
	return r, nil
}

// inPlace visits the schemas that a schema applies to the same value, all but not.
func (p *parser) inPlace(r *remains, m map[string]any, at string) error {
	for _, word := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
		ref, ok := m[word].(string)
		if !ok || p.doc.IsMetaSchema(ref, at) {
			r.unsure = r.unsure || ok
			continue
		}
		target, err := p.doc.Resolve(ref, at)
		if err != nil {
			return err
		}
		if word != "$ref" {
			if target, ok = p.doc.DynamicTarget(ref, target); !ok {
				r.unsure = true
			}
		}
		node, _ := p.doc.Get(target)
		if err := p.visit(r, node, target); err != nil {
			return err
		}
	}
	for _, word := range []string{"if", "then", "else"} {
		if err := p.visit(r, m[word], join(at, word)); err != nil {
			return err
		}
	}
	for _, word := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := m[word].([]any)
		for i, sub := range list {
			if err := p.visit(r, sub, join(join(at, word), strconv.Itoa(i))); err != nil {
				return err
			}
		}
	}
	return p.visitMap(m, "dependentSchemas", at, func(sub any, at string) error { return p.visit(r, sub, at) })
}

// visit notes what one of them may evaluate.
func (p *parser) visit(r *remains, node any, at string) error {
	m, ok := node.(map[string]any)
	if !ok || r.seen[at] || r.unsure {
		return nil
	}
	r.seen[at] = true
	if len(r.seen) > maxInPlace {
		r.unsure = true
		return nil
	}
	prefix, _ := m["prefixItems"].([]any)
	r.prefix = max(r.prefix, len(prefix))
	props, _ := m["properties"].(map[string]any)
	for name := range props {
		r.names[name] = true
	}
	for _, word := range []string{"items", "unevaluatedItems", "contains"} {
		if err := p.note(&r.items, m, word, at); err != nil {
			return err
		}
	}
	for _, word := range []string{"additionalProperties", "unevaluatedProperties"} {
		if err := p.note(&r.keys, m, word, at); err != nil {
			return err
		}
	}
	err := p.visitMap(m, "patternProperties", at, func(sub any, at string) error {
		t, err := p.schema(sub, at, everyKind, nil)
		r.keys = append(r.keys, t)
		return err
	})
	if err != nil {
		return err
	}
	return p.inPlace(r, m, at)
}

func (p *parser) note(into *[]*Type, m map[string]any, word, at string) error {
	sub, ok := m[word]
	if !ok {
		return nil
	}
	t, err := p.schema(sub, join(at, word), everyKind, nil)
	*into = append(*into, t)
	return err
}

func (p *parser) visitMap(m map[string]any, word, at string, f func(sub any, at string) error) error {
	subs, _ := m[word].(map[string]any)
	for _, name := range sortedKeys(subs) {
		if err := f(subs[name], join(join(at, word), name)); err != nil {
			return err
		}
	}
	return nil
}

// remainingItems is what unevaluatedItems makes of an array without items: positions that it does not
// reach, and the type of those after them. It returns nil where it says nothing.
func (p *parser) remainingItems(m map[string]any, at string) (reached int, rest *Type, err error) {
	sub, ok := m["unevaluatedItems"]
	r, err := p.remainsOf(m, at)
	if !ok || r == nil || err != nil {
		return 0, nil, err
	}
	if err := p.note(&r.items, m, "contains", at); err != nil {
		return 0, nil, err
	}
	t, err := p.schema(sub, join(at, "unevaluatedItems"), 0, nil)
	if err != nil {
		return 0, nil, err
	}
	rest, err = p.union(append(r.items, t))
	return r.prefix, rest, err
}

// remainingKeys is what unevaluatedProperties makes of an object without additionalProperties: names
// that it does not reach, and the type of the other keys. It returns nil where it says nothing.
func (p *parser) remainingKeys(m map[string]any, at string) (names map[string]bool, rest *Type, err error) {
	sub, ok := m["unevaluatedProperties"]
	r, err := p.remainsOf(m, at)
	if !ok || r == nil || err != nil || len(r.names) > maxNames {
		return nil, nil, err
	}
	t, err := p.schema(sub, join(at, "unevaluatedProperties"), 0, nil)
	if err != nil {
		return nil, nil, err
	}
	rest, err = p.union(append(r.keys, t))
	return r.names, rest, err
}

// describesParts reports whether a schema says more of objects or arrays than that they are allowed.
func (p *parser) describesParts(m map[string]any) bool {
	_, named := nameSet(m["propertyNames"])
	return named || hasAny(m, "properties", "patternProperties", "additionalProperties", "required", "items", "prefixItems", "additionalItems") ||
		!p.doc.Legacy && hasAny(m, "unevaluatedProperties", "unevaluatedItems")
}

// nameSet reads a propertyNames that allows finitely many names.
func nameSet(node any) (map[string]bool, bool) {
	if node == false {
		return map[string]bool{}, true
	}
	m, ok := node.(map[string]any)
	if !ok {
		return nil, false
	}
	values, ok := m["enum"].([]any)
	if v, is := m["const"]; is {
		values, ok = []any{v}, true
	}
	names := map[string]bool{}
	for _, v := range values {
		if s, is := v.(string); is { // no name is anything else
			names[s] = true
		}
	}
	return names, ok && len(names) <= maxNames
}

// withNames completes an object by propertyNames: of finitely many names each becomes a property, and
// there are no others.
func (p *parser) withNames(t *Type, m map[string]any) (*Type, error) {
	names, ok := nameSet(m["propertyNames"])
	if !ok {
		return p.make(t)
	}
	for i, prop := range t.Properties {
		if names[prop.Name] {
			delete(names, prop.Name)
			continue
		}
		if prop.Required {
			return p.leaf(Never), nil
		}
		t.Properties[i].Type = p.leaf(Never)
	}
	for _, name := range sortedKeys(names) {
		if t.Closed && len(t.Patterns) == 0 {
			break
		}
		pt, err := p.undeclared(t, name)
		if err != nil {
			return nil, err
		}
		t.Properties = append(t.Properties, Property{name, pt, false})
	}
	t.Closed, t.Additional, t.Patterns = true, nil, nil
	slices.SortFunc(t.Properties, byName)
	return p.make(t)
}
