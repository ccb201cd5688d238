package ts

// This file writes a JSON value as a type.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Value writes a JSON value as the type that has no other value: a literal, a tuple, an object of
// such. So a value is held against a type without widening and without the rule for fresh object
// literals. A number is written as a double reads it; one that no double holds is number. The error
// is that of malformed JSON.
func Value(raw []byte) (string, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return "", fmt.Errorf("typescript: not a JSON value: %w", err)
	}
	return valueType(v), nil
}

func valueType(v any) string {
	var parts []string
	switch v := v.(type) {
	case string:
		return quote(v)
	case json.Number:
		return numberType(v)
	case []any:
		for _, e := range v {
			parts = append(parts, valueType(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, quote(k)+": "+valueType(v[k]))
		}
		return "{ " + strings.Join(parts, "; ") + " }"
	case bool:
		return fmt.Sprint(v)
	}
	return "null"
}

func numberType(n json.Number) string {
	f, err := n.Float64()
	if err != nil {
		return "number"
	}
	raw, err := json.Marshal(f)
	if err != nil {
		return "number"
	}
	return string(raw)
}
