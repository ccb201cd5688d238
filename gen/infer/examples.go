package infer

// This file reads worked calls: EX lines ("KEY:Paris|3 -> 21 degrees") and the row's examples.

import (
	"encoding/json"
	"slices"
	"strings"

	"codemode/directory/contract"
)

const (
	maxExamples     = 20
	maxExampleBytes = 4096
)

// example is one worked call while it is read.
type example struct {
	text string
	body string  // the legacy body, "" when only args is given
	args *object // arguments by name, or the one argument of a row that takes an object
	// whole is a legacy body that is one JSON object or array: one argument, whatever its members.
	whole any
}

func (b *builder) readExamples() {
	for _, line := range b.row.Docs.Examples {
		b.examples = append(b.examples, exampleOf(line, b.row.Key))
	}
	for _, raw := range b.row.Examples {
		tree, err := parseTree(raw, maxTypeDepth)
		if err != nil || len(raw) > maxExampleBytes {
			continue
		}
		b.examples = append(b.examples, b.givenExample(tree))
	}
	b.examples = b.examples[:min(len(b.examples), maxExamples)]
}

func (b *builder) givenExample(tree any) example {
	switch t := tree.(type) {
	case string:
		return exampleOf(t, b.row.Key)
	case *object:
		e := example{text: clean(string(render(t)))}
		for _, k := range []string{"args", "arguments", "input", "params", "parameters"} {
			if args := t.object(k); args != nil {
				e.args = args
				return e
			}
		}
		if body := t.text("body"); body != "" && t.len() <= 4 {
			e.body = body
			return e
		}
		e.args, e.whole = t, t
		return e
	}
	return example{text: clean(string(render(tree))), whole: tree}
}

var resultArrow = compile(`\s+(?:->|=>|→)\s+.*$`)

// exampleOf cuts the key from the front of a line and the result from its end.
func exampleOf(line, key string) example {
	e := example{text: clean(line)}
	body := strings.Trim(resultArrow.ReplaceAllString(strings.TrimSpace(line), ""), "`")
	if rest, ok := strings.CutPrefix(body, key); ok {
		body = strings.TrimLeft(rest, ": \t")
	}
	e.body = strings.TrimSpace(body)
	if (strings.HasPrefix(e.body, "{") || strings.HasPrefix(e.body, "[")) && len(e.body) <= maxExampleBytes {
		if tree, err := parseTree([]byte(e.body), maxTypeDepth); err == nil {
			e.whole = tree
			e.args, _ = tree.(*object)
		}
	}
	return e
}

// parts are the arguments of a legacy body by position.
func (e example) parts() []string {
	if e.args != nil || e.body == "" || strings.HasPrefix(e.body, "[") || len(e.body) > maxExampleBytes {
		return nil
	}
	return strings.Split(e.body, "|")
}

// exampleValues are what the examples give an argument, by its name or by its place in a legacy body
// (from 1, 0 for none). An empty part of a body gives nothing.
func (b *builder) exampleValues(index int, name string) []any {
	var out []any
	for _, e := range b.examples {
		v, named := e.args.value(name), e.args.len() > 0 && e.args.has(name)
		parts := e.parts()
		switch {
		case named:
			out = append(out, v)
		case e.whole != nil && index == 1 && b.shape.arity == 1:
			out = append(out, e.whole)
		case index > 0 && index <= len(parts) && strings.TrimSpace(parts[index-1]) != "":
			part := strings.TrimSpace(parts[index-1])
			if v, ok := literal(part); ok {
				out = append(out, v)
			} else {
				out = append(out, part)
			}
		}
	}
	return out
}

// examplesAreAmong reports whether there are examples and each is exactly one of the words.
func (b *builder) examplesAreAmong(words []string) bool {
	seen := 0
	for _, e := range b.examples {
		if e.body == "" {
			continue
		}
		if !slices.Contains(words, e.body) {
			return false
		}
		seen++
	}
	return seen > 0
}

