package openapi

// This file describes results: the schema of the answers that are successes.

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/pb33f/go-yaml"
)

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
		c := o.answer(n, response)
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

// answer is the schema of one response, nil for one that says nothing. Only what can have no content is
// null (RFC 9110, 9.3.2 and 15.3.5): elsewhere a document that names no content has just not said it.
func (o *operation) answer(n *yaml.Node, response pair) *converted {
	content := o.d.pairs(o.d.get(n, "content"))
	switch {
	case o.method == "HEAD", response.name == "204":
		return &converted{text: json.RawMessage(`{"type":"null"}`)}
	case len(content) == 0:
		o.d.findings.note(o.key, response.line, "undeclared_result", "a response names no content; the operation's result is unknown", "declare the content in the document, or 204 where there is none")
		return nil
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
