package infer_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"codemode/directory"
	"codemode/gen/infer"
)

// No value that a keyword cannot have goes without a remark, at any depth, in arguments or results.
func TestMalformedKeywordsAreTold(t *testing.T) {
	wrong := map[string][]string{
		"minLength": {`"x"`, `-1`, `1.5`, `null`, `[]`}, "maxLength": {`-1`, `"5"`, `{}`}, "minItems": {`-1`, `true`}, "maxItems": {`"x"`}, "minProperties": {`-2`}, "maxProperties": {`"x"`},
		"minimum": {`"1"`, `[]`}, "maximum": {`{}`}, "exclusiveMinimum": {`"1"`}, "multipleOf": {`0`, `-1`, `"2"`}, "pattern": {`5`, `[]`, `"("`, `"(?!x)"`, `"^(a{1000}){2}$"`, `"\\cA"`},
		"format": {`5`}, "enum": {`"safe"`, `[]`, `{}`}, "uniqueItems": {`"yes"`}, "required": {`"a"`, `[1]`, `{}`}, "properties": {`5`, `"x"`}, "patternProperties": {`5`, `{"(?<=a)b":{}}`},
		"additionalProperties": {`5`, `"frobnicate"`}, "items": {`5`}, "prefixItems": {`{}`, `[]`}, "allOf": {`{}`, `[]`, `[5]`}, "anyOf": {`"x"`}, "oneOf": {`[]`}, "not": {`5`}, "if": {`[]`}, "then": {`5`},
		"type": {`5`, `"frobnicate"`, `{}`, `["string","frobnicate"]`}, "$ref": {`5`, `"#/$defs/nothing"`, `"https://a.example/s"`}, "dependentRequired": {`5`, `{"a":"b"}`}, "dependentSchemas": {`5`}, "$defs": {`5`},
		"contains": {`5`}, "minContains": {`-1`}, "propertyNames": {`5`}, "description": {`5`}, "title": {`[]`}, "deprecated": {`"yes"`}, "$anchor": {`5`}, "dependencies": {`5`}, "nullable": {`"yes"`},
	}
	for keyword, values := range wrong {
		for _, value := range values {
			sub := fmt.Sprintf(`{%q:%s}`, keyword, value)
			for _, doc := range []string{`{"type":"object","properties":{"a":%s}}`, `{"type":"object","properties":{"a":{"type":"array","items":{"anyOf":[%s,{"type":"null"}]}}}}`, `{"type":"object","$defs":{"d":{"type":"object","properties":{"x":%s}}},"properties":{"a":{"$ref":"#/$defs/d"}}}`} {
				schema := json.RawMessage(fmt.Sprintf(doc, sub))
				_, params := infer.Infer(directory.Row{Key: "K", Type: directory.MCP, InputSchema: schema}, infer.Options{})
				_, result := infer.Infer(directory.Row{Key: "K", Type: directory.MCP, OutputSchema: schema}, infer.Options{})
				if !tells(params, "params") || !tells(result, "result") {
					t.Errorf("%s: params %v, result %v", schema, params, result)
				}
			}
		}
	}
}

func tells(ds []infer.Diagnostic, field string) bool {
	for _, d := range ds {
		if strings.HasPrefix(d.Field, field) {
			return true
		}
	}
	return false
}
