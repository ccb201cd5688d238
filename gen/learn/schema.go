package learn

// This file derives a schema from a shape.

import (
	"encoding/json"
	"maps"
	"slices"
)

const (
	// atLeast is how often something must have been seen before "always" is believed.
	atLeast = 5
	// An object is a map when it has at least manyKeys keys over atLeast objects and none of them is in
	// more than half; or when one of its keys is data.
	manyKeys = 20
	// maxSchema caps a schema, in bytes; a longer one says less of what lies deep.
	maxSchema = 64 << 10
)

// Schema describes every result that was observed. It is true, for unknown, where little was.
func (s *Shape) Schema() json.RawMessage {
	for depth := maxDepth + 1; depth >= 0; depth-- {
		raw, err := json.Marshal(s.root.schema(depth, true))
		if err != nil {
			break // made of strings and maps: it cannot fail
		}
		if len(raw) <= maxSchema {
			return raw
		}
	}
	return json.RawMessage("true")
}

// HoldsText reports that every result was text that is itself a JSON object or array.
func (s *Shape) HoldsText() bool { return s.root.Values > 0 && s.root.Text == s.root.Values }

// schema is what was seen, to a depth. Maps become JSON with sorted keys.
func (n *node) schema(depth int, root bool) any {
	if n == nil || n.Values == 0 || depth < 0 {
		return true
	}
	if n.Null == n.Values {
		if root && n.Values >= atLeast {
			return map[string]any{"type": "null"}
		}
		return true
	}
	var plain []string
	var members []any
	for _, one := range []struct {
		seen bool
		as   any
	}{
		{n.Boolean > 0, "boolean"}, {n.Whole+n.Number > 0, n.numeric()}, {n.String > 0, n.text()},
		{n.Array > 0, n.array(depth)}, {n.Object > 0, n.object(depth)}, {n.Null > 0, "null"},
	} {
		switch as := one.as.(type) {
		case string:
			if one.seen {
				plain = append(plain, as)
			}
		case bool:
			if one.seen {
				return true
			}
		default:
			if one.seen {
				members = append(members, as)
			}
		}
	}
	return union(plain, members)
}

// union joins plain types and longer schemas.
func union(plain []string, members []any) any {
	switch {
	case len(members) == 0 && len(plain) == 1:
		return map[string]any{"type": plain[0]}
	case len(members) == 0:
		return map[string]any{"type": plain}
	case len(plain) == 0 && len(members) == 1:
		return members[0]
	}
	for _, name := range plain {
		members = append(members, map[string]any{"type": name})
	}
	return map[string]any{"anyOf": members}
}

// numeric is a type, a schema for integers that a double may round, or true where those stand beside
// fractions or fit no format.
func (n *node) numeric() any {
	switch {
	case n.Past > 0 && (n.Number > 0 || n.TooFar > 0 || n.Over > 0 && n.Minus > 0):
		return true
	case n.Over > 0:
		return map[string]any{"type": "integer", "format": "uint64"}
	case n.Past > 0:
		return map[string]any{"type": "integer", "format": "int64"}
	case n.Number == 0 && n.Whole >= atLeast:
		return "integer"
	}
	return "number"
}

func (n *node) text() any {
	if n.Text == n.String && n.Text > 0 {
		return map[string]any{"type": "string", "contentMediaType": "application/json"}
	}
	return "string"
}

func (n *node) array(depth int) any {
	if n.Items == nil || n.Sealed > 0 {
		return map[string]any{"type": "array"}
	}
	items := n.Items.schema(depth-1, false)
	if items == true {
		return map[string]any{"type": "array"}
	}
	return map[string]any{"type": "array", "items": items}
}

func (n *node) object(depth int) any {
	out := map[string]any{"type": "object"}
	switch {
	case n.Sealed > 0 || depth == 0:
	case n.isMap():
		if values := n.together().schema(depth-1, false); values != true {
			out["additionalProperties"] = values
		}
	case len(n.Keys) > 0:
		properties := map[string]any{}
		required := []string{}
		for _, k := range slices.Sorted(maps.Keys(n.Keys)) {
			properties[k] = n.Keys[k].schema(depth-1, false)
			if n.Keys[k].Values == n.Object && n.Object >= atLeast {
				required = append(required, k)
			}
		}
		out["properties"] = properties
		if len(required) > 0 {
			out["required"] = required
		}
	}
	return out
}

// isMap applies the rule above.
func (n *node) isMap() bool {
	if n.Rest != nil {
		return true
	}
	if n.Object < atLeast || len(n.Keys) < manyKeys {
		return false
	}
	for _, v := range n.Keys {
		if 2*v.Values > n.Object {
			return false
		}
	}
	return true
}
