package infer

// This file reads what sentences tell of the arguments: which may be left out, what holds then, which values
// they take and of which type they are. A sentence is cut at its commas and brackets into clauses; a phrase of
// the lexicon is of the argument that its clause names before it, else of the one named behind it, else of the
// one that the clause before was about. It is never of an argument across another one's name.

import (
	"encoding/json"
	"slices"
)

// teller reads one sentence after the other.
type teller struct {
	subjects []*subject
	forms    nameForms
	topic    []int // of the clause before
	tight    bool  // the topic is one thing of several, "start + end"
	vague    bool  // the clause before named others too
	run      cue   // "Mandatory:", which holds to the end of the sentence
	sentence sentence
	toks     []token
	mentions mentions
	lists    []valueList
	muted    bool  // the words are on the result
	pending  any   // a default that no argument was named for yet: "By default 25 come in one page; size changes that"
	about    []int // what a sentence is of that begins with "NAME:"
	carried  bool  // the topic is of the sentence before
	alone    bool  // all words are on the only argument
	one      bool  // the row is one of several operations, of which the row's notes say nothing in particular
}

// clause is a stretch of a sentence between marks.
type clause struct {
	from, to int
	depth    int    // of brackets
	lead     string // the mark before it
}

func newTeller(subjects []*subject, names func(*docParam) []string) *teller {
	return &teller{subjects: subjects, forms: formsOf(subjects, names)}
}

// hear reads one sentence.
func (t *teller) hear(s sentence) {
	t.sentence, t.toks, t.run, t.muted = s, tokens(s.text), 0, false
	t.mentions = t.forms.find(t.toks)
	if len(t.topic) == 0 && !t.alone && t.firstMention(0, len(t.toks)) < 0 && !t.says("all", "any", "none", "nothing", "every", "everything", "last", "no", "both") {
		return
	}
	t.lists = listsIn(t.toks, t.mentions.at)
	for _, l := range t.lists {
		for i := l.from; i < l.to; i++ {
			t.mentions.of[i], t.mentions.width[i] = -1, 0
		}
	}
	t.pending, t.carried, t.about = nil, true, nil
	switch {
	case t.alone:
		t.topic, t.carried = t.all(), false
	case !t.goesOn():
		t.topic = nil
	}
	clauses := t.clauses()
	if len(clauses) > 1 && clauses[1].lead == ":" && t.mentions.at(0) == clauses[0].to {
		t.about = []int{t.mentions.of[0]}
	}
	var outer [][]int
	for i, c := range clauses {
		for len(outer) > c.depth {
			t.topic, outer = outer[len(outer)-1], outer[:len(outer)-1]
		}
		for len(outer) < c.depth {
			outer = append(outer, t.topic)
		}
		t.readClause(clauses, i)
	}
	if len(outer) > 0 {
		t.topic = outer[0]
	}
}

// says reports whether a sentence has one of the words.
func (t *teller) says(words ...string) bool {
	return slices.ContainsFunc(t.toks, func(k token) bool { return slices.Contains(words, k.word) })
}

// goesOn reports whether a sentence is about what the one before was.
func (t *teller) goesOn() bool {
	for i := range min(len(t.toks), 5) {
		if t.mentions.at(i) > 0 {
			return true // it has its own
		}
		if t.toks[i].is("IT") || t.toks[i].isAny([]string{"both", "latter", "former", "neither", "last", "same", "all", "one"}) {
			return true
		}
	}
	if len(t.toks) == 0 {
		return false
	}
	cues := findCues(t.toks, 0, len(t.toks), t.mentions.at)
	return len(cues) > 0 && (cues[0].from == 0 || cues[0].from == 1 && t.toks[0].is("THE"))
}

// clauses cuts the sentence.
func (t *teller) clauses() []clause {
	var out []clause
	depth, start, lead := 0, 0, ""
	cut := func(at, next int, mark string) {
		if at > start {
			out = append(out, clause{start, at, depth, lead})
		}
		start, lead = next, mark
	}
	for i := 0; i < len(t.toks); i++ {
		if l := t.listFrom(i); l.to > i {
			i = l.to - 1
			continue
		}
		switch tok := t.toks[i]; {
		case !tok.mark():
		case tok.is("("):
			cut(i, i+1, tok.text)
			depth++
		case tok.is(")"):
			cut(i, i+1, tok.text)
			depth = max(0, depth-1)
		case tok.is("["), tok.is("]"), tok.is(","), tok.is(";"), tok.is("—"), tok.is("–"), tok.is("-") && !tok.glued:
			cut(i, i+1, tok.text)
		case tok.is(":") && !(i > 0 && t.toks[i-1].is("STD")):
			cut(i, i+1, tok.text)
		}
	}
	cut(len(t.toks), len(t.toks), "")
	return out
}

