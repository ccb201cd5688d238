// Package importer makes rows of the tool lists that other systems publish.
//
//	result, err := importer.Tools(file, importer.Options{File: "tools.json", Server: "github"})
//	for _, f := range result.Findings { fmt.Fprintln(os.Stderr, f) }
//	err = importer.Write(out, result.Rows) // JSON Lines, as directory.Load reads them
//	updated, err := importer.Update("github.jsonl", old, result.Rows, false) // the same over rows that people edited
//
// What a list says is carried as it stands: a schema keeps every keyword, a description is only ever
// text. What it does not say stays empty, and what a row has no field for is a finding, told once
// with a count. Nothing in a list gives authority: a server's own hint that a tool only reads becomes
// a note, and the effect stays for the row's author to declare.
//
// A server that answers is read the same way, page by page, by Live; subpackage openapi reads OpenAPI
// documents. The package opens no connection itself and infers nothing.
package importer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"codemode/directory"
)

// Options say how to read a list. The zero value is the documented defaults.
type Options struct {
	// File is named in findings; "" means "input".
	File string
	// Server owns the tools that do not say theirs, as those of a plain tools/list answer; "" means
	// "tools", and a finding says so.
	Server string
	// Target is where the server is, for those who call its tools: the URL of its endpoint, without
	// secrets. "" means the server's name.
	Target string
	// Auth is the rows' auth, which names a secret and never holds one; "" means none.
	Auth string
	// MaxBytes caps the list; 0 means 64 MiB. A larger one is an error.
	MaxBytes int64
	// MaxTools caps its tools; 0 means 20,000. More are an error.
	MaxTools int
	// MaxToolBytes caps one tool, and the row made of it; 0 means 1 MiB. A larger one is a finding.
	MaxToolBytes int
	// MaxDepth caps the nesting of one tool; 0 means 64. A deeper one is a finding.
	MaxDepth int
	// MaxFindings caps the findings about single tools; 0 means 100. One more says how many were left out.
	MaxFindings int
}

func (o Options) withDefaults() Options {
	fill := func(n *int, def int) {
		if *n <= 0 {
			*n = def
		}
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = 64 << 20
	}
	if o.File == "" {
		o.File = "input"
	}
	fill(&o.MaxTools, 20_000)
	fill(&o.MaxToolBytes, 1<<20)
	fill(&o.MaxDepth, 64)
	fill(&o.MaxFindings, 100)
	return o
}

// Result is what a list came to.
type Result struct {
	// Rows are sorted by key, each key once.
	Rows []directory.Row
	// Findings name what was left out, what is missing, and what a row has no field for.
	Findings []directory.Finding
	// LeftOut counts the tools or operations that became no row although a call of them was described.
	LeftOut int
	// Incomplete says that the source has more than could be had of it, such as further pages.
	Incomplete bool
	// NotCarried counts by kind what the source says and a row has no place for, by name of the kind.
	NotCarried []Count
}

// DeprecatedBySource is the deprecation of a row whose document calls the operation deprecated.
const DeprecatedBySource = "its document calls it deprecated"

// Count is how often something was found.
type Count struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

// Tools reads a list of tools. These shapes are told apart by themselves, nested or not:
//
//   - an MCP tools/list answer, {"tools": [...]}, bare or within its JSON-RPC response
//     (modelcontextprotocol.io/specification, server/tools), with inputSchema, outputSchema, annotations;
//   - an object of server names to such answers or lists, or servers that each hold "tools";
//   - a JSON array, or JSON Lines, of tools that name their "server" or "class";
//   - {"type":"function","function":{name, description, parameters}}, or that function alone;
//   - function documents with "parameters" and "response";
//   - "arguments": [{name, type, desc, required or optional}] in place of a schema;
//   - bare names, as strings.
//
// A row's key is "<server>/<name>", with "%" and what would make two keys one written as %XX. The
// first of several tools with one key stays. Errors are a list over a cap, one that is no JSON, and
// one that holds no tool.
func Tools(r io.Reader, opts Options) (*Result, error) {
	opts = opts.withDefaults()
	data, err := io.ReadAll(io.LimitReader(r, opts.MaxBytes+1))
	if err != nil {
		return nil, fmt.Errorf("cannot read the tool list %s: %w", opts.File, err)
	}
	if int64(len(data)) > opts.MaxBytes {
		return nil, fmt.Errorf("the tool list %s is larger than %d bytes; split it", opts.File, opts.MaxBytes)
	}
	im := newReader(opts, bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	if err := im.read(); err != nil {
		return nil, fmt.Errorf("tool list %s: %w", opts.File, err)
	}
	return im.result(), nil
}

// result is what was read, in the order of keys.
func (r *reader) result() *Result {
	slices.SortFunc(r.rows, func(a, b directory.Row) int { return strings.Compare(a.Key, b.Key) })
	return &Result{Rows: r.rows, Findings: r.remarks.list(), NotCarried: r.remarks.notCarried(), LeftOut: r.leftOut, Incomplete: r.incomplete}
}

var errNoTools = errors.New(`it holds no tools; a list is {"tools": [...]}, an array or lines of {"server", "name", "description", "inputSchema"}, or an object of servers`)

// Write writes rows as JSON Lines. directory.Load reads them back to the same rows.
func Write(w io.Writer, rows []directory.Row) error {
	for _, row := range rows {
		line, err := encode(row)
		if err == nil {
			_, err = w.Write(line)
		}
		if err != nil {
			return fmt.Errorf("cannot write row %s: %w", row.Key, err)
		}
	}
	return nil
}

// encode is a row as one line, its end included.
func encode(row directory.Row) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(row)
	return b.Bytes(), err
}
