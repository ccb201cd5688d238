package directory

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// write puts files into a new folder and returns it.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func load(t *testing.T, text string, opts LoadOptions) *Directory {
	t.Helper()
	d, err := Load(filepath.Join(write(t, map[string]string{"rows.jsonl": text}), "rows.jsonl"), opts)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// places lists "KEY line" of the rows.
func places(d *Directory) []string {
	var out []string
	for _, r := range d.Rows {
		out = append(out, r.Key+" "+filepath.Base(r.File)+fmt.Sprintf(":%02d", r.Line))
	}
	return out
}

func TestLoadLines(t *testing.T) {
	d := load(t, "\xef\xbb\xbf\r\n{\"key\":\"B\",\"type\":\"fn\"}\r\n\n  \t\n{\"key\":\"A\",\"type\":\"HTTP\",\"target\":\"GET https://a.example\"}", LoadOptions{})
	if diff := cmp.Diff([]string{"A rows.jsonl:05", "B rows.jsonl:02"}, places(d)); diff != "" || len(d.Findings) != 0 {
		t.Error(diff, d.Findings)
	}
	if row, ok := d.Row("A"); !ok || row.Type != HTTP {
		t.Error(row, ok)
	}
}

func TestLoadArrayAndObject(t *testing.T) {
	root := write(t, map[string]string{
		"a.json":      "\n[\n {\"key\":\"A\",\n  \"type\":\"fn\"},\n\n {\"key\":\"B\",\"type\":\"fn\",\"description\":\"],{\\\"\"}\n,{\"key\":\"C\" \"type\":\"fn\"},{\"key\":\"D\",\"type\":\"fn\"}]\n",
		"b.json":      "\n{\n \"key\":\"E\",\n \"type\":\"fn\"\n}\n",
		"sub/c.json":  "[]",
		"sub/d.txt":   "not read",
		".git/e.json": "{",
	})
	d, err := Load(root, LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"A a.json:03", "B a.json:06", "D a.json:07", "E b.json:02"}, places(d)); diff != "" {
		t.Error(diff)
	}
	if len(d.Findings) != 1 || d.Findings[0].Key != "C" || d.Findings[0].Line != 7 || !strings.Contains(d.Findings[0].Message, "column 13") {
		t.Error(d.Findings)
	}
}

func TestBrokenArrays(t *testing.T) {
	for text, want := range map[string]string{
		`[{"key":"A","type":"fn"},]`:              "missing beside a comma",
		`[{"key":"A","type":"fn"}`:                "does not end",
		`[{"key":"A","type":"fn"}] x`:             "after the end",
		`[{"key":"A","type":"fn"},7]`:             "must be a JSON object",
		"[{\"key\":\"A\",\"type\":\"fn\"},\n\"x]": "does not end",
	} {
		d := load(t, text, LoadOptions{})
		if len(d.Findings) != 1 || !strings.Contains(d.Findings[0].Message, want) {
			t.Errorf("%s: %v", text, d.Findings)
		}
	}
}

