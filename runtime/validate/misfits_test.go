package validate_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codemode/runtime/validate"
)

func TestMisfits(t *testing.T) {
	v := validate.New()
	for _, tt := range []struct {
		schema, value string
		want          []validate.Misfit
	}{
		{`{"type":"string"}`, `"s3cret"`, nil},
		{`{"type":"string"}`, `42`, []validate.Misfit{{"", "string"}}},
		{`{"properties":{"a":{"items":{"type":"integer"}}}}`, `{"a":[1,"s3cret",true]}`, []validate.Misfit{{"/a/1", "integer"}, {"/a/2", "integer"}}},
		{`{"required":["x/y"],"additionalProperties":false,"properties":{"x/y":true}}`, `{"b":"s3cret"}`, []validate.Misfit{{"/b", "no such field"}, {"/x~1y", "a value"}}},
		{`{"enum":["a","b"]}`, `"s3cret"`, []validate.Misfit{{"", `one of "a", "b"`}}},
		{`{"minimum":3,"multipleOf":2}`, `1`, []validate.Misfit{{"", "3 or more"}, {"", "a multiple of 2"}}},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `1`, []validate.Misfit{{"", "null or string"}}},
		{`{"pattern":"^a"}`, `"s3cret"`, []validate.Misfit{{"", `a value that fits "pattern"`}}},
		{`{"properties":{"a":false}}`, `{"a":"s3cret"}`, []validate.Misfit{{"/a", "nothing"}}},
	} {
		got, err := v.Misfits(json.RawMessage(tt.schema), json.RawMessage(tt.value))
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%s of %s: %v (-want +got):\n%s", tt.value, tt.schema, err, diff)
		}
	}
	if _, err := v.Misfits(json.RawMessage(`{"$ref":"https://elsewhere.example"}`), json.RawMessage(`1`)); err == nil {
		t.Error("a schema that can't be used is no error")
	}
	if _, err := v.Misfits(json.RawMessage(`true`), json.RawMessage(`{`)); err == nil {
		t.Error("a value that is none is no error")
	}
}
