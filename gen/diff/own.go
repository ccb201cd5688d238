package diff

// This file compares what two schemas say themselves, keyword by keyword.

import (
	"encoding/json"
	"math/big"
	"regexp"
	"strings"
	"unicode/utf8"

	"codemode/directory/contract"
)

// own proves that what a itself says leaves only values that fit what b itself says.
func (p *prover) own(a, b *form) bool {
	if a.never {
		return true
	}
	if a.opaque {
		return false
	}
	if a.listed {
		for _, v := range a.values {
			if kindOf(v)&a.kinds != 0 && !b.admits(v) {
				return false
			}
		}
		return true
	}
	if a.kinds&^b.kinds != 0 || b.listed && !coversAll(a, b) || !sameWords(a, b) {
		return false
	}
	if a.kinds&number != 0 && !(above(a.least, b.least) && below(a.most, b.most) && stepped(a, b)) {
		return false
	}
	if a.kinds&text != 0 && !sized(a, b, "minLength", "maxLength") {
		return false
	}
	if a.kinds&array != 0 && !(sized(a, b, "minItems", "maxItems") && p.arrays(a, b)) {
		return false
	}
	return a.kinds&object == 0 || sized(a, b, "minProperties", "maxProperties") && p.objects(a, b)
}

// coversAll reports whether b lists every value that a can have, which only null and booleans make possible.
func coversAll(a, b *form) bool {
	if a.kinds&^(null|boolean) != 0 {
		return false
	}
	have := map[string]bool{}
	for _, v := range b.values {
		have[string(v)] = true
	}
	return (a.kinds&null == 0 || have["null"]) && (a.kinds&boolean == 0 || have["true"] && have["false"])
}

// wordKinds are the kinds that a keyword speaks of; others pass it. Any other keyword speaks of all.
var wordKinds = map[string]kinds{"pattern": text, "format": text | number, "uniqueItems": array, "contains": array,
	"dependentRequired": object, "dependentSchemas": object, "dependencies": object}

// looserFormats are the formats that every value of a format fits too.
var looserFormats = map[string][]string{"int32": {"int64"}, "uint32": {"int64", "uint64"}}

// sameWords proves that a has every word of b that speaks of its values.
func sameWords(a, b *form) bool {
	for k, want := range b.words {
		if of, known := wordKinds[k]; known && a.kinds&of == 0 || a.words[k] == want {
			continue
		}
		if k == "uniqueItems" && want == `{"uniqueItems":false}` || k == "format" && looser(a.words[k], want) {
			continue
		}
		return false
	}
	return true
}

func looser(have, want string) bool {
	for tight, list := range looserFormats {
		for _, loose := range list {
			if have == `{"format":"`+tight+`"}` && want == `{"format":"`+loose+`"}` {
				return true
			}
		}
	}
	return false
}

func above(a, b *bound) bool {
	if b == nil {
		return true
	}
	if a == nil {
		return false
	}
	c := a.at.Cmp(b.at)
	return c > 0 || c == 0 && (a.open || !b.open)
}

func below(a, b *bound) bool {
	if b == nil {
		return true
	}
	if a == nil {
		return false
	}
	c := a.at.Cmp(b.at)
	return c < 0 || c == 0 && (a.open || !b.open)
}

// stepped proves that a's numbers are multiples of b's step.
func stepped(a, b *form) bool {
	if b.step == nil {
		return true
	}
	if a.step == nil {
		return a.kinds&fraction == 0 && b.step.IsInt() && b.step.Num().IsInt64() && b.step.Num().Int64() == 1
	}
	return ratio(a, b)
}

func ratio(a, b *form) bool { return new(big.Rat).Quo(a.step, b.step).IsInt() }

// sized proves that a's sizes stay within b's; least is the keyword for the lower end.
func sized(a, b *form, least, most string) bool {
	if want := b.sizes[least]; a.sizes[least] < want {
		return false
	}
	want, limited := b.sizes[most]
	if !limited {
		return true
	}
	have, ok := a.sizes[most]
	return ok && have <= want
}

// arrays compares position by position; what a cannot hold fits anything.
func (p *prover) arrays(a, b *form) bool {
	most, limited := a.sizes["maxItems"]
	for i := range max(len(a.prefix), len(b.prefix)) {
		if limited && i >= most {
			return true
		}
		if !p.inside(a.position(i), b.position(i)) {
			return false
		}
	}
	if limited && most <= max(len(a.prefix), len(b.prefix)) {
		return true
	}
	return p.inside(a.doc.formOr(a.items), b.doc.formOr(b.items))
}

func (f *form) position(i int) *form {
	if i < len(f.prefix) {
		return f.doc.form(f.prefix[i])
	}
	return f.doc.formOr(f.items)
}

// formOr is the form at a pointer, "" for the one that allows everything.
func (d *document) formOr(at string) *form {
	if at == "" {
		return &form{doc: d, kinds: anything, summary: "true"}
	}
	return d.form(at)
}

