package template

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplitBody(t *testing.T) {
	tests := []struct {
		body string
		want []string
		err  error
	}{
		{"", nil, nil},
		{"a", []string{`"a"`}, nil},
		{"a|b||c", []string{`"a"`, `"b"`, `""`, `"c"`}, nil},
		{"123", []string{"123"}, nil},
		{"123|x", []string{`"123"`, `"x"`}, nil},
		{` {"a": "x|y"} `, []string{`{"a": "x|y"}`}, nil},
		{`"a|b"`, []string{`"a|b"`}, nil},
		{`null`, []string{`null`}, nil},
		{`{"a":`, nil, ErrMalformedJSON},
		{"\n [1,2", nil, ErrMalformedJSON},
		{`x{`, []string{`"x{"`}, nil},
		{`a\|b`, []string{`"a\\"`, `"b"`}, nil},
		{"\xff", nil, ErrValue},
	}
	for _, tt := range tests {
		args, err := SplitBody(tt.body)
		var got []string
		for _, a := range args {
			got = append(got, string(a))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || !errors.Is(err, tt.err) {
			t.Errorf("%q: %v %s", tt.body, err, diff)
		}
	}
}

func TestLegacyValues(t *testing.T) {
	tmpl := mustParse(t, Source{Kind: Fn, Content: `["$1",$2,"$3+"]`})
	for body, want := range map[string]string{
		"x|true|a|b|c": `["x",true,"a|b|c"]`,
		"x|word|a":     `["x","word","a"]`,
		"7":            `["7",null,null]`, // a whole argument that is absent
		`{"a":1}`:      `["{\"a\":1}",null,null]`,
	} {
		args, err := SplitBody(body)
		if err != nil {
			t.Fatal(err)
		}
		v, err := tmpl.Legacy(args)
		if err != nil {
			t.Fatal(err)
		}
		out, err := tmpl.Arguments(v)
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(out)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%q: %s, want %s", body, got, want)
		}
	}
}

func TestJoinBody(t *testing.T) {
	tests := []struct {
		args []json.RawMessage
		tail int
		want string
		err  error
	}{
		{args("a", "b"), 0, "a|b", nil},
		{args("a", "b|c"), 2, "a|b|c", nil},
		{args("a|b", "c"), 2, "", ErrPipe},
		{args("a|b"), 0, "", ErrPipe},
		{args("a", "b|c"), 0, "", ErrPipe},
		{args("a", "b", "c"), 2, "", ErrAmbiguous},
		{args("42"), 0, "42", nil},
		{args(42), 0, "42", nil},
		{args(`{"a":1}`), 0, "", ErrAmbiguous},
		{args(raw(`{"a": "x|y"}`)), 0, `{"a":"x|y"}`, nil},
		{args(`{oops`), 0, "", ErrAmbiguous},
		{args(` [x`), 0, "", ErrAmbiguous},
		{args(`{a`, "b"), 0, "", ErrAmbiguous},
		{args(`"a`, `b"`), 0, "", ErrAmbiguous},
		{args(`"quoted"`), 0, "", ErrAmbiguous},
		{args("null"), 0, "", ErrAmbiguous},
		{args("a", nil, nil), 0, "a", nil},
		{args(nil, "b"), 0, "|b", nil},
		{args(), 0, "", nil},
		{args(raw("{")), 0, "", ErrValue},
	}
	for _, tt := range tests {
		got, err := JoinBody(tt.args, tt.tail)
		if !errors.Is(err, tt.err) || err == nil && got != tt.want {
			t.Errorf("%s tail %d: %q, %v", tt.args, tt.tail, got, err)
		}
	}
}

func TestDispatch(t *testing.T) {
	tmpl := mustParse(t, Source{Kind: Text, Content: "get|$1|$2+"})
	got, err := tmpl.Dispatch(Values{Args: args("id", "a|b\n\"c")})
	if err != nil || got != "get|id|a|b\n\"c" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := tmpl.Dispatch(Values{Args: args(nasty, "x")}); !errors.Is(err, ErrPipe) {
		t.Error(err)
	}
	object := mustParse(t, Source{Kind: Text, Content: `{"q":"$1"}`})
	got, err = object.Dispatch(Values{Args: args("a|\"b")})
	if err != nil || got != `{"q":"a|\"b"}` {
		t.Errorf("%q, %v", got, err)
	}
}
