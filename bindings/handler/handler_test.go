package handler_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"codemode/bindings/handler"
	"codemode/runtime"
)

type tree struct {
	Name     string            `json:"name"`
	Children []tree            `json:"children"`
	Parent   *tree             `json:"parent,omitzero"`
	Labels   map[string]string `json:"labels"`
}

type everything struct {
	Text    string                 `json:"text"`
	Count   int64                  `json:"count"`
	Huge    *big.Int               `json:"huge,omitzero"`
	Top     uint64                 `json:"top"`
	Ratio   float64                `json:"ratio"`
	Maybe   *string                `json:"maybe,omitzero"`
	Tags    []string               `json:"tags,omitzero"`
	Null    *bool                  `json:"null"`
	Both    handler.Nullable[tree] `json:"both,omitzero"`
	Raw     json.RawMessage        `json:"raw,omitzero"`
	Any     any                    `json:"any,omitzero"`
	Odd     *int64                 `json:"-" key:"a,\"b\"" omit:"zero"`
	Empty   string                 `json:"-" key:""`
	Day     time.Time              `json:"day,omitzero"`
	Bytes   []byte                 `json:"bytes,omitzero"`
	Other   map[string]any         `json:"-" keys:"other"`
	private int
}

// What is read and written again is the same value: exact integers, absent apart from null apart from
// empty, and names as they are spelled.
func TestRoundTrip(t *testing.T) {
	required := `"text":"<&>","count":9007199254740993,"top":18446744073709551615,"ratio":0.1,"null":null,"":"e"`
	for name, in := range map[string]string{
		"least":      `{` + required + `}`,
		"null":       `{` + required + `,"both":null,"raw":null}`,
		"empty":      `{` + required + `,"tags":[],"maybe":"","any":{},"bytes":""}`,
		"full":       `{` + required + `,"huge":123456789012345678901234567890,"maybe":"x","tags":["a"],"a,\"b\"":-5,"day":"2026-03-02T00:00:00Z","bytes":"YQ=="}`,
		"any number": `{` + required + `,"any":[9007199254740993,1.50,{"x":null}],"raw":{"n":9007199254740993}}`,
		"nested":     `{` + required + `,"both":{"name":"r","children":[{"name":"c","children":[],"labels":{}}],"parent":{"name":"p","children":[],"labels":{"b":"1","a":"2"}},"labels":{}}}`,
		"other keys": `{` + required + `,"TEXT":"not text","Count":1,"zz":9007199254740993}`,
	} {
		v, err := handler.Decode[everything](json.RawMessage(in))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		out, err := handler.Encode(v)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(value(t, in), value(t, string(out))); diff != "" {
			t.Errorf("%s (-in +out):\n%s", name, diff)
		}
	}
}

