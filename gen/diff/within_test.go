package diff

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codemode/runtime/validate"
)

func relateText(t testing.TB, old, now string) Relation {
	t.Helper()
	a, b := newDocument(json.RawMessage(old)), newDocument(json.RawMessage(now))
	if a == nil || b == nil {
		t.Fatalf("no document: %s or %s", old, now)
	}
	return relate(a.form(""), b.form(""))
}

func TestRelate(t *testing.T) {
	for _, tt := range []struct {
		old, now string
		want     Relation
	}{
		{`true`, `{}`, Same},
		{`{"type":"string"}`, `{"type":"string","description":"d","default":"x","examples":["y"],"x-note":1}`, Same},
		{`{"type":["string","null"]}`, `{"anyOf":[{"type":"null"},{"type":"string"}]}`, Same},
		{`{"enum":["a","b"]}`, `{"enum":["b","a"]}`, Same},
		{`{"enum":["a"]}`, `{"const":"a"}`, Same},
		{`{"type":"boolean"}`, `{"enum":[true,false]}`, Same},
		{`{"type":"object","properties":{"a":true}}`, `{"type":"object"}`, Same},
		{`{"$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}}`, `{"type":"string"}`, Same},
		{`{"type":"integer"}`, `{"type":"number"}`, Widened},
		{`{"type":"string"}`, `true`, Widened},
		{`{"type":"string"}`, `{"type":["string","null"]}`, Widened},
		{`{"enum":["a"]}`, `{"enum":["a","b"]}`, Widened},
		{`{"enum":["a",1]}`, `{"type":["string","integer"]}`, Widened},
		{`{"const":3}`, `{"type":"integer","minimum":3,"multipleOf":3}`, Widened},
		{`{"type":"integer","minimum":1,"maximum":10}`, `{"type":"integer","minimum":1,"maximum":11}`, Widened},
		{`{"type":"number","exclusiveMinimum":0}`, `{"type":"number","minimum":0}`, Widened},
		{`{"type":"string","pattern":"^a"}`, `{"type":"string"}`, Widened},
		{`{"type":"string","format":"date"}`, `{"type":"string"}`, Widened},
		{`{"type":"integer","format":"int32"}`, `{"type":"integer","format":"int64"}`, Widened},
		{`{"type":"string","minLength":3,"maxLength":5}`, `{"type":"string","maxLength":5}`, Widened},
		{`{"type":"array","items":{"type":"string"}}`, `{"type":"array"}`, Widened},
		{`{"type":"array","maxItems":3}`, `{"type":"array","maxItems":4}`, Widened},
		{`{"type":"array","uniqueItems":true}`, `{"type":"array"}`, Widened},
		{`{"prefixItems":[{"type":"string"}],"items":false,"type":"array"}`, `{"type":"array","items":{"type":"string"}}`, Widened},
		{`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`, `{"type":"object","properties":{"a":{"type":"string"},"b":true},"additionalProperties":false}`, Widened},
		{`{"type":"object","required":["a"]}`, `{"type":"object"}`, Widened},
		{`{"type":"object","additionalProperties":{"type":"integer"}}`, `{"type":"object","additionalProperties":{"type":"number"}}`, Widened},
		{`{"type":"object","patternProperties":{"^x":{"type":"integer"}}}`, `{"type":"object","patternProperties":{"^x":{"type":"number"}}}`, Widened},
		{`{"type":"object","propertyNames":{"enum":["a"]}}`, `{"type":"object","propertyNames":{"enum":["a","b"]}}`, Widened},
		{`{"type":"string","not":{"const":"a"}}`, `{"type":"string"}`, Widened},
		{`{"allOf":[{"type":"integer"},{"minimum":3}]}`, `{"type":"integer"}`, Widened},
		{`{"anyOf":[{"type":"string"},{"type":"integer"}]}`, `{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}`, Widened},
		{`{"oneOf":[{"type":"string"}]}`, `{"oneOf":[{"type":"string"},{"type":"array"}]}`, Widened},
		{`{"$ref":"#/$defs/t","$defs":{"t":{"type":"object","properties":{"v":{"type":"integer"},"next":{"$ref":"#/$defs/t"}},"additionalProperties":false}}}`,
			`{"$ref":"#/$defs/t","$defs":{"t":{"type":"object","properties":{"v":{"type":"number"},"next":{"$ref":"#/$defs/t"}},"additionalProperties":false}}}`, Widened},
		{`{"type":"string"}`, `{"type":"integer"}`, Changed},
		{`{"enum":["a","b"]}`, `{"enum":["b","c"]}`, Changed},
		{`{"type":"string","pattern":"^a"}`, `{"type":"string","pattern":"^ab"}`, Changed}, // narrower, and not provable here
		{`{"type":"object","properties":{"a":true},"additionalProperties":false}`, `{"type":"object","properties":{"b":true},"additionalProperties":false}`, Changed},
		{`{"oneOf":[{"minimum":1},{"maximum":5}]}`, `{"oneOf":[{"minimum":1},{"maximum":5},{"const":9}]}`, Changed},
		{`{"type":"object","unevaluatedProperties":false}`, `{"type":"object","properties":{"a":true},"unevaluatedProperties":false}`, Changed},
		{`{"not":{"type":"string"}}`, `{"not":{"type":"integer"}}`, Changed},
		{`{"type":"string","minLength":1}`, `{"type":"string","maxLength":1}`, Changed},
		{`{"minimum":0.1}`, `{"minimum":0.10000000000000000000001}`, Narrowed},
		{`{"type":"integer","multipleOf":2}`, `{"type":"integer","multipleOf":6}`, Narrowed},
		{`{"type":"mystery"}`, `{"type":"other mystery"}`, Changed},
		{`{"minimum":1e999999999}`, `{"minimum":1e999999998}`, Changed},
	} {
		if got := relateText(t, tt.old, tt.now); got != tt.want {
			t.Errorf("%s -> %s: %s, want %s", tt.old, tt.now, got, tt.want)
		}
		back := map[Relation]Relation{Same: Same, Changed: Changed, Widened: Narrowed, Narrowed: Widened}[tt.want]
		if got := relateText(t, tt.now, tt.old); got != back {
			t.Errorf("%s -> %s: %s, want %s", tt.now, tt.old, got, back)
		}
	}
}

