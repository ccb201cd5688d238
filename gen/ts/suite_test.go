package ts

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codemode/gen/schema"
)

type suiteGroup struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

// TestJSONSchemaSuite writes every schema of the JSON Schema Test Suite as it is written, all in one
// program, and assigns every instance to its type. A valid instance that does not fit is a failure.
func TestJSONSchemaSuite(t *testing.T) {
	for _, reading := range []schema.Reading{schema.AsWritten, schema.AsMeant} {
		t.Run("reading"+string(reading), func(t *testing.T) { runSuite(t, reading) })
	}
}

func runSuite(t *testing.T, reading schema.Reading) {
	var types, script strings.Builder
	var tests []suiteTest
	refused, schemas := map[string]int{}, 0
	for _, file := range suiteFiles(t) {
		for _, g := range readGroups(t, file) {
			doc := g.Schema
			if strings.Contains(file, "draft7") {
				doc = inDraft7(doc)
			}
			schemas++
			graph, err := schema.Parse(doc, schema.Options{Untyped: reading})
			if errors.Is(err, schema.ErrRemoteRef) {
				refused["refers to another document"]++
				continue
			} else if errors.Is(err, schema.ErrMissingRef) {
				refused[err.Error()]++
				continue
			} else if err != nil {
				t.Errorf("%s: %s: %v", file, g.Description, err)
				continue
			}
			types.WriteString(Types(fmt.Sprintf("S%d", schemas), graph))
			for _, test := range g.Tests {
				lit, err := Value(test.Data)
				if err != nil {
					t.Fatal(err)
				}
				tests = append(tests, suiteTest{filepath.Base(filepath.Dir(file)) + "/" + filepath.Base(file), g.Description, test.Description, test.Valid})
				n := len(tests)
				fmt.Fprintf(&script, "declare const v%d: %s; const w%d: S%d.Root = v%d;\n", n, lit, n, schemas, n)
			}
		}
	}
	rejected := map[int]bool{}
	for _, p := range compile(t, map[string]string{"types.d.ts": types.String(), "script.ts": script.String()}) {
		if p.File != "script.ts" || p.Code != "TS2322" && p.Code != "TS2559" && p.Code != "TS2739" && p.Code != "TS2741" && p.Code != "TS2740" {
			t.Errorf("%s:%d: %s: %s", p.File, p.Line, p.Code, p.Text)
		}
		rejected[p.Line] = true
	}
	var valid, validRejected, invalid, invalidRejected int
	for i, test := range tests {
		switch {
		case test.valid:
			valid++
			if rejected[i+1] {
				validRejected++
				if reading == schema.AsWritten {
					t.Errorf("rejects a valid instance: %+v\n%s", test, strings.Split(script.String(), "\n")[i])
				}
			}
		default:
			invalid++
			if rejected[i+1] {
				invalidRejected++
			}
		}
	}
	t.Logf("%d schemas, refused %v; %d of %d valid instances rejected, %d of %d invalid rejected; %d bytes of types",
		schemas, refused, validRejected, valid, invalidRejected, invalid, types.Len())
}

type suiteTest struct {
	file, group, test string
	valid             bool
}

func suiteFiles(t *testing.T) []string {
	root := shared(t, "json_schema_test_suite")
	var files []string
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".json") {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) < 50 {
		t.Fatalf("%d files of the suite: %v", len(files), err)
	}
	return files
}

func readGroups(t *testing.T, file string) []suiteGroup {
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var groups []suiteGroup
	if err := json.Unmarshal(raw, &groups); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return groups
}

// inDraft7 says in the schema itself which draft it is of.
func inDraft7(doc json.RawMessage) json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(doc, &m) != nil || m == nil || m["$schema"] != nil {
		return doc
	}
	m["$schema"] = json.RawMessage(`"http://json-schema.org/draft-07/schema#"`)
	out, err := json.Marshal(m)
	if err != nil {
		return doc
	}
	return out
}
