package main

// This file uses codemode mcp as an agent does: the SDK's client starts the command and speaks to it
// over standard input and output, with the real compiler, workers and store behind it.

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/fixtures"
	"codemode/runtime"
	"codemode/runtime/typecheck"
)

// agent is a client of a running codemode mcp.
type agent struct {
	*sdk.ClientSession
	site *fixtures.Site
}

func newAgent(t *testing.T, grant string) agent {
	t.Helper()
	compiler := requireCompiler(t)
	bin, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	site := fixtures.Start(t)
	cmd := exec.Command(filepath.Join(bin, "codemode"), "mcp", "--directory", site.Directory(t),
		"--grant", site.GrantFile(t, grant), "--store", filepath.Join(t.TempDir(), "store.db"))
	cmd.Env = append(os.Environ(), typecheck.EnvCompiler+"="+compiler)
	for name, value := range fixtures.Secrets() {
		cmd.Env = append(cmd.Env, secretPrefix+name+"="+value)
	}
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
	if i := reader.InitializeResult().Instructions; strings.Contains(i, "crm.createContact") || !strings.Contains(i, "crm.listContacts") {
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