// TestRelateHidden are widenings that look like words, or like less: through a place that says nothing
// by itself, an identifier, a dialect, or a schema that is defined by itself.
func TestRelateHidden(t *testing.T) {
	const list = `{"$ref":"#/$defs/l","$defs":{"l":{"type":"object","properties":{"v":{"type":"%s"},"next":{"$ref":"#/$defs/l"}},"additionalProperties":false}}}`
	for _, tt := range []struct {
		name     string
		old, now string
		want     Relation
	}{
		{"a reference into an extension", `{"$ref":"#/x-t/T","x-t":{"T":{"enum":["a"]}}}`, `{"$ref":"#/x-t/T","x-t":{"T":{"type":"string"}}}`, Widened},
		{"a reference into a default", `{"$ref":"#/$defs/x/default","$defs":{"x":{"default":{"enum":["a"]}}}}`, `{"$ref":"#/$defs/x/default","$defs":{"x":{"default":{"type":"string"}}}}`, Widened},
		{"a reference into a schema of content", `{"$ref":"#/contentSchema","contentSchema":{"enum":["a"]}}`, `{"$ref":"#/contentSchema","contentSchema":{"type":"string"}}`, Widened},
		{"a reference that is only compared", `{"type":"string","not":{"$ref":"#/x-t"},"x-t":{"type":"string"}}`, `{"type":"string","not":{"$ref":"#/x-t"},"x-t":{"const":"a"}}`, Changed},
		{"a map of properties as a schema", `{"not":{"$ref":"#/properties"},"properties":{"const":{"default":1}}}`, `{"not":{"$ref":"#/properties"},"properties":{"const":{"default":2}}}`, Changed},
		{"identifiers change places", `{"$id":"https://a.example/","$ref":"one","$defs":{"x":{"$id":"one","enum":["a"]},"y":{"$id":"two","type":"string"}}}`,
			`{"$id":"https://a.example/","$ref":"one","$defs":{"x":{"$id":"two","enum":["a"]},"y":{"$id":"one","type":"string"}}}`, Changed},
		{"anchors change places", `{"$ref":"#t","$defs":{"x":{"$anchor":"t","enum":["a"]},"y":{"$anchor":"u","type":"string"}}}`,
			`{"$ref":"#t","$defs":{"x":{"$anchor":"u","enum":["a"]},"y":{"$anchor":"t","type":"string"}}}`, Changed},
		{"identifiers in a draft of old", `{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"one","definitions":{"x":{"$id":"one","enum":["a"]},"y":{"$id":"two"}}}`,
			`{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"one","definitions":{"x":{"$id":"two","enum":["a"]},"y":{"$id":"one"}}}`, Changed},
		{"a dialect without a keyword", `{"prefixItems":[{"type":"string"}]}`, `{"$schema":"https://json-schema.org/draft/2019-09/schema","prefixItems":[{"type":"string"}]}`, Changed},
		{"a dialect that nobody knows", `{"$schema":"https://a.example/x","enum":["a","b"]}`, `{"$schema":"https://a.example/x","enum":["a"]}`, Changed},
		{"a dialect of a part", `{"properties":{"a":{"$id":"x","prefixItems":[{"type":"string"}]}}}`,
			`{"properties":{"a":{"$id":"x","$schema":"http://json-schema.org/draft-07/schema#","prefixItems":[{"type":"string"}]}}}`, Changed},
		{"a choice of itself", `{"$ref":"#/$defs/B","$defs":{"B":{"anyOf":[{"$ref":"#/$defs/B"},{"enum":["x"]}]}}}`, `{"type":"string"}`, Changed},
		{"all of itself", `{"$ref":"#/$defs/B","$defs":{"B":{"allOf":[{"$ref":"#/$defs/B"},{"type":"string"}]}}}`, `true`, Widened},
		{"nothing but itself", `{"$ref":"#/$defs/B","$defs":{"B":{"$ref":"#/$defs/B"}}}`, `{"type":"string"}`, Changed},
		{"itself inside the value", fmt.Sprintf(list, "integer"), fmt.Sprintf(list, "number"), Widened},

		{"an identifier that no reference needs", `{"$id":"https://a.example/","type":"string"}`, `{"$id":"https://b.example/","type":"string"}`, Same},
		{"words beside a reference", `{"$ref":"#/$defs/x","$defs":{"x":{"not":{"const":1},"default":1}}}`, `{"$ref":"#/$defs/x","$defs":{"x":{"not":{"const":1},"default":2}}}`, Same},
		{"words beside a list of itself", fmt.Sprintf(list, "integer"), fmt.Sprintf(list, `integer","title":"t`), Same},
		{"a property by the name of a word", `{"$ref":"#/properties/default","properties":{"default":{"type":"string","title":"a"}}}`, `{"$ref":"#/properties/default","properties":{"default":{"type":"string","title":"b"}}}`, Same},
	} {
		if got := relateText(t, tt.old, tt.now); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		back := map[Relation]Relation{Same: Same, Changed: Changed, Widened: Narrowed}[tt.want]
		if got := relateText(t, tt.now, tt.old); got != back {
			t.Errorf("%s, the way back: %s, want %s", tt.name, got, back)
		}
	}
}

