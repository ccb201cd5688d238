package validate

// This file runs the public JSON Schema test suite and real tools' schemas, where they stand beside
// the repository.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codemode/runtime"
)

const data = "../../../shared/data"

// unsupported says why a group of the suite is not run, "" for one that is.
func unsupported(file, schema string) string {
	switch {
	case strings.HasSuffix(file, "format.json") && !strings.Contains(file, "optional"):
		return "it wants formats not asserted"
	case strings.Contains(file, "refRemote.json"), strings.Contains(schema, "http://localhost:1234"):
		return "it loads a remote document"
	case strings.Contains(schema, "dynamicRef"), strings.Contains(file, "dynamicRef.json"):
		return "it uses dynamic references"
	case strings.Contains(file, "content.json"):
		return "content is not asserted"
	case strings.Contains(file, "ecmascript-regex.json"), strings.Contains(file, "non-bmp-regex.json"):
		return "patterns are those of Go"
	case strings.Contains(file, "cross-draft.json"):
		return "it loads another document"
	case strings.Contains(schema, `"$ref":"https://json-schema.org/draft/2020-12/schema"`), strings.Contains(schema, `"$ref": "https://json-schema.org/draft/2020-12/schema"`):
		return "the metaschema uses dynamic references"
	case strings.Contains(file, "float-overflow.json"):
		return "numbers that large are refused"
	}
	return ""
}

func TestSuite(t *testing.T) {
	root := filepath.Join(data, "json_schema_test_suite")
	if _, err := os.Stat(root); err != nil {
		t.Skip("the JSON Schema test suite is not beside the repository")
	}
	ran, left := 0, 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".json" {
			return err
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var groups []group
		if err := json.Unmarshal(raw, &groups); err != nil {
			return err
		}
		for _, g := range groups {
			if unsupported(path, string(g.Schema)) != "" {
				left++
				continue
			}
			ran += g.run(t, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d cases ran; %d groups left out", ran, left)
	if ran < 2000 {
		t.Errorf("only %d cases ran", ran)
	}
}

type group struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

func (g group) run(t *testing.T, path string) int {
	if strings.Contains(path, "draft7") {
		g.Schema = withDraft7(g.Schema)
	}
	v, lax := New(), loose(path)
	for _, c := range g.Tests {
		err := v.Validate(g.Schema, c.Data)
		if got := err == nil; got != c.Valid && !(got && lax) || err != nil && runtime.AsError(err).Code != runtime.InvalidArgument {
			t.Errorf("%s: %s: %s: valid %t, want %t (%v)", strings.TrimPrefix(path, data), g.Description, c.Description, got, c.Valid, err)
		}
	}
	return len(g.Tests)
}

// loose names the formats of which some wrong values pass; a right one never fails.
func loose(path string) bool {
	format, ok := strings.CutSuffix(filepath.Base(path), ".json")
	return ok && filepath.Base(filepath.Dir(path)) == "format" &&
		slices.Contains([]string{"duration", "hostname", "idn-hostname", "idn-email", "iri", "iri-reference", "uri-template", "regex"}, format)
}

// withDraft7 says which draft a schema of the suite is of, where it does not.
func withDraft7(schema json.RawMessage) json.RawMessage {
	rest, ok := bytes.CutPrefix(bytes.TrimSpace(schema), []byte("{"))
	if !ok || bytes.Contains(schema, []byte(`"$schema"`)) {
		return schema
	}
	head := `{"$schema":"http://json-schema.org/draft-07/schema#"`
	if !bytes.HasPrefix(bytes.TrimSpace(rest), []byte("}")) {
		head += ","
	}
	return append([]byte(head), rest...)
}

// TestRealSchemas compiles the input schemas of real tools.
func TestRealSchemas(t *testing.T) {
	file, err := os.Open(filepath.Join(data, "mcp", "docker_tools.jsonl"))
	if err != nil {
		t.Skip("the list of real tools is not beside the repository")
	}
	defer file.Close()
	v, compiled := New(), 0
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var tool struct {
			Name        string
			InputSchema json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &tool); err != nil {
			t.Fatal(err)
		}
		if len(tool.InputSchema) == 0 {
			continue
		}
		compiled++
		if got := message(t, v.Validate(tool.InputSchema, json.RawMessage(`7`)), runtime.InvalidArgument); got != "got 7, want object" {
			t.Errorf("%s: %q", tool.Name, got)
		}
	}
	if err := lines.Err(); err != nil || compiled < 100 {
		t.Errorf("%d schemas (%v)", compiled, err)
	}
}
