package contract_test

import (
	"encoding/json"
	"slices"
	"testing"

	"codemode/directory/contract"
)

func TestClosedParams(t *testing.T) {
	for params, want := range map[string]string{
		`{"type":"object","properties":{"a":{}}}`:                   `{"additionalProperties":false,"properties":{"a":{}},"type":"object"}`,
		`{"properties":{}}`:                                         `{"additionalProperties":false,"properties":{}}`,
		`{"properties":{"a":{}},"additionalProperties":true}`:       "",
		`{"properties":{"a":{}},"patternProperties":{"^x-":{}}}`:    "",
		`{"properties":{"a":{}},"anyOf":[{"properties":{"b":{}}}]}`: "",
		`{"type":"object"}`:                                         "",
		`true`:                                                      "",
		`{"properties":{"a":{"properties":{"b":{}}}},"$defs":{"x":{}},"$ref":"#/$defs/x"}`: "",
	} {
		if want == "" {
			want = params
		}
		if got := string(contract.ClosedParams(json.RawMessage(params))); got != want {
			t.Errorf("ClosedParams(%s) = %s, want %s", params, got, want)
		}
	}
}

func TestPropertyNames(t *testing.T) {
	for schema, want := range map[string][]string{
		`{"properties":{"b":{},"a":true}}`: {"a", "b"},
		`{"type":"object"}`:                nil,
		`{"properties":["a"]}`:             nil,
		`true`:                             nil,
		``:                                 nil,
	} {
		if got := contract.PropertyNames(json.RawMessage(schema)); !slices.Equal(got, want) {
			t.Errorf("PropertyNames(%s) = %v, want %v", schema, got, want)
		}
	}
}
