package template_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"codemode/directory/template"
)

func named(t *testing.T, src template.Source, args string) (*template.Request, error) {
	t.Helper()
	src.Kind = template.HTTP
	parsed, err := template.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal([]byte(args), &given); err != nil {
		t.Fatal(err)
	}
	v := template.Values{Secret: func(string) (string, error) { return "s", nil }}
	for _, name := range parsed.Params {
		v.Args = append(v.Args, given[name])
	}
	return parsed.Request(v)
}

func TestNamedSlots(t *testing.T) {
	params := []string{"id", "list", "text", "a.b", "x,"}
	tests := []struct {
		name, target, content, args, url, body, kind string
	}{
		{"path and query", "GET https://h/{id}/x?t={text}", "", `{"id":"a/b","text":"&="}`, "https://h/a%2Fb/x?t=%26%3D", "", ""},
		{"absent", "GET https://h/{id}?t={text}&l={list*}&c={list,}", "", `{"id":1}`, "https://h/1", "", ""},
		{"explode", "GET https://h/?l={list*}", "", `{"list":["a&b",1,null,true]}`, "https://h/?l=a%26b&l=1&l=true", "", ""},
		{"explode an object", "GET https://h/?l={list*}", "", `{"list":{"k=":"v","n":9007199254740993}}`, "https://h/?k%3D=v&n=9007199254740993", "", ""},
		{"explode one value", "GET https://h/?l={list*}", "", `{"list":"a"}`, "https://h/?l=a", "", ""},
		{"commas", "GET https://h/{list,}?l={list,}", "", `{"list":["a,b","c"]}`, "https://h/a%2Cb,c?l=a%2Cb,c", "", ""},
		{"nothing in it", "GET https://h/?a=1&l={list,}&m={list*}", "", `{"list":[]}`, "https://h/?a=1", "", ""},
		{"as JSON", "GET https://h/?l={list}", "", `{"list":[1]}`, "https://h/?l=%5B1%5D", "", ""},
		{"JSON body", "POST https://h/", `{"id": {id}, "t":"<{text}>", "list":[{list}]}`, `{"id":9007199254740993,"text":"\"","list":{}}`, "https://h/", `{"id":9007199254740993,"t":"<\">","list":[{}]}`, "application/json"},
		{"JSON body, absent", "POST https://h/", `{"id":{id},"text":{text}}`, `{"text":null}`, "https://h/", `{"text":null}`, "application/json"},
		{"whole body", "POST https://h/", `{list}`, `{"list":"text"}`, "https://h/", `"text"`, "application/json"},
		{"whole body, absent", "POST https://h/", `{list}`, `{}`, "https://h/", "", ""},
		{"form", "POST https://h/", `form:a={text}&l={list*}`, `{"text":"a b","list":[1,2]}`, "https://h/", "a=a+b&l=1&l=2", "application/x-www-form-urlencoded"},
		{"a value is never a slot", "GET https://h/{id}", "", `{"id":"{text}$1$KEY"}`, "https://h/%7Btext%7D%241%24KEY", "", ""},
		{"with a secret", "GET https://h/{id}?k=$KEY", "", `{"id":"1"}`, "https://h/1?k=s", "", ""},
		{"a dot in a name", "GET https://h/?x={a.b}", "", `{"a.b":"1"}`, "https://h/?x=1", "", ""},
		{"a name that ends like a spread", "GET https://h/?x={x,}", "", `{"x,":["1"]}`, "https://h/?x=%5B%221%22%5D", "", ""},
		{"unknown braces are text", "POST https://h/?x={other}", `{"a":"{other}","b":{}}`, `{}`, "https://h/?x=%7Bother%7D", `{"a":"{other}","b":{}}`, "application/json"},
		{"prose", "POST https://h/", `{"a":"costs {id} for {text}"}`, `{"id":5,"text":"me"}`, "https://h/", `{"a":"costs 5 for me"}`, "application/json"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := named(t, template.Source{Target: tt.target, Content: tt.content, Params: params}, tt.args)
			if err != nil {
				t.Fatal(err)
			}
			if got.URL != tt.url || string(got.Body) != tt.body || got.ContentType != tt.kind {
				t.Errorf("%s %q %q, want %s %q %q", got.URL, got.Body, got.ContentType, tt.url, tt.body, tt.kind)
			}
		})
	}
}

func TestNamedHeaders(t *testing.T) {
	src := template.Source{Target: "PUT https://h/", Content: "{text}", Headers: map[string]string{"X-List": "{list,}", "X-Id": "{id}", "Content-Type": "text/csv"}, Params: []string{"text", "list", "id"}}
	got, err := named(t, src, `{"text":"a,\"b\"","list":["x","y"]}`)
	if err != nil || string(got.Body) != `a,"b"` || got.ContentType != "text/csv" || got.Header["X-List"] != "x,y" || len(got.Header) != 1 {
		t.Errorf("%+v %v", got, err)
	}
	if got, err = named(t, src, `{}`); err != nil || got.Body != nil || got.ContentType != "" || len(got.Header) != 0 {
		t.Errorf("without a body: %+v %v", got, err)
	}
	if _, err := named(t, src, `{"list":["a","b\r\nHost: x"]}`); !errors.Is(err, template.ErrValue) {
		t.Errorf("a line break in an item is %v", err)
	}
	if _, err := named(t, template.Source{Target: "GET https://h/{list,}", Params: []string{"list"}}, `{"list":[]}`); !errors.Is(err, template.ErrValue) {
		t.Errorf("an empty list in a path is %v", err)
	}
}

// Names beyond what slots can number stay text; nothing takes another's place.
func TestNamedMany(t *testing.T) {
	var params []string
	target := "GET https://h/?"
	for i := range 120 {
		name := "p" + strings.Repeat("x", i)
		params = append(params, name)
		target += name + "={" + name + "}&"
	}
	parsed, err := template.Parse(template.Source{Kind: template.HTTP, Target: target, Params: params})
	if err != nil || len(parsed.Params) != 99 || parsed.Arity() != 99 {
		t.Errorf("%d names, arity %d, %v", len(parsed.Params), parsed.Arity(), err)
	}
}

// Whatever a value holds, it is that value at its place and nothing else.
func FuzzNamed(f *testing.F) {
	for _, v := range []string{"a", "a/b?c#d&e=f", "{x}{x*}$1$KEY", "..", "\r\nHost: x", `"}],"`, "é %2F+", ","} {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, value string) {
		if !utf8.ValidString(value) {
			return
		}
		raw, err := json.Marshal(map[string]any{"x": value, "l": []string{value, "z"}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := named(t, template.Source{Target: "POST https://h/p-{x}/q?one={x}&more={l*}&csv={l,}", Content: `{"x":{x},"l":{l},"t":"{x}!"}`, Params: []string{"x", "l"}}, string(raw))
		if err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(got.URL)
		if err != nil || u.Host != "h" || u.Path != "/p-"+value+"/q" || u.Fragment != "" {
			t.Fatalf("%q became %s (%v)", value, got.URL, err)
		}
		q, err := url.ParseQuery(u.RawQuery)
		if err != nil || len(q) != 3 || q.Get("one") != value || !slices.Equal(q["more"], []string{value, "z"}) || q.Get("csv") != value+",z" {
			t.Fatalf("%q became %s (%v)", value, u.RawQuery, err)
		}
		var body struct {
			X, T string
			L    []string
		}
		if err := json.Unmarshal(got.Body, &body); err != nil || body.X != value || body.T != value+"!" || !slices.Equal(body.L, []string{value, "z"}) {
			t.Fatalf("%q became %s (%v)", value, got.Body, err)
		}
	})
}
