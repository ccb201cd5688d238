package infer

// This file reads "a|b|c": several arguments in the order of the legacy body, with what each says of itself.

import (
	"slices"
	"strings"
)

// addPipes reads "a|b|c": several arguments in the order of the legacy body.
func (d *docArgs) addPipes(line string) bool {
	pieces := splitBars(line)
	if len(pieces) < 2 {
		return false
	}
	if m := barredValue.FindStringSubmatch(line); m != nil && !numberPattern.MatchString(m[1]) {
		return false // "sort=asc|desc"
	}
	if label := labelPattern.FindStringSubmatch(pieces[0]); label != nil && !slices.ContainsFunc(pieces[1:], labelPattern.MatchString) {
		if !slices.Contains([]string{"args", "input", "body", "usage", "params"}, strings.ToLower(label[1])) {
			return false // "format: json|csv" is one argument
		}
		pieces[0] = strings.TrimPrefix(strings.TrimSpace(pieces[0]), label[0])
	}
	last, behind := len(pieces)-1, ""
	if head, tail, ok := strings.Cut(pieces[last], ". "); ok && plainName.MatchString(strings.TrimSpace(head)) {
		pieces[last] = head // a sentence goes on behind the list
		d.prose = append(d.prose, clean(tail))
		behind = tail
	}
	of, said := -1, ""
	if m := ordinalTail.FindStringSubmatch(pieces[last]); m != nil {
		if of, said = ordinalOf(m[2], len(pieces)), m[3]; of >= 0 {
			pieces[last] = m[1]
		}
	}
	var items []docParam
	words := true
	for i, piece := range pieces {
		piece = pipeForm(piece)
		p, ok := readItem(piece)
		if !ok && isPhrase(piece) {
			p, ok = nounItem(strings.TrimSpace(piece))
		}
		if !ok || p.name == "" {
			return false
		}
		words = words && p.name == strings.TrimSpace(piece) && i < 20
		items = append(items, p)
	}
	if words && len(d.params) == 0 {
		for _, p := range items {
			d.words = append(d.words, p.name)
		}
	}
	if slices.ContainsFunc(pieces, func(s string) bool { return marked.MatchString(strings.TrimSpace(s)) }) {
		for i := range items {
			items[i].optionalArg = items[i].optionalArg || items[i].required == nil // it has no mark
		}
	}
	readSymbols(items, behind)
	if of >= 0 {
		items[of].readSaid(said)
	}
	d.params = append(d.params, items...)
	return true
}

// ordinalTail is what a list says behind it of one of its arguments: "serial|country, the second is optional".
var ordinalTail = compile(`^(\s*[\p{L}_][\p{L}\p{N}_.\-]*)[,;]? (?:where )?the (first|second|third|fourth|last|latter)( .+)$`)

// readSaid reads what a list says behind it of the argument: " is optional".
func (p *docParam) readSaid(rest string) {
	text := p.name + rest
	s := sentence{"content # ARGS", text, outsideParens(text), strings.ToLower(text)}
	p.readRemark(s, "", rest, p.name)
	p.readPredicate(s, "", outsideParens(rest))
	if m := thenTaken.FindStringSubmatch(rest); m != nil && p.optionalArg && !p.hasDefault {
		p.takeDefault(m[1])
	}
}

// thenTaken is "(then DE is taken)".
var thenTaken = compile(`(?i)\bthen ` + aValue + ` (?:is|are|gets?|will be)? ?(?:used|taken|assumed|meant|the default)\b`)

// ordinalOf is the place in a list of n that an ordinal says, -1 for none.
func ordinalOf(word string, n int) int {
	at := slices.Index([]string{"first", "second", "third", "fourth"}, word)
	if word == "last" || word == "latter" {
		at = n - 1
	}
	if at >= n {
		return -1
	}
	return at
}

// readSymbols reads "fill one char, * if none" behind a list: a default that is no word.
func readSymbols(items []docParam, behind string) {
	for _, clause := range clauseBreak.Split(behind, maxOperands) {
		m := symbolDefault.FindStringSubmatch(clause)
		if m == nil {
			continue
		}
		for i := range items {
			if p := &items[i]; !p.hasDefault && mention(clause, p.name) == 0 {
				p.value, p.hasDefault = strings.Trim(m[1], "\"'`"), true
			}
		}
	}
}

var (
	clauseBreak   = compile(`[;.]\s+`)
	symbolDefault = compile(`(?i)[\s,(]([^\w\s,;:()]{1,5}),? (?:` + notSaid + `|by default)\W*$`)
)

// splitBars splits at bars, at those between blanks alone where others stand within an argument:
// "id | kind: a|b".
func splitBars(line string) []string {
	pieces := splitTop(line, '|')
	spaced := spacedBar.Split(line, -1)
	if len(spaced) > 1 && len(spaced) < len(pieces) && !slices.ContainsFunc(spaced, func(s string) bool { return strings.Count(s, "(") != strings.Count(s, ")") }) {
		return spaced
	}
	return pieces
}

