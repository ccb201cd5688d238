package infer

// This file gathers what a row's template says of each argument: which exist, where they land, and
// the names that stand around them.

import (
	"maps"
	"slices"
	"strings"

	"codemode/directory"
	"codemode/directory/template"
)

// filled is one argument index of a template with all the places it fills.
type filled struct {
	index int
	slots []template.Slot
	named bool // the target names it: "{id}"
}

// shape is what a row's template says.
type shape struct {
	// bound says that arguments fill slots; false means that they travel as one object.
	bound bool
	// byDefault says that the template is the type's default, not the author's.
	byDefault bool
	// room says that arguments without a slot still travel: in the query of a GET, or as the JSON
	// body of a request that has none of its own.
	room      bool
	slots     map[int]*filled
	arity     int
	ascending []int    // the keys of slots
	method    string   // of http
	origin    string   // of http, "" when a slot stands in it
	argv      bool     // a command line
	words     []string // of a command line
}

// readTemplate parses the template of a row that is one operation. Rows of type mcp have none.
func readTemplate(row directory.Row) (shape, []template.Dollar, error) {
	s := shape{slots: map[int]*filled{}}
	src, ok := row.Source()
	if !ok || !row.Type.Known() {
		return s, nil, nil
	}
	t, err := template.Parse(src)
	if err != nil {
		return s, nil, err
	}
	empty := strings.TrimSpace(row.Template) == ""
	if s.argv = row.Type == directory.CLI; s.argv {
		s.words = strings.Fields(row.Template)
	}
	s.bound, s.byDefault = true, empty && slices.Contains([]directory.Type{directory.Fn, directory.Agent, directory.Dispatch}, row.Type)
	s.method, s.origin, s.arity = t.Method(), t.Origin(), t.Arity()
	s.room = row.Type == directory.HTTP && (empty || slices.Contains([]string{"GET", "HEAD", "DELETE"}, s.method))
	for _, slot := range t.Slots {
		if slot.Index > 0 {
			s.fill(slot, t.Params)
		}
	}
	s.ascending = slices.Sorted(maps.Keys(s.slots))
	return s, t.Dollars, nil
}

func (s shape) fill(slot template.Slot, names []string) {
	if slot.Index <= len(names) {
		slot.Hint = names[slot.Index-1]
	}
	if s.slots[slot.Index] == nil {
		s.slots[slot.Index] = &filled{index: slot.Index, named: slot.Index <= len(names)}
	}
	s.slots[slot.Index].slots = append(s.slots[slot.Index].slots, slot)
}

// indexes are the arguments that exist, ascending. They are the shape's: clone them to change them.
func (s shape) indexes() []int { return s.ascending }

// lone reports whether the template's only argument is one whole value: the argument object itself
// can stand there.
func (s shape) lone() bool {
	f := s.slots[1]
	return s.arity == 1 && f != nil && !f.named && !slices.ContainsFunc(f.slots, func(t template.Slot) bool {
		return !t.Whole || t.Context != template.JSONValue && t.Context != template.Body && t.Context != template.JSONString
	})
}

// hints are the names around the argument's slots, strongest place first.
func (f *filled) hints() []string { return append(f.strong(), f.weak()...) }

// strong are the names that the place itself has: a key of a query, form or body, an option.
func (f *filled) strong() []string {
	var out []string
	for _, s := range f.slots {
		hint := identifier(strings.TrimLeft(s.Hint, "-"))
		switch {
		case f.named:
			return []string{s.Hint}
		case hint == "" || s.Context == template.URLPath || s.Context == template.URLHost:
		case s.Context == template.Argv && !isOptionName(strings.TrimLeft(s.Hint, "-")):
		default:
			out = append(out, hint)
		}
	}
	return out
}

// weak are the segments of a URL that stand before the slots, for one of what they list.
func (f *filled) weak() []string {
	var out []string
	for _, s := range f.slots {
		if hint := identifier(s.Hint); !f.named && hint != "" && (s.Context == template.URLPath || s.Context == template.URLHost) {
			out = append(out, singular(hint))
		}
	}
	return out
}

