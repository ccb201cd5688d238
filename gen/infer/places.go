package infer

// This file carries what one operation of a target_map documents of a place in the URL to the
// others: "/tickets/$1" is one and the same in all of them.

import (
	"slices"
	"strings"

	"codemode/directory/contract"
	"codemode/directory/template"
)

// places are the documented parameters by the URL that stands before their slot.
type places map[string]segment

type segment struct {
	name   string  // "" when operations disagree
	schema *object // nil when none says a type, or they disagree
	torn   bool    // they disagree about the type
}

// learn notes what an operation's documentation or schema says of the places in its URL.
func (p places) learn(b *builder, root *object) {
	for _, i := range b.shape.indexes() {
		at := b.placeOf(b.shape.slots[i])
		if at == "" || i > len(b.positional) || b.positional[i-1] == "" {
			continue
		}
		field := fieldOf(b.positional[i-1])
		if from := b.prov[field]; from != contract.FromArgs && from != contract.FromSchema {
			continue
		}
		schema, _ := root.object("properties").value(b.positional[i-1]).(*object)
		switch b.prov[field+"/type"] {
		case contract.FromArgs, contract.FromSchema, contract.FromProse:
			p.note(at, b.positional[i-1], schema)
		default:
			p.note(at, b.positional[i-1], nil)
		}
	}
}

// hasPlaces reports whether there is anything to learn of.
func (b *builder) hasPlaces() bool {
	return slices.ContainsFunc(b.shape.indexes(), func(i int) bool { return b.placeOf(b.shape.slots[i]) != "" })
}

func (p places) note(at, name string, schema *object) {
	if schema != nil {
		for _, k := range []string{"description", "default", "examples"} { // of that operation alone
			schema.del(k)
		}
	}
	have, ok := p[at]
	switch {
	case !ok:
		have = segment{name: name, schema: schema}
	case have.name != name:
		have.name = ""
	case have.schema == nil && !have.torn:
		have.schema = schema
	case schema != nil && !same(have.schema, schema):
		have.schema, have.torn = nil, true
	}
	p[at] = have
}

// placeOf is the URL before an argument that fills a whole segment of the path, "" for any other.
func (b *builder) placeOf(f *filled) string {
	if f.named || !f.anySlot(func(s template.Slot) bool { return s.Context == template.URLPath && s.Whole && s.Form == template.Arg }) {
		return ""
	}
	_, url, ok := strings.Cut(b.row.Target, " ")
	if !ok {
		url = b.row.Target
	}
	slot := "/$" + itoa(f.index)
	for from := 0; ; {
		at := strings.Index(url[from:], slot)
		if at < 0 {
			return ""
		}
		end := from + at + len(slot)
		if end == len(url) || strings.ContainsRune("/?#", rune(url[end])) {
			return url[:from+at+1]
		}
		from = end
	}
}

// namePlace gives a slot of the path the name and type that the row's other operations document.
func (b *builder) namePlace(p *param, f *filled) {
	known := b.known[b.placeOf(f)]
	if known.name == "" {
		return
	}
	p.name, p.from = known.name, contract.FromTemplate
	p.doc = source{"target_map", "the row's other operations document it at " + b.placeOf(f)}
	if known.schema.len() == 0 {
		return
	}
	if carried := f.carries(known.schema); carried != nil {
		p.schema, p.typeFrom = carried.clone(), contract.FromArgs
	}
}
