package mcp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/directory/contract"
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

// config grants crm; the grant over old has ended.
func config(run runner) mcp.Config {
	return mcp.Config{
		Runner: run, Contracts: contracts,
		Grants: []runtime.Grant{
			{Principal: "user:a", Agent: "agent:a", Resource: "*", Operations: []string{"crm.*"}, Budget: runtime.Budget{runtime.WallMillis: 9000}},
			{Principal: "user:a", Agent: "agent:a", Resource: "*", Operations: []string{"old.*"}, Expires: "2001-01-01T00:00:00Z"},
		},
		Search: func(query string, limit int) []contract.Contract {
			if query == "nothing" {
				return nil
			}
			return contracts[:min(limit, len(contracts))]
		},
		Declare:   func(c contract.Contract) string { return "tools." + c.Name + "(args: {}): Promise<unknown>;\n" },
		IndexLine: func(c contract.Contract) string { return c.Name + "()" },
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
	if len(res.Tools) != 2 || res.Tools[0].Name != "run" || res.Tools[1].Name != "search" {
		t.Fatalf("tools are %+v, want run and search", res.Tools)
	}
	run := res.Tools[0]
	want(t, run.Description, "export default", "return", "tools.<namespace>.<method>", "ToolError", "inputs.", "artifacts.write", "script 256 KiB", "wall_ms 9000")
	if run.Annotations.ReadOnlyHint || !*run.Annotations.DestructiveHint || !res.Tools[1].Annotations.ReadOnlyHint {
		t.Error("run must not claim to be harmless, search must")
	}
	instructions := c.InitializeResult().Instructions
	want(t, instructions, "2 methods are granted", "crm.get()\n", "crm.put() [needs a decision]\n")
	wantNone(t, instructions, "hr.", "old.")
}

func TestInstructionsFit(t *testing.T) {
	long := config(echo)
	long.Contracts = nil
	for i := range 300 {
		long.Contracts = append(long.Contracts, contract.Contract{Key: "K", Name: fmt.Sprintf("crm.method%03d", i), Effect: contract.Read})
	}
	long.IndexLine = func(c contract.Contract) string { return c.Name + strings.Repeat(" words", 20) }
	for _, tt := range []struct {
		bytes int
		want  string
	}{{100_000, "crm.method299 words"}, {12_000, "crm: method000, method001"}, {1_000, "crm (300)"}, {100, "too many to list"}} {
		long.Limits.IndexBytes = tt.bytes
		instructions := connect(t, mcp.New(long), nil).InitializeResult().Instructions
		want(t, instructions, tt.want)
		if len(instructions) > max(tt.bytes, 300) {
			t.Errorf("%d bytes of instructions, want at most %d", len(instructions), tt.bytes)
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
	want(t, limited, "tools.crm.get(args", "// 1 more matched less closely; search for a name to see its declaration: crm.put")
	wantNone(t, limited, "tools.crm.put(args")
	want(t, textOf(t, call(t, c, "search", map[string]any{"query": "nothing"})), `No granted method matches "nothing"`)

	cfg.Limits.SearchBytes = 10
	small := textOf(t, call(t, connect(t, mcp.New(cfg), nil), "search", map[string]any{"query": "people"}))
	want(t, small, "tools.crm.get(args: {}): Promise<unknown>;", "// 1 more matched less closely; search for a name to see its declaration: crm.put")
}

func TestSearchCounts(t *testing.T) {
	many := config(echo)
	many.Contracts = nil
	for i := range 40 {
		many.Contracts = append(many.Contracts, contract.Contract{Key: "K", Name: fmt.Sprintf("crm.method%02d", i), Effect: contract.Read})
	}
	many.Search = func(_ string, limit int) []contract.Contract { return many.Contracts[:min(limit, 40)] }
	c := connect(t, mcp.New(many), nil)
	for limit, wanted := range map[int]string{
		20: "// 20 more matched less closely; search for a name to see its declaration: crm.method20, crm.method21",
		8:  "crm.method19, and 20 not named\n",
	} {
		text := textOf(t, call(t, c, "search", map[string]any{"query": "x", "limit": limit}))
		want(t, text, wanted)
		if n := strings.Count(text, "Promise<"); n != limit {
			t.Errorf("%d declarations, want %d", n, limit)
		}
	}
}

func TestRun(t *testing.T) {
	c := connect(t, mcp.New(config(echo)), nil)
	res := call(t, c, "run", map[string]any{"script": "return '|\"\\n$1'", "inputs": map[string]string{"b.csv": "x\n", "a": "é\u2028"}})
	if res.IsError {
		t.Fatal(textOf(t, res))
	}
	want(t, textOf(t, res), "finished: 0 calls in 0 ms, receipt rcpt_1", `result: {"inputs":{"a":"é`, `"b.csv":"x\n"`)
	raw, err := json.Marshal(res.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		RunID   string `json:"run_id"`
		State   string
		Receipt string
		Result  struct {
			Script string
			Inputs map[string]string
		}
		Calls, Artifacts, Console, Diagnostics []any
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		t.Fatal(err)
	}
	if answer.RunID != "run_1" || answer.State != "finished" || answer.Receipt != "rcpt_1" || answer.Result.Script != "return '|\"\\n$1'" ||
		answer.Result.Inputs["a"] != "é\u2028" || answer.Calls == nil || answer.Artifacts == nil || answer.Console == nil || answer.Diagnostics == nil {
		t.Errorf("structured content is %s", raw)
	}
}

// What the run is handed is exactly what was sent, under the server's grants.
func TestRunRequest(t *testing.T) {
	var got runtime.Request
	cfg := config(func(_ context.Context, req runtime.Request) runtime.Result {
		got = req
		return runtime.Result{State: runtime.Finished}
	})
	cfg.Check = runtime.CheckStrict
	call(t, connect(t, mcp.New(cfg), nil), "run", map[string]any{"script": "1", "inputs": map[string]string{"a": "text"}})
	if len(got.Sources) != 1 || got.Sources[0] != (runtime.Source{Name: "main.ts", Text: "1"}) || len(got.Grants) != 2 || got.Check != runtime.CheckStrict {
		t.Errorf("the run got %+v", got)
	}
	if len(got.Inputs) != 1 || got.Inputs[0].SHA256 != contract.Digest([]byte("text")) {
		t.Errorf("the inputs are %+v", got.Inputs)
	}
	if got.Events.Progress != nil || got.Events.Call != nil {
		t.Error("events without anyone to tell")
	}
}

func TestRefusedArguments(t *testing.T) {
	cfg := config(func(context.Context, runtime.Request) runtime.Result {
		t.Error("a refused request was run")
		return runtime.Result{}
	})
	cfg.Limits = mcp.Limits{ScriptBytes: 100, InputBytes: 50, Inputs: 2}
	c := connect(t, mcp.New(cfg), nil)
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	tests := []struct {
		tool string
		args any
		want string
	}{
		{"run", nil, "script is missing"},
		{"run", raw(`{"code":"1"}`), `run has no argument "code"; it takes script and inputs`},
		{"run", raw(`{"script":{"a":1}}`), "script must be a string"},
		{"run", raw(`{"script":null}`), "script must be a string"},
		{"run", raw(`{"script":" \n"}`), "script is empty"},
		{"run", map[string]any{"script": strings.Repeat("x", 101)}, "script is over 100 bytes; send one TypeScript module; put data into inputs"},
		{"run", map[string]any{"script": strings.Repeat("\x00", 700)}, "script is over 100 bytes"},
		{"run", raw(`{"script":"\ud800"}`), "lone surrogate"},
		{"run", raw(`{"script":"1","script":"2"}`), `duplicate key "script"`},
		{"run", raw(`{"script":"1","inputs":["a"]}`), "inputs must be an object"},
		{"run", raw(`{"script":"1","inputs":{"a":{"b":1}}}`), `the input "a" must be a string; send JSON as text`},
		{"run", raw(`{"script":"1","inputs":{"a":"","b":"","c":""}}`), "there are 3 inputs, at most 2"},
		{"run", map[string]any{"script": "1", "inputs": map[string]string{"a": strings.Repeat("x", 51)}}, "inputs are over 50 bytes"},
		{"search", nil, "query is missing; say in a few words"},
		{"search", raw(`{"query":""}`), "query is empty"},
		{"search", raw(`{"query":["a"]}`), "query must be a string"},
		{"search", map[string]any{"query": strings.Repeat("x", 1001)}, "query is over 1000 bytes"},
		{"search", raw(`{"query":"a","limit":0}`), "limit must be a whole number from 1 to 20"},
		{"search", raw(`{"query":"a","limit":1e9}`), "limit must be"},
		{"search", raw(`{"query":"a","limit":"3"}`), "limit must be"},
		{"search", raw(`{"query":"a","namespace":"crm"}`), `search has no argument "namespace"`},
	}
	for _, name := range []string{"", "../a", "a/b", "a..b", "/etc/passwd", "__proto__", "constructor", "then", "a\u0000", "a\nb", "é", strings.Repeat("n", 65), " a"} {
		tests = append(tests, struct {
			tool string
			args any
			want string
		}{"run", map[string]any{"script": "1", "inputs": map[string]string{name: ""}}, "cannot name an input; use up to 64 letters"})
	}
	for _, tt := range tests {
		res := call(t, c, tt.tool, tt.args)
		if !res.IsError || !strings.HasPrefix(textOf(t, res), "invalid_argument: ") {
			t.Errorf("%s %v was not refused: %s", tt.tool, tt.args, textOf(t, res))
		}
		want(t, textOf(t, res), tt.want)
	}
	if _, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "crm.get"}); err == nil {
		t.Error("a method is no tool of its own")
	}
}

// Arguments that are no object at all never reach a handler through the SDK's client.
func TestRawMessages(t *testing.T) {
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	tests := []struct{ name, message, want string }{
		{"array", `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"run","arguments":[1]}}`, "the arguments of run must be an object"},
		{"null", `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"run","arguments":null}}`, "the arguments of run must be an object"},
		{"unknown method", `{"jsonrpc":"2.0","id":2,"method":"shell/exec","params":{}}`, `"error"`},
		{"other case", `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"run","arguments":{"Script":"1"}}}`, `has no argument`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in, out := io.Pipe()
			fromServer, toClient := io.Pipe()
			served := make(chan error, 1)
			go func() { served <- mcp.New(config(echo)).Serve(context.Background(), in, toClient) }()
			lines := bufio.NewScanner(fromServer)
			go io.WriteString(out, hello+tt.message+"\n")
			for lines.Scan() && !strings.Contains(lines.Text(), `"id":2`) {
			}
			want(t, lines.Text(), tt.want)
			out.Close()
			if err := <-served; err != nil {
				t.Error(err)
			}
		})
	}
}

