package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// show writes a graph in a small notation: names and their types after the root, in order.
func show(g *Graph) string {
	var b strings.Builder
	b.WriteString(brief(g.Root))
	for _, n := range g.Named {
		fmt.Fprintf(&b, "; %s = %s", n.Name, brief(n.Type))
	}
	return b.String()
}

func brief(t *Type) string {
	list := func(ts []*Type, sep string) string {
		parts := make([]string, len(ts))
		for i, e := range ts {
			parts[i] = brief(e)
		}
		return strings.Join(parts, sep)
	}
	switch t.Kind {
	case Integer:
		if t.Wide {
			return "bigint"
		}
	case Literal:
		if t.Wide {
			return string(t.Value) + "n"
		}
		return string(t.Value)
	case Array:
		return "[]" + brief(t.Elem)
	case Tuple:
		out := fmt.Sprintf("tuple%d[%s", t.Min, list(t.Prefix, " "))
		if t.Elem != nil {
			out += " ..." + brief(t.Elem)
		}
		return out + "]"
	case Object:
		return "{" + strings.Join(briefMembers(t), " ") + "}"
	case Union:
		return "(" + list(t.Members, "|") + ")"
	case Intersection:
		return "(" + list(t.Members, "&") + ")"
	case Reference:
		return t.Ref.Name
	}
	return string(t.Kind)
}

func briefMembers(t *Type) []string {
	var parts []string
	for _, p := range t.Properties {
		mark := "?"
		if p.Required {
			mark = ""
		}
		parts = append(parts, p.Name+mark+":"+brief(p.Type))
	}
	for _, p := range t.Patterns {
		parts = append(parts, "/"+p.Expr+"/:"+brief(p.Type))
	}
	if t.Additional != nil {
		parts = append(parts, "*:"+brief(t.Additional))
	}
	if t.Closed {
		parts = append(parts, "!")
	}
	return parts
}

