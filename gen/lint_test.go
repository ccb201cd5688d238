package gen_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codemode/directory"
	"codemode/gen"
)

// lintRules are the rules found for one http row that keeps the law, lint's and the generator's.
func lintRules(t *testing.T, fields string) (rules, messages string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "rows.jsonl")
	text := `{"key":"A","description":"Does it.","when_to_use":"Always.",` + fields + "}"
	if !strings.Contains(fields, `"type":"`+"mcp") && !strings.Contains(fields, `"type":"flow"`) && !strings.Contains(fields, `"type":"http"`) {
		text = strings.Replace(text, "{", `{"type":"http",`, 1)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	dir, err := directory.Load(file, directory.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := gen.Generate(dir, gen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var names, said []string
	for _, f := range gen.Lint(dir, out, directory.Lint(dir)) {
		if f.File == "" || f.Line != 1 || f.Key != "A" {
			t.Errorf("%s: place of %+v", fields, f)
		}
		names, said = append(names, f.Rule), append(said, f.Message)
	}
	return strings.Join(names, " "), strings.Join(said, "\n")
}

// TestLint holds that arguments are compared as the generator binds them, and that one cause is one
// finding.
func TestLint(t *testing.T) {
	for _, tt := range []struct{ fields, rules, says string }{
		{`"target":"GET https://a.example/x"`, "", ""},
		{`"target":"GET https://a.example/x?a=$1","content":"# ARGS: a|b"`, "unused_argument", `"b"`},
		{`"target":"GET https://a.example/x/$1/y/$2","content":"# ARGS: first (string)"`, "undocumented_argument", "$2"},
		{`"target":"GET https://a.example/x?q=$1","content":"# ARGS: none"`, "undocumented_argument", "$1 (q)"},
		{`"target":"GET https://a.example/x?q=$1"`, "", ""},
		{`"target":"GET https://a.example/x?level=$1","content":"# ARGS: low|normal|urgent\n# NOTE: pick one"`, "", ""},
		{`"target":"GET https://a.example/x?a=$1&b=$2","content":"# ARGS: see content"`, "args_see_content", ""},
		{`"target":"GET https://a.example/x?a=$1","arguments":[{"name":"a","type":"string"},{"name":"b","type":"string"}]`, "unused_argument", `"b"`},
		{`"target":"POST https://a.example/x","content":"hello $1","input_schema":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}`, "unused_argument", `"b"`},
		{`"target_map":{"get":{"target":"GET https://a.example/x?a=$1","content":"# ARGS: a|b"}}`, "unused_argument", "operation get: "},
		{`"target":"POST https://a.example/x","effect":"reversible"`, "reversible_without_undo", ""},
		{`"target":"POST https://a.example/x","effect":"reversible","undo":"GONE"`, "unknown_reference", ""},
		{`"target":"POST https://a.example/x","effect":"reed"`, "unknown_effect", ""},
		{`"target":"GET nowhere"`, "invalid_template", ""},
		{`"target":"GET https://a.example/x","content":"# RETURNS: {id: strng}"`, "contract_result", "strng"},
		{`"target":"GET https://a.example/x","content":"# RETURNS: {id: TYPE}"`, "placeholder", ""},
		{`"type":"mcp","target":"s","input_schema":{"type":"object","properties":{"a":{"type":"strin"}}}`, "unknown_schema_type", ""},
		{`"type":"mcp","target":"s","input_schema":{"type":"object","properties":{"a":{"$ref":"#/$defs/none"}}}`, "invalid_ref", ""},
		{`"type":"flow","content":"GONE:$1"`, "unknown_step", ""},
		{`"target":"GET https://a.example/x?a=$1&b=$3"`, "slot_gap", ""},
	} {
		if rules, said := lintRules(t, tt.fields); rules != tt.rules || !strings.Contains(said, tt.says) {
			t.Errorf("%s: %q, want %q:\n%s", tt.fields, rules, tt.rules, said)
		}
	}
}

func TestExplainTellsWhatGenerateFound(t *testing.T) {
	dir := loadRows(t, `{"key":"A_PUT","type":"http","description":"D.","when_to_use":"W.","target":"POST http://h.example/a","effect":"reversible","undo":"GONE"}`)
	out, err := gen.Generate(dir, gen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := gen.Explain(dir, out, "A_PUT")
	if err != nil {
		t.Fatal(err)
	}
	var fields []string
	for _, d := range all[0].Diagnostics {
		fields = append(fields, d.Field)
	}
	if strings.Join(fields, " ") != "undo effect" {
		t.Errorf("diagnostics of %q", fields)
	}
}
