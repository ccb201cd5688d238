package importer

// This file makes a row of one tool.

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"codemode/directory"
)

const (
	defaultServer = "tools"
	maxKeyBytes   = 200 // as directory.Load takes it
	maxFields     = 20  // names of fields not carried that are told apart
)

// Names under which lists give the same thing.
var (
	inputFields  = []string{"inputSchema", "input_schema", "parameters"}
	outputFields = []string{"outputSchema", "output_schema", "response"}
	textFields   = []string{"description", "desc"}
	listFields   = []string{"arguments", "args"}
	otherFields  = []string{"name", "server", "server_name", "class", "category", "type", "function", "annotations", "title", "strict"}
)

// tool is one tool while its row is being made.
type tool struct {
	r      *reader
	about  about
	values map[string]piece
	row    directory.Row
}

func (r *reader) nameOnly(p piece, o owner) {
	name, _ := text(p)
	r.take(p, map[string]piece{"name": p}, name, o)
}

func (r *reader) tool(p piece, o owner) {
	values := map[string]piece{}
	fill := func(from piece) {
		for _, m := range members(from) {
			values[m.name] = m.value
		}
	}
	fill(p)
	if f := values["function"]; f.is('{') {
		fill(f) // its own name and description are the tool's
	}
	name, _ := text(values["name"])
	r.take(p, values, name, o)
}

// take makes the row of a tool and adds it.
func (r *reader) take(p piece, values map[string]piece, name string, o owner) {
	a := about{line: r.line(p.at)}
	server := o.server
	if server == "" {
		server = r.opts.Server
	}
	if server == "" {
		server = defaultServer
		r.remarks.count(a, "no_server", "", "name the server", `a tool does not name its server; it is filed under "tools"`, `%d tools do not name their server; they are filed under "tools"`)
	}
	digest, ok := r.usable(p, a)
	if !ok {
		r.leftOut++
		return
	}
	a.key = Key(server, name)
	if strings.TrimSpace(name) == "" || len(a.key) > maxKeyBytes {
		r.leftOut++
		r.remarks.fail(about{line: a.line, key: clip(a.key)}, "bad_name", "rename the tool", "the tool's server and name must hold 1 to %d bytes together", maxKeyBytes)
		return
	}
	if !r.first(a, digest) {
		return
	}
	t := &tool{r: r, about: a, values: values, row: directory.Row{Key: a.key, Type: directory.MCP, Category: o.category, Target: server, Auth: r.opts.Auth}}
	if r.opts.Target != "" {
		t.row.Target = r.opts.Target
	}
	t.fill()
	if line, err := encode(t.row); err != nil || len(line) > r.opts.MaxToolBytes {
		r.leftOut++
		r.remarks.fail(a, "tool_too_large", "shorten its schema", "the row of the tool is longer than %d bytes", r.opts.MaxToolBytes)
		return
	}
	r.rows = append(r.rows, t.row)
}

// first reports whether the key is free, and says so where it is not.
func (r *reader) first(a about, digest string) bool {
	taken, ok := r.seen[a.key]
	switch {
	case !ok:
		r.seen[a.key] = seen{a.line, digest}
		return true
	case taken.digest == digest:
		r.remarks.warn(a, "duplicate_tool", "", "the same tool stands at line %d; it is taken once", taken.line)
	default:
		r.leftOut++
		r.remarks.fail(a, "conflicting_tool", "keep one of the two, or name their servers apart", "another tool of this server and name stands at line %d; the first is taken", taken.line)
	}
	return false
}

// Key is the key of a server's tool: "<server>/<name>". Different pairs have different keys: "%", a
// "/" in the server, control characters and white space at either end are written as %XX.
// directory.Row.MCPTool reads the name back.
func Key(server, name string) string {
	return escape(server, true) + "/" + escape(name, false)
}

