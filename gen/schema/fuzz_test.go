package schema

import (
	"testing"
)

// FuzzSchema holds that any document gives an error or a graph within its cap, the same each time.
func FuzzSchema(f *testing.F) {
	for _, seed := range []string{
		`true`, `{"type":["string","null"],"nullable":true}`,
		`{"$ref":"#/$defs/A","$defs":{"A":{"anyOf":[{"$ref":"#"},{"items":{"$ref":"#/$defs/A"}}]}}}`,
		`{"allOf":[{"properties":{"a":{"enum":[1,null,{"b":[2]}]}}},{"required":["a"],"oneOf":[{"const":1},{}]}]}`,
		`{"prefixItems":[{"$ref":"#/prefixItems/0"},false],"minItems":1,"items":{"type":"integer","maximum":1e19}}`,
		`{"$id":"http://a.test/","$anchor":"x","$ref":"#x","patternProperties":{"^a":{"$dynamicRef":"#x"}}}`,
		`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"$ref":"#/items/1"},{"$ref":"#/items/0"}],"additionalItems":false}`,
		`{"properties":{"p":{"allOf":[{"$ref":"#"},{"$ref":"#/properties/q"}]},"q":{"allOf":[{"$ref":"#/properties/p"},{"$ref":"#"}]}}}`,
		`{"if":{"properties":{"k":{"const":"a"}}},"then":{"not":{"required":["b"]}},"else":{"dependentSchemas":{"a":{"propertyNames":{"enum":["k"]}}}}}`,
		`{"oneOf":[{"required":["a"]},{"required":["b","c"]}],"type":"object","unevaluatedProperties":false,"patternProperties":{"^x-":{"type":"integer"},"b$":true}}`,
		`{"allOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}],"$defs":{"A":{"properties":{"x":{"$ref":"#/$defs/B"}}},"B":{"properties":{"x":{"$ref":"#/$defs/A"}},"unevaluatedItems":{"type":"null"}}}}`,
	} {
		f.Add([]byte(seed), false)
	}
	f.Fuzz(func(t *testing.T, doc []byte, asWritten bool) {
		opt := Options{MaxTypes: 500, MaxBytes: 20_000}
		if asWritten {
			opt.Untyped = AsWritten
		}
		g, err := Parse(doc, opt)
		if err != nil {
			return
		}
		if n := written(g); n > 10*opt.MaxTypes {
			t.Errorf("%d types written out", n)
		}
		again, err := Parse(doc, opt)
		if err != nil || show(again) != show(g) {
			t.Errorf("another reading differs (%v): %s, %s", err, show(g), show(again))
		}
	})
}
