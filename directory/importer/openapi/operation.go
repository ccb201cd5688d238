package openapi

// This file makes the row of one operation.

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pb33f/go-yaml"

	"codemode/directory"
	"codemode/directory/importer"
)

// methods are the members of a path item that are operations.
var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"}

// errTooLarge ends a schema that no row could hold, errNoRoom a row that the others leave no place for.
var (
	errTooLarge = errors.New("its schemas together are larger than a row may be")
	errNoRoom   = errors.New("the document's rows together are larger than a file of rows may be")
)

// operations reads every path.
func (d *document) operations() error {
	d.extras()
	var all []*operation
	for _, path := range d.pairs(d.get(d.root, "paths")) {
		if strings.HasPrefix(path.name, "x-") {
			continue
		}
		item, err := d.resolve(path.value)
		if err == nil {
			err = dotSegments(path.name)
		}
		if err != nil || !isMapping(item) {
			d.findings.fail(path.name, path.line, "bad_path", "correct it in the document", "the path %s is left out: %s", clip(path.name), reason(err, "it is no object"))
			continue
		}
		d.strays(path, item)
		for _, member := range d.pairs(item) {
			if !slices.Contains(methods, member.name) {
				continue
			}
			if all = append(all, &operation{d: d, path: path.name, method: strings.ToUpper(member.name), item: item, node: member.value, line: member.line}); len(all) > d.opts.MaxOperations {
				return fmt.Errorf("it holds more than %d operations", d.opts.MaxOperations)
			}
		}
	}
	d.share(len(all))
	for _, o := range all {
		o.take()
	}
	if len(all) == 0 && d.findings.failed == 0 {
		return errors.New("it holds no operation under paths")
	}
	return nil
}

// itemFields are the members of a path item that are no operations.
var itemFields = []string{"$ref", "summary", "description", "servers", "parameters"}

// strays reports members of a path that would be operations and are none: methods that 3.0 and 3.1 do not
// know or that are spelled otherwise, and those beside a reference, which stands for the whole item.
func (d *document) strays(path pair, item *yaml.Node) {
	const hint = "correct it in the document"
	if own := plain(path.value); own != item {
		for _, member := range d.pairs(own) {
			if slices.Contains(methods, member.name) {
				d.findings.fail(path.name, member.line, "bad_path", hint, "%s %s is left out: it stands beside a $ref, which replaces its path", strings.ToUpper(member.name), clip(path.name))
			}
		}
	}
	for _, member := range d.pairs(item) {
		switch name := member.name; {
		case slices.Contains(methods, name), slices.Contains(itemFields, name), strings.HasPrefix(name, "x-"):
		case isMapping(member.value):
			d.findings.fail(path.name, member.line, "bad_path", hint, "%s of the path %s is left out: OpenAPI %s knows no such method", clip(name), clip(path.name), clip(d.version))
		default:
			d.findings.lose(path.name, member.line, "members of paths that the specification does not know", "")
		}
	}
}

// maxDecoded is how often a path is decoded while segments are looked for: gateways decode again.
const maxDecoded = 4

// dotSegments refuses a path that leads out of its server's base, or would where it is decoded.
func dotSegments(path string) error {
	for range maxDecoded {
		path, _, _ = strings.Cut(path, "?")
		for _, segment := range strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' }) {
			if name, _, _ := strings.Cut(segment, ";"); name == "." || name == ".." {
				return errors.New("it holds a dot segment (. or ..), which leads to another path than it says")
			}
		}
		path = decodePercent(path)
	}
	return nil
}

// decodePercent decodes what is percent-encoded right and leaves the rest.
func decodePercent(s string) string {
	return percent.ReplaceAllStringFunc(s, func(code string) string {
		n, _ := strconv.ParseUint(code[1:], 16, 8)
		return string([]byte{byte(n)})
	})
}

var percent = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)

func reason(err error, otherwise string) string {
	if err != nil {
		return err.Error()
	}
	return otherwise
}

// extras counts what stands beside the paths and becomes no row.
func (d *document) extras() {
	for _, p := range d.pairs(d.get(d.root, "webhooks")) {
		d.findings.lose("", p.line, "webhooks", "")
	}
}

// operation is one operation while its row is made.
type operation struct {
	d            *document
	path, method string
	item, node   *yaml.Node
	line         int
	key          string
	arguments    []*argument
	query        []string // name=value templates
	headers      map[string]string
	content      string
	row          directory.Row
	length       int // of the row as a line
}

// take adds the operation's row, or a finding that says why there is none.
func (o *operation) take() {
	node, err := o.d.resolve(o.node)
	if err == nil {
		o.node = node
	}
	o.key = o.name()
	if err == nil {
		err = o.make()
	}
	if err != nil {
		o.d.findings.fail(o.key, o.line, "operation_left_out", "write the row by hand, if it is needed", "%s %s is left out: %s", o.method, clip(o.path), clip(err.Error()))
		return
	}
	o.d.taken(o.key)
	o.d.take(o.length)
	o.d.rows = append(o.d.rows, o.row)
}

