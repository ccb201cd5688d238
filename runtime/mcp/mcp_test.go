package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/directory/search"
	"codemode/directory/tokens"
	"codemode/runtime"
	"codemode/runtime/mcp"
)

// serveVariable makes the test binary a server on its standard streams.
const serveVariable = "CODEMODE_TEST_MCP_SERVE"

func TestMain(m *testing.M) {
	if os.Getenv(serveVariable) == "" {
		os.Exit(m.Run())
	}
	cfg := config(echo)
	cfg.Limits = mcp.Limits{ScriptBytes: 64 << 10, InputBytes: 64 << 10}
	if err := mcp.New(cfg).Serve(context.Background(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// runner makes a Runner of a function.
type runner func(ctx context.Context, req runtime.Request) runtime.Result

func (f runner) Run(ctx context.Context, req runtime.Request) runtime.Result { return f(ctx, req) }

// ResumeUnder runs the function on a request that has the run's id for its task.
func (f runner) ResumeUnder(ctx context.Context, grants []runtime.Grant, runID string, events runtime.Events) runtime.Result {
	return f(ctx, runtime.Request{Task: runID, Grants: grants, Events: events})
}

func (f runner) Artifact(context.Context, string) ([]byte, *runtime.Error) {
	return nil, runtime.Errorf(runtime.NotFound, "no blob")
}

// keeper is a Runner with files, by their digest.
type keeper struct {
	runner
	files map[string]string
}

func (k keeper) Artifact(ctx context.Context, sha256 string) ([]byte, *runtime.Error) {
	if text, ok := k.files[sha256]; ok {
		return []byte(text), nil
	}
	return k.runner.Artifact(ctx, sha256)
}

// echo finishes with the script's text and its inputs.
func echo(_ context.Context, req runtime.Request) runtime.Result {
	inputs := map[string]string{}
	for _, in := range req.Inputs {
		inputs[in.Name] = string(in.Bytes)
	}
	raw, err := json.Marshal(map[string]any{"script": req.Sources[0].Text, "inputs": inputs})
	if err != nil {
		panic(err)
	}
	if req.Events.Progress != nil {
		req.Events.Progress("echoing")
	}
	return runtime.Result{RunID: "run_1", State: runtime.Finished, Result: raw, Receipt: "rcpt_1"}
}

var contracts = []contract.Contract{
	{Key: "CRM_GET", Name: "crm.get", Effect: contract.Read},
	{Key: "CRM_PUT", Name: "crm.put", Effect: contract.Irreversible},
	{Key: "HR_FIRE", Name: "hr.fire", Effect: contract.Irreversible},
	{Key: "OLD_GET", Name: "old.get", Effect: contract.Read},
}

func hits(contracts []contract.Contract) (out []search.Hit) {
	for _, c := range contracts {
		out = append(out, search.Hit{Contract: c})
	}
	return out
}

// config grants crm; the grant over old has ended.
func config(run runner) mcp.Config {
	return mcp.Config{
		Runner: run, Contracts: contracts,
		Limited: []string{"wall_ms 9000", "console_lines 1000"},
		Grants: []runtime.Grant{
			{Principal: "user:a", Agent: "agent:a", Resource: "*", Operations: []string{"crm.*"}, Budget: runtime.Budget{runtime.WallMillis: 9000}},
			{Principal: "user:a", Agent: "agent:a", Resource: "*", Operations: []string{"old.*"}, Expires: "2001-01-01T00:00:00Z"},
		},
		Search: func(query string, limit int) []search.Hit {
			if query == "nothing" {
				return nil
			}
			return hits(contracts)[:min(limit, len(contracts))]
		},
		Declare: func(c contract.Contract) string { return "tools." + c.Name + "(args: {}): Promise<unknown>;\n" },
		Entry:   func(c contract.Contract) search.Entry { return search.Entry{Name: c.Name, Call: c.Name + "()"} },
		Count:   tokens.New().Count,
	}
}

// connect makes a client of the server, over a pair of pipes.
func connect(t *testing.T, s *mcp.Server, opts *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- s.Serve(context.Background(), fromClient, toClient)
		toClient.Close()
	}()
	client, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, opts).Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.Close()
		if err := <-served; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return client
}

func call(t *testing.T, c *sdk.ClientSession, tool string, args any) *sdk.CallToolResult {
	t.Helper()
	res, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func textOf(t *testing.T, res *sdk.CallToolResult) string {
	t.Helper()
	if len(res.Content) != 1 {
		t.Fatalf("%d pieces of content, want one text", len(res.Content))
	}
	return res.Content[0].(*sdk.TextContent).Text
}

func want(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("missing %q in:\n%s", p, text)
		}
	}
}

func wantNone(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if strings.Contains(text, p) {
			t.Errorf("%q does not belong in:\n%s", p, text)
		}
	}
}

