package schema

// This file turns one schema of the document into a type.

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"codemode/directory/contract"
)

// maxNesting bounds how deep the parser's own calls go, references included.
const maxNesting = 10_000

type parser struct {
	doc   *contract.SchemaDocument
	opt   Options
	named map[string]*Named // by place
	work  int               // types made so far, with their parts
	depth int
	// meeting holds the pairs of references that are being intersected.
	meeting map[[2][16]byte]bool
}

// head lists the named types that are being read with no object or array between them and the
// schema at hand. A reference to one of them says only that the value is itself.
type head struct {
	named *Named
	up    *head
}

func (h *head) has(n *Named) bool {
	for ; h != nil; h = h.up {
		if h.named == n {
			return true
		}
	}
	return false
}

// reference returns the type of the schema at a place, which is read once however often it is
// referred to.
func (p *parser) reference(at string, h *head) (*Type, error) {
	n, seen := p.named[at]
	if h.has(n) && seen {
		return p.leaf(Unknown), nil
	}
	if !seen {
		n = &Named{pointer: at}
		p.named[at] = n
		node, ok := p.doc.Get(at)
		if !ok {
			return nil, fmt.Errorf("%s: not a schema: want an object or a boolean", place(at))
		}
		t, err := p.body(node, at, 0, &head{n, h})
		if err != nil {
			return nil, err
		}
		n.Type, n.done = t, true
	}
	return p.make(&Type{Kind: Reference, Ref: n})
}

// schema reads one schema. From is what a surrounding allOf, anyOf or oneOf already said of the type.
func (p *parser) schema(node any, at string, from kinds, h *head) (*Type, error) {
	if p.doc.IsTarget(at) {
		return p.reference(at, h)
	}
	return p.body(node, at, from, h)
}

func (p *parser) body(node any, at string, from kinds, h *head) (*Type, error) {
	if p.depth++; p.depth > maxNesting {
		return nil, fmt.Errorf("%s: %w: references lead more than %d levels down", place(at), ErrTooDeep, maxNesting)
	}
	defer func() { p.depth-- }()
	if len(at) > contract.MaxPointer {
		return nil, fmt.Errorf("%s: %w: the path to it is longer than %d bytes", place(at), ErrTooDeep, contract.MaxPointer)
	}
	switch n := node.(type) {
	case bool:
		if n {
			return p.leaf(Unknown), nil
		}
		return p.leaf(Never), nil
	case map[string]any:
		if _, ok := n["$ref"].(string); ok && p.doc.Legacy {
			return p.refs(n, at, h)
		}
		return p.keywords(n, at, from, h)
	}
	return nil, fmt.Errorf("%s: not a schema: want an object or a boolean", place(at))
}

// keywords reads an object schema: its own type first, narrowed by all that is combined with it.
func (p *parser) keywords(m map[string]any, at string, from kinds, h *head) (*Type, error) {
	set, sure := p.kindsOf(m, from)
	parts, err := p.combined(m, at, set, h)
	if err != nil {
		return nil, err
	}
	t, err := p.narrowed(m, at, set, parts)
	if err != nil {
		return nil, err
	}
	if t.Kind == Never && !sure {
		// The keywords meant another type than what they are combined with: take them as written.
		if t, err = p.narrowed(m, at, everyKind, parts); err != nil {
			return nil, err
		}
	}
	if isTrue(m["nullable"]) {
		if t, err = p.union([]*Type{t, p.leaf(Null)}); err != nil {
			return nil, err
		}
	}
	return p.document(t, docOf(m))
}

func (p *parser) narrowed(m map[string]any, at string, set kinds, parts []*Type) (*Type, error) {
	own, err := p.own(m, at, set)
	if err != nil {
		return nil, err
	}
	return p.all(own, parts)
}

// kindsOf returns the JSON types a schema allows, and whether it said so itself.
func (p *parser) kindsOf(m map[string]any, from kinds) (kinds, bool) {
	set, known := namedKinds(m)
	switch {
	case known:
		return set, true
	case from != 0:
		return from, true
	case p.opt.Untyped == AsMeant && set == 0:
		if set = impliedKinds(m); set != 0 {
			return set, false
		}
	}
	return everyKind, true
}

