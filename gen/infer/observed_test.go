package infer_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/gen/infer"
)

func TestObservedResults(t *testing.T) {
	seen := func(n int, schema string) map[string]directory.Observation {
		return map[string]directory.Observation{"": {Results: n, Schema: json.RawMessage(schema)}}
	}
	const note = "the result type is observed from 12 recorded results, not declared; others may come"
	for _, tt := range []struct {
		name   string
		row    directory.Row
		result string
		from   contract.Provenance
		noted  bool
	}{
		{"undeclared", directory.Row{Observed: seen(12, `{"type":"string"}`)}, `{"type":"string"}`, contract.FromObserved, true},
		{"declared by a schema", directory.Row{Observed: seen(12, `{"type":"string"}`), OutputSchema: json.RawMessage(`{"type":"integer"}`)}, `{"type":"integer"}`, contract.FromSchema, false},
		{"declared in words", directory.Row{Observed: seen(12, `{"type":"string"}`), Docs: directory.Docs{Returns: []string{"{id: integer}"}}}, "", contract.FromArgs, false},
		{"nothing seen", directory.Row{Observed: seen(12, `true`)}, `true`, contract.FromNone, false},
		{"no schema", directory.Row{Observed: seen(12, `{`)}, `true`, contract.FromNone, false},
		{"of another operation", directory.Row{Observed: map[string]directory.Observation{"x": {Results: 1, Schema: json.RawMessage(`{"type":"string"}`)}}}, `true`, contract.FromNone, false},
	} {
		tt.row.Key, tt.row.Type, tt.row.Target = "A", directory.MCP, "s"
		cs, _ := infer.Infer(tt.row, infer.Options{})
		c := cs[0]
		if c.Provenance["result"] != tt.from || tt.result != "" && string(c.Result) != tt.result || slices.Contains(c.Notes, note) != tt.noted {
			t.Errorf("%s: %s from %s, notes %q", tt.name, c.Result, c.Provenance["result"], c.Notes)
		}
	}
	many := directory.Row{Key: "A", Type: directory.HTTP, Observed: map[string]directory.Observation{"get": {Results: 1, Schema: json.RawMessage(`{"type":"string"}`)}},
		TargetMap: map[string]directory.Operation{"get": {Target: "GET https://a.example"}, "put": {Target: "PUT https://a.example"}}}
	cs, _ := infer.Infer(many, infer.Options{})
	if string(cs[0].Result) != `{"type":"string"}` || !strings.Contains(strings.Join(cs[0].Notes, "\n"), "observed from 1 recorded result,") || string(cs[1].Result) != `true` {
		t.Errorf("operations: %s with %q, %s", cs[0].Result, cs[0].Notes, cs[1].Result)
	}
}
