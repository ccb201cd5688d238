package directory

import (
	"encoding/json"
	"slices"
	"testing"
)

// Braces are slots where the row says whose names they are, and never beside numbered slots.
func TestNamedParams(t *testing.T) {
	const schema = `{"properties":{"id":{},"a.b":{},"not ok":{},"text":{}}}`
	tests := []struct {
		name string
		row  Row
		want []string
	}{
		{"schema", Row{Type: HTTP, Target: "GET https://h/{id}?k=$KEY", InputSchema: json.RawMessage(schema)}, []string{"a.b", "id", "text"}},
		{"schema and target", Row{Type: HTTP, Target: "GET https://h/{id}/{other}", InputSchema: json.RawMessage(schema)}, []string{"a.b", "id", "text", "other"}},
		{"target alone", Row{Type: HTTP, Target: "GET https://h/{x}/{y}"}, []string{"x", "y"}},
		{"target alone, with a secret", Row{Type: HTTP, Target: "GET https://h/{x}?k=$KEY"}, nil},
		{"header alone", Row{Type: HTTP, Target: "GET https://h/", Headers: map[string]string{"X": "{id}"}, InputSchema: json.RawMessage(schema)}, []string{"a.b", "id", "text"}},
		{"numbered", Row{Type: HTTP, Target: "GET https://h/$1?x={id}", InputSchema: json.RawMessage(schema)}, nil},
		{"numbered in the content", Row{Type: HTTP, Target: "POST https://h/{id}", Template: `{"a":"$$1"}`, InputSchema: json.RawMessage(schema)}, nil},
		{"no braces", Row{Type: HTTP, Target: "GET https://h/", InputSchema: json.RawMessage(schema)}, nil},
		{"another type", Row{Type: Fn, Template: `["{id}"]`, InputSchema: json.RawMessage(schema)}, nil},
		{"no object schema", Row{Type: HTTP, Target: "GET https://h/?k=$KEY&x={id}", InputSchema: json.RawMessage(`[1]`)}, nil},
	}
	for _, tt := range tests {
		src, _ := tt.row.Source()
		if !slices.Equal(src.Params, tt.want) {
			t.Errorf("%s: params %q, want %q", tt.name, src.Params, tt.want)
		}
	}
	row := Row{Type: HTTP, TargetMap: map[string]Operation{"o": {Target: "GET https://h/{id}?k=$KEY", InputSchema: json.RawMessage(schema)}}}
	if src, err := row.OperationSource("o"); err != nil || !slices.Contains(src.Params, "id") {
		t.Errorf("an operation's params %q, %v", src.Params, err)
	}
}
