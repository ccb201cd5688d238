package main

// This file holds the topic on rows to what is read of rows.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/gen"
)

// contractOf is what is made of one http row with this content.
func contractOf(t *testing.T, content string) (directory.Row, contract.Contract) {
	t.Helper()
	row, err := json.Marshal(map[string]string{"key": "T_R", "type": "http", "description": "D.", "when_to_use": "W.", "target": "POST https://h.example/x", "content": content})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "rows.jsonl")
	if err := os.WriteFile(path, row, 0o600); err != nil {
		t.Fatal(err)
	}
	dir, err := directory.Load(path, directory.LoadOptions{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	out, err := gen.Generate(dir, gen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return dir.Rows[0], out.Contracts[0]
}

// typesTold are the words that the topic says may be a type.
func typesTold(t *testing.T) []string {
	t.Helper()
	text, err := topics.ReadFile("topics/rows.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, after, ok := strings.Cut(string(text), "\nTYPES")
	if !ok {
		t.Fatal("the topic has no TYPES")
	}
	lines := strings.Split(after, "\n")
	return strings.Fields(lines[1])
}

// TestRowTopicTypesAreRead holds that each type it names is read, of an argument and of a result.
func TestRowTopicTypesAreRead(t *testing.T) {
	types := append(typesTold(t), "[string]", "list of integer", "{name: string, other?: date}", "string|null")
	if len(types) < 14 {
		t.Fatalf("only %q", types)
	}
	for _, word := range types {
		for _, form := range []string{"p (" + word + ")", "p (" + word + ", optional): words", "p: " + word + " - words"} {
			row, c := contractOf(t, "# ARGS: "+form+"\n# RETURNS: {a: "+word+"}\n{\"a\":$1}")
			g := gen.GradeOf(row, c)
			if open := word == "any"; !slices.Equal(contract.PropertyNames(c.Params), []string{"p"}) || (g.Level != gen.Typed) != open {
				t.Errorf("%s as %q: %s, missing %q: %s", word, form, g.Level, g.Missing, c.Params)
			}
		}
	}
	if _, c := contractOf(t, "# ARGS: p (low|normal|urgent)\n{\"a\":\"$1\"}"); !strings.Contains(string(c.Params), `"enum":["low","normal","urgent"]`) {
		t.Errorf("values: %s", c.Params)
	}
}

// TestRowTopicStylesAreRead holds one example of each style it lists to the names that are read.
func TestRowTopicStylesAreRead(t *testing.T) {
	const body = "\n{\"id\":\"$1\",\"limit\":$2}"
	for name, docs := range map[string]string{
		"pipes":    "# ARGS: id|limit",
		"commas":   "# ARGS: id, limit",
		"types":    "# ARGS: id (string), limit (integer, optional, default 20)",
		"lines":    "# ARGS: id (string): of the contact\n# limit (integer): how many",
		"bullets":  "# ARGS:\n# - id (string): of the contact\n# - limit (integer): how many",
		"table":    "# WHAT: Reads.\n#\n# | name | type | description |\n# |---|---|---|\n# | id | string | of the contact |\n# | limit | integer | how many |",
		"google":   "# WHAT: Reads.\n#\n# Args:\n#     id (str): of the contact\n#     limit (int): how many",
		"numpy":    "# WHAT: Reads.\n#\n# Parameters\n# ----------\n# id : str\n#     of the contact\n# limit : int\n#     how many",
		"rest":     "# WHAT: Reads.\n# :param str id: of the contact\n# :param int limit: how many",
		"example":  "# WHAT: Reads.\n# EX: {\"id\":\"con_3\",\"limit\":20}",
		"pairs":    "# WHAT: Reads.\n# Example: id=con_3 limit=20",
		"synopsis": "# WHAT: Reads.\n# Usage: get-contact <id> <limit>",
	} {
		if _, c := contractOf(t, docs+body); !slices.Equal(contract.PropertyNames(c.Params), []string{"id", "limit"}) || c.Provenance["params/id"] == contract.FromTemplate {
			t.Logf("%s: %s", name, c.Params)
			t.Errorf("%s: provenance %v", name, c.Provenance)
		}
	}
}
