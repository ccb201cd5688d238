package importer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codemode/directory/importer"
)

// lister answers by a function of the cursor.
type lister func(cursor string) (tools []string, next string, err error)

func (l lister) Page(_ context.Context, cursor string) ([]json.RawMessage, string, error) {
	tools, next, err := l(cursor)
	var out []json.RawMessage
	for _, t := range tools {
		out = append(out, json.RawMessage(t))
	}
	return out, next, err
}

func named(names ...string) []string {
	var out []string
	for _, n := range names {
		raw, _ := json.Marshal(n)
		out = append(out, `{"name":`+string(raw)+`,"description":"d"}`)
	}
	return out
}

func found(r *importer.Result) []string {
	var out []string
	for _, f := range r.Findings {
		if f.Rule != "missing_when_to_use" {
			out = append(out, fmt.Sprintf("%d %s %s", f.Line, f.Key, f.Message))
		}
	}
	return out
}

func TestLive(t *testing.T) {
	pages := lister(func(cursor string) ([]string, string, error) {
		if cursor == "" {
			return []string{`{"outputSchema":{"z":1,"a":2}, "name":"b","description":"d","server":"other","class":"other"}`}, "2", nil
		}
		return named("a"), "", nil
	})
	got, err := importer.Live(t.Context(), pages, importer.Options{Server: "s", Target: "https://h/mcp", Auth: "bearer:T"})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"s/a", "s/b"}, keys(got.Rows)); d != "" {
		t.Errorf("a tool is filed under what it says itself: %s", d)
	}
	if r := got.Rows[1]; r.Target != "https://h/mcp" || r.Auth != "bearer:T" || string(r.OutputSchema) != `{"z":1,"a":2}` {
		t.Errorf("row %+v", r)
	}
}

// Servers that misbehave end in findings that say how, with what they listed until then.
func TestLiveHostile(t *testing.T) {
	endless := 0
	tests := []struct {
		name  string
		pages lister
		rows  []string
		found []string
	}{
		{"same cursor", func(string) ([]string, string, error) { return named("a"), "x", nil }, []string{"s/a"},
			[]string{"2 s/a the same tool stands at line 1; it is taken once", "2  page 2 of the list leads back to an earlier page; what it listed until then is taken"}},
		{"endless", func(string) ([]string, string, error) { endless++; return nil, strconv.Itoa(endless), nil }, nil, nil},
		{"breaks", func(cursor string) ([]string, string, error) {
			if cursor == "" {
				return named("a"), "2", nil
			}
			return nil, "", errors.New("gone")
		}, []string{"s/a"}, []string{"1  page 2 of the list could not be had: gone; what it listed until then is taken"}},
		{"changes", func(cursor string) ([]string, string, error) {
			if cursor == "" {
				return named("a"), "2", nil
			}
			return []string{`{"name":"a","description":"another"}`}, "", nil
		}, []string{"s/a"}, []string{"2 s/a another tool of this server and name stands at line 1; the first is taken"}},
		{"no tools", func(string) ([]string, string, error) {
			return append(named("ok"), `7`, `null`, `[{"name":"in a list"}]`, `{"name":7}`, `{"tools":[{"name":"within"}]}`), "", nil
		}, []string{"s/ok"}, []string{"2  5 values are no tools; the first is here"}},
		{"names", func(string) ([]string, string, error) {
			return named("a.b/c", "naïve", "a\nb", " ", "a\x1b[2J", strings.Repeat("n", 300)), "", nil
		}, []string{"s/a%0Ab", "s/a%1B[2J", "s/a.b/c", "s/naïve"},
			[]string{"4 s/%20 the tool's server and name must hold 1 to 200 bytes together", "6 s/" + strings.Repeat("n", 78) + "... the tool's server and name must hold 1 to 200 bytes together"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := importer.Live(t.Context(), tt.pages, importer.Options{Server: "s"})
			if tt.rows == nil {
				if err == nil || endless != 1000 {
					t.Errorf("%d pages were asked for, error %v", endless, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.rows, keys(got.Rows)); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(tt.found, found(got)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestLiveCaps(t *testing.T) {
	many := lister(func(string) ([]string, string, error) { return named("a", "b", "c"), "", nil })
	got, err := importer.Live(t.Context(), many, importer.Options{Server: "s", MaxTools: 2})
	if err != nil || len(got.Rows) != 2 || !strings.Contains(strings.Join(found(got), "\n"), "2 tools or more") {
		t.Errorf("rows %d, findings %q, error %v", len(got.Rows), found(got), err)
	}
	large := lister(func(string) ([]string, string, error) {
		return []string{`{"name":"x","description":"` + strings.Repeat("x", 2000) + `"}`, `{"name":"y","description":"d"}`}, "", nil
	})
	got, err = importer.Live(t.Context(), large, importer.Options{Server: "s", MaxToolBytes: 1000})
	if err != nil || len(got.Rows) != 1 || !strings.Contains(strings.Join(found(got), "\n"), "longer than 1000 bytes") {
		t.Errorf("rows %d, findings %q, error %v", len(got.Rows), found(got), err)
	}
	if _, err := importer.Live(t.Context(), lister(func(string) ([]string, string, error) { return nil, "", errors.New("down") }), importer.Options{Server: "s"}); err == nil || err.Error() != "server s: down" {
		t.Errorf("a first page that fails is %v", err)
	}
	if _, err := importer.Live(t.Context(), many, importer.Options{}); err == nil {
		t.Error("a server without a name is taken")
	}
}
