package infer_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codemode/directory"
	"codemode/gen/infer"
)

// TestSensitivePointers: a name that leads nowhere is an error that says what is near; one that may lead
// somewhere is not.
func TestSensitivePointers(t *testing.T) {
	const closed = `{"type":"object","properties":{"user":{"type":"string"},"password":{"type":"string"},"a/b":{"type":"string"},
		"card":{"$ref":"#/$defs/card"},"cards":{"type":"array","items":{"$ref":"#/$defs/card"}},"any":{},"map":{"type":"object","additionalProperties":{"type":"object","properties":{"n":{"type":"string"}}}}},
		"additionalProperties":false,"$defs":{"card":{"type":"object","properties":{"number":{"type":"string"}},"additionalProperties":false}}}`
	for _, tt := range []struct {
		name, schema, want string
		kept               []string
	}{
		{"password", closed, "", []string{"/password"}},
		{"/password", closed, "", []string{"/password"}},
		{"a/b", closed, "", []string{"/a~1b"}},
		{"/a~1b", closed, "", []string{"/a~1b"}},
		{"/card/number", closed, "", []string{"/card/number"}},
		{"/cards/0", closed, "", []string{"/cards/0"}},
		{"/cards/*/number", closed, "", []string{"/cards/*/number"}},
		{"/any/thing/below", closed, "", []string{"/any/thing/below"}},
		{"/map/x/n", closed, "", []string{"/map/x/n"}},
		{"/pasword", closed, `"/pasword" names no argument; did you mean "password"?`, nil},
		{"", closed, `"" is all of the arguments together; name each that is sensitive; known are "user", "password", "a/b", "card", "cards", "any", "map"`, nil},
		{"/", closed, `"/" names no argument; known are "user", "password", "a/b", "card", "cards", "any", "map"`, nil},
		{"/~2", closed, `"/~2" is no JSON Pointer; write ~0 for ~ and ~1 for / in a name`, nil},
		{"/pass%77ord", closed, `"/pass%77ord" names no argument; did you mean "password"?`, nil},
		{"/card/numbr", closed, `"/card/numbr" names no argument; did you mean "number"?`, []string{"/card/numbr"}},
		{"/cards/number", closed, `"/cards/number" names a member of what is a list; did you mean "/cards/*/number", for all its items?`, []string{"/cards/number"}},
		{"/map/x/m", closed, `"/map/x/m" names no argument; known are "n"`, []string{"/map/x/m"}},
		{"/user/name", closed, `"/user/name" names no argument; there are none; remove it`, []string{"/user/name"}},
		{"token", `{"type":"object","additionalProperties":true}`, "", []string{"/token"}},
		{"token", `{"type":"object","properties":{"x":{}},"additionalProperties":true}`, "", []string{"/token"}},
		{"tokne", `{"type":"object","properties":{"token":{}},"additionalProperties":true}`, `"tokne" names no argument; did you mean "token"?`, nil},
	} {
		contracts, diagnostics := infer.Infer(directory.Row{Key: "K", Type: directory.MCP, Target: "s", Description: "d", WhenToUse: "w", InputSchema: json.RawMessage(tt.schema), Sensitive: []string{tt.name}}, infer.Options{})
		if d := cmp.Diff(tt.kept, contracts[0].Sensitive); d != "" {
			t.Errorf("%s: %s", tt.name, d)
		}
		if got := sensitiveErrors(diagnostics); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

func sensitiveErrors(diagnostics []infer.Diagnostic) string {
	var out []string
	for _, d := range diagnostics {
		if d.Field == "sensitive" && d.Severity == directory.SeverityError {
			out = append(out, d.Message+"; "+d.Hint)
		}
	}
	return strings.Join(out, "\n")
}

// TestSensitiveOfOperations: the list is for all operations; a name that any of them has is right.
func TestSensitiveOfOperations(t *testing.T) {
	row := directory.Row{Key: "SHOP", Type: directory.HTTP, Description: "d", WhenToUse: "w", Sensitive: []string{"card", "toekn"}, TargetMap: map[string]directory.Operation{
		"get": {Target: "GET https://shop.example/$1", InputSchema: json.RawMessage(`{"type":"object","properties":{"id":{}}}`)},
		"pay": {Target: "POST https://shop.example/$1", InputSchema: json.RawMessage(`{"type":"object","properties":{"card":{},"token":{}}}`)},
	}}
	_, diagnostics := infer.Infer(row, infer.Options{})
	if got, want := sensitiveErrors(diagnostics), `"toekn" names no argument; did you mean "token"?`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
