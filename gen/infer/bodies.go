package infer

// This file reads example bodies: JSON that a description or an EX line shows, and the answer after it.

import (
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

	remarks map[string]string // the comments on its members
}

var (
	answerMark = compile(`(?i)(?:\b(?:answers?|response|responds?|returns?|returned|results?|reply|replies|output|out|gives?|receives?|yields?|get back|gets back|2\d\d)\b[^{}\[\]\n]{0,40}|(?:->|=>|→|←|<-|⇒)\s*)$`)
	bodyMark   = compile(`(?i)(?:\b(?:body|request|requests?|input|in|example|payload|send|sends|call|arguments?|args|e\.g\.|for example)\b[^{}\[\]\n]{0,40}|→\s*|^\s*)$`)
)

// failedMark says that what follows comes instead of an answer: "409 with", "on errors".
var failedMark = compile(`(?i)\b(?:[45]\d\d\b|errors?|fails?|failed|failure|rejected|refused)\b[^{}\[\]\n.;]{0,40}$`)

// fence is what may stand between a heading and its JSON.
var fence = compile("(?:\\s*```\\w*)?\\s*\\n\\s*$")

const (
	maxBodies = 10
	maxTried  = 1000 // places where one may begin
)

// bodiesOf finds the JSON values of a passage. "{month, used}" is none.
func bodiesOf(p passage) []shownBody {
	text := p.text()
	var out []shownBody
	for i, tried := 0, 0; i < len(text) && len(out) < maxBodies && tried < maxTried; i++ {
		if text[i] != '{' && text[i] != '[' {
			continue
		}
		tried++
		v, length, remarks, ok := readJSON(text[i:min(len(text), i+maxExampleBytes)])
		if !ok {
			continue
		}
		end := i + length
		before := fence.ReplaceAllString(text[max(0, i-200):i], "")
		before = strings.TrimRight(before[strings.LastIndexByte(before, '\n')+1:], "` \"")
		arrow := strings.HasSuffix(before, "→") && len(out) == 0 && strings.TrimSpace(strings.TrimSuffix(before, "→")) == ""
		answer := answerMark.MatchString(before) && !arrow
		if failedMark.MatchString(before) {
			i = end - 1
			continue
		}
		if o, isObject := v.(*object); !isObject && !answer && len(out) > 0 && !bodyMark.MatchString(before) || isObject && o.len() == 0 {
			i = end - 1
			continue
		}
		out = append(out, shownBody{v, answer, !answer && !bodyMark.MatchString(before), text[i:end], remarks})
		i = end - 1
	}
	return out
}

// readBodies takes the names of an example body's members, and the types of their values as shown.
func (b *builder) readBodies(p passage) docArgs {
	bodies := bodiesOf(p)
	at := fullest(bodies)
	if at < 0 {
		return readShape(p)
	}
	body := bodies[at]
	o := body.value.(*object)
	out := docArgs{listed: true}
	for _, name := range o.names() {
		d := docParam{name: name, from: contract.FromExample, typed: contract.FromExample, source: source{words: body.words}}
		d.readMember(o.values[name], body.remarks[name])
		d.readBelow(p.lines)
		if o.values[name] == nil && d.schema.len() == 0 {
			b.heedNull(&d)
		}
		d.optionalArg = d.optionalArg || slices.ContainsFunc(bodies, func(other shownBody) bool {
			members, ok := other.value.(*object)
			return ok && !other.answer && within(members, o) && !members.has(name)
		})
		out.params = append(out.params, d)
	}
	return out
}

// fullest is the first body that is sent, or one behind it that has all its members and more: "shortest:
// {...}, with everything: {...}". -1 stands for none.
func fullest(bodies []shownBody) int {
	best := -1
	for i, body := range bodies {
		o, ok := body.value.(*object)
		if !ok || body.answer {
			continue
		}
		if best < 0 || o.len() > bodies[best].value.(*object).len() && within(bodies[best].value.(*object), o) {
			best = i
		}
	}
	return best
}

// within reports whether one object has all members of another.
func within(members, o *object) bool {
	return !slices.ContainsFunc(members.names(), func(name string) bool { return !o.has(name) })
}

// shownList is the type of the first list that the documentation shows as a body, nil for none. One that
// nothing calls so is a body where it holds objects.
func (b *builder) shownList(name string) *object {
	for _, p := range b.passages() {
		for _, body := range bodiesOf(p) {
			if _, isList := body.value.([]any); isList && !body.answer && (holdsObjects(body.value) || !body.loose) {
				return shownType(name, body.value, false, 0)
			}
		}
	}
	return nil
}