// isOptionName reports whether an option names its value. A letter ("-i $1") or a bundle of letters
// ("-xzOf $1", "-vn $1") is no name that a reader would give an argument.
func isOptionName(option string) bool {
	return len(option) > 2 && strings.ToLower(option) == option
}

// flag is the option that stands before or around the slot on a command line, without dashes.
func (f *filled) flag() string {
	for _, s := range f.slots {
		if s.Context == template.Argv && s.Hint != "" {
			return strings.TrimLeft(s.Hint, "-")
		}
	}
	return ""
}

// partOfValue reports whether the argument is only a part of what an option names: the host of "--connect $1:443".
func (f *filled) partOfValue() bool {
	return f.anySlot(func(s template.Slot) bool {
		return s.Context == template.Argv && !s.Whole && !strings.HasSuffix(s.Before, "=")
	})
}

// anySlot reports whether one of the argument's slots is as asked.
func (f *filled) anySlot(is func(template.Slot) bool) bool { return slices.ContainsFunc(f.slots, is) }

// mustFill reports whether the template cannot be rendered without the argument.
func (f *filled) mustFill() bool {
	return f.anySlot(func(s template.Slot) bool { return s.Context == template.URLPath || s.Context == template.URLHost })
}

// bare reports whether every slot of the argument is a bare JSON value, where any JSON can stand.
func (f *filled) bare() bool {
	return !f.anySlot(func(s template.Slot) bool { return s.Context != template.JSONValue })
}

// wholeBody reports whether the argument is the body itself, which carries any JSON.
func (f *filled) wholeBody() bool {
	return !f.anySlot(func(s template.Slot) bool { return s.Context != template.Body || !s.Whole || s.Form == template.Tail })
}

func (f *filled) raw() bool {
	return f.anySlot(func(s template.Slot) bool { return s.Form == template.Raw })
}

// slotSchema is what the template alone says of the argument's type. An unquoted slot of JSON carries any
// JSON, so it says nothing; one that is text elsewhere carries what text can; every other is a string.
func (f *filled) slotSchema() *object {
	bareValue := func(s template.Slot) bool { return s.Context == template.JSONValue }
	switch {
	case f.bare():
		return obj()
	case f.anySlot(bareValue):
		return obj("type", []any{"string", "number", "boolean"})
	}
	return obj("type", "string")
}

// carries narrows a documented schema to what the argument's slots can carry; nil means that none
// of it can stand there. Text places carry strings, numbers and booleans.
func (f *filled) carries(schema *object) *object {
	if f.bare() || f.wholeBody() {
		return schema
	}
	if list, ok := schema.value("enum").([]any); ok && !slices.ContainsFunc(list, func(v any) bool { return !scalar(jsonTypes(v)[0]) }) {
		return schema
	}
	types := typesOf(schema)
	kept := slices.DeleteFunc(slices.Clone(types), func(t string) bool { return !scalar(t) && t != "null" })
	if !slices.ContainsFunc(kept, scalar) {
		return nil
	}
	if len(kept) < len(types) {
		out := obj()
		setTypes(out, kept)
		return out
	}
	return schema
}

func scalar(t string) bool {
	return slices.Contains([]string{"string", "number", "integer", "boolean"}, t)
}

// related reports whether two names may be one: equal but for case and separators, or one an
// abbreviation of the other ("q" of query, "lat" of latitude, "msg" of message).
func related(a, b string) bool {
	a, b = squash(a), squash(b)
	if len(a) > len(b) {
		a, b = b, a
	}
	if a == "" || a[0] != b[0] {
		return a != "" && len(a) > 2 && strings.Contains(b, a)
	}
	rest := b
	for i := range len(a) {
		at := strings.IndexByte(rest, a[i])
		if at < 0 {
			return false
		}
		rest = rest[at+1:]
	}
	return true
}

// squash keeps letters and digits, in lower case.
func squash(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("_-.[] $", r) {
			return -1
		}
		return r
	}, strings.ToLower(s))
}
