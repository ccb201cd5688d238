package assemble_test

// This file calls rows that were made of an OpenAPI document: import, generation, Gate, template, request.

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"codemode/directory/importer"
	"codemode/directory/importer/openapi"
	"codemode/runtime"
	"codemode/runtime/assemble"
)

const shopDocument = `
openapi: 3.1.0
info: {title: Shop, version: "1"}
servers: [{url: "BASE/v1"}]
security: [{key: []}]
paths:
  /items/{item-id}/parts/{part}:
    parameters:
      - {name: item-id, in: path, required: true, schema: {type: string}}
    get:
      operationId: getPart
      parameters:
        - {name: part, in: path, required: true, schema: {type: array, items: {type: string}}}
        - {name: tag, in: query, schema: {type: array, items: {type: string}}}
        - {name: "filter[name]", in: query, schema: {type: string}}
        - {name: ids, in: query, explode: false, schema: {type: array, items: {type: integer}}}
        - {name: $top, in: query, schema: {type: integer, format: int64}}
        - {name: where, in: query, schema: {type: object, additionalProperties: {type: string}}}
        - {name: json, in: query, content: {application/json: {schema: {type: object}}}}
        - {name: X-Trace, in: header, schema: {type: string}}
        - {name: item_id, in: query, schema: {type: string}}
      responses: {"200": {description: ok, content: {application/json: {schema: {}}}}}
    put:
      operationId: putPart
      parameters:
        - {name: part, in: path, required: true, schema: {type: string}}
        - {name: dry, in: query, schema: {type: boolean}}
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [name]
              properties:
                id: {type: integer, readOnly: true}
                name: {type: string}
                part: {type: string}
                size: {type: integer, format: int64}
                $ref: {type: [string, "null"]}
                list: {type: array, items: {type: string}}
      responses: {"204": {description: done}}
  /notes:
    post:
      operationId: addNotes
      security: []
      requestBody: {content: {application/json: {schema: {type: array, items: {type: string}}}}}
      responses: {"200": {description: ok, content: {text/plain: {}}}}
  /form:
    post:
      operationId: form
      security: [{token: []}]
      requestBody:
        content:
          application/x-www-form-urlencoded:
            schema: {type: object, properties: {a: {type: string}, many: {type: array, items: {type: integer}}}}
      responses: {"200": {description: ok}}
  /raw:
    put:
      operationId: raw
      security: [{cookie: []}]
      requestBody: {required: true, content: {text/markdown: {}}}
      responses: {"200": {description: ok}}
components:
  securitySchemes:
    key: {type: apiKey, in: query, name: api_key}
    token: {type: http, scheme: bearer}
    cookie: {type: apiKey, in: cookie, name: sid}
`

// sentRequest is what the destination got.
type sentRequest struct{ line, body, kind, trace, auth, cookie string }

func TestOpenAPIRowsAreExecutable(t *testing.T) {
	var got sentRequest
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = sentRequest{r.Method + " " + r.RequestURI, string(body), r.Header.Get("Content-Type"), r.Header.Get("X-Trace"), r.Header.Get("Authorization"), r.Header.Get("Cookie")}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"ok":true}`)
	}))
	defer srv.Close()
	result, err := openapi.Import(strings.NewReader(strings.ReplaceAll(shopDocument, "BASE", srv.URL)), openapi.Options{Server: "shop"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range result.Findings {
		t.Log(f)
	}
	var rows bytes.Buffer
	if err := importer.Write(&rows, result.Rows); err != nil {
		t.Fatal(err)
	}
	t.Log(rows.String())
	s := open(t, rows.String(), assemble.Config{Secrets: func(name string) (string, error) { return "<" + name + ">", nil }})
	const key = "api_key=%3CSHOP_KEY%3E"
	tests := []struct {
		method, args string
		want         sentRequest
	}{
		{"getPart", `{"item-id":"a/b","part":["x","y,z"]}`, sentRequest{line: "GET /v1/items/a%2Fb/parts/x,y%2Cz?" + key}},
		{"getPart", `{"item-id":"..a","part":["x"],"tag":["r&d","b c"],"filter[name]":"é","ids":[1,2],"top":9007199254740993,"where":{"k=1":"v"},"json":{"n":1},"X-Trace":"t","item_id":"q"}`,
			sentRequest{line: "GET /v1/items/..a/parts/x?tag=r%26d&tag=b%20c&filter%5Bname%5D=%C3%A9&ids=1,2&%24top=9007199254740993&k%3D1=v&json=%7B%22n%22%3A1%7D&item_id=q&" + key, trace: "t"}},
		{"getPart", `{"item-id":"i","part":["x"],"tag":[],"ids":[]}`, sentRequest{line: "GET /v1/items/i/parts/x?" + key}},
		{"putPart", `{"item-id":"1","part":"p","name":"{\"$1\"}"}`, sentRequest{line: "PUT /v1/items/1/parts/p?" + key, body: `{"name":"{\"$1\"}"}`, kind: "application/json"}},
		{"putPart", `{"item-id":"1","part":"p","dry":true,"name":"n","part_body":"b","size":9223372036854775807,"ref":null,"list":["a"]}`,
			sentRequest{line: "PUT /v1/items/1/parts/p?dry=true&" + key, body: `{"name":"n","part":"b","size":9223372036854775807,"\u0024ref":null,"list":["a"]}`, kind: "application/json"}},
		{"addNotes", `{"body":["a","b"]}`, sentRequest{line: "POST /v1/notes", body: `["a","b"]`, kind: "application/json"}},
		{"addNotes", `{}`, sentRequest{line: "POST /v1/notes"}},
		{"form", `{"a":"x&y","many":[1,2]}`, sentRequest{line: "POST /v1/form", body: "a=x%26y&many=1&many=2", kind: "application/x-www-form-urlencoded", auth: "Bearer <SHOP_TOKEN>"}},
		{"raw", `{"body":"# \"hi\"\n"}`, sentRequest{line: "PUT /v1/raw", body: "# \"hi\"\n", kind: "text/markdown", cookie: "sid=<SHOP_COOKIE>"}},
	}
	for _, tt := range tests {
		got = sentRequest{}
		result := call(t, s, "shop."+tt.method, tt.args, srv.URL)
		if result.Error != nil {
			t.Errorf("%s %s: %v %s", tt.method, tt.args, result.Error, result.Error.Detail)
			continue
		}
		if got != tt.want {
			t.Errorf("%s %s sent\n%+v, want\n%+v", tt.method, tt.args, got, tt.want)
		}
	}
	wantCode(t, call(t, s, "shop.putPart", `{"item-id":"1","part":"p"}`, srv.URL), runtime.InvalidArgument, "name")
	wantCode(t, call(t, s, "shop.putPart", `{"item-id":"1","part":"p","name":"n","id":1}`, srv.URL), runtime.InvalidArgument, "id")
	wantCode(t, call(t, s, "shop.getPart", `{"item-id":"1","part":["x"],"X-Trace":"a\r\nHost: b"}`, srv.URL), runtime.InvalidArgument, "header")
}
