package main

// This file reads which programs stand behind mcp rows.

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"codemode/runtime/assemble"
)

const maxServersBytes = 1 << 20

// serversFlag adds the flag that names the programs.
func serversFlag(cmd *cobra.Command, into *mcpServers) {
	cmd.Flags().Var(into, "mcp-servers", `a JSON file {"mcpServers":{"NAME":{"command":"...","args":[],"env":{}}}}: the programs behind mcp rows`)
	must(cmd.MarkFlagFilename("mcp-servers", "json"))
}

// mcpServers is a flag whose value is read with it.
type mcpServers struct {
	file  string
	named map[string]assemble.MCPServer
}

func (m *mcpServers) String() string { return m.file }

func (m *mcpServers) Type() string { return "FILE" }

// Set reads the file in the form that MCP clients share.
func (m *mcpServers) Set(file string) error {
	text, err := readFile(file, maxServersBytes)
	if err != nil {
		return err
	}
	var doc struct {
		Servers map[string]assemble.MCPServer `json:"mcpServers"`
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if len(doc.Servers) == 0 {
		return fmt.Errorf(`%s names no server; write {"mcpServers":{"NAME":{"command":"..."}}}`, file)
	}
	for name, s := range doc.Servers {
		if s.Command == "" {
			return fmt.Errorf("%s: server %s has no command; one with a url needs no entry: its rows name it", file, printable(name, 100))
		}
	}
	m.file, m.named = file, doc.Servers
	return nil
}

// mcpEnvironment is this shell's own environment for a program that its user starts, less the secrets of
// codemode, which are not the program's.
func mcpEnvironment(command []string) []string {
	if len(command) == 0 {
		return nil
	}
	var out []string
	for _, entry := range os.Environ() {
		if len(entry) < len(secretPrefix) || entry[:len(secretPrefix)] != secretPrefix {
			out = append(out, entry)
		}
	}
	return out
}
