package openapi

// This file finds the properties that go one way only: readOnly ones are not sent, writeOnly ones do not
// come back. A schema hides what the parts of its allOf hide: the flag of one part is the property's.

import (
	"slices"

	"github.com/pb33f/go-yaml"
)

// maxGathered caps the names that are gathered of one schema; one with more is written as it stands.
const maxGathered = 1000

// gathered are names found in a schema and the parts of its allOf.
type gathered struct {
	node *yaml.Node
	what string // a direction, or "required"
}

// hidden are the properties that do not go a way.
func (d *document) hidden(n *yaml.Node, way direction) []string {
	return d.gathered(n, string(way), 0, func(n *yaml.Node) []string {
		var out []string
		for _, p := range d.pairs(d.get(n, "properties")) {
			if d.flagged(p.value, way) {
				out = append(out, p.name)
			}
		}
		return out
	})
}

// asksFor reports whether a schema requires one of some properties that it does not hide itself.
func (d *document) asksFor(n *yaml.Node, some []string, way direction) bool {
	own := d.hidden(n, way)
	wanted := d.gathered(n, "required", 0, func(n *yaml.Node) []string {
		var out []string
		for _, r := range items(d.get(n, "required")) {
			out = append(out, d.text(r))
		}
		return out
	})
	return slices.ContainsFunc(wanted, func(r string) bool { return slices.Contains(some, r) && !slices.Contains(own, r) })
}

// gathered looks at a schema and the parts of its allOf, each schema of the document once. One that is
// part of itself adds nothing to itself.
func (d *document) gathered(n *yaml.Node, what string, depth int, own func(*yaml.Node) []string) []string {
	key := gathered{n, what}
	if have, ok := d.names[key]; ok || n == nil {
		return have
	}
	d.names[key] = nil
	set, out := map[string]bool{}, []string{}
	add := func(names []string) {
		for _, name := range names {
			if !set[name] && len(out) < maxGathered {
				set[name] = true
				out = append(out, name)
			}
		}
	}
	add(own(n))
	for _, part := range items(d.get(n, "allOf")) {
		if target, err := d.resolve(part); err == nil && depth < maxDepth {
			add(d.gathered(target, what, depth+1, own))
		}
	}
	d.names[key] = out
	return out
}

// flagged reports a property that does not go a way: it says so beside its reference, or in its schema.
func (d *document) flagged(n *yaml.Node, way direction) bool {
	if d.isTrue(d.get(n, string(way))) {
		return true
	}
	target, err := d.resolve(n)
	return err == nil && len(d.gathered(target, "is "+string(way), 0, func(n *yaml.Node) []string {
		if d.isTrue(d.get(n, string(way))) {
			return []string{string(way)}
		}
		return nil
	})) > 0
}
