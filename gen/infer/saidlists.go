package infer

// This file gives the lists of values in a clause to the arguments they are of.

import (
	"slices"
	"strings"
)

// tellLists gives the lists of a clause to the arguments they are of.
func (t *teller) tellLists(c clause) {
	if t.one && t.sentence.place == "content # NOTE" {
		return
	}
	for _, l := range t.lists {
		if l.from < c.from || l.to > c.to {
			continue
		}
		of := t.ofValue(c, l.from)
		if of < 0 || l.plain && t.ofAnother(c) || c.depth > 0 && t.opens(c) {
			continue
		}
		if slices.Equal(slices.Sorted(slices.Values(lowered(l.values))), []string{"false", "true"}) {
			t.note(of, func(q *docParam) { q.schema = keep(q.schema, obj("type", "boolean")) })
			continue
		}
		if t.doneTo(l, of) {
			continue
		}
		if l.plain && l.from == c.from {
			t.note(of, func(q *docParam) {
				if list := t.written(l); q.readChoices(list, "") && strings.Contains(list, "/") {
					q.choiceText = list
				}
			})
			continue
		}
		t.note(of, func(q *docParam) {
			if l.others && q.hasDefault {
				if first, ok := q.value.(string); ok {
					l.values = append([]string{first}, l.values...)
				}
			}
			if q.schema.has("enum") {
				return
			}
			q.schema = obj("type", "string", "enum", distinct(strs(l.values)))
			if l.usual != "" && !q.hasDefault {
				q.value, q.hasDefault = l.usual, true
			}
		})
	}
}

// doneTo reports whether the words of a list are what may be done to the argument and no values: "can be
// printed or mailed".
func (t *teller) doneTo(l valueList, of int) bool {
	words := nameWords(t.subjects[of].d.name)
	return l.from > 1 && t.toks[l.from-1].is("be") && t.toks[l.from-2].is("MAY") && !t.toks[l.from].quoted &&
		!slices.ContainsFunc(l.values, func(v string) bool { return !strings.HasSuffix(v, "ed") }) &&
		!slices.ContainsFunc(words, func(w string) bool { return slices.Contains(choiceNames, w) })
}

// ofValue is the argument that a list or type at a token is of, -1 for none.
func (t *teller) ofValue(c clause, at int) int {
	if before := t.lastMention(c.from, at); before >= 0 {
		return t.mentions.of[before]
	}
	for i := max(c.from, at-4); i < at; i++ {
		switch {
		case t.toks[i].is("former") && len(t.topic) > 0:
			return t.topic[0]
		}
	}
	if len(t.topic) > 0 && !t.ownSubject(c) {
		return t.topic[len(t.topic)-1]
	}
	return -1
}

// written is a list as choices are written.
func (t *teller) written(l valueList) string {
	switch n := len(l.values); {
	case t.toks[l.from+1].is("/"):
		return strings.Join(l.values, "/")
	case n == 2:
		return strings.Join(l.values, " or ")
	}
	return strings.Join(l.values, ", ")
}

// opens reports whether the words before a bracket make what is in it examples: "anything will do (...)".
func (t *teller) opens(c clause) bool {
	for i := c.from - 2; i >= 0 && !t.toks[i].mark(); i-- {
		if t.toks[i].isAny([]string{"anything", "whatever", "arbitrary", "anyhow"}) {
			return true
		}
	}
	return false
}

// ofAnother reports whether what stands in brackets is of a noun before the argument: "the tier of a member (...)".
func (t *teller) ofAnother(c clause) bool {
	at := t.lastMention(0, c.from)
	for at--; at > 0 && t.toks[at].is("THE"); at-- {
	}
	return at > 0 && t.toks[at].is("of")
}

func lowered(list []string) []string {
	out := slices.Clone(list)
	for i := range out {
		out[i] = strings.ToLower(out[i])
	}
	return out
}

func keep(known, said *object) *object {
	if known.len() > 0 {
		return known
	}
	return said
}