// objects compares key by key: those that either names, those that patterns match, and the rest.
func (p *prover) objects(a, b *form) bool {
	for name := range b.required {
		if !a.required[name] {
			return false
		}
	}
	if b.nameForm != "" && !(a.nameForm != "" && p.inside(a.doc.form(a.nameForm), b.doc.form(b.nameForm))) {
		return false
	}
	for name := range merged(a.properties, b.properties) {
		if !p.key(a, b, name) {
			return false
		}
	}
	return p.patterns(a, b)
}

func merged(a, b map[string]string) map[string]bool {
	out := map[string]bool{}
	for k := range a {
		out[k] = true
	}
	for k := range b {
		out[k] = true
	}
	return out
}

// key compares what two objects allow under one name.
func (p *prover) key(a, b *form, name string) bool {
	have, _ := a.under(name)
	want, sure := b.under(name)
	if !sure {
		return false
	}
	for _, w := range want {
		fits := w != nil && w.free()
		for _, h := range have {
			fits = fits || p.inside(h, w)
		}
		if !fits {
			return false
		}
	}
	return true
}

// under are the forms that hold for a key, all of them; false when that depends on a pattern that
// cannot be run. Without certainty what is left is still true of the key.
func (f *form) under(name string) ([]*form, bool) {
	var out []*form
	sure, matched := true, false
	if at, ok := f.properties[name]; ok {
		out, matched = append(out, f.doc.form(at)), true
	}
	for expr, at := range f.patterns {
		re, err := regexp.Compile(expr)
		switch {
		case err != nil || !plainPattern(expr):
			sure = false
		case re.MatchString(name):
			out, matched = append(out, f.doc.form(at)), true
		}
	}
	if !matched && sure {
		out = append(out, f.doc.formOr(f.additional))
	}
	return out, sure
}

// plainPattern reports whether Go and ECMA-262 read an expression alike for certain.
func plainPattern(expr string) bool {
	_, ok := contract.ParseKeyPattern(expr)
	return ok && !strings.Contains(expr, ".*")
}

// patterns compares the keys that no name is given to.
func (p *prover) patterns(a, b *form) bool {
	rest := p.inside(a.doc.formOr(a.additional), b.doc.formOr(b.additional))
	if len(b.patterns) == 0 {
		for _, at := range a.patterns {
			rest = rest && p.inside(a.doc.form(at), b.doc.formOr(b.additional))
		}
		return rest
	}
	if extra := a.doc.formOr(a.additional); extra != nil && extra.never && len(a.patterns) == 0 {
		return true // only named keys, which have been compared
	}
	if len(a.patterns) != len(b.patterns) {
		return false
	}
	for expr, at := range b.patterns {
		have, ok := a.patterns[expr]
		if !ok || !p.inside(a.doc.form(have), b.doc.form(at)) {
			return false
		}
	}
	return rest
}

func kindOf(v json.RawMessage) kinds {
	switch v[0] {
	case 'n':
		return null
	case 't', 'f':
		return boolean
	case '"':
		return text
	case '[':
		return array
	case '{':
		return object
	}
	if n, ok := rational(json.Number(v)); ok && n.IsInt() {
		return whole
	} else if ok {
		return fraction
	}
	return number
}

// admits proves that one value fits b's own keywords. Of arrays and objects only the kind is looked at.
func (b *form) admits(v json.RawMessage) bool {
	k := kindOf(v)
	if b.never || k&^b.kinds != 0 {
		return false
	}
	if b.listed {
		found := false
		for _, w := range b.values {
			found = found || string(w) == string(v)
		}
		if !found {
			return false
		}
	}
	for word := range b.words {
		if of, known := wordKinds[word]; !known || of&k != 0 {
			return false
		}
	}
	switch k {
	case null, boolean:
		return true
	case text:
		return b.admitsText(v)
	case array:
		return len(b.prefix) == 0 && b.items == "" && b.sizes["minItems"] == 0 && !has(b.sizes, "maxItems")
	case object:
		return len(b.properties) == 0 && len(b.required) == 0 && len(b.patterns) == 0 && b.additional == "" && b.nameForm == "" &&
			b.sizes["minProperties"] == 0 && !has(b.sizes, "maxProperties")
	}
	return b.admitsNumber(v)
}

func has(m map[string]int, k string) bool { _, ok := m[k]; return ok }

func (b *form) admitsText(v json.RawMessage) bool {
	var s string
	if json.Unmarshal(v, &s) != nil {
		return false
	}
	n := utf8.RuneCountInString(s)
	most, limited := b.sizes["maxLength"]
	return n >= b.sizes["minLength"] && (!limited || n <= most)
}

func (b *form) admitsNumber(v json.RawMessage) bool {
	n, ok := rational(json.Number(v))
	if !ok {
		return b.least == nil && b.most == nil && b.step == nil
	}
	point := &bound{at: n}
	exact := &form{step: new(big.Rat).Abs(n)}
	return above(point, b.least) && below(point, b.most) && (b.step == nil || n.Sign() == 0 || ratio(exact, b))
}

func (k kinds) String() string {
	var names []string
	for _, one := range []struct {
		kind kinds
		name string
	}{{null, "null"}, {boolean, "boolean"}, {number, "number"}, {text, "string"}, {array, "array"}, {object, "object"}} {
		if k&one.kind != 0 {
			names = append(names, one.name)
		}
	}
	return strings.Join(names, " | ")
}
