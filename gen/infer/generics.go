package infer

// This file reads types that take others in brackets: "List[int]", "Optional<string>", "enum(a, b)".

import (
	"encoding/json"
	"slices"
	"strings"
)

// generics are the words that take types in brackets.
var generics = strings.Fields(`optional union literal list array sequence iterable set tuple dict map mapping record object enum`)

// opening takes the bracket after a generic's word and returns the one that closes it.
func (p *typeParser) opening(word string) string {
	switch {
	case !slices.Contains(generics, word):
		return ""
	case word != "enum" && strings.HasPrefix(p.rest, "[") && !strings.HasPrefix(p.rest, "[]") && p.take("["):
		return "]"
	case p.take("<"):
		return ">"
	case word == "enum" && p.take("["):
		return "]"
	case (word == "enum" || slices.Contains([]string{"list", "array", "set", "tuple", "sequence", "dict", "optional"}, word)) && p.take("("):
		return ")"
	}
	return ""
}

func (p *typeParser) generic(word, closing string, depth int) (typeText, bool) {
	if word == "enum" || word == "literal" {
		return p.enum(closing)
	}
	var args []typeText
	for {
		t, ok := p.union(depth + 1)
		if !ok || len(args) > 50 {
			return typeText{}, false
		}
		args = append(args, t)
		if p.take(closing) {
			return applyGeneric(word, args)
		}
		if !p.take(",") {
			return typeText{}, false
		}
		if p.take("...") && p.take(closing) { // Tuple[int, ...]
			return typeText{schema: arrayOf(args[0].schema)}, true
		}
	}
}

func applyGeneric(word string, args []typeText) (typeText, bool) {
	first := args[0].schema
	switch word {
	case "optional":
		t := unite([]typeText{args[0], {schema: obj("type", "null")}})
		t.optional = true
		return t, len(args) == 1
	case "union":
		return unite(args), true
	case "tuple":
		items := make([]any, len(args))
		for i, a := range args {
			items[i] = a.schema
		}
		return typeText{schema: obj("type", "array", "prefixItems", items, "items", false, "minItems", json.Number(itoa(len(args))))}, true
	case "dict", "map", "mapping", "record", "object":
		o := obj("type", "object")
		if last := args[len(args)-1].schema; last.len() > 0 {
			o.set("additionalProperties", last)
		}
		return typeText{schema: o}, len(args) <= 2
	}
	return typeText{schema: arrayOf(first)}, len(args) == 1
}

// enum reads the values of "enum(a, b)" and "Literal['a', 1]" up to the closing bracket.
func (p *typeParser) enum(closing string) (typeText, bool) {
	inner, rest, ok := strings.Cut(p.rest, closing)
	p.rest = rest
	values := splitValues(inner)
	if !ok || len(values) == 0 {
		return typeText{}, false
	}
	return typeText{schema: obj("enum", distinct(values))}, true
}