func TestParse(t *testing.T) {
	for _, test := range []struct{ name, doc, want string }{
		{"true", `true`, "unknown"},
		{"false", `false`, "never"},
		{"empty", `{}`, "unknown"},
		{"not", `{"not":{"type":"string"}}`, "(number|boolean|[]unknown|{*:unknown}|null)"},
		{"not anything", `{"properties":{"a":{"not":{}}}}`, "{a?:never}"},
		{"unknown type", `{"type":"dict"}`, "unknown"},
		{"type list", `{"type":["string","null","integer"]}`, "(string|integer|null)"},
		{"number takes integer", `{"type":["integer","number"]}`, "number"},
		{"nullable", `{"type":"string","nullable":true}`, "(string|null)"},
		{"nullable enum", `{"enum":["b","a"],"nullable":true}`, `("b"|"a"|null)`},
		{"enum of anything", `{"enum":[1,"1",null,true,{"a":[2]},1.0,-0.5]}`, `(1|"1"|true|{a:tuple1[2] !}|-0.5|null)`},
		{"enum within type", `{"type":"string","enum":["a",1,null]}`, `"a"`},
		{"enum of both booleans", `{"enum":[true,"x",false]}`, `(boolean|"x")`},
		{"const", `{"const":{"k":[]}}`, `{k:tuple0[] !}`},
		{"const against enum", `{"const":"a","enum":["b"]}`, `never`},
		{"no double", `{"const":1e999}`, `number`},

		{"object", `{"type":"object","required":["b"],"properties":{"a":{"type":"string"},"b":true}}`, "{a?:string b:unknown}"},
		{"implied object", `{"properties":{"a":{"type":"string"}}}`, "{a?:string}"},
		{"implied array", `{"items":{"type":"string"}}`, "[]string"},
		{"array and object implied", `{"items":{"type":"string"},"properties":{"n":{"type":"number"}}}`, "([]string|{n?:number})"},
		{"bounds imply nothing", `{"items":{"pattern":"x"},"minItems":1}`, "[]unknown"},
		{"implication gives way", `{"properties":{"a":true},"anyOf":[{"type":"string"}]}`, "string"},
		{"closed", `{"type":"object","additionalProperties":false}`, "{!}"},
		{"open", `{"type":"object","additionalProperties":true,"properties":{"a":true}}`, "{a?:unknown *:unknown}"},
		{"additional beside", `{"type":"object","properties":{"n":{"type":"integer"}},"additionalProperties":{"type":"string"}}`, "{n?:integer *:string}"},
		{"patterns", `{"type":"object","patternProperties":{"^x-":{"type":"string"}},"additionalProperties":false}`, "{/^x-/:string !}"},
		{"required undeclared", `{"type":"object","required":["id"]}`, "{id:unknown}"},
		{"required and typed by the rest", `{"type":"object","required":["id"],"additionalProperties":{"type":"string"}}`, "{id:string *:string}"},
		{"any name", `{"properties":{"__proto__":{"type":"null"},"constructor":true,"":true}}`, "{?:unknown __proto__?:null constructor?:unknown}"},

		{"tuple", `{"prefixItems":[{"type":"string"},{"type":"number"}],"items":false,"minItems":1}`, "tuple1[string number]"},
		{"tuple with rest", `{"prefixItems":[{"type":"string"}],"items":{"type":"null"}}`, "tuple0[string ...null]"},
		{"tuple of draft 7", `{"items":[{"type":"string"}],"additionalItems":{"type":"null"},"minItems":9}`, "tuple1[string ...null]"},
		{"tuple cut short", `{"prefixItems":[{"type":"string"},{"type":"number"}],"maxItems":1}`, "tuple0[string]"},

		{"int64", `{"type":"integer","format":"int64"}`, "bigint"},
		{"bound past 2^53", `{"type":"integer","maximum":9007199254740993}`, "bigint"},
		{"bound at 2^53", `{"type":"integer","maximum":9007199254740992,"minimum":-9007199254740991}`, "integer"},
		{"bound as a power", `{"type":"integer","exclusiveMinimum":-1e16}`, "bigint"},
		{"number stays", `{"type":"number","maximum":1e300,"format":"double"}`, "number"},
		{"wide literal", `{"enum":[9007199254740993,1]}`, "(9007199254740993n|1)"},
		{"wide by format", `{"type":"integer","format":"uint64","enum":[1,"x"]}`, "1n"},

		{"allOf merges", `{"allOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"required":["a"]},{"properties":{"b":{"type":"null"}}}]}`, "{a:string b?:null}"},
		{"allOf narrows", `{"allOf":[{"type":["string","number"]},{"type":["number","null"]}]}`, "number"},
		{"allOf of nothing", `{"allOf":[{"type":"string"},{"type":"number"}]}`, "never"},
		{"allOf of arrays", `{"allOf":[{"items":{"type":"number"}},{"prefixItems":[{"type":"integer"}]}]}`, "tuple0[integer ...number]"},
		{"oneOf with base", `{"type":"object","properties":{"base":{"type":"string"}},"oneOf":[{"required":["base"]},{"properties":{"b":{"type":"number"}}},{"type":"string"}]}`,
			"({base:string}|{b?:number base?:string})"},
		{"wide base stays beside", `{"type":"object","properties":{"a":true,"b":true,"c":true,"d":true,"e":true,"f":true,"g":true},"anyOf":[{"required":["a"]},{"required":["b"]}]}`,
			"({a?:unknown b?:unknown c?:unknown d?:unknown e?:unknown f?:unknown g?:unknown}&({a:unknown}|{b:unknown}))"},
		{"anyOf flattens", `{"anyOf":[{"type":"string"},{"oneOf":[{"type":"null"},{"type":"number"}]},{"const":"a"}]}`, "(string|number|null)"},
		{"if that only requires is told", `{"type":"object","if":{"required":["a"]},"then":{"required":["b"]}}`, "{}"},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, err := Parse([]byte(test.doc), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, show(g)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReferences(t *testing.T) {
	const big = `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{"type":"string"},"d":{"type":"string"}}}`
	for _, test := range []struct{ name, doc, want string }{
		{"used once", `{"properties":{"x":{"$ref":"#/$defs/Big"}},"$defs":{"Big":` + big + `}}`, "{x?:{a?:string b?:string c?:string d?:string}}"},
		{"used twice", `{"properties":{"x":{"$ref":"#/$defs/v1.Big"},"y":{"$ref":"#/$defs/v1.Big"}},"$defs":{"v1.Big":` + big + `}}`,
			"{x?:V1Big y?:V1Big}; V1Big = {a?:string b?:string c?:string d?:string}"},
		{"small", `{"properties":{"x":{"$ref":"#/$defs/S"},"y":{"$ref":"#/$defs/S"}},"$defs":{"S":{"type":["string","null"]}}}`, "{x?:(string|null) y?:(string|null)}"},
		{"definitions", `{"$ref":"#/definitions/A","definitions":{"A":{"type":"string"}}}`, "string"},
		{"escapes", `{"prefixItems":[{"$ref":"#/$defs/a~1b"},{"$ref":"#/$defs/p%25q"},{"$ref":"#/$defs/t~0"}],"items":false,"$defs":{"a/b":{"type":"string"},"p%q":{"type":"number"},"t~":{"type":"null"}}}`,
			"tuple0[string number null]"},
		{"into a property", `{"properties":{"x":{"type":"string"},"y":{"$ref":"#/properties/x"}}}`, "{x?:string y?:string}"},
		{"through an unknown keyword", `{"$ref":"#/components/schemas/A","components":{"schemas":{"A":{"type":"null"}}}}`, "null"},
		{"anchor", `{"$ref":"#here","$defs":{"A":{"$anchor":"here","type":"string"}}}`, "string"},
		{"anchor of draft 7", `{"$ref":"#here","definitions":{"A":{"$id":"#here","type":"string"}}}`, "string"},
		{"embedded resource", `{"$id":"https://x.test/a","$ref":"b.json#/$defs/N","$defs":{"B":{"$id":"b.json","$defs":{"N":{"type":"number"}}}}}`, "number"},
		{"id that is a value", `{"$ref":"#/$defs/A","$defs":{"A":{"enum":[{"$id":"b"}]}}}`, `{$id:"b" !}`},
		{"siblings count", `{"$ref":"#/$defs/A","required":["b"],"$defs":{"A":{"properties":{"a":{"type":"string"}}}}}`, "{a?:string b:unknown}"},
		{"siblings ignored in draft 7", `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"x":{"$ref":"#/definitions/A","type":"null"}},"definitions":{"A":{"type":"string"}}}`, "{x?:string}"},

		{"recursive root", `{"properties":{"kids":{"items":{"$ref":"#"}}}}`, "Args; Args = {kids?:[]Args}"},
		{"recursive", `{"$ref":"#/$defs/J","$defs":{"J":{"anyOf":[{"type":"string"},{"type":"array","items":{"$ref":"#/$defs/J"}}]}}}`, "J; J = (string|[]J)"},
		{"mutual", `{"$ref":"#/$defs/A","$defs":{"A":{"properties":{"b":{"$ref":"#/$defs/B"}}},"B":{"properties":{"a":{"$ref":"#/$defs/A"},"b":{"$ref":"#/$defs/B"}}}}}`,
			"A; A = {b?:B}; B = {a?:A b?:B}"},
		{"items in place", `{"properties":{"rows":{"items":{"properties":{"sub":{"items":{"$ref":"#/properties/rows/items"}}}}}}}`, "{rows?:[]RowsItem}; RowsItem = {sub?:[]RowsItem}"},
		{"name clash", `{"prefixItems":[{"$ref":"#/$defs/a-b"},{"$ref":"#/$defs/a.b"}],"items":false,"$defs":{"a-b":{"items":{"$ref":"#/$defs/a-b"}},"a.b":{"items":{"$ref":"#/$defs/a.b"}}}}`,
			"tuple0[AB AB2]; AB = []AB; AB2 = []AB2"},
		{"names that are none", `{"prefixItems":[{"$ref":"#/$defs/260 x"},{"$ref":"#/$defs/日本"}],"items":false,"$defs":{"260 x":{"items":{"$ref":"#/$defs/260 x"}},"日本":{"items":{"$ref":"#/$defs/日本"}}}}`,
			"tuple0[T260X Type]; T260X = []T260X; Type = []Type"},
		{"itself", `{"$ref":"#"}`, "unknown"},
		{"two that are each other", `{"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#/$defs/B"},"B":{"$ref":"#/$defs/A"}}}`, "unknown"},
		{"itself or more", `{"anyOf":[{"$ref":"#"},{"type":"string"}]}`, "unknown"},
		{"itself and more", `{"allOf":[{"$ref":"#"},{"type":"string"}]}`, "string"},
		{"cycle found late", `{"$ref":"#/$defs/X","$defs":{"X":{"type":"object","anyOf":[{"properties":{"p":{"$ref":"#/$defs/Y"}},"required":["p"]},{"$ref":"#/$defs/Y"}]},"Y":{"allOf":[{"$ref":"#/$defs/X"}]}}}`,
			"X; X = ({p:unknown}|{})"},
		{"dynamic", `{"$dynamicRef":"#n","$defs":{"A":{"$dynamicAnchor":"n","type":"string"}}}`, "string"},
		{"the document's own anchor is outermost", `{"$dynamicRef":"#n","$defs":{"A":{"$dynamicAnchor":"n","type":"string"},"B":{"$id":"b","$dynamicAnchor":"n"}}}`, "string"},
		{"extended tree", `{"$id":"https://x.test/strict","$dynamicAnchor":"node","$ref":"tree","required":["data"],"$defs":{"T":{"$id":"tree","$dynamicAnchor":"node","type":"object","properties":{"kids":{"items":{"$dynamicRef":"#node"}}}}}}`,
			"Args; Args = {data:unknown kids?:[]Args}"},
		{"which anchor depends on the way", `{"properties":{"a":{"$ref":"a"},"b":{"$ref":"b"}},"$defs":{"A":{"$id":"a","$ref":"list","$defs":{"n":{"$dynamicAnchor":"n","type":"string"}}},"B":{"$id":"b","$ref":"list","$defs":{"n":{"$dynamicAnchor":"n","type":"number"}}},"L":{"$id":"list","items":{"$dynamicRef":"#n"},"$defs":{"n":{"$dynamicAnchor":"n"}}}}}`,
			"{a?:[]unknown b?:[]unknown}"},
		{"meta-schema", `{"properties":{"s":{"$ref":"https://json-schema.org/draft/2020-12/schema"}}}`, "{s?:({*:unknown}|boolean)}"},
		{"recursive base extended", `{"$ref":"#/$defs/T","$defs":{"T":{"properties":{"x":{"allOf":[{"$ref":"#/$defs/T"},{"required":["y"]}]}}}}}`, "T; T = {x?:(T&{y:unknown})}"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for range 5 { // Go walks maps in another order each time
				g, err := Parse([]byte(test.doc), Options{Root: "Args"})
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(test.want, show(g)); diff != "" {
					t.Fatal(diff)
				}
			}
		})
	}
}

func TestReadAsWritten(t *testing.T) {
	for doc, want := range map[string]string{
		`{"properties":{"a":{"type":"string"}}}`: "(string|number|boolean|[]unknown|{a?:string *:unknown}|null)",
		`{"minLength":3}`:                        "unknown",
		`{"type":"object"}`:                      "{*:unknown}",
		`{"type":"object","allOf":[{"properties":{"a":{"const":1}}}]}`: "{a?:1 *:unknown}",
	} {
		g, err := Parse([]byte(doc), Options{Untyped: AsWritten})
		if err != nil {
			t.Fatal(err)
		}
		if got := show(g); got != want {
			t.Errorf("%s: got %s, want %s", doc, got, want)
		}
	}
}

func TestDocs(t *testing.T) {
	g, err := Parse([]byte(`{"properties":{"n":{"$ref":"#/$defs/N","description":"here","default":3},"m":{"allOf":[{"$ref":"#/$defs/N"}]}},
		"$defs":{"N":{"type":"integer","title":"N","description":"there","minimum":1,"exclusiveMaximum":false,"multipleOf":2,"deprecated":true,"examples":[4, 6]}}}`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	constraints := []Constraint{{"minimum", "1"}, {"multipleOf", "2"}}
	examples := []json.RawMessage{json.RawMessage("4"), json.RawMessage("6")}
	want := []Doc{
		{Title: "N", Description: "there", Deprecated: true, Examples: examples, Constraints: constraints},
		{Title: "N", Description: "here", Default: json.RawMessage("3"), Deprecated: true, Examples: examples, Constraints: constraints},
	}
	got := []Doc{g.Root.Properties[0].Type.Doc, g.Root.Properties[1].Type.Doc}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct {
		name, doc string
		want      error
		text      string
	}{
		{"not JSON", `{"a"`, nil, "not valid JSON"},
		{"more than one", `{} {}`, nil, "data after the document"},
		{"not a schema", `[1]`, nil, "want an object or a boolean"},
		{"property not a schema", `{"properties":{"a":"string"}}`, nil, "#/properties/a: not a schema"},
		{"remote", `{"properties":{"a":{"$ref":"https://x.test/s.json"}}}`, ErrRemoteRef, `#/properties/a: $ref "https://x.test/s.json"`},
		{"file", `{"$ref":"file:///etc/passwd"}`, ErrRemoteRef, "bundle"},
		{"relative", `{"$ref":"other.json#/a"}`, ErrRemoteRef, ""},
		{"missing", `{"$ref":"#/$defs/A"}`, ErrMissingRef, ""},
		{"missing anchor", `{"$ref":"#nope"}`, ErrMissingRef, ""},
		{"into a value", `{"$ref":"#/title","title":"x"}`, ErrMissingRef, ""},
		{"index with a zero", `{"$ref":"#/allOf/00","allOf":[{}]}`, ErrMissingRef, ""},
		{"bad escape", `{"$ref":"#/%zz"}`, nil, "not a URI reference"},
		{"bad URI", `{"$ref":":::"}`, nil, "not a URI reference"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse([]byte(test.doc), Options{})
			if err == nil || test.want != nil && !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("got %v, want %v with %q", err, test.want, test.text)
			}
		})
	}
}
