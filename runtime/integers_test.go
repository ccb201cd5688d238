package runtime

import (
	"slices"
	"testing"
)

func TestBigInts(t *testing.T) {
	const list = `{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer","format":"int64"},"n":{"type":"integer"}}}}`
	const tree = `{"$defs":{"node":{"type":"object","properties":{"id":{"type":"integer","minimum":-9223372036854775808},"kids":{"type":"array","items":{"$ref":"#/$defs/node"}}}}},"$ref":"#/$defs/node"}`
	tests := []struct {
		name, schema, value string
		want                []string
		fails               bool
	}{
		{"declared", list, `[{"id":1,"n":2},{"id":9007199254740993,"n":3}]`, []string{"/0/id", "/1/id"}, false},
		{"too large for number", list, `[{"id":1,"n":9007199254740993}]`, nil, true},
		{"largest safe", list, `[{"n":9007199254740991}]`, nil, false},
		{"first unsafe", list, `[{"n":9007199254740992}]`, nil, true},
		{"negative", list, `[{"n":-9007199254740992}]`, nil, true},
		{"recursive", tree, `{"id":1,"kids":[{"id":2,"kids":[]}]}`, []string{"/id", "/kids/0/id"}, false},
		{"unknown stays exact", `true`, `{"a/b":12345678901234567890,"c":1}`, []string{"/a~1b"}, false},
		{"union", `{"anyOf":[{"type":"string"},{"type":"integer","format":"uint64"}]}`, `7`, []string{""}, false},
		{"additional", `{"additionalProperties":{"type":"integer","format":"int64"}}`, `{"x":1}`, []string{"/x"}, false},
		{"tuple", `{"prefixItems":[{"type":"string"},{"type":"integer","format":"int64"}]}`, `["a",2]`, []string{"/1"}, false},
		{"fractions stay numbers", `true`, `[1.5e300, 0.1]`, nil, false},
		{"endless reference", `{"$ref":"#"}`, `12345678901234567890`, []string{""}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := bigInts([]byte(tt.schema), []byte(tt.value))
			slices.Sort(got)
			if !slices.Equal(got, tt.want) || (err != nil) != tt.fails {
				t.Errorf("bigInts = %q, %v; want %q, fails %v", got, err, tt.want, tt.fails)
			}
		})
	}
}

func TestUnsafeIntegers(t *testing.T) {
	const schema = `{"type":"object","properties":{"id":{"type":"integer"},"x":{"type":"number"}}}`
	for value, fails := range map[string]bool{
		`{"id":9007199254740993}`:      false, // digits: a bigint wrote them
		`{"id":9.007199254740993e15}`:  true,
		`{"id":1e3}`:                   false,
		`{"x":1e300}`:                  false,
		`{"note":"9.007199254740e15"}`: false,
	} {
		if err := unsafeIntegers([]byte(schema), []byte(value)); (err != nil) != fails {
			t.Errorf("unsafeIntegers(%s) = %v, want failure %v", value, err, fails)
		}
	}
}
