package infer

// This file reads examples written as name=value: "limit=20 sort=-created", `q="red paint"`.

import (
	"slices"
	"strings"

	"codemode/directory/contract"
)

var pair = compile("(?:^|[\\s(\\[`,;:?&])([\\p{L}_][\\p{L}\\p{N}_.\\-]{0,59})=(\\[[^\\]\\n]{0,200}\\]|\\{\"[^{}\\n]{0,200}\\}|\"[^\"\\n]{0,200}\"|'[^'\\n]{0,200}'|<[^<>\\n]{1,60}>|[^\\s`,;()&\\]]{1,200})")

// readPairs reads the pairs of a passage as one list of names. What a value shows is no type, but for
// names that count something.
func (b *builder) readPairs(p passage) docArgs {
	out := docArgs{listed: true}
	text := fatArrow.ReplaceAllString(p.text(), "$1=")
	places := pair.FindAllStringSubmatchIndex(text, maxDocParams)
	if len(places) == 0 {
		places = colonPairs(text)
	}
	seen, values, last := map[string]bool{}, map[string][]any{}, 0
	for _, m := range places {
		name, value := text[m[2]:m[3]], strings.TrimRight(text[m[4]:m[5]], ".")
		if !strings.ContainsAny(value[:min(1, len(value))], "\"'") {
			value = strings.TrimRight(value, "\"'") // the quote of a whole URL
		}
		if dots := strings.Trim(text[m[4]:m[5]], ".…"); value == "" && dots == "" {
			value = "<" + name + ">" // "limit=..."
		}
		between := strings.Trim(text[last:m[2]], " `,(")
		last = m[5]
		if !b.names(name) && withinWords(text[:m[2]], text[m[5]:]) {
			continue
		}
		if seen[name] {
			if n := len(out.params) - 1; between == "or" && out.params[n].name == name && out.params[n].schema == nil {
				values[name] = append(values[name], value)
			}
			continue
		}
		values[name] = []any{value}
		seen[name] = true
		d := docParam{name: name, from: contract.FromExample, source: source{words: strings.TrimSpace(text[m[0]:m[1]])}, typed: contract.FromExample, example: value}
		d.readShown(value, text[m[1]:])
		d.readBefore(text[max(0, m[0]-40):m[2]])
		out.params = append(out.params, d)
	}
	for i := range out.params {
		if d := &out.params[i]; len(values[d.name]) > 1 && d.schema == nil && !slices.ContainsFunc(values[d.name], func(v any) bool { s, _ := v.(string); return !plainChoice.MatchString(s) }) {
			d.schema = obj("type", "string", "enum", distinct(values[d.name])) // "kind=work or kind=private"
		}
	}
	out.params = oppose(b.withoutStrays(out.params))
	return out
}

// withoutStrays drops the pairs that nothing around the slots names where there are more pairs than slots.
func (b *builder) withoutStrays(params []docParam) []docParam {
	var known []docParam
	for _, d := range params {
		if b.names(d.name) {
			known = append(known, d)
		}
	}
	if n := len(known); n == 0 || len(params) <= len(b.shape.indexes()) {
		return params
	}
	return known
}

// fatArrow is "port => Bergen".
var fatArrow = compile(`([\p{L}_][\p{L}\p{N}_.\-]*)\s?=>\s?`)

// names reports whether something around the template's slots has a name.
func (b *builder) names(name string) bool {
	return slices.ContainsFunc(b.shape.indexes(), func(i int) bool { return docParam{name: name}.calls(b.shape.slots[i]) })
}

// withinWords reports whether a pair is a part of what a sentence says: "when you see status=3 call".
func withinWords(before, after string) bool {
	return wordBefore.MatchString(before) && wordAfter.MatchString(after)
}

var (
	wordBefore = compile(`(?i)\b(?:when|if|once|until|while|see|sees|means?|unless)(?: \p{L}+){0,3} $`)
	wordAfter  = compile(`^,? \p{Ll}+`)
)

// readShown reads the value of a pair, and what stands in brackets behind it.
func (p *docParam) readShown(value, after string) {
	if strings.HasPrefix(value, "[") || strings.HasPrefix(value, "{") {
		if v, length, ok := strictJSON(value); ok && length == len(value) {
			p.schema = memberType(p.name, v)
			return
		}
	}
	if leadingZero.MatchString(value) {
		p.schema = obj("type", "string") // a number would lose it
	}
	value = strings.Trim(value, "<>")
	if strings.EqualFold(value, "true|false") || strings.EqualFold(value, "false|true") {
		p.schema = obj("type", "boolean")
	} else if strings.Contains(value, "|") {
		p.setEnum(splitValues(value))
	} else if slashChoices.MatchString(value) {
		p.readChoices(value, "")
	}
	if v, ok := literal(value); ok && defaultsTail.MatchString(after) {
		p.value, p.hasDefault = v, true
	}
	after = strings.TrimLeft(after, "` ")
	if inner, _, ok := cutParen(after); ok && strings.HasPrefix(after, "(") && !strings.HasPrefix(inner, "or ") && !defaultRun.MatchString(inner) {
		p.readMeta(inner)
		p.readProse()
	}
	if t, ok := parseWords(strings.Trim(value, "<>{}")); ok && t.schema.len() > 0 && typeName.MatchString(strings.Trim(value, "<>{}")) {
		p.setType(t)
	} else if kind := kindOf(p.name, strings.Trim(value, "<>")); kind != nil && p.schema.len() == 0 {
		p.schema = kind
	}
	if n, ok := literal(value); ok && p.schema.len() == 0 && counts(p.name) && fitsType(n, obj("type", "integer")) {
		p.schema = obj("type", "integer")
	}
}

var leadingZero = compile(`^0\d+$`)

// typeName are the words that stand for a type where a value would: "limit=int".
var typeName = compile(`^(?i:string|str|int|integer|number|num|float|bool|boolean|date|datetime|list|array)$`)

// defaultsTail follows a run of pairs that are the defaults.
var defaultsTail = compile("^(?:[\\s,`]*(?:and\\s+)?`?[\\w.\\-]+=[^\\s`,;()]+){0,8}`?\\s*,?\\s*(?:by default|(?:is|are) (?:the )?defaults?|(?:is|are) assumed|unless given|when (?:omitted|left out|not given)|if (?:omitted|left out|not given))\\b")

var (
	defaultsLead = compile(`(?i)\bdefaults?(?: are| is|:)?[^.;()]{0,30}$`)
	optionalLead = compile(`(?i)\boptional(?:ly)?:?[^.;()]{0,30}$`)
)

// readBefore reads what leads a pair: "[limit=20]" may be left out, "defaults: limit=20" is one.
func (p *docParam) readBefore(before string) {
	switch {
	case p.example == "":
	case defaultsLead.MatchString(before) && !p.hasDefault:
		if v, ok := literal(p.example); ok {
			p.value, p.hasDefault = v, true
		}
	case strings.HasSuffix(before, "["), optionalLead.MatchString(before):
		p.optionalArg = true
	}
}

// counted are last words of names that count whole things.
var counted = strings.Fields(`limit offset page pages count top depth days weeks months years cents bags seats rooms qty quantity pieces lines rows
	columns levels items size people guests nights attempts retries`)

// counts reports whether a name is of a whole number, so that one shown in text is no chance.
func counts(name string) bool {
	words := nameWords(name)
	return len(words) > 0 && (slices.Contains(counted, words[len(words)-1]) || countsThings(words))
}
