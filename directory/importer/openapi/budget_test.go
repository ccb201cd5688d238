package openapi_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"codemode/directory/importer"
	"codemode/directory/importer/openapi"
)

// meshed is a document of n schemas that reach each other all the way round, and n operations that each
// use one of them, as their result or their body.
func meshed(n int, sent bool) string {
	var schemas, paths strings.Builder
	for i := range n {
		fmt.Fprintf(&schemas, `,"Schema%d":{"type":"object","description":"%s","properties":{"next":{"$ref":"#/components/schemas/Schema%d"}}}`, i, strings.Repeat("d", 100), (i+1)%n)
		ref := fmt.Sprintf(`"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Schema%d"}}}`, i)
		operation := `"get":{"operationId":"o%d","responses":{"200":{` + ref + `}}}`
		if sent {
			operation = `"post":{"operationId":"o%d","requestBody":{"required":true,` + ref + `},"responses":{}}`
		}
		fmt.Fprintf(&paths, `,"/p%d":{`+operation+`}`, i, i)
	}
	return head + `"paths":{` + paths.String()[1:] + `},"components":{"schemas":{` + schemas.String()[1:] + `}}}`
}

func size(t *testing.T, rows *importer.Result) int {
	t.Helper()
	var out bytes.Buffer
	if err := importer.Write(&out, rows.Rows); err != nil {
		t.Fatal(err)
	}
	return out.Len()
}

// Schemas that are more than a row holds leave the result unknown, and take the operation with them where
// they are arguments: those never become open.
func TestSchemasOverARow(t *testing.T) {
	doc := meshed(2000, false)
	got := read(t, doc, openapi.Options{Server: "s"})
	if len(got.Rows) != 2000 || got.LeftOut != 0 || size(t, got) > len(doc) {
		t.Errorf("%d rows of %d bytes, %d left out", len(got.Rows), size(t, got), got.LeftOut)
	}
	for _, r := range got.Rows {
		if r.OutputSchema != nil {
			t.Fatalf("%s has a result of %d bytes", r.Key, len(r.OutputSchema))
		}
	}
	if fmt.Sprint(got.NotCarried) != "[{result schemas that are too large or too deep 2000}]" {
		t.Errorf("not carried %v", got.NotCarried)
	}
	got = read(t, meshed(2000, true), openapi.Options{Server: "s"})
	if len(got.Rows) != 0 || got.LeftOut != 2000 || !strings.Contains(fmt.Sprint(got.Findings), "its schemas together are larger than a row may be") {
		t.Errorf("arguments: %d rows, %d left out, %v", len(got.Rows), got.LeftOut, got.Findings)
	}
}

// Rows that each fit stay together within the cap: every operation has its share, and what is over comes
// from the half that is left.
func TestRowsTogether(t *testing.T) {
	const n = 200
	whole := read(t, meshed(n, false), openapi.Options{Server: "s"})
	room := size(t, whole) / 4
	got := read(t, meshed(n, false), openapi.Options{Server: "s", MaxTotalBytes: room})
	with := 0
	for _, r := range got.Rows {
		if r.OutputSchema != nil {
			with++
		}
	}
	if len(got.Rows) != n || size(t, got) > room || with < n/16 || with > n/4 {
		t.Errorf("%d rows, %d of them with a result, %d bytes of %d", len(got.Rows), with, size(t, got), room)
	}
	got = read(t, meshed(n, true), openapi.Options{Server: "s", MaxTotalBytes: room})
	if size(t, got) > room || len(got.Rows) == 0 || got.LeftOut != n-len(got.Rows) || !strings.Contains(fmt.Sprint(got.Findings), "rows together are larger than a file of rows may be") {
		t.Errorf("arguments: %d rows of %d bytes, %d left out, %v", len(got.Rows), size(t, got), got.LeftOut, got.Findings)
	}
}

// An alias that is written out anew in each operation ends where all of them come to too much.
func TestWorkIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("it writes 256 MiB")
	}
	var doc strings.Builder
	doc.WriteString("openapi: 3.1.0\ninfo: {title: t, version: '1'}\nservers: [{url: 'https://h.example'}]\nx: &x {type: object, description: " + strings.Repeat("d", 1<<20) + "}\npaths:\n")
	for i := range 300 {
		fmt.Fprintf(&doc, "  /p%d: {get: {operationId: o%d, responses: {'200': {content: {application/json: {schema: {items: *x}}}}}}}\n", i, i)
	}
	doc.WriteString("  /last: {get: {operationId: last, parameters: [{name: q, in: query, schema: {type: string}}], responses: {}}}\n")
	got := read(t, doc.String(), openapi.Options{Server: "s"})
	if len(got.Rows) != 300 || got.LeftOut != 1 || !strings.Contains(fmt.Sprint(got.Findings), "more than is read of one document") {
		t.Errorf("%d rows, %d left out, %v", len(got.Rows), got.LeftOut, got.Findings)
	}
}
