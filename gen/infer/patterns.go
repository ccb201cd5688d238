package infer

// This file finds patterns that a validator with linear time does not enforce.

import (
	"regexp"
	"regexp/syntax"
)

// notePatterns says once which patterns of the contract are documentation only.
func (b *builder) notePatterns(field string, schema any) {
	var found []string
	eachPattern(schema, func(text string) {
		if !enforceable(text) {
			found = append(found, text)
		}
	})
	switch len(found) {
	case 0:
	case 1:
		b.warn(field, "the pattern "+short(found[0])+" is documented and not enforced: it needs look-around or a back reference, or is malformed", "write it as RE2 takes it, to have it checked")
	default:
		b.warn(field, itoa(len(found))+" patterns are documented and not enforced, the first is "+short(found[0])+": they need look-around or back references, or are malformed",
			"write them as RE2 takes them, to have them checked")
	}
}

func eachPattern(v any, yield func(string)) {
	o, ok := v.(*object)
	if !ok {
		return
	}
	if text, ok := o.values["pattern"].(string); ok {
		yield(text)
	}
	if o.has("patternProperties") {
		for _, text := range o.object("patternProperties").names() {
			yield(text)
		}
	}
	for _, k := range o.keys {
		switch keywordKinds[k] {
		case oneSchema:
			eachPattern(o.values[k], yield)
		case schemaList:
			list, _ := o.values[k].([]any)
			for _, sub := range list {
				eachPattern(sub, yield)
			}
		case schemaMap:
			for _, name := range o.object(k).names() {
				eachPattern(o.object(k).values[name], yield)
			}
		}
	}
}

const maxPattern = 4096

// unitEscape is ECMA-262's way to write a character by its number.
var unitEscape = regexp.MustCompile(`\\(?:u([0-9A-Fa-f]{4})|[^u])`)

// enforceable reports whether Go's regexp, which is RE2's syntax, takes an ECMA-262 pattern.
func enforceable(text string) bool {
	if len(text) > maxPattern {
		return false
	}
	text = unitEscape.ReplaceAllStringFunc(text, func(s string) string {
		if s[1] == 'u' {
			return `\x{` + s[2:] + `}`
		}
		return s
	})
	_, err := syntax.Parse(text, syntax.Perl)
	return err == nil
}
