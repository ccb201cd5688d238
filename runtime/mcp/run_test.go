package mcp_test

// This file tests the run tool: what it is given, what it answers.

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"codemode/directory/contract"
	"codemode/runtime"
	"codemode/runtime/mcp"
)

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
	call(t, connect(t, mcp.New(cfg), nil), "run", map[string]any{"script": "1", "inputs": map[string]string{"a": "text"}, "task": "import"})
	if got.Task != "import" {
		t.Errorf("the task is %q", got.Task)
	}
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
		{"run", raw(`{"code":"1"}`), `run has no argument "code"; it takes script, inputs and task`},
		{"run", raw(`{"script":"1","task":""}`), "task is empty; name what the script is an attempt at"},
		{"run", raw(`{"script":"1","task":7}`), "task must be a string"},
		{"run", map[string]any{"script": "1", "task": strings.Repeat("t", 201)}, "task is over 200 bytes"},
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
		{"search", raw(`{"query":"a","max_tokens":99}`), "max_tokens must be a whole number from 100 to 20000"},
		{"search", raw(`{"query":"a","max_tokens":1e6}`), "max_tokens must be"},
		{"search", raw(`{"query":"a","max_tokens":"3"}`), "max_tokens must be"},
		{"search", raw(`{"query":"a","namespace":"crm"}`), `search has no argument "namespace"; it takes query, limit and max_tokens`},
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
	kept := map[string]string{}
	run := func(context.Context, runtime.Request) runtime.Result {
		r := runtime.Result{State: runtime.Finished, Result: json.RawMessage(`[9007199254740993,"` + strings.Repeat("<", 200) + `"]`)}
		files := []string{"small", strings.Repeat("x", 21), "\x00binary", strings.Repeat("y", 18), "last", ""}
		for i, text := range files {
			a := runtime.Artifact{Path: fmt.Sprintf("f%d", i), MediaType: "text/plain", Bytes: int64(len(text)), SHA256: contract.Digest([]byte(text))}
			r.Artifacts = append(r.Artifacts, a)
			if text != "" {
				kept[a.SHA256] = text
			}
		}
		for i := range 300 {
			r.Calls = append(r.Calls, runtime.CallRecord{Seq: i + 1, Method: "crm.get", State: "finished", ResultState: "valid"})
			r.Console = append(r.Console, runtime.ConsoleLine{Level: "log", Text: "line"})
		}
		return r
	}
	cfg := config(run)
	cfg.Runner = keeper{run, kept}
	cfg.Limits = mcp.Limits{TextBytes: 100, FileBytes: 20, FilesBytes: 22}
	res := call(t, connect(t, mcp.New(cfg), nil), "run", map[string]any{"script": "1"})
	text := textOf(t, res)
	want(t, text, "result: 221 bytes of JSON, which stand whole in structuredContent only; return less to have it here. It begins: [9007199254740993,\"<<<", "console: 275 more lines",
		"artifact f0: text/plain, 5 bytes\nsmall\n", "f1: text/plain, 21 bytes (content left out: it is over 20 bytes)", "f2: text/plain, 7 bytes (content left out: it is not text)",
		"f3: text/plain, 18 bytes (content left out: the files are over 22 bytes together)", "f4: text/plain, 4 bytes\nlast",
		"f5: text/plain, 0 bytes (content left out: it can't be read: no blob)")
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
	result.Artifacts = []runtime.Artifact{{Path: "f", MediaType: "text/plain", Bytes: int64(len(long)), SHA256: "sha256:f"}}
	cfg := config(nil)
	cfg.Runner = keeper{func(context.Context, runtime.Request) runtime.Result { return result }, map[string]string{"sha256:f": long}}
	res := call(t, connect(t, mcp.New(cfg), nil), "run", map[string]any{"script": "1"})
	want(t, textOf(t, res), "stand whole in structuredContent only", "It begins: \"yyy", "1 more lines stand in structuredContent only", "artifact f: text/plain, 9008 bytes (the content stands in structuredContent only)")
	raw, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(raw, []byte(mark)); n != 3 || len(raw) > 3*9008+3000 {
		t.Errorf("three long texts stand %d times in an answer of %d bytes", n, len(raw))
	}
}

// A suspended run is no error: its answer says what it asks, and how it goes on.
func TestSuspendedRunsAreResumed(t *testing.T) {
	var resumed runtime.Request
	c := connect(t, mcp.New(config(func(_ context.Context, req runtime.Request) runtime.Result {
		if req.Task != "" {
			resumed = req
			return runtime.Result{RunID: req.Task, State: runtime.Finished, Result: json.RawMessage("7"), Receipt: "rcpt_1"}
		}
		return runtime.Result{RunID: "run_1", State: runtime.Suspended, Questions: []runtime.Question{{Seq: 3, Question: "Which size?", Schema: json.RawMessage(`{"enum":["S","M"]}`)}}}
	})), nil)
	res := call(t, c, "run", map[string]any{"script": "1"})
	if res.IsError {
		t.Error("a suspended run is an error")
	}
	want(t, textOf(t, res), "suspended", "Run run_1 asks:", "question 3: Which size?", `{"enum":["S","M"]}`, "codemode answer run_1", "call resume with this run_id; do not send the script again")
	raw, err := json.Marshal(res.StructuredContent)
	if err != nil || !strings.Contains(string(raw), `"questions":[{`) {
		t.Errorf("structured content is %s, %v", raw, err)
	}
	res = call(t, c, "resume", map[string]any{"run_id": "run_1"})
	if res.IsError || resumed.Task != "run_1" || len(resumed.Grants) != 2 {
		t.Errorf("%s, resumed %+v", textOf(t, res), resumed)
	}
	want(t, textOf(t, res), "finished", "result: 7")
	want(t, textOf(t, call(t, c, "resume", map[string]any{"run": "run_1"})), `resume has no argument "run"; it takes run_id`)
	if _, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "answer"}); err == nil {
		t.Error("an agent can answer")
	}
}
