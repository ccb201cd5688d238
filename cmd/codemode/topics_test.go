package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codemode/directory"
	"codemode/gen"
	"codemode/gen/ts"
	"codemode/runtime"
)

// example is the first line of a topic that is indented and begins with a brace.
func example(t *testing.T, topic string) string {
	t.Helper()
	text, err := topics.ReadFile("topics/" + topic + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "  {") {
			return strings.TrimSpace(line)
		}
	}
	t.Fatalf("topic %s has no example", topic)
	return ""
}

func TestRowTopicShowsARow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.jsonl")
	if err := os.WriteFile(path, []byte(example(t, "rows")), 0o600); err != nil {
		t.Fatal(err)
	}
	dir, err := directory.Load(path, directory.LoadOptions{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	if findings := directory.Lint(dir); len(findings) > 0 {
		t.Errorf("lint: %v", findings)
	}
	out, err := gen.Generate(dir, gen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := ts.Declaration(out.Contracts[0]); err != nil || !strings.Contains(got, "tools.crm.getContact(args: { id: string }): Promise<{ id: string; name: string }>") {
		t.Errorf("declaration %v:\n%s", err, got)
	}
}

func TestGrantTopicShowsAGrant(t *testing.T) {
	if _, err := runtime.ParseGrants("topic", []byte(example(t, "grants"))); err != nil {
		t.Fatal(err)
	}
}

// TestGrantTopicListsEveryDimension compares the list with what the service holds runs to.
func TestGrantTopicListsEveryDimension(t *testing.T) {
	defaults, most := amounts()
	var listed []string
	for _, d := range dimensions {
		listed = append(listed, fmt.Sprintf("%s %d", d.name, defaults[d.name]))
		if d.reason != "" && !d.reason.Limit() {
			t.Errorf("%s: %s is no reason of a limit", d.name, d.reason)
		}
	}
	if diff := cmp.Diff(defaults.Lines(), listed); diff != "" {
		t.Errorf("what the service holds to (-), what is listed (+):\n%s", diff)
	}
	line := regexp.MustCompile(fmt.Sprintf(`(?m)^  stack_frames +%d +%d +stack +\w`, defaults[runtime.StackFrames], most[runtime.StackFrames]))
	if text := budgetTopic(); !line.MatchString(text) {
		t.Errorf("no line matches %s:\n%s", line, text)
	}
}
