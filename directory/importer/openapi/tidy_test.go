package openapi_test

import (
	"fmt"
	"strings"
	"testing"

	"codemode/directory/importer/openapi"
)

func texts(t *testing.T, doc string) (keys, findings string, leftOut int) {
	t.Helper()
	got := read(t, doc, openapi.Options{Server: "s"})
	var k, f []string
	for _, r := range got.Rows {
		k = append(k, r.Key)
	}
	for _, one := range got.Findings {
		f = append(f, one.String())
	}
	return strings.Join(k, " "), strings.Join(f, "\n"), got.LeftOut
}

// What becomes no row, or is not read, is told.
func TestNothingIsDroppedWithoutAWord(t *testing.T) {
	const top = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\nservers: [{url: 'https://h.example/v1'}]\n"
	const get = "get: {operationId: a, responses: {}}"
	tests := []struct {
		name, doc, keys, want string
		leftOut               int
	}{
		{"merge list", top + "x: &x {" + get + "}\ny: &y {put: {operationId: b, responses: {}}, get: {operationId: c}}\npaths: {/b: {<<: [*x, *y]}}\n", "s/a s/b", "", 0},
		{"merge of a merge", top + "x: &x {" + get + "}\ny: &y {<<: *x}\npaths: {/b: {<<: *y}}\n", "s/a", "", 0},
		{"merge into paths", top + "x: &x {/a: {" + get + "}}\npaths: {<<: [*x]}\n", "s/a", "", 0},
		{"merge of itself", top + "paths: {/b: &b {<<: *b, " + get + "}}\n", "s/a", "", 0},
		{"merge of no object", top + "paths: {/b: {<<: [7], " + get + "}}\n", "s/a", "a merge (<<) of something that is no object adds nothing", 0},
		{"path twice", top + "paths:\n  /a: {" + get + "}\n  /a: {put: {operationId: b}}\n", "s/a", "/a stands twice in one object; the first, of line 5, is read, and this one is left out", 1},
		{"method twice", top + "paths:\n  /a:\n    " + get + "\n    get: {operationId: b}\n", "s/a", "get stands twice in one object; the first, of line 6,", 1},
		{"servers twice", head + `"servers":[{"url":"https://other.example"}],"paths":{"/a":{"get":{"operationId":"a","responses":{}}}}}`, "s/a", "servers stands twice in one object; the first, of line 1, is read", 0},
		{"beside a reference", top + "x: {" + get + "}\npaths: {/a: {$ref: '#/x', put: {operationId: b}}}\n", "s/a", "PUT /a is left out: it stands beside a $ref", 1},
		{"another spelling", top + "paths: {/a: {" + get + ", PUT: {operationId: b}}}\n", "s/a", "PUT of the path /a is left out: OpenAPI 3.1.0 knows no such method", 1},
		{"another member", top + "paths: {/a: {" + get + ", note: x, x-own: {}}}\n", "s/a", "members of paths that the specification does not know", 0},
		{"operation in another file", top + "paths: {/a: {" + get + ", put: {$ref: 'put.yaml'}}}\n", "s/a", "PUT /a is left out: put.yaml leads to another file", 1},
		{"operation elsewhere", top + "x: {operationId: b}\npaths: {/a: {" + get + ", put: {$ref: '#/x'}}}\n", "s/a s/b", "", 0},
	}
	for _, path := range []string{"/../../admin", "/a/./b", "/a/%2e%2E/b", "/a/%252e%252e/b", "/..%2f..%2fadmin", `/..\\admin`, "/..;x/admin", "/a/.."} {
		tests = append(tests, struct {
			name, doc, keys, want string
			leftOut               int
		}{path, head + `"paths":{"/a":{"get":{"operationId":"a","responses":{}}},"` + path + `":{"get":{"operationId":"b"}}}}`, "s/a", "is left out: it holds a dot segment", 1})
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			keys, findings, leftOut := texts(t, tt.doc)
			if keys != tt.keys || leftOut != tt.leftOut || !strings.Contains(findings, tt.want) {
				t.Errorf("rows %s, %d left out, want %s and %d; findings\n%s\nwant %q", keys, leftOut, tt.keys, tt.leftOut, findings, tt.want)
			}
		})
	}
	keys, _, leftOut := texts(t, head+`"paths":{"/a.b/..c/...":{"get":{"operationId":"a"}}}}`)
	if keys != "s/a" || leftOut != 0 {
		t.Errorf("dots within names: rows %s, %d left out", keys, leftOut)
	}
}

// Merges that multiply are not followed to their end.
func TestMergesMultiply(t *testing.T) {
	var doc strings.Builder
	doc.WriteString("openapi: 3.1.0\ninfo: {title: t, version: '1'}\nm: &m {")
	for i := range 2000 {
		fmt.Fprintf(&doc, "k%d: 1, ", i)
	}
	doc.WriteString("}\npaths: {/a: {get: {}}}\nx:\n")
	for range 1000 {
		doc.WriteString("- {<<: *m}\n")
	}
	if _, err := openapi.Import(strings.NewReader(doc.String()), openapi.Options{}); err == nil || !strings.Contains(err.Error(), "YAML merges come to more members") {
		t.Errorf("two million merged members are %v", err)
	}
}

// A response that names no content says nothing; only what can have none is null.
func TestResponsesWithoutContent(t *testing.T) {
	const null, text = `{"type":"null"}`, `"content":{"text/plain":{}}`
	for _, tt := range []struct{ method, responses, want string }{
		{"get", `{"200":{"description":""}}`, ""},
		{"get", `{"default":{"description":""}}`, ""},
		{"post", `{"201":{"description":"","content":{}}}`, ""},
		{"delete", `{"204":{"description":""}}`, null},
		{"head", `{"200":{"description":""}}`, null},
		{"get", `{"200":{` + text + `},"204":{}}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`},
		{"get", `{"200":{` + text + `},"202":{}}`, ""},
	} {
		got := read(t, head+`"paths":{"/a":{"`+tt.method+`":{"operationId":"a","responses":`+tt.responses+`}}}}`, openapi.Options{})
		if schema := string(got.Rows[0].OutputSchema); schema != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.method, tt.responses, schema, tt.want)
		}
	}
}
