package infer

// This file finds the value that holds where an argument is left out: beside the word "default", or in the
// clause that says what happens then.

import (
	"encoding/json"
	"slices"
	"strings"
)

// tellDefault takes the value beside a phrase, for the argument that the phrase is of.
func (t *teller) tellDefault(clauses []clause, n int, f found) {
	c := clauses[n]
	if f.gives == instead && !t.saidEarlier(f.from) {
		return
	}
	of := t.of(c, f)
	if f.gives == standard && t.firstMention(c.from, c.to) < 0 && (len(of) == 0 || t.carried && !t.linked(c, t.subjects[of[0]])) {
		if v, n := t.only(c, f, &subject{d: &docParam{}}); n == 1 {
			t.pending = v
		}
		return
	}
	if len(of) == 0 {
		return
	}
	if f.gives != standard {
		for _, one := range of {
			t.need(one, t.outcome(clauses, n))
		}
	}
	if f.subject < 0 && f.gives != standard && t.takeEach(c, f) {
		return
	}
	if len(of) > 1 && !t.plural(c.from, c.to) {
		of = of[len(of)-1:]
	}
	for _, one := range of {
		if s := t.subjects[one]; !s.fixed && !s.said.hasDefault && s.said.required == nil {
			t.takeValue(clauses, n, f, one)
		}
	}
}

// takePending gives a default to the argument that the next clause says to change it.
func (t *teller) takePending(c clause) {
	at := t.firstMention(c.from, c.to)
	if t.pending == nil || at < 0 {
		return
	}
	s := t.subjects[t.mentions.of[at]]
	if !s.fixed && !s.said.hasDefault && fitsType(t.pending, s.schema()) && slices.ContainsFunc(t.toks[at:c.to], func(k token) bool { return k.isAny([]string{"IT", "otherwise", "more", "fewer", "so"}) }) {
		t.note(t.mentions.of[at], func(q *docParam) { q.value, q.hasDefault = t.pending, true })
		t.need(t.mentions.of[at], optional)
	}
	t.pending = nil
}

// takeEach reads "limit is 20 and skip 0 unless given": each has the value behind its name.
func (t *teller) takeEach(c clause, f found) bool {
	values := map[int]any{}
	for i := c.from; i < f.from; i++ {
		at := i + t.mentions.at(i)
		for at > i && at < f.from && t.toks[at].isAny([]string{"BE", "=", "to"}) {
			at++
		}
		if at == i || at >= f.from {
			continue
		}
		if v, ok := t.valueAt(at, t.subjects[t.mentions.of[i]]); ok {
			values[t.mentions.of[i]] = v
		}
	}
	if len(values) < 2 {
		return false
	}
	for of, v := range values {
		if s := t.subjects[of]; !s.fixed && !s.said.hasDefault {
			t.note(of, func(q *docParam) { q.value, q.hasDefault = v, true })
			t.need(of, optional)
		}
	}
	return true
}

// outcome is needed where a call without the argument fails.
func (t *teller) outcome(clauses []clause, n int) cue {
	for i := n; i < len(clauses) && i < n+2; i++ {
		c := clauses[i]
		for at := c.from; at < c.to; at++ {
			if refusals[t.toks[at].word] || refusals[t.toks[at].text] {
				return needed
			}
		}
	}
	return optional
}

// saidEarlier reports whether the sentence has said when the argument is given.
func (t *teller) saidEarlier(before int) bool {
	for _, f := range findCues(t.toks, 0, before, t.mentions.at) {
		if f.gives == optional || f.gives == absent {
			return true
		}
	}
	return false
}

func (t *teller) takeValue(clauses []clause, n int, f found, of int) {
	c, s := clauses[n], t.subjects[of]
	set := func(v any) {
		t.note(of, func(q *docParam) { q.value, q.hasDefault = v, true })
		t.need(of, optional)
	}
	if f.gives == standard {
		if v, ok := t.beside(clauses, n, f, s); ok {
			set(v)
		}
		return
	}
	if f.from == c.from+1 && t.toks[c.from].mark() && fitsType("", s.schema()) && !s.schema().has("enum") {
		set(t.toks[c.from].text) // "* if not given"
		return
	}
	if v, n := t.only(c, f, s); n > 0 {
		if n == 1 {
			set(v)
		}
		return
	}
	if n+1 < len(clauses) && t.toks[f.from].is("IF") {
		if v, ok := t.counts(clauses[n+1], s); ok {
			set(v)
			return
		}
	}
	for _, next := range []int{n + 1, n - 1} {
		if next < 0 || next >= len(clauses) || !t.linked(clauses[next], s) || next < n && t.firstMention(clauses[next].from, clauses[next].to) >= 0 {
			continue
		}
		if v, n := t.only(clauses[next], found{subject: -1}, s); n == 1 {
			set(v)
			return
		}
	}
}

