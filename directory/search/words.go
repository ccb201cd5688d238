package search

// This file turns contracts, pages and queries into terms.

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"codemode/directory"
	"codemode/directory/contract"

	"github.com/kljensen/snowball/english"
)

const (
	maxQueryBytes = 4 << 10
	maxQueryTerms = 200
	maxFieldBytes = 16 << 10 // of one text of a document; the rest is not searched
	maxDepth      = 6        // of a schema
)

// term is the hash of a stem, or of two neighbouring stems joined.
type term uint64

// FNV-1a (draft-eastlake-fnv): joined stems hash as the joined word does.
const (
	fnvOffset term = 14695981039346656037
	fnvPrime  term = 1099511628211
)

func (t term) join(stem string) term {
	for i := range len(stem) {
		t = (t ^ term(stem[i])) * fnvPrime
	}
	return t
}

// joined is two neighbouring stems as one word. Stems of long words lose a last "e" that those of short
// ones keep: postcod, but code.
func joined(before, stem string) term {
	return fnvOffset.join(before).join(strings.TrimSuffix(stem, "e"))
}

// analyzer splits text into stems.
type analyzer struct {
	stop  map[string]bool
	known vocabulary
}

func newAnalyzer() *analyzer {
	a := &analyzer{stop: map[string]bool{}}
	for w := range strings.FieldsSeq(stopWords) {
		a.stop[w] = true
	}
	return a
}

// stems splits text into words at every change of case, digit and punctuation, drops the words that
// say nothing, and reduces the rest to their stems (Porter 2). The memo, where there is one, keeps
// the stem of each word.
func (a *analyzer) stems(text string, memo map[string]string) []string {
	var out []string
	for _, w := range words(text) {
		stem, ok := memo[w]
		if !ok {
			if lower := strings.ToLower(w); !a.stop[lower] {
				stem = english.Stem(lower, false)
			}
			if memo != nil {
				memo[strings.Clone(w)] = stem
			}
		}
		if stem != "" {
			out = append(out, stem)
		}
	}
	return out
}

// field is a part of a document that has a weight of its own.
type field int

const (
	fieldMethod field = iota
	fieldNamespace
	fieldDescription // with when to use, and a page's text
	fieldParam
	fieldParamText
	fieldValue // defaults and enumerated values: "usd" finds the currency converter
	fieldResult
	fieldCategory
	fieldCount
)

// document is the terms of one operation or page by field. Length counts stems, without the joined.
type document struct {
	terms  [fieldCount][]term
	length [fieldCount]int
}

func (a *analyzer) operation(c contract.Contract, category string, memo map[string]string) document {
	var d document
	ns, method, _ := strings.Cut(c.Name, ".")
	params, result := schemaWords(c.Params), schemaWords(c.Result)
	a.add(&d, fieldMethod, memo, method)
	a.add(&d, fieldNamespace, memo, ns)
	a.add(&d, fieldDescription, memo, c.Description, c.WhenToUse)
	a.add(&d, fieldParam, memo, params.names...)
	a.add(&d, fieldParamText, memo, params.texts...)
	a.add(&d, fieldValue, memo, params.values...)
	a.add(&d, fieldResult, memo, result.names...)
	a.add(&d, fieldCategory, memo, category)
	return d
}

func (a *analyzer) page(p directory.Row, memo map[string]string) document {
	var d document
	a.add(&d, fieldMethod, memo, p.Key)
	a.add(&d, fieldDescription, memo, p.Description, p.WhenToUse, p.Content)
	a.add(&d, fieldCategory, memo, p.Category)
	return d
}

func (a *analyzer) add(d *document, f field, memo map[string]string, texts ...string) {
	for _, text := range texts {
		before := ""
		for _, stem := range a.stems(clip(text, maxFieldBytes), memo) {
			d.terms[f] = append(d.terms[f], fnvOffset.join(stem))
			if before != "" {
				d.terms[f] = append(d.terms[f], joined(before, stem))
			}
			d.length[f]++
			before = stem
		}
	}
}

type schemaText struct{ names, texts, values []string }

// schemaWords collects property names, descriptions and example values, a few levels deep.
func schemaWords(schema json.RawMessage) (out schemaText) {
	var node any
	if json.Unmarshal(schema, &node) == nil {
		out.collect(node, 0)
	}
	return out
}

func (s *schemaText) collect(node any, depth int) {
	object, ok := node.(map[string]any)
	if !ok || depth > maxDepth {
		return
	}
	if text, ok := object["description"].(string); ok {
		s.texts = append(s.texts, text)
	}
	if text, ok := object["default"].(string); ok {
		s.values = append(s.values, text)
	}
	choices, _ := object["enum"].([]any)
	for _, v := range choices {
		if text, ok := v.(string); ok {
			s.values = append(s.values, text)
		}
	}
	properties, _ := object["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		s.names = append(s.names, name)
		s.collect(properties[name], depth+1)
	}
	s.collect(object["items"], depth+1)
}