func TestMalformedRows(t *testing.T) {
	tests := []struct{ row, rule, message, hint string }{
		{`{"key":"A","type":"fn"`, "malformed_row", "ends too early", ""},
		{`{"key":"A","type":fn}`, "malformed_row", "column 20", ""},
		{"{\"key\":\"A\",\"type\":\"\xff\"}", "malformed_row", "UTF-8", ""},
		{`{"key":"A","key":"B","type":"fn"}`, "malformed_row", `"key" stands twice`, ""},
		{`{"key":"A","type":"fn","input_schema":{"a":1,"a":2}}`, "malformed_row", `"a" stands twice`, ""},
		{`{"key":"A","type":"fn","version":"one"}`, "malformed_row", "field version: want an integer, got string", ""},
		{`{"key":"A","type":"fn","headers":{"X":1}}`, "malformed_row", "field headers.X: want a string, got number", ""},
		{`{"key":"A","type":"http","target_map":{"a":5}}`, "malformed_row", `field target_map.a: want an object, or "METHOD url body", got number`, ""},
		{`{"key":"A","type":"http","target_map":{"a":{"target":5}}}`, "malformed_row", "field target_map.a: target: want a string, got number", ""},
		{`{"key":"A","type":"http","target_map":[]}`, "malformed_row", "field target_map: want an object, got array", ""},
		{`{"key":["A"],"type":"fn"}`, "malformed_row", "field key: want a string", ""},
		{`{"type":"fn"}`, "missing_key", "no key", ""},
		{`{"key":" ","type":"fn"}`, "missing_key", "no key", ""},
		{`{"key":"A\u0000","type":"fn"}`, "malformed_row", "control", ""},
		{`{"key":"A","type":"htp"}`, "unknown_type", `"htp"`, `did you mean "http"? The types are fn (a Go function`},
		{`{"key":"A","target":"thing"}`, "missing_type", "no type", ""},
		{`{"key":"A","content":"# WHAT: words"}`, "documentation_row", "documentation only", ""},
		{`{"key":"A","type":"fn"} x`, "malformed_row", "column 25", ""},
		{`["key"]x`, "malformed_row", "", ""},
		{`{"key":"A","type":"fn","examples":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, "malformed_row", "nested more than 64", ""},
		{`{"key":"A","type":"http","target_map":{"a":"GET"}}`, "malformed_row", "METHOD url body", ""},
		{`{"key":"A","type":"fn","description":"` + strings.Repeat("x", 2000) + `"}`, "row_too_large", "1000 bytes", ""},
	}
	for _, tt := range tests {
		d := load(t, `{"key":"OK","type":"fn"}`+"\n"+tt.row+"\n"+`{"key":"OK2","type":"fn"}`, LoadOptions{MaxRowBytes: 1000})
		if len(d.Rows) != 2 || len(d.Findings) == 0 {
			t.Errorf("%s: rows %v, findings %v", tt.row, places(d), d.Findings)
			continue
		}
		f := d.Findings[0]
		if f.Line != 2 || f.Rule != tt.rule || !strings.Contains(f.Message, tt.message) || !strings.Contains(f.Hint, tt.hint) {
			t.Errorf("%s: %+v", tt.row, f)
		}
	}
}

func TestDuplicateAndUnknown(t *testing.T) {
	d := load(t, `{"key":"A","type":"fn","descripton":"x"}`+"\n"+`{"key":"A","type":"fn"}`+"\n"+`{"key":"B","type":"http","target_map":{"x":{"target":"GET https://a.example","efect":"read"}}}`, LoadOptions{})
	var got []string
	for _, f := range d.Findings {
		got = append(got, string(f.Severity)+" "+f.Rule+" "+f.Hint)
	}
	want := []string{`warning unknown_field did you mean "description"?`, "error duplicate_key rename or remove one of the two", `warning unknown_field did you mean "effect"?`}
	if diff := cmp.Diff(want, got); diff != "" || len(d.Rows) != 2 {
		t.Error(diff, places(d))
	}
}

func TestStrict(t *testing.T) {
	root := write(t, map[string]string{"rows.jsonl": strings.Repeat("{\n", 30) + `{"key":"A","type":"fn","x":1}`})
	_, err := Load(root, LoadOptions{Strict: true})
	if err == nil || !strings.Contains(err.Error(), "rows.jsonl:1: ") || !strings.Contains(err.Error(), "and 10 more") || strings.Contains(err.Error(), "unknown field") {
		t.Error(err)
	}
	if _, err := Load(write(t, map[string]string{"rows.jsonl": `{"key":"A","type":"fn","x":1}`}), LoadOptions{Strict: true}); err != nil {
		t.Error("a warning is no error:", err)
	}
}

func TestLoadErrors(t *testing.T) {
	root := write(t, map[string]string{"rows.jsonl": `{"key":"A","type":"fn"}` + "\n" + `{"key":"B","type":"fn"}`, "empty/x.txt": ""})
	tests := map[string]struct {
		path string
		opts LoadOptions
		want string
	}{
		"missing":   {filepath.Join(root, "none"), LoadOptions{}, "no such file"},
		"no files":  {filepath.Join(root, "empty"), LoadOptions{}, "holds no .jsonl"},
		"file size": {root, LoadOptions{MaxFileBytes: 10}, "larger than 10 bytes"},
		"rows":      {root, LoadOptions{MaxRows: 1}, "more than 1 rows"},
		"device":    {"/dev/null", LoadOptions{}, "neither a file nor a folder"},
	}
	for name, tt := range tests {
		if _, err := Load(tt.path, tt.opts); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFindingsAreCapped(t *testing.T) {
	d := load(t, strings.Repeat("{\n", 50), LoadOptions{MaxFindings: 5})
	if len(d.Findings) != 6 || d.Findings[5].Rule != "more_findings" || d.Findings[5].Severity != SeverityError || !strings.HasPrefix(d.Findings[5].Message, "45 more") {
		t.Error(d.Findings)
	}
}

func TestTypeIsInferred(t *testing.T) {
	for row, want := range map[string]Type{
		`"target":"GET https://a.example/$1"`:        HTTP,
		`"target":"https://a.example/$1"`:            HTTP,
		`"target":"GTE https://a.example/$1"`:        HTTP,
		`"target_map":{"a":"GET https://a.example"}`: HTTP,
		`"content":"# WHAT: x\n[\"$1\",$2]"`:         Fn,
		`"content":"A:$1 > B:$PREV => x"`:            Flow,
	} {
		d := load(t, `{"key":"A",`+row+`}`, LoadOptions{})
		if len(d.Rows) != 1 || d.Rows[0].Type != want || len(d.Findings) != 1 || d.Findings[0].Rule != "inferred_type" || d.Findings[0].Severity != SeverityWarning {
			t.Errorf("%s: %v %v", row, d.Rows, d.Findings)
		}
	}
}

func TestPages(t *testing.T) {
	d := load(t, `{"key":"Z","content":"# WHAT: first"}`+"\n"+`{"key":"Z","content":"# WHAT: second"}`+"\n"+`{"key":"B","description":"How to."}`+"\n"+`{"key":"B","type":"fn","target":"b"}`+"\n"+`{"key":"","description":"no key"}`, LoadOptions{})
	var got []string
	for _, p := range d.Pages {
		got = append(got, fmt.Sprintf("%s:%d %s%s", p.Key, p.Line, p.Description, p.Type))
	}
	if diff := cmp.Diff([]string{"B:3 How to.", "Z:1 first"}, got); diff != "" || len(d.Rows) != 1 {
		t.Error(diff, places(d))
	}
}

func TestOperations(t *testing.T) {
	d := load(t, `{"key":"A","target":"https://a.example/v1/","target_map":{"get":"GET /x/$1","put":{"target":"PUT /x/$1","content":"# WHAT: Puts.\n# ARGS: id|n\n{\"n\":$2}"},"far":"POST https://b.example form:a=$1&b=$2"}}`, LoadOptions{})
	row := d.Rows[0]
	want := map[string]Operation{
		"get": {Target: "GET https://a.example/v1/x/$1"},
		"put": {Target: "PUT https://a.example/v1/x/$1", Content: `{"n":$2}`, Description: "Puts.", Docs: Docs{What: []string{"Puts."}, Args: []string{"id|n"}}},
		"far": {Target: "POST https://b.example", Content: "form:a=$1&b=$2"},
	}
	if diff := cmp.Diff(want, row.TargetMap); diff != "" {
		t.Error(diff)
	}
	if _, ok := row.Source(); ok {
		t.Error("a row of operations has no template of its own")
	}
	src, err := row.OperationSource("put")
	if err != nil || src.Target != "PUT https://a.example/v1/x/$1" || src.Content != `{"n":$2}` {
		t.Error(src, err)
	}
}

// TestHostileSizes takes inputs that a quadratic reader would not finish.
func TestHostileSizes(t *testing.T) {
	const n = 30_000
	for name, content := range map[string]string{
		"lines":     strings.Repeat("#a\\n", n),
		"sentences": "# Args: " + strings.Repeat(". A", n),
		"labels":    "# " + strings.Repeat("Args: ", n/2),
		"slots":     "x " + strings.Repeat("$1", n),
		"word":      strings.Repeat("x", n*3),
		"words":     strings.Repeat("x ", n),
		"brackets":  strings.Repeat("[", n),
		"steps":     strings.Repeat("A>", n),
		"args":      "A:" + strings.Repeat(`[\"|`, n/3),
	} {
		for _, kind := range []string{"cli", "flow", "http"} {
			d := load(t, `{"key":"A","target":"https://a.example","type":"`+kind+`","content":"`+content+`"}`, LoadOptions{MaxRowBytes: 4 << 20})
			if len(d.Rows)+len(d.Pages) != 1 { // a flow whose text is all documentation is a page
				t.Fatal(name, d.Findings)
			}
			Lint(d)
		}
	}
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(`{"key":"A","type":"fn","content":"# WHAT: x\n[\"$1\"]"}`))
	f.Add([]byte("[{\"key\":\"A\"},\n{\"key\":\"B\",\"target_map\":{\"a\":\"GET https://a.example\"}}]"))
	f.Add([]byte("\xef\xbb\xbf{\"key\":\"A\",\"content\":\"A:$1 > B\"}\r\n\r\n{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "rows.json")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		d, err := Load(path, LoadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Count(string(data), "\n") + 1
		for _, row := range d.Rows {
			if row.Key == "" || !row.Type.Known() || row.Line < 1 || row.Line > lines {
				t.Fatalf("%+v", row)
			}
		}
		for _, finding := range Lint(d) {
			if finding.Line < 1 || finding.Line > lines || finding.Rule == "" || finding.Message == "" {
				t.Fatalf("%+v of %d lines", finding, lines)
			}
		}
	})
}

// TestLeftOut counts what could not be read, and nothing that was: a row may be among those.
func TestLeftOut(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want int
	}{
		"fine":      {row("A", `"version":1`), 0},
		"no JSON":   {row("A", `"version":1`) + "\n{\"key\":\"B\" \"type\":\"fn\"}", 1},
		"no key":    {`{"type":"fn"}`, 1},
		"no type":   {`{"key":"A","target":"x"}`, 1},
		"bad type":  {row("A", `"type":"htpt"`), 1},
		"a page":    {`{"key":"A","content":"# WHAT: words"}`, 0},
		"twice":     {row("A", `"version":1`) + "\n" + row("A", `"version":2`), 0},
		"too long":  {row("A", `"description":"`+strings.Repeat("x", 2<<20)+`"`), 1},
		"torn list": {"[" + row("A", `"version":1`) + ",{", 1},
	} {
		if d := load(t, tt.text, LoadOptions{}); d.LeftOut != tt.want {
			t.Errorf("%s: %d left out, want %d: %v", name, d.LeftOut, tt.want, d.Findings)
		}
	}
}

// TestTypedPages holds that a row with nothing to call is a page whatever its type, and none when it is
// switched off.
func TestTypedPages(t *testing.T) {
	d := load(t, strings.Join([]string{
		`{"key":"A","type":"http","content":"# WHAT: words"}`, `{"key":"B","type":"cli","content":"# ARGS: x"}`, `{"key":"C","type":"flow","target":"x","content":"# WHAT: words"}`,
		`{"key":"D","type":"http","enabled":false,"content":"# WHAT: words"}`, `{"key":"E","type":"fn","content":"# WHAT: words"}`, `{"key":"F","type":"cli","target":"date"}`,
	}, "\n"), LoadOptions{})
	keys := func(rows []Row) (out string) {
		for _, r := range rows {
			out += r.Key
		}
		return out
	}
	if keys(d.Pages) != "ABC" || keys(d.Rows) != "EF" {
		t.Errorf("pages %s, rows %s", keys(d.Pages), keys(d.Rows))
	}
}
