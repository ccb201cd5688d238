package openapi

// This file carries request bodies and responses.

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pb33f/go-yaml"
)

// body makes the template's content, and the arguments in it, of a request body.
func (o *operation) body() error {
	n := o.d.get(o.node, "requestBody")
	if n == nil {
		return nil
	}
	n, err := o.d.resolve(n)
	if err != nil {
		return fmt.Errorf("its body: %w", err)
	}
	required := o.d.isTrue(o.d.get(n, "required"))
	media, kind := choose(o.d.pairs(o.d.get(n, "content")))
	if len(o.d.pairs(o.d.get(n, "content"))) > 1 {
		o.d.findings.lose(o.key, n.Line, "request media types beside the one that is sent", "")
	}
	b := &requestBody{o: o, node: n, media: media.value, required: required, schema: o.d.get(media.value, "schema")}
	what := ""
	switch kind {
	case jsonMedia:
		b.json(media.name)
	case formMedia:
		what = b.form()
	case textMedia:
		b.text(media.name)
	case multipartMedia:
		what = "multipart bodies"
	default:
		what = "bodies without a media type"
	}
	switch {
	case what != "" && required:
		return fmt.Errorf("its required body can't be written: %s", what)
	case what != "":
		o.d.findings.lose(o.key, n.Line, what, "")
	}
	if len(o.arguments) > maxArguments {
		return fmt.Errorf("it takes %d arguments, more than %d", len(o.arguments), maxArguments)
	}
	return nil
}

type mediaKind int

const (
	noMedia mediaKind = iota
	multipartMedia
	textMedia
	formMedia
	jsonMedia
)

// choose is the media type that a template writes best: JSON, a form, else one text.
func choose(content []pair) (pair, mediaKind) {
	best, kind := pair{}, noMedia
	for _, c := range content {
		if k := kindOf(c.name); k > kind || k == jsonMedia && kind == jsonMedia && base(c.name) == "application/json" && base(best.name) != "application/json" {
			best, kind = c, k
		}
	}
	return best, kind
}

func base(media string) string {
	media, _, _ = strings.Cut(media, ";")
	return strings.ToLower(strings.TrimSpace(media))
}

func kindOf(media string) mediaKind {
	switch m := base(media); {
	case m == "application/json" || m == "text/json" || strings.HasSuffix(m, "+json") || m == "*/*" || m == "application/*":
		return jsonMedia
	case m == "application/x-www-form-urlencoded":
		return formMedia
	case strings.HasPrefix(m, "multipart/"):
		return multipartMedia
	}
	return textMedia
}

// requestBody is one while its template is made.
type requestBody struct {
	o        *operation
	node     *yaml.Node
	media    *yaml.Node
	required bool
	schema   *yaml.Node
}

// json writes each property at its place where the body is a plain object, else the whole body.
func (b *requestBody) json(media string) {
	if m := base(media); m != "application/json" && !strings.Contains(m, "*") {
		b.o.headers["Content-Type"] = media
	}
	properties, ok := b.properties()
	if !ok {
		b.whole()
		return
	}
	var members []string
	for _, p := range properties {
		members = append(members, jsonName(p.name)+":{"+b.argument(p)+"}")
	}
	b.o.content = "{" + strings.Join(members, ",") + "}"
}

// jsonName is a quoted name in which a template reads no slot.
func jsonName(name string) string {
	return strings.NewReplacer("$", `\u0024`, "{", `\u007b`).Replace(string(encode(name)))
}

// properties are those of a plain object, ok false for a body that is none: one that may hold more than
// it names, is one of several, or that a call may leave out although it needs something in it.
func (b *requestBody) properties() ([]pair, bool) {
	d := b.o.d
	object, err := d.resolve(b.schema)
	if err != nil || !slices.Equal(d.types(object), []string{"object"}) || d.isTrue(d.get(object, "nullable")) {
		return nil, false
	}
	for _, p := range d.pairs(object) {
		switch p.name {
		case "allOf", "anyOf", "oneOf", "not", "if", "patternProperties", "propertyNames", "minProperties", "dependentRequired", "dependentSchemas", "unevaluatedProperties", "discriminator", "$ref", "$defs":
			return nil, false
		case "additionalProperties":
			if p.value.Kind != yaml.ScalarNode || d.isTrue(p.value) {
				return nil, false
			}
		case "type":
			if p.value.Kind != yaml.ScalarNode {
				return nil, false // ["object","null"]
			}
		}
	}
	hidden := (&schemaWriter{writer: writer{d: d}, way: sent}).hidden(object)
	all := slices.DeleteFunc(d.pairs(d.get(object, "properties")), func(p pair) bool { return slices.Contains(hidden, p.name) })
	needs := slices.DeleteFunc(b.needs(), func(n string) bool { return slices.Contains(hidden, n) })
	missing := func(n string) bool { return !slices.ContainsFunc(all, func(p pair) bool { return p.name == n }) }
	if len(all) == 0 || len(all)+len(b.o.arguments) > maxArguments || !b.required && len(needs) > 0 || slices.ContainsFunc(needs, missing) {
		return nil, false
	}
	return all, true
}

// needs are the names of required properties.
func (b *requestBody) needs() []string {
	object, err := b.o.d.resolve(b.schema)
	if err != nil {
		return nil
	}
	var out []string
	for _, n := range items(b.o.d.get(object, "required")) {
		out = append(out, b.o.d.text(n))
	}
	return out
}

// argument adds a property as an argument.
func (b *requestBody) argument(property pair) string {
	p := &parameter{name: property.name, in: "body", required: slices.Contains(b.needs(), property.name), schema: property.value}
	name := b.o.add(p, "")
	if given := b.o.d.get(b.given(), property.name); given != nil {
		if raw, err := b.o.d.value(given); err == nil {
			b.o.arguments[len(b.o.arguments)-1].example = raw
		}
	}
	return name
}