// random makes schemas of the keywords that the prover knows and some that it does not.
func random(r *rand.Rand, depth int) any {
	if depth == 0 || r.IntN(12) == 0 {
		return []any{true, false, map[string]any{"type": "string"}, map[string]any{"type": "integer"}, map[string]any{"$ref": "#/$defs/d"}}[r.IntN(5)]
	}
	m := map[string]any{}
	names := []string{"a", "b", "xa"}
	sub := func() any { return random(r, depth-1) }
	value := func() any { return []any{"a", "xa", 1, 2, 1.5, true, nil, []any{}, map[string]any{}}[r.IntN(9)] }
	for range 1 + r.IntN(3) {
		switch r.IntN(22) {
		case 0, 1:
			m["type"] = []any{"string", "integer", "number", "object", "array", "null", []any{"string", "null"}, []any{"object", "array", "number"}}[r.IntN(8)]
		case 2:
			m["enum"] = []any{value(), value()}
		case 3:
			m["const"] = value()
		case 4:
			m[[]string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}[r.IntN(4)]] = r.IntN(4)
		case 5:
			m[[]string{"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"}[r.IntN(6)]] = r.IntN(3)
		case 6, 7:
			m["properties"] = map[string]any{names[r.IntN(3)]: sub(), names[r.IntN(3)]: sub()}
		case 8:
			m["required"] = []any{names[r.IntN(3)]}
		case 9:
			m["additionalProperties"] = sub()
		case 10:
			m["patternProperties"] = map[string]any{[]string{"^x", "a$", "[ab]"}[r.IntN(3)]: sub()}
		case 11:
			m["items"] = sub()
		case 12:
			m["prefixItems"] = []any{sub(), sub()}[:1+r.IntN(2)]
		case 13:
			m["anyOf"] = []any{sub(), sub()}
		case 14:
			m["oneOf"] = []any{sub(), sub()}
		case 15:
			m["allOf"] = []any{sub(), sub()}
		case 16:
			m["not"] = sub()
		case 17:
			m["multipleOf"] = 1 + r.IntN(2)
		case 18:
			m["propertyNames"] = map[string]any{"enum": []any{"a", "b"}}
		case 19:
			m["unevaluatedProperties"] = false
		case 20:
			m["if"], m["then"] = sub(), sub()
		case 21:
			m["$ref"] = "#/$defs/d"
		}
	}
	return m
}

