package infer

// This file finds defaults, values and "optional" in the words that describe a parameter. It takes
// only what the words say outright: an enum that is too narrow refuses right calls.

import (
	"encoding/json"
	"slices"
	"strings"
)

const quotedValue = `(?:"[^"]{1,60}"|'[^']{1,60}'|` + "`[^`]{1,60}`)"

var (
	defaultWords = compile(`(?i)\bdefault(?:s)?(?:\s+(?:value|is|to|of)\b)*\s*[:=]?\s*(` + "`[^`]{1,80}`" + `|"[^"]{1,80}"|'[^']{1,80}'|-?\d+(?:\.\d+)?|true|false|[\p{L}\p{N}_/](?:[\p{L}\p{N}_\-./]{0,60}[\p{L}\p{N}_/])?)([)\]]|[\s.,;:]|$)(\S*)`)
	markedEnum   = compile(`\[?\bEnum\]?\s*[:=]\s*(\[[^\[\]]{1,1000}\])`)
	closedEnum   = compile(`(?i)\b(?:one of|(?:allowed|valid|possible|accepted|supported) (?:values|options)(?: are)?|choose from)\s*:?\s*([^.;()\n]{1,400})`)
	openEnum     = compile(`(?i)case[- ]insensitive|comma|separated|\blists? of\b|one or more|multiple|\betc\b|combin|including|among others|\bor (?:a|an|any)\b`)
	quotedEnum   = compile(`(?i)(?:^|[:(,]\s*|\b(?:either|must be|can be|is)\s+)(` + quotedValue + `(?:\s*(?:,\s*or|,\s*and|,|\||/|or|and)\s*` + quotedValue + `)+)\s*(?:[).;]|$)`)
	requiredWord = compile(`(?i)^\(?\[?required\b|\(required\)|\[required\]`)
)

// readProse fills what the description says and nothing else did.
func (p *docParam) readProse() {
	if p.description == "" {
		p.optionalArg = p.optionalArg || p.required == nil && p.hasDefault
		return
	}
	silent := p.schema.len() == 0
	defer func() { p.fromProse = p.fromProse || silent && p.schema.len() > 0 }()
	if !p.hasDefault {
		p.value, p.hasDefault = proseDefault(p.description, p.schema)
	}
	if !p.hasDefault && !strings.Contains(p.description, "e.g.") {
		if v, ok := otherDefault(p.description); ok && fitsType(v, p.schema) {
			p.value, p.hasDefault = v, true
		}
	}
	if marked := markedValues(p.description); p.schema.len() == 0 && marked != nil && listOfWords.MatchString(p.description) {
		p.schema = obj("type", "array", "items", obj("enum", marked))
	} else if p.schema == nil || slices.Equal(typesOf(p.schema), []string{"string"}) {
		p.setProseEnum(proseEnum(p.description))
	}
	if kind := kindOf(p.name, p.description); kind != nil && len(p.choices) == 0 && p.refines(kind) {
		p.schema = kind
	}
	if p.required == nil && requiredWord.MatchString(p.description) {
		p.required = new(true)
	}
	if p.required == nil && (p.hasDefault || saysOptional(p.description)) {
		p.optionalArg = true
	}
	p.heedWords()
}

// listOfWords is a list in words, at the head of a description.
var listOfWords = compile(`(?i)^(?:an? |the )?(?:json )?(?:lists?|arrays?) of\b`)

// refines reports whether words may add to what is known of the type: all of it, or a text's format.
func (p *docParam) refines(kind *object) bool {
	return p.schema.len() == 0 && !p.anything || kind.has("format") && p.schema.len() == 1 && p.schema.text("type") == "string"
}

func (p *docParam) setProseEnum(values []any) {
	if p.schema.text("type") == "string" {
		values = asTexts(values)
	}
	if len(values) < 2 || p.schema.has("enum") || p.hasDefault && !slices.ContainsFunc(values, func(v any) bool { return same(v, p.value) }) {
		return
	}
	schema := p.schema
	if schema == nil {
		schema = obj("type", "string")
	}
	if slices.ContainsFunc(values, func(v any) bool { return !fitsType(v, schema) }) {
		return // "one of 1, 2, 3" where no type is said: which spelling is meant is not known
	}
	schema.set("enum", values)
	p.schema = schema
}

// proseDefault finds "defaults to 10", "(default: json)". A bare word counts only where a bracket
// or the text ends after it: "defaults to the current user" names no value.
func proseDefault(text string, schema *object) (any, bool) {
	if !strings.Contains(text, "efault") && !strings.Contains(text, "EFAULT") {
		return nil, false
	}
	m := defaultWords.FindStringSubmatch(text)
	if m == nil {
		return nil, false
	}
	if n, ok := numberWords[strings.ToLower(m[1])]; ok && (schema.text("type") == "integer" || schema.text("type") == "number") {
		m[1] = n
	}
	v, ok := literal(m[1])
	word, isWord := v.(string)
	quoted := isWord && word != m[1]
	ended := m[2] == ")" || m[2] == "]" || m[3] == "" && m[2] != " "
	_, isNumber := v.(json.Number)
	v = asTyped(v, quoted, schema)
	switch {
	case !ok, isNumber && m[2] == "." && startsDigit(m[3]):
		return nil, false
	case isWord && !quoted && (!ended || slices.Contains(noValues, strings.ToLower(word))):
		return nil, false
	case isWord && quoted && slices.Contains(noValues, strings.ToLower(word)):
		return nil, false
	case isNumber && !ended && m[3] != "" && m[2] == " ":
		return nil, false // "default 10 minutes": the unit is not known to be the parameter's
	}
	return v, fitsType(v, schema)
}

