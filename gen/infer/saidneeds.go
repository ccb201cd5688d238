package infer

// This file gives what a clause says of what must or may be given to the arguments it is of.

import "slices"

func (t *teller) tellNeed(clauses []clause, n int, f found) {
	c := clauses[n]
	if next := t.aheadOf(clauses, n, f); next >= 0 {
		t.need(next, f.gives)
		return
	}
	of := t.of(c, f)
	changed := f.gives == optional && t.toks[f.to-1].isAny([]string{"else", "different", "other"})
	if changed && f.subject < 0 && t.firstMention(c.from, c.to) < 0 {
		of = t.topic
	}
	for _, one := range of {
		t.need(one, f.gives)
		if changed {
			t.takeStated(one, c.from)
		}
	}
	if f.gives == needed && len(of) > 0 && t.solely(c, f) {
		for _, other := range t.all() {
			if !slices.Contains(of, other) {
				t.need(other, optional)
			}
		}
	}
	if len(of) == 1 && f.gives == optional && n+1 < len(clauses) && t.toks[clauses[n+1].from].isAny([]string{"in", "then", "IT", "which"}) {
		if s := t.subjects[of[0]]; !s.said.hasDefault && !s.fixed && t.linked(clauses[n+1], s) {
			if v, n := t.only(clauses[n+1], found{subject: -1}, s); n == 1 {
				t.note(of[0], func(q *docParam) { q.value, q.hasDefault = v, true })
			}
		}
	}
}

// takeStated takes what the sentence says before of an argument for what holds without it: "It stays open for
// 24 hours and is anonymous; pass hours or anonymous if you want something else".
func (t *teller) takeStated(of, before int) {
	s := t.subjects[of]
	for i := 1; i < before && !s.fixed && !s.said.hasDefault; i++ {
		if t.mentions.of[i] != of {
			continue
		}
		v, ok := t.valueAt(i-1, s)
		if kind := s.schema().text("type"); t.toks[i-1].is("BE") && (kind == "boolean" || kind == "") {
			v, ok = true, true
		}
		if ok {
			t.note(of, func(q *docParam) { q.value, q.hasDefault = v, true })
		}
	}
}

// solely reports whether a clause begins with "only" and what it says is needed.
func (t *teller) solely(c clause, f found) bool {
	at := t.firstMention(c.from, f.from)
	for at--; at > c.from && t.toks[at].is("THE"); at-- {
	}
	return at >= c.from && at < c.from+2 && t.toks[at].isAny([]string{"only", "just"})
}

func (t *teller) need(of int, gives cue) {
	t.note(of, func(q *docParam) {
		switch {
		case gives == needed && !q.optionalArg:
			q.required = new(true)
		case gives == optional && q.required == nil && !t.subjects[of].fixed:
			q.optionalArg = true
		}
	})
}

// tellAlike gives an argument what was said of the one before.
func (t *teller) tellAlike(c clause, f found) {
	after := t.firstMention(f.to, c.to)
	if after < 0 || len(t.topic) == 0 {
		return
	}
	if before := t.subjects[t.topic[len(t.topic)-1]]; before.said.optionalArg || before.said.hasDefault {
		t.need(t.mentions.of[after], optional)
	}
}

// aheadOf is the argument that a clause between commas is of when it only says how the next is taken: "and, if
// you like, a style", "and, only for dishes that have any, the allergens". It is -1 for none.
func (t *teller) aheadOf(clauses []clause, n int, f found) int {
	if n == 0 || n+1 >= len(clauses) || clauses[n].lead != "," || clauses[n+1].lead != "," || clauses[n+1].depth != clauses[n].depth || t.firstMention(clauses[n].from, clauses[n].to) >= 0 {
		return -1
	}
	before, next := clauses[n-1], clauses[n+1]
	m := t.firstMention(next.from, next.to)
	if m < 0 || m > next.from+4 || !t.toks[before.to-1].isAny([]string{"and", "or", "but"}) && !(t.toks[next.from].is("THE") && f.to == clauses[n].to && f.from == clauses[n].from) {
		return -1
	}
	return t.mentions.of[m]
}

// runOn gives what "Mandatory:" says to all that follow it.
func (t *teller) runOn(clauses []clause, n int, cues []found) {
	c := clauses[n]
	if t.run != 0 {
		for i := c.from; i < c.to; i++ {
			if t.mentions.at(i) > 0 {
				t.need(t.mentions.of[i], t.run)
			}
		}
		return
	}
	if len(cues) == 0 || t.firstMention(c.from, c.to) >= 0 || n+1 >= len(clauses) {
		return
	}
	if last := cues[len(cues)-1]; last.gives <= optional && clauses[n+1].lead == ":" && last.to == c.to {
		t.run = last.gives
	}
}