func (t *teller) listFrom(i int) valueList {
	for _, l := range t.lists {
		if l.from == i {
			return l
		}
	}
	return valueList{}
}

func (t *teller) inList(i int) bool {
	return slices.ContainsFunc(t.lists, func(l valueList) bool { return l.from <= i && i < l.to })
}

// answerVerbs begin what a sentence says of the result.
var answerVerbs = []string{"returns", "returned", "return", "answers", "answer", "responds", "response", "result", "delivers", "yields", "outputs", "prints", "gives", "comes", "come", "->", "→"}

func (t *teller) readClause(clauses []clause, n int) {
	c := clauses[n]
	for i := c.from; i < c.to; i++ {
		if t.toks[i].isAny(answerVerbs) && t.onResult(c, i) {
			t.muted = true
		}
	}
	if t.muted {
		m := t.firstMention(c.from, c.to)
		if m < 0 || m > c.from+1 && !t.bounded(m) {
			return
		}
		t.muted = false
	}
	cues := t.cuesOf(c)
	for _, f := range cues {
		switch f.gives {
		case needed, optional:
			t.tellNeed(clauses, n, f)
		case alike:
			t.tellAlike(c, f)
		}
	}
	t.tellLists(c)
	t.tellItems(c)
	t.tellTypes(c)
	for _, f := range cues {
		switch f.gives {
		case absent, standard, instead:
			t.tellDefault(clauses, n, f)
		}
	}
	t.runOn(clauses, n, cues)
	t.takePending(c)
	if last := t.lastMention(c.from, c.to); last >= 0 {
		g := t.mentions.groupUpTo(t.toks, last)
		t.carried = false
		t.topic, t.tight = g.of, g.tight && len(g.of) > 1
		first := t.firstMention(c.from, c.to)
		if t.about != nil && !begins(t.toks, last) {
			t.topic = t.about
		}
		t.vague = !slices.Contains(g.of, t.mentions.of[first])
	}
}

// bounded reports whether an argument is said to bound the result: "never more than max", "up to max".
func (t *teller) bounded(at int) bool {
	return t.toks[at-1].isAny([]string{"than", "most", "least"}) || at > 1 && t.toks[at-1].is("to") && t.toks[at-2].is("up")
}

// onResult reports whether a word that may be on the result has no argument before it in its clause.
func (t *teller) onResult(c clause, at int) bool {
	switch {
	case t.toks[at].isAny([]string{"comes", "come"}):
		return at+1 < len(t.toks) && t.toks[at+1].is("back")
	case t.toks[at].is("gives"):
		return at == c.from || t.toks[at-1].isAny([]string{"IT", "and"})
	case t.toks[at].isAny([]string{"result", "response", "answer", "return", "returned"}):
		return t.firstMention(c.from, c.to) < 0 && len(t.cuesOf(c)) == 0
	}
	return t.lastMention(c.from, at) < 0 && len(t.cuesOf(clause{from: c.from, to: at})) == 0
}

func (t *teller) cuesOf(c clause) []found {
	var out []found
	for _, f := range findCues(t.toks, c.from, c.to, t.mentions.at) {
		purpose := f.from > 0 && t.toks[f.from-1].is("to") && t.toks[f.from].is("LEAVE") // "which legs to leave out"
		if !t.inList(f.from) && !purpose {
			out = append(out, f)
		}
	}
	return out
}

func (t *teller) firstMention(from, to int) int {
	for i := from; i < to; i++ {
		if t.mentions.at(i) > 0 {
			return i
		}
	}
	return -1
}

func (t *teller) lastMention(from, to int) int {
	for i := to - 1; i >= from; i-- {
		if t.mentions.at(i) > 0 {
			return i
		}
	}
	return -1
}

// of are the arguments that a phrase in a clause is of.
func (t *teller) of(c clause, f found) []int {
	if f.subject >= 0 {
		return []int{t.mentions.of[f.subject]}
	}
	if some, ok := t.counted(c, f); ok {
		return some
	}
	after := t.firstMention(f.to, c.to)
	if after >= 0 && t.toks[f.from].is("optionally") {
		return t.mentions.groupFrom(t.toks, after)
	}
	adjoins := after >= 0 && !slices.ContainsFunc(t.toks[f.to:after], func(k token) bool { return !k.is("THE") })
	if before := t.lastMention(c.from, f.from); before >= 0 && !(adjoins && f.gives <= optional && !t.toks[f.from-1].is("BE") && t.mentions.at(f.from-1) == 0) {
		g := t.mentions.groupUpTo(t.toks, before)
		if len(g.of) > 1 && (g.tight || t.plural(g.to, f.from) || f.gives == optional && t.toks[c.from].is("either")) {
			return g.of
		}
		return []int{t.mentions.of[before]}
	}
	if after >= 0 && f.gives <= optional && !(len(t.topic) > 0 && t.toks[f.to-1].isAny([]string{"for", "to", "IF"})) {
		return t.mentions.groupFrom(t.toks, after)
	}
	if after >= 0 && f.gives != standard && !(len(t.topic) > 0 && t.toks[f.to-1].isAny([]string{"for", "to", "IF"})) {
		return []int{t.mentions.of[after]}
	}
	if len(t.topic) > 1 && (c.depth > 0 || !t.plural(c.from, f.to) && !(t.tight && f.gives <= optional)) {
		return t.topic[len(t.topic)-1:]
	}
	return t.topic
}

