package main

// This file holds codemode import.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"codemode/directory"
	"codemode/directory/importer"
)

// importAnswer is the JSON of codemode import.
type importAnswer struct {
	Tools int    `json:"tools"`          // rows that the source came to
	File  string `json:"file,omitempty"` // what --out names
	// LeftOut of Total tools or operations became no row.
	LeftOut int `json:"left_out"`
	Total   int `json:"total"`
	// Incomplete says that the source has more than could be had of it.
	Incomplete bool `json:"incomplete,omitempty"`
	// Update says what became of a file that was there.
	Update *importer.Updated `json:"update,omitempty"`
	// Rows are left out when they went to a file.
	Rows     []directory.Row     `json:"rows,omitempty"`
	Findings []directory.Finding `json:"findings"`
	// NotCarried counts by kind what the source says and a row can't.
	NotCarried []importer.Count `json:"not_carried"`
}

// fieldsHelp says whose a field is when a file is imported again; importer.Update keeps it so.
const fieldsHelp = `

Importing again into the file that --out names keeps what was written in it by hand. In a row of the same key

  the source's, updated as far as the source gives them, else left as they stand:
    type, target, description, category, input_schema or arguments, output_schema, examples, auth, deprecated,
    of headers those it gives, and the template of an http row, which goes where the source has none, as does the
    word that its document calls it deprecated
  the author's, never changed:
    when_to_use, effect, placement, idempotency, readback, undo, sensitive, version, enabled, the # lines of
    content, other headers but Content-Type and those with an argument in them, the query of an mcp row's endpoint,
    fields that are not a row's

Rows that the source does not give, or that were left out of it, stay and are named; --prune drops them. The file
is replaced whole or not at all.

Exit code 2, and --out as it was, where nothing can be imported. Where only some can, the last line counts those
left out; with --strict the exit code is then 1, with the others imported all the same.`

func importCommand(t *terminal) *cobra.Command {
	var server string
	var to importTarget
	cmd := &cobra.Command{
		Use:   "import LIST",
		Short: "Make rows of a list of tools, an MCP server or an OpenAPI document",
		Long: `import reads the tools that other systems list and prints a row for each, as JSON Lines. LIST is a
file, or - for standard input: an MCP tools/list answer, an object of servers, an array or lines of
tools, or function definitions. import mcp asks a server itself, import openapi reads an OpenAPI
document. What a source says is kept as it stands. A server's own hint that a tool only reads gives no
effect: say so in the row, once you know.

What was left out or is missing goes to standard error, and at its end, counted by kind, what a row
has no place for.` + fieldsHelp,
		Example: `  codemode import tools.json --server github --out rows/github.jsonl
  codemode import catalogue.jsonl > rows/catalogue.jsonl
  codemode import tools.json --server github --out rows/github.jsonl --prune --strict
  codemode import mcp --out rows/notes.jsonl -- npx some-server
  codemode import openapi petstore.yaml --out rows/petstore.jsonl`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			result, err := importList(args[0], server)
			if err != nil {
				return &exitError{exitUsage, err.Error()}
			}
			return t.imported(result, to, "tools")
		},
	}
	cmd.Flags().StringVar(&server, "server", "", "the server of tools that do not name theirs")
	to.flags(cmd)
	cmd.AddCommand(importMCPCommand(t), importOpenAPICommand(t))
	return cmd
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

// imported writes what a source came to and tells of it; what names the things that became rows.
func (t *terminal) imported(r *importer.Result, to importTarget, what string) error {
	r.Findings = append(r.Findings, renamed(r.Rows)...)
	update, err := to.write(r)
	if err != nil {
		return err
	}
	if t.json {
		err = t.printJSON(to.answer(r, update))
	} else {
		err = t.tellImported(r, to, update, what)
	}
	switch {
	case err != nil:
		return err
	case len(r.Rows) == 0:
		return &exitError{exitUsage, fmt.Sprintf("nothing can be imported: %d of %d %s left out", r.LeftOut, r.LeftOut, what)}
	case to.strict && (r.LeftOut > 0 || r.Incomplete):
		return &exitError{exitScript, ""}
	}
	return nil
}

func (t *terminal) tellImported(r *importer.Result, to importTarget, update *importer.Updated, what string) error {
	for _, f := range r.Findings {
		t.say("%s", findingLine(f))
	}
	if line := notCarriedLine(r.NotCarried); line != "" {
		t.say("%s", line)
	}
	if len(r.Rows) == 0 {
		return nil
	}
	if to.out == "" {
		var lines bytes.Buffer
		err := importer.Write(&lines, r.Rows)
		if err == nil {
			_, err = io.Copy(t.out, &lines)
		}
		if err != nil {
			return fmt.Errorf("standard output: %w", err)
		}
	}
	t.tellUpdate(update)
	if to.out != "" {
		t.say("%d rows in %s", to.rows(r, update), to.out)
	}
	if r.LeftOut > 0 {
		t.say("%d of %d %s left out", r.LeftOut, r.LeftOut+len(r.Rows), what)
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
