package schema

// This file reads what binds a value only sometimes: if with then and else, dependent keys, and oneOf
// with nothing but required. Each becomes a union where that stays small, and is left out where not.

import (
	"slices"
	"strconv"
)

// maxDependents bounds the keys of one schema whose demands become unions: each doubles it.
const maxDependents = 3

// conditional is if with then and else: what fits the condition and then, or neither it and else. One
// that only asks for more keys stands in the Doc instead: as a union it would write out everything twice.
func (p *parser) conditional(m map[string]any, at string, set kinds, h *head) (*Type, error) {
	cond, ok := m["if"]
	then, hasThen := m["then"]
	other, hasElse := m["else"]
	if !ok || !hasThen && !hasElse || onlyRequiring(m) {
		return p.leaf(Unknown), nil
	}
	if set == 0 {
		set = everyKind // a condition implies no type
	}
	yes, err := p.schema(cond, join(at, "if"), set, h)
	if err == nil && hasThen {
		yes, err = p.with(yes, then, join(at, "then"), set, h)
	}
	if err != nil {
		return nil, err
	}
	no, err := p.negation(cond, join(at, "if"), maxNegation)
	if err == nil && hasElse {
		no, err = p.with(no, other, join(at, "else"), set, h)
	}
	if err != nil {
		return nil, err
	}
	return p.choice([]*Type{yes, no})
}

// onlyRequiring reports that then and else, as far as they stand, ask for nothing but keys.
func onlyRequiring(m map[string]any) bool {
	then, hasThen := m["then"]
	other, hasElse := m["else"]
	return (hasThen || hasElse) && (!hasThen || onlyRequires(then)) && (!hasElse || onlyRequires(other))
}

func (p *parser) with(t *Type, node any, at string, set kinds, h *head) (*Type, error) {
	sub, err := p.schema(node, at, set, h)
	if err != nil {
		return nil, err
	}
	return p.intersect(t, sub)
}

// choice is a union, unknown where it has too many members to help a reader.
func (p *parser) choice(members []*Type) (*Type, error) {
	t, err := p.union(members)
	if err == nil && len(t.Members) > maxChoices {
		return p.leaf(Unknown), nil
	}
	return t, err
}

// onlyRequires reports whether a schema asks for nothing but the presence of keys.
func onlyRequires(node any) bool {
	m, ok := node.(map[string]any)
	if !ok || len(requiredKeys(m)) == 0 {
		return false
	}
	for k := range m {
		switch k {
		case "required", "title", "description", "$comment":
		default:
			return false
		}
	}
	return true
}

// dependents are the demands of keys that are present: dependentRequired, dependentSchemas, and the
// dependencies of draft 7, which are either.
func (p *parser) dependents(m map[string]any, at string, set kinds, h *head) ([]*Type, error) {
	var out []*Type
	words := []string{"dependentRequired", "dependentSchemas"}
	if p.doc.Legacy {
		words = []string{"dependencies"}
	}
	for _, word := range words {
		demands, _ := m[word].(map[string]any)
		for _, key := range sortedKeys(demands) {
			if len(out) == maxDependents {
				return out, nil
			}
			demand := demands[key]
			if list, ok := demand.([]any); ok {
				demand = map[string]any{"required": list}
			} else if word == "dependentRequired" {
				continue // malformed: it says nothing
			}
			t, err := p.dependent(key, demand, join(join(at, word), key), set, h)
			if err != nil {
				return nil, err
			}
			out = append(out, t)
		}
	}
	return out, nil
}

// dependent is one: the key is absent, or it is there with what it demands. What is no object passes.
func (p *parser) dependent(key string, demand any, at string, set kinds, h *head) (*Type, error) {
	absent, err := p.absence(key)
	if err != nil {
		return nil, err
	}
	present, err := p.objectWith(Property{key, p.leaf(Unknown), true})
	if err != nil {
		return nil, err
	}
	if set == 0 {
		set = everyKind
	}
	var demanded *Type
	if m, ok := demand.(map[string]any); ok && onlyRequires(m) {
		demanded, err = p.presence(requiredKeys(m)) // a list of draft 7 is no schema with a place
	} else {
		demanded, err = p.schema(demand, at, set, h)
	}
	if err != nil {
		return nil, err
	}
	if present, err = p.intersect(present, demanded); err != nil {
		return nil, err
	}
	return p.onlyObjects([]*Type{absent, present}, set)
}

