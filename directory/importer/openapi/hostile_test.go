package openapi_test

import (
	"fmt"
	"strings"
	"testing"

	"codemode/directory/importer/openapi"
)

// Documents that no row can be made of end in an error that says why.
func TestRefused(t *testing.T) {
	deepYAML := func(n int) string {
		var b strings.Builder
		b.WriteString("openapi: 3.0.0\ninfo: {title: t, version: '1'}\nx:\n")
		for i := range n {
			b.WriteString(strings.Repeat(" ", i+1) + "a:\n")
		}
		return b.String()
	}
	tests := []struct{ name, doc, want string }{
		{"empty", "", "cannot be read"},
		{"no document", `{"a":1}`, "cannot be read as an OpenAPI document"},
		{"null", "null", "cannot be read"},
		{"a list", "[1]", "cannot be read"},
		{"broken", head + `"paths":{`, "cannot be read"},
		{"Swagger", `{"swagger":"2.0","info":{},"paths":{"/x":{"get":{}}}}`, "it is Swagger 2.0; convert it"},
		{"a later version", `{"openapi":"3.2.0","info":{"title":"t"},"paths":{}}`, `it is OpenAPI "3.2.0", and 3.0 and 3.1 are read`},
		{"no paths", head + `"x":1}`, "no operation"},
		{"paths of another kind", head + `"paths":[1]}`, "no operation"},
		{"deep JSON", head + `"x":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "}", "nests more than 1000 deep"},
		{"deep YAML", deepYAML(2500), "indented by more than 2000"},
		{"deep YAML lists", "openapi: 3.0.0\nx:\n" + strings.Repeat("- ", 50_000) + "x\n", "indented by more than 2000"},
		{"large", strings.Repeat("x", 1001), "larger than 1000 bytes"},
		{"many", head + `"paths":{"/a":{"get":{},"put":{},"post":{},"patch":{}}}}`, "more than 3 operations"},
	}
	for _, tt := range tests {
		opts := openapi.Options{MaxOperations: 3}
		if tt.name == "large" {
			opts.MaxBytes = 1000
		}
		if _, err := openapi.Import(strings.NewReader(tt.doc), opts); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// An operation that could not be called right is left out and named; those beside it stand.
func TestLeftOut(t *testing.T) {
	tests := []struct{ name, item, want string }{
		{"dangling parameter", `{"get":{"parameters":[{"$ref":"#/components/parameters/none"}]}}`, "a parameter: #/components/parameters/none leads nowhere"},
		{"parameter of another file", `{"get":{"parameters":[{"$ref":"./p.yaml#/x"}]}}`, "./p.yaml#/x leads to another file or address, which is not read; bundle the document into one"},
		{"file of the host", `{"$ref":"file:///etc/passwd"}`, "file:///etc/passwd leads to another file"},
		{"circle of parameters", `{"get":{"parameters":[{"$ref":"#/components/parameters/a"}]}}`, "leads in a circle"},
		{"circle of paths", `{"$ref":"#/paths/~1bad"}`, "leads in a circle"},
		{"parameters of another kind", `{"get":{"parameters":[7]}}`, "a parameter has no name or no place"},
		{"operation of another kind", `{"get":[]}`, "it is no object"},
		{"required deepObject", `{"get":{"parameters":[{"name":"q","in":"query","required":true,"style":"deepObject","schema":{"type":"object"}}]}}`, "its required parameter q can't be written: parameters of style deepObject"},
		{"required optional cookie list", `{"get":{"parameters":[{"name":"q","in":"cookie","required":true,"schema":{"type":"array"}}]}}`, "its required parameter q can't be written: cookie"},
		{"connection header", `{"get":{"parameters":[{"name":"Host","in":"header","required":true,"schema":{"type":"string"}}]}}`, "belong to the connection"},
		{"multipart", `{"post":{"requestBody":{"required":true,"content":{"multipart/form-data":{}}}}}`, "its required body can't be written: multipart bodies"},
		{"binary", `{"put":{"requestBody":{"required":true,"content":{"application/octet-stream":{"schema":{"type":"string","format":"binary"}}}}}}`, "its required body can't be written: binary bodies: only text can be sent"},
		{"image", `{"post":{"requestBody":{"content":{"image/*":{"schema":{"type":"string"}}}}}}`, "its body, which a POST is for, can't be written: binary bodies"},
		{"optional multipart", `{"patch":{"requestBody":{"content":{"multipart/form-data":{},"application/pdf":{}}}}}`, "its body, which a PATCH is for, can't be written: binary bodies: only text can be sent; multipart bodies"},
		{"any binary", `{"post":{"requestBody":{"content":{"*/*":{"schema":{"type":"string","format":"binary"}}}}}}`, "binary bodies"},
		{"no media type", `{"put":{"requestBody":{"content":{}}}}`, "bodies without a media type"},
		{"form of another kind", `{"post":{"requestBody":{"content":{"application/x-www-form-urlencoded":{"schema":{"type":"array"}}}}}}`, "form bodies that are no object"},
		{"form of lists by any name", `{"post":{"requestBody":{"content":{"application/x-www-form-urlencoded":{"schema":{"type":"object","additionalProperties":{"type":"array"}}}}}}}`, "form bodies of lists or objects by any name"},
		{"form of several shapes", `{"post":{"requestBody":{"content":{"application/x-www-form-urlencoded":{"schema":{"oneOf":[{"type":"object","properties":{"l":{"type":"array"}}},{"type":"object"}]}}}}}}`, "form bodies of several shapes with lists"},
		{"form with a list that can't be written", `{"post":{"requestBody":{"content":{"application/x-www-form-urlencoded":{"schema":{"type":"object","required":["l"],"properties":{"a":{"type":"string"},"l":{"type":"array"}}},"encoding":{"l":{"style":"pipeDelimited","explode":false}}}}}}}`, "parameters of style pipeDelimited"},
		{"form of nothing that can be written", `{"post":{"requestBody":{"content":{"application/x-www-form-urlencoded":{"schema":{"type":"object","properties":{"o":{"type":"object"}}},"encoding":{"o":{"style":"deepObject"}}}}}}}`, "parameters of style deepObject"},
		{"no host", `{"get":{"servers":[{"url":"/v1"}]}}`, "names no host; give a base url"},
		{"password in a server", `{"get":{"servers":[{"url":"https://u:p@h/v1"}]}}`, "holds more than a host and a path"},
		{"secret-like server", `{"get":{"servers":[{"url":"https://$HOST/v1"}]}}`, "can't be written"},
		{"long name", `{"get":{"operationId":"` + strings.Repeat("n", 300) + `"}}`, "its key is longer than 200 bytes"},
		{"deep schema", `{"get":{"parameters":[{"name":"q","in":"query","schema":` + strings.Repeat(`{"items":`, 200) + "{}" + strings.Repeat("}", 200) + `}]}}`, "nests more than 56 deep"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			doc := head + `"paths":{"/bad":` + tt.item + `,"/good":{"get":{"operationId":"good","responses":{}}}},"components":{"parameters":{"a":{"$ref":"#/components/parameters/b"},"b":{"$ref":"#/components/parameters/a"}}}}`
			got := read(t, doc, openapi.Options{Server: "s"})
			if len(got.Rows) != 1 || got.Rows[0].Key != "s/good" || got.LeftOut != 1 {
				t.Fatalf("rows %v, %d left out", got.Rows, got.LeftOut)
			}
			var all []string
			for _, f := range got.Findings {
				all = append(all, f.String())
			}
			if text := strings.Join(all, "\n"); !strings.Contains(text, tt.want) {
				t.Errorf("findings\n%s\nwant %q", text, tt.want)
			}
		})
	}
}

// A body that is not what its method is for may be missing, which is counted.
func TestBodyBesideThePoint(t *testing.T) {
	got := read(t, head+`"paths":{"/x":{"delete":{"operationId":"o","requestBody":{"content":{"multipart/form-data":{}}},"responses":{}}}}}`, openapi.Options{Server: "s"})
	if len(got.Rows) != 1 || got.Rows[0].Content != "" || got.LeftOut != 0 || fmt.Sprint(got.NotCarried) != "[{multipart bodies 1}]" {
		t.Errorf("rows %v, %d left out, not carried %v", got.Rows, got.LeftOut, got.NotCarried)
	}
}

// Parts of parts are looked at once each, however many ways lead to them.
func TestGatherFanOut(t *testing.T) {
	var schemas strings.Builder
	for i := range 40 {
		ref := fmt.Sprintf(`{"$ref":"#/components/schemas/A%d"}`, i+1)
		fmt.Fprintf(&schemas, `"A%d":{"allOf":[%s,%s,%s],"required":["id"]},`, i, ref, ref, ref)
	}
	components := `{"schemas":{` + schemas.String() + `"A40":{"type":"object","properties":{"id":{"type":"string","readOnly":true},"n":{"type":"string"}},"allOf":[{"$ref":"#/components/schemas/A40"}]}}}`
	row, _ := one(t, body(`{"$ref":"#/components/schemas/A0"}`), components)
	if strings.Contains(string(row.InputSchema), `"id"`) {
		t.Errorf("what is only received is asked for: %s", row.InputSchema)
	}
	form := strings.Replace(body(`{"$ref":"#/components/schemas/A0"}`), "application/json", "application/x-www-form-urlencoded", 1)
	if row, _ := one(t, form, components); row.Content != "form:body={body*}" {
		t.Errorf("content %s", row.Content)
	}
}

// What is only lost in part is counted, and the operation stands.
func TestCounted(t *testing.T) {
	operation := `{"operationId":"o","tags":["a","b"],"externalDocs":{},"callbacks":{"c":{}},"parameters":[
		{"name":"a","in":"query","style":"pipeDelimited","explode":false,"schema":{"type":"array"}},{"name":"b","in":"cookie","schema":{"type":"string"}},{"name":"Accept","in":"header","schema":{"type":"string"}},
		{"name":"c","in":"elsewhere"},{"name":"d","in":"query","allowReserved":true,"schema":{"type":"string"}},{"name":"e","in":"query","schema":{"$ref":"other.json"}},{"name":"f","in":"query","schema":{"$ref":"#/nowhere"}}],
		"requestBody":{"content":{"text/plain":{},"text/html":{}}},"responses":{"200":{"description":"","links":{"l":{}}}}}`
	row, got := one(t, operation, "{}")
	if row.Target != "POST https://h.example/v1/x?d={d}&e={e*}&f={f*}" || row.Category != "a" {
		t.Errorf("row %+v", row)
	}
	want := []string{"a schema in another file 1", "a schema's reference that leads nowhere 1", "allowReserved: reserved characters are percent-encoded all the same 1", "callbacks 1", "cookie parameters that are optional, lists or objects 1",
		"external documentation 1", "header parameters that the specification ignores (Accept, Content-Type, Authorization) 1", "links 1", "parameters in an unknown place 1", "parameters of style pipeDelimited 1", "request media types beside the one that is sent 1", "tags after the first 1"}
	var have []string
	for _, c := range got.NotCarried {
		have = append(have, fmt.Sprint(c.Kind, " ", c.Count))
	}
	if strings.Join(have, "\n") != strings.Join(want, "\n") {
		t.Errorf("not carried\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
}

// References that fan out, and aliases that multiply, cost what they are and not what they stand for.
func TestFanOut(t *testing.T) {
	var schemas strings.Builder
	for i := range 40 {
		fmt.Fprintf(&schemas, `"A%d":{"properties":{"l":{"$ref":"#/components/schemas/A%d"},"r":{"$ref":"#/components/schemas/A%d"}}},`, i, i+1, i+1)
	}
	row, _ := one(t, body(`{"allOf":[{"$ref":"#/components/schemas/A0"}]}`), `{"schemas":{`+schemas.String()+`"A40":{"type":"string"}}}`)
	if n := strings.Count(string(row.InputSchema), `"properties"`); n != 41 {
		t.Errorf("%d objects, want 41", n)
	}
	bomb := "openapi: 3.0.0\ninfo: {title: t, version: '1'}\nservers: [{url: 'https://h.example'}]\na0: &a0 {enum: [x,x,x,x,x,x,x,x,x,x]}\n"
	for i := range 9 {
		bomb += fmt.Sprintf("a%d: &a%d {allOf: [%s]}\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i), 10), ","))
	}
	bomb += "paths:\n  /x:\n    get: {operationId: o, parameters: [{name: q, in: query, schema: *a9}], responses: {}}\n  /y:\n    get: {operationId: p, responses: {}}\n"
	got, err := openapi.Import(strings.NewReader(bomb), openapi.Options{Server: "s"})
	if err != nil {
		t.Logf("refused: %v", err)
		return
	}
	if len(got.Rows) != 1 || got.Rows[0].Key != "s/p" {
		t.Errorf("rows %d, want the one without the bomb", len(got.Rows))
	}
}

func TestRowTooLarge(t *testing.T) {
	long := strings.Repeat("x", 3000)
	operation := `{"operationId":"o","responses":{"200":{"description":"","content":{"application/json":{"schema":{"type":"string","description":"` + long + `"}}}}}}`
	doc := head + `"paths":{"/x":{"get":` + operation + `},"/y":{"get":{"operationId":"p","description":"` + long + `","responses":{}}}}}`
	got := read(t, doc, openapi.Options{Server: "s", MaxRowBytes: 2000})
	if len(got.Rows) != 1 || got.Rows[0].Key != "s/o" || got.Rows[0].OutputSchema != nil {
		t.Errorf("rows %v, want o without its result", got.Rows)
	}
}

func FuzzImport(f *testing.F) {
	f.Add(head + `"paths":{"/x/{a}":{"get":{"operationId":"o","parameters":[{"name":"a","in":"path","required":true,"schema":{"$ref":"#/components/schemas/A"}}],"responses":{"200":{"$ref":"#/x"}}}}},"components":{"schemas":{"A":{"$ref":"#/components/schemas/A"}}}}`)
	f.Add("openapi: 3.1.0\npaths: &p\n  /x: {get: {responses: {200: *p}}}\n")
	f.Add("openapi: 3.0.0\nservers: [{url: 'https://h'}]\npaths:\n  /{a}{b}:\n    post: {requestBody: {content: {application/json: {schema: {<<: &m {type: object}, properties: {a: *m}}}}}}\n")
	f.Fuzz(func(t *testing.T, doc string) {
		got, err := openapi.Import(strings.NewReader(doc), openapi.Options{MaxBytes: 1 << 16})
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, r := range got.Rows {
			if seen[r.Key] {
				t.Errorf("two rows are called %q", r.Key)
			}
			seen[r.Key] = true
		}
	})
}