var (
	spacedBar   = compile(`\s\|\s`)
	marked      = compile(`^([\p{L}_][\p{L}\p{N}_.\-]*)[!*]$`)
	wrappedName = compile(`^(?:\(([\p{L}_][\p{L}\p{N}_.\-]*)\)|<([\p{L}_][\p{L}\p{N}_.\-]*)>)$`)
	flagBehind  = compile(`^([\p{L}_][\p{L}\p{N}_.\-]*),?\s+((?i:opt(?:ional|\.)?|req(?:uired|\.)?|(?:default|def|dflt)\.?\s*[:=]?\s*\S+))$`)
	typeApart   = compile(`^([\p{L}_][\p{L}\p{N}_.\-]*\??),\s?(?i:` + shortType + `)$`)
	// listAndWords is "prio (low,normal,high; normal if none)".
	listAndWords = compile(`^([\p{L}_][\p{L}\p{N}_.\-]*\??)\s?\((` + choice + `(?:,\s?` + choice + `)+);\s*([^()]+)\)$`)
	typedGiven   = compile(`^([\p{L}_][\p{L}\p{N}_.\-]*)\s+(?i:` + shortType + `)\s*=\s*(\S+)$`)
	listBehind   = compile(`^([\p{L}_][\p{L}\p{N}_.\-]*\??)\s?(?:\[([^\[\]|]+)\]|\{([^{}|]+)\}|\((\p{Ll}/\p{Ll})\))(.*)$`)
)

// pipeForm writes a piece of "a|b|c" in the form that readItem knows: "hours int =25", "kind [a,b]", "flash(y/n)",
// "(days)", "cc opt", "id!".
func pipeForm(piece string) string {
	piece = strings.TrimRight(strings.TrimSpace(piece), " ")
	piece = strings.TrimSpace(strings.TrimSuffix(piece, " ."))
	piece = strings.ReplaceAll(piece, "!)", ", required)")
	if m := marked.FindStringSubmatch(piece); m != nil {
		return m[1] + " (required)"
	}
	if inner, ok := strings.CutPrefix(piece, "<"); ok && strings.Contains(piece, ":") && strings.Index(piece, ">") == len(piece)-1 {
		return strings.TrimSuffix(inner, ">")
	}
	if m := typeApart.FindStringSubmatch(piece); m != nil {
		return m[1] + " (" + m[2] + ")"
	}
	if m := listAndWords.FindStringSubmatch(piece); m != nil && !slices.ContainsFunc(strings.Split(m[2], ","), isFact) {
		return m[1] + " (enum: " + strings.Join(strings.Split(m[2], ","), ", ") + ") - " + m[3]
	}
	if m := wrappedName.FindStringSubmatch(piece); m != nil {
		if m[2] != "" {
			return m[2]
		}
		return m[1] + "?"
	}
	if m := typedGiven.FindStringSubmatch(piece); m != nil {
		return m[1] + " (" + m[2] + ") = " + m[3]
	}
	if m := flagBehind.FindStringSubmatch(piece); m != nil {
		return m[1] + " (" + m[2] + ")"
	}
	if m := listBehind.FindStringSubmatch(piece); m != nil {
		list := strings.ReplaceAll(m[2]+m[3]+m[4], "/", ",")
		if values := splitValues(list); len(values) > 1 && !slices.ContainsFunc(strings.Split(list, ","), isFact) {
			return m[1] + " (enum: " + strings.Join(strings.Split(list, ","), ", ") + ")" + m[5]
		}
	}
	return piece
}

// isFact reports whether a word of a list in brackets says something of the argument: a type, a flag.
func isFact(word string) bool {
	word = strings.ToLower(strings.TrimSpace(word))
	return isTypeWords(word) || slices.Contains(flagWordsOf, word) || strings.HasPrefix(word, "default") || strings.HasPrefix(word, "max") || strings.HasPrefix(word, "min")
}

// joinBars takes "ticket|queue: L1|L2|legal" for two arguments where the template has two: the words
// behind a value are further values.
func (d *docArgs) joinBars(arity int) {
	if arity == 0 || len(d.params) <= arity || d.object {
		return
	}
	var out []docParam
	for i := 0; i < len(d.params); i++ {
		p := d.params[i]
		values := p.firstValue()
		for values != nil && i+1 < len(d.params) && d.params[i+1].isBare() {
			i++
			values = append(values, d.params[i].name)
		}
		if len(values) > 1 {
			p.description, p.value, p.hasDefault, p.optionalArg, p.schema = "", nil, false, false, nil
			p.setEnum(values)
		}
		out = append(out, p)
	}
	if len(out) == arity {
		d.params, d.words = out, nil
	}
}

// firstValue is the word that stands as an argument's value or its whole description.
func (p docParam) firstValue() []any {
	s, isText := p.value.(string)
	switch {
	case p.hasDefault && isText && p.schema.len() == 0:
		return []any{s}
	case !p.hasDefault && p.schema.len() == 0 && loneWord.MatchString(p.description) && !isFact(p.description):
		v, _ := literal(p.description)
		return []any{v}
	}
	return nil
}

var loneWord = compile(`^[\w+\-]+$`)

// isBare reports whether nothing but a word stands there.
func (p docParam) isBare() bool {
	return p.description == "" && !p.hasDefault && !p.optionalArg && p.required == nil && p.schema.len() == 0
}

// isPhrase reports whether a piece of a list is an argument in a few words: "id of the order".
func isPhrase(piece string) bool {
	n := len(strings.Fields(hideParens(piece)))
	return n > 1 && n < 7 && !strings.ContainsAny(hideParens(piece), ":=.,\"") && !strings.Contains(piece, " - ")
}

var barredValue = compile(`^[\p{L}_][\p{L}\p{N}_.\-]*\s?=\s?([\w.+\-]+)(?:\|[\w.+\-]+)+$`)

var labelPattern = compile(`^\s*([\p{L}_][\p{L}\p{N}_.\-]*)\s*:`)
