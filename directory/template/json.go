package template

// This file parses JSON that holds slots, renders it, and checks that a raw slot left its shape
// alone. Literal text is kept byte for byte, so integers keep every digit.

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxDepth caps the nesting of a JSON template and of JSON with raw slots.
const maxDepth = 64

type nodeKind int

const (
	literalNode nodeKind = iota // number, true, false, null
	stringNode
	slotNode
	arrayNode
	objectNode
)

// node is one value of a JSON template.
type node struct {
	kind    nodeKind
	literal string
	parts   []part // of a string: its JSON-escaped characters; of a slot: that slot
	items   []*node
	members []member
}

type member struct {
	key   []part
	value *node
}

// jsonParser reads JSON text. A nil builder reads plain JSON, where "$" means nothing.
type jsonParser struct {
	b     *builder
	text  string
	at    int
	depth int
}

// parseJSON reads the whole text as one JSON value with slots.
func parseJSON(b *builder, text string) (*node, error) {
	p := &jsonParser{b: b, text: text}
	n, err := p.value("")
	if err != nil {
		return nil, err
	}
	if p.space(); p.at < len(text) {
		return nil, p.errorf("text after the JSON value")
	}
	return n, nil
}

func (p *jsonParser) errorf(format string, args ...any) error {
	return fmt.Errorf("%w: json at byte %d: %s", ErrTemplate, p.at+1, fmt.Sprintf(format, args...))
}

