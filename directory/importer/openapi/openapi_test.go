package openapi_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codemode/directory"
	"codemode/directory/importer"
	"codemode/directory/importer/openapi"
)

const head = `{"openapi":"3.0.3","info":{"title":"The API, v1!","version":"1"},"servers":[{"url":"https://h.example/v1/"}],`

func read(t *testing.T, doc string, opts openapi.Options) *importer.Result {
	t.Helper()
	result, err := openapi.Import(strings.NewReader(doc), opts)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// one is the row of a document that has one operation, "POST /x".
func one(t *testing.T, operation, components string) (directory.Row, *importer.Result) {
	t.Helper()
	result := read(t, head+`"paths":{"/x":{"post":`+operation+`}},"components":`+components+`}`, openapi.Options{Server: "s"})
	if len(result.Rows) != 1 {
		t.Fatalf("%d rows, findings %v", len(result.Rows), result.Findings)
	}
	return result.Rows[0], result
}

func body(schema string) string {
	return `{"operationId":"o","requestBody":{"required":true,"content":{"application/json":{"schema":` + schema + `}}},"responses":{}}`
}

func TestBodies(t *testing.T) {
	const plain = `"properties":{"a":{"type":"string"},"b":{"type":"integer"}}`
	tests := []struct{ name, operation, content, input string }{
		{"plain object", body(`{"type":"object","required":["a"],` + plain + `}`), `{"a":{a},"b":{b}}`,
			`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["a"],"additionalProperties":false}`},
		{"open object", body(`{"type":"object","additionalProperties":true,` + plain + `}`), `{body}`,
			`{"type":"object","properties":{"body":{"type":"object","additionalProperties":true,` + plain + `}},"required":["body"],"additionalProperties":false}`},
		{"one of", body(`{"oneOf":[{"type":"string"},{"type":"integer"}]}`), `{body}`,
			`{"type":"object","properties":{"body":{"oneOf":[{"type":"string"},{"type":"integer"}]}},"required":["body"],"additionalProperties":false}`},
		{"no schema", `{"operationId":"o","requestBody":{"content":{"application/json":{}}},"responses":{}}`, `{body}`,
			`{"type":"object","properties":{"body":{}},"additionalProperties":false}`},
		{"optional with something required", `{"operationId":"o","requestBody":{"content":{"application/json":{"schema":{"type":"object","required":["a"],` + plain + `}}}},"responses":{}}`, `{body}`,
			`{"type":"object","properties":{"body":{"type":"object","required":["a"],` + plain + `}},"additionalProperties":false}`},
		{"required and undeclared", body(`{"type":"object","required":["z"],` + plain + `}`), `{body}`,
			`{"type":"object","properties":{"body":{"type":"object","required":["z"],` + plain + `}},"required":["body"],"additionalProperties":false}`},
		{"nullable", body(`{"type":"object","nullable":true,` + plain + `}`), `{body}`,
			`{"type":"object","properties":{"body":{"type":"object","nullable":true,` + plain + `}},"required":["body"],"additionalProperties":false}`},
		{"form", `{"operationId":"o","requestBody":{"content":{"application/x-www-form-urlencoded":{"schema":{"type":"object","properties":{"a b":{"type":"string"},"l":{"type":"array","items":{}}}},"encoding":{"l":{"explode":false}}}}},"responses":{}}`,
			`form:a%20b={a_b}&l={l,}`, `{"type":"object","properties":{"a_b":{"type":"string"},"l":{"type":"array","items":{}}},"additionalProperties":false}`},
		{"JSON before forms and text", `{"operationId":"o","requestBody":{"content":{"text/plain":{},"application/x-www-form-urlencoded":{},"application/vnd.x+json":{"schema":{"type":"string"}},"application/json":{"schema":{"type":"integer"}}}},"responses":{}}`, `{body}`,
			`{"type":"object","properties":{"body":{"type":"integer"}},"additionalProperties":false}`},
		{"names", body(`{"type":"object","properties":{"$1":{},"{x}":{},"1":{},"then":{},"_":{}}}`), `{"\u00241":{arg_1},"\u007bx}":{x},"1":{arg_1_body},"then":{then},"_":{_}}`,
			`{"type":"object","properties":{"arg_1":{},"x":{},"arg_1_body":{},"then":{},"_":{}},"additionalProperties":false}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			row, _ := one(t, tt.operation, "{}")
			if row.Content != tt.content {
				t.Errorf("content %s, want %s", row.Content, tt.content)
			}
			if d := cmp.Diff(tt.input, string(row.InputSchema)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestSchemas(t *testing.T) {
	answer := func(schema string) string {
		return `{"operationId":"o","responses":{"200":{"description":"","content":{"application/json":{"schema":` + schema + `}}}}}`
	}
	components := `{"schemas":{
		"Node":{"type":"object","required":["id","secret"],"properties":{"next":{"$ref":"#/components/schemas/Node"},"id":{"type":"integer","readOnly":true,"const":9007199254740993},"secret":{"$ref":"#/components/schemas/Secret"}}},
		"Secret":{"type":"string","writeOnly":true,"example":{"$ref":"no reference"}},
		"a/b~c":{"enum":[1.10,"x"]},
		"Ping":{"items":{"$ref":"#/components/schemas/Pong"}},"Pong":{"items":{"$ref":"#/components/schemas/Ping"}},
		"Alias":{"$ref":"#/components/schemas/Node"}}}`
	tests := []struct{ name, schema, want string }{
		{"itself, without what is only sent", `{"$ref":"#/components/schemas/Node"}`,
			`{"$ref":"#/$defs/Node","$defs":{"Node":{"type":"object","required":["id"],"properties":{"next":{"$ref":"#/$defs/Node"},"id":{"type":"integer","readOnly":true,"const":9007199254740993}}}}}`},
		{"each other", `{"$ref":"#/components/schemas/Ping"}`,
			`{"$ref":"#/$defs/Ping","$defs":{"Ping":{"items":{"$ref":"#/$defs/Pong"}},"Pong":{"items":{"$ref":"#/$defs/Ping"}}}}`},
		{"odd names", `{"items":{"$ref":"#/components/schemas/a~1b~0c"}}`,
			`{"items":{"$ref":"#/$defs/components_schemas_a_1b_0c-d6016af459ba"},"$defs":{"components_schemas_a_1b_0c-d6016af459ba":{"enum":[1.10,"x"]}}}`},
		{"data that looks like a reference", `{"type":"object","default":{"$ref":"#/nowhere"},"properties":{"$ref":{"type":"string"}},"x-secret":{"$ref":"#/nowhere"}}`,
			`{"type":"object","default":{"$ref":"#/nowhere"},"properties":{"$ref":{"type":"string"}}}`},
		{"nullable at the root", `{"nullable":true,"allOf":[{"$ref":"#/components/schemas/Alias"}]}`, ``},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			row, result := one(t, answer(tt.schema), components)
			if d := cmp.Diff(tt.want, string(row.OutputSchema)); tt.want != "" && d != "" {
				t.Error(d)
			}
			if tt.want == "" && !strings.HasPrefix(string(row.OutputSchema), `{"allOf":[{"nullable":true,`) {
				t.Errorf("output %s", row.OutputSchema)
			}
			if len(result.NotCarried) > 0 {
				t.Errorf("not carried: %v", result.NotCarried)
			}
		})
	}
	row, _ := one(t, body(`{"allOf":[{"$ref":"#/components/schemas/Node"}]}`), components)
	if want := `"$defs":{"Node":{"type":"object","required":["secret"],"properties":{"next":{"$ref":"#/$defs/Node"},"secret":{"$ref":"#/$defs/Secret"}}},`; !strings.Contains(string(row.InputSchema), want) {
		t.Errorf("what is only received is asked for: %s", row.InputSchema)
	}
}

func TestResponses(t *testing.T) {
	content := func(media, schema string) string {
		return `{"description":"","content":{"` + media + `":{"schema":` + schema + `}}}`
	}
	tests := []struct{ name, responses, want string }{
		{"several", `{"200":` + content("application/json", `{"type":"string"}`) + `,"202":` + content("application/json", `{"type":"string"}`) + `,"204":{"description":""},"404":` + content("application/json", `{"type":"integer"}`) + `}`,
			`{"anyOf":[{"type":"string"},{"type":"null"}]}`},
		{"default", `{"default":` + content("application/problem+json", `{"type":"integer"}`) + `}`, `{"type":"integer"}`},
		{"range", `{"2XX":` + content("text/csv", `{}`) + `}`, `{"type":"string"}`},
		{"binary", `{"200":` + content("image/png", `{}`) + `}`, ``},
		{"one unknown", `{"200":` + content("application/json", `{"type":"string"}`) + `,"201":{"description":"","content":{"application/json":{}}}}`, ``},
		{"none", `{"400":{"description":""}}`, ``},
		{"dangling", `{"200":{"$ref":"#/components/responses/none"}}`, ``},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			row, _ := one(t, `{"operationId":"o","responses":`+tt.responses+`}`, "{}")
			if string(row.OutputSchema) != tt.want {
				t.Errorf("output %s, want %s", row.OutputSchema, tt.want)
			}
		})
	}
}

func TestSecurity(t *testing.T) {
	components := `{"securitySchemes":{"b":{"type":"http","scheme":"Bearer"},"ba":{"type":"http","scheme":"basic"},"di":{"type":"http","scheme":"digest"},
		"k":{"type":"apiKey","in":"query","name":"a key"},"c":{"type":"apiKey","in":"cookie","name":"sid"},"h":{"type":"apiKey","in":"header","name":"X-Key"},"m":{"type":"mutualTLS"}}}`
	tests := []struct {
		security, auth, target string
		headers                map[string]string
		lost                   string
	}{
		{`[{"b":[]}]`, "bearer:S_B", "", nil, ""},
		{`[{"ba":[]}]`, "basic:S_BA", "", nil, ""},
		{`[{"k":[],"h":[],"c":[]}]`, "", "?a%20key=$S_K", map[string]string{"X-Key": "$S_H", "Cookie": "sid=$S_C"}, ""},
		{`[{"di":[]},{"m":[]},{"b":[],"h":[]}]`, "bearer:S_B", "", map[string]string{"X-Key": "$S_H"}, "alternative security requirements"},
		{`[{"di":[]}]`, "", "", nil, "security schemes that a row has no place for"},
		{`[{"none":[]}]`, "", "", nil, "security schemes that a row has no place for"},
		{`[{"b":[]},{}]`, "", "", nil, ""},
		{`[]`, "", "", nil, ""},
	}
	for _, tt := range tests {
		row, result := one(t, `{"operationId":"o","security":`+tt.security+`,"responses":{}}`, components)
		if row.Auth != tt.auth || row.Target != "POST https://h.example/v1/x"+tt.target || !cmp.Equal(row.Headers, tt.headers) {
			t.Errorf("%s: auth %q, target %q, headers %v", tt.security, row.Auth, row.Target, row.Headers)
		}
		if lost := fmt.Sprint(result.NotCarried); (tt.lost == "") != (len(result.NotCarried) == 0) || !strings.Contains(lost, tt.lost) {
			t.Errorf("%s: not carried %v, want %q", tt.security, lost, tt.lost)
		}
	}
}

// The same document as YAML gives the same rows, in the spellings that YAML has of its own.
func TestYAML(t *testing.T) {
	asJSON := head + `"paths":{"/x/{id}":{"get":{"operationId":"o","summary":"s","parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"integer","maximum":9223372036854775807,"example":31,"default":0.5}}],"responses":{"200":{"description":""}}}}}}`
	asYAML := `
openapi: 3.0.3
info: {title: "The API, v1!", version: '1'}
servers:
  - &s {url: https://h.example/v1/}
paths:
  /x/{id}:
    get: &op
      operationId: o
      summary: s
      parameters:
        - name: id
          in: path
          required: True
          schema: {<<: {type: integer}, maximum: 9223372036854775807, example: 0x1F, default: .5}
      responses:
        200: {description: ""}
`
	want, got := read(t, asJSON, openapi.Options{}), read(t, asYAML, openapi.Options{})
	var a, b any
	for raw, into := range map[string]*any{string(want.Rows[0].InputSchema): &a, string(got.Rows[0].InputSchema): &b} {
		if err := json.Unmarshal([]byte(raw), into); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(a, b); d != "" {
		t.Error(d)
	}
	if want.Rows[0].Key != "the_api_v1/o" || got.Rows[0].Key != "the_api_v1/o" || got.Rows[0].Target != want.Rows[0].Target {
		t.Errorf("rows %+v and %+v", want.Rows[0], got.Rows[0])
	}
	if !strings.Contains(string(got.Rows[0].InputSchema), "9223372036854775807") {
		t.Errorf("digits are lost: %s", got.Rows[0].InputSchema)
	}
}

func TestKeys(t *testing.T) {
	doc := head + `"paths":{"/a/{x}":{"get":{"responses":{}},"post":{"operationId":"same","responses":{}}},"/a":{"put":{"operationId":"same","responses":{}},"patch":{"operationId":"a b/c\n","responses":{}}},"/a/{y}":{"get":{"responses":{}}}}}`
	var keys []string
	for _, r := range read(t, doc, openapi.Options{Server: "s"}).Rows {
		keys = append(keys, r.Key)
	}
	if d := cmp.Diff([]string{"s/a b/c", "s/get_a_x", "s/get_a_y", "s/same", "s/same_put_a"}, keys); d != "" {
		t.Error(d)
	}
}
