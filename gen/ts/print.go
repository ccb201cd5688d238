package ts

// This file writes types. An object stands on one line while it is short and says nothing beside
// its types; else a line for each property.

import (
	"strings"

	"codemode/gen/schema"
)

// maxLine is the width in bytes up to which an object stays on one line.
const maxLine = 90

type printer struct {
	names map[*schema.Named]string
	scope string         // before the names, "" or with its final dot
	order map[string]int // of the outermost object's properties; applies once
	self  *schema.Named  // the named type that is being written, nil outside of one or inside an object
}

// text writes a type whose first line starts somewhere and whose further lines stand at indent.
func (p printer) text(t *schema.Type, indent int) string {
	switch t.Kind {
	case schema.Unknown, schema.Never, schema.Null, schema.Boolean, schema.Number, schema.String:
		return string(t.Kind)
	case schema.Integer:
		if t.Wide {
			return "bigint"
		}
		return "number"
	case schema.Literal:
		return literal(t)
	case schema.Array:
		return p.inner().grouped(t.Elem, indent) + "[]"
	case schema.Tuple:
		return p.inner().tuple(t, indent)
	case schema.Object:
		return p.object(t, indent)
	case schema.Union:
		return p.members(t, " | ", indent)
	case schema.Intersection:
		return p.members(t, " & ", indent)
	case schema.Reference:
		return p.scope + p.names[t.Ref]
	}
	return "unknown"
}

func (p printer) inner() printer {
	p.order = nil
	return p
}

func literal(t *schema.Type) string {
	v := string(t.Value)
	switch {
	case v[0] == '"':
		return requote(t.Value)
	case t.Wide:
		return v + "n"
	}
	return v
}

// grouped puts what would bind less tightly than its surroundings in parentheses.
func (p printer) grouped(t *schema.Type, indent int) string {
	s := p.text(t, indent)
	if t.Kind == schema.Union || t.Kind == schema.Intersection {
		return "(" + s + ")"
	}
	return s
}

func (p printer) members(t *schema.Type, sep string, indent int) string {
	parts := make([]string, len(t.Members))
	for i, m := range t.Members {
		if t.Kind == schema.Union {
			parts[i] = p.text(m, indent) // & binds tighter than |
		} else {
			parts[i] = p.grouped(m, indent)
		}
	}
	return strings.Join(parts, sep)
}

func (p printer) object(t *schema.Type, indent int) string {
	members := printer{names: p.names, scope: p.scope}
	indexes := members.indexes(t, indent)
	if len(t.Properties) == 0 {
		switch {
		case len(indexes) > 0:
			return "{ " + strings.Join(indexes, "; ") + " }"
		case t.Closed:
			return "Record<string, never>"
		}
		return "{ [key: string]: unknown }"
	}
	props := p.ordered(t.Properties)
	lines, docs := make([]string, len(props), len(props)+len(indexes)), make([][]string, len(props))
	documented := false
	for i, prop := range props {
		docs[i] = typeDoc(prop.Type, prop.Name)
		documented = documented || len(docs[i]) > 0
		lines[i] = propertyName(prop.Name) + mark(prop) + ": " + members.property(prop, indent+1)
	}
	lines = append(lines, indexes...)
	if !documented && fitsLine(lines) {
		return "{ " + strings.Join(lines, "; ") + " }"
	}
	w := writer{indent: indent + 1}
	w.WriteString("{\n")
	for i, line := range lines {
		if i < len(docs) {
			w.comment(docs[i])
		}
		w.line(line, ";")
	}
	w.WriteString(strings.Repeat("  ", indent) + "}")
	return w.String()
}

// property writes a property's type. Without a value of its own, a key such as "constructor" or
// "toString" still reads as what every object inherits; unless the type allows that, TypeScript
// refuses any object that leaves the key out.
func (p printer) property(prop schema.Property, indent int) string {
	if prop.Required || !inherited[prop.Name] {
		return p.text(prop.Type, indent)
	}
	return p.text(prop.Type, indent) + " | Object[" + quote(prop.Name) + "]"
}

var inherited = set("constructor toString toLocaleString valueOf hasOwnProperty isPrototypeOf propertyIsEnumerable")

func mark(p schema.Property) string {
	if p.Required {
		return ""
	}
	return "?"
}

// fitsLine reports whether an object's members are short enough to stand on one line.
func fitsLine(members []string) bool {
	n := len("{  }")
	for i, m := range members {
		if i > 0 {
			n += len("; ")
		}
		if n += len(m); n > maxLine || strings.Contains(m, "\n") {
			return false
		}
	}
	return true
}

// ordered puts properties in the order that calls name them, then the required, then by name.
func (p printer) ordered(props []schema.Property) []schema.Property {
	if p.order == nil {
		return props
	}
	return schema.InOrder(props, p.order)
}
