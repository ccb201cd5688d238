package schema

// This file collects what a schema says beside its type.

import (
	"encoding/json"
	"slices"
	"strings"
)

// constraintKeywords in the order they are told, and their places in it. Const, enum, required and the like
// are the type's.
var constraintKeywords = []string{"format", "pattern", "minLength", "maxLength", "minimum", "exclusiveMinimum", "maximum",
	"exclusiveMaximum", "multipleOf", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties",
	"contentEncoding", "contentMediaType", "readOnly", "writeOnly"}

var constraintRank = func() map[string]int {
	out := map[string]int{}
	for i, k := range constraintKeywords {
		out[k] = i
	}
	return out
}()

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
	for k := range m { // most schemas have few keywords, and none of these
		if _, ok := constraintRank[k]; !ok {
			continue
		}
		if text := constraintText(bound(m, k)); text != "" {
			d.Constraints = append(d.Constraints, Constraint{k, text})
		}
	}
	slices.SortFunc(d.Constraints, func(a, b Constraint) int { return constraintRank[a.Keyword] - constraintRank[b.Keyword] })
	if text := conditionText(m); text != "" {
		d.Constraints = append(d.Constraints, Constraint{conditionWord, text})
	}
	return d
}

// bound reads a keyword; of OpenAPI 3.0, where exclusiveMinimum is a switch beside minimum, as the
// later drafts have it.
func bound(m map[string]any, word string) any {
	for _, pair := range [][2]string{{"minimum", "exclusiveMinimum"}, {"maximum", "exclusiveMaximum"}} {
		switch {
		case !isTrue(m[pair[1]]):
		case word == pair[0]:
			return nil
		case word == pair[1]:
			return m[pair[0]]
		}
	}
	return m[word]
}

// conditionWord is the keyword under which a condition is told that is no type; a schema may have
// several.
const conditionWord = "if"

// conditionText says what an if with nothing but required keys in then and else asks for:
// "kind is "card": needs number, else needs iban".
func conditionText(m map[string]any) string {
	cond, ok := m["if"].(map[string]any)
	if !ok || !onlyRequiring(m) {
		return ""
	}
	var when []string
	props, _ := cond["properties"].(map[string]any)
	for _, name := range sortedKeys(props) {
		p, _ := props[name].(map[string]any)
		if v, ok := p["const"]; ok {
			when = append(when, name+" is "+string(compact(v)))
		} else if list, ok := p["enum"].([]any); ok {
			when = append(when, name+" is one of "+string(compact(list)))
		} else {
			when = append(when, name+" fits "+string(compact(props[name])))
		}
	}
	for _, name := range sortedKeys(requiredKeys(cond)) {
		if _, ok := props[name]; !ok {
			when = append(when, name+" is given")
		}
	}
	if len(when) == 0 {
		when = []string{"it fits " + string(compact(cond))}
	}
	var then []string
	for _, branch := range []struct{ word, text string }{{"then", "needs "}, {"else", "else needs "}} {
		if sub, ok := m[branch.word].(map[string]any); ok {
			then = append(then, branch.text+strings.Join(sortedKeys(requiredKeys(sub)), ", "))
		}
	}
	return strings.Join(when, " and ") + ": " + strings.Join(then, ", ")
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
