package runtime

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestBigInts(t *testing.T) {
	const list = `{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer","format":"int64"},"n":{"type":"integer"}}}}`
	const tree = `{"$defs":{"node":{"type":"object","properties":{"id":{"type":"integer","minimum":-9223372036854775808},"kids":{"type":"array","items":{"$ref":"#/$defs/node"}}}}},"$ref":"#/$defs/node"}`
	tests := []struct {
		name, schema, value string
		want                []string
		misfits             bool
	}{
		{"declared", list, `[{"id":1,"n":2},{"id":9007199254740993,"n":3}]`, []string{"/0/id", "/1/id"}, false},
		{"too large for number", list, `[{"id":1,"n":9007199254740993}]`, []string{"/0/id", "/0/n"}, true},
		{"largest safe", list, `[{"n":9007199254740991}]`, nil, false},
		{"first unsafe", list, `[{"n":9007199254740992}]`, []string{"/0/n"}, true},
		{"negative", list, `[{"n":-9007199254740992}]`, []string{"/0/n"}, true},
		{"recursive", tree, `{"id":1,"kids":[{"id":2,"kids":[]}]}`, []string{"/id", "/kids/0/id"}, false},
		{"unknown stays exact", `true`, `{"a/b":12345678901234567890,"c":1}`, []string{"/a~1b"}, false},
		{"union", `{"anyOf":[{"type":"string"},{"type":"integer","format":"uint64"}]}`, `7`, []string{""}, false},
		{"reference with percent signs", `{"$ref":"#/$defs/a%20b","$defs":{"a b":{"type":"integer","format":"int64"}}}`, `7`, []string{""}, false},
		{"exclusive bound", `{"type":"integer","exclusiveMaximum":9223372036854775808}`, `7`, []string{""}, false},
		{"additional", `{"additionalProperties":{"type":"integer","format":"int64"}}`, `{"x":1}`, []string{"/x"}, false},
		{"tuple", `{"prefixItems":[{"type":"string"},{"type":"integer","format":"int64"}]}`, `["a",2]`, []string{"/1"}, false},
		{"fractions stay numbers", `true`, `[1.5e300, 0.1]`, nil, false},
		{"not in digits, declared", list, `[{"id":9007199254740993.0,"n":1}]`, nil, true},
		{"not in digits, past 2^53", list, `[{"id":1,"n":9.007199254740993e15}]`, []string{"/0/id"}, true},
		{"a whole number in other digits", list, `[{"n":1.0},{"n":1e3}]`, nil, false},
		{"beyond any number", `{"type":"number"}`, `1e400`, nil, true},
		{"endless reference", `{"$ref":"#"}`, `12345678901234567890`, []string{""}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, misfit, err := bigInts([]byte(tt.schema), []byte(tt.value))
			slices.Sort(got)
			if !slices.Equal(got, tt.want) || err != nil || (misfit != "") != tt.misfits {
				t.Errorf("bigInts = %q, %q, %v; want %q, misfits %v", got, misfit, err, tt.want, tt.misfits)
			}
		})
	}
}

// TestBigIntsOfHostileResults: a destination chooses the result, and a directory's author the schema;
// neither may make the service work or allocate by the product of their sizes.
func TestBigIntsOfHostileResults(t *testing.T) {
	name := strings.Repeat("n", 1<<20)
	small := `{"` + name + `":[` + strings.Repeat("1,", 1<<20) + `1]}`
	if got, _, err := bigInts([]byte(`true`), []byte(small)); err != nil || len(got) != 0 {
		t.Errorf("numbers below a long name: %d places, %v", len(got), err)
	}
	wide := `{"` + name + `":[` + strings.Repeat("9007199254740993,", 1000) + `1]}`
	if got, _, err := bigInts([]byte(`true`), []byte(wide)); err == nil || err.Code != ResultTooLarge || got != nil {
		t.Errorf("bigints below a long name: %d places, %v", len(got), err)
	}
	again := strings.TrimSuffix(strings.Repeat(`{"$ref":"#"},`, 50), ",")
	loops := `{"$ref":"#","allOf":[` + again + `],"anyOf":[` + again + `],"oneOf":[` + again + `],"items":{"$ref":"#"}}`
	many := `[` + strings.Repeat("9007199254740993,", 10_000) + `1]`
	if got, _, err := bigInts([]byte(loops), []byte(many)); err != nil || len(got) != 10_000 {
		t.Errorf("a schema that refers to itself: %d places, %v", len(got), err)
	}
}

// TestBigIntsOfLongLists: every number of a result beside every number, and every key beside every
// pattern, of a schema.
func TestBigIntsOfLongLists(t *testing.T) {
	const n = 100_000
	list := func(format string) string {
		items := make([]string, n)
		for i := range items {
			items[i] = fmt.Sprintf(format, i)
		}
		return strings.Join(items, ",")
	}
	values := `[` + list("9007199254%06d") + `]`
	got, misfit, err := bigInts([]byte(`{"items":{"enum":[`+list("90071992540%05d.0")+`]}}`), []byte(values))
	if err != nil || misfit != "" || len(got) != 0 {
		t.Errorf("listed numbers: %d places, %q, %v", len(got), misfit, err)
	}
	alternatives := `{"items":{"anyOf":[{"enum":[` + list(`"%d"`) + `]},{"type":"integer","format":"int64"}]}}`
	if got, _, err = bigInts([]byte(alternatives), []byte(values)); err != nil || len(got) != n {
		t.Errorf("alternatives with a list: %d places, %v", len(got), err)
	}
	keys := `{` + list(`"k%d":9007199254740993`) + `}`
	patterns := `{"patternProperties":{` + list(`"^p%d-":{"type":"integer"}`) + `}}`
	if got, _, err = bigInts([]byte(patterns), []byte(keys)); err != nil || len(got) != n {
		t.Errorf("patterns: %d places, %v", len(got), err)
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
