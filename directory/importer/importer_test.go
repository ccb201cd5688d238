package importer_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"codemode/directory"
	"codemode/directory/importer"
)

func read(t *testing.T, list string, opts importer.Options) *importer.Result {
	t.Helper()
	result, err := importer.Tools(strings.NewReader(list), opts)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// rules are the findings as "rule" by first line.
func rules(fs []directory.Finding) []string {
	var out []string
	for _, f := range fs {
		if f.Rule != "missing_when_to_use" { // every list lacks it
			out = append(out, f.Rule)
		}
	}
	return out
}

func keys(rows []directory.Row) []string {
	var out []string
	for _, r := range rows {
		out = append(out, r.Key)
	}
	return out
}

func TestShapes(t *testing.T) {
	const schema = `{"type":"object","properties":{"b":{},"a":{}}}`
	mcp := func(name string) string {
		return `{"name":"` + name + `","description":"d","inputSchema":` + schema + `}`
	}
	want := func(key, server string) directory.Row {
		return directory.Row{Key: key, Type: directory.MCP, Target: server, Description: "d", InputSchema: json.RawMessage(schema)}
	}
	bare := func(key, server string) directory.Row {
		return directory.Row{Key: key, Type: directory.MCP, Target: server}
	}
	tests := []struct {
		name, list string
		opts       importer.Options
		want       []directory.Row
		rules      []string
	}{
		{"dump", `{"tools":[` + mcp("y") + `,` + mcp("x") + `]}`, importer.Options{Server: "s"}, []directory.Row{want("s/x", "s"), want("s/y", "s")}, nil},
		{"dump of nobody", `{"tools":[` + mcp("x") + `]}`, importer.Options{}, []directory.Row{want("tools/x", "tools")}, []string{"no_server"}},
		{"named dump", `{"name":"s","tools":[` + mcp("x") + `]}`, importer.Options{Server: "t"}, []directory.Row{want("s/x", "s")}, nil},
		{"response", `{"jsonrpc":"2.0","id":1,"result":{"tools":[` + mcp("x") + `],"nextCursor":"p2"}}`, importer.Options{Server: "s"},
			[]directory.Row{want("s/x", "s")}, []string{"incomplete_list"}},
		{"servers", `{"b":{"tools":[` + mcp("x") + `]},"a":[` + mcp("x") + `]}`, importer.Options{}, []directory.Row{want("a/x", "a"), want("b/x", "b")}, nil},
		{"responses of servers", `{"a":{"jsonrpc":"2.0","result":{"tools":[` + mcp("x") + `]}}}`, importer.Options{}, []directory.Row{want("a/x", "a")}, nil},
		{"catalogue", `[{"name":"A B","tools":{"a":{"server_name":"a","tools":[` + mcp("x") + `]}}}]`, importer.Options{}, []directory.Row{want("a/x", "a")}, nil},
		{"array", `[{"server":"a",` + mcp("x")[1:] + `,{"class":"b",` + mcp("x")[1:] + `]`, importer.Options{}, []directory.Row{want("a/x", "a"), want("b/x", "b")}, nil},
		{"lines", "\xef\xbb\xbf" + `{"server":"a",` + mcp("x")[1:] + "\r\n\r\n" + `{"server":"a",` + mcp("y")[1:], importer.Options{}, []directory.Row{want("a/x", "a"), want("a/y", "a")}, nil},
		{"function", `[{"type":"function","function":{"name":"x","description":"d","parameters":` + schema + `}}]`, importer.Options{Server: "s"}, []directory.Row{want("s/x", "s")}, nil},
		{"flat function", `[{"type":"function","name":"x","description":"d","parameters":` + schema + `,"strict":true}]`, importer.Options{Server: "s"}, []directory.Row{want("s/x", "s")}, nil},
		{"names", `{"a":["x","y"]}`, importer.Options{}, []directory.Row{bare("a/x", "a"), bare("a/y", "a")}, []string{"missing_description"}},
		{"lines of names", "\"x\"\n\"y\"\n", importer.Options{Server: "s"}, []directory.Row{bare("s/x", "s"), bare("s/y", "s")}, []string{"missing_description"}},
		{"broken line", mcp("x") + "\n{\"name\":\n" + mcp("y"), importer.Options{Server: "s"}, []directory.Row{want("s/x", "s"), want("s/y", "s")}, []string{"malformed_tool"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := read(t, tt.list, tt.opts)
			if d := cmp.Diff(tt.want, got.Rows); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(tt.rules, rules(got.Findings)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestFields(t *testing.T) {
	list := `{"class":"C","name":"f","description":" d\nd ","parameters":{"type": "dict", "properties":{"big":{"const":9007199254740993}}},
	 "response":{"type":"float"},"title":"T","icons":[1],"_meta":null,
	 "annotations":{"title":"T","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":null},
	 "arguments":[{"name":"a","type":"string","desc":"x","required":false},{"name":"b","type":["integer","null"],"optional":true,"items":{"a": 1},"enum":[1]},{"desc":"?"},"c"]}`
	got := read(t, list, importer.Options{File: "f.json"})
	no, yes := false, true
	want := directory.Row{
		Key: "C/f", Type: directory.MCP, Target: "C", Description: "d\nd",
		InputSchema:  json.RawMessage(`{"type":"dict","properties":{"big":{"const":9007199254740993}}}`),
		OutputSchema: json.RawMessage(`{"type":"float"}`),
		Arguments: []directory.Argument{{Name: "a", Type: "string", Description: "x", Required: &no},
			{Name: "b", Type: "integer | null", Optional: &yes, Items: json.RawMessage(`{"a":1}`)}, {Name: "c"}},
	}
	if d := cmp.Diff([]directory.Row{want}, got.Rows, cmpopts.IgnoreFields(directory.Row{}, "Content", "Docs")); d != "" {
		t.Error(d)
	}
	if docs := got.Rows[0].Docs; len(docs.Notes) != 2 || docs.Safe || docs.Idempotent {
		t.Errorf("hints became %+v, want two notes and nothing that counts", docs)
	}
	var found []string
	for _, f := range got.Findings {
		found = append(found, f.String())
	}
	wantFound := []string{
		`f.json:1: C/f: an argument has no name; it is left out; give it a name`,
		`f.json:1: C/f: a tool does not say when to use it; write it: search and agents go by it, and lint refuses the rows until it is there`,
		`f.json:1: C/f: a row has no place for "arguments.enum"; it is left out`,
		`f.json:1: C/f: a row has no place for "icons"; it is left out`,
		`f.json:1: C/f: a row has no place for "title"; it is left out`,
		`f.json:1: C/f: a tool claims that it only reads; set "effect":"read" on those that really only read`,
	}
	if d := cmp.Diff(wantFound, found); d != "" {
		t.Error(d)
	}
}

// What many tools lack is one finding.
func TestCounts(t *testing.T) {
	got := read(t, strings.Repeat(`{"server":"s","name":"x"}`+"\n", 3)+`{"server":"s","name":"x","description":"other"}`+"\n"+`{"server":"s","name":"y","extra":1}`, importer.Options{})
	var found []string
	for _, f := range got.Findings {
		found = append(found, f.String())
	}
	want := []string{
		`input:1: 2 tools have no description; describe it: lint refuses the rows until it is there`,
		`input:1: 2 tools do not say when to use them; write it: search and agents go by it, and lint refuses the rows until it is there`,
		`input:2: s/x: the same tool stands at line 1; it is taken once`,
		`input:3: s/x: the same tool stands at line 1; it is taken once`,
		`input:4: s/x: another tool of this server and name stands at line 1; the first is taken; keep one of the two, or name their servers apart`,
		`input:5: s/y: a row has no place for "extra"; it is left out`,
	}
	if d := cmp.Diff(want, found); d != "" {
		t.Error(d)
	}
}

func TestKeysAreDistinct(t *testing.T) {
	parts := []string{"a", "b", "a/b", "/", "%", "%2F", "a%2Fb", " a", "a ", "a\n", "\u00a0", "é", "a b"}
	seen := map[string]bool{}
	for _, server := range parts {
		for _, name := range parts {
			key := importer.Key(server, name)
			if seen[key] {
				t.Errorf("%q of %q has a key that another has: %q", name, server, key)
			}
			seen[key] = true
			if strings.TrimSpace(key) != key || strings.ContainsAny(key, "\n\u00a0") {
				t.Errorf("key %q cannot be loaded", key)
			}
		}
	}
}

func TestHostile(t *testing.T) {
	deep := func(n int) string {
		return `{"name":"x","inputSchema":` + strings.Repeat(`{"items":`, n) + `{}` + strings.Repeat(`}`, n) + `}`
	}
	tests := []struct {
		name, list string
		opts       importer.Options
		rows       int
		rules      []string
	}{
		{"deep", `[` + deep(63) + `,` + deep(62) + `]`, importer.Options{Server: "s"}, 1, []string{"malformed_tool", "missing_description"}},
		{"large", `[{"name":"x","description":"` + strings.Repeat("x", 200) + `"},{"name":"y"}]`, importer.Options{Server: "s", MaxToolBytes: 100}, 1, []string{"missing_description", "tool_too_large"}},
		{"surrogate", `[{"name":"x","inputSchema":{"const":"\ud800"}},"y"]`, importer.Options{Server: "s"}, 1, []string{"malformed_tool", "missing_description"}},
		{"name twice", `[{"name":"x","inputSchema":{"a":1,"a":2}},"y"]`, importer.Options{Server: "s"}, 1, []string{"malformed_tool", "missing_description"}},
		{"not UTF-8", "[{\"name\":\"x\xff\"},\"y\"]", importer.Options{Server: "s"}, 1, []string{"malformed_tool", "missing_description"}},
		{"long name", `["` + strings.Repeat("n", 250) + `","y"]`, importer.Options{Server: "s"}, 1, []string{"bad_name", "missing_description"}},
		{"no name", `["","y"," "]`, importer.Options{Server: "s"}, 1, []string{"bad_name", "bad_name", "missing_description"}},
		{"schema of another kind", `[{"name":"x","description":"d","inputSchema":"string","outputSchema":[1]}]`, importer.Options{Server: "s"}, 1, []string{"bad_schema", "bad_schema"}},
		{"documentation lines", `[{"name":"x","description":"# SAFE\n# ARGS: a\n[\"$1\"]"}]`, importer.Options{Server: "s"}, 1, nil},
		{"other values", `[1,null,{"a":1},"y"]`, importer.Options{Server: "s"}, 1, []string{"missing_description", "not_a_tool"}},
		{"many findings", `[` + strings.Repeat(`"",`, 10) + `"y"]`, importer.Options{Server: "s", MaxFindings: 2}, 1, []string{"bad_name", "bad_name", "missing_description", "more_findings"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := read(t, tt.list, tt.opts)
			if len(got.Rows) != tt.rows {
				t.Errorf("rows %q, want %d", keys(got.Rows), tt.rows)
			}
			if d := cmp.Diff(tt.rules, rules(got.Findings)); d != "" {
				t.Error(d)
			}
			for _, r := range got.Rows {
				if r.Docs.Safe || r.Effect != "" || r.Template != "" {
					t.Errorf("a list gave a row authority: %+v", r)
				}
			}
			roundTrip(t, got.Rows)
		})
	}
}

func TestErrors(t *testing.T) {
	broken := errors.New("broken pipe")
	tests := []struct {
		name string
		list io.Reader
		opts importer.Options
		want string
	}{
		{"reader", iotest.ErrReader(broken), importer.Options{}, "cannot read the tool list input: broken pipe"},
		{"bytes", strings.NewReader(strings.Repeat(" ", 11)), importer.Options{MaxBytes: 10}, "larger than 10 bytes; split it"},
		{"tools", strings.NewReader(`["a",` + "\n" + `"b"]`), importer.Options{MaxTools: 1}, "more than 1 tools at line 2"},
		{"empty", strings.NewReader(" \n"), importer.Options{}, "holds no tools"},
		{"empty list", strings.NewReader(`{"tools":[]}`), importer.Options{}, "holds no tools"},
		{"torn", strings.NewReader("[\n{\"name\":"), importer.Options{File: "a.json"}, "tool list a.json: it is neither JSON (line 2: unexpected end of JSON input) nor JSON Lines"},
		{"openapi", strings.NewReader(`{"openapi":"3.1.0","tags":[{"name":"x"}]}`), importer.Options{}, "OpenAPI"},
		{"client settings", strings.NewReader(`{"mcpServers":{"a":{"command":"npx","args":["b"]}}}`), importer.Options{}, "holds no tools"},
		{"settings of lists", strings.NewReader(`{"a":{"b":{"c":["d"]}}}`), importer.Options{}, "holds no tools"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			result, err := importer.Tools(tt.list, tt.opts)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, %v; want %q", result, err, tt.want)
			}
		})
	}
}

// roundTrip writes rows and loads them again.
func roundTrip(t testing.TB, rows []directory.Row) {
	t.Helper()
	var b bytes.Buffer
	if err := importer.Write(&b, rows); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "rows.jsonl")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	dir, err := directory.Load(file, directory.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(dir.Findings) > 0 {
		t.Errorf("loading again finds %s", dir.Findings[0])
	}
	for i := range dir.Rows {
		dir.Rows[i].File, dir.Rows[i].Line = "", 0
	}
	if !reflect.DeepEqual(rows, dir.Rows) { // fast; the words are for when it fails
		t.Errorf("rows changed on the way:\n%.2000s", cmp.Diff(rows, dir.Rows))
	}
}

func FuzzTools(f *testing.F) {
	for _, s := range []string{`{"tools":[{"name":"x","inputSchema":{}}]}`, `{"a":["x"]}`, "\"x\"\n{\"name\":\"y\",\"arguments\":[{\"name\":\"a\"}]}",
		`[{"type":"function","function":{"name":"x"}}]`, `{"jsonrpc":"2","result":{"tools":[{"name":"# SAFE\u0000","description":"e.g."}]}}`, `[{"name":"<&>\u2028"}]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, list []byte) {
		result, err := importer.Tools(bytes.NewReader(list), importer.Options{MaxBytes: 1 << 16})
		if err != nil {
			return
		}
		if !slices.IsSorted(keys(result.Rows)) {
			t.Errorf("keys are not in order: %q", keys(result.Rows))
		}
		if len(result.Rows) > 0 {
			roundTrip(t, result.Rows)
		}
	})
}
