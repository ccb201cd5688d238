package diff

// This file writes schemas for a reader: as TypeScript would, on one line, cut where it is long, with
// the bounds that TypeScript cannot say in brackets.

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"codemode/directory/contract"
)

const (
	maxShown      = 160 // bytes of a type
	maxShownDepth = 3
	maxShownNames = 8
)

// signature is a method on one line: its arguments, its effect, and where it goes.
func signature(c contract.Contract) string {
	var names []string
	if d := newDocument(c.Params); d != nil {
		f := d.form("").followed()
		if f == nil {
			f = &form{} // a reference to nothing
		}
		for _, name := range slices.Sorted(maps.Keys(f.properties)) {
			mark := "?"
			if f.required[name] {
				mark = ""
			}
			names = append(names, name+mark)
		}
	}
	if more := len(names) - maxShownNames; more > 0 {
		names = append(names[:maxShownNames], fmt.Sprintf("... %d more", more))
	}
	out := "(" + strings.Join(names, ", ") + ") " + string(c.Effect)
	if len(c.Destinations) > 0 {
		out += " at " + strings.Join(c.Destinations[:min(len(c.Destinations), 3)], ", ")
	}
	return short(out)
}

func (f *form) show(depth int) string {
	switch {
	case f == nil:
		return "unknown"
	case f.never:
		return "never"
	case f.free():
		return "unknown"
	case depth > maxShownDepth:
		return "..."
	}
	var all []string
	if own := f.showOwn(depth); own != "unknown" || f.ref == "" && len(f.parts) == 0 && len(f.either) == 0 && len(f.one) == 0 {
		all = append(all, own)
	}
	if f.ref != "" {
		name := f.ref[strings.LastIndexByte(f.ref, '/')+1:]
		if f.ref == rootRef {
			name = "Root"
		}
		all = append(all, contract.UnescapeToken(name))
	}
	for _, at := range f.parts {
		all = append(all, f.doc.form(at).show(depth+1))
	}
	for _, choice := range [][]string{f.either, f.one} {
		if len(choice) > 0 {
			all = append(all, f.showChoice(choice, depth))
		}
	}
	return short(strings.Join(all, " & ") + f.showBounds())
}

func (f *form) showChoice(choice []string, depth int) string {
	var members []string
	for i, at := range choice {
		if i == maxShownNames {
			members = append(members, fmt.Sprintf("... %d more", len(choice)-i))
			break
		}
		members = append(members, f.doc.form(at).show(depth+1))
	}
	if len(members) == 1 {
		return members[0]
	}
	return "(" + strings.Join(members, " | ") + ")"
}

// showOwn writes what the form itself says of the type.
func (f *form) showOwn(depth int) string {
	if f.listed {
		var values []string
		for i, v := range f.values {
			if i == maxShownNames {
				values = append(values, fmt.Sprintf("... %d more", len(f.values)-i))
				break
			}
			values = append(values, short(string(v)))
		}
		return strings.Join(values, " | ")
	}
	if f.kinds == anything && len(f.properties) == 0 {
		return "unknown"
	}
	var members []string
	for _, k := range []struct {
		kind kinds
		name string
	}{{boolean, "boolean"}, {number, "number"}, {text, "string"}, {array, ""}, {object, ""}, {null, "null"}} {
		switch has := f.kinds & k.kind; {
		case has == 0, f.kinds == anything && k.kind != object:
		case k.kind == array:
			members = append(members, f.showArray(depth))
		case k.kind == object:
			members = append(members, f.showObject(depth))
		default:
			members = append(members, k.name)
		}
	}
	return strings.Join(members, " | ")
}

func (f *form) showArray(depth int) string {
	if len(f.prefix) > 0 {
		var positions []string
		for _, at := range f.prefix {
			positions = append(positions, f.doc.form(at).show(depth+1))
		}
		return "[" + strings.Join(positions, ", ") + "]"
	}
	item := f.doc.formOr(f.items).show(depth + 1)
	if strings.ContainsAny(item, "|&") && !strings.HasPrefix(item, "{") && !strings.HasPrefix(item, "(") {
		item = "(" + item + ")"
	}
	return item + "[]"
}

func (f *form) showObject(depth int) string {
	var members []string
	for i, name := range slices.Sorted(maps.Keys(f.properties)) {
		if i == maxShownNames {
			members = append(members, fmt.Sprintf("... %d more", len(f.properties)-i))
			break
		}
		mark := "?"
		if f.required[name] {
			mark = ""
		}
		spelt := name
		if !isIdentifier(name) {
			spelt = quote(name)
		}
		members = append(members, spelt+mark+": "+f.doc.form(f.properties[name]).show(depth+1))
	}
	if extra := f.doc.formOr(f.additional); f.additional != "" && !extra.gone() {
		members = append(members, "[key: string]: "+extra.show(depth+1))
	}
	if len(members) == 0 {
		return "object"
	}
	return "{ " + strings.Join(members, "; ") + " }"
}

// showBounds lists what TypeScript cannot say.
func (f *form) showBounds() string {
	var said []string
	if f.kinds&number == whole {
		said = append(said, "whole")
	}
	for _, b := range []struct {
		bound *bound
		word  string
	}{{f.least, "from"}, {f.most, "to"}} {
		if b.bound != nil && b.bound.open {
			said = append(said, b.word+" but without "+decimal(b.bound.at))
		} else if b.bound != nil {
			said = append(said, b.word+" "+decimal(b.bound.at))
		}
	}
	if f.step != nil {
		said = append(said, "in steps of "+decimal(f.step))
	}
	for _, k := range slices.Sorted(maps.Keys(f.sizes)) {
		said = append(said, k+" "+strconv.Itoa(f.sizes[k]))
	}
	for _, k := range slices.Sorted(maps.Keys(f.words)) {
		said = append(said, short(strings.Trim(f.words[k], "{}")))
	}
	if len(said) == 0 {
		return ""
	}
	return " (" + strings.Join(said, ", ") + ")"
}

func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return strings.TrimRight(r.FloatString(20), "0")
}

func quote(s string) string {
	raw, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(raw)
}

func short(s string) string {
	if len(s) <= maxShown {
		return s
	}
	return strings.ToValidUTF8(s[:maxShown], "") + "..."
}

// Show writes a schema on one line for a reader, cut where it is long. It is no TypeScript to compile.
func Show(schema json.RawMessage) string {
	d := newDocument(schema)
	if d == nil {
		return "unknown"
	}
	return d.form("").show(0)
}
