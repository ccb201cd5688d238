package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

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
