package ts

// This file writes doc comments. Their text is what a model reads to call a method rightly: what it
// does, when to use it, what the types cannot say.

import (
	"fmt"
	"maps"
	"slices"
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

// doc returns the lines of a method's comment.
func (m *Method) doc() []string {
	c := m.contract
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
	lines = append(lines, m.wholes()...)
	lines = append(lines, exampleLines(c.Examples)...)
	if c.Effect != "" {
		lines = append(lines, "Effect: "+oneLine(string(c.Effect)))
	}
	lines = append(lines, referenceLine("Precondition: ", c.Precondition)...)
	lines = append(lines, referenceLine("Readback: ", c.Readback)...)
	lines = append(lines, referenceLine("Undo: ", c.Undo)...)
	if c.Deprecated != "" {
		lines = append(lines, "@deprecated "+oneLine(capped(c.Deprecated, maxNote)))
	}
	return lines
}

// wholes says what is demanded of the arguments and of the result each as a whole: there is no
// property to stand at.
func (m *Method) wholes() []string {
	var lines []string
	if m.unshown != nil {
		lines = append(lines, "Arguments: their schema "+schema.Unshown(m.unshown)+"; it is checked at run time")
	} else if m.params != nil {
		if tags := constraintTags(m.params); len(tags) > 0 {
			lines = append(lines, "Arguments: "+strings.Join(tags, " "))
		}
	}
	text := oneLine(capped(m.result.Doc.Description, maxProperty))
	if tags := constraintTags(m.result); len(tags) > 0 {
		text = strings.TrimSpace(text + " " + strings.Join(tags, " "))
	}
	if text != "" {
		lines = append(lines, "Returns: "+text)
	}
	return lines
}

// referenceLine writes a reference to another method as its call: "Undo: crm.restore({ id: result.id })".
func referenceLine(label string, ref *contract.Reference) []string {
	if ref == nil {
		return nil
	}
	var args []string
	for _, name := range slices.Sorted(maps.Keys(ref.Args)) {
		args = append(args, propertyName(name)+": "+pathOf(ref.Args[name]))
	}
	call := namespaceName(ref.Name) + access(methodName(ref.Name)) + "("
	if len(args) > 0 {
		call += "{ " + strings.Join(args, ", ") + " }"
	}
	return []string{label + oneLine(capped(call+")", maxNote))}
}

// pathOf writes a JSON Pointer (RFC 6901) into a call as an expression: "/result/id" is result.id.
func pathOf(pointer string) string {
	var b strings.Builder
	for i, token := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		if token = contract.UnescapeToken(token); i == 0 {
			b.WriteString(token)
		} else {
			b.WriteString(access(token))
		}
	}
	return b.String()
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
// name is left out, and so is a default of null. An array without a description takes that of its items.
func typeDoc(t *schema.Type, name string) []string {
	text := t.Doc.Description
	if text == "" && t.Doc.Title != "" && letters(t.Doc.Title) != letters(name) {
		text = t.Doc.Title
	}
	if text == "" && t.Kind == schema.Array && t.Elem.Kind != schema.Reference && t.Elem.Doc.Description != "" {
		text = "Each: " + t.Elem.Doc.Description
	}
	lines := prose(capped(text, maxProperty))
	tags := tagsOf(t)
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

func tagsOf(t *schema.Type) []string {
	d, tags := t.Doc, constraintTags(t)
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

func constraintTags(t *schema.Type) []string {
	var tags []string
	for _, c := range t.Doc.Constraints {
		tags = append(tags, "@"+constraint(c))
	}
	for _, inner := range innerConstraints(t, maxInner) {
		tags = append(tags, "@"+inner)
	}
	return tags
}

func constraint(c schema.Constraint) string {
	text := c.Keyword + " " + oneLine(capped(c.Value, maxValue))
	if !c.Checked() {
		text += " (not checked)"
	}
	return text
}

// maxInner is how deep the parts of a type without a place of their own are looked into.
const maxInner = 4

// innerConstraints are those of a type's parts that no comment of their own says: the items of an
// array, the values of a map, the alternatives of a union. "items format email" is of the items;
// where several alternatives have constraints, each says of what kind it is.
func innerConstraints(t *schema.Type, depth int) []string {
	if depth == 0 {
		return nil
	}
	switch {
	case t.Kind == schema.Array:
		return labelledConstraints("items ", t.Elem, depth)
	case t.Kind == schema.Object && len(t.Properties) == 0 && t.Additional != nil:
		return labelledConstraints("values ", t.Additional, depth)
	case t.Kind == schema.Union:
		return alternativeConstraints(t, depth)
	}
	return nil
}

func labelledConstraints(label string, t *schema.Type, depth int) []string {
	var out []string
	for _, c := range t.Doc.Constraints {
		if t.Kind != schema.Reference { // a named type has a comment
			out = append(out, label+constraint(c))
		}
	}
	for _, inner := range innerConstraints(t, depth-1) {
		out = append(out, label+inner)
	}
	return out
}

func alternativeConstraints(t *schema.Type, depth int) []string {
	var out []string
	constrained := 0
	for _, member := range t.Members {
		label := ""
		if len(t.Members) > 2 || t.Members[1].Kind != schema.Null {
			label = string(member.Kind) + " "
		}
		found := labelledConstraints(label, member, depth)
		if len(found) > 0 {
			constrained++
		}
		if out = append(out, found...); constrained == maxInner {
			break
		}
	}
	return out
}

// writer collects lines at an indent of two spaces a level.
type writer struct {
	strings.Builder
	indent int
}

func (w *writer) line(parts ...string) {
	for range w.indent {
		w.WriteString("  ")
	}
	for _, part := range parts {
		w.WriteString(part)
	}
	w.WriteByte('\n')
}

// comment writes a doc comment; no lines, no comment.
func (w *writer) comment(lines []string) {
	switch len(lines) {
	case 0:
	case 1:
		w.line("/** ", lines[0], " */")
	default:
		w.line("/**")
		for _, l := range lines {
			w.line(" * ", l)
		}
		w.line(" */")
	}
}
