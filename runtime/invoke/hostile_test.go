package invoke

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"codemode/directory"
	"codemode/runtime"
)

// A hostile value arrives unharmed wherever a slot can stand, or is refused with nothing sent.
func TestHostileValuesOverHTTP(t *testing.T) {
	base, last := server(t, "text/plain", "ok")
	query := func(name string) func() string {
		return func() string {
			u, _ := url.ParseRequestURI(last.URI)
			return u.Query().Get(name)
		}
	}
	body := func() string {
		var doc struct{ V string }
		if json.Unmarshal([]byte(last.Body), &doc) != nil {
			return "not JSON: " + last.Body
		}
		return doc.V
	}
	form := func() string {
		values, err := url.ParseQuery(last.Body)
		if err != nil {
			return err.Error()
		}
		return values.Get("v")
	}
	for _, tc := range []struct {
		name    string
		row     directory.Row
		arrived func() string
	}{
		{"path", directory.Row{Target: "GET " + base + "/u/$1/x"}, func() string {
			text, _ := url.PathUnescape(strings.TrimSuffix(strings.TrimPrefix(last.URI, "/u/"), "/x"))
			return text
		}},
		{"query", directory.Row{Target: "GET " + base + "/?v=$1&w=1"}, query("v")},
		{"rest of the query", directory.Row{Target: "GET " + base + "/"}, query("v")},
		{"json string", directory.Row{Target: "POST " + base, Template: `{"v":"$1"}`}, body},
		{"json value", directory.Row{Target: "POST " + base, Template: `{"v":$1}`}, body},
		{"rest of the body", directory.Row{Target: "POST " + base}, body},
		{"form", directory.Row{Target: "POST " + base, Template: "form:v=$1&w=1"}, form},
		{"text", directory.Row{Target: "POST " + base, Template: "$1"}, func() string { return last.Body }},
		{"header", directory.Row{Target: "GET " + base, Headers: map[string]string{"X-V": "$1"}}, nil},
		{"host", directory.Row{Target: "GET http://$1/x"}, nil},
		{"raw in json", directory.Row{Target: "POST " + base, Template: `{"v":"$$1"}`}, nil},
		{"raw in a header", directory.Row{Target: "GET " + base, Headers: map[string]string{"X-V": "$$1"}}, nil},
		{"raw in the path", directory.Row{Target: "GET " + base + "/$$1"}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			*last = got{}
			tc.row.Key, tc.row.Type = "K", directory.HTTP
			c := contractOf("K", "v")
			if strings.HasPrefix(tc.name, "rest") {
				c.Positional = nil
			}
			inv := newInvoker(t, Config{Rows: []directory.Row{tc.row}})
			_, err := inv.Invoke(t.Context(), runtime.Invocation{Contract: c, Args: object(t, "v", hostile)})
			if tc.arrived == nil {
				wantCode(t, err, runtime.InvalidArgument)
				if last.Method != "" {
					t.Errorf("sent %+v", last)
				}
				return
			}
			if err != nil || tc.arrived() != hostile {
				t.Errorf("arrived as %q, %v (%+v)", tc.arrived(), err, last)
			}
		})
	}
}

// Cleaning a result of secrets never makes JSON of another shape.
func FuzzCleanResult(f *testing.F) {
	for _, s := range []string{`{"a":"tok-1234","b":[1.5,-2e3,true,null]}`, `"x\\\"tok-1234"`, `12341234`, `{"tok-1234":{"a b":"\u0074ok-1234"}}`, ` [ ] `} {
		f.Add(s, "tok-1234")
		f.Add(s, "1234")
		f.Add(s, "true")
	}
	f.Fuzz(func(t *testing.T, doc, secret string) {
		if !json.Valid([]byte(doc)) || secret == "" || strings.Contains(redacted, secret) {
			return
		}
		s := &secrets{lookup: func(string) (string, error) { return secret, nil }}
		if _, err := s.get("S"); err != nil {
			t.Fatal(err)
		}
		out := s.cleanResult(json.RawMessage(doc))
		if !json.Valid(out) {
			t.Fatalf("%s without %q is %s", doc, secret, out)
		}
	})
}
