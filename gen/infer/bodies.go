package infer

// This file reads example bodies: JSON that a description or an EX line shows, and the answer after it.

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"codemode/directory/contract"
)

// shownBody is a JSON value that a passage shows.
type shownBody struct {
	value  any
	answer bool   // it is shown as a result
	loose  bool   // nothing says what it is
	words  string // as written
}

var (
	answerMark = compile(`(?i)(?:\b(?:answers?|response|responds?|returns?|results?|reply|replies|output|out|gives?|receives?|yields?|get back|gets back|2\d\d)\b[^{}\[\]\n]{0,40}|(?:->|=>|→|←|<-|⇒)\s*)$`)
	bodyMark   = compile(`(?i)(?:\b(?:body|request|requests?|input|in|example|payload|send|sends|call|arguments?|args|e\.g\.|for example)\b[^{}\[\]\n]{0,40}|→\s*|^\s*)$`)
)

// fence is what may stand between a heading and its JSON.
var fence = compile("(?:\\s*```\\w*)?\\s*\\n\\s*$")

const maxBodies = 10

// bodiesOf finds the JSON values of a passage. "{month, used}" is none.
func bodiesOf(p passage) []shownBody {
	text := p.text()
	var out []shownBody
	for i := 0; i < len(text) && len(out) < maxBodies; i++ {
		if text[i] != '{' && text[i] != '[' {
			continue
		}
		dec := json.NewDecoder(bytes.NewReader([]byte(text[i:min(len(text), i+maxExampleBytes)])))
		dec.UseNumber()
		v, err := parseValue(dec, maxTypeDepth)
		if err != nil {
			continue
		}
		end := i + int(dec.InputOffset())
		before := fence.ReplaceAllString(text[max(0, i-200):i], "")
		before = strings.TrimRight(before[strings.LastIndexByte(before, '\n')+1:], "` \"")
		arrow := strings.HasSuffix(before, "→") && len(out) == 0 && strings.TrimSpace(strings.TrimSuffix(before, "→")) == ""
		answer := answerMark.MatchString(before) && !arrow
		if o, isObject := v.(*object); !isObject && !answer && len(out) > 0 && !bodyMark.MatchString(before) || isObject && o.len() == 0 {
			i = end - 1
			continue
		}
		out = append(out, shownBody{v, answer, !answer && !bodyMark.MatchString(before), text[i:end]})
		i = end - 1
	}
	return out
}

// readBodies takes the names of an example body's members, and the types of their values as shown.
func readBodies(p passage) docArgs {
	for _, body := range bodiesOf(p) {
		o, ok := body.value.(*object)
		if !ok || body.answer {
			continue
		}
		out := docArgs{listed: true}
		for _, name := range o.names() {
			out.params = append(out.params, docParam{
				name: name, from: contract.FromExample, schema: shownType(name, o.values[name], false, 0), typed: contract.FromExample,
				source: source{words: body.words},
			})
		}
		return out
	}
	return readShape(p)
}

// readShape takes the members of a shape in words, "Body: {sku: string, note?: string}".
func readShape(p passage) docArgs {
	text := p.text()
	for i, n := 0, 0; i < len(text) && n < maxBodies; i++ {
		if text[i] != '{' {
			continue
		}
		n++
		before := strings.TrimRight(text[max(0, i-60):i], "` ")
		var out docArgs
		if !answerMark.MatchString(before) && out.addShape(text[i:]) && slices.ContainsFunc(out.params, func(d docParam) bool { return d.schema.len() > 0 }) {
			return docArgs{params: out.params, listed: true}
		}
	}
	return docArgs{}
}

// shownType is the type that a value shows. A whole number shows that the argument is one, unless its
// name is of a quantity that has fractions; exact takes it at its word, as for a result, where a wrong
// type refuses nothing.
func shownType(name string, v any, exact bool, depth int) *object {
	if depth > maxTypeDepth {
		return obj()
	}
	switch t := v.(type) {
	case string:
		return obj("type", "string")
	case bool:
		return obj("type", "boolean")
	case json.Number:
		if exact {
			name = ""
		}
		return numberType(name, t)
	case []any:
		var items *object
		for _, e := range t {
			items = agree(items, shownType(name, e, exact, depth+1))
		}
		return arrayOf(items)
	case *object:
		properties := obj()
		for _, k := range t.names() {
			properties.set(k, shownType(k, t.values[k], exact, depth+1))
		}
		if properties.len() == 0 {
			return obj("type", "object")
		}
		return obj("type", "object", "properties", properties)
	}
	return obj()
}

func numberType(name string, n json.Number) *object {
	if strings.ContainsAny(string(n), ".eE") || fractional(name) {
		return obj("type", "number")
	}
	return obj("type", "integer")
}

// agree is what two shown types have in common.
func agree(a, b *object) *object {
	switch {
	case a == nil || same(a, b):
		return b
	case a.text("type") == "object" && b.text("type") == "object":
		out, pa, pb := obj(), a.object("properties"), b.object("properties")
		for _, k := range pa.names() {
			sub, _ := pa.values[k].(*object)
			if other, ok := pb.value(k).(*object); ok {
				sub = agree(sub, other)
			}
			out.set(k, sub)
		}
		for _, k := range pb.names() {
			if !out.has(k) {
				out.set(k, pb.values[k])
			}
		}
		return obj("type", "object", "properties", out)
	case isNumeric(a) && isNumeric(b):
		return obj("type", "number")
	}
	return obj()
}

func isNumeric(o *object) bool {
	return o.text("type") == "number" || o.text("type") == "integer"
}

// fractions are last words of names whose values have fractions, whatever an example shows.
var fractions = strings.Fields(`percent percentage pct rate ratio factor scale km kilometers kilometres miles mi meters metres m cm mm kg
	kilograms lb lbs tons liters litres l lat latitude lon lng longitude price amount cost total balance temperature temp degrees celsius fahrenheit
	threshold weight speed volume tolerance seconds secs hours duration timeout delay distance radius average avg mean x y z value share probability
	gain alpha opacity zoom`)

// fractional reports whether a name is of a quantity that has fractions.
func fractional(name string) bool {
	words := nameWords(name)
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	for _, w := range fractions {
		if w == last {
			return true
		}
	}
	return false
}
