package learn_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codemode/gen/learn"
	"codemode/gen/schema"
	"codemode/runtime/validate"
)

func shape(t testing.TB, results ...string) *learn.Shape {
	t.Helper()
	s := &learn.Shape{}
	for _, r := range results {
		one, err := learn.Observe(json.RawMessage(r))
		if err != nil {
			t.Fatalf("%s: %v", r, err)
		}
		s.Merge(one)
	}
	return s
}

func times(n int, results ...string) []string { return slices.Repeat(results, n) }

func TestSchema(t *testing.T) {
	var people, orders, fields []string
	for i := range 40 {
		people = append(people, fmt.Sprintf(`{"person %d": {"age": 1.5}}`, i))
		orders = append(orders, fmt.Sprintf(`{"%d": [1.5], "%d": []}`, i, i+1000))
		fields = append(fields, fmt.Sprintf(`{"id": "x", "f%d": 1}`, i%22))
	}
	for _, tt := range []struct {
		name    string
		results []string
		want    string
	}{
		{"nothing", nil, `true`},
		{"one string", []string{`"a"`}, `{"type":"string"}`},
		{"never an enum", times(50, `"open"`, `"closed"`), `{"type":"string"}`},
		{"four integers are not enough", times(4, `1`), `{"type":"number"}`},
		{"five are", times(5, `1`), `{"type":"integer"}`},
		{"a fraction among them", append(times(9, `1`), `1.5`), `{"type":"number"}`},
		{"written as a fraction", times(9, `37.0`), `{"type":"number"}`},
		{"past a double", append(times(9, `1`), `9007199254740993`), `{"format":"int64","type":"integer"}`},
		{"2^53 itself is safe", times(5, `9007199254740992`), `{"type":"integer"}`},
		{"past int64", times(5, `18446744073709551615`), `{"format":"uint64","type":"integer"}`},
		{"past int64 and negative", append(times(5, `18446744073709551615`), `-1`), `true`},
		{"past uint64", times(5, `18446744073709551616`), `true`},
		{"past a double beside fractions", []string{`9007199254740993`, `0.5`}, `true`},
		{"null once", []string{`null`}, `true`},
		{"null always", times(5, `null`), `{"type":"null"}`},
		{"null at times", []string{`null`, `"a"`}, `{"type":["string","null"]}`},
		{"a field that is always null", times(9, `{"a":null}`), `{"properties":{"a":true},"required":["a"],"type":"object"}`},
		{"scalars of several kinds", []string{`"a"`, `true`, `1`}, `{"type":["boolean","number","string"]}`},
		{"object or text", []string{`"a"`, `{}`}, `{"anyOf":[{"type":"object"},{"type":"string"}]}`},
		{"empty list", times(9, `[]`), `{"type":"array"}`},
		{"list", []string{`[]`, `["a"]`}, `{"items":{"type":"string"},"type":"array"}`},
		{"list of lists", []string{`[[1],[true]]`}, `{"items":{"items":{"type":["boolean","number"]},"type":"array"},"type":"array"}`},
		{"four objects require nothing", times(4, `{"a":"x"}`), `{"properties":{"a":{"type":"string"}},"type":"object"}`},
		{"seen in all of five", times(5, `{"a":"x","b":"y"}`), `{"properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a","b"],"type":"object"}`},
		{"missing in one", append(times(9, `{"a":"x","b":"y"}`), `{"a":"x"}`), `{"properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a"],"type":"object"}`},
		{"missing in an empty one", append(times(9, `{"a":"x"}`), `{}`), `{"properties":{"a":{"type":"string"}},"type":"object"}`},
		{"success or failure", append(times(5, `{"id":"x"}`), `{"error":"no"}`), `{"properties":{"error":{"type":"string"},"id":{"type":"string"}},"type":"object"}`},
		{"a map by its many keys", people, `{"additionalProperties":{"properties":{"age":{"type":"number"}},"required":["age"],"type":"object"},"type":"object"}`},
		{"a map by its kind of keys", orders[:1], `{"additionalProperties":{"items":{"type":"number"},"type":"array"},"type":"object"}`},
		{"one such key makes a map", []string{`{"1001":"x"}`}, `{"additionalProperties":{"type":"string"},"type":"object"}`},
		{"beside fields too", []string{`{"1001":"x","name":1.5}`}, `{"additionalProperties":{"type":["number","string"]},"type":"object"}`},
		{"dates", []string{`{"2024-01-01":1.5,"2024-01-02T10:00:00Z":2}`}, `{"additionalProperties":{"type":"number"},"type":"object"}`},
		{"a key that is in all of them is a field", fields, ""},
		{"text that holds JSON", []string{`"{\"a\":1}"`, `"[]"`}, `{"contentMediaType":"application/json","type":"string"}`},
		{"text that does so at times", []string{`"{\"a\":1}"`, `"{'a': 1}"`}, `{"type":"string"}`},
		{"odd keys", []string{`{"__proto__":1.5,"constructor":"x","":true,"a/b~c":null}`}, `{"properties":{"":{"type":"boolean"},"__proto__":{"type":"number"},"a/b~c":true,"constructor":{"type":"string"}},"type":"object"}`},
	} {
		got := string(shape(t, tt.results...).Schema())
		if tt.want == "" {
			if !strings.Contains(got, `"id":{"type":"string"}`) || !strings.Contains(got, `"required":["id"]`) {
				t.Errorf("%s: %s", tt.name, got)
			}
		} else if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// value makes a random result; wide ones have more keys than are kept apart.
func value(r *rand.Rand, depth int) any {
	switch k := r.IntN(10); {
	case depth > 0 && k < 3:
		m := map[string]any{}
		for range r.IntN(5) {
			m[[]string{"a", "b", "id", "1001", "1002", "2024-01-01", "x y"}[r.IntN(7)]] = value(r, depth-1)
		}
		return m
	case depth > 0 && k == 3:
		m := map[string]any{}
		for range r.IntN(150) {
			m[fmt.Sprintf("k%d", r.IntN(400))] = value(r, depth-2)
		}
		return m
	case depth > 0 && k < 6:
		var list []any
		for range r.IntN(4) {
			list = append(list, value(r, depth-1))
		}
		return list
	}
	return []any{nil, true, 1, -3, 1.5, "a", `{"x":1}`, json.Number("9007199254740993"), json.Number("18446744073709551616"), json.Number("2.0")}[r.IntN(10)]
}

// TestMergeIsLearningTogether: in whatever parts and order results are observed, the summary and the
// schema are the same bytes, and every result fits the schema.
func TestMergeIsLearningTogether(t *testing.T) {
	v := validate.New()
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		var results []string
		for range 1 + r.IntN(40) {
			raw, err := json.Marshal(value(r, 4))
			if err != nil {
				t.Fatal(err)
			}
			results = append(results, string(raw))
		}
		whole := shape(t, results...)
		shuffled := slices.Clone(results)
		r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		cut := r.IntN(len(shuffled) + 1)
		a, b := shape(t, shuffled[:cut]...), shape(t, shuffled[cut:]...)
		before, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		a.Merge(b)
		for i, other := range []*learn.Shape{a, shape(t, shuffled...), restored(t, whole)} {
			if d := cmp.Diff(text(t, whole), text(t, other)); d != "" {
				t.Fatalf("seed %d, way %d: summaries differ:\n%s", seed, i, d)
			}
			if string(whole.Schema()) != string(other.Schema()) {
				t.Fatalf("seed %d, way %d: schemas differ", seed, i)
			}
		}
		if after := text(t, b); after != string(before) {
			t.Fatalf("seed %d: merging changed what was merged", seed)
		}
		if whole.Results() != len(results) {
			t.Fatalf("%d results, want %d", whole.Results(), len(results))
		}
		learned := whole.Schema()
		if _, err := schema.Parse(learned, schema.Options{}); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, one := range results {
			if err := v.Validate(learned, json.RawMessage(one)); err != nil {
				t.Fatalf("seed %d: %s does not fit what was learnt of it: %v\n%s", seed, one, err, learned)
			}
		}
	}
}

func text(t testing.TB, s *learn.Shape) string {
	t.Helper()
	raw, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func restored(t testing.TB, s *learn.Shape) *learn.Shape {
	t.Helper()
	out := &learn.Shape{}
	if err := json.Unmarshal([]byte(text(t, s)), out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestPastDouble(t *testing.T) {
	for result, want := range map[string]bool{`9007199254740992`: false, `9007199254740993`: true, `{"a":[{"b":-9007199254740993}]}`: true, `"9007199254740993"`: false, `1e300`: false} {
		if got := shape(t, result, `null`).PastDouble(); got != want {
			t.Errorf("%s: %v", result, got)
		}
	}
}

// A summary names keys and counts, and holds nothing of a value.
func TestSummaryHoldsNoValue(t *testing.T) {
	s := shape(t, `{"token":"s3cr3t-4711","n":471147114711,"list":["s3cr3t"],"deep":{"x":true}}`)
	for _, out := range []string{text(t, s), string(s.Schema())} {
		if strings.Contains(out, "s3cr3t") || strings.Contains(out, "4711") {
			t.Errorf("a value is in %s", out)
		}
	}
}

func TestHostileResults(t *testing.T) {
	for name, result := range map[string]string{
		"no JSON": `{`, "two": `1 2`, "empty": ``, "too deep": strings.Repeat("[", 20000), "too many": "[" + strings.Repeat("1,", 200_000) + "1]",
		"too long": `"` + strings.Repeat("x", 9<<20) + `"`,
	} {
		if _, err := learn.Observe(json.RawMessage(result)); err == nil {
			t.Errorf("%s is observed", name)
		}
	}
	deep := shape(t, times(6, strings.Repeat(`{"a":[`, 500)+strings.Repeat(`]}`, 500))...)
	if got := deep.Schema(); len(got) > 2000 || !json.Valid(got) {
		t.Errorf("a deep result gives %d bytes", len(got))
	}
	var wide strings.Builder
	for i := range 190 {
		fmt.Fprintf(&wide, `"%s%d":{`, strings.Repeat("k", 200), i)
		for j := range 20 {
			fmt.Fprintf(&wide, `"f%d":{"a":1,"b":[{"c":2}]},`, j)
		}
		wide.WriteString(`"z":1},`)
	}
	if got := shape(t, "{"+strings.TrimSuffix(wide.String(), ",")+"}").Schema(); len(got) > 64<<10 || !json.Valid(got) || string(got) == "true" {
		t.Errorf("a wide result gives %d bytes", len(got))
	}
}

func TestSummariesAreChecked(t *testing.T) {
	for _, raw := range []string{`[]`, `{"n":-1}`, `{"n":1}`, `{"n":1,"string":1,"json":2}`, `{"n":1,"array":1,"items":{"n":9}}`, `{"n":1,"object":1,"keys":{"a":null}}`,
		`{"n":1,"object":1,"keys":{"a":{"n":2,"null":2}}}`, `{"n":1,"object":1,"rest":{"n":1,"null":1},"keys":{"a":{"n":1,"null":1}}}`,
		strings.Repeat(`{"n":1,"array":1,"items":`, 50) + `{}` + strings.Repeat(`}`, 50)} {
		if err := json.Unmarshal([]byte(raw), new(learn.Shape)); err == nil {
			t.Errorf("%.80s is taken", raw)
		}
	}
}

func FuzzObserve(f *testing.F) {
	f.Add(`{"a":[1,null,{"b":"c"}]}`, `[{"a":1}]`)
	f.Add(`1e999`, `"\ud800"`)
	v := validate.New()
	f.Fuzz(func(t *testing.T, a, b string) {
		x, errX := learn.Observe(json.RawMessage(a))
		y, errY := learn.Observe(json.RawMessage(b))
		if errX != nil || errY != nil {
			return
		}
		one, two := restored(t, x), restored(t, y)
		one.Merge(y)
		two.Merge(x)
		if text(t, one) != text(t, two) {
			t.Fatal("the order counts")
		}
		for _, r := range []string{a, b} {
			if err := v.Validate(one.Schema(), json.RawMessage(r)); err != nil && !strings.Contains(err.Error(), "can't be read") && !strings.Contains(err.Error(), "too long") {
				t.Errorf("%s does not fit %s: %v", r, one.Schema(), err)
			}
		}
	})
}

// TestThroughNamesWhatWasRead holds that a recording that was added to has the same names where it is
// the same, blank lines and line ends apart.
func TestThroughNamesWhatWasRead(t *testing.T) {
	names := func(text string) []string {
		var out []string
		if _, _, err := learn.Read(strings.NewReader(text), func(r learn.Record) error { out = append(out, r.Through); return nil }); err != nil {
			t.Fatal(err)
		}
		return out
	}
	const a, b = `{"key":"A","result":1}`, `{"key":"A","result":2}`
	first, longer := names(a+"\n"), names(a+"\r\n\n"+b+"\n"+a)
	if len(first) != 1 || len(longer) != 3 || first[0] != longer[0] || longer[0] == longer[2] || longer[0] == longer[1] || len(first[0]) != 16 {
		t.Errorf("%q and %q", first, longer)
	}
	if other := names(b + "\n" + b); other[0] == first[0] || other[1] == longer[1] {
		t.Errorf("another recording has the same name: %q", other)
	}
	if other := names("no record\n" + a); other[0] == first[0] {
		t.Errorf("a line that is no record is not part of the name: %q", other)
	}
}

func TestRecordingsAreBounded(t *testing.T) {
	var many []string
	for i := range 3 * learn.MaxRecordings {
		many = append(many, fmt.Sprintf("%016x", i*7919%1000))
	}
	one := learn.Recordings(nil, many)
	two := learn.Recordings(learn.Recordings(nil, many[300:]), many[:300])
	if len(one) != learn.MaxRecordings || !slices.Equal(one, two) || !slices.IsSorted(one) {
		t.Errorf("%d and %d recordings, in another order others", len(one), len(two))
	}
}
