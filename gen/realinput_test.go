package gen_test

// This file runs importer and generator over real catalogues that stand beside the project.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/directory/importer"
	"codemode/fixtures/tsc"
	"codemode/gen"
)

// realInput is one directory imported from the catalogues, with the argument names each row must keep
// as the catalogues themselves spell them.
type realInput struct {
	dir            *directory.Directory
	want           map[string][]string
	schemas, lists int
}

// readRealInput goes the whole way: lists to rows, rows to a file, the file to a directory.
func readRealInput(t testing.TB) realInput {
	t.Helper()
	in := realInput{want: map[string][]string{}}
	var file bytes.Buffer
	for _, name := range []string{"mcp/docker_tools.jsonl", "bfcl/func_docs.jsonl"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "shared", "data", name))
		if err != nil {
			t.Skipf("the data beside the project is absent: %v", err)
		}
		result, err := importer.Tools(bytes.NewReader(data), importer.Options{File: name})
		if err != nil {
			t.Fatal(err)
		}
		if err := importer.Write(&file, result.Rows); err != nil {
			t.Fatal(err)
		}
		for _, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
			in.expect(t, line)
		}
	}
	path := filepath.Join(t.TempDir(), "rows.jsonl")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	dir, err := directory.Load(path, directory.LoadOptions{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	in.dir = dir
	return in
}

// expect notes the argument names of one tool.
func (in *realInput) expect(t testing.TB, line []byte) {
	var tool struct {
		Server, Class, Name     string
		InputSchema, Parameters json.RawMessage
		Arguments               []struct{ Name string }
	}
	if err := json.Unmarshal(line, &tool); err != nil {
		t.Fatal(err)
	}
	var names []string
	if tool.InputSchema != nil {
		in.schemas++
	}
	if len(tool.Arguments) > 0 {
		in.lists++
	}
	for _, a := range tool.Arguments {
		names = append(names, a.Name)
	}
	for _, schema := range []json.RawMessage{tool.InputSchema, tool.Parameters} {
		var s struct{ Properties map[string]json.RawMessage }
		if schema == nil {
			continue
		}
		if err := json.Unmarshal(schema, &s); err != nil {
			t.Fatal(err)
		}
		names = append(names, slices.Collect(maps.Keys(s.Properties))...)
	}
	in.want[tool.Server+tool.Class+"/"+tool.Name] = names
}

func TestRealInput(t *testing.T) {
	c := readRealInput(t)
	out, err := gen.Generate(c.dir, gen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.dir.Rows) != 883 || c.schemas != 143 || c.lists != 196 {
		t.Errorf("rows %d, schemas %d, argument lists %d; want 883, 143, 196", len(c.dir.Rows), c.schemas, c.lists)
	}
	names, kept := map[string]bool{}, 0
	for _, k := range out.Contracts {
		names[strings.ToLower(k.Name)] = true
		have := contract.PropertyNames(k.Params)
		for _, name := range c.want[k.Key] {
			if !slices.Contains(have, name) {
				t.Errorf("%s lost the argument %q; it has %q", k.Key, name, have)
			}
			kept++
		}
		if !k.Sealed() {
			t.Errorf("%s is not sealed", k.Name)
		}
	}
	if len(names) != 883 || len(c.want) != 883 {
		t.Errorf("%d distinct names of %d tools, want 883", len(names), len(c.want))
	}
	for _, d := range out.Diagnostics {
		t.Logf("%s: %s: %s: %s", d.Severity, d.Key, d.Field, d.Message)
	}
	t.Logf("%d argument names kept; %s", kept, gen.Summarize(out.Contracts))
}

// The declarations of all of it are one program that a strict compiler has nothing to say about.
func TestRealInputCompiles(t *testing.T) {
	c := readRealInput(t)
	out, err := gen.Generate(c.dir, gen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for name, text := range out.Files {
		if strings.HasSuffix(name, ".d.ts") {
			files[name] = string(text)
		}
	}
	var use strings.Builder
	for _, k := range out.Contracts {
		fmt.Fprintf(&use, "tools.%s;\n", k.Name)
	}
	files["use.ts"] = use.String()
	for _, p := range tsc.Compile(t, files, tsc.Strict...) {
		t.Error(p)
	}
}
