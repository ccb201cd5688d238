package template

// This file parses JSON that holds slots. Literal text is kept byte for byte, so integers keep every
// digit.

import (
	"encoding/json"
	"fmt"
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
	case c == '{' && p.named():
		return p.slot(hint)
	case c == '{':
		return p.object()
	case c == '[':
		return p.array(hint)
	case c == '"':
		parts, err := p.string(place{ctx: JSONString, hint: hint, prose: true})
		return &node{kind: stringNode, parts: parts}, err
	case c == '$' && p.b != nil:
		return p.slot(hint)
	}
	return p.literal()
}

// named reports whether a {name} stands here, which no JSON object looks like.
func (p *jsonParser) named() bool {
	if p.b == nil {
		return false
	}
	s, _ := p.b.namedAt(p.text, p.at)
	return s != nil
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
	key, err := p.string(place{ctx: JSONString, prose: true, name: true})
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
func (p *jsonParser) string(at place) ([]part, error) {
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
		parts = p.b.lex(body, at)
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
		return nil, p.errorf("a bare $ that is no slot; write $1 for an argument, $NAME in upper case for a secret")
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