// presence is the objects that have all of some keys.
func (p *parser) presence(keys map[string]bool) (*Type, error) {
	t := p.leaf(Unknown)
	for _, name := range sortedKeys(keys) {
		o, err := p.objectWith(Property{name, p.leaf(Unknown), true})
		if err != nil {
			return nil, err
		}
		if t, err = p.intersect(t, o); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// onlyObjects adds to a union of objects the other kinds that a schema allows.
func (p *parser) onlyObjects(members []*Type, set kinds) (*Type, error) {
	left := Object.bit()
	for _, k := range basicTypes {
		if !set.has(k) && !(k == Number && set.has(Integer)) {
			left |= k.bit()
		}
	}
	others, err := p.kindsBut(left)
	if err != nil {
		return nil, err
	}
	return p.union(append(members, others...))
}

// exactlyOne reads a oneOf whose members say little enough that not fitting them is a type: those that
// take anything, or ask for nothing but keys. It returns nil for any other.
func (p *parser) exactlyOne(node any, at string, set kinds) (*Type, error) {
	subs, _ := node.([]any)
	if len(subs) < 2 || len(subs) > maxChoices {
		return nil, nil
	}
	if slices.ContainsFunc(subs, isEmpty) {
		return p.noOther(subs, at)
	}
	if set != Object.bit() || slices.ContainsFunc(subs, func(s any) bool { return !onlyRequires(s) }) {
		return nil, nil
	}
	var members []*Type
	for i := range subs {
		t, err := p.onlyKeysOf(subs, i)
		if err != nil {
			return nil, err
		}
		members = append(members, t)
	}
	t, err := p.union(members)
	if err != nil || len(t.Members) > maxChoices {
		return nil, err
	}
	return t, nil
}

// noOther is oneOf beside a member that takes anything: no other may fit.
func (p *parser) noOther(subs []any, at string) (*Type, error) {
	taken := false
	t := p.leaf(Unknown)
	for i, sub := range subs {
		if isEmpty(sub) && !taken {
			taken = true
			continue
		}
		other, err := p.negation(sub, join(at, strconv.Itoa(i)), maxNegation)
		if err == nil {
			t, err = p.intersect(t, other)
		}
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

// onlyKeysOf is the objects that have the keys of one member and lack one of each other's.
func (p *parser) onlyKeysOf(subs []any, one int) (*Type, error) {
	t, err := p.presence(requiredKeys(subs[one].(map[string]any)))
	for i, sub := range subs {
		if err != nil {
			return nil, err
		}
		if i == one {
			continue
		}
		lacking, err := p.absences(requiredKeys(sub.(map[string]any)))
		if err != nil {
			return nil, err
		}
		u, err := p.union(lacking)
		if err != nil {
			return nil, err
		}
		if t, err = p.intersect(t, u); err != nil {
			return nil, err
		}
	}
	return t, err
}

// all intersects a type with what is combined with it. Unions are first held against each other: what
// they rule out among themselves need not be written.
func (p *parser) all(t *Type, parts []*Type) (*Type, error) {
	parts, err := p.settleChoices(t, parts)
	for _, part := range parts {
		if err != nil {
			return nil, err
		}
		t, err = p.intersect(t, part)
	}
	return t, err
}

func (p *parser) settleChoices(t *Type, parts []*Type) ([]*Type, error) {
	var choices, rest []*Type
	for _, part := range parts {
		if body := part.body(); body != nil && body.Kind == Union {
			choices = append(choices, part)
		} else {
			rest = append(rest, part)
		}
	}
	if len(choices) == 0 || len(choices) > maxChoices {
		return parts, nil
	}
	for _, part := range rest {
		var err error
		if t, err = p.intersect(t, part); err != nil {
			return nil, err
		}
	}
	settled, err := p.telling(t, choices)
	if err == nil && len(choices) == 1 && len(settled.Properties) == 0 {
		return parts, nil
	}
	for _, c := range choices {
		if err != nil {
			return nil, err
		}
		if settled, err = p.intersect(settled, c); err == nil && len(settled.Members) > maxChoices {
			return parts, nil
		}
	}
	return append(rest, settled), err
}

// telling is an object with those properties of t by which its choices may tell each other apart.
func (p *parser) telling(t *Type, choices []*Type) (*Type, error) {
	body := t.body()
	if body == nil || body.Kind != Object {
		return p.leaf(Unknown), nil
	}
	names := map[string]bool{}
	for _, c := range choices {
		for _, m := range c.body().Members {
			for _, prop := range m.Properties {
				if prop.Type.Kind == Literal || prop.Type.Kind == except || prop.Type.Kind == Never || prop.Type.Kind == Union {
					names[prop.Name] = true
				}
			}
		}
	}
	thin := &Type{Kind: Object}
	for _, prop := range body.Properties {
		if names[prop.Name] {
			plain := *prop.Type
			plain.Doc = Doc{} // it stands with the whole
			pt, err := p.make(&plain)
			if err != nil {
				return nil, err
			}
			thin.Properties = append(thin.Properties, Property{prop.Name, pt, prop.Required})
		}
	}
	if p.opt.Untyped == AsWritten {
		thin.Additional = p.leaf(Unknown)
	}
	return p.make(thin)
}
