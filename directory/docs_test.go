package directory

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseDocs(t *testing.T) {
	tests := []struct {
		name, content, template string
		want                    Docs
	}{
		{"none", `["$1"]`, `["$1"]`, Docs{}},
		{"every label", "# WHAT: a\n# when to use: b\n# Args: c|d\n# EX: e\n# EX: f\n# RETURNS: g\n# TESTS: h\n# NOTE: i\n# SAFE\n# IDEMPOTENT\n# EFFECTS: j\n# \n# k\n\n  [\"$1\"]\n", `["$1"]`,
			Docs{What: []string{"a"}, WhenToUse: []string{"b"}, Args: []string{"c|d"}, Examples: []string{"e", "f"}, Returns: []string{"g"}, Tests: []string{"h"}, Notes: []string{"i"}, Effects: []string{"j"}, Safe: true, Idempotent: true, Other: []string{"k"}}},
		{"torn at e.g.", "# ARGS: size, e.g.\n# 10|mode\n# NOTE: i.e.\r\n#   more\n$1", "$1",
			Docs{Args: []string{"size, e.g. 10|mode"}, Notes: []string{"i.e. more"}}},
		{"older", `# Moves it, e.g. up. Args: id, e.g. A1|stage. Then more. when_to_use: "after a call, e.g. by phone" Returns {a,b}`, "",
			Docs{What: []string{"Moves it, e.g. up. Then more."}, Args: []string{"id, e.g. A1|stage"}, WhenToUse: []string{"after a call, e.g. by phone"}, Returns: []string{"{a,b}"}}},
		{"older over lines", "# Lists users. Args:\n# team|limit.\n# when_to_use: \"to find\n# one\"\nx", "x",
			Docs{What: []string{"Lists users."}, Args: []string{"team|limit"}, WhenToUse: []string{"to find one"}}},
		{"prose only", "# Lists users\n# of a team\nx", "x", Docs{Other: []string{"Lists users of a team"}}},
		{"shebang", "#!/bin/sh\n# no doc", "#!/bin/sh\n# no doc", Docs{}},
		{"hash in the body", "# WHAT: a\nx $1\n# WHAT: no doc", "x $1\n# WHAT: no doc", Docs{What: []string{"a"}}},
		{"flags", "# SAFE, IDEMPOTENT.\n# Safe for children.\nx", "x", Docs{Safe: true, Idempotent: true, Other: []string{"Safe for children."}}},
		{"not safe", "# SAFE: no\n# IDEMPOTENT: not by itself", "", Docs{}},
		{"unknown label", "# Owner: me", "", Docs{Other: []string{"Owner: me"}}},
		{"unknown upper-case label", "# ARGS: a\n# WHERE: foo\n# WHERE: bar\n# HTTPS://x: y\n# TO: z", "", Docs{Args: []string{"a\nWHERE: foo\nWHERE: bar\nHTTPS://x: y\nTO: z"}, UnknownLabels: []string{"WHERE"}}},
		{"markdown", "## WHAT: a", "", Docs{What: []string{"a"}}},
		{"empty value", "# RETURNS:\n# WHAT: a", "", Docs{What: []string{"a"}}},
	}
	for _, tt := range tests {
		got, template := ParseDocs(tt.content)
		if diff := cmp.Diff(tt.want, got); diff != "" || template != tt.template {
			t.Errorf("%s: template %q\n%s", tt.name, template, diff)
		}
	}
}

func TestRowsFallBackToDocs(t *testing.T) {
	d := load(t, `{"key":"A","type":"fn","content":"# WHAT: a\n# WHEN_TO_USE: b"}`+"\n"+
		`{"key":"B","type":"fn","description":"Finds, e.g.","when_to_use":"own","content":"# WHAT: Finds, e.g. a place.\n# WHEN_TO_USE: b"}`+"\n"+
		`{"key":"C","type":"fn","content":"# Does it. Args: x. when_to_use: \"often\""}`, LoadOptions{})
	var got [][2]string
	for _, r := range d.Rows {
		got = append(got, [2]string{r.Description, r.WhenToUse})
	}
	if diff := cmp.Diff([][2]string{{"a", "b"}, {"Finds, e.g. a place.", "own"}, {"Does it.", "often"}}, got); diff != "" {
		t.Error(diff)
	}
}

// TestArgsKeepTheirLines holds that an argument a line stays one.
func TestArgsKeepTheirLines(t *testing.T) {
	docs, _ := ParseDocs("# ARGS: battery_kwh (number)\n# percent (integer, default 100): how full\n#   it is\n# RETURNS: a\n# b\nx")
	if want := "battery_kwh (number)\npercent (integer, default 100): how full it is"; len(docs.Args) != 1 || docs.Args[0] != want {
		t.Errorf("%q, want %q", docs.Args, want)
	}
	if len(docs.Returns) != 1 || docs.Returns[0] != "a b" {
		t.Errorf("%q", docs.Returns)
	}
}
