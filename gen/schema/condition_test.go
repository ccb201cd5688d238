package schema

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestConditions holds what the keywords that bind a value only sometimes become.
func TestConditions(t *testing.T) {
	for _, test := range []struct{ name, doc, want string }{
		{"if of a kind", `{"type":"object","required":["k"],"properties":{"k":{"enum":["a","b","c"]}},"if":{"properties":{"k":{"const":"a"}}},"then":{"required":["x"],"properties":{"x":{"type":"string"}}}}`,
			`({k:"a" x:string}|{k:("b"|"c")})`},
		{"if with else", `{"type":"object","required":["on"],"properties":{"on":{"type":"boolean"}},"if":{"properties":{"on":{"const":true}}},"then":{"properties":{"host":{"type":"string"}}},"else":{"properties":{"host":{"type":"null"}}}}`,
			`({host?:string on:true}|{host?:null on:false})`},
		{"several ifs", `{"type":"object","required":["k"],"properties":{"k":{"enum":["a","b","c"]}},"allOf":[
			{"if":{"properties":{"k":{"const":"a"}}},"then":{"properties":{"x":{"type":"string"}}}},{"if":{"properties":{"k":{"const":"b"}}},"then":{"properties":{"x":{"type":"number"}}}}]}`,
			`({k:"a" x?:string}|{k:"b" x?:number}|{k:"c"})`},
		{"if of no type", `{"type":"string","if":{"maxLength":3},"then":{"const":"yes"},"else":{"const":"other"}}`, `("yes"|"other")`},
		{"more choices than help", `{"if":{"enum":[1,2,3,4,5]},"then":{"enum":[1,2,3,4,5]},"else":{"enum":["a","b","c","d","e"]}}`, "unknown"},

		{"not a kind", `{"type":["string","null","number"],"not":{"type":"null"}}`, "(string|number)"},
		{"not a value", `{"enum":["a","b",null],"not":{"enum":["b",null]}}`, `"a"`},
		{"not a text", `{"type":"string","not":{"const":"a"}}`, "string"},
		{"not a boolean", `{"type":"boolean","not":{"const":true}}`, "false"},
		{"not a key", `{"type":"object","properties":{"a":{"type":"string"}},"not":{"required":["b"]}}`, "{a?:string b?:never}"},
		{"neither key", `{"type":"object","not":{"anyOf":[{"required":["a"]},{"required":["b"]}]}}`, "{a?:never b?:never}"},
		{"not not", `{"not":{"not":{"type":"string"}}}`, "string"},
		{"not of a reference", `{"enum":[1,"a"],"not":{"$ref":"#/$defs/S"},"$defs":{"S":{"type":"string"}}}`, "1"},
		{"not an integer", `{"type":"number","not":{"type":"integer"}}`, "number"},
		{"not itself", `{"type":"string","not":{"$ref":"#"}}`, "string"},

		{"one of two keys", `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"number"}},"oneOf":[{"required":["a"]},{"required":["b"]}]}`, "({a:string b?:never}|{a?:never b:number})"},
		{"any of two keys", `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"number"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, "({a:string b?:number}|{a?:string b:number})"},
		{"one beside anything", `{"enum":[1,"a"],"oneOf":[{"type":"string"},{}]}`, "1"},
		{"anything twice", `{"oneOf":[{},true]}`, "never"},

		{"a key needs another", `{"type":"object","properties":{"card":{"type":"number"},"address":{"type":"string"}},"dependentRequired":{"card":["address"]}}`,
			"({address?:string card?:never}|{address:string card:number})"},
		{"a key needs a schema", `{"type":"object","properties":{"card":{"type":"number"}},"dependentSchemas":{"card":{"required":["name"],"properties":{"name":{"type":"string"}}}}}`,
			"({card?:never}|{card:number name:string})"},
		{"dependencies of draft 7", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","dependencies":{"a":["b"]}}`, "({a?:never}|{a:unknown b:unknown})"},
		{"dependencies are no keyword later", `{"type":"object","dependencies":{"a":["b"]}}`, "{}"},

		{"names of a set", `{"type":"object","propertyNames":{"enum":["a","b"]},"additionalProperties":{"type":"string"}}`, "{a?:string b?:string !}"},
		{"a name outside of the set", `{"type":"object","propertyNames":{"const":"a"},"required":["b"]}`, "never"},
		{"no names", `{"type":"object","propertyNames":false}`, "{!}"},
		{"names by pattern", `{"type":"object","propertyNames":{"pattern":"^a"}}`, "{}"},

		{"a pattern that is a name", `{"type":"object","patternProperties":{"^id$":{"type":"string"}}}`, "{id?:string}"},
		{"a pattern that is any name", `{"type":"object","patternProperties":{".*":{"type":"string"}},"additionalProperties":false}`, "{*:string}"},
		{"a property under a pattern", `{"type":"object","properties":{"x-a":{"enum":["q",1]}},"patternProperties":{"^x-":{"type":"string"}}}`, `{x-a?:"q" /^x-/:string}`},

		{"unevaluated like additional", `{"type":"object","properties":{"a":true},"unevaluatedProperties":{"type":"string"}}`, "{a?:unknown *:string}"},
		{"unevaluated behind allOf", `{"type":"object","allOf":[{"properties":{"a":{"type":"number"}}}],"unevaluatedProperties":false}`, "{a?:number !}"},
		{"unevaluated items", `{"type":"array","prefixItems":[{"type":"string"}],"allOf":[{"prefixItems":[true,{"type":"number"}]}],"unevaluatedItems":false}`, "tuple0[string number]"},
		{"unevaluated beside contains", `{"type":"array","contains":{"type":"string"},"unevaluatedItems":{"type":"null"}}`, "[](string|null)"},
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

// TestConditionsInWords holds what is told of a condition that only asks for keys, and of the bounds of
// OpenAPI 3.0.
func TestConditionsInWords(t *testing.T) {
	g, err := Parse([]byte(`{"type":"object","minimum":3,"exclusiveMinimum":true,"exclusiveMaximum":false,"maximum":9,"allOf":[
		{"if":{"properties":{"on":{"const":true}}},"then":{"required":["host","port"]}},
		{"if":{"required":["a"],"properties":{"b":{"enum":[1,2]}}},"then":{"required":["c"]},"else":{"required":["d"]}}]}`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Constraint{{"exclusiveMinimum", "3"}, {"maximum", "9"}, {"if", "b is one of [1,2] and a is given: needs c, else needs d"}, {"if", "on is true: needs host, port"}}
	if diff := cmp.Diff(want, g.Root.Doc.Constraints); diff != "" {
		t.Error(diff)
	}
}
