package runtime

import (
	"context"
	"strings"
	"testing"
	"time"
)

func TestGrantsThatGrantLessThanTheySeemTo(t *testing.T) {
	past := time.Now().Add(-time.Hour).Format(time.RFC3339)
	tests := []struct {
		name          string
		grant         Grant
		message, hint string
	}{
		{"no resource", with(grant("*"), func(g *Grant) { g.Resource = "" }), "names no resource", `"*" is every row`},
		{"resource of no row", with(grant("*"), func(g *Grant) { g.Resource = "fleet" }), `"fleet" matches no row`, "row keys"},
		{"misspelt operation", grant("crm.lst"), `"crm.lst", which matches no method`, "did you mean crm.list?"},
		{"key for a name", grant("CRM_LIST"), `"CRM_LIST", which matches no method`, "crm.list"},
		{"expired", with(grant("*"), func(g *Grant) { g.Expires = past }), "expired", "new one"},
		{"all is well", grant("crm.*"), "", ""},
		{"empty", Grant{}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _, _ := newFakeService()
			found := s.Run(context.Background(), request(tt.grant)).Diagnostics
			if tt.message == "" {
				if len(found) > 0 {
					t.Errorf("diagnostics = %+v, want none", found)
				}
				return
			}
			if len(found) != 1 || found[0].File != "grant:1" || !strings.Contains(found[0].Message, tt.message) || !strings.Contains(found[0].Hint, tt.hint) {
				t.Errorf("diagnostics = %+v, want %q and %q", found, tt.message, tt.hint)
			}
		})
	}
}

func TestMissingNames(t *testing.T) {
	s, _, _ := newFakeService()
	a, err := s.authority([]Grant{grant("crm.*")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for missing, want := range map[string]string{
		"crm.lst":         "did you mean crm.list?",
		"crm.book":        "crm has add, list",
		"flow":            "flow exists, but is not granted",
		"flow.all":        "flow.all exists, but is not granted",
		"flw":             "a script has tools",
		"elsewhere.thing": "a script has tools",
	} {
		if got := s.missingHint(missing, a); !strings.Contains(got, want) {
			t.Errorf("missingHint(%q) = %q, want %q", missing, got, want)
		}
	}
}

// TestUnknownNames holds that for a bare name no namespace is suggested: it would not be in scope.
func TestUnknownNames(t *testing.T) {
	s, _, _ := newFakeService()
	a, err := s.authority([]Grant{grant("*")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"":          "",
		"fetch":     HintNoNetwork,
		"process":   HintNoHost,
		"sleep":     "write await new Promise((done) => setTimeout(done, 100))",
		"delay":     "write await new Promise((done) => setTimeout(done, 100))",
		"wait":      "write await new Promise((done) => setTimeout(done, 100))",
		"eval":      "no code is made from text here; write it into the script",
		"flaw":      hintSurroundings,
		"something": hintSurroundings,
	} {
		if got := s.unknownHint(name, a); got != want {
			t.Errorf("unknownHint(%q) = %q, want %q", name, got, want)
		}
	}
	if got := s.missingHint("flaw", a); got != "did you mean flow?" {
		t.Errorf("as a namespace: %q", got)
	}
}

func TestNothingGrantedIsSaid(t *testing.T) {
	s, _, _ := newFakeService()
	for _, grants := range [][]Grant{nil, {{}}} {
		a, err := s.authority(grants, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range []string{s.missingHint("crm", a), s.missingHint("crm.list", a), s.unknownHint("crm", a)} {
			if !strings.Contains(got, "no grant was given") {
				t.Errorf("with the grants %v: %q", grants, got)
			}
		}
	}
}