func TestToolsAndInstructions(t *testing.T) {
	c := connect(t, mcp.New(config(echo)), nil)
	res, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Tools) != 3 || res.Tools[0].Name != "resume" || res.Tools[1].Name != "run" || res.Tools[2].Name != "search" {
		t.Fatalf("tools are %+v, want resume, run and search", res.Tools)
	}
	run := res.Tools[1]
	want(t, run.Description, "export default", "return", "tools.<namespace>.<method>", "ToolError", "inputs.", "artifacts.write", "script 256 KiB", "wall_ms 9000", "console_lines 1000", "fetch or package to import")
	if run.Annotations.ReadOnlyHint || !*run.Annotations.DestructiveHint || !res.Tools[2].Annotations.ReadOnlyHint {
		t.Error("run must not claim to be harmless, search must")
	}
	instructions := c.InitializeResult().Instructions
	want(t, instructions, "2 methods are granted", "\ncrm (2)\n- get()\n- put()*\n")
	wantNone(t, instructions, "hr.", "old.")
}

func TestInstructionsFit(t *testing.T) {
	long := config(echo)
	long.Contracts = nil
	for i := range 300 {
		long.Contracts = append(long.Contracts, contract.Contract{Key: "K", Name: fmt.Sprintf("crm.method%03d", i), Effect: contract.Read})
	}
	long.Entry = func(c contract.Contract) search.Entry {
		return search.Entry{Name: c.Name, Call: c.Name + "(a)", Purpose: strings.Repeat("words ", 20)}
	}
	for _, tt := range []struct {
		tokens int
		want   string
	}{{20_000, "- method299(a) - words"}, {1000, ", method298, method299\n"}, {10, "crm (300): method000, ...\n"}, {3, "too many to list"}} {
		long.Limits.IndexTokens = tt.tokens
		instructions := connect(t, mcp.New(long), nil).InitializeResult().Instructions
		want(t, instructions, tt.want)
		if n := long.Count(instructions); n > tt.tokens+80 {
			t.Errorf("%d tokens of instructions, want the index in %d", n, tt.tokens)
		}
	}
	long.Grants = nil
	want(t, connect(t, mcp.New(long), nil).InitializeResult().Instructions, "No method is granted")
}

func TestSearch(t *testing.T) {
	cfg := config(echo)
	c := connect(t, mcp.New(cfg), nil)
	res := call(t, c, "search", map[string]any{"query": "people"})
	text := textOf(t, res)
	want(t, text, "// crm.get: read, no decision needed\ntools.crm.get(args", "// crm.put: irreversible, needs a decision\ntools.crm.put(args")
	wantNone(t, text, "hr.", "old.")
	if res.IsError {
		t.Error("a search that found something is no error")
	}
	limited := textOf(t, call(t, c, "search", map[string]any{"query": "people", "limit": 1}))
	want(t, limited, "tools.crm.get(args", "search by name for a declaration:\ncrm.put() [needs a decision]\n")
	wantNone(t, limited, "tools.crm.put(args")
	want(t, textOf(t, call(t, c, "search", map[string]any{"query": "nothing"})), `No granted method matches "nothing"`)
}

// The answer keeps to max_tokens; a declaration that has no room is named with what it needs.
func TestSearchTokens(t *testing.T) {
	cfg := config(echo)
	cfg.Declare = func(c contract.Contract) string {
		text := "tools." + c.Name + "(args: {}): Promise<unknown>;\n"
		if c.Name == "crm.get" {
			text = strings.Repeat("// words\n", 200) + text
		}
		return text
	}
	c := connect(t, mcp.New(cfg), nil)
	text := textOf(t, call(t, c, "search", map[string]any{"query": "people", "max_tokens": 150}))
	want(t, text, "tools.crm.put(args", "crm.get() [declaration: 6")
	wantNone(t, text, "tools.crm.get(args")
	if n := cfg.Count(text); n > 150 {
		t.Errorf("%d tokens, want at most 150", n)
	}
	want(t, textOf(t, call(t, c, "search", map[string]any{"query": "people", "max_tokens": 2000})), "tools.crm.get(args", "tools.crm.put(args")
}

// A page is read by whom a grant covers its key for.
func TestSearchPages(t *testing.T) {
	cfg := config(echo)
	cfg.Grants[0].Resource = "CRM_*"
	cfg.Search = func(string, int) []search.Hit {
		return []search.Hit{
			{Page: &directory.Row{Key: "CRM_HOW", Content: "# How to ask."}}, {Page: &directory.Row{Key: "HR_HOW", Content: "# Not told."}}, {Contract: contracts[0]},
		}
	}
	text := textOf(t, call(t, connect(t, mcp.New(cfg), nil), "search", map[string]any{"query": "how"}))
	want(t, text, "// Page CRM_HOW\n// How to ask.\n", "tools.crm.get(args")
	wantNone(t, text, "HR_HOW", "Not told")
}

func TestSearchCounts(t *testing.T) {
	many := config(echo)
	many.Contracts = nil
	for i := range 40 {
		many.Contracts = append(many.Contracts, contract.Contract{Key: "K", Name: fmt.Sprintf("crm.method%02d", i), Effect: contract.Read})
	}
	many.Search = func(_ string, limit int) []search.Hit { return hits(many.Contracts[:min(limit, 40)]) }
	c := connect(t, mcp.New(many), nil)
	for limit, wanted := range map[int]string{
		20: "\ncrm.method20()\ncrm.method21()\n",
		8:  "\ncrm.method39()\n",
	} {
		text := textOf(t, call(t, c, "search", map[string]any{"query": "x", "limit": limit}))
		want(t, text, wanted)
		if n := strings.Count(text, "Promise<"); n != limit {
			t.Errorf("%d declarations, want %d", n, limit)
		}
	}
}
