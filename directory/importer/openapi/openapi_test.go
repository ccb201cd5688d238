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

func form(schema string) string {
	return `{"operationId":"o","requestBody":{"content":{"application/x-www-form-urlencoded":{"schema":` + schema + `}}},"responses":{}}`
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
		{"form without its body", form(`{"type":"object","required":["a"],"properties":{"a":{"type":"string"},"l":{"type":"array","items":{"type":"string"}}}}`), `form:a={a}&l={l*}`,
			`{"type":"object","properties":{"a":{"type":"string"},"l":{"type":"array","items":{"type":"string"}}},"required":["a"],"additionalProperties":false}`},
		{"form of scalars that may be left out", form(`{"type":"object","required":["a"],` + plain + `}`), `form:body={body*}`,
			`{"type":"object","properties":{"body":{"type":"object","required":["a"],` + plain + `}},"additionalProperties":false}`},
		{"form of parts", form(`{"allOf":[{"type":"object","properties":{"a":{"type":"string"},"id":{"type":"string","readOnly":true}}},{"required":["id"],"properties":{"l":{"type":"array","items":{}}}}]}`), `form:a={a}&l={l*}`,
			`{"type":"object","properties":{"a":{"type":"string"},"l":{"type":"array","items":{}}},"additionalProperties":false}`},
		{"form of any names", form(`{"type":"object","additionalProperties":{"type":"integer"}}`), `form:body={body*}`,
			`{"type":"object","properties":{"body":{"type":"object","additionalProperties":{"type":"integer"}}},"additionalProperties":false}`},
		{"form of what it names and more", form(`{"type":"object","additionalProperties":true,` + plain + `}`), `form:body={body*}`,
			`{"type":"object","properties":{"body":{"type":"object","additionalProperties":true,` + plain + `}},"additionalProperties":false}`},
		{"form of lists and more", form(`{"type":"object","additionalProperties":{"type":"array"},"properties":{"l":{"type":"array"}}}`), `form:l={l*}`,
			`{"type":"object","properties":{"l":{"type":"array"}},"additionalProperties":false}`},
		{"form without a schema", `{"operationId":"o","requestBody":{"content":{"application/x-www-form-urlencoded":{}}},"responses":{}}`, `form:body={body*}`,
			`{"type":"object","properties":{"body":{"type":"object"}},"additionalProperties":false}`},
		{"form of nothing", form(`{"type":"object","properties":{}}`), ``, `{"type":"object","properties":{},"additionalProperties":false}`},
		{"form with a property that can't be written", `{"operationId":"o","requestBody":{"content":{"application/x-www-form-urlencoded":{"schema":{"type":"object","properties":{"a":{"type":"string"},"o":{"type":"object"}}},"encoding":{"o":{"style":"deepObject"}}}}},"responses":{}}`, `form:a={a}`,
			`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`},
		{"text after what can't be written", `{"operationId":"o","requestBody":{"required":true,"content":{"application/octet-stream":{},"multipart/form-data":{},"text/csv":{"schema":{"type":"string","format":"binary"}}}},"responses":{}}`, `{body}`,
			`{"type":"object","properties":{"body":{"type":"string"}},"required":["body"],"additionalProperties":false}`},
		{"characters of any media type", `{"operationId":"o","requestBody":{"content":{"*/*":{"schema":{"type":"string","description":"The raw data."}}}},"responses":{}}`, `{body}`,
			`{"type":"object","properties":{"body":{"type":"string","description":"The raw data. It is sent as UTF-8 text, text/plain"}},"additionalProperties":false}`},
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

// A property that one part of a schema marks as readOnly is asked for by no other part, under its own
// name or in place; results keep it.
func TestDirections(t *testing.T) {
	components := `{"schemas":{
		"Base":{"type":"object","properties":{"id":{"$ref":"#/components/schemas/Id"},"at":{"type":"string"}}},
		"Id":{"type":"string","readOnly":true},
		"Needs":{"type":"object","required":["id","z"],"properties":{"z":{"type":"string"}}},
		"Both":{"allOf":[{"$ref":"#/components/schemas/Base"},{"$ref":"#/components/schemas/Needs"}]}}}`
	tests := []struct{ name, schema, want string }{
		{"beside", `{"allOf":[{"$ref":"#/components/schemas/Base"},{"required":["id","at"]}]}`,
			`"body":{"allOf":[{"$ref":"#/$defs/Base"},{"required":["at"]}]}},"required":["body"],"additionalProperties":false,"$defs":{"Base":{"type":"object","properties":{"at":{"type":"string"}}}}}`},
		{"above", `{"required":["id","at"],"allOf":[{"$ref":"#/components/schemas/Base"}]}`,
			`"body":{"required":["at"],"allOf":[{"$ref":"#/$defs/Base"}]}},"required":["body"],"additionalProperties":false,"$defs":{"Base":{"type":"object","properties":{"at":{"type":"string"}}}}}`},
		{"in another component", `{"$ref":"#/components/schemas/Both"}`,
			`"body":{"$ref":"#/$defs/Both"}},"required":["body"],"additionalProperties":false,"$defs":{"Base":{"type":"object","properties":{"at":{"type":"string"}}},"Both":{"allOf":[{"$ref":"#/$defs/Base"},{"type":"object","required":["z"],"properties":{"z":{"type":"string"}}}]}}}`},
		{"the component alone", `{"allOf":[{"$ref":"#/components/schemas/Needs"}]}`,
			`"body":{"allOf":[{"$ref":"#/$defs/Needs"}]}},"required":["body"],"additionalProperties":false,"$defs":{"Needs":{"type":"object","required":["id","z"],"properties":{"z":{"type":"string"}}}}}`},
		{"a plain body", `{"$ref":"#/components/schemas/Base"}`, `"at":{"type":"string"}},"additionalProperties":false}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			row, _ := one(t, body(tt.schema), components)
			if d := cmp.Diff(`{"type":"object","properties":{`+tt.want, string(row.InputSchema)); d != "" {
				t.Error(d)
			}
		})
	}
	row, _ := one(t, `{"operationId":"o","responses":{"200":{"description":"","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Both"}}}}}}`, components)
	if !strings.Contains(string(row.OutputSchema), `"required":["id","z"]`) || !strings.Contains(string(row.OutputSchema), `"id":{"$ref":"#/$defs/Id"}`) {
		t.Errorf("results lose what is only received: %s", row.OutputSchema)
	}
}

func TestTags(t *testing.T) {
	operation := func(tag, id string) string {
		return `{"tags":["` + tag + `","other"],"operationId":"` + id + `","responses":{}}`
	}
	tests := []struct{ tag, id, want string }{
		{"repos", "repos/get", "s_repos/get"},
		{"repos", "Repos-list", "s_repos/list"},
		{"repos", "repos.find", "s_repos/find"},
		{"repos", "reposAll", "s_repos/reposAll"},
		{"repos", "repos/", "s_repos/repos/"},
		{"repos", "repos", "s_repos/repos"},
		{"Pet Store", "add", "s_pet_store/add"},
		{"petStore", "drop", "s_pet_store/drop"},
		{"a/b", "c", "s_a_b/c"},
		{"Über 2", "Über 2-x", "s_über_2/x"},
		{"---", "x", "s/x"},
		{strings.Repeat("t", 61), "x", "s/x"},
		{"t", "", "s_t/get_x"},
	}
	for _, tt := range tests {
		row := read(t, head+`"paths":{"/x":{"get":`+operation(tt.tag, tt.id)+`}}}`, openapi.Options{Server: "s"}).Rows[0]
		if row.Key != tt.want {
			t.Errorf("tag %s, id %s: key %s, want %s", tt.tag, tt.id, row.Key, tt.want)
		}
	}
}

// Ids that would be one method get keys that tell them apart, and a finding that says so; tags that
// differ in their gaps only are one namespace.
func TestClashes(t *testing.T) {
	doc := head + `"paths":{"/p":{"get":{"operationId":"pets.list","responses":{}}},"/q":{"get":{"operationId":"petsList","responses":{}}},
		"/r":{"get":{"tags":["Pet-Store"],"operationId":"a","responses":{}}},"/t":{"get":{"tags":["PetStore"],"operationId":"b","responses":{}}},"/u":{"get":{"tags":["petstore"],"operationId":"A","responses":{}}}}}`
	got := read(t, doc, openapi.Options{Server: "s"})
	var keys []string
	for _, r := range got.Rows {
		keys = append(keys, r.Key)
	}
	if d := cmp.Diff([]string{"s/pets.list", "s/petsList_get_q", "s_pet_store/A_get_u", "s_pet_store/a", "s_pet_store/b"}, keys); d != "" {
		t.Error(d)
	}
	var said []string
	for _, f := range got.Findings {
		if f.Rule == "clashing_operation_id" {
			said = append(said, f.Key+": "+f.Message)
		}
	}
	if d := cmp.Diff([]string{"s/petsList_get_q: GET /q would be the same method as s/pets.list; it is named by its method and path too",
		"s_pet_store/A_get_u: GET /u would be the same method as s_pet_store/a; it is named by its method and path too"}, said); d != "" {
		t.Error(d)
	}
}