// counts is the number in a clause on what happens where nothing is given, if it counts what the argument
// does by its name: "If due_days is omitted, payment is due within 14 days".
func (t *teller) counts(c clause, s *subject) (any, bool) {
	words := nameWords(s.d.name)
	for i := c.from; i+1 < c.to; i++ {
		if t.toks[i].number == "" || t.mentions.at(i) > 0 {
			continue
		}
		if next := t.toks[i+1].word; next != "" && slices.ContainsFunc(words, func(w string) bool { return len(w) > 2 && singular(w) == singular(next) }) {
			return t.valueAt(i, s)
		}
	}
	return nil, false
}

// only is the one value in a clause, and how many there are.
func (t *teller) only(c clause, f found, s *subject) (v any, n int) {
	for i := c.from; i < c.to; i++ {
		if i >= f.from && i < f.to || t.inList(i) {
			continue
		}
		if of := t.mentions.of[i]; of >= 0 && t.subjects[of] != s && i < f.from {
			v, n = nil, 0 // what stands before another's name is not of this one
		}
		if got, ok := t.valueAt(i, s); ok && !t.bounds(c, i) {
			if n == 0 || !same(v, got) {
				v, n = got, n+1
			}
		}
	}
	return v, n
}

// valueAt is the value that a token is, as far as the argument can have it.
func (t *teller) valueAt(i int, s *subject) (any, bool) {
	tok, schema := t.toks[i], s.schema()
	list, _ := schema.value("enum").([]any)
	for _, v := range list {
		if word, ok := v.(string); ok && (word == tok.text || !tok.quoted && strings.EqualFold(word, tok.text)) && t.mentions.at(i) == 0 {
			return v, true
		}
		if code := languages[tok.word]; code != "" && v == code {
			return v, true
		}
	}
	switch kind := schema.text("type"); {
	case len(list) > 0:
		return nil, false
	case tok.quoted:
		v, _ := literal(tok.text)
		if kind == "string" || kind == "" {
			v = tok.text
		}
		return v, fitsType(v, schema)
	case tok.number != "":
		v := any(json.Number(tok.number))
		if kind == "string" && s.d.typed == "" && s.d.typeFrom() != "" && s.d.schema.len() > 0 {
			v = tok.number
		}
		return v, fitsType(v, schema)
	case tok.is("one") && i > 0 && (t.nameEnds(i, s) || t.toks[i-1].is("BE") && fitsType(json.Number("1"), schema) && schema.len() > 0):
		return json.Number("1"), fitsType(json.Number("1"), schema)
	case tok.is("single") && i+1 < len(t.toks) && (kind == "integer" || kind == "number") && t.measures(t.toks[i+1], s):
		return json.Number("1"), fitsType(json.Number("1"), schema)
	case kind == "boolean" && (tok.isAny([]string{"on", "off", "yes", "no"})):
		return tok.isAny([]string{"on", "yes"}), true
	case tok.is("true"), tok.is("false"):
		return tok.is("true"), fitsType(true, schema)
	case tok.text == "*" || tok.text == "/" || tok.text == ".":
		return nil, false
	}
	return nil, false
}

// languages are the codes of languages by their English names.
var languages = map[string]string{"english": "en", "german": "de", "french": "fr", "spanish": "es", "italian": "it", "dutch": "nl", "portuguese": "pt",
	"swedish": "sv", "danish": "da", "norwegian": "no", "finnish": "fi", "polish": "pl", "czech": "cs", "turkish": "tr", "japanese": "ja", "chinese": "zh", "korean": "ko"}

// measures reports whether a word is what an argument counts by its name: "a single year" of years.
func (t *teller) measures(word token, s *subject) bool {
	return slices.ContainsFunc(nameWords(s.d.name), func(w string) bool { return len(w) > 2 && singular(w) == singular(word.word) })
}

// nameEnds reports whether the argument is named right before a token: "level one".
func (t *teller) nameEnds(i int, s *subject) bool {
	at := t.lastMention(0, i)
	return at >= 0 && at+t.mentions.width[at] == i && t.subjects[t.mentions.of[at]] == s
}

// bounds reports whether a number limits or shows values.
func (t *teller) bounds(c clause, i int) bool {
	for back := 1; back <= 2 && i-back >= c.from; back++ {
		before := t.toks[i-back]
		if bounding[before.word] && !(before.is("to") && i-back > c.from && t.toks[i-back-1].isAny([]string{"STD", "back", "USED", "be"})) && before.word != "up" || before.isAny([]string{"LIKE", "such", "<", ">", "≥", "≤"}) {
			return true
		}
	}
	return i+1 < c.to && (t.toks[i+1].is("char") || t.toks[i+1].is("to"))
}