func TestFailedRuns(t *testing.T) {
	pos := &runtime.Pos{File: "main.ts", Line: 2, Column: 7}
	tests := []struct {
		name   string
		result runtime.Result
		want   []string
	}{
		{"check", runtime.Result{
			State: runtime.Failed, Reason: runtime.ReasonCheck, Error: runtime.Errorf(runtime.CheckFailed, "x"),
			Diagnostics: []runtime.Diagnostic{{File: "main.ts", Line: 2, Column: 7, Code: "TS2551", Severity: runtime.SeverityError, Message: "Property 'gett' does not exist",
				Hint: "did you mean crm.get?", Declaration: "/** Gets. */\ntools.crm.get(args: {}): Promise<unknown>;\n"}},
		}, []string{"failed (check_failed)\nNothing ran.", "main.ts:2:7: error TS2551: Property 'gett'", "did you mean crm.get?", "  | /** Gets. */\n  | tools.crm.get("}},
		{"script", runtime.Result{State: runtime.Failed, Reason: runtime.ReasonScript, Receipt: "rcpt_2",
			Error:   &runtime.Error{Code: runtime.RemoteFailed, Message: "it broke", Hint: "try again", Pos: pos, Call: "crm.get", Detail: "boom"},
			Calls:   []runtime.CallRecord{{Seq: 1, Method: "crm.get", State: "failed", Code: runtime.RemoteFailed, At: *pos}},
			Console: []runtime.ConsoleLine{{Level: "log", Text: "before"}}, Truncated: runtime.Truncated{Console: true},
		}, []string{"failed (script_failed): 0 calls in 0 ms, receipt rcpt_2", "main.ts:2:7: remote_failed: it broke (in crm.get)\n  try again\n  it said: boom", "call 1 crm.get at 2:7: failed, remote_failed", "console log: before", "was dropped"}},
		{"limit", runtime.Result{State: runtime.Failed, Reason: runtime.ReasonWall, Error: runtime.Errorf(runtime.Timeout, "over 9000 ms")}, []string{"failed (wall_ms)", "timeout: over 9000 ms"}},
		{"decision", runtime.Result{State: runtime.Suspended, Reason: runtime.ReasonDecision, Error: runtime.Errorf(runtime.NeedsDecision, "crm.put waits")}, []string{"suspended (needs_decision)", "crm.put waits"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := connect(t, mcp.New(config(func(context.Context, runtime.Request) runtime.Result { return tt.result })), nil)
			res := call(t, c, "run", map[string]any{"script": "1"})
			if !res.IsError || res.StructuredContent == nil {
				t.Error("a run that did not finish is an error with structured content")
			}
			want(t, textOf(t, res), tt.want...)
			wantNone(t, textOf(t, res), "result:")
		})
	}
}

