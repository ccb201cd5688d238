package validate

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"codemode/runtime"
)

const user = `{"type":"object","additionalProperties":false,"required":["id"],"properties":{
	"id":{"type":"integer","format":"int64"},
	"color":{"enum":["red","green","blue"]},
	"limit":{"type":"integer","minimum":1,"maximum":100},
	"email":{"type":"string","format":"email"},
	"filter":{"type":"object","required":["name"],"properties":{"name":{"type":"string","minLength":2}},"additionalProperties":false},
	"tags":{"type":"array","items":{"type":"string","pattern":"^[a-z]+$"},"uniqueItems":true,"maxItems":3}}}`

func TestMessages(t *testing.T) {
	v := New()
	for _, c := range []struct{ name, schema, value, want string }{
		{"valid", user, `{"id":1,"color":"red","limit":100,"email":"a@example.com","filter":{"name":"ab"},"tags":["a","b"]}`, ""},
		{"type", user, `{"id":1,"limit":"ten"}`, `/limit: got "ten", want integer`},
		{"missing", user, `{}`, `missing argument "id"`},
		{"unknown", user, `{"id":1,"colour":"red"}`, `unknown argument "colour"; did you mean "color"?`},
		{"unknown and far", user, `{"id":1,"zzzzzz":1}`, `unknown argument "zzzzzz"; known are "color", "email", "filter", "id", "limit", "tags"`},
		{"nested", user, `{"id":1,"filter":{"nam":"x"}}`, "/filter: missing field \"name\"\n/filter: unknown field \"nam\"; did you mean \"name\"?"},
		{"enum", user, `{"id":1,"color":"rde"}`, `/color: got "rde", want one of "red", "green", "blue"; did you mean "red"?`},
		{"bounds", user, `{"id":1,"limit":0}`, `/limit: got 0, want 1 or more`},
		{"length", user, `{"id":1,"filter":{"name":"é"}}`, `/filter/name: has 1 character, want 2 or more`},
		{"items", user, `{"id":1,"tags":["a","B","c","d"]}`, "/tags/1: got \"B\", want text that matches ^[a-z]+$\n/tags: has 4 items, want 3 or fewer"},
		{"unique", user, `{"id":1,"tags":["a","b","a"]}`, `/tags: items 0 and 2 are equal, want each once`},
		{"int64", user, `{"id":9223372036854775808}`, `/id: got 9223372036854775808, want an integer from -9223372036854775808 to 9223372036854775807`},
		{"int64 least", user, `{"id":-9223372036854775808}`, ``},
		{"int64 half", user, `{"id":1.5}`, `/id: got 1.5, want integer`},
		{"int64 as 1e3", user, `{"id":1e3}`, ``},
		{"email", user, `{"id":1,"email":"nobody"}`, `/email: got "nobody", want an email address`},
		{"not an object", user, `[1]`, `got an array of 1 items, want object`},
		{"null", user, `null`, `got null, want object`},
		{"long value", user, `{"id":"` + strings.Repeat("secret", 100) + `"}`, `/id: got a string of 600 characters, want integer`},
		{"true", `true`, `{"a":[1]}`, ``},
		{"empty", `{}`, `"x"`, ``},
		{"false", `false`, `1`, `nothing is allowed here`},
		{"anyOf types", `{"anyOf":[{"type":"integer"},{"type":"null"}]}`, `"x"`, `got "x", want integer or null`},
		{"anyOf consts", `{"oneOf":[{"const":"a"},{"const":"b"}]}`, `"x"`, `got "x", want one of "a", "b"`},
		{"tagged union", `{"oneOf":[
			{"type":"object","properties":{"kind":{"const":"cat"},"lives":{"type":"integer"}},"required":["kind","lives"]},
			{"type":"object","properties":{"kind":{"const":"dog"},"name":{"type":"string"}},"required":["kind","name"]}]}`,
			`{"kind":"dog","name":7}`, `/name: got 7, want string`},
		{"oneOf twice", `{"oneOf":[{"type":"integer"},{"minimum":1}]}`, `5`, `fits several alternatives of which it must fit one`},
		{"not", `{"not":{"const":1}}`, `1`, `got 1, which is excluded`},
		{"dependent", `{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, `"a" also needs argument "b"`},
		{"names", `{"propertyNames":{"maxLength":2}}`, `{"abc":1}`, `the name "abc" is not allowed`},
		{"contains", `{"contains":{"type":"integer"}}`, `["a"]`, `no item is of the kind that must be among them`},
		{"prefix", `{"prefixItems":[{"type":"integer"}],"items":false}`, `[1,2]`, `/1: nothing is allowed here`},
		{"unevaluated", `{"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false}`, `{"a":1,"b":2}`, `/b: nothing is allowed here`},
		{"odd name", `{"additionalProperties":{"type":"string"}}`, `{"a/b~\n\u202e":1}`, `/"a~1b~0\n\u202e": got 1, want string`},
		{"ref", `{"$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}},"additionalProperties":false}},"$ref":"#/$defs/n"}`,
			`{"next":{"next":{"nxt":1}}}`, `/next/next: unknown field "nxt"; did you mean "next"?`},
		{"draft 7", `{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"a":{"type":"string"}},"items":[{"$ref":"#/definitions/a"}]}`,
			`[1]`, `/0: got 1, want string`},
		{"exact integers", `{"maximum":9007199254740992}`, `9007199254740993`, `got 9007199254740993, want 9007199254740992 or less`},
		{"exact const", `{"const":9007199254740992}`, `9007199254740993`, `got 9007199254740993, want 9007199254740992`},
		{"exact unique", `{"uniqueItems":true}`, `[9007199254740992,9007199254740993]`, ``},
		{"equal numbers", `{"uniqueItems":true}`, `[1,"1",1.0]`, `items 0 and 2 are equal, want each once`},
		{"equal objects", `{"uniqueItems":true}`, `[{"a":1,"b":[]},{"b":[],"a":1}]`, `items 0 and 1 are equal, want each once`},
		{"not equal", `{"uniqueItems":true}`, `[["ab","c"],["a","bc"],["a","b","c"],{"a":1},{"a":[1]},null,false,"null"]`, ``},
		{"unicode escape", `{"pattern":"^[\\u00e0-\\u00ff]+$"}`, `"été"`, `got "été", want text that matches ^[\u00e0-\u00ff]+$`},
		{"unicode escape fits", `{"pattern":"^[\\u00e0-\\u00ff]+$"}`, `"éé"`, ``},
		{"look-ahead is not enforced", `{"pattern":"^(?=a)b"}`, `"zzz"`, ``},
		{"surrogates are not enforced", `{"pattern":"^\\ud83d\\ude00$"}`, `"zzz"`, ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := v.Validate(json.RawMessage(c.schema), json.RawMessage(c.value))
			if got := message(t, err, runtime.InvalidArgument); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// message returns the error's message, "" for none, and wants the code.
func message(t *testing.T, err error, code runtime.Code) string {
	t.Helper()
	if err == nil {
		return ""
	}
	var e *runtime.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Fatalf("error is %v, want %s", err, code)
	}
	if e.Message == "" || len(e.Message) > maxMessage {
		t.Fatalf("message of %d bytes", len(e.Message))
	}
	return e.Message
}

func TestFormats(t *testing.T) {
	v := New()
	for format, values := range map[string][2]string{
		"date":      {`"2026-02-28"`, `"2026-02-30"`},
		"date-time": {`"2026-02-28T10:00:00Z"`, `"2026-02-28 10:00"`},
		"time":      {`"10:00:00Z"`, `"25:00:00Z"`},
		"uri":       {`"https://example.com/a?b"`, `"example.com"`},
		"email":     {`"ana@example.com"`, `"ana"`},
		"uuid":      {`"123e4567-e89b-12d3-a456-426614174000"`, `"123e4567"`},
		"ipv4":      {`"127.0.0.1"`, `"127.0.0.256"`},
		"ipv6":      {`"::1"`, `"1"`},
		"hostname":  {`"a.example"`, `"-a"`},
		"int32":     {`-2147483648`, `2147483648`},
		"uint32":    {`4294967295`, `-1`},
		"uint64":    {`18446744073709551615`, `18446744073709551616`},
	} {
		schema := json.RawMessage(`{"format":"` + format + `"}`)
		if err := v.Validate(schema, json.RawMessage(values[0])); err != nil {
			t.Errorf("%s: %s: %v", format, values[0], err)
		}
		got := message(t, v.Validate(schema, json.RawMessage(values[1])), runtime.InvalidArgument)
		if want := "got " + values[1] + ", want " + formatWords(format); got != want || strings.HasPrefix(formatWords(format), "format ") {
			t.Errorf("%s: got %q, want %q", format, got, want)
		}
		if err := v.Validate(schema, json.RawMessage(`[]`)); err != nil {
			t.Errorf("%s: another kind of value: %v", format, err)
		}
	}
	if err := v.Validate(json.RawMessage(`{"format":"no-such-format"}`), json.RawMessage(`"x"`)); err != nil {
		t.Errorf("an unknown format is no assertion: %v", err)
	}
}

func TestManyPlacesAreCut(t *testing.T) {
	names := make([]string, 500)
	for i := range names {
		names[i] = fmt.Sprintf(`"%03d%s":1`, i, strings.Repeat("x", i))
	}
	value := json.RawMessage(`{` + strings.Join(names, ",") + `}`)
	got := message(t, New().Validate(json.RawMessage(`{"additionalProperties":false}`), value), runtime.InvalidArgument)
	if !strings.HasSuffix(got, "and 495 more") || strings.Count(got, "\n") != maxPlaces {
		t.Errorf("got %s", got)
	}
	again := message(t, New().Validate(json.RawMessage(`{"additionalProperties":false}`), value), runtime.InvalidArgument)
	if got != again {
		t.Error("the message depends on the order of a map")
	}
}

func TestCacheIsBounded(t *testing.T) {
	v := New()
	for i := range maxCached + 10 {
		schema, err := json.Marshal(map[string]int{"minimum": i})
		if err != nil {
			t.Fatal(err)
		}
		v.cache.item(schema)
	}
	if len(v.cache.items) != maxCached || v.cache.recent.Len() != maxCached {
		t.Errorf("%d schemas kept, %d listed", len(v.cache.items), v.cache.recent.Len())
	}
	for i := range 40 {
		v.cache.item([]byte(strings.Repeat(" ", 1<<20-i) + "{}"))
	}
	if v.cache.bytes > maxCachedBytes || len(v.cache.items) > 32 {
		t.Errorf("%d bytes kept in %d schemas", v.cache.bytes, len(v.cache.items))
	}
	first, err := v.cache.schema([]byte(`{"minimum":1}`))
	if err != nil {
		t.Fatal(err)
	}
	if again, err := v.cache.schema([]byte(`{"minimum":1}`)); err != nil || again != first {
		t.Errorf("compiled twice: %v", err)
	}
}

func BenchmarkValidate(b *testing.B) {
	v := New()
	value := json.RawMessage(`{"id":1,"color":"red","limit":100,"email":"a@example.com","filter":{"name":"ab"},"tags":["a","b"]}`)
	for b.Loop() {
		if err := v.Validate(json.RawMessage(user), value); err != nil {
			b.Fatal(err)
		}
	}
}

func TestPatternPropertiesThatAreNotEnforced(t *testing.T) {
	schema := `{"type":"object","properties":{"n":{"type":"integer"}},"patternProperties":{"^(?=x)":{"type":"string"},"^y":{"type":"boolean"}},"additionalProperties":false}`
	v := New()
	for value, fits := range map[string]bool{
		`{"n":1,"x":"a","other":2}`: true, // the look-ahead is not enforced: it may cover any name
		`{"n":"1"}`:                 false,
		`{"y":1}`:                   false,
	} {
		if err := v.Validate([]byte(schema), []byte(value)); (err == nil) != fits {
			t.Errorf("Validate(%s) = %v, want it to fit: %v", value, err, fits)
		}
	}
}

// TestResultMessages holds that what is said of a result is one line, and speaks of no argument.
func TestResultMessages(t *testing.T) {
	v := New()
	for _, c := range []struct{ name, schema, value, want string }{
		{"missing", user, `{}`, `missing field "id"`},
		{"two", user, `{"limit":0}`, `/limit: got 0, want 1 or more; missing field "id"`},
		{"nested", user, `{"id":1,"filter":{"nam":"x"}}`, `/filter: missing field "name"; /filter: unknown field "nam"; did you mean "name"?`},
		{"dependent", `{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, `"a" also needs field "b"`},
		{"many", `{"required":["a","b","c","d","e","f","g"]}`, `{}`, `missing field "a"; missing field "b"; missing field "c"; missing field "d"; missing field "e"; and 2 more`},
		{"valid", user, `{"id":1}`, ``},
	} {
		got := ""
		if err := v.ValidateResult(json.RawMessage(c.schema), json.RawMessage(c.value)); err != nil {
			got = err.Error()
		}
		if _, message, ok := strings.Cut(got, ": "); ok && strings.HasPrefix(got, "invalid_argument: ") {
			got = message
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
