package runtime

// This file tells alternatives apart by a value. It looks at what is cheap and exact: types, listed
// values, which keys there are, and the same a few levels down. What it cannot tell, may be.

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"codemode/directory/contract"
)

type verdict int

const (
	no verdict = iota
	maybe
	yes
)

const (
	maxLook  = 6       // levels of a schema that are looked at
	maxSteps = 100_000 // schemas looked at for one document
)

// verdict says whether a value is of a schema.
func (r *schemaReader) verdict(node any, at string, v any, depth int) verdict {
	if b, ok := node.(bool); ok {
		if b {
			return yes
		}
		return no
	}
	m, ok := node.(map[string]any)
	if r.steps--; !ok || depth == 0 || r.steps < 0 {
		return maybe
	}
	if _, alone := m["$ref"].(string); alone && r.doc.Legacy {
		return r.ofTargets(m, at, v, depth)
	}
	out := min(r.ofTargets(m, at, v, depth), ofType(m, v), r.ofValues(m, v))
	for _, word := range []string{"allOf", "anyOf", "oneOf"} {
		if list := listOf(m[word]); out != no && len(list) > 0 {
			out = min(out, r.ofList(word, list, at, v, depth))
		}
	}
	if not, ok := m["not"]; ok && out != no {
		out = min(out, yes-r.verdict(not, contract.JoinPointer(at, "not"), v, depth-1))
	}
	if cond, ok := m["if"]; ok && out != no {
		out = min(out, r.ofBranch(cond, m, at, v, depth))
	}
	if out == no {
		return no
	}
	switch v := v.(type) {
	case map[string]any:
		out = min(out, r.ofKeys(m, at, v, depth))
	case []any:
		out = min(out, r.ofItems(m, at, v, depth))
	}
	for word := range m {
		if asserts[word] {
			return min(out, maybe)
		}
	}
	return out
}

// asserts are the keywords that are not looked at and may refuse a value.
var asserts = setOf("minLength maxLength pattern format contentEncoding contentMediaType minimum maximum exclusiveMinimum exclusiveMaximum multipleOf " +
	"contains minItems maxItems uniqueItems minProperties maxProperties propertyNames dependentRequired dependencies " +
	"unevaluatedItems unevaluatedProperties additionalItems")

func setOf(words string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		out[word] = true
	}
	return out
}

func (r *schemaReader) ofTargets(m map[string]any, at string, v any, depth int) verdict {
	out := yes
	for _, target := range r.targets(m, at) {
		node, _ := r.doc.Get(target)
		out = min(out, r.verdict(node, target, v, depth-1))
	}
	return out
}

func (r *schemaReader) ofList(word string, list []any, at string, v any, depth int) verdict {
	count := map[verdict]int{}
	for i, sub := range list {
		count[r.verdict(sub, listPlace(at, word, i), v, depth-1)]++
	}
	switch {
	case word == "allOf" && count[no] > 0, word != "allOf" && count[no] == len(list), word == "oneOf" && count[yes] > 1:
		return no
	case word == "allOf" && count[yes] == len(list), word == "anyOf" && count[yes] > 0, word == "oneOf" && count[yes] == 1 && count[maybe] == 0:
		return yes
	}
	return maybe
}

func (r *schemaReader) ofBranch(cond any, m map[string]any, at string, v any, depth int) verdict {
	word := "then"
	switch r.verdict(cond, contract.JoinPointer(at, "if"), v, depth-1) {
	case maybe:
		return maybe
	case no:
		word = "else"
	}
	branch, ok := m[word]
	if !ok {
		return yes
	}
	return r.verdict(branch, contract.JoinPointer(at, word), v, depth-1)
}

func ofType(m map[string]any, v any) verdict {
	types := append(listOf(m["type"]), m["type"])
	out := yes
	for _, t := range types {
		name, ok := t.(string)
		if !ok {
			continue
		}
		if out = no; name == typeOf(v) || name == "number" && typeOf(v) == "integer" {
			return yes
		}
	}
	return out
}

func typeOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	case json.Number:
		if f, ok := rational(v); ok && !f.IsInt() {
			return "number"
		}
	}
	return "integer"
}

func (r *schemaReader) ofValues(m map[string]any, v any) verdict {
	fits := func(listed any) bool { return r.equal(listed, v) || r.compared < 0 }
	c, hasConst := m["const"]
	enum := listOf(m["enum"])
	switch {
	case hasConst && !fits(c), len(enum) > 0 && !slices.ContainsFunc(enum, fits):
		return no
	case (hasConst || len(enum) > 0) && r.compared < 0:
		return maybe
	}
	return yes
}

func (r *schemaReader) ofKeys(m map[string]any, at string, v map[string]any, depth int) verdict {
	for _, key := range listOf(m["required"]) {
		if name, ok := key.(string); ok {
			if _, present := v[name]; !present {
				return no
			}
		}
	}
	out := r.ofDemands(m, at, v, depth)
	for _, key := range slices.Sorted(maps.Keys(v)) { // in order: which one is past a bound must not be chance
		for _, place := range r.memberPlaces([]schemaNode{{at, m}}, key) {
			applies := r.applies(m, at, place, key)
			if applies == no {
				continue
			}
			sub, _ := r.doc.Get(place)
			fits := r.verdict(sub, place, v[key], depth-1)
			if applies == maybe && fits == no {
				fits = maybe
			}
			if out = min(out, fits); out == no {
				return no
			}
		}
	}
	return out
}

// ofDemands looks at the schemas that keys demand by being there.
func (r *schemaReader) ofDemands(m map[string]any, at string, v map[string]any, depth int) verdict {
	demands, _ := m["dependentSchemas"].(map[string]any)
	out := yes
	for _, key := range slices.Sorted(maps.Keys(demands)) {
		if _, present := v[key]; present && !r.doc.Legacy {
			out = min(out, r.verdict(demands[key], contract.JoinPointer(contract.JoinPointer(at, "dependentSchemas"), key), v, depth-1))
		}
	}
	return out
}

// applies says whether a schema that may speak of a key does: a declaration takes the patterns that are
// more than text together with the rest, a validator tells them apart.
func (r *schemaReader) applies(m map[string]any, at, place, key string) verdict {
	word, rest, _ := strings.Cut(strings.TrimPrefix(place, at+"/"), "/")
	if word == "unevaluatedProperties" {
		return no // what is evaluated is not looked at
	}
	if word == "properties" {
		return yes
	}
	patterns := r.patterns(m, at)
	if word == "patternProperties" {
		i, _ := slices.BinarySearchFunc(patterns, contract.UnescapeToken(rest), func(p keyPattern, expr string) int { return strings.Compare(p.expr, expr) })
		return patterns[i].matches(key)
	}
	out := yes
	for _, p := range patterns {
		if !r.compare() {
			return min(out, maybe)
		}
		out = min(out, yes-p.matches(key))
	}
	return out
}

func (r *schemaReader) ofItems(m map[string]any, at string, v []any, depth int) verdict {
	out := yes
	for i, item := range v {
		for _, place := range itemPlaces([]schemaNode{{at, m}}, i) {
			sub, ok := r.doc.Get(place)
			if !ok || strings.HasPrefix(place, at+"/unevaluatedItems") || strings.HasPrefix(place, at+"/contains") {
				continue
			}
			if out = min(out, r.verdict(sub, place, item, depth-1)); out == no {
				return no
			}
		}
		if r.steps < 0 {
			return min(out, maybe)
		}
	}
	return out
}
