package typecheck

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"codemode/runtime"
)

// wanted is one "// want" or "// warn" comment: the code, if given, and a part of the message.
var wantedComment = regexp.MustCompile(`// (want|warn) ("(?:[^"\\]|\\.)*")`)

// TestRight holds that scripts which are right, though untidy, pass in tools mode.
func TestRight(t *testing.T) {
	c := open(t, Config{})
	cases := archive(t, "testdata/right.txtar")
	if len(cases) < 60 {
		t.Fatalf("%d cases", len(cases))
	}
	noted := 0
	for _, f := range cases {
		t.Run(f.Name, func(t *testing.T) {
			got := check(t, c, requestFor(t, runtime.CheckTools, string(f.Data)))
			noted += min(1, len(got))
			for _, d := range got {
				if d.Severity != runtime.SeverityWarning {
					t.Errorf("blocked: %+v", d)
				}
			}
		})
	}
	if noted < len(cases)/2 {
		t.Errorf("only %d of %d are untidy: the cases prove nothing", noted, len(cases))
	}
}

// TestWrong holds that each misuse is an error at its line, and that nothing else is.
func TestWrong(t *testing.T) {
	c := open(t, Config{})
	cases := archive(t, "testdata/wrong.txtar")
	if len(cases) < 40 {
		t.Fatalf("%d cases", len(cases))
	}
	for _, f := range cases {
		t.Run(f.Name, func(t *testing.T) {
			got := check(t, c, requestFor(t, runtime.CheckTools, string(f.Data)))
			compareWanted(t, string(f.Data), got)
		})
	}
}

// TestStrict holds that strict mode blocks what tools mode only notes.
func TestStrict(t *testing.T) {
	c := open(t, Config{})
	for _, text := range []string{"const a = {}; a.x = 1;", "export const f = x => x;", "let a: string = 5;"} {
		got := check(t, c, requestFor(t, runtime.CheckStrict, text))
		if len(got) != 1 || got[0].Severity != runtime.SeverityError {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

func archive(t *testing.T, name string) []txtar.File {
	t.Helper()
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return a.Files
}

func check(t testing.TB, c *Checker, req runtime.CheckRequest) []runtime.Diagnostic {
	t.Helper()
	got, err := c.Check(t.Context(), req)
	if err != nil {
		t.Fatalf("%v (%v)", err, runtime.AsError(err).Cause)
	}
	return got
}

// compareWanted matches errors with the "want" comments of their lines, one to one, and looks for
// each "warn".
func compareWanted(t *testing.T, text string, got []runtime.Diagnostic) {
	t.Helper()
	lines := strings.Split(text, "\n")
	used := make([]bool, len(got))
	for n, line := range lines {
		for _, m := range wantedComment.FindAllStringSubmatch(line, -1) {
			part, err := strconv.Unquote(m[2])
			if err != nil {
				t.Fatal(err)
			}
			if !claim(got, used, n+1, m[1], part) {
				t.Errorf("line %d: no %s %q", n+1, m[1], part)
			}
		}
	}
	for i, d := range got {
		if !used[i] && d.Severity == runtime.SeverityError {
			t.Errorf("not wanted: %+v", d)
		}
		if !used[i] && d.Code == codeFloating {
			t.Errorf("not wanted: %+v", d)
		}
	}
}

func claim(got []runtime.Diagnostic, used []bool, line int, word, part string) bool {
	severity := map[string]runtime.Severity{"want": runtime.SeverityError, "warn": runtime.SeverityWarning}[word]
	for i, d := range got {
		if !used[i] && d.Line == line && d.Severity == severity && strings.Contains(fmt.Sprintf("%s %s", d.Code, d.Message), part) {
			used[i] = true
			return true
		}
	}
	return false
}
