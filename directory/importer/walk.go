package importer

// This file finds the tools in a list, whatever it wraps them in.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"codemode/directory"
	"codemode/directory/contract"
)

// maxWrapping caps the levels around a tool: a response, its result, servers, a server, its tools.
const maxWrapping = 8

// owner is what the levels around a tool say of it.
type owner struct {
	server   string
	category string
	depth    int
	listed   bool // within "tools"
	mapped   bool // within an object of servers
}

// reader reads one list.
type reader struct {
	opts    Options
	data    []byte
	tools   int
	leftOut int
	// incomplete says that the list goes on where it was not read.
	incomplete bool
	rows       []directory.Row
	seen       map[string]seen // by key
	fields     map[string]bool // names of fields not carried, at most maxFields
	remarks    remarks
	lineAt     int // offset and number of the line last asked for
	lineNo     int
	err        error // ends the reading
}

// seen is the tool that took a key.
type seen struct {
	line   int
	digest string
}

func newReader(opts Options, data []byte) *reader {
	return &reader{
		opts: opts, data: data, seen: map[string]seen{}, fields: map[string]bool{}, lineNo: 1,
		remarks: remarks{file: opts.File, limit: opts.MaxFindings, kinds: map[string]*kind{}},
	}
}

// read takes the list as one JSON document, else as JSON Lines.
func (r *reader) read() error {
	whole := piece{bytes.TrimSpace(r.data), len(r.data) - len(bytes.TrimLeft(r.data, " \t\r\n"))}
	var invalid error
	if len(whole.text) == 0 {
		return errNoTools
	}
	if invalid = json.Unmarshal(whole.text, new(json.RawMessage)); invalid == nil {
		r.walk(whole, owner{})
	} else {
		r.readLines()
	}
	switch {
	case r.err != nil:
		return r.err
	case r.tools > 0:
		return nil
	case invalid != nil:
		return fmt.Errorf("it is neither JSON (%s) nor JSON Lines of tools", r.syntax(invalid, whole.at))
	}
	return errNoTools
}

func (r *reader) readLines() {
	for _, l := range lines(r.data) {
		if r.err != nil {
			return
		}
		if err := json.Unmarshal(l.text, new(json.RawMessage)); err != nil {
			r.leftOut++
			r.remarks.fail(about{line: r.line(l.at)}, "malformed_tool", "fix or remove the line", "the line is not valid JSON: %s", err)
			continue
		}
		r.walk(l, owner{})
	}
}

// syntax words a JSON error with its line.
func (r *reader) syntax(err error, base int) string {
	var s *json.SyntaxError
	if errors.As(err, &s) {
		return fmt.Sprintf("line %d: %s", 1+bytes.Count(r.data[:min(len(r.data), base+int(s.Offset))], []byte("\n")), err)
	}
	return err.Error()
}

// line counts from 1. Places are mostly asked for in order, so it goes on from the last.
func (r *reader) line(at int) int {
	if at < r.lineAt {
		r.lineAt, r.lineNo = 0, 1
	}
	r.lineNo += bytes.Count(r.data[r.lineAt:at], []byte("\n"))
	r.lineAt = at
	return r.lineNo
}

// walk takes in one value: a tool, or something around tools.
func (r *reader) walk(p piece, o owner) {
	if r.err != nil {
		return
	}
	if o.depth++; o.depth > maxWrapping {
		r.notATool(p)
		return
	}
	switch {
	case p.is('['):
		for _, item := range items(p) {
			r.walk(item, o)
		}
	case p.is('"') && (o.listed || o.depth <= 3): // deeper, any list of words would be taken for tools
		r.nameOnly(p, o)
	case p.is('{'):
		r.object(p, o)
	default:
		r.notATool(p)
	}
}

func (r *reader) notATool(p piece) {
	r.remarks.count(about{line: r.line(p.at)}, "not_a_tool", "", "a tool is an object with a name", "a value is no tool", "%d values are no tools; the first is here")
}

