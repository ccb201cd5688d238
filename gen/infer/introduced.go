package infer

// This file finds the names of slots that nothing around them names, where sentences introduce them: "two
// dates, start and end", "a third argument, region", "count is an integer", "the path has the `base` and then
// the `quote`". It takes them only where there are as many as such slots.

import (
	"slices"
	"strings"

	"codemode/directory/contract"
)

// introduced is a name that a sentence brings up.
type introduced struct {
	name    string
	path    bool // said to stand in the path
	defined bool // "vin is its number"
	asked   bool // "Name the account"
	words   string
}

// readIntroduced names the slots without a name of their own.
func (b *builder) readIntroduced(p passage) docArgs {
	if !slices.ContainsFunc(b.shape.indexes(), func(i int) bool { return len(b.shape.slots[i].strong()) == 0 }) {
		return docArgs{}
	}
	if p.label == "ex" || p.label == "when_to_use" || p.label == "note" {
		return docArgs{}
	}
	var names []introduced
	for _, line := range joined(p.lines) {
		for line = strings.TrimSpace(singleTicks(line)); line != ""; {
			end := sentenceEnd(line)
			toks := tokens(line[:end])
			values := listsIn(toks, func(int) int { return 0 })
			for _, n := range introducedIn(toks) {
				if slices.ContainsFunc(values, func(l valueList) bool { return slices.Contains(l.values, n.name) }) {
					continue // "csv, parquet or json; csv is what you get"
				}
				if n.words = line[:end]; !slices.ContainsFunc(names, func(m introduced) bool { return m.name == n.name }) {
					names = append(names, n)
				}
			}
			line = strings.TrimSpace(line[end:])
		}
	}
	return b.namesFor(names)
}

// namesFor gives the names that no slot has to the slots without one.
func (b *builder) namesFor(names []introduced) docArgs {
	free, inPath := 0, 0
	for _, i := range b.shape.indexes() {
		f := b.shape.slots[i]
		if len(f.strong()) > 0 {
			names = slices.DeleteFunc(names, func(n introduced) bool { return anySquashed(f.strong(), n.name) })
			continue
		}
		free++
		if f.mustFill() {
			inPath++
		}
	}
	if inPath > 0 {
		names = slices.DeleteFunc(names, func(n introduced) bool { return !n.path && !n.defined })
	}
	if inPath == 0 || !b.listsNothing() {
		names = slices.DeleteFunc(names, func(n introduced) bool { return n.asked })
	}
	if free == 0 || len(names) != free || b.shape.byDefault {
		return docArgs{}
	}
	out := docArgs{ordered: true, settled: true}
	for _, n := range names {
		out.params = append(out.params, docParam{name: n.name, from: contract.FromProse, source: source{words: n.words}})
	}
	return out
}

// introducedIn are the names that one sentence brings up.
func introducedIn(toks []token) []introduced {
	var out []introduced
	path := slices.ContainsFunc(toks, func(t token) bool { return t.isAny([]string{"path", "url", "uri"}) })
	add := func(i int, defined bool) {
		if i < len(toks) && plainIdentifier(toks[i].text) {
			out = append(out, introduced{name: toks[i].text, path: path, defined: defined})
		}
	}
	if len(toks) > 2 && toks[0].is("path") && toks[1].is(":") {
		if noun := nameOfNoun(strings.TrimRight(textOf(toks[2:]), ". ")); plainIdentifier(noun) {
			return []introduced{{name: noun, path: true}}
		}
	}
	if len(toks) > 3 && toks[0].isAny([]string{"GIVE"}) && toks[1].is("the") && isNameWord(toks[2]) && (toks[3].mark() || toks[3].is("and")) {
		out = append(out, introduced{name: toks[2].text, path: true, asked: true})
	}
	if nouns := pathNouns(toks); nouns != nil {
		return nouns
	}
	if at := idAfter(toks); at > 0 {
		out = append(out, introduced{name: toks[at].text, path: true, asked: true})
	}
	terse := toks
	for i, t := range toks {
		if t.is(":") && i+1 < len(toks) {
			terse = toks[i+1:] // "grep w/ context: lines (int), pattern, file"
			break
		}
	}
	if items := terseItems(terse); items != nil {
		toks = terse
		for _, i := range items {
			add(i, false)
		}
		return out
	}
	for i := 0; i < len(toks); i++ {
		switch {
		case toks[i].ticked:
			add(i, i+1 < len(toks) && toks[i+1].is("is"))
		case i > 0 && toks[i-1].isAny([]string{"called", "named"}) && isNameWord(toks[i]):
			add(i, false)
		case listedAfter(toks, i) > 0:
			for _, at := range nameRun(toks, i+2) {
				add(at, false)
			}
			i++
		case isDefined(toks, i):
			add(i, true)
		}
	}
	return out
}

// pathNouns are those of "The path contains the warehouse and then the sku".
func pathNouns(toks []token) []introduced {
	at := 0
	for at < len(toks) && toks[at].is("THE") {
		at++
	}
	if at+2 >= len(toks) || !toks[at].isAny([]string{"path", "url"}) || !toks[at+1].isAny(holds) {
		return nil
	}
	var out []introduced
	for _, d := range nounItems(splitItems(strings.TrimRight(textOf(toks[at+2:]), ". "), false)) {
		out = append(out, introduced{name: d.name, path: true, defined: true})
	}
	return out
}

var holds = strings.Fields("HAVE contains holds carries takes names includes")

