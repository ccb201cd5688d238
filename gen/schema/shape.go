package schema

// This file reads the keywords of objects, arrays, integers and values.

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
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
	for _, name := range slices.Sorted(maps.Keys(props)) {
		pt, err := p.schema(props[name], join(join(at, "properties"), name), nil, nil)
		if err != nil {
			return nil, err
		}
		t.Properties = append(t.Properties, Property{name, pt, required[name]})
		delete(required, name)
	}
	for _, name := range slices.Sorted(maps.Keys(required)) {
		pt, err := p.undeclared(t)
		if err != nil {
			return nil, err
		}
		t.Properties = append(t.Properties, Property{name, pt, true})
	}
	slices.SortFunc(t.Properties, byName)
	return p.make(t)
}

func (p *parser) additional(t *Type, m map[string]any, at string) error {
	v, ok := m["additionalProperties"]
	switch {
	case ok && v == false:
		t.Closed = true
	case ok:
		extra, err := p.schema(v, join(at, "additionalProperties"), nil, nil)
		if err != nil {
			return err
		}
		t.Additional = extra
	case p.opt.Untyped == AsWritten:
		extra, err := p.make(&Type{Kind: Unknown})
		if err != nil {
			return err
		}
		t.Additional = extra
	}
	return nil
}

func (p *parser) patterns(t *Type, m map[string]any, at string) error {
	patterns, _ := m["patternProperties"].(map[string]any)
	for _, expr := range slices.Sorted(maps.Keys(patterns)) {
		pt, err := p.schema(patterns[expr], join(join(at, "patternProperties"), expr), nil, nil)
		if err != nil {
			return err
		}
		t.Patterns = append(t.Patterns, Pattern{expr, pt})
	}
	return nil
}

// undeclared is the type of a key that is required and not among the properties.
func (p *parser) undeclared(t *Type) (*Type, error) {
	if t.Additional != nil && len(t.Patterns) == 0 {
		return t.Additional, nil
	}
	return p.make(&Type{Kind: Unknown})
}

func requiredKeys(m map[string]any) map[string]bool {
	list, _ := m["required"].([]any)
	out := map[string]bool{}
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
	prefix, restWord, prefixWord := m["prefixItems"], "items", "prefixItems"
	if _, ok := m["items"].([]any); ok {
		prefix, restWord, prefixWord = m["items"], "additionalItems", "items"
	}
	positions, err := p.positions(prefix, join(at, prefixWord))
	if err != nil {
		return nil, err
	}
	rest, err := p.rest(m, restWord, at)
	if err != nil {
		return nil, err
	}
	if len(positions) == 0 {
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

func (p *parser) positions(node any, at string) ([]*Type, error) {
	subs, _ := node.([]any)
	var out []*Type
	for i, sub := range subs {
		t, err := p.schema(sub, join(at, strconv.Itoa(i)), nil, nil)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

func (p *parser) rest(m map[string]any, word, at string) (*Type, error) {
	if sub, ok := m[word]; ok {
		return p.schema(sub, join(at, word), nil, nil)
	}
	return p.make(&Type{Kind: Unknown})
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
		return p.make(&Type{Kind: Null})
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
	raw, err := contract.Canonical(compact(v))
	if err != nil {
		return p.make(&Type{Kind: Number}) // a number that fits no double, such as 1e999
	}
	return p.make(&Type{Kind: Literal, Value: raw, Wide: isWideNumber(raw)})
}

func (p *parser) objectValue(v map[string]any) (*Type, error) {
	t := &Type{Kind: Object, Closed: true}
	for _, k := range slices.Sorted(maps.Keys(v)) {
		vt, err := p.value(v[k])
		if err != nil {
			return nil, err
		}
		t.Properties = append(t.Properties, Property{k, vt, true})
	}
	return p.make(t)
}

// isWide reports whether an integer schema allows values that a double would round.
func isWide(m map[string]any) bool {
	if f, _ := m["format"].(string); f == "int64" || f == "uint64" {
		return true
	}
	for _, k := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"} {
		if n, ok := m[k].(json.Number); ok && past53(string(n)) {
			return true
		}
	}
	return false
}

// isWideNumber reports whether a literal is an integer past 2^53, written as one.
func isWideNumber(raw []byte) bool {
	if len(raw) == 0 || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') || slices.ContainsFunc(raw, func(c byte) bool { return c == '.' || c == 'e' }) {
		return false
	}
	return past53(string(raw))
}

// past53 reports whether a number's magnitude exceeds 2^53, exactly.
func past53(n string) bool {
	if len(n) > 1000 {
		return true
	}
	f, _, err := big.ParseFloat(n, 10, 64+4*uint(len(n)), big.ToZero)
	if err != nil {
		return false
	}
	return f.Abs(f).Cmp(big.NewFloat(1<<53)) > 0
}

// make completes a type: it measures it, gives it its sum and charges it to the document's budget,
// which covers also what is made on the way and thrown away.
func (p *parser) make(t *Type) (*Type, error) {
	p.work += 1 + len(t.Properties) + len(t.Members) + len(t.Prefix)
	t.measure()
	if p.work > 20*p.opt.MaxTypes || t.size > p.opt.MaxTypes {
		return nil, fmt.Errorf("%w: more than %d types", ErrTooLarge, p.opt.MaxTypes)
	}
	return t, nil
}
