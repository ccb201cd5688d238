package infer

// This file finds the phrases of the lexicon in the words of a sentence.

import (
	"maps"
	"slices"
	"strings"
)

// phrase is one line of the lexicon, cut into its parts.
type phrase struct {
	gives cue
	parts []part
}

// part is what one place of a phrase takes.
type part struct {
	any   []string // words or classes
	not   []string // what must not follow
	maybe bool     // may be missing
	kind  byte     // 0 for words, '@', '~', '$'
}

// phraseTable has the phrases by their first word or class.
type phraseTable map[string][]phrase

func phrasesOf(lines map[cue]string) phraseTable {
	out := phraseTable{}
	for _, gives := range slices.Sorted(maps.Keys(lines)) {
		text := lines[gives]
		for line := range strings.Lines(text) {
			p := phrase{gives: gives}
			for _, field := range strings.Fields(line) {
				p.parts = append(p.parts, partOf(field))
			}
			if len(p.parts) == 0 {
				continue
			}
			for _, first := range p.parts[0].any {
				out[first] = append(out[first], p)
			}
		}
	}
	return out
}

func partOf(field string) part {
	if rest, ok := strings.CutPrefix(field, "!"); ok {
		return part{not: strings.Split(rest, "/")}
	}
	field, maybe := strings.CutSuffix(field, "?")
	switch field {
	case "@", "~", "$":
		return part{kind: field[0], maybe: maybe}
	}
	return part{any: strings.Split(field, "/"), maybe: maybe}
}

// found is a phrase in a sentence.
type found struct {
	gives    cue
	from, to int
	subject  int // the token where its "@" names an argument, -1 for none
}

var negations = []string{"NOT", "NONE", "NO", "cannot"}

// maxOther is how many words "~" stands for.
const maxOther = 3

// findCues are the phrases in tokens from one on up to another, the longest at each place. mentioned tells
// where an argument is named and how many tokens its name has.
func findCues(toks []token, from, to int, mentioned func(int) int) []found {
	var out []found
	for i := from; i < to; i++ {
		m := matcher{toks, to, mentioned, -1}
		best := m.longest(phrases[toks[i].word], i, found{subject: -1})
		for _, class := range toks[i].class {
			best = m.longest(phrases[class], i, best)
		}
		if best.to > 0 {
			out = append(out, best)
			i = best.to - 1
		}
	}
	return out
}

type matcher struct {
	toks      []token
	to        int
	mentioned func(int) int
	subject   int
}

// longest is the phrase of some that goes furthest from a token, or the best so far.
func (m *matcher) longest(some []phrase, at int, best found) found {
	for _, p := range some {
		m.subject = -1
		if end := m.match(p.parts, at); end > at && end > best.to {
			best = found{p.gives, at, end, m.subject}
		}
	}
	return best
}

// match is where the parts end that begin at a token, -1 for nowhere.
func (m *matcher) match(parts []part, at int) int {
	if len(parts) == 0 {
		return at
	}
	p, rest := parts[0], parts[1:]
	switch {
	case p.not != nil:
		if at < m.to && m.is(at, p.not) {
			return -1
		}
		return m.match(rest, at)
	case p.kind == '$':
		if at < m.to && !m.toks[at].mark() {
			return -1
		}
		return m.match(rest, at)
	case p.kind == '~':
		return m.matchOther(rest, at)
	case p.kind == '@':
		if end, named := m.subjectAt(at); end > at {
			before := m.subject
			if m.subject = max(m.subject, named); true {
				if got := m.match(rest, end); got >= 0 {
					return got
				}
			}
			m.subject = before
		}
	case at < m.to && m.is(at, p.any):
		if end := m.match(rest, at+1); end >= 0 {
			return end
		}
	}
	if p.maybe {
		return m.match(rest, at)
	}
	return -1
}

func (m *matcher) matchOther(rest []part, at int) int {
	for n := 0; n <= maxOther; n++ {
		if end := m.match(rest, at+n); end >= 0 {
			return end
		}
		if at+n >= m.to || m.toks[at+n].mark() || m.mentioned(at+n) > 0 || m.toks[at+n].isAny(negations) || m.toks[at+n].is("IF") {
			return -1
		}
	}
	return -1
}

func (m *matcher) is(at int, any []string) bool {
	return m.toks[at].isAny(any)
}

// subjectAt takes the name of an argument, or a word for one, with what determines it.
func (m *matcher) subjectAt(at int) (end, named int) {
	start := at
	for at < m.to && at < start+3 && m.toks[at].isAny(determiners) && m.mentioned(at) == 0 {
		at++
	}
	if at < m.to {
		if n := m.mentioned(at); n > 0 {
			return at + n, at
		}
		if m.toks[at].isAny([]string{"IT", "FIELD"}) || at == start && m.toks[at].word == "one" {
			return at + 1, -1
		}
	}
	if at > start && m.toks[at-1].isAny([]string{"IT", "any"}) {
		return at, -1
	}
	return start, -1
}

var determiners = []string{"THE", "that", "this", "another", "other", "certain", "such", "particular"}

// is reports whether a token is a word or of a class.
func (t token) is(what string) bool {
	return t.word != "" && (t.word == what || slices.Contains(t.class, what)) || t.mark() && t.text == what
}

func (t token) isAny(what []string) bool { return slices.ContainsFunc(what, t.is) }
