package invoke

// This file reads from a parameter's schema which JSON types it takes, and turns text into one of
// them.

import (
	"encoding/json"
	"slices"
	"strings"

	"codemode/directory/contract"
)

// typeNames reads "type": one name or several.
func typeNames(raw json.RawMessage) []string {
	var one string
	if json.Unmarshal(raw, &one) == nil && one != "" {
		return []string{one}
	}
	var many []string
	if json.Unmarshal(raw, &many) != nil {
		return nil
	}
	return many
}

// localRef follows "#/a/b" within the document (RFC 6901).
func localRef(root json.RawMessage, ref string) (json.RawMessage, bool) {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil, false
	}
	at := root
	for _, token := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		if path == "" {
			break
		}
		var members map[string]json.RawMessage
		if json.Unmarshal(at, &members) != nil {
			return nil, false
		}
		if at, ok = members[contract.UnescapeToken(token)]; !ok {
			return nil, false
		}
	}
	return at, true
}

// accepted are the JSON types that a parameter takes; none means any.
func accepted(c contract.Contract, name string) []string {
	var params struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(c.Params, &params) != nil {
		return nil
	}
	return typesOf(c.Params, params.Properties[name], 0)
}

func typesOf(root, schema json.RawMessage, depth int) []string {
	var s struct {
		Type  json.RawMessage   `json:"type"`
		Ref   string            `json:"$ref"`
		AnyOf []json.RawMessage `json:"anyOf"`
		OneOf []json.RawMessage `json:"oneOf"`
		Enum  []json.RawMessage `json:"enum"`
		Const json.RawMessage   `json:"const"`
	}
	if depth > maxSchemaDepth || json.Unmarshal(schema, &s) != nil {
		return nil
	}
	if types := typeNames(s.Type); len(types) > 0 {
		return types
	}
	if target, ok := localRef(root, s.Ref); ok {
		return typesOf(root, target, depth+1)
	}
	if s.Const != nil {
		s.Enum = append(s.Enum, s.Const)
	}
	var out []string
	for _, value := range s.Enum {
		out = append(out, typeOf(value))
	}
	for _, branch := range append(s.AnyOf, s.OneOf...) {
		types := typesOf(root, branch, depth+1)
		if len(types) == 0 {
			return nil
		}
		out = append(out, types...)
	}
	return out
}

// typeOf is the JSON type of a value.
func typeOf(raw json.RawMessage) string {
	switch text := strings.TrimSpace(string(raw)); {
	case text == "null":
		return "null"
	case text == "true" || text == "false":
		return "boolean"
	case strings.HasPrefix(text, "{"):
		return "object"
	case strings.HasPrefix(text, "["):
		return "array"
	case strings.HasPrefix(text, `"`):
		return "string"
	case strings.ContainsAny(text, ".eE"):
		return "number"
	}
	return "integer"
}

// Coerce fits a value to the types that a parameter of the contract takes, the way the stringly
// surfaces mean it: "10" is 10 where only a number fits, and 10 is "10" where only a string does. A
// value that fits, or that nothing can be made of, stays as it is; validation judges it.
func Coerce(c contract.Contract, param string, value json.RawMessage) json.RawMessage {
	types := accepted(c, param)
	if len(types) == 0 || fits(types, typeOf(value)) {
		return value
	}
	text := textOf(value)
	if typeOf(value) != "string" {
		if slices.Contains(types, "string") {
			return encodeText(text)
		}
		return value
	}
	if trimmed := strings.TrimSpace(text); json.Valid([]byte(trimmed)) && fits(types, typeOf(json.RawMessage(trimmed))) {
		return json.RawMessage(trimmed)
	}
	return value
}

func fits(types []string, have string) bool {
	return slices.Contains(types, have) || have == "integer" && slices.Contains(types, "number")
}
