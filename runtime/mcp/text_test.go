package mcp_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"codemode/gen/ts"
	"codemode/runtime"
	"codemode/runtime/mcp"
)

// What the description promises to scripts exists in the declarations they are checked against.
func TestDescriptionIsTrue(t *testing.T) {
	res, err := connect(t, mcp.New(config(echo)), nil).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	description := ""
	for _, tool := range res.Tools {
		if tool.Name == "run" {
			description = tool.Description
		}
	}
	declared := ts.Ambient() + ts.Granted([]string{"crm.get"}, []string{"a"}, nil)
	for _, name := range []string{"ToolError", "artifacts", "write(", "progress(", "console", "log(", "inputs", "tools", "text()", "json()", "csv()", "bytes()", `"not_found"`, "ask", "directory", "search(", "results", "read(", "checkpoint", "save(", "load"} {
		if !strings.Contains(description, name) || !strings.Contains(declared, name) {
			t.Errorf("%s: described %v, declared %v", name, strings.Contains(description, name), strings.Contains(declared, name))
		}
	}
	for _, field := range regexp.MustCompile(`It has (.*)\.\n`).FindStringSubmatch(description)[1:] {
		for _, f := range regexp.MustCompile(`\w+`).FindAllString(strings.ReplaceAll(field, " and ", " "), -1) {
			if f != "message" && !regexp.MustCompile(`readonly `+f+`\??:`).MatchString(declared) { // message is every Error's
				t.Errorf("a ToolError has no %s", f)
			}
		}
	}
}

// An error in a package is followed by the way to the agent's own line, a syntax error too.
func TestErrorsInPackagesNameTheAgentsLine(t *testing.T) {
	trace := []runtime.Pos{{File: "node_modules/p/index.js", Line: 5, Column: 2}, {File: "main.ts", Line: 4, Column: 10}}
	thrown := runtime.Errorf(runtime.ScriptFailed, "Error: no")
	thrown.Pos, thrown.Trace = &runtime.Pos{File: "node_modules/p/lib.js", Line: 7, Column: 3}, trace
	for name, c := range map[string]struct {
		result runtime.Result
		want   string
	}{
		"thrown": {runtime.Result{State: runtime.Failed, Reason: runtime.ReasonScript, Error: thrown},
			"node_modules/p/lib.js:7:3: script_failed: Error: no\n  from node_modules/p/index.js:5:2\n  from main.ts:4:10"},
		"torn": {runtime.Result{State: runtime.Failed, Reason: runtime.ReasonCheck, Diagnostics: []runtime.Diagnostic{
			{File: "node_modules/p/lib.js", Line: 7, Column: 3, Code: "CM100", Severity: runtime.SeverityError, Message: "Unexpected", Trace: trace[1:]}}},
			"node_modules/p/lib.js:7:3: error CM100: Unexpected\n  from main.ts:4:10"},
	} {
		run := func(context.Context, runtime.Request) runtime.Result { return c.result }
		got := textOf(t, call(t, connect(t, mcp.New(config(run)), nil), "run", map[string]any{"script": "1"}))
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: missing %q in\n%s", name, c.want, got)
		}
	}
}
