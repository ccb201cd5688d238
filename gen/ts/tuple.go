package ts

// This file writes tuples. TypeScript resolves an array or tuple inside an optional or rest position
// at once, where elsewhere it waits; in a type that leads back to itself that is an error.

import (
	"fmt"
	"slices"
	"strings"

	"codemode/gen/schema"
)

func (p printer) tuple(t *schema.Type, indent int) string {
	parts := make([]string, 0, len(t.Prefix)+1)
	for i, e := range t.Prefix {
		switch {
		case i < t.Min:
			parts = append(parts, p.text(e, indent))
		case p.eager(e):
			parts = append(parts, fmt.Sprintf("_%d?: %s", i, p.text(e, indent))) // a name makes it wait
		default:
			parts = append(parts, p.grouped(e, indent)+"?")
		}
	}
	switch {
	case t.Elem == nil:
	case p.eager(t.Elem):
		parts = append(parts, "...unknown[]") // nothing makes it wait
	default:
		parts = append(parts, "..."+p.grouped(t.Elem, indent)+"[]")
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// eager reports whether a type would be resolved too early in an optional or rest position: it holds
// an array or tuple, and leads back to the named type being written.
func (p printer) eager(t *schema.Type) bool {
	return p.self != nil && holdsArray(t) && leadsTo(t, p.self, map[*schema.Named]bool{})
}

func holdsArray(t *schema.Type) bool {
	switch t.Kind {
	case schema.Array, schema.Tuple:
		return true
	case schema.Union, schema.Intersection:
		return slices.ContainsFunc(t.Members, holdsArray)
	}
	return false
}

// leadsTo reports whether a type refers to a named one, other than from inside an object, whose
// properties always wait.
func leadsTo(t *schema.Type, n *schema.Named, seen map[*schema.Named]bool) bool {
	to := func(sub *schema.Type) bool { return leadsTo(sub, n, seen) }
	switch t.Kind {
	case schema.Reference:
		if t.Ref == n || seen[t.Ref] {
			return t.Ref == n
		}
		seen[t.Ref] = true
		return to(t.Ref.Type)
	case schema.Array:
		return to(t.Elem)
	case schema.Tuple:
		return slices.ContainsFunc(t.Prefix, to) || t.Elem != nil && to(t.Elem)
	case schema.Union, schema.Intersection:
		return slices.ContainsFunc(t.Members, to)
	}
	return false
}