// mutated is a schema with one thing in it changed, so that pairs are often related.
func mutated(r *rand.Rand, v any) any {
	m, ok := v.(map[string]any)
	if !ok || len(m) == 0 || r.IntN(4) == 0 {
		return random(r, 2)
	}
	out := map[string]any{}
	for k, sub := range m {
		out[k] = sub
	}
	for k, sub := range m {
		if inner, ok := sub.(map[string]any); ok && k != "$defs" && k != "properties" && k != "patternProperties" {
			out[k] = mutated(r, inner)
		} else if inner, ok := sub.(map[string]any); ok && k == "properties" {
			props := map[string]any{}
			for name, p := range inner {
				props[name] = mutated(r, p)
			}
			out[k] = props
		} else if r.IntN(2) == 0 {
			delete(out, k)
		} else {
			more, _ := random(r, 2).(map[string]any)
			for k, sub := range more {
				out[k] = sub
			}
		}
		break
	}
	return out
}

func instances() []json.RawMessage {
	var out []json.RawMessage
	for _, text := range []string{`null`, `true`, `0`, `1`, `2`, `3`, `-1`, `1.5`, `""`, `"a"`, `"xa"`, `"aaa"`, `[]`, `[1]`, `["a"]`, `["a",1]`, `[1,"a",null]`, `[[]]`, `{}`,
		`{"a":1}`, `{"a":"a"}`, `{"b":1}`, `{"xa":1}`, `{"xa":"s","a":null}`, `{"a":1,"b":2}`, `{"a":{},"b":[]}`, `{"c":1}`, `{"c":"a","a":1.5}`, `{"a":{"a":1}}`, `{"a":{"b":"a"},"xa":{}}`, `[{"a":1}]`, `[{"b":"x"},2]`} {
		out = append(out, json.RawMessage(text))
	}
	return out
}