func escape(s string, isServer bool) string {
	var b strings.Builder
	for i, r := range s {
		size := utf8.RuneLen(r)
		atEnd := isServer && i == 0 || !isServer && i+size == len(s)
		if r == '%' || r == '/' && isServer || unicode.IsControl(r) || r != ' ' && unicode.IsSpace(r) || r == ' ' && atEnd {
			for _, c := range []byte(s[i : i+size]) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func (t *tool) fill() {
	t.describe()
	t.row.InputSchema = t.schema(inputFields)
	t.row.OutputSchema = t.schema(outputFields)
	t.arguments()
	t.hints()
	t.leftovers()
	t.count("missing_when_to_use", "", "write it: search and agents go by it, and lint refuses the rows until it is there",
		"a tool does not say when to use it", "%d tools do not say when to use them")
}

func (t *tool) count(rule, which, hint, one, many string) {
	t.r.remarks.count(t.about, rule, which, hint, one, many)
}

// field is the first of several names that holds something.
func (t *tool) field(names []string) (piece, bool) {
	for _, n := range names {
		if v, ok := t.values[n]; ok && string(v.text) != "null" {
			return v, true
		}
	}
	return piece{}, false
}

func (t *tool) describe() {
	for _, name := range textFields {
		if s, ok := text(t.values[name]); ok && strings.TrimSpace(s) != "" {
			t.row.Description = strings.TrimSpace(s)
			break
		}
	}
	title := t.title()
	switch {
	case t.row.Description != "" && title != "":
		t.notCarried("title")
	case title != "":
		t.row.Description = title
	case t.row.Description == "":
		t.count("missing_description", "", "describe it: lint refuses the rows until it is there", "a tool has no description", "%d tools have no description")
	}
}

// title is the tool's own, or that of its annotations, where it says more than the name.
func (t *tool) title() string {
	pieces := []piece{t.values["title"]}
	for _, m := range members(orObject(t.values["annotations"])) {
		if m.name == "title" {
			pieces = append(pieces, m.value)
		}
	}
	name, _ := text(t.values["name"])
	for _, p := range pieces {
		if s, ok := text(p); ok && strings.TrimSpace(s) != "" && s != name {
			return strings.TrimSpace(s)
		}
	}
	return ""
}

// schema keeps a schema as it stands. One that is no object (or boolean) is no JSON Schema.
func (t *tool) schema(names []string) json.RawMessage {
	for _, name := range names {
		v, ok := t.values[name]
		switch {
		case !ok || string(v.text) == "null" || v.is('[') && name == "parameters": // a list of arguments
		case v.is('{') || v.is('t') || v.is('f'):
			raw, err := compact(v.text)
			if err == nil {
				return raw
			}
			t.r.remarks.fail(t.about, "bad_schema", "", "%s: %s", name, err)
		default:
			t.r.remarks.fail(t.about, "bad_schema", "give a JSON Schema document", "%s is neither an object nor true or false; it is left out", name)
		}
	}
	return nil
}

// arguments carries a list of arguments.
func (t *tool) arguments() {
	list, ok := t.field(listFields)
	if p := t.values["parameters"]; !ok && p.is('[') {
		list, ok = p, true
	}
	if !ok {
		return
	}
	if !list.is('[') {
		t.r.remarks.fail(t.about, "bad_arguments", "give [{name, type, desc}]", "arguments is no list; it is left out")
		return
	}
	entries := items(list)
	if len(entries) == 0 && t.row.InputSchema == nil {
		// Catalogues give an empty list to tools whose arguments nobody wrote down.
		t.count("empty_arguments", "", "give an inputSchema without properties if it takes none",
			"a tool has an empty list of arguments; which it takes is unknown", "%d tools have an empty list of arguments; which they take is unknown")
	}
	for _, e := range entries {
		if a, ok := t.argument(e); ok {
			t.row.Arguments = append(t.row.Arguments, a)
		}
	}
}

func (t *tool) argument(p piece) (directory.Argument, bool) {
	if name, ok := text(p); ok && name != "" {
		return directory.Argument{Name: name}, true
	}
	var a directory.Argument
	if p.is('{') {
		for _, m := range members(p) {
			if !t.argumentField(&a, m) {
				t.notCarried("arguments." + m.name)
			}
		}
	}
	if a.Name == "" {
		t.r.remarks.fail(t.about, "bad_arguments", "give it a name", "an argument has no name; it is left out")
		return a, false
	}
	return a, true
}

// argumentField sets one field; false means that the row cannot carry it.
func (t *tool) argumentField(a *directory.Argument, m member) bool {
	if string(m.value.text) == "null" {
		return true
	}
	var err error
	switch m.name {
	case "name":
		err = json.Unmarshal(m.value.text, &a.Name)
	case "desc", "description":
		err = json.Unmarshal(m.value.text, &a.Description)
	case "required":
		err = json.Unmarshal(m.value.text, &a.Required)
	case "optional":
		err = json.Unmarshal(m.value.text, &a.Optional)
	case "type":
		a.Type, err = typeWords(m.value)
	case "items":
		a.Items, err = compact(m.value.text)
	default:
		return false
	}
	return err == nil
}

// typeWords is a type as written, or several as "a | b".
func typeWords(p piece) (string, error) {
	if s, ok := text(p); ok {
		return s, nil
	}
	var several []string
	err := json.Unmarshal(p.text, &several)
	return strings.Join(several, " | "), err
}

// hints turns a server's own annotations into notes. They say nothing that a policy may go by
// (modelcontextprotocol.io/specification: annotations are untrusted).
func (t *tool) hints() {
	var lines []string
	note := func(format string, args ...any) { lines = append(lines, "# NOTE: "+fmt.Sprintf(format, args...)) }
	for _, m := range members(orObject(t.values["annotations"])) {
		switch said := string(m.value.text); {
		case m.name == "readOnlyHint" && said == "true":
			note("its server says that it only reads (readOnlyHint); unconfirmed")
			t.count("read_only_hint", "", `set "effect":"read" on those that really only read`,
				"a tool claims that it only reads", "%d tools claim that they only read")
		case m.name == "idempotentHint" && said == "true":
			note("its server says that repeating a call changes nothing more (idempotentHint); unconfirmed")
		case m.name == "destructiveHint" && said == "true":
			note("its server says that it may destroy (destructiveHint)")
		case said == "null" || slices.Contains([]string{"title", "readOnlyHint", "idempotentHint", "destructiveHint", "openWorldHint"}, m.name):
		default:
			t.notCarried("annotations." + m.name)
		}
	}
	slices.Sort(lines)
	t.row.Content = strings.Join(lines, "\n")
	t.row.Docs, t.row.Template = directory.ParseDocs(t.row.Content)
}

func orObject(p piece) piece {
	if p.is('{') {
		return p
	}
	return piece{text: []byte("{}")}
}

// leftovers reports the fields that no row has.
func (t *tool) leftovers() {
	known := slices.Concat(inputFields, outputFields, textFields, listFields, otherFields)
	for _, name := range slices.Sorted(maps.Keys(t.values)) {
		if string(t.values[name].text) != "null" && !slices.Contains(known, name) {
			t.notCarried(name)
		}
	}
}

func (t *tool) notCarried(field string) {
	field = clip(field)
	if !t.r.fields[field] && len(t.r.fields) >= maxFields {
		field = "other fields"
	}
	t.r.fields[field] = true
	t.count("not_carried", field, "", fmt.Sprintf("a row has no place for %q; it is left out", field),
		strings.ReplaceAll(fmt.Sprintf("a row has no place for %q; it is left out of ", field), "%", "%%")+"%d tools")
}

// clip keeps names short within messages.
func clip(s string) string {
	if len(s) <= 80 {
		return s
	}
	return strings.ToValidUTF8(s[:80], "") + "..."
}
