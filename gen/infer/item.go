package infer

// This file reads one documented argument.

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"codemode/directory/contract"
)

var (
	itemHead = compile(`^(?:\$(\d{1,2})\+?\s*[:=\-–]\s*)?` + "`?" + `([\p{L}_][\p{L}\p{N}_.\-\[\]]{0,79}?)` + "`?" + `(\?|\+|\.\.\.)?\s*(=\s*\S.*|\(.*|:.*|[-–—]\s.*|)$`)
	slotHead = compile(`^\$(\d{1,2})\+?\s*(?:[:=\-–]\s*)?(\S.*)$`)
)

// readItem reads one argument: "name", "name?", "name=10", "name (int, optional): text",
// "name: type - text", "$2=name", "$2: text".
func readItem(item string) (docParam, bool) {
	written := strings.TrimSpace(item)
	item = plainForm(withoutStar(written))
	if len(item) > maxTypeText {
		return docParam{}, false
	}
	if inner, ok := strings.CutPrefix(strings.TrimSuffix(item, "]"), "["); ok && strings.HasSuffix(item, "]") && !strings.ContainsAny(inner, "[]") {
		p, ok := readItem(inner)
		p.optionalArg = true
		return p, ok
	}
	if m := itemHead.FindStringSubmatch(item); m != nil && !isRemark(m[2], m[4]) {
		index, _ := strconv.Atoi(m[1])
		p := docParam{name: m[2], index: index, from: contract.FromArgs, optionalArg: m[3] == "?", source: source{words: written}}
		p.readRest(m[4])
		p.readWords()
		return p, true
	}
	if m := slotHead.FindStringSubmatch(item); m != nil {
		index, _ := strconv.Atoi(m[1])
		p := docParam{index: index, from: contract.FromNone, description: clean(m[2]), source: source{words: written}}
		p.readWords()
		return p, index > 0
	}
	return docParam{}, false
}

// starredItem is a name whose star says that it must be given.
var starredItem = compile(`^([\p{L}_][\p{L}\p{N}_.\-]*)\*(?:\s*\((.*)|(\s.*|:.*|))$`)

// withoutStar writes the star as the word that it stands for.
func withoutStar(item string) string {
	m := starredItem.FindStringSubmatch(item)
	switch {
	case m == nil:
		return item
	case m[2] != "":
		return m[1] + " (required, " + m[2]
	}
	return m[1] + " (required)" + m[3]
}

// isRemark reports whether what looks like a name begins a remark: "e.g. Paris", "Note: ...".
func isRemark(name, rest string) bool {
	switch strings.ToLower(strings.Trim(name, ".")) {
	case "e.g", "i.e":
		return true
	case "see", "note":
		return strings.HasPrefix(rest, ":")
	}
	return false
}

// readRest reads what follows the name.
func (p *docParam) readRest(rest string) {
	if strings.HasPrefix(rest, "(") {
		inner, after, ok := cutParen(rest)
		if ok {
			p.readMeta(inner)
			rest = after
		}
	}
	rest = strings.TrimSpace(rest)
	switch {
	case strings.HasPrefix(rest, "="):
		p.readDefault(rest[1:])
	case strings.HasPrefix(rest, ":"):
		p.readTyped(strings.TrimSpace(rest[1:]))
	default:
		p.readText(strings.TrimLeft(rest, "-–— "))
	}
}

// readText adds words that may be a list of values as a whole, with types and flags among them.
func (p *docParam) readText(s string) {
	s = p.cutDefault(longForm(s))
	if p.slashValues(s) || p.codeValues(s) {
		return
	}
	if quotedList.MatchString(s) {
		p.addText(s)
		p.setProseEnum(proseEnum(s))
		return
	}
	if m := pipedWords.FindStringSubmatch(strings.TrimRight(s, ". ")); m != nil && (m[2] == "" || restOfValues.MatchString(m[2])) && (p.schema.len() == 0 || p.schema.text("type") == "string") {
		p.addText(m[2])
		p.setProseEnum(splitValues(m[1]))
		return
	}
	if head, tail, ok := strings.Cut(s, ";"); ok && p.readChoices(listedOr(head), listedOr(head)) {
		p.addText(tail)
		return
	}
	if list := listedOr(s); !p.readChoices(list, list) {
		p.addText(p.takeSegments(s))
	}
}

var (
	shortWords   = compile(`(?i)\b(?:dflt|deflt|dft)\b\.?|\bdef(?:\.|\s?[:=])\s?`)
	listDefault  = compile(`(?i)^(.*?)\s*\(([\w+\-]+) (?:by|as|is|=)(?: the)? default\)(\W*)$`)
	repeatedOr   = compile(`^[\w+\-]+(?: or [\w+\-]+){2,}(?:[,;.(].*)?$`)
	slashedWords = compile(`^([a-z][a-z0-9_\-]*(?:\s?/\s?[a-z][a-z0-9_\-]*){2,})(?:$|\s*([,;.(].*)$)`)
)

