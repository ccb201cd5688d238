package openapi

// This file walks the tree of a document: members, references, values as JSON.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/url"
	"strconv"
	"strings"

	"github.com/pb33f/go-yaml"

	"codemode/directory/contract"
)

const (
	maxHops  = 16      // references that lead to references
	maxDepth = 56      // nesting of one schema: a row may nest 64 deep in all
	maxValue = 1 << 20 // bytes of one value as JSON
)

// plain follows a YAML alias.
func plain(n *yaml.Node) *yaml.Node {
	for hops := 0; n != nil && n.Kind == yaml.AliasNode && hops < maxHops; hops++ {
		n = n.Alias
	}
	return n
}

// pair is a member of a mapping.
type pair struct {
	name  string
	line  int
	value *yaml.Node
}

// pairs are the members of a mapping in the order written; tidy has written out merges before.
func (d *document) pairs(n *yaml.Node) []pair {
	n = plain(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	out := make([]pair, 0, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := plain(n.Content[i])
		out = append(out, pair{key.Value, key.Line, plain(n.Content[i+1])})
	}
	return out
}

// isMerge reports the key "<<" that YAML merges by; a quoted one is a name like any other.
func isMerge(key *yaml.Node) bool {
	return key.Value == "<<" && (key.Tag == "!!merge" || key.Style == 0)
}

// get is a member's value, nil where there is none.
func (d *document) get(n *yaml.Node, name string) *yaml.Node {
	n = plain(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if plain(n.Content[i]).Value == name {
			return plain(n.Content[i+1])
		}
	}
	return nil
}

// items are the elements of a sequence.
func items(n *yaml.Node) []*yaml.Node {
	n = plain(n)
	if n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	return n.Content
}

// text is a scalar's characters, "" for anything else.
func (d *document) text(n *yaml.Node) string {
	n = plain(n)
	if n == nil || n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return ""
	}
	return n.Value
}

func (d *document) isTrue(n *yaml.Node) bool {
	n = plain(n)
	return n != nil && n.Kind == yaml.ScalarNode && n.Tag == "!!bool" && strings.EqualFold(n.Value, "true")
}

func isMapping(n *yaml.Node) bool { n = plain(n); return n != nil && n.Kind == yaml.MappingNode }

// reference is a mapping's $ref, "" where it has none. A property may be called $ref; its value is no text.
func (d *document) reference(n *yaml.Node) string {
	r := d.get(n, "$ref")
	if r == nil || r.Kind != yaml.ScalarNode {
		return ""
	}
	return r.Value
}

// errExternal is a reference that leads out of the document.
var errExternal = errors.New("another file or address, which is not read; bundle the document into one")

// resolve follows references until something else stands there.
func (d *document) resolve(n *yaml.Node) (*yaml.Node, error) {
	for range maxHops {
		ref := d.reference(n)
		if ref == "" {
			return plain(n), nil
		}
		next, err := d.pointer(ref)
		if err != nil {
			return nil, err
		}
		n = next
	}
	return nil, fmt.Errorf("%s leads in a circle", clip(d.reference(n)))
}

// pointer finds what "#/a/b" points to (RFC 6901, as a URI fragment).
func (d *document) pointer(ref string) (*yaml.Node, error) {
	if found, ok := d.pointers[ref]; ok {
		return found, nil
	}
	path, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil, fmt.Errorf("%s leads to %w", clip(ref), errExternal)
	}
	at := d.root
	for _, token := range strings.Split(path, "/") {
		name, err := url.PathUnescape(token)
		if err != nil {
			name = token
		}
		name = contract.UnescapeToken(name)
		if list := items(at); list != nil {
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(list) {
				return nil, fmt.Errorf("%s leads nowhere", clip(ref))
			}
			at = plain(list[i])
			continue
		}
		if at = d.get(at, name); at == nil {
			return nil, fmt.Errorf("%s leads nowhere", clip(ref))
		}
	}
	d.pointers[ref] = at
	return at, nil
}

// value is a node as JSON, with every digit of its numbers.
func (d *document) value(n *yaml.Node) (json.RawMessage, error) {
	w := &writer{d: d}
	w.value(n, 0)
	return w.done()
}

// writer writes JSON up to the caps.
type writer struct {
	d   *document
	out bytes.Buffer
	err error
}

func (w *writer) done() (json.RawMessage, error) {
	w.d.spend(w.out.Len())
	if w.err != nil {
		return nil, w.err
	}
	return json.RawMessage(w.out.Bytes()), nil
}

// enter reports whether the writing may go on at a depth.
func (w *writer) enter(depth int) bool {
	switch {
	case w.err != nil:
	case depth > maxDepth:
		w.err = fmt.Errorf("it nests more than %d deep", maxDepth)
	case w.out.Len() > maxValue:
		w.err = fmt.Errorf("it is longer than %d bytes", maxValue)
	case w.d.work > maxWork:
		w.err = errWork
	}
	return w.err == nil
}

func (w *writer) value(n *yaml.Node, depth int) {
	n = plain(n)
	if !w.enter(depth) {
		return
	}
	switch {
	case n == nil:
		w.out.WriteString("null")
	case n.Kind == yaml.MappingNode:
		pairs := w.d.pairs(n)
		w.object(len(pairs), func(i int) string { return pairs[i].name }, func(i int) { w.value(pairs[i].value, depth+1) })
	case n.Kind == yaml.SequenceNode:
		w.list(n.Content, func(e *yaml.Node) { w.value(e, depth+1) })
	default:
		w.scalar(n)
	}
}

func (w *writer) object(n int, name func(int) string, value func(int)) {
	w.out.WriteByte('{')
	for i := range n {
		if i > 0 {
			w.out.WriteByte(',')
		}
		w.out.Write(encode(name(i)))
		w.out.WriteByte(':')
		value(i)
	}
	w.out.WriteByte('}')
}

func (w *writer) list(list []*yaml.Node, value func(*yaml.Node)) {
	w.out.WriteByte('[')
	for i, e := range list {
		if i > 0 {
			w.out.WriteByte(',')
		}
		value(e)
	}
	w.out.WriteByte(']')
}

// scalar writes a scalar. Long texts are most of a document: one that needs no escapes is written as it stands.
func (w *writer) scalar(n *yaml.Node) {
	switch n.Tag {
	case "!!null", "!!bool", "!!int", "!!float":
		w.out.WriteString(scalar(n))
		return
	}
	if !bare(n.Value) {
		w.out.WriteString(scalar(n))
		return
	}
	w.out.Grow(len(n.Value) + 2)
	w.out.WriteByte('"')
	w.out.WriteString(n.Value)
	w.out.WriteByte('"')
}

// bare reports a text that is itself within the quotes of JSON.
func bare(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// scalar is a scalar as JSON. YAML's own spellings of numbers (0x1F, 1_000, .5) become JSON's.
func scalar(n *yaml.Node) string {
	switch n.Tag {
	case "!!null":
		return "null"
	case "!!bool":
		return strings.ToLower(n.Value)
	case "!!int", "!!float":
		if json.Valid([]byte(n.Value)) {
			return n.Value
		}
		if i, ok := new(big.Int).SetString(strings.TrimPrefix(n.Value, "+"), 0); ok && n.Tag == "!!int" {
			return i.String()
		}
		if f, err := strconv.ParseFloat(strings.ReplaceAll(n.Value, "_", ""), 64); err == nil {
			if raw, err := json.Marshal(f); err == nil {
				return string(raw)
			}
		}
	}
	return string(encode(strings.ToValidUTF8(n.Value, "\uFFFD")))
}