func (p *jsonParser) space() {
	p.at += span(p.text[p.at:], func(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' })
}

// peek skips white space and returns the next byte, 0 at the end.
func (p *jsonParser) peek() byte {
	if p.space(); p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *jsonParser) value(hint string) (*node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.errorf("nested more than %d deep", maxDepth)
	}
	defer func() { p.depth-- }()
	switch c := p.peek(); {
	case c == '{':
		return p.object()
	case c == '[':
		return p.array(hint)
	case c == '"':
		parts, err := p.string(hint)
		return &node{kind: stringNode, parts: parts}, err
	case c == '$' && p.b != nil:
		return p.slot(hint)
	}
	return p.literal()
}

func (p *jsonParser) object() (*node, error) {
	n := &node{kind: objectNode}
	p.at++
	for p.peek() != '}' {
		if len(n.members) > 0 && !p.take(',') {
			return nil, p.errorf("expected , or } in an object")
		}
		m, err := p.member()
		if err != nil {
			return nil, err
		}
		n.members = append(n.members, m)
	}
	p.at++
	return n, nil
}

func (p *jsonParser) member() (member, error) {
	if p.peek() != '"' {
		return member{}, p.errorf("expected a quoted name")
	}
	key, err := p.string("")
	if err != nil {
		return member{}, err
	}
	if !p.take(':') {
		return member{}, p.errorf("expected : after a name")
	}
	value, err := p.value(literalText(key))
	return member{key: key, value: value}, err
}

func (p *jsonParser) array(hint string) (*node, error) {
	n := &node{kind: arrayNode}
	p.at++
	for p.peek() != ']' {
		if len(n.items) > 0 && !p.take(',') {
			return nil, p.errorf("expected , or ] in an array")
		}
		item, err := p.value(hint)
		if err != nil {
			return nil, err
		}
		n.items = append(n.items, item)
	}
	p.at++
	return n, nil
}

func (p *jsonParser) take(c byte) bool {
	if p.peek() != c {
		return false
	}
	p.at++
	return true
}

// string reads a quoted string into parts that stay JSON-escaped.
func (p *jsonParser) string(hint string) ([]part, error) {
	start := p.at + 1
	end := start
	for end < len(p.text) && p.text[end] != '"' {
		if p.text[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(p.text) {
		return nil, p.errorf("string without its closing quote")
	}
	body := p.text[start:end]
	parts := []part{{lit: body}}
	if p.b != nil {
		parts = p.b.lex(body, place{ctx: JSONString, hint: hint, prose: true})
	}
	for _, part := range parts {
		if part.slot == nil && !json.Valid([]byte(`"`+part.lit+`"`)) {
			return nil, p.errorf("not a valid JSON string")
		}
	}
	p.at = end + 1
	return parts, nil
}

func (p *jsonParser) slot(hint string) (*node, error) {
	s, width := p.b.slotAt(p.text, p.at)
	if s == nil || s.dollar != "" {
		return nil, p.errorf("a bare $ that is no slot")
	}
	s.Context, s.Hint, s.Whole = JSONValue, hint, true
	p.b.slots = append(p.b.slots, s)
	p.at += width
	if c := p.peek(); c != 0 && c != ',' && c != '}' && c != ']' {
		return nil, p.errorf("%s must be the entire value; quote it to make it part of a string", s.src)
	}
	return &node{kind: slotNode, parts: []part{{slot: s}}}, nil
}

func (p *jsonParser) literal() (*node, error) {
	width := span(p.text[p.at:], func(c byte) bool { return isNameByte(c) || c == '-' || c == '+' || c == '.' })
	text := p.text[p.at : p.at+width]
	if width == 0 || !json.Valid([]byte(text)) {
		return nil, p.errorf("expected a JSON value")
	}
	p.at += width
	return &node{kind: literalNode, literal: text}, nil
}

// literalText is the text of parts without slots, decoded; "" if there are slots.
func literalText(parts []part) string {
	if hasSlot(parts) || hasRaw(parts) {
		return ""
	}
	var escaped, text string
	for _, p := range parts {
		escaped += p.lit
		if p.slot != nil {
			escaped += p.slot.src
		}
	}
	if json.Unmarshal([]byte(`"`+escaped+`"`), &text) != nil {
		return ""
	}
	return text
}

// renderJSON renders the tree and, where it holds raw slots, checks that they left its shape alone.
func (f *filler) renderJSON(n *node) (string, error) {
	var out strings.Builder
	present, err := f.writeJSON(&out, n)
	if err != nil {
		return "", err
	}
	if !present {
		return "null", nil
	}
	if !n.raw() {
		return out.String(), nil
	}
	got, err := parseJSON(nil, out.String())
	if err != nil || !utf8.ValidString(out.String()) {
		return "", fmt.Errorf("%w: a raw slot made the JSON invalid", ErrStructure)
	}
	return out.String(), f.sameShape(n, got)
}

// raw reports whether any slot below n is raw.
func (n *node) raw() bool {
	if hasRaw(n.parts) {
		return true
	}
	for _, item := range n.items {
		if item.raw() {
			return true
		}
	}
	for _, m := range n.members {
		if hasRaw(m.key) || m.value.raw() {
			return true
		}
	}
	return false
}

// writeJSON writes n; present is false, and nothing is written, for a whole slot without a value.
func (f *filler) writeJSON(out *strings.Builder, n *node) (present bool, err error) {
	switch n.kind {
	case literalNode:
		out.WriteString(n.literal)
		return true, nil
	case stringNode:
		return f.writeString(out, n.parts)
	case slotNode:
		return f.writeSlot(out, n.parts[0].slot)
	case arrayNode:
		return true, f.writeArray(out, n)
	}
	return true, f.writeObject(out, n)
}

func (f *filler) writeString(out *strings.Builder, parts []part) (bool, error) {
	text, absent, err := f.fill(parts, escapeJSON)
	if err != nil || absent {
		return false, err
	}
	out.WriteString(`"` + text + `"`)
	return true, nil
}

func escapeJSON(_ *slot, text string) (string, error) {
	quoted := quote(text)
	return string(quoted[1 : len(quoted)-1]), nil
}

func (f *filler) writeSlot(out *strings.Builder, s *slot) (bool, error) {
	raw, err := f.value(s)
	if err != nil || raw == nil {
		return false, err
	}
	if s.Form != Raw {
		out.Write(raw)
		return true, nil
	}
	text, err := textOf(raw)
	out.WriteString(text)
	return true, err
}

// writeArray keeps an absent item's place: "" for a quoted slot, null for a bare one.
func (f *filler) writeArray(out *strings.Builder, n *node) error {
	out.WriteByte('[')
	for i, item := range n.items {
		if i > 0 {
			out.WriteByte(',')
		}
		present, err := f.writeJSON(out, item)
		if err != nil {
			return err
		}
		if !present {
			out.WriteString(emptyItem(item))
		}
	}
	out.WriteByte(']')
	return nil
}

func emptyItem(item *node) string {
	if item.kind == stringNode {
		return `""`
	}
	return "null"
}

// writeObject drops the members whose value is absent.
func (f *filler) writeObject(out *strings.Builder, n *node) error {
	out.WriteByte('{')
	first := true
	seen := map[string]bool{}
	for _, m := range n.members {
		var value strings.Builder
		present, err := f.writeJSON(&value, m.value)
		if err != nil {
			return err
		}
		if !present {
			continue
		}
		key, _, err := f.fill(m.key, escapeJSON)
		if err != nil {
			return err
		}
		if seen[key] {
			return fmt.Errorf("%w: two members of a JSON object share a name", ErrStructure)
		}
		seen[key] = true
		if !first {
			out.WriteByte(',')
		}
		first = false
		out.WriteString(`"` + key + `":` + value.String())
	}
	out.WriteByte('}')
	return nil
}

var errShape = fmt.Errorf("%w: a raw slot changed the JSON around it", ErrStructure)

// sameShape walks template and outcome side by side. Only a bare raw slot may be any one value.
func (f *filler) sameShape(want, got *node) error {
	if want.kind == slotNode {
		return nil
	}
	if want.kind != got.kind {
		return errShape
	}
	switch want.kind {
	case arrayNode:
		return f.sameItems(want, got)
	case objectNode:
		return f.sameMembers(want, got)
	case stringNode:
		return f.sameString(want.parts, got.parts)
	}
	return nil
}

func (f *filler) sameItems(want, got *node) error {
	if len(want.items) != len(got.items) {
		return errShape
	}
	for i := range want.items {
		if err := f.sameShape(want.items[i], got.items[i]); err != nil {
			return err
		}
	}
	return nil
}

func (f *filler) sameMembers(want, got *node) error {
	at := 0
	for _, m := range want.members {
		present, err := f.writeJSON(new(strings.Builder), m.value)
		if err != nil {
			return err
		}
		if !present {
			continue
		}
		if at == len(got.members) {
			return errShape
		}
		if err := errors.Join(f.sameString(m.key, got.members[at].key), f.sameShape(m.value, got.members[at].value)); err != nil {
			return errShape
		}
		at++
	}
	if at != len(got.members) {
		return errShape
	}
	return nil
}

// sameString compares the escaped characters: a raw slot that closed the string early leaves less.
func (f *filler) sameString(want, got []part) error {
	text, _, err := f.fill(want, escapeJSON)
	if err != nil {
		return err
	}
	rendered := ""
	for _, p := range got {
		rendered += p.lit
	}
	if text != rendered {
		return errShape
	}
	return nil
}
