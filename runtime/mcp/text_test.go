package mcp_test

import (
	"regexp"
	"strings"
	"testing"

	"codemode/gen/ts"
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
