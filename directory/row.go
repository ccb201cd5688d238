package directory

// This file holds the row as data, before anything is inferred from it.

import "encoding/json"

// Row is one raw entry of a directory, as its author wrote it. Load fills Docs, Template and the
// position; the rest are the entry's own fields.
type Row struct {
	Key         string `json:"key"`
	Type        Type   `json:"type,omitempty"`
	Category    string `json:"category,omitempty"`
	Description string `json:"description,omitempty"`
	WhenToUse   string `json:"when_to_use,omitempty"`
	// Target is what the row reaches: "METHOD url" of http, a program of cli, a server of mcp, the
	// function's name of fn, the endpoint of agent and dispatch.
	Target string `json:"target,omitempty"`
	// TargetMap makes one row hold many operations, by name.
	TargetMap map[string]Operation `json:"target_map,omitempty"`
	// Content is documentation lines (leading "#") followed by one executable template.
	Content      string          `json:"content,omitempty"`
	InputSchema  json.RawMessage `json:"input_schema,omitempty"`
	OutputSchema json.RawMessage `json:"output_schema,omitempty"`
	// Arguments is a list of arguments without a full schema, as some catalogues give it.
	Arguments []Argument        `json:"arguments,omitempty"`
	Examples  []json.RawMessage `json:"examples,omitempty"`

	Effect      string `json:"effect,omitempty"`
	Placement   string `json:"placement,omitempty"`
	Idempotency string `json:"idempotency,omitempty"`
	// Readback and Undo name another row and say where its arguments come from: "KEY" or
	// "KEY#operation", then "arg=/result/id" or "arg=/args/id" for each argument, divided by white
	// space. The right side is a JSON Pointer (RFC 6901) into this row's arguments or result; an
	// argument that is not mapped is not given.
	//
	//	"undo": "CALENDAR_DELETE_EVENT event_id=/result/id"
	Readback   string            `json:"readback,omitempty"`
	Undo       string            `json:"undo,omitempty"`
	Sensitive  []string          `json:"sensitive,omitempty"`
	Auth       string            `json:"auth,omitempty"`
	Headers    map[string]string `json:"headers,omitempty"` // extra request headers of http rows; values may hold slots
	Deprecated string            `json:"deprecated,omitempty"`
	Version    int               `json:"version,omitempty"` // 0 means 1
	Enabled    *bool             `json:"enabled,omitempty"` // nil means true; a disabled row yields no contract

	// Docs are the documentation lines of Content; Template is the rest of it, trimmed.
	Docs     Docs   `json:"-"`
	Template string `json:"-"`
	// Observed is what recorded results say of each operation's result, "" for the row's own.
	Observed map[string]Observation `json:"-"`
	// File and Line (from 1) say where the row stands.
	File string `json:"-"`
	Line int    `json:"-"`
}

// Operation is one entry of a target_map. In JSON it is an object, or a string
// "METHOD url body" that is short for target and content.
type Operation struct {
	Target      string          `json:"target,omitempty"`
	Content     string          `json:"content,omitempty"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema,omitempty"`
	// OutputSchema describes the operation's result; the row's own is not for its operations.
	OutputSchema json.RawMessage `json:"output_schema,omitempty"`
	Effect       string          `json:"effect,omitempty"`

	// Docs are the documentation lines that stood in Content. Load moves them here, falls back to
	// them for Description, and joins a target without a host to the row's own.
	Docs Docs `json:"-"`
}

// Argument is one entry of an argument list that is less than a schema.
type Argument struct {
	Name        string `json:"name"`
	Type        string `json:"type,omitempty"`
	Description string `json:"desc,omitempty"`
	Required    *bool  `json:"required,omitempty"` // nil means unsaid
	Optional    *bool  `json:"optional,omitempty"` // the same said the other way round; Required wins
	// Items is the schema of an array's items, where the list gives one.
	Items json.RawMessage `json:"items,omitempty"`
}

// Type is the kind of a row.
type Type string

const (
	Fn       Type = "fn"       // a Go function; template is a JSON array of arguments
	HTTP     Type = "http"     // one request
	CLI      Type = "cli"      // a program in a sandbox
	Flow     Type = "flow"     // rows called one after another
	MCP      Type = "mcp"      // a tool of an MCP server
	Agent    Type = "agent"    // another agent behind an HTTP endpoint
	Dispatch Type = "dispatch" // a remote legacy dispatcher
)

// Docs are the documentation lines of a row's content, by label, in the order written. A value
// continues over following "#" lines that carry no label; in Args such lines stay lines.
type Docs struct {
	What       []string // # WHAT:
	WhenToUse  []string // # WHEN_TO_USE:
	Args       []string // # ARGS:
	Examples   []string // # EX:
	Returns    []string // # RETURNS:
	Tests      []string // # TESTS:
	Notes      []string // # NOTE:
	Effects    []string // # EFFECTS:
	Safe       bool     // # SAFE
	Idempotent bool     // # IDEMPOTENT
	Other      []string // lines without a known label
	// UnknownLabels are upper-case words that lead a line like a label and are none ("WHERE"), each
	// once, at most ten. Their lines continue the value before them.
	UnknownLabels []string
}

// IsEnabled reports whether the row is offered at all.
func (r Row) IsEnabled() bool { return r.Enabled == nil || *r.Enabled }
