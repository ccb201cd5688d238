package diff

// This file finds the places in which two schemas differ. What class the whole is of is proven on the
// whole; places only say where.

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

const (
	maxPlaces   = 40 // of one schema
	maxPlaceDip = 12 // levels that places lie below the root
)

// schemaParts compares two documents. Of a result every difference breaks scripts, and none widens.
func schemaParts(field string, old, now json.RawMessage, result bool) []Part {
	a, b := newDocument(old), newDocument(now)
	if a == nil || b == nil {
		return []Part{{Field: field, Class: schemaClass(Changed, result), Breaks: true}}
	}
	relation := relate(a.form(""), b.form(""))
	if relation == Same {
		return nil
	}
	l := &places{result: result, open: map[[2]*form]bool{}}
	l.walk(field, a.form(""), b.form(""), 0)
	l.cover(field, relation, a.form(""), b.form(""))
	return l.parts
}

func schemaClass(r Relation, result bool) Class {
	switch {
	case result:
		return ClassResult
	case r == Narrowed:
		return ClassNarrowed
	case r == Widened:
		return ClassWidened
	}
	return ClassChanged
}

type places struct {
	result bool
	parts  []Part
	open   map[[2]*form]bool
	cut    bool
}

// cover makes the parts say together what the whole is: no part widens what is narrowed as a whole,
// and a whole that is more than narrowed has a part that says so.
func (l *places) cover(field string, whole Relation, old, now *form) {
	if l.result {
		for i := range l.parts {
			l.parts[i].Breaks = true
		}
	} else if whole == Narrowed || whole == Widened {
		for i := range l.parts {
			l.parts[i].Class, l.parts[i].Breaks = schemaClass(whole, false), whole == Narrowed
		}
	}
	wanted := func(p Part) bool { return l.result || whole == Narrowed || p.Class.Widens() }
	if !slices.ContainsFunc(l.parts, wanted) || l.cut {
		l.parts = append(l.parts, Part{Field: field, Class: schemaClass(whole, l.result), Before: old.show(0), After: now.show(0), Breaks: l.result || whole != Widened})
	}
	if whole == Changed && !slices.ContainsFunc(l.parts, func(p Part) bool { return p.Breaks }) {
		for i := range l.parts {
			l.parts[i].Breaks = true // what cannot be shown to fit old scripts may break them
		}
	}
}

func (l *places) add(p Part) {
	if len(l.parts) >= maxPlaces {
		l.cut = true
		return
	}
	l.parts = append(l.parts, p)
}

// walk goes down where both are plain objects or lists, and notes what differs where it cannot.
func (l *places) walk(at string, old, now *form, depth int) {
	old, now = old.followed(), now.followed()
	if old == nil || now == nil {
		return
	}
	relation := relate(old, now)
	pair := [2]*form{old, now}
	if relation == Same || l.open[pair] {
		return
	}
	l.open[pair] = true
	defer delete(l.open, pair)
	before := len(l.parts)
	switch {
	case depth >= maxPlaceDip:
	case old.plain(object) && now.plain(object):
		l.keys(at, old, now, depth)
	case old.plain(array) && now.plain(array) && len(old.prefix)+len(now.prefix) == 0 && maps.Equal(old.sizes, now.sizes):
		l.walk(at+"[]", old.doc.formOr(old.items), now.doc.formOr(now.items), depth+1)
	}
	if len(l.parts) == before {
		l.leaf(at, relation, old.show(0), now.show(0))
	}
}

func (l *places) leaf(at string, r Relation, before, after string) {
	l.add(Part{Field: at, Class: schemaClass(r, l.result), Before: before, After: after, Breaks: l.result || r == Narrowed || r == Changed})
}

// keys compares two objects name by name.
func (l *places) keys(at string, old, now *form, depth int) {
	for _, name := range slices.Sorted(maps.Keys(merged(old.properties, now.properties))) {
		was, is := old.key(name), now.key(name)
		place := at + key(name)
		switch {
		case was.gone() && is.gone():
		case was.gone():
			// A widening, also where every call must now give it.
			l.add(Part{Field: place, Class: schemaClass(Widened, l.result), After: is.shown(now.required[name]), Breaks: l.result || now.required[name]})
		case is.gone():
			l.leaf(place, Narrowed, was.shown(old.required[name]), "")
		case old.required[name] != now.required[name]:
			r := relate(was, is)
			l.leaf(place, with(r, old.required[name]), was.shown(old.required[name]), is.shown(now.required[name]))
		default:
			l.walk(place, was, is, depth+1)
		}
	}
	if was, is := old.doc.formOr(old.additional), now.doc.formOr(now.additional); !was.gone() || !is.gone() {
		l.walk(at+"[key]", was, is, depth+1)
	}
}

// with joins how the types of a key stand to each other with its becoming optional (was required) or
// required.
func with(r Relation, wasRequired bool) Relation {
	want := Narrowed
	if wasRequired {
		want = Widened
	}
	if r == Same || r == want {
		return want
	}
	return Changed
}

// plain reports whether a form is of one kind and nothing else is combined with it.
func (f *form) plain(k kinds) bool {
	return !f.never && !f.opaque && f.kinds == k && !f.listed && len(f.words) == 0 && f.ref == "" && len(f.parts) == 0 && len(f.either) == 0 && len(f.one) == 0 &&
		len(f.patterns) == 0 && f.nameForm == ""
}

// followed is the form that a bare reference leads to.
func (f *form) followed() *form {
	for range 20 {
		if f == nil || f.ref == "" || f.kinds != anything || f.listed || len(f.words) > 0 || len(f.properties) > 0 || len(f.parts) > 0 || len(f.either) > 0 || len(f.one) > 0 {
			return f
		}
		f = f.target()
	}
	return f
}

// key is what a plain object allows under a name.
func (f *form) key(name string) *form {
	if at, ok := f.properties[name]; ok {
		return f.doc.form(at)
	}
	return f.doc.formOr(f.additional)
}

func (f *form) gone() bool { return f == nil || f.never }

// shown is the type of a key with its mark.
func (f *form) shown(required bool) string {
	if required {
		return f.show(0)
	}
	return "optional " + f.show(0)
}

// key writes one step of a place.
func key(name string) string {
	if isIdentifier(name) {
		return "." + name
	}
	return "[" + quote(name) + "]"
}

func isIdentifier(s string) bool {
	return s != "" && strings.IndexFunc(s, func(r rune) bool {
		return r != '_' && r != '$' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}) < 0 && (s[0] < '0' || s[0] > '9')
}