// idAfter is the word for what tells one thing from the others behind "for" or "by", 0 for none: "on-hand
// quantity for sku".
func idAfter(toks []token) int {
	for i := 1; i < len(toks); i++ {
		if idNouns[toks[i].word] && toks[i-1].isAny([]string{"for", "by", "of"}) && (i+1 == len(toks) || toks[i+1].mark()) {
			return i
		}
	}
	return 0
}

var idNouns = setOf("sku ean upc gtin isbn issn asin iban bic vin imei slug uuid iccid")

// listsNothing reports whether the segments before the path's slots are no plurals, so that they name nothing.
func (b *builder) listsNothing() bool {
	for _, i := range b.shape.indexes() {
		for _, s := range b.shape.slots[i].slots {
			if b.shape.slots[i].mustFill() && singular(s.Hint) != s.Hint {
				return false
			}
		}
	}
	return true
}

func textOf(toks []token) string {
	var words []string
	for _, t := range toks {
		words = append(words, t.text)
	}
	return strings.Join(words, " ")
}

// isNameWord reports whether a word may be a name: no word of the lexicon.
func isNameWord(t token) bool {
	return t.word != "" && t.number == "" && !t.isAny(grammar) && !particles[t.word] && plainIdentifier(t.text)
}

// grammar are the words that hold sentences together.
var grammar = append(strings.Fields(`BE HAVE MAY MUST DO NOT NONE IF YOU IT THE NO UNLESS WITHOUT OPT REQ FIELD LIKE`),
	strings.Fields(`which who whom whose what whether there here then than both each every these those such only also how`)...)

// listedAfter is how many names follow "arguments," "a third argument," or "two dates,", 0 for none.
func listedAfter(toks []token, i int) int {
	if i+2 >= len(toks) || !toks[i+1].isAny([]string{",", ":"}) {
		return 0
	}
	run := nameRun(toks, i+2)
	counted := ""
	for back := 1; back <= 2 && i-back >= 0; back++ {
		if toks[i-back].number != "" {
			counted = toks[i-back].number
		}
	}
	field := toks[i].isAny([]string{"argument", "arguments", "parameter", "parameters", "field", "fields", "input", "inputs"})
	if counted != "" && counted != itoa(len(run)) || counted == "" && !field {
		return 0
	}
	return len(run)
}

// nameRun are the single words of a list of names.
func nameRun(toks []token, at int) []int {
	var out []int
	for at < len(toks) && (toks[at].ticked || isNameWord(toks[at])) {
		out = append(out, at)
		at++
		if end := closing(toks, at); end > 0 {
			at = end
		}
		next := at
		for next < len(toks) && toks[next].isAny([]string{",", "and", "then"}) {
			next++
		}
		if next == at || next >= len(toks) || !toks[next].ticked && !isNameWord(toks[next]) || next+1 < len(toks) && toks[next+1].word != "" && !toks[next+1].isAny([]string{"BE", "and", "in", "MAY", "MUST"}) {
			break
		}
		at = next
	}
	if at < len(toks) && toks[at].word != "" && !toks[at].isAny([]string{"BE", "MAY", "MUST", "and", "OPT", "REQ"}) {
		return nil
	}
	return out
}

// isDefined reports whether a word without an article is the subject of its clause: "count is an integer". What
// is no name has an article, or a capital where it begins the sentence.
func isDefined(toks []token, i int) bool {
	if !isNameWord(toks[i]) || toks[i].text != toks[i].word && !strings.Contains(toks[i].text, "_") && strings.ToLower(toks[i].text[:1]) != toks[i].text[:1] {
		return false
	}
	begins := i == 0 || toks[i-1].isAny([]string{";", ".", "where", "("}) || i > 1 && toks[i-1].is("and") && toks[i-2].is(",")
	next := i + 1
	if end := closing(toks, next); end > 0 {
		next = end
	}
	return begins && next < len(toks) && (toks[next].is("is") && !standsFor(toks, next+1) || toks[next].isAny([]string{"MAY", "MUST"})) && !strings.HasSuffix(toks[i].word, "ing")
}

// standsFor reports whether words say of a value that it is the default: "csv is standard".
func standsFor(toks []token, at int) bool {
	for at < len(toks) && toks[at].is("THE") {
		at++
	}
	return at < len(toks) && toks[at].isAny([]string{"STD", "USED", "USUAL", "standard"})
}

// terseItems are the heads of "str, width (int), fill (1 char)", nil where a sentence is no such list.
func terseItems(toks []token) []int {
	var out []int
	typed := false
	for at := 0; at < len(toks); {
		if !isNameWord(toks[at]) || at == 0 && toks[at].text != toks[at].word {
			return nil
		}
		out = append(out, at)
		at++
		if end := closing(toks, at); end > 0 {
			at, typed = end, true
		}
		for at < len(toks) && (typeNouns[toks[at].word] != "" || toks[at].isAny([]string{"OPT", "REQ", "number", "num", "list", "array"})) {
			at, typed = at+1, true
		}
		if end := closing(toks, at); end > 0 {
			at = end
		}
		if at == len(toks) || toks[at].is(".") && at+1 == len(toks) {
			break
		}
		if !toks[at].isAny([]string{",", ";"}) {
			return nil
		}
		for at < len(toks) && toks[at].isAny([]string{",", ";", "and", "then"}) {
			at++
		}
	}
	if !typed || len(out) < 2 {
		return nil
	}
	return out
}