// linked reports whether a clause has nothing but a value and words that lead to it.
func (t *teller) linked(c clause, s *subject) bool {
	for i := c.from; i < c.to; i++ {
		tok := t.toks[i]
		_, value := t.valueAt(i, s)
		of := t.mentions.of[i]
		if of >= 0 && t.subjects[of] != s {
			return false
		}
		if !value && of < 0 && !links[tok.word] && !tok.isAny([]string{"BE", "USED", "STD", "THE"}) && !unitName.MatchString(tok.word) && !(tok.mark() && len(tok.text) == 1 && !t.inList(i)) {
			return false
		}
	}
	return true
}

// beside is the value that the word "default" stands at: "default 10", "10 by default", "the default is X".
func (t *teller) beside(clauses []clause, n int, f found, s *subject) (any, bool) {
	c := clauses[n]
	at := f.to
	for at < c.to && (t.toks[at].isAny(towardsValue) || t.mentions.at(at) > 0 && t.subjects[t.mentions.of[at]] == s) {
		at++
	}
	if at < c.to {
		if v, ok := t.valueOrWord(c, at, f, s); ok {
			return v, true
		}
	}
	from := f.from
	for from > c.from && t.toks[from-1].isAny(fromValue) {
		if _, ok := t.valueAt(from-1, s); ok {
			break
		}
		from--
	}
	if from > c.from {
		if v, ok := t.valueBack(c, from-1, f, s); ok {
			return v, true
		}
		if from-2 >= c.from && unitName.MatchString(t.toks[from-1].word) {
			return t.valueBack(c, from-2, f, s)
		}
		return nil, false
	}
	for _, next := range []int{n - 1, n + 1} {
		if next >= 0 && next < len(clauses) && t.linked(clauses[next], s) {
			if v, n := t.only(clauses[next], found{subject: -1}, s); n == 1 {
				return v, true
			}
		}
	}
	return nil, false
}

var (
	towardsValue = []string{"BE", "to", ":", "=", "of", "value", "THE", "at", "with", "IT", "as", "USED"}
	fromValue    = []string{"BE", "THE", "as", "by", ",", "IT", "which", "that", "used"}
)

// valueOrWord takes a bare word too, where its clause ends with it.
func (t *teller) valueOrWord(c clause, at int, f found, s *subject) (any, bool) {
	if v, ok := t.valueAt(at, s); ok {
		return v, !t.bounds(c, at) || t.toks[at-1].is("to")
	}
	if !t.marksDefault(f) || slices.ContainsFunc(t.toks[f.to:at], func(k token) bool { return k.isAny([]string{"IT", "of", "THE"}) }) && !t.toks[at-1].isAny([]string{"BE", "to", ":", "="}) {
		return nil, false
	}
	ends := at+1 == c.to || t.toks[at+1].isAny([]string{"and", "but", ".", "IF", "UNLESS"})
	return t.bareWord(at, s, ends)
}

func (t *teller) valueBack(c clause, at int, f found, s *subject) (any, bool) {
	if t.inList(at) {
		return nil, false
	}
	if v, ok := t.valueAt(at, s); ok {
		return v, !t.bounds(c, at)
	}
	if !t.marksDefault(f) {
		return nil, false
	}
	begins := at == c.from || t.toks[at-1].isAny([]string{"and", "with", "but"})
	return t.bareWord(at, s, begins)
}

// marksDefault reports whether a phrase has the word itself, beside which a bare word is a value.
func (t *teller) marksDefault(f found) bool {
	return slices.ContainsFunc(t.toks[f.from:f.to], func(k token) bool { return k.isAny([]string{"STD", "fallback", "fall", "falls"}) })
}

// bareWord takes a word, or a mark, as the text that it is.
func (t *teller) bareWord(at int, s *subject, alone bool) (any, bool) {
	tok := t.toks[at]
	kind := s.schema().text("type")
	if !alone || kind != "" && kind != "string" || s.schema().has("enum") || tok.word == "" || len(tok.class) > 0 || t.mentions.at(at) > 0 || links[tok.word] ||
		slices.Contains(noValues, tok.word) || slices.Contains(emptyWords, tok.word) {
		return nil, false
	}
	for _, other := range t.subjects {
		if list, _ := other.schema().value("enum").([]any); slices.Contains(list, any(tok.text)) {
			return nil, false // it is the other's
		}
	}
	return tok.text, true
}
