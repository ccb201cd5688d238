package validate

// This file gives the validator schemas and values that are meant to hurt.

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codemode/runtime"
)

func TestSchemaThatCannotBeUsed(t *testing.T) {
	v := New()
	many := make([]string, maxSubschemas+1)
	chain := []string{}
	for i := range many {
		many[i] = fmt.Sprintf(`"p%d":{"type":"string"}`, i)
	}
	for i := range maxInPlace + 2 {
		chain = append(chain, fmt.Sprintf(`"d%d":{"$ref":"#/$defs/d%d"}`, i, i+1))
	}
	chain = append(chain, fmt.Sprintf(`"d%d":true`, maxInPlace+2))
	for name, schema := range map[string]string{
		"empty":              ``,
		"not JSON":           `{"type":`,
		"two documents":      `{} {}`,
		"a number":           `5`,
		"unknown type":       `{"type":"strin"}`,
		"bad keyword":        `{"minLength":-1}`,
		"dangling ref":       `{"$ref":"#/$defs/nothing"}`,
		"self reference":     `{"$ref":"#"}`,
		"circle":             `{"$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"anyOf":[{"$ref":"#/$defs/a"}]}},"$ref":"#/$defs/a"}`,
		"circle below":       `{"properties":{"x":{"not":{"$ref":"#/properties/x"}}}}`,
		"dynamic":            `{"$dynamicAnchor":"a","properties":{"x":{"$dynamicRef":"#a"}}}`,
		"deep":               strings.Repeat(`{"not":`, 100_000) + `{}` + strings.Repeat(`}`, 100_000),
		"deep arrays":        `{"enum":` + strings.Repeat(`[`, 10_000) + strings.Repeat(`]`, 10_000) + `}`,
		"huge":               `{"description":"` + strings.Repeat("x", 2<<20) + `"}`,
		"many":               `{"properties":{` + strings.Join(many, ",") + `}}`,
		"long chain":         `{"$ref":"#/$defs/d0","$defs":{` + strings.Join(chain, ",") + `}}`,
		"huge exponent":      `{"multipleOf":1e-999999999}`,
		"huge number":        `{"maximum":1` + strings.Repeat("0", 100_000) + `}`,
		"unknown metaschema": `{"$schema":"https://example.com/mine"}`,
		"bad url":            `{"$id":"http://[::1"}`,
	} {
		got := message(t, v.Validate(json.RawMessage(schema), json.RawMessage(`1`)), runtime.Internal)
		if got == "" || strings.Contains(got, "schema.invalid") || strings.ContainsAny(got, "\n") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestNothingIsLoaded names a real file and a real server, in every place where a schema can.
func TestNothingIsLoaded(t *testing.T) {
	canary := filepath.Join(t.TempDir(), "canary.json")
	if err := os.WriteFile(canary, []byte(`{"type":"string"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		fmt.Fprint(w, `{"type":"string"}`)
	}))
	defer server.Close()
	for _, to := range []string{"file://" + canary, canary, "../../../../../../.." + canary, server.URL, strings.TrimPrefix(server.URL, "http:")} {
		for _, form := range []string{`{"$ref":%q}`, `{"$schema":%q}`, `{"$dynamicRef":%q}`, `{"$id":"file:///","$ref":%q}`, `{"$id":%q,"$ref":"x"}`,
			`{"$schema":"http://json-schema.org/draft-07/schema#","$ref":%q}`} {
			schema := fmt.Sprintf(form, to)
			err := New().Validate(json.RawMessage(schema), json.RawMessage(`"x"`))
			if got := message(t, err, runtime.Internal); got == "" {
				t.Errorf("%s was used", schema)
			}
		}
	}
	if asked != 0 {
		t.Errorf("the server was asked %d times", asked)
	}
}

func TestValueThatCannotBeRead(t *testing.T) {
	for name, value := range map[string]string{
		"empty":       ``,
		"torn":        `{"a":`,
		"two":         `1 2`,
		"not JSON":    `undefined`,
		"NaN":         `NaN`,
		"deep":        strings.Repeat(`[`, 100_000) + strings.Repeat(`]`, 100_000),
		"many":        `[` + strings.Repeat(`1,`, 1_000_000) + `1]`,
		"exponent":    `1e999999999`,
		"minus":       `-1E-999999999`,
		"long number": strings.Repeat("9", 1000),
		"big exp":     `1e` + strings.Repeat("9", 100),
	} {
		for _, schema := range []string{`true`, `{"type":"integer"}`, `{"multipleOf":0.1}`} {
			if got := message(t, New().Validate(json.RawMessage(schema), json.RawMessage(value)), runtime.InvalidArgument); !strings.HasPrefix(got, "the value can't be read: ") {
				t.Errorf("%s: %q", name, got)
			}
		}
	}
	if err := New().Validate(json.RawMessage(`{"type":"string"}`), json.RawMessage(`"\\\"[[[[1e999999999"`)); err != nil {
		t.Errorf("text that looks like it: %v", err)
	}
}

// TestCostlyChecks are schemas of a few lines that multiply work with each level. Each ends by itself:
// the meter stops it, and a test that hangs fails.
func TestCostlyChecks(t *testing.T) {
	doubling := func(keyword string, levels int) string {
		var defs []string
		for i := range levels {
			defs = append(defs, fmt.Sprintf(`"d%d":{%q:[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, keyword, i+1, i+1))
		}
		return fmt.Sprintf(`{"$defs":{%s,"d%d":{"type":"string"}},"$ref":"#/$defs/d0"}`, strings.Join(defs, ","), levels)
	}
	nested := strings.Repeat(`[`, 120) + `1` + strings.Repeat(`]`, 120)
	object := strings.Repeat(`{"a":`, 120) + `1` + strings.Repeat(`}`, 120)
	long, err := json.Marshal(strings.Repeat("a", 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ schema, value string }{
		"allOf doubling":   {doubling("allOf", 60), `1`},
		"anyOf doubling":   {doubling("anyOf", 60), `1`},
		"oneOf doubling":   {doubling("oneOf", 60), `1`},
		"not anyOf":        {strings.Replace(doubling("anyOf", 60), `"$ref":"#/$defs/d0"}`, `"not":{"$ref":"#/$defs/d0"}}`, 1), `1`},
		"items twice":      {`{"$defs":{"n":{"anyOf":[{"type":"string"},{"type":"array","items":{"$ref":"#/$defs/n"},"contains":{"$ref":"#/$defs/n"}}]}},"$ref":"#/$defs/n"}`, nested},
		"not items twice":  {`{"not":{"$ref":"#/$defs/n"},"$defs":{"n":{"type":"array","items":{"$ref":"#/$defs/n"},"contains":{"$ref":"#/$defs/n"}}}}`, nested},
		"patterns twice":   {`{"not":{"$ref":"#/$defs/n"},"$defs":{"n":{"type":"object","patternProperties":{"^a":{"$ref":"#/$defs/n"},"a$":{"$ref":"#/$defs/n"}}}}}`, object},
		"alternatives":     {`{"$defs":{"n":{"type":"object","anyOf":[{"properties":{"a":{"$ref":"#/$defs/n"}}},{"properties":{"a":{"$ref":"#/$defs/n"}}}]}},"$ref":"#/$defs/n"}`, object},
		"large pattern":    {`{"pattern":"^(a{1,500}){1,2}(a|b|aa|bb){1,400}c$"}`, string(long)},
		"many lengths":     {`{"allOf":[` + strings.Repeat(`{"minLength":1},`, 1000) + `{}]}`, string(long)},
		"enum per item":    {`{"items":{"enum":[` + strings.Repeat(`1.5,`, 100_000) + `2]}}`, `[` + strings.Repeat(`3,`, 20_000) + `3]`},
		"const per item":   {`{"items":{"allOf":[` + strings.Repeat(`{"const":1.5},`, 4900) + `{}]}}`, `[` + strings.Repeat(`1.5,`, 20_000) + `3]`},
		"fields per item":  {`{"items":{"allOf":[` + strings.Repeat(`{"additionalProperties":{"type":"string"}},`, 2000) + `{}]}}`, `[` + strings.Repeat(`{"a":1,"b":2},`, 5_000) + `3]`},
		"unevaluated deep": {`{"$defs":{"n":{"type":"object","unevaluatedProperties":{"$ref":"#/$defs/n"},"additionalProperties":{"$ref":"#/$defs/n"}}},"not":{"$ref":"#/$defs/n"}}`, object},
	} {
		t.Run(name, func(t *testing.T) {
			err := New().Validate(json.RawMessage(c.schema), json.RawMessage(c.value))
			if got := message(t, err, runtime.InvalidArgument); name != "unevaluated deep" && !strings.Contains(got, "takes too long") {
				t.Errorf("%.200q", got)
			}
		})
	}
}

// TestUniqueItemsThatCollide are items that a hash over their concatenated text can't tell apart.
func TestUniqueItemsThatCollide(t *testing.T) {
	var items []string
	for i := range 5_000 {
		text := ""
		for bit := range 15 {
			text += []string{`","`, `\u0004`}[i>>bit&1] + "x"
		}
		items = append(items, `["`+text+`"]`)
	}
	if err := New().Validate(json.RawMessage(`{"uniqueItems":true}`), json.RawMessage(`[`+strings.Join(items, ",")+`]`)); err != nil {
		t.Errorf("distinct items: %v", err)
	}
}

// TestLargeHonestValue is what the meter must let pass.
func TestLargeHonestValue(t *testing.T) {
	codes := make([]string, 200)
	for i := range codes {
		codes[i] = fmt.Sprintf("%q", fmt.Sprintf("C%03d", i))
	}
	schema := `{"type":"array","items":{"type":"object","required":["id","country"],"additionalProperties":false,"properties":{
		"id":{"type":"integer","format":"int64","minimum":1},
		"country":{"enum":[` + strings.Join(codes, ",") + `]},
		"at":{"type":"string","format":"date-time"},
		"name":{"anyOf":[{"type":"string","pattern":"^[A-Za-z ]+$"},{"type":"null"}]},
		"tags":{"type":"array","items":{"type":"string"},"uniqueItems":true}}}}`
	row := `{"id":9007199254740993,"country":"C199","at":"2026-01-31T15:04:05Z","name":"Ana Lima","tags":["a","b","c"]}`
	value := `[` + strings.Repeat(row+",", 10_000) + row + `]`
	if err := New().Validate(json.RawMessage(schema), json.RawMessage(value)); err != nil {
		t.Error(err)
	}
}

func FuzzValidate(f *testing.F) {
	f.Add([]byte(user), []byte(`{"id":1,"tags":["a"]}`))
	f.Add([]byte(`{"$ref":"#/$defs/a","$defs":{"a":{"items":{"$ref":"#"}}}}`), []byte(`[[[]]]`))
	f.Add([]byte(`{"$id":"x","$anchor":"a","$dynamicRef":"#a"}`), []byte(`{}`))
	f.Add([]byte(`{"patternProperties":{"(":true,"\\u00":false}}`), []byte(`{"(":1e5}`))
	f.Add([]byte(`{"$schema":"http://json-schema.org/draft-04/schema#","exclusiveMinimum":true,"minimum":1}`), []byte(`1.0`))
	f.Add([]byte(`{"if":{"const":null},"then":{"oneOf":[{},true]},"else":{"unevaluatedItems":false}}`), []byte(`[0,-0,1E+2]`))
	f.Fuzz(func(t *testing.T, schema, value []byte) {
		err := New().Validate(schema, value)
		if err == nil {
			if !json.Valid(value) || !json.Valid(schema) {
				t.Fatalf("accepted %q against %q", value, schema)
			}
			return
		}
		if e := runtime.AsError(err); len(e.Message) > maxMessage || e.Code != runtime.InvalidArgument && e.Code != runtime.Internal {
			t.Fatalf("code %s, message of %d bytes", e.Code, len(e.Message))
		}
	})
}

// A schema that the generator cannot write a type of is no way past its own enum: where it compiles the
// value is refused by it, where it does not every value is.
func TestNoTypeIsNoWayPast(t *testing.T) {
	props := `"type":"object","required":["k"],"properties":{"k":{"enum":["safe"]}}`
	var either, chain strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&either, `,{"oneOf":[{"required":["a%d"]},{"required":["b%d"]}]}`, i, i)
	}
	for i := range 10_000 {
		fmt.Fprintf(&chain, `"d%d":{"$ref":"#/$defs/d%d"},`, i, i+1)
	}
	v := New()
	for name, schema := range map[string]string{
		"oneOf in allOf": `{` + props + `,"allOf":[{}` + either.String() + `]}`,
		"chain":          `{` + props + `,"allOf":[{"$ref":"#/$defs/d0"}],"$defs":{` + chain.String() + `"d10000":{"type":"object"}}}`,
		"identifiers":    `{` + props + `,"$id":"https://x.example/s","allOf":[{"$id":"a","$ref":"https://x.example/other"}]}`,
		"closed":         `{"type":"object","not":{}}`,
	} {
		if err := v.Validate(json.RawMessage(schema), json.RawMessage(`{"k":"admin"}`)); err == nil {
			t.Errorf("%s: the value passes", name)
		}
	}
}
