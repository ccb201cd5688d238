package infer

// This file finds in a clause what type something is said to be of.

import (
	"slices"
	"strings"
)

// tellTypes gives the types of a clause to the arguments they are of.
func (t *teller) tellTypes(c clause) {
	for i := c.from; i < c.to; i++ {
		if t.inList(i) || t.mentions.at(i) > 0 {
			continue
		}
		schema, n := t.typeAt(c, i)
		if n == 0 {
			continue
		}
		if of := t.ofType(c, i, i+n); schema != nil && len(of) > 0 {
			for _, one := range of {
				own := schema.clone()
				if c.depth > 0 && t.toks[i+n-1].is("strings") && singular(t.subjects[one].d.name) != t.subjects[one].d.name {
					own = arrayOf(own) // "choices (strings, at least two)"
				}
				t.note(one, func(q *docParam) { q.schema = keep(q.schema, own) })
			}
		}
		i += n - 1
	}
}

// manyTypes are the words for a type that are of several.
var manyTypes = setOf("ints integers floats decimals numbers bools booleans strings timestamps")

// ofType are the arguments that a type is of: "a list named lines" is of the one behind it.
func (t *teller) ofType(c clause, from, to int) []int {
	if to < len(t.toks) && t.toks[to].isAny([]string{"called", "named"}) && t.mentions.at(to+1) > 0 {
		return []int{t.mentions.of[to+1]}
	}
	if some, ok := t.counted(c, found{from: from, to: to, gives: standard}); ok {
		return some
	}
	if one := t.unitOf(from, to); one >= 0 {
		return []int{one}
	}
	if before := t.lastMention(c.from, from); before >= 0 {
		g := t.mentions.groupUpTo(t.toks, before)
		if len(g.of) > 1 && (g.tight || t.plural(g.to, from)) {
			return g.of
		}
		return g.of[len(g.of)-1:]
	}
	if c.depth == 0 && (t.firstMention(c.from, c.to) >= 0 || t.vague || t.ownSubject(c)) || len(t.topic) == 0 {
		return nil
	}
	if len(t.topic) > 1 && (manyTypes[t.toks[to-1].word] || c.depth == 0 && t.plural(c.from, to)) {
		return t.topic
	}
	return t.topic[len(t.topic)-1:]
}

// unitOf is the only argument whose name ends in the unit that a type is in, "whole cents", -1 for none.
func (t *teller) unitOf(from, to int) int {
	if !t.toks[from].isAny([]string{"whole", "full"}) {
		return -1
	}
	one := -1
	for i, s := range t.subjects {
		words := nameWords(s.d.name)
		if len(words) == 0 || words[len(words)-1] != strings.ToLower(t.toks[to-1].text) {
			continue
		}
		if one >= 0 {
			return -1
		}
		one = i
	}
	return one
}

// typeAt is the type that begins at a token and how many tokens say it. The type is nil where the words deny it
// or name another beside it.
func (t *teller) typeAt(c clause, i int) (*object, int) {
	schema, n := t.typeWords(c, i)
	if n == 0 {
		return nil, 0
	}
	before := func(back int, what ...string) bool { return i-back >= c.from && t.toks[i-back].isAny(what) }
	if before(1, "no", "not", "non") || before(2, "not", "no", "never") || i+n < len(t.toks) && t.toks[i+n].is("or") && !t.orSame(i+n) {
		return nil, n
	}
	return schema, n
}

// orSame reports whether "or" goes on to something that is no other type.
func (t *teller) orSame(at int) bool {
	return at+1 < len(t.toks) && t.toks[at+1].isAny([]string{"not", "less", "more", "GONE"})
}