func (o *operation) make() error {
	if !isMapping(o.node) {
		return errors.New("it is no object")
	}
	if len(o.key) > maxKeyBytes {
		return fmt.Errorf("its key is longer than %d bytes", maxKeyBytes)
	}
	o.headers = map[string]string{}
	o.row = directory.Row{Key: o.key, Type: directory.HTTP}
	o.describe()
	base, err := o.server()
	if err != nil {
		return err
	}
	if err := o.parameters(); err != nil {
		return err
	}
	path, err := o.template()
	if err != nil {
		return err
	}
	if err := o.body(); err != nil {
		return err
	}
	o.security()
	o.row.Target = o.method + " " + base + path
	o.row.Content = o.content
	if len(o.query) > 0 {
		separator := "?"
		if strings.Contains(path, "?") {
			separator = "&"
		}
		o.row.Target += separator + strings.Join(o.query, "&")
	}
	if len(o.headers) > 0 {
		o.row.Headers = o.headers
	}
	if err := o.input(); err != nil {
		return err
	}
	o.output()
	o.others()
	return o.fits()
}

// maxKeyBytes is what directory.Load takes.
const maxKeyBytes = 200

func (o *operation) describe() {
	summary, description := strings.TrimSpace(o.d.text(o.d.get(o.node, "summary"))), strings.TrimSpace(o.d.text(o.d.get(o.node, "description")))
	switch {
	case description == "" || strings.HasPrefix(description, summary):
		o.row.Description = description
		if description == "" {
			o.row.Description = summary
		}
	case summary == "":
		o.row.Description = description
	default:
		o.row.Description = strings.TrimSuffix(summary, ".") + ". " + description
	}
	if o.row.Description == "" {
		o.d.findings.note(o.key, o.line, "missing_description", "an operation has neither summary nor description", "describe it: lint refuses the rows until it is there")
	}
	o.d.findings.note(o.key, o.line, "missing_when_to_use", "an operation does not say when to use it", "write it: search and agents go by it, and lint refuses the rows until it is there")
	for i, tag := range items(o.d.get(o.node, "tags")) {
		if i == 0 {
			o.row.Category = o.d.text(tag)
			continue
		}
		o.d.findings.lose(o.key, o.line, "tags after the first", "")
	}
	if o.d.isTrue(o.d.get(o.node, "deprecated")) {
		o.row.Deprecated = importer.DeprecatedBySource
	}
}

// others counts what an operation says besides.
func (o *operation) others() {
	for what, name := range map[string]string{"callbacks": "callbacks", "external documentation": "externalDocs"} {
		if n := o.d.get(o.node, name); isMapping(n) {
			o.d.findings.lose(o.key, n.Line, what, "")
		}
	}
}

// input makes the row's schema and example of its arguments.
func (o *operation) input() error {
	properties, required := make([]pairOf, 0, len(o.arguments)), []string{}
	var all []*converted
	size := 0
	example, complete := []pairOf{}, true
	for _, a := range o.arguments {
		if a.schema.err != nil {
			return a.schema.err
		}
		if size += len(a.schema.text) + len(a.example); size > 2*o.d.opts.MaxRowBytes { // an example may be dropped yet
			return errTooLarge
		}
		all = append(all, a.schema)
		properties = append(properties, pairOf{a.name, a.annotated()})
		if a.required {
			required = append(required, a.name)
		}
		if a.example != nil {
			example = append(example, pairOf{a.name, a.example})
		}
		complete = complete && (a.example != nil || !a.required)
	}
	defs, err := o.d.definitions(sent, all...)
	if err != nil {
		return err
	}
	members := []pairOf{{"type", json.RawMessage(`"object"`)}, {"properties", object(properties)}}
	if len(required) > 0 {
		members = append(members, pairOf{"required", encode(required)})
	}
	members = append(members, pairOf{"additionalProperties", json.RawMessage("false")})
	if defs != nil {
		members = append(members, pairOf{"$defs", defs})
	}
	o.row.InputSchema = object(members)
	if complete && len(example) > 0 {
		o.row.Examples = []json.RawMessage{object(example)}
	}
	return nil
}

// pairOf is a member of an object that is written.
type pairOf struct {
	name  string
	value json.RawMessage
}

// object writes members in their order.
func object(members []pairOf) json.RawMessage {
	out := []byte{'{'}
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, encode(m.name)...), ':'), m.value...)
	}
	return append(out, '}')
}

// fits brings a row under the caps, without its examples and its result's schema if need be.
func (o *operation) fits() error {
	full := errTooLarge
	for _, drop := range []func(){nil, func() { o.row.Examples = nil }, func() { o.row.OutputSchema = nil }} {
		if drop != nil {
			drop()
		}
		o.length = o.measured()
		switch {
		case o.length > o.d.opts.MaxRowBytes:
			full = errTooLarge
		case o.d.room(o.length):
			return nil
		default:
			full = errNoRoom
		}
		if drop == nil {
			o.d.findings.lose(o.key, o.line, "examples and result schemas of rows that are too large", "")
		}
	}
	return full
}

// measured is how long the row is as a line; where its schemas alone are over the cap, how long they are.
func (o *operation) measured() int {
	if n := len(o.row.InputSchema) + len(o.row.OutputSchema); n > o.d.opts.MaxRowBytes {
		return n
	}
	return len(encode(o.row)) + 1
}

// slug is a text as letters, digits and single underscores.
func slug(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(s) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			if gap && b.Len() > 0 {
				b.WriteByte('_')
			}
			gap = false
			b.WriteRune(r)
			continue
		}
		gap = true
	}
	return b.String()
}
