package contract

// This file reads the root of a schema of arguments: which it names, and whether it takes others. The
// Gate, the generator and the comparison of two versions must agree on both.

import (
	"encoding/json"
	"maps"
	"slices"
)

// PropertyNames are the names under "properties" at the root of a schema, sorted; none for what is no
// object schema. What a reference or an alternative adds is not among them.
func PropertyNames(schema json.RawMessage) []string {
	var root struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(schema, &root) != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(root.Properties))
}

// ClosedParams is a schema of arguments that takes those it names and no others, as its declaration
// does. A schema is open unless it says otherwise (JSON Schema 2020-12, core, 10.3.2.3); a misspelt
// filter would go through it and be dropped. One whose root names its arguments elsewhere stays as it is.
func ClosedParams(params json.RawMessage) json.RawMessage {
	var root map[string]json.RawMessage
	if json.Unmarshal(params, &root) != nil || root["properties"] == nil {
		return params
	}
	for _, word := range []string{"additionalProperties", "unevaluatedProperties", "patternProperties", "$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"} {
		if root[word] != nil {
			return params
		}
	}
	root["additionalProperties"] = json.RawMessage("false")
	out, err := json.Marshal(root)
	if err != nil {
		return params
	}
	return out
}