// asTyped writes a value as the type that is known: `4` of an integer as a number, 1 of a text as text.
func asTyped(v any, quoted bool, schema *object) any {
	s, isText := v.(string)
	n, isNumber := v.(json.Number)
	switch known := schema.text("type"); {
	case known == "string" && isNumber:
		return string(n)
	case known != "" && known != "string" && isText && quoted:
		if inner, ok := literal(s); ok && fitsType(inner, schema) {
			return inner
		}
	}
	return v
}

// noValues are words after "default" that say there is no fixed value.
var noValues = strings.Fields(`none null nil undefined empty unset auto current the a an all any each value values is to of
	unlimited today now varies various`)

func startsDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// fitsType reports whether a value agrees with the types a schema names.
func fitsType(v any, schema *object) bool {
	types := typesOf(schema)
	if list, ok := schema.value("enum").([]any); ok && !slices.ContainsFunc(list, func(e any) bool { return same(e, v) }) {
		return false
	}
	return len(types) == 0 || slices.ContainsFunc(jsonTypes(v), func(t string) bool { return slices.Contains(types, t) })
}

// jsonTypes are the type words a value satisfies.
func jsonTypes(v any) []string {
	switch t := v.(type) {
	case string:
		return []string{"string"}
	case bool:
		return []string{"boolean"}
	case json.Number:
		if strings.ContainsAny(string(t), ".eE") {
			return []string{"number"}
		}
		return []string{"integer", "number"}
	case []any:
		return []string{"array"}
	case *object:
		return []string{"object"}
	}
	return []string{"null"}
}

// enumWords are what words that list values have at least one of.
var enumWords = anyOf("one of", "allowed", "valid", "possible", "accepted", "supported", "choose", "must be", "has to be", "either", "values", `"`, "'", "`")

// proseEnum finds a closed list of values: "[Enum]: ["a", "b"]", "one of a, b or c", "'a' or 'b'".
func proseEnum(text string) []any {
	if values := markedValues(text); values != nil {
		return values
	}
	if !enumWords.in(text) || openEnum.MatchString(text) {
		return nil
	}
	if m := closedEnum.FindStringSubmatchIndex(text); m != nil && !hedged(text[:m[0]]) {
		list := text[m[2]:m[3]]
		if values := wordList(list); len(values) > 1 {
			return values
		}
	}
	if m := mustBe.FindStringSubmatch(text); m != nil {
		if values := plainList(m[1]); len(values) > 1 && !slices.ContainsFunc(values, func(v any) bool { return !isChoice(v) }) {
			return values
		}
	}
	if m := quotedEnum.FindStringSubmatchIndex(text); m != nil && !hedged(text[:m[2]]) && !itemBefore.MatchString(text[:m[2]]) {
		var values []any
		for _, quoted := range quotedItem.FindAllString(text[m[2]:m[3]], 60) {
			values = append(values, quoted[1:len(quoted)-1])
		}
		return distinct(values)
	}
	return nil
}

// mustBe is a list of words that a value must be one of: "must be small, medium or large".
var mustBe = compile(`(?i)(?:^|[\s,;:])(?:must be|has to be|is either|either|values:|values are)\s+([\w+\-]+(?:, [\w+\-]+)*,? (?:or|and) [\w+\-]+|[\w+\-]+(?:, [\w+\-]+)+)\s*(?:$|[.;)])`)

// itemBefore ends in another item of the list, which its first word kept from being read.
var itemBefore = compile("[\"'`]\\s*,\\s*$")

// markedValues reads "[Enum]: ["a", "b"]", the one form that leaves no doubt.
func markedValues(text string) []any {
	m := markedEnum.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	tree, err := parseTree([]byte(m[1]), 1)
	list, ok := tree.([]any)
	if err != nil || !ok || len(list) == 0 || slices.ContainsFunc(list, func(v any) bool { _, isList := v.([]any); return isList }) {
		return nil
	}
	return distinct(list)
}

var quotedItem = compile(quotedValue)

var listSeparator = compile(`\s*(?:,\s*or\s+|,\s*and\s+|,|\||\s+or\s+|\s+and\s+)\s*`)

// wordList splits "a, b or c". Every item must be one value, and none may trail into a sentence.
func wordList(s string) []any {
	var out []any
	for _, item := range listSeparator.Split(strings.TrimSpace(s), 60) {
		v, ok := literal(strings.TrimSpace(item))
		word, isWord := v.(string)
		if !ok || isWord && (strings.HasSuffix(word, "...") || strings.EqualFold(word, "etc") || word == "") {
			return nil
		}
		out = append(out, v)
	}
	return distinct(out)
}

// hedged reports whether the words before a list make it examples.
func hedged(before string) bool {
	before = strings.ToLower(strings.TrimRight(before, " ,:("))
	return slices.ContainsFunc([]string{"e.g.", "eg", "such as", "for example", "like", "not", "usually"}, func(h string) bool { return strings.HasSuffix(before, h) })
}

// asTexts writes numbers as the text that they are where the type is said to be text.
func asTexts(values []any) []any {
	out := slices.Clone(values)
	for i, v := range out {
		if n, ok := v.(json.Number); ok {
			out[i] = string(n)
		}
	}
	return out
}