// namedKinds are the kinds that "type" names, and whether it names any.
func namedKinds(m map[string]any) (kinds, bool) {
	var set kinds
	switch t := m["type"].(type) {
	case string:
		set = Kind(t).bit()
	case []any:
		for _, e := range t {
			if s, ok := e.(string); ok {
				set |= Kind(s).bit()
			}
		}
	}
	return set, set&everyKind != 0
}

// impliedBy are the keywords that stand for a type where none is named: those that only ever describe
// the parts of an object or array. A bound or a pattern implies nothing.
var impliedBy = map[string]Kind{
	"properties": Object, "patternProperties": Object, "additionalProperties": Object, "required": Object,
	"items": Array, "prefixItems": Array, "additionalItems": Array,
}

func impliedKinds(m map[string]any) kinds {
	var set kinds
	for word := range m {
		if kind, ok := impliedBy[word]; ok {
			set |= kind.bit()
		}
	}
	return set
}

// own builds the union of what the schema's own keywords say of each type it allows.
func (p *parser) own(m map[string]any, at string, set kinds) (*Type, error) {
	if set.all() && !p.describesParts(m) {
		return p.leaf(Unknown), nil
	}
	var members []*Type
	for _, k := range allKinds {
		if !set.has(k) || (k == Integer && set.has(Number)) {
			continue
		}
		t, err := p.ofKind(k, m, at)
		if err != nil {
			return nil, err
		}
		members = append(members, t)
	}
	return p.union(members)
}

func (p *parser) ofKind(k Kind, m map[string]any, at string) (*Type, error) {
	switch k {
	case Object:
		return p.object(m, at)
	case Array:
		return p.array(m, at)
	case Integer:
		if contract.WideInteger(m) {
			return p.make(&Type{Kind: Integer, Wide: true})
		}
	}
	return p.leaf(k), nil
}

// combined lists what narrows a schema's own type: const, enum, allOf, anyOf, oneOf, not, conditions
// and references.
func (p *parser) combined(m map[string]any, at string, set kinds, h *head) ([]*Type, error) {
	if !combines(m) {
		return nil, nil
	}
	values, err := p.values(m, at)
	if err != nil {
		return nil, err
	}
	if set.all() {
		set = 0
	}
	parts, err := p.list(m, "allOf", at, set, h)
	if err != nil {
		return nil, err
	}
	parts = append([]*Type{values}, parts...)
	for _, k := range []string{"anyOf", "oneOf"} {
		u, err := p.alternatives(k, m, at, set, h)
		if err != nil {
			return nil, err
		}
		parts = append(parts, u)
	}
	sometimes, err := p.conditions(m, at, set, h)
	if err != nil {
		return nil, err
	}
	ref, err := p.refs(m, at, h)
	return append(append(parts, sometimes...), ref), err
}

// combining are the keywords that combined reads.
var combining = map[string]bool{
	"const": true, "enum": true, "allOf": true, "anyOf": true, "oneOf": true, "not": true, "if": true, "dependencies": true,
	"dependentRequired": true, "dependentSchemas": true, "$ref": true, "$dynamicRef": true, "$recursiveRef": true,
}

func combines(m map[string]any) bool {
	for word := range m {
		if combining[word] {
			return true
		}
	}
	return false
}

// alternatives reads anyOf or oneOf.
func (p *parser) alternatives(word string, m map[string]any, at string, set kinds, h *head) (*Type, error) {
	if word == "oneOf" {
		if t, err := p.exactlyOne(m[word], join(at, word), set); t != nil || err != nil {
			return t, err
		}
	}
	members, err := p.list(m, word, at, set, h)
	if err != nil {
		return nil, err
	}
	if len(members) == 0 {
		return p.leaf(Unknown), nil
	}
	return p.union(members)
}

