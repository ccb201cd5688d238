package diff

// This file holds what the meaning of a schema depends on beside itself: the dialect that it is written
// in, and the places that references lead to.

import (
	"slices"
	"strconv"
	"strings"

	"codemode/directory/contract"
)

// dialect is what a document's $schema says.
type dialect struct {
	name string // "" for 2020-12, the default
	// legacy is a draft before 2019-09, where what stands beside $ref does not count.
	legacy bool
	// old is one before 2020-12: prefixItems is no keyword of it.
	old bool
	// unknown is one whose keywords may mean anything.
	unknown bool
}

func dialectOf(v any) dialect {
	if v == nil {
		return dialect{}
	}
	text, _ := v.(string)
	_, path, _ := strings.Cut(strings.TrimSuffix(text, "#"), "://")
	switch name, _ := strings.CutPrefix(path, "json-schema.org/"); name {
	case "draft/2020-12/schema":
		return dialect{}
	case "draft/2019-09/schema":
		return dialect{name: name, old: true}
	case "draft-06/schema", "draft-07/schema":
		return dialect{name: name, old: true, legacy: true}
	}
	return dialect{name: string(canonical(v)), old: true, legacy: strings.Contains(text, "draft-0"), unknown: true}
}

// sum digests the document, such that two with one digest mean the same at every pointer. Annotations are
// left out only where every reference is a pointer to a schema that stays: else one may lead into an
// annotation, or depend on an identifier.
func (d *document) sum() string {
	if !d.scattered && d.refersToSchemas(d.root) {
		return contract.Digest(canonical(stripped(d.root)))
	}
	return contract.Digest(append([]byte("as written "), canonical(d.root)...))
}

// refersToSchemas looks at whatever may be a reference, also inside values and annotations.
func (d *document) refersToSchemas(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for k, sub := range v {
			ref, isText := sub.(string)
			switch {
			case isText && k == "$ref":
				at, local := localPointer(ref)
				if !local || at != rootRef && !holdsSchema(d.root, at) {
					return false
				}
			case isText && (k == "$dynamicRef" || k == "$recursiveRef"), !d.refersToSchemas(sub):
				return false
			}
		}
	case []any:
		return !slices.ContainsFunc(v, func(sub any) bool { return !d.refersToSchemas(sub) })
	}
	return true
}

// holdsSchema reports whether a pointer leads to a schema by keywords that hold schemas alone.
func holdsSchema(v any, at string) bool {
	tokens := strings.Split(at[1:], "/")
	for i := 0; i < len(tokens); i++ {
		m, _ := v.(map[string]any)
		k := contract.UnescapeToken(tokens[i])
		list, isList := m[k].([]any)
		named, isMap := m[k].(map[string]any)
		one, several, byName := contract.KeywordHolds(k)
		switch {
		case byName && isMap && i+1 < len(tokens):
			i++
			v = named[contract.UnescapeToken(tokens[i])]
		case isAnnotation(k):
			return false
		case several && isList && i+1 < len(tokens):
			i++
			n, err := strconv.Atoi(tokens[i])
			if err != nil || n < 0 || n >= len(list) || strconv.Itoa(n) != tokens[i] {
				return false
			}
			v = list[n]
		case one:
			v = m[k]
		default:
			return false
		}
	}
	switch v.(type) {
	case map[string]any, bool:
		return true
	}
	return false
}
