package openapi

// This file turns parameters into arguments and the places of the template that they fill.

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/textproto"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/pb33f/go-yaml"
)

// argument is one argument of a row.
type argument struct {
	name        string // in the schema, and in the template's braces
	required    bool
	schema      *converted
	description string
	deprecated  bool
	example     json.RawMessage // nil for none
}

// annotated is the argument's schema with what its parameter says of it.
func (a *argument) annotated() json.RawMessage {
	schema := a.schema.text
	if a.description != "" {
		schema = with(schema, "description", encode(a.description))
	}
	if a.deprecated {
		schema = with(schema, "deprecated", json.RawMessage("true"))
	}
	if a.example != nil {
		schema = with(schema, "examples", append(append(json.RawMessage("["), a.example...), ']'))
	}
	return schema
}

// maxArguments is what the slots of a template can number.
const maxArguments = 99

// parameters reads those of the path and of the operation, which wins over the path's of one name and place.
func (o *operation) parameters() error {
	type key struct{ in, name string }
	nodes := map[key]*yaml.Node{}
	var order []key
	for _, list := range []*yaml.Node{o.d.get(o.item, "parameters"), o.d.get(o.node, "parameters")} {
		for _, n := range items(list) {
			p, err := o.d.resolve(n)
			if err != nil {
				return fmt.Errorf("a parameter: %w", err)
			}
			k := key{o.d.text(o.d.get(p, "in")), o.d.text(o.d.get(p, "name"))}
			if !isMapping(p) || k.in == "" || k.name == "" {
				return errors.New("a parameter has no name or no place")
			}
			if nodes[k] == nil {
				order = append(order, k)
			}
			nodes[k] = p
		}
	}
	for _, k := range order {
		if err := o.parameter(nodes[k], k.in, k.name); err != nil {
			return err
		}
	}
	return nil
}

// parameter carries one, or says that it can't: a required one takes the operation with it.
func (o *operation) parameter(n *yaml.Node, in, name string) error {
	p := &parameter{node: n, in: in, name: name, required: o.d.isTrue(o.d.get(n, "required")) || in == "path", schema: o.d.get(n, "schema")}
	if content := o.d.pairs(o.d.get(n, "content")); p.schema == nil && len(content) > 0 {
		p.schema, p.json = o.d.get(content[0].value, "schema"), true
	}
	p.scalar = o.d.isScalar(p.schema)
	p.style, p.explode = o.style(p)
	var what string
	switch in {
	case "path":
		what = o.inPath(p)
	case "query":
		what = o.inQuery(p)
	case "header":
		what = o.inHeader(p)
	case "cookie":
		what = o.inCookie(p)
	default:
		what = "parameters in an unknown place"
	}
	switch {
	case what == "":
		return nil
	case p.required:
		return fmt.Errorf("its required parameter %s can't be written: %s", clip(name), what)
	}
	o.d.findings.lose(o.key, n.Line, what, "")
	return nil
}

// parameter is a parameter of the document.
type parameter struct {
	node     *yaml.Node
	in, name string
	required bool
	schema   *yaml.Node
	scalar   bool // neither list nor object
	json     bool // its value is written as JSON
	style    string
	explode  bool
}

// style is the parameter's own, or the default of its place (OpenAPI, parameter object).
func (o *operation) style(p *parameter) (style string, explode bool) {
	style = o.d.text(o.d.get(p.node, "style"))
	if style == "" {
		style = map[string]string{"query": "form", "cookie": "form"}[p.in]
	}
	if style == "" {
		style = "simple"
	}
	explode = style == "form"
	if e := o.d.get(p.node, "explode"); e != nil {
		explode = o.d.isTrue(e)
	}
	return style, explode
}

// add makes the argument and returns the name that stands in the template's braces.
func (o *operation) add(p *parameter, description string) string {
	a := &argument{
		name: o.free(p.name, p.in), required: p.required, schema: o.d.convert(p.schema, sent),
		description: description, deprecated: o.d.isTrue(o.d.get(p.node, "deprecated")), example: o.example(p.node, p.schema),
	}
	o.arguments = append(o.arguments, a)
	return a.name
}

func (o *operation) addParameter(p *parameter) string {
	return o.add(p, strings.TrimSpace(o.d.text(o.d.get(p.node, "description"))))
}

