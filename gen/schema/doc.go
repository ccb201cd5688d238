package schema

// This file collects what a schema says beside its type.

import (
	"encoding/json"
)

// constraintKeywords in the order they are told. Const, enum, required and the like are the type's.
var constraintKeywords = []string{"format", "pattern", "minLength", "maxLength", "minimum", "exclusiveMinimum", "maximum",
	"exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties",
	"contentEncoding", "contentMediaType", "readOnly", "writeOnly"}

// docOf reads the annotations and constraints of a schema. Keywords with values of the wrong type
// are left out: they say nothing.
func docOf(m map[string]any) Doc {
	d := Doc{Title: stringOf(m["title"]), Description: stringOf(m["description"]), Deprecated: isTrue(m["deprecated"])}
	if v, ok := m["default"]; ok {
		d.Default = compact(v)
	}
	examples, _ := m["examples"].([]any)
	if v, ok := m["example"]; ok && len(examples) == 0 {
		examples = []any{v} // OpenAPI 3.0
	}
	for _, v := range examples {
		d.Examples = append(d.Examples, compact(v))
	}
	for _, k := range constraintKeywords {
		if text := constraintText(m[k]); text != "" {
			d.Constraints = append(d.Constraints, Constraint{k, text})
		}
	}
	return d
}

func constraintText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return string(v)
	case bool:
		if v {
			return "true"
		}
	}
	return ""
}

func stringOf(v any) string {
	s, _ := v.(string)
	return s
}
