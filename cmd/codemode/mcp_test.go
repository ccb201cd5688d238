package main

// This file uses codemode mcp as an agent does: the SDK's client starts the command and speaks to it
// over standard input and output, with the real compiler, workers and store behind it.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/fixtures"
	"codemode/runtime"
	"codemode/runtime/assemble"
	"codemode/runtime/typecheck"
)

// agent is a client of a running codemode mcp.
type agent struct {
	*sdk.ClientSession
	site *fixtures.Site
}

func newAgent(t *testing.T, grant string) agent {
	t.Helper()
	site := fixtures.Start(t)
	return connect(t, site, mcpProcess(t, site, "--grant", site.GrantFile(t, grant)))
}

// connect starts the command as an agent's server, which ends well with the test.
func connect(t *testing.T, site *fixtures.Site, cmd *exec.Cmd) agent {
	t.Helper()
	cmd.Stderr = os.Stderr
	client, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Errorf("the server did not end well: %v", err)
		}
	})
	return agent{client, site}
}

// mcpProcess is the command over the site's directory, not yet started.
func mcpProcess(t *testing.T, site *fixtures.Site, flags ...string) *exec.Cmd {
	t.Helper()
	compiler := requireCompiler(t)
	bin, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	flags = append([]string{"mcp", "--directory", site.Directory(t), "--store", filepath.Join(t.TempDir(), "store.db")}, flags...)
	cmd := exec.Command(filepath.Join(bin, "codemode"), flags...)
	cmd.Env = append(os.Environ(), typecheck.EnvCompiler+"="+compiler)
	for name, value := range fixtures.Secrets() {
		cmd.Env = append(cmd.Env, secretPrefix+name+"="+value)
	}
	return cmd
}

// call returns a tool's text, and its structured content where there is any.
func (a agent) call(t *testing.T, tool string, args map[string]any) (string, runtime.Result, bool) {
	t.Helper()
	res, err := a.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(res.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	var result runtime.Result
	if err := json.Unmarshal(raw, &result); err != nil {
		t.Fatal(err)
	}
	return res.Content[0].(*sdk.TextContent).Text, result, res.IsError
}

func TestMCPSearchAndRun(t *testing.T) {
	a := newAgent(t, "everything.json")
	found, _, _ := a.call(t, "search", map[string]any{"query": "list contacts", "limit": 2})
	if !strings.HasPrefix(found, "// crm.listContacts: read, no decision needed\n") || !strings.Contains(found, "tools.crm.listContacts(args?: {") {
		t.Errorf("search says\n%s", found)
	}
	script := `const page = await tools.crm.listContacts({ limit: 2 });
artifacts.write("names.txt", page.contacts.map(c => c.name).join("\n"));
console.log("from", inputs.note.text());
return { names: page.contacts.length };`
	text, result, failed := a.call(t, "run", map[string]any{"script": script, "inputs": map[string]any{"note": "here"}})
	if failed || string(result.Result) != `{"names":2}` || len(result.Calls) != 1 || result.Receipt == "" || len(result.Artifacts) != 1 {
		t.Errorf("run says\n%s", text)
	}
	for _, part := range []string{"finished: 1 calls in ", "receipt " + result.Receipt, `result: {"names":2}`, "console log: from here", "artifact names.txt: text/plain"} {
		if !strings.Contains(text, part) {
			t.Errorf("missing %q in\n%s", part, text)
		}
	}
}

// A checkpoint is found by the next run of the same task, and by no other.
func TestMCPTask(t *testing.T) {
	a := newAgent(t, "everything.json")
	script := `const n = (await checkpoint.load<number>("n")) ?? 0; await checkpoint.save("n", n + 1); return n;`
	for _, tt := range []struct{ task, want string }{{"import", "0"}, {"import", "1"}, {"other", "0"}} {
		text, result, failed := a.call(t, "run", map[string]any{"script": script, "task": tt.task})
		if failed || string(result.Result) != tt.want {
			t.Errorf("task %s came to %s, want %s:\n%s", tt.task, result.Result, tt.want, text)
		}
	}
}

// The run tool names the packages of --modules, and a script imports them by these names.
func TestMCPPackages(t *testing.T) {
	folder := t.TempDir()
	tiny := filepath.Join(folder, "node_modules", "tiny")
	err := os.MkdirAll(tiny, 0o755)
	for name, text := range map[string]string{
		"package.json": `{"name":"tiny","version":"1.2.3","type":"module","main":"index.js","types":"index.d.ts"}`,
		"index.js":     "export const double = (n) => n * 2;", "index.d.ts": "export declare const double: (n: number) => number;",
	} {
		err = errors.Join(err, os.WriteFile(filepath.Join(tiny, name), []byte(text), 0o600))
	}
	if _, failed := assemble.PrepareModules(t.Context(), folder, []string{"tiny@1.2.3"}, io.Discard); err != nil || failed != nil {
		t.Fatal(err, failed)
	}
	site := fixtures.Start(t)
	a := connect(t, site, mcpProcess(t, site, "--modules", folder))
	tools, err := a.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.Tools {
		if tool.Name == "run" && !strings.Contains(tool.Description, "These packages can be imported, and no others: tiny@1.2.3.") {
			t.Errorf("run is described as\n%s", tool.Description)
		}
	}
	text, result, failed := a.call(t, "run", map[string]any{"script": `import { double } from "tiny"; export default double(21);`})
	if failed || string(result.Result) != "42" {
		t.Errorf("run says\n%s", text)
	}
}

func TestMCPFailedCheck(t *testing.T) {
	a := newAgent(t, "everything.json")
	text, result, failed := a.call(t, "run", map[string]any{"script": "const x = 1;\nreturn await tools.crm.listContact({});"})
	if !failed || result.Reason != runtime.ReasonCheck || len(result.Calls) != 0 || result.Receipt != "" {
		t.Errorf("a misspelt method came to %+v", result)
	}
	for _, part := range []string{"Nothing ran.", "main.ts:2:", "did you mean crm.listContact", "  | tools.crm.listContacts(args?: {"} {
		if !strings.Contains(text, part) {
			t.Errorf("missing %q in\n%s", part, text)
		}
	}
}

// What the grants leave out is neither named nor callable, and a decision is never passed over.
func TestMCPGrants(t *testing.T) {
	reader := newAgent(t, "reader.json")
	if i := reader.InitializeResult().Instructions; strings.Contains(i, "createContact") || !strings.Contains(i, "\n- listContacts(") {
		t.Errorf("the index is\n%s", i)
	}
	if text, _, _ := reader.call(t, "search", map[string]any{"query": "create contact"}); strings.Contains(text, "createContact") {
		t.Errorf("search names what is not granted:\n%s", text)
	}
	text, _, failed := reader.call(t, "run", map[string]any{"script": `return await tools.crm.createContact({ name: "x", email: "x@example.com" });`})
	if !failed || !strings.Contains(text, "not granted") {
		t.Errorf("run says\n%s", text)
	}

	clerk := newAgent(t, "decider.json")
	if text, _, _ := clerk.call(t, "search", map[string]any{"query": "shop.cancelOrder", "limit": 1}); !strings.Contains(text, "// shop.cancelOrder: irreversible, needs a decision") {
		t.Errorf("search says\n%s", text)
	}
	before := len(clerk.site.World.State().Orders)
	text, result, failed := clerk.call(t, "run", map[string]any{"script": `return await tools.shop.cancelOrder({ order_id: 1 });`})
	if !failed || result.Reason != runtime.ReasonDecision || len(clerk.site.World.State().Orders) != before {
		t.Errorf("run says\n%s", text)
	}
}

// repeated is a long stream of one byte.
type repeated struct{ left int }

var exes = bytes.Repeat([]byte("x"), 64<<10)

func (r *repeated) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), r.left)], exes)
	r.left -= n
	return n, nil
}