// readMember reads the value of a member, which may be a word for its type or a list of values, and the
// comment beside it.
func (p *docParam) readMember(v any, remark string) {
	word, isText := v.(string)
	switch {
	case isText && p.readPlace(word):
	case v != nil:
		p.schema = memberType(p.name, v)
	}
	if remark == "" {
		return
	}
	shown := p.schema
	if isText && p.schema.len() == 1 {
		p.schema = nil // a text may stand for one of several
	}
	p.readText(usualValue.ReplaceAllString(remark, "$1 (default)"))
	p.readProse()
	p.provenChoices(word)
	if p.schema.len() == 0 {
		p.schema, p.typed = shown, contract.FromExample
	}
}

// readPlace reads a text that stands for a value: "low|high", "integer", "<number>", "string, optional".
func (p *docParam) readPlace(word string) bool {
	word = strings.Trim(word, "<>")
	head, _, _ := strings.Cut(word, ",")
	head = strings.TrimSuffix(strings.TrimSpace(head), "?")
	switch {
	case placeList.MatchString(word):
		p.setEnum(splitValues(word))
	case typeName.MatchString(head) && !strings.HasPrefix(strings.ToLower(head), "date"):
		p.readMeta(strings.TrimSuffix(word, "?"))
		p.optionalArg = p.optionalArg || strings.HasSuffix(word, "?")
	}
	return p.schema.len() > 0
}

// heedNull takes the type of a member that is shown as null from the words that say what else it may be.
func (b *builder) heedNull(d *docParam) {
	for _, s := range b.sentences() {
		eachMention(s.text, d.name, func(_, rest string) {
			if m := orNull.FindStringSubmatch(rest); m != nil && d.schema.len() == 0 {
				if t, ok := parseWords(m[1]); ok {
					d.schema, d.typed, d.remark, d.required = t.schema, contract.FromProse, source{s.place, s.text}, new(true)
				}
			}
		})
	}
}

var orNull = compile("(?i)^[`\"*]{0,2}\\s*(?:is|are|may be|can be|:|=)?\\s*(?:either )?((?:an? )?\\p{L}+ or null|null or (?:an? )?\\p{L}+)\\b")

// provenChoices takes a bare list of words for the values where the shown value is one of them.
func (p *docParam) provenChoices(shown string) {
	if slices.Contains(p.choices, shown) && p.schema.len() == 0 {
		p.setEnum(strs(p.choices))
		p.choices = nil
	}
}

// placeList is a list of values in place of one; usualValue one that a bracket says is the default.
var (
	placeList  = compile(`^[\w+\-]+(?:\s?\|\s?[\w+\-]+)+$`)
	usualValue = compile("([`\"'][^`\"']{1,60}[`\"']) \\((?:(?:used|assumed|taken|sent|meant|the usual|applies),? )?" + notSaid + "\\)")
)

// readBelow reads a line below the body that begins with the member's name: "service: "slow" or "fast"".
func (p *docParam) readBelow(lines []string) {
	for _, l := range lines {
		rest, ok := strings.CutPrefix(strings.TrimSpace(l), p.name+":")
		if !ok {
			continue
		}
		q := docParam{name: p.name}
		if p.schema.len() == 1 && p.schema.text("type") == "array" {
			p.schema = nil // "[...]"
		}
		q.readTyped(usualValue.ReplaceAllString(strings.TrimSpace(rest), "$1 (default)"))
		q.readProse()
		if list, ok := q.schema.value("enum").([]any); ok && allText(list) {
			q.schema = obj("type", "string", "enum", list)
		}
		p.adopt(q, sentence{"", l, l, strings.ToLower(l)})
	}
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

// wholeNames are of arguments that take any list or object, whatever one example holds.
var wholeNames = strings.Fields(`list array values value data items rows matrix object record input json elements entries`)

// memberType is the type that the value of an argument shows, nil for a list or object that stands for any.
func memberType(name string, v any) *object {
	if slices.Contains(wholeNames, strings.ToLower(name)) && !scalar(jsonTypes(v)[0]) && !holdsObjects(v) {
		return nil
	}
	return shownType(name, v, false, 0)
}

// holdsObjects reports whether a list is of objects, which are rarely just any.
func holdsObjects(v any) bool {
	list, _ := v.([]any)
	return slices.ContainsFunc(list, func(e any) bool { _, ok := e.(*object); return ok })
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
