package runtime

// This file keeps the looking at listed values and at patterns of keys within bounds: schema and value
// may both come from a destination, and their product is no cost to pay.

import (
	"encoding/json"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"codemode/directory/contract"
)

// maxCompared caps how often, for one document, a value is held against a listed one and a key against
// a pattern. Past it a listed value may be the one, and a pattern says nothing.
const maxCompared = 5_000_000

// compare takes one from what may be compared, and reports whether there was one left.
func (r *schemaReader) compare() bool {
	r.compared--
	return r.compared >= 0
}

// lists reports whether const or enum names a number, and whether that makes it a bigint. Every number
// of a result is asked about: the listed ones are read once.
func (r *schemaReader) lists(node schemaNode, n json.Number) (listed, wide bool) {
	_, hasEnum := node.keywords["enum"]
	if _, hasConst := node.keywords["const"]; !hasEnum && !hasConst {
		return false, false
	}
	numbers, ok := r.listed[node.at]
	if !ok {
		numbers = listedNumbers(node.keywords)
		r.listed[node.at] = numbers
	}
	if len(numbers) == 0 {
		return false, false
	}
	wide, listed = numbers[exactNumber(n)]
	return listed, wide
}

// listedNumbers says of each number that is listed, by its exact value, whether it is a bigint.
func listedNumbers(m map[string]any) map[string]bool {
	values := listOf(m["enum"])
	if v, ok := m["const"]; ok {
		values = append(slices.Clip(values), v)
	}
	out := map[string]bool{}
	for _, v := range values {
		n, ok := v.(json.Number)
		if _, twice := out[exactNumber(n)]; ok && !twice {
			out[exactNumber(n)] = contract.WideLiteral(canonicalNumber(n))
		}
	}
	return out
}

// exactNumber is the same text for numbers that are equal.
func exactNumber(n json.Number) string {
	if value, ok := rational(n); ok {
		return value.RatString()
	}
	return string(n)
}

// keyPattern is one of the patternProperties of a schema.
type keyPattern struct {
	expr, place string
	text        contract.KeyPattern
	isText      bool           // text says all that the expression does
	re          *regexp.Regexp // nil where Go may not read the expression as ECMA-262 does
}

// patterns are those of a schema, by expression.
func (r *schemaReader) patterns(m map[string]any, at string) []keyPattern {
	all, _ := m["patternProperties"].(map[string]any)
	if len(all) == 0 {
		return nil
	}
	if known, ok := r.patternsAt[at]; ok {
		return known
	}
	out := make([]keyPattern, 0, len(all))
	for _, expr := range slices.Sorted(maps.Keys(all)) {
		p := keyPattern{expr: expr, place: contract.JoinPointer(contract.JoinPointer(at, "patternProperties"), expr)}
		if p.text, p.isText = contract.ParseKeyPattern(expr); !p.isText && len(expr) <= 256 && !strings.Contains(expr, `\`) {
			p.re, _ = regexp.Compile(expr)
		}
		out = append(out, p)
	}
	r.patternsAt[at] = out
	return out
}

// matches says whether a key matches, where that can be said.
func (p keyPattern) matches(key string) verdict {
	switch {
	case !p.isText && p.re == nil:
		return maybe
	case p.isText && p.text.Match(key), p.re != nil && p.re.MatchString(key):
		return yes
	}
	return no
}

// equal compares values; numbers by what they are, not by how they are written.
func (r *schemaReader) equal(a, b any) bool {
	if !r.compare() {
		return false
	}
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		return ok && sameNumber(a, b)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, r.equal)
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, r.equal)
	}
	return a == b
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
