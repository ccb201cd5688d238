package golang

// This file writes comments. Their text comes from a directory: no line of it ends a comment, hides
// anything or reads as a directive.

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"

	"codemode/directory/contract"
	"codemode/gen/schema"
)

// Caps on the parts of a comment, in bytes, and the width of its lines, in runes.
const (
	maxDescription = 400
	maxNote        = 200
	maxProperty    = 240
	maxValue       = 60
	maxLine        = 104
)

// comment writes lines, wrapped, each behind "//".
func comment(g *jen.Group, lines ...string) {
	for _, line := range lines {
		for _, part := range wrap(oneLine(line)) {
			g.Comment(strings.TrimRight("// "+part, " "))
		}
	}
}

// methodDoc are the lines above a method.
func methodDoc(m *method) []string {
	c := m.contract
	lines := []string{schema.Quoted(m.goName + ": " + oneLine(capped(c.Description, maxDescription)))}
	if c.Description == "" {
		lines[0] = m.goName + " is " + oneLine(c.Name) + "."
	}
	if m.unshown != nil {
		lines = append(lines, "Arguments: their schema "+schema.Unshown(m.unshown)+"; the runtime has checked them by it.")
	}
	if c.Effect != "" {
		lines = append(lines, "Effect: "+oneLine(string(c.Effect))+".")
	}
	if c.Deprecated != "" {
		lines = append(lines, "", "Deprecated: "+oneLine(capped(c.Deprecated, maxNote)))
	}
	return lines
}

// typeDoc are the lines above a type: nothing where the schema says nothing.
func typeDoc(d schema.Doc, name, note string) []string {
	text := oneLine(capped(d.Description, maxProperty))
	if text == "" {
		text = oneLine(capped(d.Title, maxProperty))
	}
	parts := []string{text, note, constraints(d, text)}
	out := strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
	switch {
	case out == "":
		return nil
	case name != "":
		out = name + ": " + out
	}
	return []string{schema.Quoted(out)}
}

func fieldDoc(f field) []string {
	if f.other {
		return []string{"The keys without a field of their own."}
	}
	return typeDoc(f.doc, "", oneLine(told(f.note, f.options)))
}

// constraints are the checks that the type does not express, and that the text does not tell already.
// The runtime has made them before an argument arrives, and makes them on every result.
func constraints(d schema.Doc, told string) string {
	var parts []string
	add := func(keyword, value, note string) {
		part := keyword + " " + oneLine(capped(value, maxValue)) + note
		if !strings.Contains(told, part) {
			parts = append(parts, part)
		}
	}
	for _, c := range d.Constraints {
		note := ""
		if !c.Checked() {
			note = " (not checked)"
		}
		add(c.Keyword, c.Value, note)
	}
	if d.Default != nil && string(d.Default) != "null" {
		add("default", string(d.Default), "")
	}
	if len(parts) == 0 {
		return ""
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// oneLine makes text safe to stand behind "// ": one line, nothing hidden.
func oneLine(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case r == utf8.RuneError || !unicode.IsPrint(r) || contract.Invisible(r):
		default:
			b.WriteRune(r)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// wrap cuts a line at spaces. A line that begins with "+build" would be taken for an old build
// constraint, and one that begins with "#", "-", "*" or a number for a heading or a list, and be moved. No
// line but the first reads like one of the comment's own.
func wrap(line string) []string {
	var out []string
	var b strings.Builder
	words := strings.Fields(line)
	for i, word := range words {
		if b.Len() > 0 && utf8.RuneCountInString(b.String())+1+utf8.RuneCountInString(word) > maxLine {
			out = append(out, b.String())
			b.Reset()
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		} else if len(out) > 0 || strings.HasPrefix(word, "+build") {
			if word = tame(word); schema.LikeLabel(strings.Join(words[i:min(len(words), i+maxLabelWords)], " ")) {
				word = "| " + strings.TrimPrefix(word, "| ")
			}
		}
		b.WriteString(word)
	}
	return append(out, b.String())
}

// maxLabelWords is how many words a label may take, with marks of its own between.
const maxLabelWords = 8

// tame keeps the first word of a line from meaning anything to gofmt or the go command.
func tame(word string) string {
	if first := firstRune(word); unicode.IsLetter(first) || first == '(' || first == '"' {
		return word
	}
	return "| " + word
}

// capped cuts text to about n bytes and says so.
func capped(s string, n int) string {
	if len(s) <= n {
		return s
	}
	cut := n
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return fmt.Sprintf("%s ... [%d more characters]", strings.TrimRight(s[:cut], " \n"), utf8.RuneCountInString(s[cut:]))
}
