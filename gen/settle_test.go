package gen_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/gen"
	"codemode/gen/infer"
)

// TestOneBadSchema puts a schema that cannot be used beside a good row of the same namespace.
func TestOneBadSchema(t *testing.T) {
	deep := strings.Repeat(`{"type":"array","items":`, 300) + "{}" + strings.Repeat("}", 300)
	for name, schema := range map[string]string{
		"remote reference":       `{"type":"object","properties":{"a":{"$ref":"https://other.example/s.json"}}}`,
		"remote, with an id":     `{"$id":"https://x.example/s","type":"object","properties":{"a":{"$ref":"https://x.example/s/other"}}}`,
		"missing reference":      `{"type":"object","properties":{"a":{"$ref":"#/$defs/gone"}}}`,
		"missing, below an id":   `{"type":"object","properties":{"a":{"$id":"https://x.example/a","$ref":"#/$defs/gone"}}}`,
		"too deep":               `{"type":"object","properties":{"a":` + deep + `}}`,
		"no schema":              `{"type":"object","properties":{"a":17}}`,
		"a reference to itself":  `{"$ref":"#"}`,
		"references in a circle": `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`,
		"not JSON":               `{"type":`,
	} {
		for _, depth := range []int{0, 700} {
			bad := directory.Row{Key: "NS_BAD", Type: directory.MCP, Description: "d", InputSchema: json.RawMessage(schema), OutputSchema: json.RawMessage(schema)}
			good := directory.Row{Key: "NS_GOOD", Type: directory.MCP, Description: "d", InputSchema: json.RawMessage(`{"type":"object","properties":{"kept":{"type":"string"}}}`)}
			out, err := gen.Generate(&directory.Directory{Rows: []directory.Row{bad, good}}, gen.Options{Infer: infer.Options{MaxSchemaDepth: depth}})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if text := string(out.Files["ns.d.ts"]); !strings.Contains(text, "kept?: string") || !strings.Contains(text, "bad(") {
				t.Errorf("%s: a method is lost:\n%s", name, text)
			}
			for _, field := range []string{"params", "result"} {
				about := slices.IndexFunc(out.Diagnostics, func(d infer.Diagnostic) bool { return d.Key == "NS_BAD" && d.Field == field && len(d.Message) < 600 })
				if about < 0 && !strings.Contains(name, "itself") && !strings.Contains(name, "circle") { // those are open, and no fault
					t.Errorf("%s: nothing is said of %s: %+v", name, field, out.Diagnostics)
				}
			}
		}
	}
}

func TestSchemaThatNoTypeCanBeMadeOf(t *testing.T) {
	schema := `{"$id":"https://x.example/s","type":"object","properties":{"a":{"$id":"a","$ref":"https://x.example/other"},"b":{"type":"string"}},"required":["b"]}`
	out := generate(t, []directory.Row{{Key: "NS_BAD", Type: directory.HTTP, Target: "GET https://a.example/$1", InputSchema: json.RawMessage(schema), OutputSchema: json.RawMessage(schema)}})
	c := out.Contracts[0]
	if !strings.Contains(string(c.Params), `"$ref":"https://x.example/other"`) || string(c.Result) != "true" {
		t.Errorf("params %s, result %s; want the row's own schema and unknown", c.Params, c.Result)
	}
	if c.Provenance["params"] != contract.FromSchema || c.Provenance["result"] != contract.FromNone {
		t.Errorf("provenance %v", c.Provenance)
	}
	for _, text := range []string{"arguments' schema", "result's schema", "leaves the document"} {
		if !said(out, "NS_BAD", text) {
			t.Errorf("no diagnostic says %q: %+v", text, out.Diagnostics)
		}
	}
	if text := string(out.Files["ns.d.ts"]); !strings.Contains(text, "Arguments: their schema cannot be shown as a type; it is checked at run time") || !strings.Contains(text, "(args?: { [key: string]: unknown })") {
		t.Errorf("declared as\n%s", text)
	}
}

// hostileSchemas hold an enum that no declaration can be written of.
func hostileSchemas() map[string]string {
	props := `"type":"object","required":["k"],"properties":{"k":{"enum":["safe"]}}`
	var either, chain strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&either, `,{"oneOf":[{"required":["a%d"]},{"required":["b%d"]}]}`, i, i)
	}
	for i := range 10_000 {
		fmt.Fprintf(&chain, `"d%d":{"$ref":"#/$defs/d%d"},`, i, i+1)
	}
	return map[string]string{
		"oneOf in allOf":    `{` + props + `,"allOf":[{}` + either.String() + `]}`,
		"chain":             `{` + props + `,"allOf":[{"$ref":"#/$defs/d0"}],"$defs":{` + chain.String() + `"d10000":{"type":"object"}}}`,
		"identifiers":       `{` + props + `,"$id":"https://x.example/s","allOf":[{"$id":"a","$ref":"https://x.example/other"}]}`,
		"more than a limit": `{` + props + `,"description":"` + strings.Repeat("x", 5<<20) + `"}`,
	}
}