// cutDefault takes "(default)" from behind a value: "`EUR` (default) or `USD`".
func (p *docParam) cutDefault(s string) string {
	s = namedDefault(s)
	m := markedDefault.FindStringSubmatchIndex(s)
	if m == nil || p.hasDefault {
		return s
	}
	v, ok := literal(s[m[2]:m[3]])
	if !ok {
		return s
	}
	p.value, p.hasDefault = v, true
	return s[:m[3]] + s[m[1]:]
}

// wordsAsValue are words where a value would stand.
var wordsAsValue = compile(`^\p{L}[\p{L}/'\-]*,? \p{L}`)

var (
	formerDefault  = compile(`(?i)^(.*?)\b([\w+\-]+)((?:, [\w+\-]+)*,? or )([\w+\-]+)[,;] the (former|first|latter|last|second)(?: one)?(?: being| is) (?:the |used by )?default\W*$`)
	starredDefault = compile(`^(.*?)\b([\w+\-]+)\*(.*?)\s*\(\* (?:=|is|means|marks) (?:the )?default\)\W*$`)
)

// namedDefault says the default by its name where its place in a list says it: "csv or json, the former
// being the default", "csv, json* (* = default)".
func namedDefault(s string) string {
	if !strings.Contains(s, "efault") {
		return s
	}
	if m := formerDefault.FindStringSubmatch(s); m != nil {
		which := m[2]
		if l := strings.ToLower(m[5]); l == "latter" || l == "last" || l == "second" {
			which = m[4]
		}
		return m[1] + m[2] + m[3] + m[4] + ", default " + which
	}
	if m := starredDefault.FindStringSubmatch(s); m != nil {
		return m[1] + m[2] + m[3] + ", default " + m[2]
	}
	return s
}

func (p *docParam) readDefault(s string) {
	value, text, _ := strings.Cut(strings.TrimSpace(s), " ")
	switch quoted := strings.ContainsAny(value[:min(1, len(value))], "\"'`"); {
	case typeName.MatchString(strings.Trim(value, "<>")), pipedWords.MatchString(strings.Trim(value, "<>{}")):
		p.readTyped(strings.Trim(value, "<>{}") + withDash(text)) // "days=int", "sort=asc|desc"
		return
	case strings.HasPrefix(value, "<") && strings.HasSuffix(s, ">"):
		return // "city=<name>"
	case !quoted && wordsAsValue.MatchString(value+" "+text):
		p.readTyped(strings.TrimSpace(s)) // "n = how many hits", "port=UN/LOCODE e.g. DEHAM"
		return
	}
	if v, ok := literal(value); ok {
		p.value, p.hasDefault = v, true
	} else {
		text = s
	}
	p.addText(strings.TrimLeft(text, "-–— "))
}

// readTyped reads "type - text", "type, optional", "json|csv", or text alone.
func (p *docParam) readTyped(s string) {
	s = p.cutDefault(s)
	if inner, after, ok := cutParen(s); ok && strings.HasPrefix(s, "(") {
		if head, _, _ := strings.Cut(inner, ","); isTypeWords(head) {
			p.readMeta(inner)
			s = strings.TrimSpace(after)
		}
	}
	t, rest, ok := parseTypePrefix(s)
	if one, _ := t.schema.value("enum").([]any); len(one) == 1 && rest != "" {
		p.readText(s) // "`book`, `film` or `song`"
		return
	}
	if ok && t.schema != nil && (rest == "" || strings.ContainsRune("-–—,(;.=", []rune(rest)[0])) {
		p.setType(t)
		switch {
		case strings.HasPrefix(rest, "="):
			p.readDefault(rest[1:])
			return
		case strings.HasPrefix(rest, "("):
			p.readRest(rest)
			return
		case strings.HasPrefix(rest, ","):
			meta, text, _ := strings.Cut(rest[1:], " - ")
			p.readMeta(meta)
			p.addText(text)
			return
		}
		p.addText(strings.TrimLeft(rest, "-–—;. "))
		return
	}
	if m := pipedWords.FindStringSubmatch(s); m != nil {
		p.setEnum(splitValues(m[1]))
		p.addText(strings.TrimLeft(m[2], "-–—,;. "))
		return
	}
	p.readText(s)
}

var pipedWords = compile(`^([\w.+\-]+(?:\s?\|\s?[\w.+\-]+)+)(?:$|([\s,;(].*)$)`)

func (p *docParam) setType(t typeText) {
	p.anything = p.anything || t.schema != nil && t.schema.len() == 0
	if t.schema.len() > 0 && p.schema == nil {
		p.schema = t.schema
		p.addText(t.said)
	}
	if list, ok := t.schema.value("enum").([]any); ok && len(list) > 1 && allText(list) && p.schema.len() == 1 && p.schema.text("type") == "string" {
		p.schema = obj("type", "string", "enum", distinct(list))
	}
	p.optionalArg = p.optionalArg || t.optional
}