var nameable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.\[\]-]*$`)

// free is a name for an argument that no other has and that can stand in braces.
func (o *operation) free(name, in string) string {
	taken := func(n string) bool {
		return slices.ContainsFunc(o.arguments, func(a *argument) bool { return a.name == n })
	}
	want := name
	if !nameable.MatchString(want) {
		if want = slug(name); want == "" || want[0] >= '0' && want[0] <= '9' {
			want = strings.TrimSuffix("arg_"+want, "_")
		}
	}
	if taken(want) {
		want += "_" + in
	}
	for base, n := want, 2; taken(want); n++ {
		want = fmt.Sprintf("%s_%d", base, n)
	}
	if want != name {
		o.d.findings.note(o.key, o.line, "renamed_argument", "an argument has another name than its parameter, which another has or braces can't hold", "")
	}
	return want
}

// example is the one that a parameter or media type gives, else its schema's.
func (o *operation) example(n, schema *yaml.Node) json.RawMessage {
	found := o.d.get(n, "example")
	if found == nil {
		for _, p := range o.d.pairs(o.d.get(n, "examples")) {
			if e, err := o.d.resolve(p.value); err == nil {
				found = o.d.get(e, "value")
			}
			break
		}
	}
	if found == nil {
		if target, err := o.d.resolve(schema); err == nil {
			found = o.d.get(target, "example")
			if list := items(o.d.get(target, "examples")); found == nil && len(list) > 0 {
				found = list[0]
			}
		}
	}
	if found == nil {
		return nil
	}
	raw, err := o.d.value(found)
	if err != nil {
		return nil
	}
	return raw
}

func (o *operation) inPath(p *parameter) string {
	place := "{" + p.name + "}"
	if !strings.Contains(o.path, place) {
		p.required = false
		return "path parameters that their path does not hold"
	}
	prefix, mode := "", ""
	switch {
	case p.style == "label" && p.scalar:
		prefix = "."
	case p.style == "matrix" && p.scalar:
		prefix = ";" + wire(p.name) + "="
	case p.style != "simple":
		return "path parameters of style " + styleName(p.style) + " that are lists or objects"
	case !p.scalar && p.explode && slices.Contains(o.d.types(p.schema), "object"):
		return "exploded objects in a path"
	case !p.scalar && !p.json:
		mode = ","
	}
	if strings.ContainsAny(p.name, "/{}") {
		return "path parameters with a slash or brace in their name"
	}
	o.path = strings.ReplaceAll(o.path, place, prefix+"\x00"+o.addParameter(p)+mode+"\x01")
	return ""
}

// styleName keeps the words of a document out of the closed list of kinds.
func styleName(style string) string {
	if slices.Contains([]string{"label", "matrix", "deepObject", "spaceDelimited", "pipeDelimited", "form", "simple"}, style) {
		return style
	}
	return "unknown"
}

func (o *operation) inQuery(p *parameter) string {
	mode, what := o.pairMode(p)
	if what != "" {
		return what
	}
	if o.d.isTrue(o.d.get(p.node, "allowReserved")) {
		o.d.findings.lose(o.key, p.node.Line, "allowReserved: reserved characters are percent-encoded all the same", "")
	}
	o.query = append(o.query, wire(p.name)+"={"+o.addParameter(p)+mode+"}")
	return ""
}

// pairMode is how a query or form pair writes a list or object.
func (o *operation) pairMode(p *parameter) (mode, what string) {
	switch {
	case p.json || p.scalar:
		return "", ""
	case p.style == "form" && !p.explode:
		return ",", ""
	case p.style == "form", p.explode && (p.style == "spaceDelimited" || p.style == "pipeDelimited"):
		return "*", ""
	}
	return "", "parameters of style " + styleName(p.style)
}

func (o *operation) inHeader(p *parameter) string {
	name := textproto.CanonicalMIMEHeaderKey(p.name)
	switch {
	case slices.Contains([]string{"Accept", "Content-Type", "Authorization"}, name):
		p.required = false
		return "header parameters that the specification ignores (Accept, Content-Type, Authorization)"
	case slices.Contains([]string{"Host", "Content-Length", "Transfer-Encoding", "Connection", "Upgrade", "Te", "Trailer", "Keep-Alive", "Proxy-Authorization", "Proxy-Connection", "Expect", "Accept-Encoding", "Cookie"}, name):
		return "header parameters that belong to the connection"
	case !token.MatchString(p.name):
		return "header parameters whose name is none"
	case o.headers[name] != "":
		return "header parameters given twice"
	case !p.scalar && p.explode && slices.Contains(o.d.types(p.schema), "object"):
		return "exploded objects in a header"
	}
	mode := ","
	if p.scalar || p.json {
		mode = ""
	}
	o.headers[name] = "{" + o.addParameter(p) + mode + "}"
	return ""
}

var token = regexp.MustCompile("^[!#$%&'*+.^_`|~0-9A-Za-z-]+$")

// inCookie writes a cookie that every call has. An absent one could not be left out of the header.
func (o *operation) inCookie(p *parameter) string {
	if !p.required || !p.scalar || !token.MatchString(p.name) || strings.Contains(p.name, "$") {
		return "cookie parameters that are optional, lists or objects"
	}
	o.cookie(p.name + "={" + o.addParameter(p) + "}")
	return ""
}

func (o *operation) cookie(pair string) {
	if have := o.headers["Cookie"]; have != "" {
		pair = have + "; " + pair
	}
	o.headers["Cookie"] = pair
}

// wire is a name as it stands in a query or form, with nothing in it that a template reads.
func wire(name string) string { return strings.ReplaceAll(url.QueryEscape(name), "+", "%20") }

// template is the path with its arguments in braces and everything else as literal text.
func (o *operation) template() (string, error) {
	if !strings.HasPrefix(o.path, "/") {
		o.path = "/" + o.path
	}
	if strings.Contains(o.path, "#") {
		return "", errors.New("its path holds a fragment, which is never sent")
	}
	for _, m := range unfilled.FindAllString(o.path, -1) {
		o.d.findings.note(o.key, o.line, "undeclared_parameter", "a path holds a parameter that is not declared; it is taken as a required text", "declare it in the document")
		name := m[1 : len(m)-1]
		p := &parameter{name: name, in: "path", required: true, schema: textSchema(), scalar: true}
		o.path = strings.ReplaceAll(o.path, m, "\x00"+o.add(p, "")+"\x01")
	}
	literal := strings.NewReplacer("$", "%24", "{", "%7B", "}", "%7D", "\x00", "{", "\x01", "}")
	return literal.Replace(o.path), nil
}

var unfilled = regexp.MustCompile(`\{[^{}/]+\}`)