// plural reports whether words are of several.
func (t *teller) plural(from, to int) bool {
	return slices.ContainsFunc(t.toks[from:to], func(k token) bool {
		return k.isAny([]string{"are", "both", "all", "each", "neither", "have", "they", "them"})
	})
}

// counted resolves "both", "the latter", "the last two", "all three".
func (t *teller) counted(c clause, f found) ([]int, bool) {
	for i := max(c.from, f.from-4); i < min(f.to+2, c.to); i++ {
		if t.mentions.at(i) > 0 {
			return nil, false
		}
		n := 1
		if i+1 < c.to && t.toks[i+1].number != "" {
			n, _ = wordNumberOf(t.toks[i+1])
		}
		all := t.all()
		switch {
		case t.toks[i].is("latter") && len(t.topic) > 0:
			return t.topic[len(t.topic)-1:], true
		case t.toks[i].is("former") && len(t.topic) > 0:
			return t.topic[:1], true
		case t.toks[i].is("last") && n <= len(t.heardUpTo(i)):
			return lastOf(t.heardUpTo(i), n), true
		case t.toks[i].is("last") && n <= len(all):
			return all[len(all)-n:], true
		case t.toks[i].isAny([]string{"both", "neither"}) && len(t.topic) > 1:
			return t.topic, true
		case t.toks[i].is("both") && len(t.heardOf()) >= 2:
			return lastOf(t.heardOf(), 2), true
		case t.toks[i].isAny([]string{"all", "everything", "none", "nothing", "every", "each", "any"}) && f.from >= i && t.ofAll(i, f):
			if len(t.topic) > 1 {
				return t.topic, true
			}
			return all, true
		}
	}
	return nil, false
}

// ofAll reports whether "all" or "none" is the subject of its phrase.
func (t *teller) ofAll(i int, f found) bool {
	if f.gives != needed && f.gives != optional {
		return false
	}
	return i+1 >= len(t.toks) || i+1 >= f.from || t.toks[i+1].isAny([]string{"BE", "MAY", "MUST", "of", "FIELD", "IT", "REQ", "OPT", "HAVE"}) || t.toks[i+1].number != ""
}

func (t *teller) all() []int {
	out := make([]int, len(t.subjects))
	for i := range out {
		out[i] = i
	}
	return out
}

// heardOf are the arguments that the sentence names, in order.
func (t *teller) heardOf() []int { return t.heardUpTo(len(t.toks)) }

func (t *teller) heardUpTo(at int) []int {
	var out []int
	for i, of := range t.mentions.of[:at] {
		if t.mentions.width[i] > 0 && !slices.Contains(out, of) {
			out = append(out, of)
		}
	}
	return out
}

func lastOf(list []int, n int) []int { return list[max(0, len(list)-n):] }

func wordNumberOf(t token) (int, bool) {
	v, err := json.Number(t.number).Int64()
	return int(v), err == nil
}

// said is what is known of an argument's type by now.
func (s *subject) schema() *object {
	if s.d.schema.len() > 0 && !(s.said.schema.has("enum") && !s.d.schema.has("enum")) {
		return s.d.schema
	}
	return s.said.schema
}

func (t *teller) note(of int, tell func(*docParam)) {
	s := t.subjects[of]
	if s.where.place == "" {
		s.where = t.sentence
	}
	tell(&s.said)
}

// ownSubject reports whether a clause that names no argument is about something else: "%s is the size".
func (t *teller) ownSubject(c clause) bool {
	if c.depth > 0 || c.lead != ";" && c.lead != "" {
		return false
	}
	for i := c.from; i < min(c.to, c.from+5); i++ {
		switch {
		case t.toks[i].isAny([]string{"IT", "STD", "FIELD", "there", "IF", "latter", "former", "both", "one", "YOU", "other", "others"}):
			return false
		case t.toks[i].isAny([]string{"BE", "MAY", "MUST"}):
			return i > c.from
		}
	}
	return false
}
