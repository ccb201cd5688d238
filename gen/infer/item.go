package infer

// This file reads one documented argument.

import (
	"regexp"
	"strconv"
	"strings"

	"codemode/directory/contract"
)

var (
	itemHead = regexp.MustCompile(`^(?:\$(\d{1,2})\+?\s*[:=\-–]\s*)?` + "`?" + `([\p{L}_][\p{L}\p{N}_.\-\[\]]{0,79}?)` + "`?" + `(\?|\+|\.\.\.)?\s*(=\s*\S.*|\(.*|:.*|[-–—]\s.*|)$`)
	slotHead = regexp.MustCompile(`^\$(\d{1,2})\+?\s*(?:[:=\-–]\s*)?(\S.*)$`)
)

// readItem reads one argument: "name", "name?", "name=10", "name (int, optional): text",
// "name: type - text", "$2=name", "$2: text".
func readItem(item string) (docParam, bool) {
	item = strings.TrimSpace(item)
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
		p := docParam{name: m[2], index: index, from: contract.FromArgs, optionalArg: m[3] == "?", source: source{words: item}}
		p.readRest(m[4])
		p.readProse()
		return p, true
	}
	if m := slotHead.FindStringSubmatch(item); m != nil {
		index, _ := strconv.Atoi(m[1])
		p := docParam{index: index, from: contract.FromNone, description: clean(m[2]), source: source{words: item}}
		p.readProse()
		return p, index > 0
	}
	return docParam{}, false
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

// readText adds words that may be a list of values as a whole.
func (p *docParam) readText(s string) {
	s = p.cutDefault(s)
	if m := pipedWords.FindStringSubmatch(strings.TrimRight(s, ". ")); m != nil && m[2] == "" && (p.schema.len() == 0 || p.schema.text("type") == "string") {
		p.setProseEnum(splitValues(m[1]))
		return
	}
	if !p.readChoices(s, s) {
		p.addText(s)
	}
}

// cutDefault takes "(default)" from behind a value: "`EUR` (default) or `USD`".
func (p *docParam) cutDefault(s string) string {
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

func (p *docParam) readDefault(s string) {
	value, text, _ := strings.Cut(strings.TrimSpace(s), " ")
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

var pipedWords = regexp.MustCompile(`^([\w.+\-]+(?:\s?\|\s?[\w.+\-]+)+)(?:$|([\s,;(].*)$)`)

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
	if p.readChoices(meta, "("+meta+")") {
		return
	}
	for _, part := range splitTop(meta, ',') {
		part = strings.TrimSpace(part)
		lower := strings.ToLower(part)
		if t, ok := parseWords(part); ok && lower != "optional" && lower != "required" {
			p.setType(t)
		} else if m := pipedWords.FindStringSubmatch(part); m != nil && m[2] == "" {
			p.setEnum(splitValues(m[1]))
		} else if lower == "optional" {
			p.optionalArg = true
		} else if lower == "required" || lower == "needed" || lower == "mandatory" {
			p.required = new(true)
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