func TestLargeAnswers(t *testing.T) {
	cfg := config(func(context.Context, runtime.Request) runtime.Result {
		r := runtime.Result{State: runtime.Finished, Result: json.RawMessage(`[9007199254740993,"` + strings.Repeat("<", 200) + `"]`)}
		files := []string{"small", strings.Repeat("x", 21), "\x00binary", strings.Repeat("y", 18), "last"}
		for i, text := range files {
			r.Artifacts = append(r.Artifacts, runtime.Artifact{Path: fmt.Sprintf("f%d", i), MediaType: "text/plain", Bytes: int64(len(text))})
			r.Files = append(r.Files, runtime.ArtifactData{Bytes: []byte(text)})
		}
		for i := range 300 {
			r.Calls = append(r.Calls, runtime.CallRecord{Seq: i + 1, Method: "crm.get", State: "finished", ResultState: "valid"})
			r.Console = append(r.Console, runtime.ConsoleLine{Level: "log", Text: "line"})
		}
		return r
	})
	cfg.Limits = mcp.Limits{TextBytes: 100, FileBytes: 20, FilesBytes: 22}
	res := call(t, connect(t, mcp.New(cfg), nil), "run", map[string]any{"script": "1"})
	text := textOf(t, res)
	want(t, text, "result: 221 bytes of JSON, which stand whole in structuredContent only; return less to have it here. It begins: [9007199254740993,\"<<<", "console: 275 more lines",
		"artifact f0: text/plain, 5 bytes\nsmall\n", "f1: text/plain, 21 bytes (content left out: it is over 20 bytes)", "f2: text/plain, 7 bytes (content left out: it is not text)",
		"f3: text/plain, 18 bytes (content left out: the files are over 22 bytes together)", "f4: text/plain, 4 bytes\nlast")
	raw, err := json.Marshal(res.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Calls        []any
		CallsLeftOut int `json:"calls_left_out"`
		Console      []any
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		t.Fatal(err)
	}
	if len(answer.Calls) != 200 || answer.CallsLeftOut != 100 || len(answer.Console) != 300 {
		t.Errorf("%d calls, %d left out, %d console lines; want 200, 100, 300", len(answer.Calls), answer.CallsLeftOut, len(answer.Console))
	}
}

