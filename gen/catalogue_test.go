package gen_test

// This file runs the generator over real catalogues that stand beside the project.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"codemode/directory"
	"codemode/gen"
)

// catalogue is a directory made of the catalogues, with the argument names each row must keep.
type catalogue struct {
	dir            directory.Directory
	want           map[string][]string
	schemas, lists int
}

func readCatalogue(t testing.TB) catalogue {
	t.Helper()
	c := catalogue{want: map[string][]string{}}
	eachLine(t, "mcp/docker_tools.jsonl", c.addTool)
	eachLine(t, "bfcl/func_docs.jsonl", c.addFunction)
	return c
}

func eachLine(t testing.TB, name string, add func([]byte)) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "shared", "data", name))
	if err != nil {
		t.Skipf("the data beside the project is absent: %v", err)
	}
	scan := bufio.NewScanner(bytes.NewReader(data))
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		add(scan.Bytes())
	}
	if scan.Err() != nil {
		t.Fatal(scan.Err())
	}
}

func (c *catalogue) addTool(line []byte) {
	var tool struct {
		Server, Name, Description string
		InputSchema               json.RawMessage
		Arguments                 []directory.Argument
	}
	mustDecode(line, &tool)
	row := directory.Row{Key: tool.Server + "/" + tool.Name, Type: directory.MCP, Category: tool.Server, Description: tool.Description,
		Target: tool.Server, InputSchema: tool.InputSchema, Arguments: tool.Arguments}
	if tool.InputSchema != nil {
		c.schemas++
		c.want[row.Key] = properties(tool.InputSchema)
	}
	if len(tool.Arguments) > 0 {
		c.lists++
		for _, a := range tool.Arguments {
			c.want[row.Key] = append(c.want[row.Key], a.Name)
		}
	}
	c.dir.Rows = append(c.dir.Rows, row)
}

func (c *catalogue) addFunction(line []byte) {
	var f struct {
		Class, Name, Description string
		Parameters, Response     json.RawMessage
	}
	mustDecode(line, &f)
	row := directory.Row{Key: f.Class + "/" + f.Name, Type: directory.Fn, Category: f.Class, Description: f.Description,
		InputSchema: f.Parameters, OutputSchema: f.Response}
	c.want[row.Key] = properties(f.Parameters)
	c.dir.Rows = append(c.dir.Rows, row)
}

func mustDecode(line []byte, v any) {
	if err := json.Unmarshal(line, v); err != nil {
		panic(err)
	}
}

func properties(schema json.RawMessage) []string {
	var s struct{ Properties map[string]json.RawMessage }
	mustDecode(schema, &s)
	return slices.Collect(maps.Keys(s.Properties))
}

func TestCatalogue(t *testing.T) {
	c := readCatalogue(t)
	out, err := gen.Generate(&c.dir, gen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.dir.Rows) != 883 || c.schemas != 143 || c.lists != 196 {
		t.Errorf("rows %d, schemas %d, argument lists %d; want 883, 143, 196", len(c.dir.Rows), c.schemas, c.lists)
	}
	names := map[string]bool{}
	for _, k := range out.Contracts {
		names[strings.ToLower(k.Name)] = true
		have := gen.ParamNames(k)
		for _, name := range c.want[k.Key] {
			if !slices.Contains(have, name) {
				t.Errorf("%s lost the argument %q; it has %q", k.Key, name, have)
			}
		}
		if !k.Sealed() {
			t.Errorf("%s is not sealed", k.Name)
		}
	}
	if len(names) != 883 {
		t.Errorf("%d distinct names, want 883", len(names))
	}
	for _, d := range out.Diagnostics {
		t.Logf("%s: %s: %s: %s", d.Severity, d.Key, d.Field, d.Message)
	}
	t.Logf("%s", gen.Summarize(out.Contracts))
}

// The declarations of all of it are one program that a strict compiler has nothing to say about.
func TestCatalogueCompiles(t *testing.T) {
	c := readCatalogue(t)
	out, err := gen.Generate(&c.dir, gen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := gen.Write(dir, out.Files); err != nil {
		t.Fatal(err)
	}
	args := []string{"--noEmit", "--strict", "--target", "es2023", "--lib", "es2023", "--moduleDetection", "legacy", "--pretty", "false"}
	for name := range out.Files {
		if strings.HasSuffix(name, ".d.ts") {
			args = append(args, name)
		}
	}
	var use strings.Builder
	for _, k := range out.Contracts {
		fmt.Fprintf(&use, "tools.%s;\n", k.Name)
	}
	if err := os.WriteFile(filepath.Join(dir, "use.ts"), []byte(use.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), compiler(t), append(args, "use.ts")...)
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%.4000s", err, text)
	}
}

func compiler(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("CODEMODE_TSC"); path != "" {
		return path
	}
	if path, err := exec.LookPath("tsc"); err == nil {
		return path
	}
	if cache, err := os.UserCacheDir(); err == nil {
		found, _ := filepath.Glob(filepath.Join(cache, "codemode", "typescript-7.0.2", "node_modules", "@typescript", "typescript-*", "lib", "tsc"))
		if len(found) > 0 {
			return found[0]
		}
	}
	const why = "no TypeScript compiler: set CODEMODE_TSC, or put tsc on PATH"
	if os.Getenv("CODEMODE_TEST_REQUIRE") == "all" {
		t.Fatal(why)
	}
	t.Skip(why)
	return ""
}
