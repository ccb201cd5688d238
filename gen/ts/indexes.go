package ts

// This file writes index signatures: what the keys have that no property names. TypeScript wants every
// property and every narrower signature to fit one that covers it, so a signature is widened by small
// property types and gives up on large ones.

import (
	"slices"
	"strings"

	"codemode/gen/schema"
)

// indexes writes one signature a text pattern, and one for all other keys. Patterns that are more than
// text, or of which one covers another, are taken together as speaking of any key.
func (p printer) indexes(t *schema.Type, indent int) []string {
	apart := separable(t.Patterns)
	var out []string
	var anyKey, patterns []*schema.Type
	for _, pattern := range t.Patterns {
		patterns = append(patterns, pattern.Type)
		if !apart || pattern.Keys == nil {
			anyKey = append(anyKey, pattern.Type)
			continue
		}
		out = append(out, p.index(templateKey(pattern), []*schema.Type{pattern.Type}, t.Properties, pattern.Keys.Match, indent))
	}
	if t.Additional != nil {
		anyKey = append(anyKey, t.Additional)
	}
	if len(anyKey) > 0 {
		every := func(string) bool { return true }
		types := slices.Concat(anyKey, patterns)
		out = append(out, p.index("string", types, t.Properties, every, indent))
	}
	return out
}

// separable reports whether patterns may stand as signatures side by side: where one covers another,
// TypeScript would want their types to fit, and JSON Schema has both apply.
func separable(patterns []schema.Pattern) bool {
	for i, a := range patterns {
		for _, b := range patterns[i+1:] {
			if a.Keys != nil && b.Keys != nil && (covers(a, b) || covers(b, a)) {
				return false
			}
		}
	}
	return true
}

// covers reports whether all keys of the pattern under are keys of over.
func covers(over, under schema.Pattern) bool {
	return over.Keys.Match(strings.Join(under.Keys, "\x00")) // no key in earnest
}

// templateKey writes a text pattern as a template literal type.
func templateKey(p schema.Pattern) string {
	parts := make([]string, len(p.Keys))
	for i, text := range p.Keys {
		quoted := quote(text)
		parts[i] = strings.NewReplacer("`", "\\`", "$", `\$`).Replace(quoted[1 : len(quoted)-1])
	}
	return "`" + strings.Join(parts, "${string}") + "`"
}

// index writes one signature: its types, and those of the properties that it covers.
func (p printer) index(key string, types []*schema.Type, props []schema.Property, covered func(string) bool, indent int) string {
	texts := map[string]bool{}
	var parts []string
	add := func(s string) {
		if !texts[s] {
			texts[s] = true
			parts = append(parts, s)
		}
	}
	for _, e := range types {
		add(p.text(e, indent+1))
	}
	for _, prop := range props {
		if !covered(prop.Name) {
			continue
		}
		if !isSmall(prop.Type) || inherited[prop.Name] {
			texts["unknown"] = true
			break
		}
		add(p.text(prop.Type, indent+1))
		if !prop.Required {
			add("undefined")
		}
	}
	if texts["unknown"] {
		return "[key: " + key + "]: unknown"
	}
	if len(parts) > 1 {
		parts = slices.DeleteFunc(parts, func(s string) bool { return s == "never" })
	}
	return "[key: " + key + "]: " + strings.Join(parts, " | ")
}

// isSmall reports whether a type is short enough to stand a second time in an index signature.
func isSmall(t *schema.Type) bool {
	switch t.Kind {
	case schema.Object, schema.Tuple, schema.Intersection:
		return false
	case schema.Array:
		return isSmall(t.Elem)
	case schema.Union:
		return len(t.Members) <= 4 && !slices.ContainsFunc(t.Members, func(m *schema.Type) bool { return !isSmall(m) })
	}
	return true
}
