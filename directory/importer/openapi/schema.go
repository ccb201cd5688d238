package openapi

// This file writes schemas as they stand, with references to components turned to the $defs of the row.

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/pb33f/go-yaml"

	"codemode/directory/contract"
)

// direction says which way values go: out with arguments, in with results.
type direction string

const (
	sent     direction = "readOnly"  // a property with this flag is not sent
	received direction = "writeOnly" // and one with this does not come back
)

type schemaKey struct {
	pointer string
	way     direction
}

// converted is a schema as JSON and the components that it refers to, in order of appearance.
type converted struct {
	text json.RawMessage
	refs []*component
	err  error
}

// component is a schema that references point to. It is converted when a walk comes by.
type component struct {
	*converted
	pointer string // into the document
	name    string // among the $defs
	walk    int    // the last that came by
	// large says that this and what it reaches are more than a row holds.
	large bool
}

// Keywords by what stands behind them.
var (
	dataKeywords = []string{"example", "examples", "default", "enum", "const", "required", "discriminator", "xml", "externalDocs"}
	mapKeywords  = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
)

// convert writes a schema. A reference that leads nowhere becomes a schema that says nothing.
func (d *document) convert(n *yaml.Node, way direction) *converted {
	w := &schemaWriter{writer: writer{d: d}, way: way, known: map[*component]bool{}}
	w.schema(n, 0)
	text, err := w.done()
	return &converted{text: text, refs: w.refs, err: err}
}

// component is what a reference points to.
func (d *document) component(pointer string, way direction) *component {
	key := schemaKey{pointer, way}
	c, ok := d.schemas[key]
	if !ok {
		c = &component{pointer: pointer, name: defName(pointer)}
		d.schemas[key] = c
	}
	return c
}

// fill converts a component, once.
func (d *document) fill(c *component, way direction) {
	if c.converted != nil {
		return
	}
	n, err := d.pointer(c.pointer)
	if err != nil {
		c.converted = &converted{text: json.RawMessage("{}"), err: err}
		return
	}
	c.converted = d.convert(n, way)
}

// definitions are the $defs that converted schemas need: all they refer to, and what those refer to. nil
// where they refer to nothing.
func (d *document) definitions(way direction, from ...*converted) (json.RawMessage, error) {
	var queue []*component
	for _, c := range from {
		queue = append(queue, c.refs...)
	}
	found, err := d.reached(way, queue)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	named := make(map[string]json.RawMessage, len(found))
	for _, c := range found {
		named[c.name] = c.text
	}
	return encode(named), nil // sorted by name
}

// reached walks from components to all that they reach. Components often reach each other all the way
// round, so that every operation reaches them all: a walk ends where a row is full, and at once at a
// component that is known to reach more than a row holds.
func (d *document) reached(way direction, from []*component) ([]*component, error) {
	d.walks++
	queue, found, size := slices.Clone(from), []*component(nil), 0
	for ; len(queue) > 0; queue = queue[1:] {
		c := queue[0]
		if c.walk == d.walks {
			continue
		}
		c.walk = d.walks
		d.fill(c, way)
		if c.err != nil {
			return nil, c.err
		}
		found = append(found, c)
		d.spend(visitCost)
		size += len(c.name) + len(c.text)
		if d.work > maxWork {
			return nil, errWork
		}
		if size > d.opts.MaxRowBytes || c.large {
			if len(from) == 1 {
				from[0].large = true
			}
			return nil, errTooLarge
		}
		queue = append(queue, c.refs...)
	}
	return found, nil
}

type schemaWriter struct {
	writer
	way     direction
	refs    []*component
	known   map[*component]bool // refs
	around  []string            // what the schema around this part hides
	inPlace []string            // references that are being written in place
}

func (w *schemaWriter) schema(n *yaml.Node, depth int) {
	n = plain(n)
	if !w.enter(depth) {
		return
	}
	switch {
	case n == nil:
		w.out.WriteString("{}")
	case n.Kind == yaml.MappingNode:
		w.mapping(n, depth)
	case n.Kind == yaml.SequenceNode: // allOf, prefixItems, type, a list of old dependencies
		w.list(n.Content, func(e *yaml.Node) { w.schema(e, depth+1) })
	default:
		w.scalar(n)
	}
}