func (t *teller) typeWords(c clause, i int) (*object, int) {
	word := func(at int) string {
		if at < c.to && at >= c.from {
			return t.toks[at].word
		}
		return ""
	}
	w, next := word(i), word(i+1)
	if (w == "whole" || w == "full") && i+1 < c.to && t.toks[i+1].ticked {
		next = t.toks[i+1].text // "in whole `minutes`"
	}
	switch {
	case w == "whole" && (next == "number" || next == "numbers"), w == "natural" && next == "number":
		return obj("type", "integer"), 2
	case (w == "whole" || w == "full") && next != "" && (unitName.MatchString(next) || len(next) == 3 && t.toks[i+1].text == strings.ToUpper(next)):
		return obj("type", "integer"), 2
	case (w == "unix" || w == "epoch") && (next == "time" || next == "timestamp" || next == "timestamps" || next == "seconds" || next == "milliseconds"):
		return obj("type", "integer"), 2
	case w == "in" && (next == "cents" || next == "pence"):
		return obj("type", "integer"), 2
	case w == "integer" && next == "number", w == "integer" && next == "numbers":
		return obj("type", "integer"), 2
	case w == "decimal" && next != "", w == "floating" && next == "point", w == "floating-point", w == "real" && (next == "number" || next == "numbers"):
		return obj("type", "number"), 2
	case w == "true" && (next == "or" && word(i+2) == "false" || i+2 < c.to && t.toks[i+1].is("/") && word(i+2) == "false"):
		return obj("type", "boolean"), 3
	case (w == "fractions" || w == "decimals") && (permits[next] || permits[word(i+2)]):
		return obj("type", "number"), 2
	case (w == "true" || w == "false") && i > c.from && t.toks[i-1].isAny([]string{"to", "be", "GIVE", "GIVING"}) && next != "or" && next != "to" && !t.says("returns", "return", "answers"):
		return obj("type", "boolean"), 1
	case (w == "list" || w == "array") && (i == c.from || t.toks[i-1].isAny([]string{"a", "an", "as", "json", "BE", "optional"})):
		return t.listType(c, i)
	case w == "object" && i > c.from && t.toks[i-1].isAny([]string{"a", "an", "json"}) && !(i > c.from+1 && t.toks[i-2].is("any")):
		return obj("type", "object"), 1
	case w == "numbers" && i > c.from && t.toks[i-1].is("BE"), w == "number" && c.depth > 0 && c.to-c.from == 1:
		return obj("type", "number"), 1
	case w == "number" && t.mentions.at(i-1) == 1 && len(t.toks[i-1].text) < 3 && (i+1 == c.to || t.toks[i+1].mark()):
		return obj("type", "number"), 1
	case w == "number" && i > c.from && t.toks[i-1].isAny([]string{"a", "positive", "negative"}) && next != "of" && !(i > c.from+1 && t.toks[i-2].is("and")):
		return obj("type", "number"), 1
	case typeNouns[w] != "" && next != "of":
		return obj("type", typeNouns[w]), 1
	case i > c.from+1 && (t.toks[i-1].is("LIKE") || t.toks[i-1].is("as") && t.toks[i-2].is("such")) && strings.Contains(t.toks[i].number, "."):
		return obj("type", "number"), 1
	case (w == "number" || w == "count") && next == "of", w == "how" && next == "many":
		return t.countType(c, i)
	}
	return nil, 0
}

// permits are words that say that something may be.
var permits = setOf("allowed permitted ok fine accepted possible welcome")

// countType is "the number of people", "how many copies"; hours and litres may be broken.
func (t *teller) countType(c clause, i int) (*object, int) {
	at := i
	for at > c.from && t.toks[at-1].is("THE") {
		at--
	}
	if i+2 >= c.to || t.mentions.at(i+2) > 0 || at > c.from && !t.toks[at-1].isAny([]string{"BE", "means", "says", "tells", "limits"}) {
		return nil, 0
	}
	word, next := t.toks[i+2].word, ""
	if i+3 < c.to {
		next = t.toks[i+3].word
	}
	if !isCounted(word, next) || slices.Contains(halves, word) {
		return nil, 0
	}
	return obj("type", "integer"), 2
}

// listType is "a list of strings", "an array".
func (t *teller) listType(c clause, i int) (*object, int) {
	words := []string{"list"}
	for at := i + 1; at < c.to && at < i+5 && !t.toks[at].mark(); at++ {
		words = append(words, t.toks[at].word)
	}
	for n := len(words); n > 0; n-- {
		if got, ok := parseWords(strings.Join(words[:n], " ")); ok && got.schema.text("type") == "array" {
			if items := got.schema.object("items"); items.text("type") == "object" && i+n < len(t.toks) && t.toks[i+n].isAny(madeOf) {
				at := i + n
				for at < len(t.toks) && t.toks[at].isAny(madeOf) {
					at++
				}
				if fields := wordedFields(t.toks[at:]); fields != nil {
					return arrayOf(fields), n
				}
			}
			if i+n+1 < c.to && t.toks[i+n].isAny([]string{"and", "or"}) && isNameWord(t.toks[i+n+1]) {
				return obj("type", "array"), n
			}
			if !got.schema.has("items") && t.showsTexts(c, i+n) {
				return arrayOf(obj("type", "string")), n
			}
			return got.schema, n
		}
	}
	if t.showsTexts(c, i+1) {
		return arrayOf(obj("type", "string")), 1
	}
	return obj("type", "array"), 1
}

// showsTexts reports whether a list of texts is shown in a clause or the next: `for example ["pH", "Cu"]`.
func (t *teller) showsTexts(c clause, at int) bool {
	for ; at+1 < len(t.toks) && !t.toks[at].isAny([]string{";", "."}); at++ {
		if t.toks[at].is("[") {
			return t.toks[at+1].quoted
		}
	}
	return false
}
