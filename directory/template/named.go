package template

// This file finds slots that stand under a name: {name}, {name*} and {name,}. They are slots only where
// the source gives the names (Source.Params), so that braces elsewhere stay text.

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// spread is how a named slot writes an array or object.
type spread byte

const (
	asJSON  spread = 0   // {name}: its JSON text, or the JSON itself in a JSON body
	asPairs spread = '*' // {name*}: in a query or form, a pair an item of an array or a member of an object (RFC 6570 explode)
	asCSV   spread = ',' // {name,}: items joined by commas, members as name,value (RFC 6570 simple expansion)
)

// maxNamed is how many arguments slots can number.
const maxNamed = 99

// namedAt reads the named slot that starts at text[i], or nil.
func (b *builder) namedAt(text string, i int) (*slot, int) {
	if len(b.params) == 0 || text[i] != '{' {
		return nil, 0
	}
	end := strings.IndexByte(text[i:], '}')
	if end < 0 {
		return nil, 0
	}
	name, mode := text[i+1:i+end], asJSON
	if last := len(name) - 1; last > 0 && !slices.Contains(b.params, name) && (name[last] == '*' || name[last] == ',') {
		name, mode = name[:last], spread(name[last])
	}
	if !slices.Contains(b.params, name) {
		return nil, 0
	}
	index := slices.Index(b.order, name) + 1
	if index == 0 {
		if len(b.order) == maxNamed {
			return nil, 0
		}
		b.order = append(b.order, name)
		index = len(b.order)
	}
	return &slot{Slot: Slot{Form: Arg, Index: index}, src: text[i : i+end+1], spread: mode, braced: true}, end + 1
}

// pairs are the name=value pairs of a slot that stands for several, ready to be escaped; ok is false
// for one that stands for one.
func (f *filler) pairs(name string, s *slot) (out [][2]string, ok bool, err error) {
	raw, err := f.value(s)
	if err != nil || len(raw) == 0 || raw[0] != '[' && raw[0] != '{' {
		return nil, false, err
	}
	for _, e := range elements(raw) {
		if string(e.value) == "null" {
			continue
		}
		text, err := textOf(e.value)
		if err != nil {
			return nil, true, err
		}
		if raw[0] == '[' {
			e.name = name
		}
		out = append(out, [2]string{e.name, text})
	}
	return out, true, nil
}

// joined is an array or object as one text, each part escaped; ok is false for any other value.
func (f *filler) joined(s *slot, escape escaper) (text string, ok bool, err error) {
	raw, err := f.value(s)
	if err != nil || len(raw) == 0 || raw[0] != '[' && raw[0] != '{' {
		return "", false, err
	}
	var parts []string
	for _, e := range elements(raw) {
		if string(e.value) == "null" {
			continue
		}
		value, err := textOf(e.value)
		if err != nil {
			return "", true, err
		}
		words := []string{e.name, value}
		if raw[0] == '[' {
			words = words[1:]
		}
		for _, word := range words {
			escaped, err := escape(s, word)
			if err != nil {
				return "", true, err
			}
			parts = append(parts, escaped)
		}
	}
	return strings.Join(parts, ","), true, nil
}

// element is an item of an array, or a member of an object.
type element struct {
	name  string
	value json.RawMessage
}

// elements are those of a valid JSON array or object, in the order written.
func elements(raw json.RawMessage) []element {
	var out []element
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.Token() // the bracket: the caller looked
	for dec.More() {
		var e element
		if raw[0] == '{' {
			name, err := dec.Token()
			if err != nil {
				return out
			}
			e.name, _ = name.(string)
		}
		if dec.Decode(&e.value) != nil {
			return out
		}
		out = append(out, e)
	}
	return out
}