// TestProofsHold checks proofs against the validator that the Gate uses: where one schema is proven to
// be within another, no value may fit the one and not the other.
func TestProofsHold(t *testing.T) {
	v := validate.New()
	r := rand.New(rand.NewPCG(3, 5))
	proofs, strict := 0, 0
	for range 3000 {
		define := random(r, 1)
		if s, ok := define.(map[string]any); ok {
			delete(s, "$ref")
			define = s
		}
		make := func(v any) json.RawMessage {
			root, ok := v.(map[string]any)
			if !ok {
				root = map[string]any{"allOf": []any{v}}
			}
			out := map[string]any{"$defs": map[string]any{"d": define}}
			for k, sub := range root {
				out[k] = sub
			}
			raw, err := json.Marshal(out)
			if err != nil {
				t.Fatal(err)
			}
			return raw
		}
		s := random(r, 3)
		a, b := make(s), make(mutated(r, s))
		proofs += held(t, v, a, b, instances(), &strict)
		proofs += held(t, v, b, a, instances(), &strict)
	}
	if proofs < 1000 || strict < 150 {
		t.Errorf("only %d proofs, %d of them strict; the test tests nothing", proofs, strict)
	}
	t.Logf("%d proofs, %d of sets that differ on the values tried", proofs, strict)
}

// held counts a proof, after it has tried it on values.
func held(t *testing.T, v *validate.Validator, a, b json.RawMessage, values []json.RawMessage, strict *int) int {
	t.Helper()
	x, y := newDocument(a), newDocument(b)
	if !proven(x.form(""), y.form("")) {
		return 0
	}
	differ := false
	for _, value := range values {
		in, out := v.Validate(a, value), v.Validate(b, value)
		if usable(in) != nil || usable(out) != nil {
			return 0 // no schema that can be checked
		}
		if in == nil && out != nil {
			t.Fatalf("%s fits\n%s\nand not\n%s\nwhich was proven to be wider: %v", value, a, b, out)
		}
		differ = differ || in != nil && out == nil
	}
	if differ {
		*strict++
	}
	return 1
}

func usable(err error) error {
	if err != nil && strings.HasPrefix(err.Error(), "internal") {
		return err
	}
	return nil
}

// TestProofsHoldOnTheSuite pairs the schemas of the public test suite with each other, and tries every
// proof on all its instances.
func TestProofsHoldOnTheSuite(t *testing.T) {
	root := "../../../shared/data/json_schema_test_suite"
	files, err := filepath.Glob(root + "/*/*.json")
	if err != nil || len(files) == 0 {
		files, _ = filepath.Glob(root + "/*/*/*.json")
	}
	if len(files) == 0 {
		t.Skip("the data beside the project is absent: json_schema_test_suite")
	}
	v := validate.New()
	proofs, strict := 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var groups []struct {
			Schema json.RawMessage
			Tests  []struct{ Data json.RawMessage }
		}
		if json.Unmarshal(text, &groups) != nil {
			continue
		}
		var values []json.RawMessage
		for _, g := range groups {
			for _, test := range g.Tests {
				values = append(values, test.Data)
			}
		}
		for i, a := range groups {
			for j, b := range groups {
				if i != j {
					proofs += held(t, v, a.Schema, b.Schema, values, &strict)
				}
			}
		}
	}
	t.Logf("%d files, %d proofs, %d strict", len(files), proofs, strict)
	if proofs < 100 {
		t.Errorf("only %d proofs", proofs)
	}
}

func FuzzProofs(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"minimum":1}}}`, `{"type":"object"}`, `{"a":0}`)
	f.Add(`{"anyOf":[{"type":"string"},{"$ref":"#"}]}`, `{"oneOf":[{"const":1}]}`, `1`)
	v := validate.New()
	f.Fuzz(func(t *testing.T, a, b, value string) {
		x, y := newDocument(json.RawMessage(a)), newDocument(json.RawMessage(b))
		if x == nil || y == nil || !json.Valid([]byte(value)) {
			return
		}
		schemaParts("args", json.RawMessage(a), json.RawMessage(b), false) // must end
		if !proven(x.form(""), y.form("")) {
			return
		}
		in, out := v.Validate(json.RawMessage(a), json.RawMessage(value)), v.Validate(json.RawMessage(b), json.RawMessage(value))
		if in == nil && out != nil && usable(out) == nil && !strings.Contains(fmt.Sprint(out), "too") {
			t.Errorf("%s fits %s and not %s: %v", value, a, b, out)
		}
	})
}