// All that a client has to say may come through a pipe and end: bad lines are answered, and the last
// run has its answer before the command leaves.
func TestMCPThroughAPipe(t *testing.T) {
	site := fixtures.Start(t)
	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n"
	run := `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"run","arguments":{"script":"return (await tools.crm.listContacts({ limit: 2 })).contacts.length"}}}`
	cmd := mcpProcess(t, site, "--grant", site.GrantFile(t, "everything.json"))
	var out, stderr bytes.Buffer
	cmd.Stdin = io.MultiReader(strings.NewReader("not json\n\x00\n"+hello+"[]\n{\"jsonrpc\":\"2.0\"}\n"), &repeated{64 << 20}, strings.NewReader("\n"+run))
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	got := map[string]int{}
	for text := range strings.Lines(out.String()) {
		var answer struct {
			ID     json.RawMessage
			Error  struct{ Code int }
			Result struct{ StructuredContent runtime.Result }
		}
		if err := json.Unmarshal([]byte(text), &answer); err != nil {
			t.Fatalf("standard output has %q", text)
		}
		got[fmt.Sprintf("%s %d %s", answer.ID, answer.Error.Code, answer.Result.StructuredContent.Result)]++
	}
	want := map[string]int{"null -32700 ": 2, "null -32600 ": 3, "1 0 ": 1, "2 0 2": 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answers (-want +got):\n%s\n%s", diff, &out)
	}
}

// What offers nothing is said on standard error, where a person sees it who sets a client up.
func TestMCPIdleGrants(t *testing.T) {
	site := fixtures.Start(t)
	file := filepath.Join(t.TempDir(), "grant.json")
	grant := `[{"principal":"user:a","agent":"agent:a","resource":"*","operations":["crm.*","crn.list"],"expires":"task"},
		{"principal":"user:a","agent":"agent:a","resource":"*","operations":["crm.*"],"expires":"2001-01-01T00:00:00Z"}]`
	if err := os.WriteFile(file, []byte(grant), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		flags []string
		want  string
	}{
		{nil, "codemode mcp: no grant was given, so no method is offered; name a grant file with --grant\n"},
		{[]string{"--grant", file}, "codemode mcp: grant 1 of 2: no method of the directory matches crn.list\ncodemode mcp: grant 2 of 2 has expired and offers no method\n"},
		{[]string{"--grant", site.GrantFile(t, "reader.json")}, ""},
	} {
		cmd := mcpProcess(t, site, tt.flags...)
		var out, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &stderr
		if err := cmd.Run(); err != nil || stderr.String() != tt.want || out.Len() > 0 {
			t.Errorf("%v: %v, standard error %q, want %q", tt.flags, err, &stderr, tt.want)
		}
	}
}
