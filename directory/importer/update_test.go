package importer_test

// This file imports again over rows that people have written in.

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codemode/directory"
	"codemode/directory/importer"
)

func update(t *testing.T, old string, prune bool, rows ...directory.Row) *importer.Updated {
	t.Helper()
	u, err := importer.Update("rows.jsonl", []byte(old), rows, prune)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestUpdate(t *testing.T) {
	const note = "# NOTE: its server says that it only reads (readOnlyHint); unconfirmed"
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	http := directory.Row{Key: "k", Type: directory.HTTP, Target: "POST https://h/x", Content: "{body}"}
	mcp := directory.Row{Key: "k", Type: directory.MCP, Target: "https://h/mcp"}
	with := func(r directory.Row, change func(*directory.Row)) directory.Row { change(&r); return r }
	tests := []struct {
		name, old string
		row       directory.Row
		want      string
	}{
		{"the author's fields", `{"enabled": false,"key":"k","type":"http","target":"GET https://h/old","content":"{a}","when_to_use":"w <&","effect":"reversible","placement":"remote","idempotency":"header","readback":"R a=/args/a","undo":"U","sensitive":["/a"],"version":7,"mine":{"n": 9007199254740993}}`, http,
			`{"key":"k","type":"http","when_to_use":"w <&","target":"POST https://h/x","content":"{body}","effect":"reversible","placement":"remote","idempotency":"header","readback":"R a=/args/a","undo":"U","sensitive":["/a"],"version":7,"enabled":false,"mine":{"n":9007199254740993}}`},
		{"what the source leaves empty", `{"key":"k","type":"mcp","target":"https://h/mcp","category":"c","description":"d","input_schema":{"a":1},"output_schema":{"b":1},"examples":[{}],"auth":"bearer:X","deprecated":"use y"}`, mcp,
			`{"key":"k","type":"mcp","category":"c","description":"d","target":"https://h/mcp","input_schema":{"a":1},"output_schema":{"b":1},"examples":[{}],"auth":"bearer:X","deprecated":"use y"}`},
		{"what the source gives", `{"key":"k","type":"mcp","target":"old","category":"c","description":"d","arguments":[{"name":"a"}],"output_schema":{"b":1},"examples":[1],"auth":"bearer:X","deprecated":"its document calls it deprecated"}`,
			with(mcp, func(r *directory.Row) {
				r.Category, r.Description, r.InputSchema, r.OutputSchema, r.Auth, r.Examples = "C", "D", raw(`{}`), raw(`true`), "bearer:Y", []json.RawMessage{raw("2")}
			}), `{"key":"k","type":"mcp","category":"C","description":"D","target":"https://h/mcp","input_schema":{},"output_schema":true,"examples":[2],"auth":"bearer:Y"}`},
		{"a list in place of a schema", `{"key":"k","input_schema":{}}`, with(mcp, func(r *directory.Row) { r.Arguments = []directory.Argument{{Name: "a"}} }), `{"key":"k","type":"mcp","target":"https://h/mcp","arguments":[{"name":"a"}]}`},
		{"doc lines before the source's template", `{"key":"k","content":"# WHAT: it\r\n#   goes on\n\n# SAFE\n{old}\n{more}"}`, http, `{"key":"k","type":"http","target":"POST https://h/x","content":"# WHAT: it\n#   goes on\n\n# SAFE\n{body}"}`},
		{"doc lines without a template", `{"key":"k","content":"# SAFE\n{old}"}`, with(http, func(r *directory.Row) { r.Content = "" }), `{"key":"k","type":"http","target":"POST https://h/x","content":"# SAFE"}`},
		{"a hint that stays, in its place", `{"key":"k","content":"` + note + `\n# WHAT: it"}`, with(mcp, func(r *directory.Row) { r.Content = note }), `{"key":"k","type":"mcp","target":"https://h/mcp","content":"` + note + `\n# WHAT: it"}`},
		{"a hint that is gone", `{"key":"k","content":"# WHAT: it\n` + note + `\n# NOTE: its server says that I am wrong"}`, mcp, `{"key":"k","type":"mcp","target":"https://h/mcp","content":"# WHAT: it\n# NOTE: its server says that I am wrong"}`},
		{"a hint that is new", `{"key":"k","content":"# WHAT: it"}`, with(mcp, func(r *directory.Row) { r.Content = note }), `{"key":"k","type":"mcp","target":"https://h/mcp","content":"# WHAT: it\n` + note + `"}`},
		{"headers", `{"key":"k","headers":{"content-type":"text/x","X-Gone":"{gone}","accept":"mine","X-Mine":"1"}}`, with(http, func(r *directory.Row) { r.Headers = map[string]string{"Accept": "theirs"} }),
			`{"key":"k","type":"http","target":"POST https://h/x","content":"{body}","headers":{"Accept":"theirs","X-Mine":"1"}}`},
		{"the query of an endpoint", `{"key":"k","target":"https://h/mcp?key=$NAME"}`, mcp, `{"key":"k","type":"mcp","target":"https://h/mcp?key=$NAME"}`},
		{"another endpoint", `{"key":"k","target":"https://h/mcp2"}`, mcp, `{"key":"k","type":"mcp","target":"https://h/mcp"}`},
		{"fields of another kind", `{"key":"k","content":7,"headers":[],"target":null,"deprecated":{}}`, mcp, `{"key":"k","type":"mcp","target":"https://h/mcp","headers":[],"deprecated":{}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			u := update(t, tt.old+"\n", false, tt.row)
			if d := cmp.Diff(tt.want+"\n", string(u.Text)); d != "" {
				t.Error(d)
			}
			again := update(t, string(u.Text), false, tt.row)
			if !bytes.Equal(again.Text, u.Text) || again.Unchanged != 1 || again.Changed != 0 {
				t.Errorf("the second time %+v:\n%s", again, again.Text)
			}
		})
	}
}

func TestUpdateRows(t *testing.T) {
	row := func(key, description string) directory.Row {
		return directory.Row{Key: key, Type: directory.MCP, Target: "s", Description: description}
	}
	old := "\xef\xbb\xbf" + `{"key":"s/gone","type":"mcp","target":"s","effect":"read"}` + "\r\n\n" + `{"key":"s/same","type":"mcp","description":"d","target":"s"}` + "\n" + `{"key":"s/changed","type":"mcp","description":"d","target":"s"}`
	source := []directory.Row{row("s/new", "n"), row("s/same", "d"), row("s/changed", "e")}
	const changed, added, same = `{"key":"s/changed","type":"mcp","description":"e","target":"s"}` + "\n", `{"key":"s/new","type":"mcp","description":"n","target":"s"}` + "\n", `{"key":"s/same","type":"mcp","description":"d","target":"s"}` + "\n"
	want := importer.Updated{New: 1, Changed: 1, Unchanged: 1, Fields: []importer.Count{{Kind: "description", Count: 1}}, Missing: []string{"s/gone"},
		Text: []byte(changed + `{"key":"s/gone","type":"mcp","target":"s","effect":"read"}` + "\n" + added + same)}
	if d := cmp.Diff(&want, update(t, old, false, source...)); d != "" {
		t.Error(d)
	}
	want.Pruned, want.Text = true, []byte(changed+added+same)
	if d := cmp.Diff(&want, update(t, old, true, source...)); d != "" {
		t.Error(d)
	}
}

// What Write wrote is what Update leaves where nothing has changed.
func TestUpdateOfWritten(t *testing.T) {
	rows := read(t, `{"tools":[{"name":"x\u2028<","description":"a & b \u0001","annotations":{"readOnlyHint":true},"inputSchema":{"type": "object","properties":{"n":{"const":1.10}}}},{"name":"y"}]}`, importer.Options{Server: "s"}).Rows
	var out bytes.Buffer
	if err := importer.Write(&out, rows); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(out.String(), string(update(t, out.String(), true, rows...).Text)); d != "" {
		t.Error(d)
	}
}

func TestUpdateRefused(t *testing.T) {
	tests := []struct{ old, want string }{
		{"[{\"key\":\"a\"}]", "rows.jsonl:1 is no row to update"},
		{"{\"key\":\"a\"}\n{\"key\":\"b\"", "rows.jsonl:2 is no row to update"},
		{"\n{}", "rows.jsonl:2 is no row to update (it has no key)"},
		{"null", "rows.jsonl:1 is no row to update (it has no key)"},
		{`{"key":7}`, "it has no key"},
		{"{\"key\":\"a\"}\n{\"key\":\"a\"}", "the key a stands twice"},
	}
	for _, tt := range tests {
		if _, err := importer.Update("rows.jsonl", []byte(tt.old), nil, false); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %q", tt.old, err, tt.want)
		}
	}
}

func FuzzUpdate(f *testing.F) {
	f.Add(`{"key":"s/x","content":"# A\n{b}","headers":{"a":"b"}}`)
	f.Add("{\"key\":\"a\",\"-\":1,\"\":null}\n{\"key\":\"s/x\",\"target\":\"s?\"}")
	rows := []directory.Row{{Key: "s/x", Type: directory.MCP, Target: "s", Content: "# NOTE: n"}}
	f.Fuzz(func(t *testing.T, old string) {
		first, err := importer.Update("f", []byte(old), rows, false)
		if err != nil {
			return
		}
		again, err := importer.Update("f", first.Text, rows, false)
		if err != nil || !bytes.Equal(first.Text, again.Text) {
			t.Errorf("%q\nthen %q (%v)", first.Text, again.Text, err)
		}
	})
}

func TestLeftOutCount(t *testing.T) {
	tests := []struct {
		name, list string
		leftOut    int
		incomplete bool
	}{
		{"all taken", `{"tools":[{"name":"x"}]}`, 0, false},
		{"the same twice", `[{"name":"x"},{"name":"x"}]`, 0, false},
		{"two of one name", `[{"name":"x"},{"name":"x","description":"d"}]`, 1, false},
		{"no name", `[{"name":"x"},{"name":" "}]`, 1, false},
		{"a line that is none", "{\"name\":\"x\"}\n{\"name\":\n", 1, false},
		{"too deep", `[{"name":"x"},{"name":"y","inputSchema":` + strings.Repeat(`{"a":`, 70) + "1" + strings.Repeat("}", 70) + `}]`, 1, false},
		{"more pages", `{"tools":[{"name":"x"}],"nextCursor":"p"}`, 0, true},
	}
	for _, tt := range tests {
		got := read(t, tt.list, importer.Options{Server: "s"})
		if len(got.Rows) != 1 || got.LeftOut != tt.leftOut || got.Incomplete != tt.incomplete {
			t.Errorf("%s: %d rows, %d left out, incomplete %v", tt.name, len(got.Rows), got.LeftOut, got.Incomplete)
		}
	}
}
