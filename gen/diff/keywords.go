package diff

// This file reads the keywords of one schema. Each reader says whether it understood the value; what it
// did not is kept as a word.

import (
	"encoding/json"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func (f *form) read(m map[string]any) {
	_, other := m["$schema"] // the root's is the document's
	f.opaque = f.opaque || other
	if ref, ok := m["$ref"].(string); ok {
		at, known := localPointer(ref)
		if !known || f.doc.scattered {
			f.word("$ref", ref)
		} else {
			f.ref = at
		}
		if f.doc.legacy {
			return
		}
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if k == "$ref" && f.ref != "" || isAnnotation(k) || f.understood(k, m[k]) {
			continue
		}
		f.word(k, m[k])
	}
	if _, ok := f.words["patternProperties"]; ok {
		// Which keys are left for additionalProperties is not known then.
		f.group(m, "patternProperties", "additionalProperties")
		f.additional = ""
	}
	f.group(m, "if", "then", "else")
	f.group(m, "contains", "minContains", "maxContains")
}

// group makes one word of keywords that only mean something together.
func (f *form) group(m map[string]any, words ...string) {
	if _, ok := m[words[0]]; !ok {
		return
	}
	together := map[string]any{}
	for _, k := range words {
		if v, ok := m[k]; ok {
			together[k] = v
			delete(f.words, k)
		}
	}
	f.words[words[0]] = summary(f.doc, together)
}

// localPointer reads a reference that stays in the document and is a pointer; "#" is "/" for the root,
// told apart from none.
func localPointer(ref string) (string, bool) {
	if ref == "#" {
		return rootRef, true
	}
	at, ok := strings.CutPrefix(ref, "#/")
	if !ok || strings.Contains(at, "%") {
		return "", false
	}
	return "/" + at, true
}

// rootRef stands for a reference to the whole document, whose pointer is empty.
const rootRef = "#"

func (f *form) understood(k string, v any) bool {
	switch k {
	case "type":
		return f.readTypes(v)
	case "enum", "const":
		return f.readValues(k, v)
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf":
		return f.readBound(k, v)
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		return f.readSize(k, v)
	case "required":
		return f.readRequired(v)
	case "properties", "patternProperties":
		return f.readProperties(k, v)
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return f.readList(k, v)
	case "items", "additionalItems", "additionalProperties", "propertyNames":
		return f.readSchema(k, v)
	}
	return false
}

func (f *form) readTypes(v any) bool {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var set kinds
	for _, e := range list {
		name, _ := e.(string)
		k, known := kindNames[name]
		if !known {
			return false
		}
		set |= k
	}
	f.kinds &= set
	return true
}

// readValues reads enum and const; both together are left as words.
func (f *form) readValues(k string, v any) bool {
	list, ok := v.([]any)
	if k == "const" {
		list, ok = []any{v}, true
	}
	if !ok || f.listed {
		return false
	}
	f.listed = true
	for _, e := range list {
		f.values = append(f.values, canonical(e))
	}
	return true
}

func (f *form) readBound(k string, v any) bool {
	n, ok := rational(v)
	if !ok {
		return false
	}
	switch {
	case k == "multipleOf":
		if n.Sign() <= 0 {
			return false
		}
		f.step = n
	case strings.HasSuffix(strings.ToLower(k), "minimum"):
		f.least = tighter(f.least, &bound{n, k != "minimum"}, 1)
	default:
		f.most = tighter(f.most, &bound{n, k != "maximum"}, -1)
	}
	return true
}

// tighter is the bound that leaves less: the larger of lower ones (sign 1), the smaller of upper ones.
func tighter(a, b *bound, sign int) *bound {
	if a == nil || sign*b.at.Cmp(a.at) > 0 || b.at.Cmp(a.at) == 0 && b.open {
		return b
	}
	return a
}

// rational reads a number exactly; one whose digits would take too much room is not read.
func rational(v any) (*big.Rat, bool) {
	n, ok := v.(json.Number)
	if !ok || len(n) > 100 {
		return nil, false
	}
	if _, exponent, has := strings.Cut(strings.ToLower(string(n)), "e"); has {
		if e, err := strconv.Atoi(exponent); err != nil || e > 400 || e < -400 {
			return nil, false
		}
	}
	return new(big.Rat).SetString(string(n))
}

func (f *form) readSize(k string, v any) bool {
	n, ok := rational(v)
	if !ok || !n.IsInt() || !n.Num().IsInt64() || n.Sign() < 0 || n.Num().Int64() > 1<<52 {
		return false
	}
	f.sizes[k] = int(n.Num().Int64())
	return true
}

func (f *form) readRequired(v any) bool {
	list, ok := v.([]any)
	required := map[string]bool{}
	for _, e := range list {
		name, isText := e.(string)
		ok = ok && isText
		required[name] = true
	}
	if ok {
		f.required = required
	}
	return ok
}

func (f *form) readProperties(k string, v any) bool {
	m, ok := v.(map[string]any)
	if !ok {
		return false
	}
	at := make(map[string]string, len(m))
	for name := range m {
		if _, err := regexp.Compile(name); err != nil && k == "patternProperties" {
			return false
		}
		at[name] = f.below(k, name)
	}
	if k == "properties" {
		f.properties = at
	} else {
		f.patterns = at
	}
	return true
}

func (f *form) readList(k string, v any) bool {
	list, ok := v.([]any)
	if !ok || k == "prefixItems" && f.doc.old {
		return false
	}
	var at []string
	for i := range list {
		at = append(at, f.below(k, strconv.Itoa(i)))
	}
	switch k {
	case "allOf":
		f.parts = at
	case "anyOf":
		f.either = at
	case "oneOf":
		f.one = at
	default:
		f.prefix = at
	}
	return true
}

func (f *form) readSchema(k string, v any) bool {
	switch v.(type) {
	case bool, map[string]any:
	default:
		return false
	}
	switch k {
	case "items":
		f.items = f.below(k)
	case "additionalProperties":
		f.additional = f.below(k)
	case "propertyNames":
		f.nameForm = f.below(k)
	default:
		return false // additionalItems stands with a list of items, which is a word
	}
	return true
}
