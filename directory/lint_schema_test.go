package directory

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLintSchemas(t *testing.T) {
	tests := []struct{ schema, want, hint string }{
		{`{"type":"object","properties":{"stat":{"type":"string"}}}`, "", ""},
		{`{"type":"objekt"}`, "unknown_schema_type input_schema has a type", `did you mean "object"?`},
		{`{"properties":{"a":{"type":"strng"}}}`, "unknown_schema_type input_schema at /properties/a has", `did you mean "string"?`},
		{`{"properties":{"a":{"type":["string","nul"]}}}`, "unknown_schema_type", `did you mean "null"?`},
		{`{"properties":{"a":{"anyOf":[{"type":"frob"},{"type":"null"}]}}}`, "unknown_schema_type input_schema at /properties/a/anyOf/0", "use object"},
		{`{"properties":{"a":{"type":5}}}`, "unknown_schema_type", "use object"},
		{`{"properties":{"a":{"type":"float"},"b":{"type":"list"},"c":{"type":"array of strings"},"type":{"type":"Dict"}}}`, "", ""},
		{`{"properties":{"a":{"enum":[{"type":"frob","$ref":"x"}],"default":{"type":"frob"}}}}`, "", ""},
		{`{"city":"string","days":{"type":"integer"}}`, "", ""},
		{`{"type":{"type":"string"},"days":{"type":"intger"}}`, "unknown_schema_type input_schema at /days", `"integer"`},
		{`{"type":"object","properties":{"state":{}},"required":["stat"]}`, `required_unknown input_schema requires "stat"`, `did you mean "state"?`},
		{`{"type":"object","properties":{"a":{"properties":{"b":{}},"required":["b","zzzzz"]}}}`, "required_unknown input_schema at /properties/a", "add the property"},
		{`{"properties":{"a":{},"b":{}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, "", ""},
		{`{"properties":{"a":{}},"required":["b"],"allOf":[{"properties":{"b":{}}}]}`, "", ""},
		{`{"properties":{"a":{"required":true,"type":"string"}},"required":["a"]}`, "", ""},
		{`{"properties":{"a":{}},"required":"a"}`, "invalid_schema", "required"},
		{`[1]`, "invalid_schema input_schema is no object", "properties"},
		{`"x"`, "invalid_schema", ""},
		{`true`, "invalid_schema", ""},
		{`""`, "", ""},
		{`{"type":"string"}`, "schema_not_object", ""},
		{`{"properties":{"a":{"$ref":"#/$defs/Porder"}},"$defs":{"Order":{}}}`, "invalid_ref", `did you mean "Order"?`},
		{`{"properties":{"a":{"$ref":"#/$defs/a~1b/items/0"}},"$defs":{"a/b":{"items":[{}]}}}`, "", ""},
		{`{"properties":{"a":{"$ref":"#here"},"b":{"$anchor":"here"}}}`, "", ""},
		{`{"properties":{"a":{"$ref":"#gone"}}}`, "invalid_ref", ""},
		{`{"properties":{"a":{"$ref":"other.json#/x"}}}`, "invalid_ref", "$defs"},
		{`{"properties":{"a":{"$ref":"$defs/Order"}},"$defs":{"Order":{}}}`, "invalid_ref", "#/$defs/NAME"},
		{`{"properties":{"a":{"$ref":7}}}`, "invalid_ref", ""},
		{`{"properties":{"a":{"$ref":"#/title"}},"title":"x"}`, "invalid_ref", ""},
		{`{"properties":{"a":{"$ref":"#"}}}`, "", ""},
	}
	for _, tt := range tests {
		d := load(t, row("A", `"type":"mcp","target":"s","input_schema":`+tt.schema), LoadOptions{})
		var got, hints []string
		for _, f := range Lint(d) {
			got, hints = append(got, f.Rule+" "+f.Message), append(hints, f.Hint)
		}
		if len(got) > 1 || (tt.want == "") != (got == nil) || !strings.HasPrefix(strings.Join(got, ""), tt.want) || !strings.Contains(strings.Join(hints, ""), tt.hint) {
			t.Errorf("%s: %q %q, want %q %q", tt.schema, got, hints, tt.want, tt.hint)
		}
	}
}

func TestLintSchemasElsewhere(t *testing.T) {
	d := load(t, row("A", `"target_map":{"x":{"target":"GET https://a.example","input_schema":{"type":"objct"},"output_schema":5}},"output_schema":{"items":{"type":"strin"}},"arguments":[{"name":"n","type":"integr"}]`), LoadOptions{})
	var got []string
	for _, f := range Lint(d) {
		got = append(got, f.Message)
	}
	want := []string{"operation x: output_schema is no schema", `arguments at /n has a type "integr" that is none`,
		`operation x: input_schema has a type "objct" that is none`, `output_schema at /items has a type "strin" that is none`,
		"arguments, output_schema stands in a row with a target_map, and none of its operations takes it"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSchemaFindingsAreCapped(t *testing.T) {
	var b strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&b, `"p%d":{"type":"frob","$ref":"#/$defs/q%d"},`, i, i)
	}
	schema := `{"type":"object","properties":{` + strings.TrimSuffix(b.String(), ",") + `}}`
	if n := len(Lint(load(t, row("A", `"type":"mcp","input_schema":`+schema), LoadOptions{}))); n != maxSchemaFindings {
		t.Errorf("%d findings, want %d", n, maxSchemaFindings)
	}
}

func TestLossyKeys(t *testing.T) {
	for key, lost := range map[string]string{"bad key!": `"!"`, "a#b$c": `"#", "$"`, "srv/Do It": "", "ÄPFEL_ZÄHLEN": "", "a%2Fb": "", "a%zz": `"%"`, "CRM.get:x-y": ""} {
		var got []string
		for _, f := range Lint(load(t, row(key, `"version":1`), LoadOptions{})) {
			got = append(got, f.Rule+" "+f.Message)
		}
		if (lost == "") != (got == nil) || lost != "" && !strings.HasPrefix(got[0], "lossy_key the key holds "+lost+",") {
			t.Errorf("%s: %q, want %q", key, got, lost)
		}
	}
}

func TestMethodSeverity(t *testing.T) {
	for target, want := range map[string]string{
		"GTE https://a.example":      `error no HTTP method is called "GTE" did you mean "GET"?`,
		"PROPFIND https://a.example": `warning "PROPFIND" is no common HTTP method use GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, unless the destination wants it so`,
	} {
		f := Lint(load(t, row("A", fmt.Sprintf(`"target":%q`, target)), LoadOptions{}))[0]
		if got := fmt.Sprintf("%s %s %s", f.Severity, f.Message, f.Hint); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestCountByRule(t *testing.T) {
	findings := []Finding{{Rule: "b", Severity: SeverityWarning}, {Rule: "a", Severity: SeverityError}, {Rule: "c", Severity: SeverityWarning}, {Rule: "c", Severity: SeverityWarning}, {Rule: "b", Severity: SeverityError}}
	want := []RuleCount{{"c", SeverityWarning, 2}, {"a", SeverityError, 1}, {"b", SeverityError, 1}, {"b", SeverityWarning, 1}}
	if diff := cmp.Diff(want, CountByRule(findings)); diff != "" {
		t.Error(diff)
	}
}