func (r *reader) object(p piece, o owner) {
	parts := members(p)
	values := map[string]piece{}
	for _, m := range parts {
		values[m.name] = m.value
	}
	o = o.named(values)
	tools, listed := values["tools"]
	listed = listed && (tools.is('[') || tools.is('{'))
	switch {
	case listed:
		o.listed = true
		r.answer(values, tools, o)
	case values["openapi"].is('"') || values["swagger"].is('"'):
		r.err = errors.New("it is an OpenAPI document; codemode import openapi reads those")
	case values["function"].is('{') && !values["name"].is('"'):
		r.tool(p, o)
	case values["name"].is('"'):
		r.tool(p, o)
	case values["result"].is('{') && values["jsonrpc"].is('"'):
		r.walk(values["result"], o)
	case values["error"].is('{') && values["jsonrpc"].is('"'):
		r.incomplete = true
		r.remarks.fail(about{line: r.line(p.at)}, "failed_answer", "ask the server again", "the server answered with an error, not with its tools")
	default:
		r.servers(p, parts, o)
	}
}

// answer takes in the tools of one server, or of several by name.
func (r *reader) answer(values map[string]piece, tools piece, o owner) {
	if s, ok := text(values["nextCursor"]); ok && s != "" {
		r.incomplete = true
		r.remarks.warn(about{line: r.line(tools.at)}, "incomplete_list", "fetch the pages after it too", "the list goes on on another page (nextCursor)")
	}
	if tools.is('[') {
		if s, ok := text(values["name"]); ok && o.server == "" {
			o.server = s
		}
		r.walk(tools, o)
		return
	}
	r.servers(tools, members(tools), o)
}

// servers takes in an object of server names to lists. Servers hold no servers, and nothing else
// stands beside them: a document of another sort must not become tools.
func (r *reader) servers(p piece, parts []member, o owner) {
	other := func(m member) bool { return !m.value.is('[') && !m.value.is('{') }
	if o.mapped || len(parts) == 0 || slices.ContainsFunc(parts, other) {
		r.notATool(p)
		return
	}
	for _, m := range parts {
		inner := o
		inner.server, inner.mapped = m.name, true
		r.walk(m.value, inner)
	}
}

// named adds what an object says of the tools within it.
func (o owner) named(values map[string]piece) owner {
	for _, field := range []string{"server", "server_name", "class"} {
		if s, ok := text(values[field]); ok && s != "" {
			o.server = s
			break
		}
	}
	if s, ok := text(values["category"]); ok {
		o.category = s
	}
	return o
}

// text is the value of a JSON string.
func text(p piece) (string, bool) {
	var s string
	if !p.is('"') || json.Unmarshal(p.text, &s) != nil {
		return "", false
	}
	return s, true
}

// usable reports whether a tool may be read at all: its size, nesting, and the JSON that every later
// step can take.
func (r *reader) usable(p piece, a about) (digest string, ok bool) {
	if r.tools++; r.tools > r.opts.MaxTools {
		r.err = fmt.Errorf("it holds more than %d tools at line %d; split it", r.opts.MaxTools, a.line)
		return "", false
	}
	if len(p.text) > r.opts.MaxToolBytes {
		r.remarks.fail(a, "tool_too_large", "shorten its schema", "the tool is longer than %d bytes", r.opts.MaxToolBytes)
		return "", false
	}
	if depth(p.text) > r.opts.MaxDepth {
		r.remarks.fail(a, "malformed_tool", "flatten its schema", "the tool nests more than %d deep", r.opts.MaxDepth)
		return "", false
	}
	canonical, err := contract.Canonical(p.text)
	if err != nil {
		r.remarks.fail(a, "malformed_tool", "fix or remove the tool", "the tool cannot be taken: %s", err)
		return "", false
	}
	return contract.Digest(canonical), true
}