func isTypeWords(s string) bool {
	t, ok := parseWords(s)
	return ok && t.schema.len() > 0
}

func (p *docParam) setEnum(values []any) {
	if len(values) > 1 && (p.schema == nil || !p.schema.has("enum")) {
		p.schema = obj("enum", distinct(values))
	}
}

// readMeta reads the words in brackets after a name: "int, optional, default 10".
func (p *docParam) readMeta(meta string) {
	var text, last []string
	if m := valuesLead.FindStringSubmatch(meta); m != nil {
		if values := plainList(m[1]); len(values) > 1 {
			p.setProseEnum(values)
			return
		}
	}
	if p.readChoices(meta, "("+meta+")") {
		return
	}
	if m := valuesBehind.FindStringSubmatch(meta); m != nil {
		if values := plainList(m[2]); len(values) > 1 {
			p.readMeta(m[1])
			p.setProseEnum(values)
			return
		}
	}
	for _, part := range splitTop(longForm(meta), ',') {
		part = unquoted(strings.TrimSpace(part))
		lower := strings.ToLower(part)
		if t, ok := parseWords(part); ok && lower != "optional" && lower != "required" {
			p.setType(t)
		} else if m := pipedWords.FindStringSubmatch(part); m != nil && m[2] == "" {
			p.setEnum(splitValues(m[1]))
		} else if strings.HasPrefix(lower, "opt") && slices.Contains(flagWordsOf, lower) {
			p.optionalArg = true
		} else if slices.Contains(flagWordsOf, lower) {
			p.required = new(true)
		} else if v, ok := literal(part); ok && p.impliesDefault(v) {
			p.value, p.hasDefault = v, true
		} else if m := shortDefault.FindStringSubmatch(part); m != nil {
			last = append(last, "default "+m[1])
		} else if t, rest, ok := parseTypePrefix(part); ok && t.schema.len() > 0 && boundWords.MatchString(rest) {
			p.setType(t)
			text = append(text, part)
		} else if strings.HasPrefix(lower, "default") {
			last = append(last, part) // apart from a list of values before it
		} else if part != "" {
			text = append(text, part)
		}
	}
	for _, words := range [][]string{text, last} {
		if len(words) > 0 {
			p.addText("(" + strings.Join(words, ", ") + ")")
		}
	}
}

// unquoted takes a word out of the back-quotes that it stands in as a whole.
func unquoted(s string) string {
	if inner, ok := strings.CutPrefix(s, "`"); ok && len(inner) > 1 && strings.IndexByte(inner, '`') == len(inner)-1 && isTypeWords(inner[:len(inner)-1]) {
		return inner[:len(inner)-1]
	}
	return s
}

// valuesLead is "enum: C, F, K"; shortDefault "def 3"; boundWords what bounds a type, "int >= 1".
var (
	valuesLead   = compile(`^(?i:enum|enumeration|values?|choices|(?:allowed|possible|valid) values|choice of)\s*[:=]?\s+(\S.*)$`)
	valuesBehind = compile(`^(.+?)[,;]\s*(?i:enum|enumeration|values?|choices|(?:allowed|possible|valid) values|one of)\s*[:=]?\s+(\S.*)$`)
	shortDefault = compile(`^(?i:def|dflt|dft)(?:\.|\s|[:=])\s*[:=]?\s*(\S+)$`)
	boundWords   = compile(`^(?:[<>≥≤]|(?i:between|from|up to|at least|at most|min|max|in)\b|\d)`)
)

// impliesDefault reports whether a value among the words in brackets can only be the default: "bool,
// false", "optional, 25".
func (p *docParam) impliesDefault(v any) bool {
	switch v.(type) {
	case bool:
		return p.schema.text("type") == "boolean"
	case json.Number:
		return p.optionalArg && !p.hasDefault
	}
	return false
}

func (p *docParam) addText(s string) {
	p.description = strings.TrimSpace(p.description + " " + clean(s))
}

// cutParen splits after the bracket that closes the first one.
func cutParen(s string) (inner, after string, ok bool) {
	depth := 0
	for i, r := range s {
		switch r {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return s[1:i], s[i+1:], true
			}
		}
	}
	return "", s, false
}

// splitTop splits at a separator outside brackets and quotes.
func splitTop(s string, sep rune) []string {
	var out []string
	depth, start := 0, 0
	var quote rune
	for i, r := range s {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '`':
			quote = r
		case strings.ContainsRune("([{<", r):
			depth++
		case strings.ContainsRune(")]}>", r):
			depth--
		case r == sep && depth <= 0:
			out = append(out, s[start:i])
			start = i + len(string(sep))
		}
	}
	return append(out, s[start:])
}
