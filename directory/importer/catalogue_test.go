package importer_test

// This file reads real lists that stand beside the project.

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"codemode/directory"
	"codemode/directory/importer"
)

func TestCatalogues(t *testing.T) {
	tests := []struct {
		file                       string
		rows, in, out, lists, args int
	}{
		{"mcp/docker_tools.jsonl", 755, 143, 0, 196, 556},
		{"bfcl/func_docs.jsonl", 128, 128, 128, 0, 0},
		{"livemcpbench/tools.json", 527, 527, 104, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "data", tt.file))
			if err != nil {
				t.Skipf("the data beside the project is absent: %v", err)
			}
			result, err := importer.Tools(bytes.NewReader(data), importer.Options{File: tt.file})
			if err != nil {
				t.Fatal(err)
			}
			var in, out, lists, args int
			given := schemas(t, data)
			for _, r := range result.Rows {
				in, out = in+has(r.InputSchema), out+has(r.OutputSchema)
				if len(r.Arguments) > 0 {
					lists, args = lists+1, args+len(r.Arguments)
				}
				if r.InputSchema != nil && !given[value(t, r.InputSchema)] {
					t.Errorf("%s has a schema that the list does not give", r.Key)
				}
			}
			if len(result.Rows) != tt.rows || in != tt.in || out != tt.out || lists != tt.lists || args != tt.args {
				t.Errorf("rows %d, schemas %d and %d, argument lists %d with %d arguments; want %+v", len(result.Rows), in, out, lists, args, tt)
			}
			for _, f := range result.Findings {
				t.Log(f)
				if f.Severity == directory.SeverityError {
					t.Errorf("an error in a sound list: %s", f)
				}
			}
			roundTrip(t, result.Rows)
		})
	}
}

func has(schema json.RawMessage) int { return min(1, len(schema)) }

// schemas are all the values in the data that stand where a schema stands, in one spelling.
func schemas(t *testing.T, data []byte) map[string]bool {
	out := map[string]bool{}
	var find func(v any)
	find = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, sub := range v {
				if name == "inputSchema" || name == "parameters" {
					raw, err := json.Marshal(sub)
					if err != nil {
						t.Fatal(err)
					}
					out[string(raw)] = true
				}
				find(sub)
			}
		case []any:
			for _, sub := range v {
				find(sub)
			}
		}
	}
	for dec := json.NewDecoder(bytes.NewReader(data)); dec.More(); {
		var v any
		if err := dec.Decode(&v); err != nil {
			t.Fatal(err)
		}
		find(v)
	}
	if reflect.DeepEqual(out, map[string]bool{}) {
		t.Fatal("the data has no schemas")
	}
	return out
}

func value(t *testing.T, raw json.RawMessage) string {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(again)
}
