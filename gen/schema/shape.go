package schema

// This file reads the keywords of objects, arrays, integers and values.

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"codemode/directory/contract"
)

func (p *parser) object(m map[string]any, at string) (*Type, error) {
	t := &Type{Kind: Object}
	if err := p.additional(t, m, at); err != nil {
		return nil, err
	}
	if err := p.patterns(t, m, at); err != nil {
		return nil, err
	}
	props, _ := m["properties"].(map[string]any)
	required := requiredKeys(m)
	below := join(at, "properties")
	t.Properties = slices.Grow(t.Properties, len(props))
	for _, name := range sortedKeys(props) {
		pt, err := p.schema(props[name], join(below, name), 0, nil)
		if err == nil {
			pt, err = p.matching(t, name, pt)
		}
		if err != nil {
			return nil, err
		}
		t.Properties = append(t.Properties, Property{name, pt, required[name]})
		delete(required, name)
	}
	for _, name := range sortedKeys(required) {
		pt, err := p.undeclared(t, name)
		if err != nil {
			return nil, err
		}
		t.Properties = append(t.Properties, Property{name, pt, true})
	}
	if err := p.exactPatterns(t); err != nil {
		return nil, err
	}
	slices.SortFunc(t.Properties, byName)
	return p.withNames(t, m)
}

// exactPatterns makes properties of the patterns that are one key.
func (p *parser) exactPatterns(t *Type) error {
	if len(t.Patterns) == 0 {
		return nil
	}
	declared := map[string]bool{}
	for _, prop := range t.Properties {
		declared[prop.Name] = true
	}
	for _, pattern := range t.Patterns {
		if len(pattern.Keys) != 1 || declared[pattern.Keys[0]] {
			continue
		}
		pt, err := p.undeclared(t, pattern.Keys[0])
		if err != nil {
			return err
		}
		t.Properties = append(t.Properties, Property{pattern.Keys[0], pt, false})
	}
	t.Patterns = slices.DeleteFunc(slices.Clone(t.Patterns), func(p Pattern) bool { return len(p.Keys) == 1 })
	return nil
}

// additional reads what is said of keys that are not named: additionalProperties, or what
// unevaluatedProperties leaves of them.
func (p *parser) additional(t *Type, m map[string]any, at string) error {
	v, ok := m["additionalProperties"]
	var extra *Type
	var err error
	if ok {
		extra, err = p.schema(v, join(at, "additionalProperties"), 0, nil)
	} else {
		extra, err = p.unevaluated(t, m, at)
	}
	switch {
	case err != nil:
		return err
	case v == false || v == nil && extra != nil && extra.Kind == Never:
		t.Closed = true
	case extra != nil:
		t.Additional = extra
	case p.opt.Untyped == AsWritten:
		t.Additional = p.leaf(Unknown)
	}
	return err
}

// unevaluated is the type of unnamed keys by unevaluatedProperties; the names that it leaves alone
// become properties, so that it does not speak of them.
func (p *parser) unevaluated(t *Type, m map[string]any, at string) (*Type, error) {
	names, rest, err := p.remainingKeys(m, at)
	if err != nil || rest == nil {
		return nil, err
	}
	own, _ := m["properties"].(map[string]any)
	required := requiredKeys(m)
	for _, name := range sortedKeys(names) {
		if _, ok := own[name]; ok || required[name] {
			continue
		}
		t.Properties = append(t.Properties, Property{name, p.leaf(Unknown), false})
	}
	return rest, nil
}

