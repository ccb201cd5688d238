package infer

// This file finds of which arguments the words of a sentence are: those named before them, or those that
// "it", "both" and "the latter" stand for.

import (
	"slices"
	"strings"
)

// subject is one argument that sentences may speak of.
type subject struct {
	d     *docParam
	said  docParam // what the sentences say
	where sentence // the first that says something
	fixed bool     // the call cannot be made without it
}

// form is a name as words: "order_id" is also "order id" and "order's id".
type form struct {
	words []string
	of    int // the subject
}

// nameForms has the forms by their first word.
type nameForms map[string][]form

func formsOf(subjects []*subject, names func(*docParam) []string) nameForms {
	out := nameForms{}
	add := func(of int, words ...string) {
		if words[0] != "" && !slices.ContainsFunc(out[words[0]], func(f form) bool { return f.of == of && slices.Equal(f.words, words) }) {
			out[words[0]] = append(out[words[0]], form{words, of})
		}
	}
	for i, s := range subjects {
		for _, name := range names(s.d) {
			add(i, stem(name))
			words := nameWords(name)
			if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(sumNames, w) }) {
				add(i, "how", "much")
			}
			if len(words) < 2 {
				continue
			}
			for at := range words {
				words[at] = stem(words[at])
			}
			add(i, words...)
			if last := words[len(words)-1]; len(words) == 2 && slices.Contains(tailWords, last) {
				add(i, last, "of", words[0])
			}
		}
	}
	return out
}

// tailWords end names of two words that people turn round: "id of the order".
var tailWords = strings.Fields("id name code number key type date")

// sumNames are words of names that sentences ask for as "how much".
var sumNames = strings.Fields("amount sum total price")

// stem is a word as it is looked up: in lower case, of one, without what joins words.
func stem(word string) string { return singular(squash(word)) }

// mentionAt is the argument that is named at a token and how many tokens its name has.
func (f nameForms) mentionAt(toks []token, at int) (of, n int) {
	of = -1
	t := toks[at]
	if t.mark() || t.quoted && strings.Contains(t.text, " ") {
		return
	}
	for _, form := range f[stem(t.text)] {
		if end := form.match(toks, at); end-at > n && (len(form.words) > 1 || f.speaksOfIt(toks, at)) {
			of, n = form.of, end-at
		}
	}
	return of, n
}

func (f form) match(toks []token, at int) int {
	for i, w := range f.words {
		for i > 0 && at < len(toks) && (toks[at].word == "'s" || f.words[i-1] == "of" && toks[at].is("THE")) {
			at++
		}
		if at >= len(toks) || toks[at].mark() || stem(toks[at].text) != w {
			return 0
		}
		at++
	}
	return at
}

// particles are words so common that as a name they count only where a name must stand.
var particles = setOf(`to from on in at by as is when since for if all any no of or and be it that with until before after via per up out off a i so not do`)

// speaksOfIt reports whether a word that is an argument's name is meant as one, and not as a verb or particle.
func (f nameForms) speaksOfIt(toks []token, at int) bool {
	t := toks[at]
	next := func(what ...string) bool { return at+1 < len(toks) && toks[at+1].isAny(what) }
	if t.quoted {
		return true
	}
	begins := at == 0 || toks[at-1].mark() || toks[at-1].isAny([]string{"FIELD", "called", "named"})
	if particles[t.word] {
		listed := at > 0 && toks[at-1].isAny([]string{"by", "and", "then", "plus"}) && (at+1 == len(toks) || toks[at+1].isAny([]string{",", ";", "."}))
		return f.beside(toks, at) || listed || begins && (next("BE", "MAY", "MUST", "=", ":", "(", "REQ", "OPT") || at+1 < len(toks) && typeNouns[toks[at+1].word] != "")
	}
	verb := at == 0 || toks[at-1].isAny([]string{"YOU", "MAY", "please", "and"}) || toks[at-1].is("to") && !(at > 1 && toks[at-2].is("according"))
	return !verb || !next("THE")
}

// beside reports whether a word stands in a row with another name: "between from and to".
func (f nameForms) beside(toks []token, at int) bool {
	named := func(i int) bool {
		return i >= 0 && i < len(toks) && !toks[i].mark() && len(f[stem(toks[i].text)]) > 0 && toks[i].text == strings.ToLower(toks[i].text)
	}
	return at+1 < len(toks) && toks[at+1].isAny([]string{"and", ",", "or", "+", "&"}) && named(at+2) || at > 0 && toks[at-1].isAny([]string{"and", "or", "+", "&"}) && named(at-2)
}

// group is the arguments named beside each other: "iban and amount", "start + end".
type group struct {
	of    []int
	to    int  // the token behind the last name
	tight bool // joined by a mark that makes one of them
}

// mentions are the arguments named in a sentence.
type mentions struct {
	of    []int // by token, -1 for none
	width []int
}

func (f nameForms) find(toks []token) mentions {
	m := mentions{make([]int, len(toks)), make([]int, len(toks))}
	for i := range toks {
		m.of[i] = -1
	}
	for i := 0; i < len(toks); i++ {
		if of, n := f.mentionAt(toks, i); n > 0 {
			m.of[i], m.width[i] = of, n
			i += n - 1
		}
	}
	return m
}

func (m mentions) at(i int) int {
	if i < 0 || i >= len(m.width) {
		return 0
	}
	return m.width[i]
}

// groupUpTo is the group whose last name begins at a token.
func (m mentions) groupUpTo(toks []token, at int) group {
	g := group{of: []int{m.of[at]}, to: at + m.width[at], tight: true}
	for i := at - 1; i >= 0; i-- {
		switch {
		case m.width[i] > 0:
			g.of = append([]int{m.of[i]}, g.of...)
		case m.spans(i):
		case toks[i].isAny(joins):
			g.tight = g.tight && toks[i].isAny([]string{"+", "&"})
		case toks[i].is("THE"), toks[i].is("then"), toks[i].is("finally"):
		case toks[i].is(")"):
			for i > 0 && !toks[i].is("(") {
				i--
			}
		default:
			return g
		}
	}
	return g
}

// groupFrom is the group whose first name begins at a token.
func (m mentions) groupFrom(toks []token, at int) []int {
	out := []int{m.of[at]}
	for i := at + m.width[at]; i < len(toks); i++ {
		switch {
		case m.width[i] > 0:
			out, i = append(out, m.of[i]), i+m.width[i]-1
		case !toks[i].isAny(joins) && !toks[i].is("THE"):
			return out
		}
	}
	return out
}

var joins = []string{",", "and", "or", "+", "&", "nor", "/", "|", "x", "×", "until", "till", "through"}

// spans reports whether a token is inside a name of several words.
func (m mentions) spans(i int) bool {
	for back := 1; back < 5; back++ {
		if m.at(i-back) > back {
			return true
		}
	}
	return false
}
