package runtime

// This file tells alternatives apart by a value. It looks at what is cheap and exact: types, listed
// values, which keys there are, and the same a few levels down. What it cannot tell, may be.

import (
	"bytes"
	"encoding/json"
	"math/big"
	"regexp"
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
	out := min(r.ofTargets(m, at, v, depth), ofType(m, v), ofValues(m, v))
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

func ofValues(m map[string]any, v any) verdict {
	out := yes
	if c, ok := m["const"]; ok && !equalJSON(c, v) {
		return no
	}
	for _, e := range listOf(m["enum"]) {
		if out = no; equalJSON(e, v) {
			return yes
		}
	}
	return out
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
	for key, value := range v {
		for _, place := range memberPlaces([]schemaNode{{at, m}}, key) {
			applies := r.applies(m, at, place, key)
			if applies == no {
				continue
			}
			sub, _ := r.doc.Get(place)
			fits := r.verdict(sub, place, value, depth-1)
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
	for key, sub := range demands {
		if _, present := v[key]; present && !r.doc.Legacy {
			out = min(out, r.verdict(sub, contract.JoinPointer(contract.JoinPointer(at, "dependentSchemas"), key), v, depth-1))
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
	patterns, _ := m["patternProperties"].(map[string]any)
	if word == "patternProperties" {
		return matches(contract.UnescapeToken(rest), key)
	}
	out := yes
	for expr := range patterns {
		out = min(out, yes-matches(expr, key))
	}
	return out
}

// matches says whether a key matches a regular expression of ECMA-262, where Go reads it the same.
func matches(expr, key string) verdict {
	if pattern, ok := contract.ParseKeyPattern(expr); ok {
		if pattern.Match(key) {
			return yes
		}
		return no
	}
	if len(expr) > 256 || strings.Contains(expr, `\`) {
		return maybe
	}
	re, err := regexp.Compile(expr)
	switch {
	case err != nil:
		return maybe
	case re.MatchString(key):
		return yes
	}
	return no
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

// equalJSON compares values; numbers by what they are, not by how they are written.
func equalJSON(a, b any) bool {
	x, isNumber := a.(json.Number)
	y, alsoNumber := b.(json.Number)
	if isNumber && alsoNumber {
		return sameNumber(x, y)
	}
	if typeOf(a) != typeOf(b) {
		return false
	}
	p, err := contract.Canonical(marshal(a))
	q, err2 := contract.Canonical(marshal(b))
	return err == nil && err2 == nil && bytes.Equal(p, q)
}

func marshal(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil // v came from a decoder: it cannot fail
	}
	return raw
}

func sameNumber(a, b json.Number) bool {
	if a == b {
		return true
	}
	x, ok := rational(a)
	y, also := rational(b)
	return ok && also && x.Cmp(y) == 0
}

// rational is a number's exact value; false for one so long, or with such an exponent, that it would
// take space to write out.
func rational(n json.Number) (*big.Rat, bool) {
	if _, exponent, ok := strings.Cut(strings.ToLower(string(n)), "e"); len(n) > 400 || ok && len(strings.TrimLeft(exponent, "+-0")) > 3 {
		return nil, false
	}
	return new(big.Rat).SetString(string(n))
}

func canonicalNumber(n json.Number) string {
	raw, err := contract.Canonical([]byte(n))
	if err != nil {
		return string(n)
	}
	return string(raw)
}