// What is over a few KiB is sent once: in the structured content, with its beginning as text.
func TestLargeAnswersOnce(t *testing.T) {
	const mark = "UNLIKELY"
	long := strings.Repeat("y", 9000) + mark
	result := runtime.Result{State: runtime.Finished, Result: json.RawMessage(`"` + long + `"`), Console: []runtime.ConsoleLine{{Level: "log", Text: long}}}
	result.Artifacts = []runtime.Artifact{{Path: "f", MediaType: "text/plain", Bytes: int64(len(long))}}
	result.Files = []runtime.ArtifactData{{Bytes: []byte(long)}}
	res := call(t, connect(t, mcp.New(config(func(context.Context, runtime.Request) runtime.Result { return result })), nil), "run", map[string]any{"script": "1"})
	want(t, textOf(t, res), "stand whole in structuredContent only", "It begins: \"yyy", "1 more lines stand in structuredContent only", "artifact f: text/plain, 9008 bytes (the content stands in structuredContent only)")
	raw, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(raw, []byte(mark)); n != 3 || len(raw) > 3*9008+3000 {
		t.Errorf("three long texts stand %d times in an answer of %d bytes", n, len(raw))
	}
}

func TestProgress(t *testing.T) {
	notes := make(chan *sdk.ProgressNotificationParams, 9)
	opts := &sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, req *sdk.ProgressNotificationClientRequest) { notes <- req.Params }}
	c := connect(t, mcp.New(config(func(_ context.Context, req runtime.Request) runtime.Result {
		req.Events.Progress("half")
		req.Events.Call(runtime.CallRecord{Method: "crm.get", State: "finished"})
		return runtime.Result{State: runtime.Finished}
	})), opts)
	params := &sdk.CallToolParams{Name: "run", Arguments: map[string]any{"script": "1"}}
	params.SetProgressToken("token")
	if _, err := c.CallTool(t.Context(), params); err != nil {
		t.Fatal(err)
	}
	for i, message := range []string{"half", "call crm.get finished"} {
		if n := <-notes; n.ProgressToken != "token" || n.Progress != float64(i+1) || n.Message != message {
			t.Errorf("notification %+v, want %q", n, message)
		}
	}
}

