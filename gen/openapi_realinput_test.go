package gen_test

// This file generates from a real OpenAPI document that stands beside the project, alone and together
// with the other catalogues.

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codemode/directory"
	"codemode/directory/importer"
	"codemode/directory/importer/openapi"
	"codemode/fixtures/tsc"
	"codemode/gen"
)

// importAll imports files of the shared data into one directory, each under its own name.
func importAll(t testing.TB, names ...string) *directory.Directory {
	t.Helper()
	folder := t.TempDir()
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join("..", "..", "shared", "data", name))
		if err != nil {
			t.Skipf("the data beside the project is absent: %v", err)
		}
		var result *importer.Result
		if strings.HasPrefix(name, "openapi/") {
			result, err = openapi.Import(bytes.NewReader(data), openapi.Options{File: name, Server: "github"})
		} else {
			result, err = importer.Tools(bytes.NewReader(data), importer.Options{File: name})
		}
		if err != nil {
			t.Fatal(err)
		}
		var rows bytes.Buffer
		if err := importer.Write(&rows, result.Rows); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, strings.ReplaceAll(name, "/", "-")+".jsonl"), rows.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dir, err := directory.Load(folder, directory.LoadOptions{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

const githubDocument = "openapi/github_rest_v3_1.1.4.json"

// Every operation is a distinct name from key to name and back, and all of it is one program that a strict
// compiler has nothing to say about.
func TestImportedCompiles(t *testing.T) {
	tests := []struct {
		name    string
		files   []string
		methods int
	}{
		{"github", []string{githubDocument}, 710},
		{"livemcpbench", []string{"livemcpbench/tools.json"}, 527},
		{"docker", []string{"mcp/docker_tools.jsonl"}, 755},
		{"all", []string{githubDocument, "livemcpbench/tools.json", "mcp/docker_tools.jsonl"}, 1992},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, err := gen.Generate(importAll(t, tt.files...), gen.Options{})
			if err != nil {
				t.Fatal(err)
			}
			names, keys := map[string]string{}, map[string]bool{}
			files := map[string]string{}
			var use strings.Builder
			for _, k := range out.Contracts {
				if other, taken := names[strings.ToLower(k.Name)]; taken {
					t.Errorf("%s and %s are both called %s", k.Key, other, k.Name)
				}
				names[strings.ToLower(k.Name)], keys[k.Key] = k.Key, true
				fmt.Fprintf(&use, "tools.%s;\n", k.Name)
			}
			if len(names) != tt.methods || len(keys) != tt.methods {
				t.Errorf("%d names of %d keys, want %d of each", len(names), len(keys), tt.methods)
			}
			for name, text := range out.Files {
				if strings.HasSuffix(name, ".d.ts") {
					files[name] = string(text)
				}
			}
			if files["use.ts"] = use.String(); len(tt.files) > 1 { // which has all the others
				for _, p := range tsc.Compile(t, files, tsc.Strict...) {
					t.Error(p)
				}
			}
			for _, d := range out.Diagnostics {
				if d.Severity == directory.SeverityError {
					t.Errorf("%s: %s: %s", d.Key, d.Field, d.Message)
				}
			}
			t.Log(gen.Summarize(out.Contracts))
		})
	}
}
