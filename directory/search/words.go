package search

// This file turns contracts and queries into terms.

import (
	"encoding/json"
	"strings"
	"unicode"

	"codemode/directory/contract"

	"github.com/kljensen/snowball/english"
)

// describe makes the document of one operation.
func describe(c contract.Contract) document {
	d := document{terms: map[string]float64{}}
	d.add(nameWeight, c.Name)
	d.add(descriptionWeight, c.Description)
	d.add(whenWeight, c.WhenToUse)
	params := schemaWords(c.Params)
	d.add(paramWeight, params.names...)
	d.add(paramTextWeight, params.texts...)
	result := schemaWords(c.Result)
	d.add(resultWeight, result.names...)
	return d
}

type schemaText struct{ names, texts []string }

// schemaWords collects property names and descriptions, a few levels deep.
func schemaWords(schema json.RawMessage) (out schemaText) {
	var node any
	if json.Unmarshal(schema, &node) == nil {
		out.collect(node, 0)
	}
	return out
}

func (s *schemaText) collect(node any, depth int) {
	object, ok := node.(map[string]any)
	if !ok || depth > 6 {
		return
	}
	if text, ok := object["description"].(string); ok {
		s.texts = append(s.texts, text)
	}
	if properties, ok := object["properties"].(map[string]any); ok {
		for name, p := range properties {
			s.names = append(s.names, name)
			s.collect(p, depth+1)
		}
	}
	s.collect(object["items"], depth+1)
}

// stems splits text into words at every change of case, digit and punctuation, drops the words that
// say nothing, and reduces the rest to their stems (Porter 2).
func stems(text string) []string {
	var out []string
	for _, w := range words(text) {
		w = strings.ToLower(w)
		if !stopWords[w] {
			out = append(out, english.Stem(w, false))
		}
	}
	return out
}

func words(text string) []string {
	var out []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, string(word))
			word = word[:0]
		}
	}
	runes := []rune(text)
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			flush()
			continue
		}
		if i > 0 && len(word) > 0 && boundary(runes, i) {
			flush()
		}
		word = append(word, r)
	}
	flush()
	return out
}

// boundary reports that a new word begins at i: fooBar, HTTPServer, v2.
func boundary(runes []rune, i int) bool {
	prev, r := runes[i-1], runes[i]
	switch {
	case unicode.IsLower(prev) && unicode.IsUpper(r):
		return true
	case unicode.IsUpper(prev) && unicode.IsUpper(r):
		return i+1 < len(runes) && unicode.IsLower(runes[i+1])
	}
	return unicode.IsDigit(prev) != unicode.IsDigit(r)
}

// nameScore lifts operations whose name is the query, or a slip of the keyboard away.
func nameScore(query, name string) float64 {
	q, n := strings.ToLower(strings.TrimSpace(query)), strings.ToLower(name)
	_, method, _ := strings.Cut(n, ".")
	switch {
	case q == "":
		return 0
	case q == n:
		return 1000
	case q == method:
		return 500
	case strings.ContainsAny(q, " \t"):
		return 0
	case oneSlip(q, n) || len(q) > 4 && oneSlip(q, method):
		return 100
	case len(q) > 2 && strings.HasPrefix(n, q):
		return 50
	}
	return 0
}

// oneSlip reports that one letter was added, dropped, changed, or swapped with its neighbour.
func oneSlip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	if i == len(a) || a[i+1:] == b[i+1:] {
		return true
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// stopWords are the words of English and of requests that tell no operation from another.
var stopWords = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(`a about all also am an and any are as at be been but by can could do does for from get give
		had has have help how i if in into is it its just let like ll looking m me my need of on one or our please s should so some
		t tell that the their them then there these they this those to us use using ve want was we were what when where which
		who will with would you your`) {
		set[w] = true
	}
	return set
}()
