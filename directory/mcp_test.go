package directory_test

import (
	"testing"

	"codemode/directory"
	"codemode/directory/importer"
)

func TestMCPTool(t *testing.T) {
	tests := []struct{ key, target, server, tool string }{
		{"notes/find", "notes", "notes", "find"},
		{"notes/a/b", " https://n.example/mcp ", "https://n.example/mcp", "a/b"},
		{importer.Key("a/b", "50% \n"), "x", "x", "50% \n"},
		{"FIND_NOTE", "notes#find%2Fall", "notes", "find/all"},
		{"FIND_NOTE", "notes", "notes", "FIND_NOTE"},
		{"notes/50%", "notes", "notes", "50%"},
	}
	for _, tt := range tests {
		server, tool := directory.Row{Key: tt.key, Target: tt.target}.MCPTool()
		if server != tt.server || tool != tt.tool {
			t.Errorf("MCPTool of %q at %q = %q, %q; want %q, %q", tt.key, tt.target, server, tool, tt.server, tt.tool)
		}
	}
}