// queryTerm is a term of a query with what it counts.
type queryTerm struct {
	term   term
	weight float32
}

// terms reads a query. A word that comes again counts little more, and the first of several sentences,
// which mostly tells the situation and not the need, counts less.
func (x *Index) terms(query string) []queryTerm {
	type sum struct{ times, weight float64 }
	sums := map[term]sum{}
	var order []term
	add := func(t term, weight float64) {
		s := sums[t]
		if s.times == 0 {
			order = append(order, t)
		}
		sums[t] = sum{s.times + 1, s.weight + weight}
	}
	texts, mended := sentences(query), mending{}
	for i, text := range texts {
		weight := 1.0
		if i == 0 && len(texts) > 1 {
			weight = situationWeight
		}
		before := ""
		for _, stem := range x.words.stems(text, nil) {
			known, sure := mended.word(x.words.known, stem)
			add(fnvOffset.join(known), weight*sure)
			if before != "" {
				add(joined(before, known), weight*joinedWeight)
			}
			before = known
		}
	}
	out := make([]queryTerm, 0, len(order))
	for _, t := range order[:min(len(order), maxQueryTerms)] {
		s := sums[t]
		out = append(out, queryTerm{t, float32(math.Pow(s.times, repeatPower) * s.weight / s.times)})
	}
	return out
}

// mending keeps what unknown words of a query were taken for. A look through all words takes a while,
// so only the first few are looked up.
type mending map[string]string

const maxMended = 8

func (m mending) word(v vocabulary, stem string) (string, float64) {
	if v.known[stem] {
		return stem, 1
	}
	known, ok := m[stem]
	if !ok {
		known = stem
		if len(m) < maxMended {
			known = v.nearest(stem)
			m[stem] = known
		}
	}
	if known == stem {
		return stem, 1
	}
	return known, misspeltWeight
}

// sentences cuts a text after ". ", "? ", "! ", "; " and at the ends of lines.
func sentences(text string) []string {
	var out []string
	for rest := text; rest != ""; {
		at := strings.IndexFunc(rest, func(r rune) bool { return strings.ContainsRune(".?!;\n", r) })
		for at >= 0 && at+1 < len(rest) && rest[at] != '\n' && rest[at+1] != ' ' && rest[at+1] != '\n' {
			next := strings.IndexAny(rest[at+1:], ".?!;\n")
			if next < 0 {
				at = -1
				break
			}
			at += 1 + next
		}
		if at < 0 {
			at = len(rest) - 1
		}
		if strings.TrimSpace(rest[:at+1]) != "" {
			out = append(out, rest[:at+1])
		}
		rest = rest[at+1:]
	}
	return out
}

// words splits text at every change of case, digit and punctuation.
func words(text string) []string {
	var out []string
	start := -1
	var before rune // the rune before at, 0 outside of a word
	for at, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
			if start >= 0 {
				out = append(out, text[start:at])
			}
			start, before = -1, 0
			continue
		}
		if start >= 0 && boundary(before, r, text[at+utf8.RuneLen(r):]) {
			out = append(out, text[start:at])
			start = -1
		}
		if start < 0 {
			start = at
		}
		before = r
	}
	if start >= 0 {
		out = append(out, text[start:])
	}
	return out
}

// boundary reports that a new word begins at r: fooBar, HTTPServer, v2.
func boundary(before, r rune, rest string) bool {
	if unicode.IsUpper(r) {
		if unicode.IsUpper(before) {
			next, _ := utf8.DecodeRuneInString(rest)
			return unicode.IsLower(next)
		}
		return unicode.IsLower(before) || unicode.IsDigit(before)
	}
	return unicode.IsDigit(before) != unicode.IsDigit(r)
}

// clip cuts text to at most n bytes, at a character.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// stopWords are the function words of English and the words of asking, which tell no operation from
// another. No word is there for what a public set of queries says of it.
const stopWords = `a able about above additionally after again against all allow along already also always am an and another any anyone
anything are as assist at based be because been before being below between both but by can cannot could couldn d did
different do does doesn doing don down during each ensure especially even every everything few for from further
furthermore get give good great had has have having he hello her here hers herself hey hi him himself his how however
i if in include including instead interested into is isn it its itself just kindly know lastly let like ll looking lot
m many maybe me more moreover most much must my myself need nice no nor not of off ok okay on once one only or other
our ours out over own perhaps please possible provide rather re really s same several she should since so some someone
something specific still such sure t tell than thank thanks that the their theirs them themselves then there these
they this those though through to too try trying under until up upon us use using various ve very want was we well
were what when where which while who whom whose why will with within without won wonder would yes yet you your yours
yourself`