// patterns reads patternProperties. One that matches every name speaks of all keys.
func (p *parser) patterns(t *Type, m map[string]any, at string) error {
	patterns, _ := m["patternProperties"].(map[string]any)
	for _, expr := range sortedKeys(patterns) {
		pt, err := p.schema(patterns[expr], join(join(at, "patternProperties"), expr), 0, nil)
		if err != nil {
			return err
		}
		keys, _ := contract.ParseKeyPattern(expr)
		if len(keys) == 2 && keys[0] == "" && keys[1] == "" {
			if t.Closed = false; t.Additional != nil {
				pt, err = p.intersect(t.Additional, pt)
			}
			t.Additional = pt
		} else {
			t.Patterns, err = p.addPattern(t.Patterns, Pattern{expr, pt, keys})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addPattern adds a pattern; two of the same keys become one.
func (p *parser) addPattern(list []Pattern, add Pattern) ([]Pattern, error) {
	for i, have := range list {
		if have.Expr != add.Expr && (have.Keys == nil || !slices.Equal(have.Keys, add.Keys)) {
			continue
		}
		both, err := p.intersect(have.Type, add.Type)
		if err != nil {
			return nil, err
		}
		list = slices.Clone(list)
		list[i].Type = both
		return list, nil
	}
	return append(slices.Clip(list), add), nil
}

// matching narrows the type of a key by the patterns that it matches.
func (p *parser) matching(t *Type, name string, pt *Type) (*Type, error) {
	var err error
	for _, pattern := range t.Patterns {
		if pattern.Keys.Match(name) && err == nil {
			pt, err = p.intersect(pt, pattern.Type)
		}
	}
	return pt, err
}

// undeclared is the type of a key that is not among the properties.
func (p *parser) undeclared(t *Type, name string) (*Type, error) {
	matched, sure := false, true
	for _, pattern := range t.Patterns {
		matched = matched || pattern.Keys.Match(name)
		sure = sure && pattern.Keys != nil
	}
	switch {
	case matched, !sure:
		return p.matching(t, name, p.leaf(Unknown))
	case t.Additional != nil:
		return t.Additional, nil
	}
	return p.leaf(Unknown), nil
}

func requiredKeys(m map[string]any) map[string]bool {
	list, ok := m["required"].([]any)
	if !ok {
		return nil
	}
	out := make(map[string]bool, len(list))
	for _, e := range list {
		if s, ok := e.(string); ok {
			out[s] = true
		}
	}
	return out
}

func byName(a, b Property) int { return strings.Compare(a.Name, b.Name) }

// array reads prefixItems with items, and the same two as drafts before 2020-12 spelled them: items
// as a list, with additionalItems.
func (p *parser) array(m map[string]any, at string) (*Type, error) {
	restWord, prefixWord := "items", "prefixItems"
	if _, ok := m["items"].([]any); ok {
		restWord, prefixWord = "additionalItems", "items"
	}
	positions, err := p.list(m, prefixWord, at, 0, nil)
	if err != nil {
		return nil, err
	}
	positions, rest, err := p.rest(positions, m, restWord, at)
	if err != nil {
		return nil, err
	}
	if len(positions) == 0 && rest.Kind != Never {
		return p.make(&Type{Kind: Array, Elem: rest})
	}
	t := &Type{Kind: Tuple, Prefix: positions, Elem: rest}
	if rest.Kind == Never {
		t.Elem = nil
	}
	if most, ok := count(m["maxItems"]); ok && most <= len(t.Prefix) {
		t.Prefix, t.Elem = t.Prefix[:most], nil
	}
	least, _ := count(m["minItems"])
	t.Min = min(least, len(t.Prefix))
	return p.make(t)
}

// rest is the type of the elements after the positions. unevaluatedItems may leave more positions alone.
func (p *parser) rest(positions []*Type, m map[string]any, word, at string) ([]*Type, *Type, error) {
	if sub, ok := m[word]; ok {
		t, err := p.schema(sub, join(at, word), 0, nil)
		return positions, t, err
	}
	reached, t, err := p.remainingItems(m, at)
	if err != nil {
		return nil, nil, err
	}
	if t == nil {
		return positions, p.leaf(Unknown), nil
	}
	for len(positions) < reached {
		positions = append(positions, p.leaf(Unknown))
	}
	return positions, t, nil
}

// count reads a keyword that holds a non-negative whole number; one too large to matter is capped.
func count(v any) (int, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	if err != nil || f < 0 {
		return 0, false
	}
	return int(min(f, 1<<30)), true
}

// value turns a JSON value into the type that has no other value.
func (p *parser) value(v any) (*Type, error) {
	switch v := v.(type) {
	case nil:
		return p.leaf(Null), nil
	case map[string]any:
		return p.objectValue(v)
	case []any:
		t := &Type{Kind: Tuple, Min: len(v)}
		for _, e := range v {
			et, err := p.value(e)
			if err != nil {
				return nil, err
			}
			t.Prefix = append(t.Prefix, et)
		}
		return p.make(t)
	}
	if s, ok := v.(string); ok && isPlain(s) {
		return p.make(&Type{Kind: Literal, Value: []byte(`"` + s + `"`)})
	}
	raw, err := contract.Canonical(compact(v))
	if err != nil {
		return p.leaf(Number), nil // a number that fits no double, such as 1e999
	}
	return p.make(&Type{Kind: Literal, Value: raw, Wide: isNumber(raw) && contract.WideLiteral(string(raw))})
}

// isPlain reports that a text stands in JSON as it is.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

func isNumber(raw []byte) bool { return raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9' }

func (p *parser) objectValue(v map[string]any) (*Type, error) {
	t := &Type{Kind: Object, Closed: true}
	for _, k := range sortedKeys(v) {
		vt, err := p.value(v[k])
		if err != nil {
			return nil, err
		}
		t.Properties = append(t.Properties, Property{k, vt, true})
	}
	return p.make(t)
}

// make completes a type: it measures it and charges it to the document's budget,
// which covers also what is made on the way and thrown away.
func (p *parser) make(t *Type) (*Type, error) {
	p.work += 1 + len(t.Properties) + len(t.Members) + len(t.Prefix)
	t.measure()
	if p.work > 20*p.opt.MaxTypes || t.size > p.opt.MaxTypes {
		return nil, fmt.Errorf("%w: more than %d types", ErrTooLarge, p.opt.MaxTypes)
	}
	return t, nil
}
