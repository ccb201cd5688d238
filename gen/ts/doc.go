package ts

// This file writes doc comments. Their text is what a model reads to call a method rightly: what it
// does, when to use it, what the types cannot say.

import (
	"fmt"
	"strings"
	"unicode"

	"codemode/directory/contract"
	"codemode/gen/schema"
)

// Caps on the parts of a comment, in bytes. A longer part is cut and says how much is missing.
const (
	maxDescription = 2000
	maxWhenToUse   = 600
	maxNote        = 400
	maxNotes       = 6
	maxExample     = 400
	maxExamples    = 3
	maxProperty    = 500
	maxValue       = 120 // of a constraint, default or example
)

// methodDoc returns the lines of a method's comment.
func methodDoc(c contract.Contract) []string {
	lines := prose(capped(c.Description, maxDescription))
	if c.WhenToUse != "" {
		lines = append(lines, labelled("When to use: ", c.WhenToUse, maxWhenToUse)...)
	}
	for i, note := range c.Notes {
		if i == maxNotes {
			lines = append(lines, fmt.Sprintf("[cut: %d more notes]", len(c.Notes)-i))
			break
		}
		lines = append(lines, labelled("Note: ", note, maxNote)...)
	}
	lines = append(lines, exampleLines(c.Examples)...)
	if c.Effect != "" {
		lines = append(lines, "Effect: "+oneLine(string(c.Effect)))
	}
	if c.Deprecated != "" {
		lines = append(lines, "@deprecated "+oneLine(capped(c.Deprecated, maxNote)))
	}
	return lines
}

func exampleLines(examples []contract.Example) []string {
	var lines []string
	for i, e := range examples {
		if i == maxExamples {
			return append(lines, fmt.Sprintf("[cut: %d more examples]", len(examples)-i))
		}
		text := e.Text
		if len(e.Args) > 0 {
			text = string(e.Args)
		}
		lines = append(lines, labelled("Example: ", text, maxExample)...)
	}
	return lines
}

func labelled(label, text string, limit int) []string {
	lines := prose(capped(strings.TrimSpace(text), limit))
	if len(lines) > 0 {
		lines[0] = label + lines[0]
	}
	return lines
}

// typeDoc returns the lines of a property's or a named type's comment. A title that only repeats the
// name is left out, and so is a default of null.
func typeDoc(d schema.Doc, name string) []string {
	text := d.Description
	if text == "" && letters(d.Title) != letters(name) {
		text = d.Title
	}
	lines := prose(capped(text, maxProperty))
	tags := tagsOf(d)
	if len(tags) == 0 {
		return lines
	}
	all := strings.Join(tags, " ")
	if len(lines) == 1 && len(lines[0])+len(all) <= maxLine {
		return []string{lines[0] + " " + all}
	}
	return append(lines, all)
}

// letters keeps the letters and digits of a name in lower case: "User Id" is "user_id".
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

func tagsOf(d schema.Doc) []string {
	var tags []string
	for _, c := range d.Constraints {
		tags = append(tags, "@"+c.Keyword+" "+oneLine(capped(c.Value, maxValue)))
	}
	if d.Default != nil && string(d.Default) != "null" {
		tags = append(tags, "@default "+oneLine(capped(string(d.Default), maxValue)))
	}
	if len(d.Examples) > 0 {
		tags = append(tags, "@example "+oneLine(capped(string(d.Examples[0]), maxValue)))
	}
	if d.Deprecated {
		tags = append(tags, "@deprecated")
	}
	return tags
}

// writer collects lines at an indent of two spaces a level.
type writer struct {
	strings.Builder
	indent int
}

func (w *writer) line(format string, args ...any) {
	w.WriteString(strings.Repeat("  ", w.indent))
	fmt.Fprintf(w, format, args...)
	w.WriteByte('\n')
}

// comment writes a doc comment; no lines, no comment.
func (w *writer) comment(lines []string) {
	switch len(lines) {
	case 0:
	case 1:
		w.line("/** %s */", lines[0])
	default:
		w.line("/**")
		for _, l := range lines {
			w.line(" * %s", l)
		}
		w.line(" */")
	}
}
