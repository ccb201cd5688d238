package template

// This file finds "$name" in lower or mixed case: text, where its author may have meant a secret or
// the result of an earlier step.

import (
	"slices"
	"strings"
)

// maxLower caps how many are kept of one template.
const maxLower = 20

// foreign reports whether dollars in text are likely another language's: a GraphQL query, a program.
// Nothing but text stands in a header or URL.
func (at place) foreign(text string) bool {
	switch at.ctx {
	case JSONString, JSONValue, Body, Argv, FormValue:
		return at.name || strings.IndexByte(text, '{') >= 0
	}
	return at.name
}

// noteLower notes the name after the dollar at text[i].
func (b *builder) noteLower(text string, i int, at place) {
	rest := text[i+1:]
	name := rest[:span(rest, isNameByte)]
	switch {
	case len(name) < 2, isDigit(name[0]), name[0] == '_', isSecretName(name), i > 0 && isNameByte(text[i-1]):
		return
	case (at.ctx == URLQuery || at.ctx == URLPath) && slices.Contains(odataWords, name):
		return
	case len(b.lower) == maxLower:
		return
	}
	start := max(0, i-80)
	b.lower = append(b.lower, Dollar{Text: "$" + name[:min(len(name), 80)], Reason: "lower case", Before: strings.ToValidUTF8(text[start:i], ""), Context: at.ctx})
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// odataWords are what OData 4.01 (URL Conventions, 4 and 5) writes with a dollar of its own.
var odataWords = strings.Fields(`all apply batch compute count crossjoin each entity expand filter it levels links
	metadata orderby ref root search select skip this top value`)