// conditions reads not, if and what depends on keys.
func (p *parser) conditions(m map[string]any, at string, set kinds, h *head) ([]*Type, error) {
	parts, err := p.dependents(m, at, set, h)
	if err != nil {
		return nil, err
	}
	t, err := p.conditional(m, at, set, h)
	if err != nil {
		return nil, err
	}
	parts = append(parts, t)
	if not, ok := m["not"]; ok {
		if t, err = p.negation(not, join(at, "not"), maxNegation); err != nil {
			return nil, err
		}
		parts = append(parts, t)
	}
	return parts, nil
}

func (p *parser) list(m map[string]any, word, at string, set kinds, h *head) ([]*Type, error) {
	subs, ok := m[word].([]any)
	if !ok {
		return nil, nil
	}
	at = join(at, word)
	out := make([]*Type, len(subs))
	for i, sub := range subs {
		var err error
		if out[i], err = p.schema(sub, join(at, strconv.Itoa(i)), set, h); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// refs reads $ref and its dynamic relatives. Where it depends on the way to a dynamic reference what
// that means, it is unknown.
func (p *parser) refs(m map[string]any, at string, h *head) (*Type, error) {
	out := p.leaf(Unknown)
	var err error
	for _, k := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
		ref, ok := m[k].(string)
		if !ok {
			continue
		}
		if p.doc.IsMetaSchema(ref, at) {
			if out, err = p.anySchema(); err != nil {
				return nil, err
			}
			continue
		}
		target, err := p.doc.Resolve(ref, at)
		if err != nil {
			return nil, err
		}
		if k == "$dynamicRef" {
			if target, ok = p.doc.DynamicTarget(ref, target); !ok {
				continue
			}
		}
		t, err := p.reference(target, h)
		if err != nil {
			return nil, err
		}
		if out, err = p.intersect(out, t); err != nil {
			return nil, err
		}
	}
	if p.doc.Legacy {
		return p.document(out, docOf(m))
	}
	return out, nil
}

// anySchema is what every meta-schema says at least: a schema is an object or a boolean.
func (p *parser) anySchema() (*Type, error) {
	o, err := p.anyOfKind(Object)
	if err != nil {
		return nil, err
	}
	b, err := p.anyOfKind(Boolean)
	if err != nil {
		return nil, err
	}
	return p.union([]*Type{o, b})
}

// values reads const and enum.
func (p *parser) values(m map[string]any, at string) (*Type, error) {
	t := p.leaf(Unknown)
	var err error
	if v, ok := m["const"]; ok {
		if t, err = p.value(v); err != nil {
			return nil, fmt.Errorf("%s: %w", place(join(at, "const")), err)
		}
	}
	list, ok := m["enum"].([]any)
	if !ok {
		return t, nil
	}
	members := make([]*Type, len(list))
	for i, v := range list {
		if members[i], err = p.value(v); err != nil {
			return nil, fmt.Errorf("%s: %w", place(join(at, "enum")), err)
		}
	}
	u, err := p.union(members)
	if err != nil {
		return nil, err
	}
	return p.intersect(t, u)
}

// document puts a doc on a type that may stand elsewhere too.
func (p *parser) document(t *Type, d Doc) (*Type, error) {
	if d.IsZero() {
		return t, nil
	}
	copied := *t
	copied.Doc = d.over(t.Doc)
	return p.make(&copied)
}

// join appends one token to a place.
func join(at, token string) string { return contract.JoinPointer(at, token) }

// place renders a place for an error text.
func place(at string) string { return contract.PlaceOf(at) }

func hasAny(m map[string]any, keys ...string) bool {
	return slices.ContainsFunc(keys, func(k string) bool { _, ok := m[k]; return ok })
}

func isTrue(v any) bool {
	b, _ := v.(bool)
	return b
}

// isEmpty reports whether v is the schema that takes any value.
func isEmpty(v any) bool {
	m, ok := v.(map[string]any)
	return isTrue(v) || ok && len(m) == 0
}

func compact(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil // v came from a decoder: it cannot fail
	}
	return raw
}
