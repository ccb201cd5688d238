package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"codemode/directory"
	"codemode/directory/importer"
)

// importAnswer is the JSON of codemode import.
type importAnswer struct {
	Tools int    `json:"tools"`
	File  string `json:"file,omitempty"` // what --out names
	// Rows are left out when they went to a file.
	Rows     []directory.Row     `json:"rows,omitempty"`
	Findings []directory.Finding `json:"findings"`
	// NotCarried counts by kind what the source says and a row can't.
	NotCarried []importer.Count `json:"not_carried"`
}

func importCommand(t *terminal) *cobra.Command {
	var server, out string
	cmd := &cobra.Command{
		Use:   "import LIST",
		Short: "Make rows of a list of tools, an MCP server or an OpenAPI document",
		Long: `import reads the tools that other systems list and prints a row for each, as JSON Lines. LIST is a
file, or - for standard input: an MCP tools/list answer, an object of servers, an array or lines of
tools, or function definitions. import mcp asks a server itself, import openapi reads an OpenAPI
document. What a source says is kept as it stands. A server's own hint that a tool only reads gives no
effect: say so in the row, once you know.

What was left out or is missing goes to standard error, and at its end, counted by kind, what a row
has no place for.`,
		Example: `  codemode import tools.json --server github --out rows/github.jsonl
  codemode import catalogue.jsonl > rows/catalogue.jsonl
  codemode import mcp --out rows/notes.jsonl -- npx some-server
  codemode import openapi petstore.yaml --out rows/petstore.jsonl`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			result, err := importList(args[0], server)
			if err != nil {
				return &exitError{exitUsage, err.Error()}
			}
			return t.imported(result, out)
		},
	}
	cmd.Flags().StringVar(&server, "server", "", "the server of tools that do not name theirs")
	outFlag(cmd, &out)
	cmd.AddCommand(importMCPCommand(t), importOpenAPICommand(t))
	return cmd
}

// outFlag adds the flag that names the file of rows.
func outFlag(cmd *cobra.Command, into *string) {
	cmd.Flags().StringVarP(into, "out", "o", "", "the .jsonl file to write (default: standard output)")
	must(cmd.MarkFlagFilename("out", "jsonl"))
}

func importList(name, server string) (*importer.Result, error) {
	opts := importer.Options{File: name, Server: server}
	if name == "-" {
		return importer.Tools(os.Stdin, opts)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	result, err := importer.Tools(f, opts)
	return result, errors.Join(err, f.Close())
}

func (t *terminal) imported(r *importer.Result, out string) error {
	var lines bytes.Buffer
	if err := importer.Write(&lines, r.Rows); err != nil {
		return err
	}
	if out != "" {
		if err := replaceFile(out, lines.Bytes()); err != nil {
			return &exitError{exitUsage, "--out: " + err.Error()}
		}
	}
	if t.json {
		answer := importAnswer{Tools: len(r.Rows), File: out, Findings: orEmpty(r.Findings), NotCarried: orEmpty(r.NotCarried)}
		if out == "" {
			answer.Rows = r.Rows
		}
		return t.printJSON(answer)
	}
	for _, f := range r.Findings {
		t.say("%s", findingLine(f))
	}
	if line := notCarriedLine(r.NotCarried); line != "" {
		t.say("%s", line)
	}
	if out != "" {
		t.say("%d rows in %s", len(r.Rows), out)
		return nil
	}
	if _, err := io.Copy(t.out, &lines); err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	return nil
}

// notCarriedLine sums up what the rows do not say, "" where they say everything.
func notCarriedLine(counts []importer.Count) string {
	var parts []string
	for _, c := range counts {
		parts = append(parts, fmt.Sprintf("%s (%d)", printable(c.Kind, 100), c.Count))
	}
	if len(parts) == 0 {
		return ""
	}
	return "not carried: " + strings.Join(parts, ", ")
}

// replaceFile writes a file whole or not at all.
func replaceFile(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".import-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already when all went well
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
