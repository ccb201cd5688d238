package golang

// This file writes what may be one of several types.

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"codemode/gen/schema"
)

// union is one of several types: with null a place that may be null, of strings an enum, of types that
// are one in Go that one, else anything.
func (w *walker) union(t *schema.Type, at place, n *schema.Named) *typ {
	members := slices.DeleteFunc(slices.Clone(t.Members), func(m *schema.Type) bool { return m.Kind == schema.Null })
	hasNull := len(members) < len(t.Members)
	if n != nil && hasNull {
		w.nulls[n] = true
	}
	var out *typ
	switch len(members) {
	case 0:
	case 1:
		out = w.typ(members[0], at, n)
	default:
		if out = w.enum(members, at, t, n); out == nil {
			out = w.shared(members)
		}
		if out != nil {
			out = w.keep(n, out)
		}
	}
	if out == nil {
		return w.several(t, "One of", at, n)
	}
	if hasNull {
		return out.orNull()
	}
	return out
}

// shared is the one Go type that all of several types are, nil when there is none.
func (w *walker) shared(types []*schema.Type) *typ {
	var out *typ
	for _, t := range types {
		var next *typ
		switch t.Kind {
		case schema.Boolean, schema.Number, schema.String:
			next = w.typ(t, place{}, nil)
		case schema.Integer:
			next = integer(t)
		case schema.Literal:
			next = literal(t)
		default:
			return nil
		}
		if out = meet(out, next); out == nil {
			return nil
		}
	}
	return out
}

// meet is the type that holds the values of both exactly: a safe integer is a float64 too.
func meet(a, b *typ) *typ {
	switch {
	case a == nil:
		return b
	case a.form == b.form && a.name == b.name:
		return &typ{form: a.form, name: a.name, wide: a.wide || b.wide}
	case a.isNumber() && b.isNumber():
		return &typ{form: basic, name: "float64"}
	}
	return nil
}

// isNumber reports whether a float64 holds every value.
func (t *typ) isNumber() bool {
	return t.form == basic && (t.name == "float64" || t.name == "int64" && !t.wide)
}

// maxValues caps the constants of an enum; a longer one is a plain string.
const maxValues = 60

func (w *walker) enum(members []*schema.Type, at place, t *schema.Type, n *schema.Named) *typ {
	var values []string
	for _, m := range members {
		var s string
		if m.Kind != schema.Literal || json.Unmarshal(m.Value, &s) != nil {
			return nil
		}
		values = append(values, s)
	}
	if len(values) > maxValues {
		return nil
	}
	d := w.declare(at, t, n)
	for _, v := range slices.Compact(slices.Sorted(slices.Values(values))) {
		in := at.below("value", v)
		d.values = append(d.values, &decl{want: in.goName, path: in.path, value: v})
	}
	return &typ{form: declared, decl: d}
}

// several is a value of several types. The objects among them are declared, for handler.Decode.
func (w *walker) several(t *schema.Type, how string, at place, n *schema.Named) *typ {
	out := w.keep(n, &typ{form: w.raw, note: how, options: make([]option, len(t.Members))})
	w.fill(out.options, t.Members, at)
	return out
}

// maxMembers caps how many members of a union are declared and told.
const maxMembers = 24

// fill makes the types of the options, in place: a type that leads back here has them already.
func (w *walker) fill(options []option, members []*schema.Type, at place) {
	for i, m := range members {
		options[i].in = m
		if i < maxMembers {
			in := at.below("member", label(m, i))
			in.path += fmt.Sprint("\x00", i)
			options[i].typ = w.typ(m, in, nil)
		}
	}
}

// label names a member of a union: by what tells it from the others, else by its number.
func label(t *schema.Type, i int) string {
	for _, p := range follow(t).Properties {
		var s string
		if p.Required && p.Type.Kind == schema.Literal && json.Unmarshal(p.Type.Value, &s) == nil && len(words(s)) > 0 {
			return s
		}
	}
	return fmt.Sprint("option ", i+1)
}

// told lists options in a comment, those that can be written in Go as they are written there.
func told(note string, options []option) string {
	if len(options) == 0 {
		return note
	}
	var parts []string
	for i, o := range options {
		if i == maxMembers {
			parts = append(parts, fmt.Sprintf("%d more", len(options)-i))
			break
		}
		parts = append(parts, o.String())
	}
	return note + " " + strings.Join(parts, ", ") + "."
}

func (o option) String() string {
	switch o.in.Kind {
	case schema.Literal:
		return capped(string(o.in.Value), maxValue)
	case schema.Null, schema.Never, schema.Unknown:
		return string(o.in.Kind)
	}
	return o.typ.String()
}