// exampleParams takes names, and the types of plain values, from examples that give arguments by name.
func (b *builder) exampleParams() {
	for _, e := range b.examples {
		for _, name := range e.args.names() {
			at := slices.IndexFunc(b.params, func(p param) bool { return p.name == name })
			if at < 0 && len(b.params) < maxDocParams {
				p := param{name: name, schema: exampleType(e.args.values[name]), from: contract.FromExample, typeFrom: contract.FromExample, needFrom: contract.FromNone}
				b.add(0, p)
			} else if at >= 0 && !fitsType(e.args.values[name], b.params[at].schema) {
				b.params[at].schema = obj()
			}
		}
	}
	for i, p := range b.params {
		if p.schema.len() == 0 {
			b.params[i].typeFrom = contract.FromNone
		}
	}
}

func exampleType(v any) *object {
	switch v.(type) {
	case string:
		return obj("type", "string")
	case bool:
		return obj("type", "boolean")
	case json.Number:
		return obj("type", "number")
	}
	return obj()
}

// contractExamples binds the examples to the parameters, where every value fits.
func (b *builder) contractExamples(params *object) []contract.Example {
	var out []contract.Example
	for _, e := range b.examples {
		ex := contract.Example{Text: e.text}
		if args := b.bindExample(e, params); args != nil {
			ex.Args = render(args)
		}
		if ex.Text != "" || ex.Args != nil {
			out = append(out, ex)
		}
	}
	return out
}

func (b *builder) bindExample(e example, params *object) *object {
	props := params.object("properties")
	switch {
	case e.args != nil && props != nil && !slices.ContainsFunc(e.args.keys, func(k string) bool { return !props.has(k) }):
		return e.args
	case e.whole != nil:
		return b.bindWhole(e.whole, params)
	case e.args != nil:
		return nil
	}
	parts := e.parts()
	if len(parts) == 0 || len(parts) > len(b.positional) {
		return nil
	}
	args := obj()
	for i, part := range parts {
		name := b.positional[i]
		schema, _ := props.value(name).(*object)
		v, ok := exampleValue(part, schema)
		if f := b.shape.slots[i+1]; f != nil && f.bare() && len(typesOf(schema)) == 0 {
			v, ok = literal(strings.TrimSpace(part)) // as the template writes it
			if !ok {
				v, ok = part, true
			}
		}
		if name == "" || !ok {
			return nil
		}
		args.set(name, v)
	}
	return args
}

// bindWhole binds a JSON body to the argument that takes it: the first in order, or the only one,
// where no other is needed.
func (b *builder) bindWhole(v any, params *object) *object {
	props := params.object("properties")
	name := ""
	switch {
	case len(b.positional) > 0:
		name = b.positional[0]
	case props.len() == 1:
		name = props.keys[0]
	}
	required, _ := params.values["required"].([]any)
	if name == "" || slices.ContainsFunc(required, func(r any) bool { return r != name }) {
		return nil
	}
	schema, _ := props.value(name).(*object)
	if !fitsType(v, schema) || !b.shape.bound && len(typesOf(schema)) == 0 {
		return nil // what an argument of no known type takes is the template's word, if anything's
	}
	sub, known := v.(*object)
	if fields := schema.value("properties"); known && fields != nil {
		fields, _ := fields.(*object)
		if slices.ContainsFunc(sub.keys, func(k string) bool { return fields == nil || !fields.has(k) }) {
			return nil
		}
	}
	return obj(name, v)
}

// exampleValue reads one part of a legacy body as the parameter's type.
func exampleValue(part string, schema *object) (any, bool) {
	if fitsType(part, schema) && slices.Contains(append(typesOf(schema), "string"), "string") {
		return part, true
	}
	v, ok := literal(strings.TrimSpace(part))
	return v, ok && fitsType(v, schema)
}