// A script that floods, and a client that does not read, hold nobody up.
func TestProgressFlood(t *testing.T) {
	in, out := io.Pipe()
	fromServer, toClient := io.Pipe()
	ran := make(chan struct{})
	s := mcp.New(config(func(_ context.Context, req runtime.Request) runtime.Result {
		for range 100_000 {
			req.Events.Progress(strings.Repeat("x", 1000))
		}
		close(ran)
		return runtime.Result{State: runtime.Finished}
	}))
	served := make(chan error, 1)
	go func() { served <- s.Serve(context.Background(), in, toClient) }()
	go io.WriteString(out, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`+"\n"+
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"run","arguments":{"script":"1"},"_meta":{"progressToken":7}}}`+"\n")
	lines := bufio.NewScanner(fromServer)
	lines.Scan() // the answer to initialize, and no more until the run is over
	<-ran
	notes := 0
	for lines.Scan() && !strings.Contains(lines.Text(), `"id":2`) {
		notes++
		if len(lines.Text()) > 1000 {
			t.Fatalf("a notification of %d bytes", len(lines.Text()))
		}
	}
	if notes == 0 || notes > 1000 {
		t.Errorf("%d notifications, want some and at most 1000", notes)
	}
	out.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// blocking runs until its context ends.
func blocking(begun chan<- struct{}, ended chan<- struct{}) runner {
	return func(ctx context.Context, _ runtime.Request) runtime.Result {
		begun <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return runtime.Result{State: runtime.WasCancelled, Reason: runtime.ReasonCancelled}
	}
}

func TestCancel(t *testing.T) {
	begun, ended := make(chan struct{}, 9), make(chan struct{}, 9)
	t.Run("by the client", func(t *testing.T) {
		c := connect(t, mcp.New(config(blocking(begun, ended))), nil)
		ctx, cancel := context.WithCancel(t.Context())
		go func() { <-begun; cancel() }()
		if _, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "run", Arguments: map[string]any{"script": "1"}}); err == nil {
			t.Error("no error")
		}
		<-ended
	})
	t.Run("by the server", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		fromClient, toServer := io.Pipe()
		fromServer, toClient := io.Pipe()
		served := make(chan error, 1)
		go func() { served <- mcp.New(config(blocking(begun, ended))).Serve(ctx, fromClient, toClient) }()
		client, err := sdk.NewClient(&sdk.Implementation{Name: "t", Version: "1"}, nil).Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
		if err != nil {
			t.Fatal(err)
		}
		go client.CallTool(t.Context(), &sdk.CallToolParams{Name: "run", Arguments: map[string]any{"script": "1"}})
		<-begun
		cancel()
		<-ended
		if err := <-served; err != context.Canceled {
			t.Errorf("Serve ended with %v", err)
		}
		toClient.Close()
		client.Close()
	})
}