// given is the example of the whole body, nil for none.
func (b *requestBody) given() *yaml.Node {
	if e := b.o.d.get(b.media, "example"); e != nil {
		return e
	}
	for _, p := range b.o.d.pairs(b.o.d.get(b.media, "examples")) {
		if e, err := b.o.d.resolve(p.value); err == nil {
			return b.o.d.get(e, "value")
		}
	}
	return nil
}

// whole makes the body one argument.
func (b *requestBody) whole() {
	p := &parameter{node: b.media, name: "body", in: "request", required: b.required, schema: b.schema}
	b.o.content = "{" + b.o.add(p, strings.TrimSpace(b.o.d.text(b.o.d.get(b.node, "description")))) + "}"
}

// text sends one argument as the characters of a media type that is no JSON.
func (b *requestBody) text(media string) {
	if strings.ContainsAny(media, "*{}$\r\n") {
		media = "text/plain"
	}
	if !strings.HasPrefix(base(media), "text/") && !strings.HasSuffix(base(media), "xml") && !strings.HasSuffix(base(media), "yaml") {
		b.o.d.findings.lose(b.o.key, b.node.Line, "binary bodies: only text can be sent", "")
	}
	b.o.headers["Content-Type"] = media
	b.schema = textSchema()
	b.whole()
}

// textSchema is the schema {type: string}.
func textSchema() *yaml.Node {
	word := func(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s} }
	return &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{word("type"), word("string")}}
}

// form writes each property as pairs.
func (b *requestBody) form() string {
	properties, ok := b.properties()
	if !ok {
		return "form bodies that are no plain object"
	}
	var pairs []string
	for _, property := range properties {
		p := &parameter{node: b.o.d.get(b.o.d.get(b.media, "encoding"), property.name), in: "query", schema: property.value, scalar: b.o.d.isScalar(property.value)}
		p.style, p.explode = b.o.style(p)
		mode, what := b.o.pairMode(p)
		if what != "" {
			if slices.Contains(b.needs(), property.name) {
				return what
			}
			b.o.d.findings.lose(b.o.key, property.line, what, "")
			continue
		}
		pairs = append(pairs, wire(property.name)+"={"+b.argument(property)+mode+"}")
	}
	b.o.content = "form:" + strings.Join(pairs, "&")
	return ""
}

// output makes the result's schema of the answers that are successes.
func (o *operation) output() {
	var all []*converted
	unknown := false
	for _, response := range o.successes() {
		n, err := o.d.resolve(response.value)
		if err != nil {
			o.d.findings.lose(o.key, response.line, "responses whose reference leads nowhere", "")
			unknown = true
			continue
		}
		if links := o.d.get(n, "links"); isMapping(links) {
			o.d.findings.lose(o.key, links.Line, "links", "")
		}
		c := o.answer(n)
		if c == nil {
			unknown = true
			continue
		}
		if !slices.ContainsFunc(all, func(have *converted) bool { return string(have.text) == string(c.text) }) {
			all = append(all, c)
		}
	}
	if unknown || len(all) == 0 {
		return
	}
	schema, err := o.joined(all)
	if err != nil {
		o.d.findings.lose(o.key, o.line, "result schemas that are too large or too deep", "")
		return
	}
	o.row.OutputSchema = schema
}

// successes are the responses of 2xx; the default one where there are none.
func (o *operation) successes() []pair {
	var out, otherwise []pair
	for _, p := range o.d.pairs(o.d.get(o.node, "responses")) {
		switch {
		case len(p.name) == 3 && p.name[0] == '2':
			out = append(out, p)
		case p.name == "default":
			otherwise = append(otherwise, p)
		}
	}
	if len(out) == 0 {
		return otherwise
	}
	return out
}

// answer is the schema of one response, nil for one that says nothing.
func (o *operation) answer(n *yaml.Node) *converted {
	content := o.d.pairs(o.d.get(n, "content"))
	if len(content) == 0 || o.method == "HEAD" {
		return &converted{text: json.RawMessage(`{"type":"null"}`)}
	}
	media, kind := choose(content)
	if len(content) > 1 {
		o.d.findings.lose(o.key, n.Line, "response media types beside the one that is described", "")
	}
	schema := o.d.get(media.value, "schema")
	switch {
	case kind == jsonMedia && schema != nil:
		return o.d.convert(schema, received)
	case kind == textMedia && strings.HasPrefix(base(media.name), "text/"):
		return &converted{text: json.RawMessage(`{"type":"string"}`)}
	}
	return nil
}

// joined is one schema for several answers, with the components that they refer to.
func (o *operation) joined(all []*converted) (json.RawMessage, error) {
	var texts []json.RawMessage
	for _, c := range all {
		if c.err != nil {
			return nil, c.err
		}
		texts = append(texts, c.text)
	}
	defs, err := o.d.definitions(received, all...)
	if err != nil {
		return nil, err
	}
	schema := texts[0]
	if len(texts) > 1 {
		schema = object([]pairOf{{"anyOf", encode(texts)}})
	}
	if defs == nil {
		return schema, nil
	}
	var own map[string]json.RawMessage
	if json.Unmarshal(schema, &own) != nil {
		return nil, errors.New("a schema that is no object")
	}
	if own["$defs"] != nil || own["nullable"] != nil { // nullable wraps its schema when it is read, definitions and all
		schema = object([]pairOf{{"allOf", encode([]json.RawMessage{schema})}})
	}
	return with(schema, "$defs", defs), nil
}
