package ts

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"codemode/directory/contract"
)

type schemaCase struct {
	ID       string
	Schema   json.RawMessage
	Right    string
	Valid    []json.RawMessage
	Invalid  []json.RawMessage
	Wrapped  bool
	MaxBytes int
}

// rightInWords are the cases whose right type is told and not written.
var rightInWords = map[string]bool{"index-signature-conflict": true, "dotted-definition-names": true, "title-leading-digit": true,
	"recursive-json-value": true, "comment-terminator-in-description": true, "pattern-properties": true}

// remark is what some right types say behind the type.
var remark = regexp.MustCompile(` \([a-z ]+\)$`)

// TestSchemaCases compiles every case twice, as an argument and as a result: valid instances must
// fit, invalid ones must not, and the type must be assignable to the right one and from it.
func TestSchemaCases(t *testing.T) {
	raw, err := os.ReadFile(shared(t, "schema_cases/cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []schemaCase
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	var cs []contract.Contract
	var script strings.Builder
	want := map[int]string{} // what each line of the script is; a leading "!" says it must fail
	line := 1
	say := func(what, format string, args ...any) {
		fmt.Fprintf(&script, format+"\n", args...)
		want[line] = what
		line++
	}
	for i, c := range cases {
		cs = append(cs, contract.Contract{Name: "cases." + c.ID, Params: c.Schema, Result: c.Schema})
		say("types", "type A%d = NonNullable<Parameters<Tools.cases[%q]>[0]>; type R%d = Awaited<ReturnType<Tools.cases[%q]>>;", i, c.ID, i, c.ID)
		for _, side := range []string{"A", "R"} {
			for j, v := range c.Valid {
				say(c.ID, "const %s_valid_%d_%d: %s%d = %s;", side, i, j, side, i, oneLineJSON(v))
			}
			for j, v := range c.Invalid {
				say("!"+c.ID, "const %s_invalid_%d_%d: %s%d = %s;", side, i, j, side, i, oneLineJSON(v))
			}
		}
		if right := remark.ReplaceAllString(c.Right, ""); !rightInWords[c.ID] {
			if c.Wrapped {
				right = "{v: " + right + "}"
			}
			say(c.ID+" right", "declare const r%d: R%d; const s%d: %s = r%d; const u%d: R%d = s%d;", i, i, i, right, i, i, i, i)
		}
		if text, err := Declaration(cs[i]); err != nil || c.MaxBytes > 0 && len(text) > c.MaxBytes {
			t.Errorf("%s: %d bytes, at most %d: %v", c.ID, len(text), c.MaxBytes, err)
		}
	}
	text, err := namespace("cases", cs)
	if err != nil {
		t.Fatal(err)
	}
	failed := map[int]bool{}
	for _, p := range compile(t, map[string]string{"tools.d.ts": text, "script.ts": script.String()}) {
		if failed[p.Line] = true; p.File != "script.ts" || !strings.HasPrefix(want[p.Line], "!") {
			t.Errorf("%s:%d: %s: %s %s", p.File, p.Line, want[p.Line], p.Code, p.Text)
		}
	}
	for n, what := range want {
		if strings.HasPrefix(what, "!") && !failed[n] {
			t.Errorf("%s: accepted %s", what[1:], strings.Split(script.String(), "\n")[n-1])
		}
	}
}

func oneLineJSON(v json.RawMessage) string {
	return strings.Join(strings.Fields(string(v)), " ")
}