// Two clients share the places that runs have; what is over places and queue is told so.
func TestBoundedRuns(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	var mu sync.Mutex
	now, most := 0, 0
	cfg := config(func(context.Context, runtime.Request) runtime.Result {
		mu.Lock()
		now++
		most = max(most, now)
		mu.Unlock()
		begun <- struct{}{}
		<-release
		mu.Lock()
		now--
		mu.Unlock()
		return runtime.Result{State: runtime.Finished}
	})
	cfg.Limits = mcp.Limits{Runs: 2, Waiting: 1}
	s := mcp.New(cfg)
	clients := []*sdk.ClientSession{connect(t, s, nil), connect(t, s, nil)}
	answers := make(chan *sdk.CallToolResult, 4)
	send := func(c *sdk.ClientSession) {
		res, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "run", Arguments: map[string]any{"script": "1"}})
		if err != nil {
			t.Error(err)
		}
		answers <- res
	}
	go send(clients[0])
	go send(clients[1])
	<-begun
	<-begun
	go send(clients[0])
	go send(clients[1])
	res := <-answers // of the two sent last one waits and one is refused at once
	if !res.IsError {
		t.Error("a run over the queue was not refused")
	}
	want(t, textOf(t, res), "unavailable: too many runs are going on; wait for one to end")
	close(release)
	<-begun
	for range 3 {
		if res := <-answers; res.IsError {
			t.Errorf("a run failed: %s", textOf(t, res))
		}
	}
	if most != 2 {
		t.Errorf("%d runs at once, want 2", most)
	}
}

// command is this test binary as a server.
func command(ctx context.Context, t *testing.T) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, self)
	cmd.Env = append(os.Environ(), serveVariable+"=1")
	return cmd
}

func TestStdio(t *testing.T) {
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: command(t.Context(), t)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	res := call(t, c, "run", map[string]any{"script": "return 1"})
	want(t, textOf(t, res), `"script":"return 1"`)
	if err := c.Close(); err != nil {
		t.Errorf("the server did not end well: %v", err)
	}
}

// Standard output carries messages only, one a line, and nothing after the client has left.
func TestStdoutIsProtocol(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := command(ctx, t)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`+"\n"+
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"run","arguments":{"script":"1\n2"},"_meta":{"progressToken":"p"}}}`+"\n"+
		`{"jsonrpc":"2.0","id":3,"method":"no/such"}`+"\n")
	lines, answers := bufio.NewScanner(out), 0
	for answers < 3 && lines.Scan() {
		var message struct {
			JSONRPC string
			ID      *int
		}
		if err := json.Unmarshal(lines.Bytes(), &message); err != nil || message.JSONRPC != "2.0" {
			t.Fatalf("standard output has %q (%v)", lines.Text(), err)
		}
		if message.ID != nil {
			answers++
		}
	}
	in.Close()
	if lines.Scan() {
		t.Errorf("more on standard output: %q", lines.Text())
	}
	if err := cmd.Wait(); err != nil || answers != 3 || stderr.Len() > 0 {
		t.Errorf("%d answers, %v, standard error %q", answers, err, &stderr)
	}
}