// Arguments that no type can be written of keep their schema, or are closed: no declaration and no
// contract says that anything goes.
func TestArgumentsAreNeverOpened(t *testing.T) {
	for name, schema := range hostileSchemas() {
		out := generate(t, []directory.Row{{Key: "NS_BAD", Type: directory.MCP, InputSchema: json.RawMessage(schema)}})
		c := out.Contracts[0]
		if text := string(c.Params); !strings.Contains(text, `"enum":["safe"]`) && !strings.Contains(text, `"not":{}`) {
			t.Errorf("%s: params %.200s", name, text)
		}
		if i := slices.IndexFunc(out.Diagnostics, func(d infer.Diagnostic) bool {
			return d.Field == "params" && d.Severity == directory.SeverityError
		}); i < 0 && !strings.Contains(string(out.Files["ns.d.ts"]), `k: "safe"`) {
			t.Errorf("%s: no error says that the declaration lacks the enum: %+v", name, out.Diagnostics)
		}
	}
	for _, schema := range []string{`{"type":`, `17`, `"text"`, `[1]`, `false`, `{"properties":17}`, `{"type":"object","const":1e999}`} {
		out := generate(t, []directory.Row{{Key: "NS_BAD", Type: directory.HTTP, Target: "GET https://a.example/$1", InputSchema: json.RawMessage(schema), OutputSchema: json.RawMessage(schema)}})
		if c := out.Contracts[0]; string(c.Params) != `{"type":"object","not":{}}` {
			t.Errorf("%s: params %s", schema, c.Params)
		}
		if text := string(out.Files["ns.d.ts"]); !strings.Contains(text, "bad(args: never)") || !strings.Contains(text, "It cannot be called") {
			t.Errorf("%s: declared as\n%s", schema, text)
		}
		if !slices.ContainsFunc(out.Diagnostics, func(d infer.Diagnostic) bool { return d.Field == "params" && d.Severity == directory.SeverityError }) {
			t.Errorf("%s: no error: %+v", schema, out.Diagnostics)
		}
	}
	for _, schema := range []string{``, `{}`, `true`, `null`, `[]`} {
		out := generate(t, []directory.Row{{Key: "NS_OK", Type: directory.HTTP, Target: "GET https://a.example/x/$1", InputSchema: json.RawMessage(schema)}})
		if c := out.Contracts[0]; !strings.Contains(string(c.Params), `"x_id"`) && !strings.Contains(string(c.Params), `"x"`) && !strings.Contains(string(c.Params), `"arg1"`) {
			t.Errorf("%q: params %s", schema, c.Params)
		}
	}
}

func TestReferences(t *testing.T) {
	target := directory.Row{Key: "A_REMOVE", Type: directory.HTTP, Target: "DELETE https://a.example/x/$1", Docs: directory.Docs{Args: []string{"id"}}}
	for name, c := range map[string]struct {
		undo   string
		effect contract.Effect
		says   string
	}{
		"mapped":            {"A_REMOVE id=/result/id", contract.Reversible, ""},
		"nothing mapped":    {"A_REMOVE", contract.Reversible, `"A_REMOVE id=/result/..."`},
		"a wrong argument":  {"A_REMOVE number=/result/id", contract.Irreversible, `the argument "number"`},
		"no mapping":        {"A_REMOVE id", contract.Irreversible, "no argument mapping"},
		"an operation":      {"A_MANY#drop id=/result/x", contract.Reversible, ""},
		"no such argument":  {"A_REMOVE id=/args/x", contract.Irreversible, "the row has no such argument"},
		"disabled":          {"A_OFF id=/result/id", contract.Irreversible, `"A_OFF"`},
		"no such operation": {"A_MANY#gone", contract.Irreversible, `"A_MANY#gone"`},
		"names elsewhere":   {"A_REFERS id=/result/id", contract.Reversible, ""},
		"names by pattern":  {"A_PATTERNS x-id=/result/id", contract.Reversible, ""},
	} {
		rows := []directory.Row{target, {Key: "A_OFF", Type: directory.HTTP, Target: target.Target, Docs: target.Docs, Enabled: new(false)}, {Key: "A_ADD", Type: directory.HTTP, Target: "POST https://a.example/x", Effect: "reversible", Undo: c.undo},
			{Key: "A_MANY", Type: directory.HTTP, TargetMap: map[string]directory.Operation{"drop": {Target: "DELETE https://a.example/$1", Docs: directory.Docs{Args: []string{"id"}}}}},
			{Key: "A_REFERS", Type: directory.MCP, InputSchema: json.RawMessage(`{"$ref":"#/$defs/a","$defs":{"a":{"type":"object","properties":{"id":{"type":"string"}}}}}`)},
			{Key: "A_PATTERNS", Type: directory.MCP, InputSchema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}},"patternProperties":{"^x-":{}}}`)}}
		out := generate(t, rows)
		at := slices.IndexFunc(out.Contracts, func(k contract.Contract) bool { return k.Key == "A_ADD" })
		if got := out.Contracts[at]; got.Effect != c.effect || (got.Undo != nil) != (c.effect == contract.Reversible) {
			t.Errorf("%s: %s, undo %+v; want %s", name, got.Effect, got.Undo, c.effect)
		}
		if said(out, "A_ADD", "") != (c.says != "") {
			t.Errorf("%s: diagnostics %+v", name, out.Diagnostics)
		}
		degraded := slices.ContainsFunc(out.Diagnostics, func(d infer.Diagnostic) bool {
			return d.Field == "effect" && strings.Contains(d.Message, "taken as irreversible")
		})
		if degraded != (c.effect == contract.Irreversible) {
			t.Errorf("%s: the effect is %s, and the diagnostics are %+v", name, c.effect, out.Diagnostics)
		}
		hinted := slices.ContainsFunc(out.Diagnostics, func(d infer.Diagnostic) bool { return strings.Contains(d.Message+d.Hint, c.says) })
		if c.says != "" && !hinted {
			t.Errorf("%s: no diagnostic says %q: %+v", name, c.says, out.Diagnostics)
		}
	}
}
