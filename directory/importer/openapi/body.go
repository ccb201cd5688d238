package openapi

// This file carries request bodies; form.go those that are forms.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pb33f/go-yaml"
)

// body makes the template's content, and the arguments in it, of a request body. Of several media
// types the first that a template can write is taken: JSON, a form, a text.
//
// A body that none can write takes the operation with it where the call would be another one without
// it: where it is required, and in a POST, PUT or PATCH, whose body is what they are for. Elsewhere the
// operation stands without it.
func (o *operation) body() error {
	n := o.d.get(o.node, "requestBody")
	if n == nil {
		return nil
	}
	n, err := o.d.resolve(n)
	if err != nil {
		return fmt.Errorf("its body: %w", err)
	}
	content := o.d.pairs(o.d.get(n, "content"))
	if len(content) > 1 {
		o.d.findings.lose(o.key, n.Line, "request media types beside the one that is sent", "")
	}
	required := o.d.isTrue(o.d.get(n, "required"))
	why := o.carry(n, content, required)
	switch {
	case why == "":
	case required:
		return fmt.Errorf("its required body can't be written: %s", why)
	case slices.Contains([]string{"POST", "PUT", "PATCH"}, o.method):
		return fmt.Errorf("its body, which a %s is for, can't be written: %s", o.method, why)
	default:
		o.d.findings.lose(o.key, n.Line, why, "")
	}
	if len(o.arguments) > maxArguments {
		return fmt.Errorf("it takes %d arguments, more than %d", len(o.arguments), maxArguments)
	}
	return nil
}

// carry writes the body in one of its media types, or says why none can be written.
func (o *operation) carry(n *yaml.Node, content []pair, required bool) string {
	if len(content) == 0 {
		return "bodies without a media type"
	}
	var whys []string
	for _, media := range o.preferred(content) {
		b := &requestBody{o: o, node: n, media: media.value, required: required, schema: o.d.get(media.value, "schema")}
		why := ""
		switch o.sentKind(media) {
		case jsonMedia:
			b.json(media.name)
		case formMedia:
			why = b.form()
		case textMedia:
			b.text(media.name)
		case multipartMedia:
			why = "multipart bodies"
		default:
			why = "binary bodies: only text can be sent"
		}
		if why == "" {
			return ""
		}
		if !slices.Contains(whys, why) {
			whys = append(whys, why)
		}
	}
	return strings.Join(whys, "; ")
}

type mediaKind int

const (
	noMedia mediaKind = iota
	multipartMedia
	binaryMedia
	textMedia
	formMedia
	jsonMedia
)

// preferred sorts media types by how well a template writes them; application/json comes before its kin.
func (o *operation) preferred(content []pair) []pair {
	rank := func(c pair) int {
		r := 2 * int(o.sentKind(c))
		if base(c.name) == "application/json" {
			r++
		}
		return r
	}
	out := slices.Clone(content)
	slices.SortStableFunc(out, func(a, b pair) int { return rank(b) - rank(a) })
	return out
}

// sentKind is the kind of a request's media type. One of any media type (*/*) whose schema is a string
// is the string's own characters, such as a file's, and no JSON.
func (o *operation) sentKind(c pair) mediaKind {
	kind, schema := kindOf(c.name), o.d.get(c.value, "schema")
	if base(c.name) == "*/*" && slices.Equal(o.d.types(schema), []string{"string"}) {
		kind = textMedia
		if target, err := o.d.resolve(schema); err == nil && o.d.text(o.d.get(target, "format")) == "binary" {
			kind = binaryMedia
		}
	}
	return kind
}

// choose is the media type that says most of a result: JSON, else one text.
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

// textTypes are media types outside text/ whose bodies are characters; those that end in xml and yaml are too.
var textTypes = []string{"application/x-ndjson", "application/ndjson", "application/jsonl", "application/json-seq", "application/graphql",
	"application/javascript", "application/sql", "application/toml", "application/csv"}

func kindOf(media string) mediaKind {
	switch m := base(media); {
	case m == "application/json" || m == "text/json" || strings.HasSuffix(m, "+json") || m == "*/*" || m == "application/*":
		return jsonMedia
	case m == "application/x-www-form-urlencoded":
		return formMedia
	case strings.HasPrefix(m, "multipart/"):
		return multipartMedia
	case strings.HasPrefix(m, "text/"), strings.HasSuffix(m, "xml"), strings.HasSuffix(m, "yaml"), slices.Contains(textTypes, m):
		return textMedia
	}
	return binaryMedia
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
		b.whole("")
		return
	}
	needs := b.needs()
	var members []string
	for _, p := range properties {
		members = append(members, jsonName(p.name)+":{"+b.argument(p, needs)+"}")
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
	hidden := d.hidden(object, sent)
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
func (b *requestBody) argument(property pair, required []string) string {
	p := &parameter{name: property.name, in: "body", required: slices.Contains(required, property.name), schema: property.value}
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
func (b *requestBody) whole(description string) {
	b.o.content = "{" + b.one(description) + "}"
}

// one adds the argument that is the whole body.
func (b *requestBody) one(description string) string {
	p := &parameter{node: b.media, name: "body", in: "request", required: b.required, schema: b.schema}
	if said := strings.TrimSpace(b.o.d.text(b.o.d.get(b.node, "description"))); said != "" {
		description = said
	}
	return b.o.add(p, description)
}

// text sends one argument as the characters of a media type that is no JSON.
func (b *requestBody) text(given string) {
	media := given
	if strings.ContainsAny(media, "*{}$\r\n") {
		media = "text/plain"
	}
	b.o.headers["Content-Type"] = media
	description := b.o.d.text(b.o.d.get(b.schema, "description"))
	if target, err := b.o.d.resolve(b.schema); err == nil && description == "" {
		description = b.o.d.text(b.o.d.get(target, "description"))
	}
	if base(given) == "*/*" {
		b.o.d.findings.lose(b.o.key, b.node.Line, "bodies of any media type: they are sent as text/plain, bytes that are no UTF-8 text can't be", "")
		description = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(description), ".") + ". It is sent as UTF-8 text, text/plain")
		description = strings.TrimPrefix(description, ". ")
	}
	b.schema = textSchema()
	b.whole(description)
}

func textSchema() *yaml.Node { return typeSchema("string") }

// typeSchema is the schema {type: NAME}.
func typeSchema(name string) *yaml.Node {
	word := func(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s} }
	return &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{word("type"), word(name)}}
}
