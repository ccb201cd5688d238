package infer_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/gen/infer"
)

// FuzzInfer holds for any row: the contract seals, its schemas compile as 2020-12, its parameters are
// an object, its positional names exist, and the same row gives the same contract.
func FuzzInfer(f *testing.F) {
	f.Add("http", "GET https://a.example/$1?x=$2", "# ARGS: a|b?\n# RETURNS: {x,y: [string]}", `{"type":"object","properties":{"a":{"type":"int"}}}`, "Returns {a, b}. Default 3.")
	f.Add("fn", "f", `["$1",$2,"$3+"]`, `{"type":["string","frob"],"nullable":true,"enum":[1,1],"items":[{}]}`, "One of a, b or c")
	f.Add("cli", "ffmpeg", "# ARGS: <in> [--x Y]\n-i $1 $2", `{"a":"int"}`, "Args:\n  a (int): x\n")
	f.Add("map", "PUT https://a.example/tickets/$1/comments/$2", "# ARGS: ticket_id (open/won, default won)|n\n$2", `{}`, "$1")
	f.Add("fn", "f", "# ARGS: a (x, y or z; default x), b: list of e-mail addresses\n# EX: {\"a\":[1]}\n[\"$1\",$2]", ``, "")
	f.Add("mcp", "s", "# EX: K:{\"a\":1}", `{"$ref":"#/definitions/A","definitions":{"A":{"exclusiveMinimum":true,"minimum":1}}}`, "")
	f.Add("http", "POST https://a.example/{id}", "$1", `{"properties":{"a":true,"b":[]},"required":{},"dependencies":{"a":["b"]}}`, "(")
	f.Add("http", "GET https://a.example/$1?x=$2", "# NOTE: x is a, b or c; b when left out\n# | name | type |\n# |---|---|\n# | x | int |\n$1", ``, "Takes the a's id and, optionally, an x (2 unless told otherwise). Returns {a}, each a list.")
	f.Add("cli", "tool", "# ARGS: tool [-n COUNT] {a|b} <file>... [FILE [X]]\ntool -n $1 $2 $3", ``, "Parameters\n----------\na : {'x', 'y'}, default 'x'\n\nReturns\n-------\na : int\nb : str\n")
	f.Add("fn", "f", "# EX: a=1 b=[2,3]\n[$1,$2]", ``, "- `a` (int, optional)\n- b: x\n\n:param str a: ``x`` or ``y``\n:rtype: dict\n\nBody {\"a\":[{\"b\":1}]} → [1,\"x\"]")
	f.Fuzz(func(t *testing.T, kind, target, content, schema, description string) {
		row := directory.Row{Key: "FUZZ_ROW", Type: directory.Type(kind), Target: target, Content: content, Description: description,
			InputSchema: json.RawMessage(schema), OutputSchema: json.RawMessage(schema), Examples: []json.RawMessage{json.RawMessage(schema)}}
		row.Docs, row.Template = directory.ParseDocs(content)
		if kind == "map" {
			op := directory.Operation{Target: target, Content: row.Template, Docs: row.Docs, InputSchema: row.InputSchema, OutputSchema: row.OutputSchema}
			row.TargetMap = map[string]directory.Operation{"documented": op, "bare": {Target: target, Content: description}}
		}
		contracts, diagnostics := infer.Infer(row, infer.Options{})
		again, _ := infer.Infer(row, infer.Options{})
		if diff := cmp.Diff(contracts, again); diff != "" {
			t.Fatalf("not deterministic:\n%s", diff)
		}
		for _, c := range contracts {
			checkContract(t, c)
		}
		for _, d := range diagnostics {
			if d.Message == "" || d.Field == "" || d.Key != "FUZZ_ROW" {
				t.Errorf("a diagnostic says nothing: %+v", d)
			}
		}
	})
}

func checkContract(t *testing.T, c contract.Contract) {
	t.Helper()
	if err := c.Seal(); err != nil {
		t.Fatalf("cannot be sealed: %v", err)
	}
	var params struct {
		Type       string
		Properties map[string]json.RawMessage
	}
	if err := json.Unmarshal(c.Params, &params); err != nil || params.Type != "object" {
		t.Fatalf("params are no object schema: %s", c.Params)
	}
	for _, name := range c.Positional {
		if _, ok := params.Properties[name]; !ok && name != "" {
			t.Errorf("positional %q is no parameter of %s", name, c.Params)
		}
	}
	compiles(t, c.Params)
	compiles(t, c.Result)
}

// compiles fails for a schema that no validator would take. Patterns are not judged: their dialect
// is the validator's matter.
func compiles(t *testing.T, schema json.RawMessage) {
	t.Helper()
	if strings.Contains(string(schema), "pattern") || strings.Contains(string(schema), "$") {
		return
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(schema)))
	if err != nil {
		t.Fatalf("%v in %s", err, schema)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("mem:///schema.json", doc); err != nil {
		t.Fatalf("%v in %s", err, schema)
	}
	if _, err := compiler.Compile("mem:///schema.json"); err != nil {
		t.Fatalf("%v in %s", err, schema)
	}
}
