package infer

// This file finds patterns that a validator with linear time does not check.

import (
	"fmt"

	"codemode/directory/contract"
)

// notePatterns names each pattern of a schema that is documentation only, at its first place.
func (b *builder) notePatterns(field string, schema any) {
	seen := map[string]bool{}
	eachPattern(schema, "", func(text, at string) {
		if _, _, checked := contract.CheckedPattern(text); checked || seen[text] {
			return
		}
		seen[text] = true
		b.warn(field, fmt.Sprintf("%s: the pattern %s is declared and not checked: it needs look-around or a back reference, is very large, or is malformed", place(at), short(text)),
			"write it as RE2 takes it, to have it checked")
	})
}

func eachPattern(v any, at string, yield func(text, at string)) {
	o, ok := v.(*object)
	if !ok {
		return
	}
	if text, ok := o.values["pattern"].(string); ok {
		yield(text, at)
	}
	if o.has("patternProperties") {
		for _, text := range o.object("patternProperties").names() {
			yield(text, at+"/patternProperties")
		}
	}
	for _, k := range o.keys {
		switch keywordKinds[k] {
		case oneSchema:
			eachPattern(o.values[k], at+"/"+k, yield)
		case schemaList:
			list, _ := o.values[k].([]any)
			for i, sub := range list {
				eachPattern(sub, fmt.Sprintf("%s/%s/%d", at, k, i), yield)
			}
		case schemaMap:
			for _, name := range o.object(k).names() {
				eachPattern(o.object(k).values[name], at+"/"+k+"/"+name, yield)
			}
		}
	}
}