func value(t *testing.T, text string) any {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// A key that differs in case only was never validated: it must not reach the field.
func TestKeysAreExact(t *testing.T) {
	type transfer struct {
		Amount int64 `json:"amount"`
		To     struct {
			Account string  `json:"account"`
			Note    *string `json:"note,omitzero"`
		} `json:"to"`
	}
	v, err := handler.Decode[transfer](json.RawMessage(`{"amount":5,"AMOUNT":99999,"To":{"account":"x"},"to":{"account":"me","Account":"you"}}`))
	if err != nil || v.Amount != 5 || v.To.Account != "me" {
		t.Errorf("%+v, %v", v, err)
	}
	v, err = handler.Decode[transfer](json.RawMessage(`{"amount":1,"to":{"account":"a","note":"n"},"to":{"account":"b"},"amount":2}`))
	if err != nil || v.Amount != 2 || v.To.Account != "b" || v.To.Note != nil {
		t.Errorf("of two equal keys the last counts, alone: %+v, %v", v, err)
	}
}

func TestWholeNumbers(t *testing.T) {
	for in, want := range map[string]int64{"7": 7, "7.0": 7, "1e3": 1000, "-0": 0, "9223372036854775807": 1<<63 - 1, "9.007199254740993e15": 1<<53 + 1} {
		if got, err := handler.Decode[int64](json.RawMessage(in)); err != nil || got != want {
			t.Errorf("%s = %d, %v; want %d", in, got, err, want)
		}
	}
	for _, in := range []string{"7.5", "9223372036854775808", `"7"`, "null", "true", "1e999", "1e999999999", "[]"} {
		if got, err := handler.Decode[int64](json.RawMessage(in)); err == nil {
			t.Errorf("%s = %d, want an error", in, got)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	for in, want := range map[string]string{
		`{"name":5}`:                 `"name"`,
		`{"children":[{"name":[]}]}`: `"children": [0]: "name"`,
		`{"name":"x","children":[]}`: `"labels" is missing`,
		`{"children":{}}`:            "want a list",
		`{"children":null}`:          "null where a value must be",
		`[]`:                         "want an object",
		`{"name":"x","children":[],"labels":{}} {}`: "more than one",
		`{"name":"x"`: "EOF",
		strings.Repeat(`{"parent":`, 1001) + "null" + strings.Repeat("}", 1001): "deeper than 1000",
	} {
		if _, err := handler.Decode[tree](json.RawMessage(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: error %.200v, want %q", in, err, want)
		}
	}
}

func TestTyped(t *testing.T) {
	type args struct {
		Text string `json:"text"`
	}
	type result struct {
		Words []string       `json:"words"`
		Seen  map[string]int `json:"seen"`
		Note  *string        `json:"note"`
	}
	f := handler.Typed(func(_ context.Context, a *args) (*result, error) {
		if a.Text == "fail" {
			return nil, runtime.Errorf(runtime.NotFound, "no such text")
		}
		return &result{}, nil
	})
	out, err := f(t.Context(), json.RawMessage(`{"text":"x"}`))
	if string(out) != `{"words":[],"seen":{},"note":null}` || err != nil {
		t.Errorf("%s, %v", out, err)
	}
	for in, want := range map[string]runtime.Code{`{"text":"fail"}`: runtime.NotFound, `{"text":5}`: runtime.InvalidArgument, `null`: runtime.InvalidArgument, ``: runtime.InvalidArgument} {
		var e *runtime.Error
		if _, err := f(t.Context(), json.RawMessage(in)); !errors.As(err, &e) || e.Code != want {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
	ping := handler.NoArgs(func(context.Context) (any, error) { return []any{1 << 60, "<"}, nil })
	if out, err := ping(t.Context(), json.RawMessage(`{}`)); string(out) != `[1152921504606846976,"<"]` || err != nil {
		t.Errorf("%s, %v", out, err)
	}
}

func TestEncodeRefusesWhatHoldsItself(t *testing.T) {
	loop := &tree{Name: "loop"}
	loop.Parent = loop
	if _, err := handler.Encode(loop); err == nil || !strings.Contains(err.Error(), "may hold itself") {
		t.Errorf("%.200v", err)
	}
}

func TestUnimplemented(t *testing.T) {
	var e *runtime.Error
	if err := handler.Unimplemented("text.slugify", "Slugify(ctx, args)"); !errors.As(err, &e) || e.Code != runtime.Unavailable || !strings.Contains(e.Cause.Error(), "implement Slugify") {
		t.Errorf("%+v", err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(`{"text":"a","count":1,"both":{"name":"x","children":[],"labels":{"a":"b"}},"any":[1e5],"zz":1}`)
	f.Add(`{"huge":1e5,"raw":[[[]]],"bytes":"YQ","day":"x"}`)
	f.Fuzz(func(t *testing.T, text string) {
		v, err := handler.Decode[everything](json.RawMessage(text))
		if err != nil {
			return
		}
		out, err := handler.Encode(v)
		if err != nil {
			return // a time outside of the years that RFC 3339 has
		}
		again, err := handler.Decode[everything](out)
		if err != nil {
			t.Fatalf("%s gives %s: %v", text, out, err)
		}
		if second, err := handler.Encode(again); err != nil || string(second) != string(out) {
			t.Errorf("%s, then %s (%v)", out, second, err)
		}
	})
}