func (w *schemaWriter) mapping(n *yaml.Node, depth int) {
	pairs := slices.DeleteFunc(w.d.pairs(n), func(p pair) bool { return strings.HasPrefix(p.name, "x-") })
	around := w.around
	hidden := slices.Concat(w.d.hidden(n, w.way), around)
	w.around = nil
	defer func() { w.around = around }()
	w.object(len(pairs), func(i int) string { return pairs[i].name }, func(i int) {
		p := pairs[i]
		switch {
		case p.name == "$ref" && p.value.Kind == yaml.ScalarNode:
			w.ref(p.value.Value, p.line)
		case p.name == "required" && len(hidden) > 0:
			kept := slices.DeleteFunc(slices.Clone(items(p.value)), func(e *yaml.Node) bool { return slices.Contains(hidden, w.d.text(e)) })
			w.list(kept, func(e *yaml.Node) { w.value(e, depth+2) })
		case slices.Contains(dataKeywords, p.name):
			w.value(p.value, depth+1)
		case slices.Contains(mapKeywords, p.name) && isMapping(p.value):
			w.properties(p.value, hidden, depth+1)
		case (p.name == "allOf" || p.name == "anyOf" || p.name == "oneOf") && len(hidden) > 0:
			w.list(items(p.value), func(e *yaml.Node) { w.part(e, hidden, depth+2) })
		default:
			w.schema(p.value, depth+1)
		}
	})
}

// part writes one part of a schema where the whole hides some properties. A component that asks for one
// of them all the same is written in place, without it: under its own name it stays as it is elsewhere.
func (w *schemaWriter) part(n *yaml.Node, hidden []string, depth int) {
	ref := w.d.reference(n)
	target, err := w.d.resolve(n)
	if err == nil && ref != "" && !slices.Contains(w.inPlace, ref) && w.d.asksFor(target, hidden, w.way) {
		w.inPlace = append(w.inPlace, ref)
		defer func() { w.inPlace = w.inPlace[:len(w.inPlace)-1] }()
		n = target
	}
	w.around = hidden
	w.schema(n, depth)
	w.around = nil
}

func (w *schemaWriter) properties(n *yaml.Node, hidden []string, depth int) {
	pairs := slices.DeleteFunc(w.d.pairs(n), func(p pair) bool { return slices.Contains(hidden, p.name) })
	w.object(len(pairs), func(i int) string { return pairs[i].name }, func(i int) { w.schema(pairs[i].value, depth+1) })
}

// ref writes a reference to the row's own $defs. One that leads nowhere points at a definition that says nothing.
func (w *schemaWriter) ref(pointer string, line int) {
	if _, err := w.d.pointer(pointer); err != nil {
		what, hint := "a schema's reference that leads nowhere", "correct it in the document"
		if strings.Contains(err.Error(), errExternal.Error()) {
			what, hint = "a schema in another file", "bundle the document into one"
		}
		w.d.findings.lose("", line, what, hint)
		w.d.pointers[pointer] = nil // told once
	}
	c := w.d.component(pointer, w.way)
	if !w.known[c] {
		w.known[c] = true
		w.refs = append(w.refs, c)
	}
	w.out.Write(encode("#/$defs/" + contract.EscapeToken(c.name)))
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

// defName is the name of a component among $defs; any other place of the document is named by itself and a
// digest, so that two are never one.
func defName(pointer string) string {
	if name, ok := strings.CutPrefix(pointer, "#/components/schemas/"); ok && plainName.MatchString(name) {
		return name
	}
	_, hex, _ := strings.Cut(contract.Digest([]byte(pointer)), ":")
	name := slug(pointer)
	return name[max(0, len(name)-60):] + "-" + hex[:12]
}

// with adds a member to a schema that lacks it.
func with(schema json.RawMessage, name string, value json.RawMessage) json.RawMessage {
	switch string(schema) {
	case "true", "", "null":
		schema = json.RawMessage("{}")
	}
	var have map[string]json.RawMessage
	if json.Unmarshal(schema, &have) != nil || have[name] != nil {
		return schema
	}
	out := slices.Clone(schema[:len(schema)-1])
	if len(have) > 0 {
		out = append(out, ',')
	}
	out = append(append(append(out, encode(name)...), ':'), value...)
	return append(out, '}')
}

// types are the JSON types that a schema takes, as far as it says so itself; none means any.
func (d *document) types(n *yaml.Node) []string {
	target, err := d.resolve(n)
	if err != nil || target == nil {
		return nil
	}
	t := d.get(target, "type")
	var out []string
	for _, e := range append([]*yaml.Node{t}, items(t)...) {
		if word := d.text(e); word != "" && word != "null" {
			out = append(out, word)
		}
	}
	switch {
	case len(out) > 0:
	case d.get(target, "properties") != nil:
		out = []string{"object"}
	case d.get(target, "items") != nil:
		out = []string{"array"}
	case len(items(d.get(target, "enum"))) > 0:
		out = []string{"string"}
	}
	return out
}

// isScalar reports a schema whose values are neither lists nor objects.
func (d *document) isScalar(n *yaml.Node) bool {
	types := d.types(n)
	return len(types) > 0 && !slices.Contains(types, "array") && !slices.Contains(types, "object")
}
