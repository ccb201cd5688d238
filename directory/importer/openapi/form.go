package openapi

// This file carries forms: a pair for each property where the template can write it, else the object's
// members as they come.

import (
	"slices"
	"strings"

	"github.com/pb33f/go-yaml"
)

// fields are what a form's schema says of its object.
type fields struct {
	properties []pair
	required   []string
	described  bool // it lists properties, though they may be none
	composed   bool // one of several, or with conditions that single arguments cannot say
	open       bool // more than it names is meant to be in it
	scalar     bool // no property is a list or an object
	object     bool // it is an object at all
	seen       map[*yaml.Node]bool
}

// form writes each property as pairs, or the object's members as pairs where its shape matters and all
// of them are scalars. It says what can't be written, "" for nothing.
func (b *requestBody) form() string {
	if properties, ok := b.properties(); ok {
		return b.pairs(properties, b.needs())
	}
	f := &fields{scalar: true, object: true, seen: map[*yaml.Node]bool{}}
	if b.schema == nil {
		b.schema = typeSchema("object")
	}
	b.gather(f, b.schema, 0)
	f.hide(b.o.d)
	switch {
	case !f.object:
		return "form bodies that are no object"
	case f.described && len(f.properties) == 0 && !f.composed && !f.open && !b.required:
		return "" // it never holds anything
	case f.scalar && len(f.properties)+len(b.o.arguments) < maxArguments:
		if f.open || len(f.properties) == 0 {
			b.o.d.findings.note(b.o.key, b.node.Line, "open_form", "a form takes fields that the document does not name; a list or object among them is sent as its JSON text", "")
		}
		b.o.content = "form:body={" + b.one("") + "*}"
		return ""
	case !f.composed && len(f.properties) == 0:
		return "form bodies of lists or objects by any name"
	case f.composed || len(f.properties)+len(b.o.arguments) > maxArguments:
		return "form bodies of several shapes with lists or objects in them"
	}
	if f.open {
		b.o.d.findings.lose(b.o.key, b.node.Line, "form fields that the document does not name", "")
	}
	if !b.required && len(f.required) > 0 {
		b.o.d.findings.note(b.o.key, b.node.Line, "optional_body", "a form may be left out as a whole; its row wants what the form requires", "")
	}
	return b.pairs(f.properties, f.required)
}

// gather follows a schema through what it is made of.
func (b *requestBody) gather(f *fields, n *yaml.Node, depth int) {
	d := b.o.d
	object, err := d.resolve(n)
	types := d.types(object)
	if f.seen[object] {
		return
	}
	f.seen[object] = true
	if err != nil || depth > maxDepth || len(f.properties) > maxGathered || len(types) > 0 && !slices.Equal(types, []string{"object"}) {
		f.object, f.scalar = false, false
		return
	}
	listed := d.get(object, "properties")
	f.described = f.described || listed != nil
	for _, p := range d.pairs(listed) {
		if !slices.ContainsFunc(f.properties, func(have pair) bool { return have.name == p.name }) {
			f.properties = append(f.properties, p)
		}
		f.scalar = f.scalar && d.isScalar(p.value)
	}
	for _, r := range items(d.get(object, "required")) {
		f.required = append(f.required, d.text(r))
	}
	for _, p := range d.pairs(object) {
		switch p.name {
		case "allOf", "anyOf", "oneOf":
			f.composed = f.composed || p.name != "allOf"
			for _, part := range items(p.value) {
				b.gather(f, part, depth+1)
			}
		case "not", "if", "patternProperties", "propertyNames", "dependentRequired", "dependentSchemas", "discriminator", "$defs":
			f.composed, f.scalar = true, false
		case "additionalProperties":
			if isMapping(p.value) || d.isTrue(p.value) {
				f.open = true
				f.scalar = f.scalar && (len(d.types(p.value)) == 0 || d.isScalar(p.value))
			}
		}
	}
}

// hide takes out what is only received.
func (f *fields) hide(d *document) {
	hidden := func(p pair) bool { return d.flagged(p.value, sent) }
	for _, p := range f.properties {
		if hidden(p) {
			f.required = slices.DeleteFunc(f.required, func(r string) bool { return r == p.name })
		}
	}
	f.properties = slices.DeleteFunc(f.properties, hidden)
}

// pairs writes a pair for each property that the template can write. One that it can't is lost; a
// required one, or all of them, is the whole form.
func (b *requestBody) pairs(properties []pair, required []string) string {
	var modes []string
	lost := map[string]string{}
	for _, property := range properties {
		p := &parameter{node: b.o.d.get(b.o.d.get(b.media, "encoding"), property.name), in: "query", schema: property.value, scalar: b.o.d.isScalar(property.value)}
		p.style, p.explode = b.o.style(p)
		mode, what := b.o.pairMode(p)
		modes = append(modes, mode)
		if what == "" {
			continue
		}
		if lost[property.name] = what; slices.Contains(required, property.name) || len(lost) == len(properties) {
			return what
		}
	}
	var pairs []string
	for i, property := range properties {
		if what := lost[property.name]; what != "" {
			b.o.d.findings.lose(b.o.key, property.line, what, "")
			continue
		}
		pairs = append(pairs, wire(property.name)+"={"+b.argument(property, required)+modes[i]+"}")
	}
	b.o.content = "form:" + strings.Join(pairs, "&")
	return ""
}
