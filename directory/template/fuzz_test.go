package template

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzTemplate parses anything as every kind, and checks that a value which is rendered in an escaped
// context parses back to itself.
func FuzzTemplate(f *testing.F) {
	f.Add(`{"a":"$1","b":$1}`, nasty)
	f.Add(`A:$1 > B:$PREV => x`, "..")
	f.Add(`awk '{print $2}' "$1"`, "-x")
	f.Add(`GET https://$1.example/$1?$1=$1#`, "a")
	f.Add(`form:a=$$1&b=$2+`, "%zz")
	f.Add(`[$$1,"$$1"]`, `1],[2`)
	f.Fuzz(func(t *testing.T, content, value string) {
		if !utf8.ValidString(value) {
			value = strings.ToValidUTF8(value, "?")
		}
		v := Values{Args: []json.RawMessage{quote(value), quote(value), nil}, Prev: quote(value)}
		for _, src := range []Source{{Kind: Fn, Content: content}, {Kind: CLI, Content: content}, {Kind: Flow, Content: content}, {Kind: Text, Content: content},
			{Kind: HTTP, Target: content}, {Kind: HTTP, Target: "POST https://a.example/x", Content: content}, {Kind: HTTP, Target: "GET https://a.example/", Headers: map[string]string{"X-A": content}}} {
			tmpl, err := Parse(src)
			if err != nil {
				continue
			}
			render(tmpl, v) // any error is fine, a panic is not
			tmpl.Dispatch(v)
		}
		comesBack(t, value)
	})
}

// comesBack renders value in every escaped context and reads it out again.
func comesBack(t *testing.T, value string) {
	v := Values{Args: []json.RawMessage{quote(value)}}
	req, err := mustParse(t, Source{Kind: HTTP, Target: "POST https://a.example/p-$1/x?q=$1&r=2", Content: `{"a":"$1","b":$1,"c":["-$1-"]}`}).Request(v)
	if err != nil {
		t.Fatalf("%q: %v", value, err)
	}
	u, err := url.Parse(req.URL)
	if err != nil || u.Path != "/p-"+value+"/x" || u.Query().Get("q") != value || u.Query().Get("r") != "2" || u.Host != "a.example" || u.Fragment != "" {
		t.Fatalf("%q: url %s, %v", value, req.URL, err)
	}
	var body struct {
		A, B string
		C    []string
	}
	if err := json.Unmarshal(req.Body, &body); err != nil || body.A != value || body.B != value || len(body.C) != 1 || body.C[0] != "-"+value+"-" {
		t.Fatalf("%q: body %s, %v", value, req.Body, err)
	}
	req, err = mustParse(t, Source{Kind: HTTP, Target: "POST https://a.example", Content: "form:a=$1&b=2"}).Request(v)
	if err != nil {
		t.Fatal(err)
	}
	if form, err := url.ParseQuery(string(req.Body)); err != nil || form.Get("a") != value || form.Get("b") != "2" || len(form) != 2 {
		t.Fatalf("%q: form %s, %v", value, req.Body, err)
	}
	if argv, err := mustParse(t, Source{Kind: CLI, Content: "x -- a=$1 y"}).Argv(v); err == nil && (len(argv) != 4 || argv[2] != "a="+value) {
		t.Fatalf("%q: argv %q", value, argv)
	}
	step, err := mustParse(t, Source{Kind: Flow, Content: "A:$1|x > B"}).StepArgs(0, v)
	if err != nil || len(step) != 2 || string(step[0]) != string(quote(value)) {
		t.Fatalf("%q: step %s, %v", value, step, err)
	}
	if text, err := JoinBody([]json.RawMessage{quote("k"), quote(value)}, 2); err == nil {
		split, err := SplitBody(text)
		rest, joinErr := joinTexts(split[1:])
		if err != nil || joinErr != nil || rest != value {
			t.Fatalf("%q: body %q, %v %v", value, text, err, joinErr)
		}
	}
}
