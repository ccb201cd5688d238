package directory

// This file reads one entry into a Row, naming everything that is wrong with it at once.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"codemode/directory/template"
)

// fault is one thing wrong with an entry.
type fault struct {
	rule    string
	message string
	hint    string
	offset  int  // into the entry, 0 for unknown
	warning bool // the entry is not wrong
	drops   bool // a warning for which the entry is a page and no row
}

// maxKeyBytes caps a row's key, maxOperations the entries of a target_map.
const (
	maxKeyBytes   = 200
	maxOperations = 1000
)

func decodeRow(text []byte, maxDepth int) (Row, []fault) {
	if f := checkJSON(text, maxDepth); f != nil {
		return Row{}, []fault{*f}
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil || fields == nil {
		return Row{}, []fault{{rule: "malformed_row", message: "an entry must be a JSON object"}}
	}
	var row Row
	faults := setFields(&row, fields)
	row.Docs, row.Template = ParseDocs(row.Content)
	row.fallBack()
	row.settleOperations()
	faults = append(faults, row.checkKey(fields)...)
	if !slices.ContainsFunc(faults, func(f fault) bool { return !f.warning }) {
		faults = append(faults, row.checkType()...)
	}
	return row, faults
}

// checkJSON finds what encoding/json would let pass: bad UTF-8, duplicate names, deep nesting.
func checkJSON(text []byte, maxDepth int) *fault {
	if at := invalidUTF8(text); at >= 0 {
		return &fault{rule: "malformed_row", message: "not valid UTF-8", offset: at}
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	c := jsonChecker{dec: dec, maxDepth: maxDepth}
	err := c.value(1)
	if err == nil {
		if _, end := dec.Token(); end != io.EOF {
			err = errors.New("text after the object")
		}
	}
	if err == nil {
		return nil
	}
	offset := int(dec.InputOffset())
	var syntax *json.SyntaxError
	if whole := json.Unmarshal(text, new(json.RawMessage)); errors.As(whole, &syntax) {
		// Its offset counts from the start of the entry, that of a decoder's token does not.
		err, offset = whole, max(0, int(syntax.Offset)-1)
		if strings.HasPrefix(err.Error(), "unexpected end") {
			err, offset = errors.New("the entry ends too early"), len(text)
		}
	}
	return &fault{rule: "malformed_row", message: "not valid JSON: " + err.Error(), offset: offset, hint: "fix or remove the entry"}
}

func invalidUTF8(text []byte) int {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

type jsonChecker struct {
	dec      *json.Decoder
	maxDepth int
}

func (c jsonChecker) value(depth int) error {
	tok, err := c.dec.Token()
	if err != nil {
		return err
	}
	delim, ok := tok.(json.Delim)
	if !ok {
		return nil
	}
	if depth > c.maxDepth {
		return fmt.Errorf("nested more than %d deep", c.maxDepth)
	}
	seen := map[string]bool{}
	for c.dec.More() {
		if delim == '{' {
			name, err := c.dec.Token()
			if err != nil {
				return err
			}
			if seen[name.(string)] {
				return fmt.Errorf("name %q stands twice in an object", name)
			}
			seen[name.(string)] = true
		}
		if err := c.value(depth + 1); err != nil {
			return err
		}
	}
	_, err = c.dec.Token()
	return err
}

// setFields decodes each field on its own, so that every wrong one is named.
func setFields(row *Row, fields map[string]json.RawMessage) []fault {
	var faults []fault
	known := fieldsOf(reflect.TypeFor[Row]())
	target := reflect.ValueOf(row).Elem()
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		index, ok := known[name]
		if !ok {
			faults = append(faults, unknownField("row", name, known))
			continue
		}
		if string(fields[name]) == "null" {
			continue
		}
		if err := json.Unmarshal(fields[name], target.Field(index).Addr().Interface()); err != nil {
			faults = append(faults, wrongField(name, fields[name], target.Field(index).Type(), err)...)
		}
	}
	return append(faults, checkOperations(fields["target_map"])...)
}

// wrongField names what of a field cannot be read: each wrong member of an object, else the field.
func wrongField(name string, raw json.RawMessage, t reflect.Type, err error) []fault {
	var members map[string]json.RawMessage
	if t.Kind() != reflect.Map || json.Unmarshal(raw, &members) != nil {
		return []fault{{rule: "malformed_row", message: fmt.Sprintf("field %s: %s", name, wrongType(err)), hint: fieldHint}}
	}
	var faults []fault
	for _, member := range slices.Sorted(maps.Keys(members)) {
		if len(faults) == maxWrongMembers {
			break
		}
		if err := json.Unmarshal(members[member], reflect.New(t.Elem()).Interface()); err != nil {
			faults = append(faults, wrongField(name+"."+member, members[member], t.Elem(), err)...)
		}
	}
	return faults
}

// maxWrongMembers caps the wrong members that are named of one field.
const maxWrongMembers = 20

const fieldHint = "see the row's fields in the documentation"

// fieldsOf maps the JSON names of a struct to its field indexes.
func fieldsOf(t reflect.Type) map[string]int {
	out := map[string]int{}
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name != "" && name != "-" {
			out[name] = i
		}
	}
	return out
}

// checkOperations warns of unknown fields in the objects of a target_map.
func checkOperations(raw json.RawMessage) []fault {
	var operations map[string]json.RawMessage
	if raw == nil || json.Unmarshal(raw, &operations) != nil {
		return nil // setFields has named it
	}
	if len(operations) > maxOperations {
		return []fault{{rule: "malformed_row", message: fmt.Sprintf("target_map holds more than %d operations", maxOperations)}}
	}
	known := fieldsOf(reflect.TypeFor[Operation]())
	var faults []fault
	for _, name := range slices.Sorted(maps.Keys(operations)) {
		var fields map[string]json.RawMessage
		if json.Unmarshal(operations[name], &fields) != nil {
			continue
		}
		for _, field := range slices.Sorted(maps.Keys(fields)) {
			if _, ok := known[field]; !ok {
				faults = append(faults, unknownField("operation "+name, field, known))
			}
		}
	}
	return faults
}

func unknownField(of, name string, known map[string]int) fault {
	f := fault{rule: "unknown_field", warning: true, message: fmt.Sprintf("%s has an unknown field %q", of, name)}
	if near := nearest(name, slices.Sorted(maps.Keys(known))); near != "" {
		f.hint = fmt.Sprintf("did you mean %q?", near)
	}
	return f
}

// wrongType words a type error for someone who never saw the Go struct.
func wrongType(err error) string {
	var t *json.UnmarshalTypeError
	if !errors.As(err, &t) {
		return err.Error()
	}
	want := map[reflect.Kind]string{reflect.String: "a string", reflect.Bool: "true or false", reflect.Int: "an integer",
		reflect.Slice: "an array", reflect.Map: "an object", reflect.Struct: "an object"}[t.Type.Kind()]
	if t.Type == reflect.TypeFor[plainOperation]() {
		want = `an object, or "METHOD url body"`
	}
	where := ""
	if t.Field != "" {
		where = t.Field + ": "
	}
	return fmt.Sprintf("%swant %s, got %s", where, want, t.Value)
}

// fallBack takes description and when_to_use from the documentation lines, also where the field is
// those lines' beginning, torn off at "e.g.".
func (r *Row) fallBack() {
	r.Description = fuller(r.Description, r.Docs.Text())
	r.WhenToUse = fuller(r.WhenToUse, strings.Join(r.Docs.WhenToUse, " "))
}

func fuller(field, docs string) string {
	field = strings.TrimSpace(field)
	if field == "" || isTorn(field) && strings.HasPrefix(docs, field) {
		return docs
	}
	return field
}

func (r *Row) checkKey(fields map[string]json.RawMessage) []fault {
	if fields["key"] != nil && r.Key == "" && string(fields["key"]) != `""` && string(fields["key"]) != "null" {
		return nil // named as a wrong type already
	}
	switch {
	case strings.TrimSpace(r.Key) == "":
		return []fault{{rule: "missing_key", message: "the row has no key", hint: `add "key"`}}
	case len(r.Key) > maxKeyBytes:
		return []fault{{rule: "malformed_row", message: fmt.Sprintf("key is longer than %d bytes", maxKeyBytes)}}
	case strings.TrimSpace(r.Key) != r.Key, strings.ContainsFunc(r.Key, unicode.IsControl):
		return []fault{{rule: "malformed_row", message: "key has white space at its ends or control characters"}}
	case r.Version < 0:
		return []fault{{rule: "malformed_row", message: "version is negative"}}
	}
	return nil
}

// documents is the fault of an entry that has nothing to call, whatever type it was given.
func documents() fault {
	return fault{rule: "documentation_row", warning: true, drops: true, message: "the row is documentation only; there is nothing to call", hint: "give it a target or a template if it is to be called"}
}

// checkType settles the row's type: as written, in any case, or what the row makes evident.
func (r *Row) checkType() []fault {
	if r.Type == "" {
		if r.Type = r.evidentType(); r.Type == "" && r.isDocumentation() {
			return []fault{documents()}
		}
		if r.Type == "" {
			return []fault{{rule: "missing_type", message: "the row has no type, and none is evident", hint: "add \"type\": " + typeHint}}
		}
		return []fault{{rule: "inferred_type", warning: true, message: fmt.Sprintf("the row has no type; it reads like one of type %s and is taken so", r.Type), hint: fmt.Sprintf("add \"type\":%q", r.Type)}}
	}
	written := r.Type
	if r.Type = Type(strings.ToLower(strings.TrimSpace(string(written)))); r.Type.Known() {
		if r.isDocumentation() && r.Type != Fn && r.Type != MCP { // those two are called by their key
			return []fault{documents()}
		}
		return nil
	}
	types := []string{string(Fn), string(HTTP), string(CLI), string(Flow), string(MCP), string(Agent), string(Dispatch)}
	f := fault{rule: "unknown_type", message: fmt.Sprintf("unknown row type %q", written), hint: "use " + typeHint}
	if near := nearest(string(r.Type), types); near != "" {
		f.hint = fmt.Sprintf("did you mean %q? The types are %s", near, typeHint)
	}
	return []fault{f}
}

// typeHint says what each type is for.
const typeHint = "fn (a Go function of the service), http (a request), cli (a program), flow (rows one after another), " +
	"mcp (a tool of an MCP server), agent (another agent's endpoint), dispatch (a remote dispatcher)"

// isDocumentation reports whether the row says nothing about what to call. A flow's target says nothing.
func (r *Row) isDocumentation() bool {
	return (r.Target == "" || r.Type == Flow) && r.Template == "" && len(r.TargetMap) == 0 && r.InputSchema == nil && len(r.Arguments) == 0
}

var (
	httpTarget = regexp.MustCompile(`(?i)^((GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\s+\S|https?://)`)
	// anyMethod matches a target that is a request whatever its method says.
	anyMethod = regexp.MustCompile(`^[A-Z-]+\s+https?://`)
)

// evidentType infers what only one type can mean; "" where nothing does.
func (r *Row) evidentType() Type {
	switch {
	case len(r.TargetMap) > 0, httpTarget.MatchString(r.Target), anyMethod.MatchString(r.Target):
		return HTTP
	case strings.HasPrefix(r.Template, "[") && parses(template.Fn, r.Template):
		return Fn
	case flowShape.MatchString(r.Template) && parses(template.Flow, r.Template):
		return Flow
	}
	return ""
}

// flowShape matches at least two steps.
var flowShape = regexp.MustCompile(`(?s)^[A-Z][A-Z0-9_.]*(:.*)?\s*>\s*[A-Z][A-Z0-9_.]*`)

func parses(kind template.Kind, content string) bool {
	_, err := template.Parse(template.Source{Kind: kind, Content: content})
	return err == nil
}

var keyRE = regexp.MustCompile(`"key"\s*:\s*"([^"\\[:cntrl:]]{1,200})"`)

// guessKey finds the key in text that need not be JSON.
func guessKey(text []byte) string {
	if m := keyRE.FindSubmatch(text[:min(len(text), 1<<16)]); m != nil && utf8.Valid(m[1]) {
		return string(m[1])
	}
	return ""
}
