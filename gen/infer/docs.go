package infer

// This file gathers the words of a row, and the remarks about it.

import (
	"fmt"
	"strings"

	"codemode/directory"
	"codemode/directory/contract"
)

const (
	maxTextBytes = 8192
	maxNotes     = 20
)

func (b *builder) description() string {
	if s := text(b.row.Description); s != "" {
		return s
	}
	return text(b.row.Docs.Text())
}

func (b *builder) descriptionFrom() contract.Provenance {
	switch {
	case text(b.row.Description) != "":
		return contract.FromSchema
	case b.description() != "":
		return contract.FromArgs
	}
	return contract.FromNone
}

func (b *builder) whenToUse() string {
	if s := text(b.row.WhenToUse); s != "" {
		return b.withoutLists(s)
	}
	return b.withoutLists(text(strings.Join(b.row.Docs.WhenToUse, " ")))
}

// prose are the texts in which a result may be described.
func (b *builder) prose() []string {
	return append([]string{b.row.Description}, append(b.row.Docs.What, b.row.Docs.Other...)...)
}

// notes keep what the documentation says and no field holds.
func (b *builder) notes(docs docArgs) []string {
	var out []string
	add := func(lead string, lines []string) {
		for _, l := range lines {
			if l = b.withoutLists(clean(l)); l != "" && len(out) < maxNotes {
				out = append(out, lead+l)
			}
		}
	}
	add("", []string{b.shut})
	add("", b.row.Docs.Notes)
	add("effects: ", b.row.Docs.Effects)
	add("arguments: ", docs.prose)
	if b.prov["result"] != contract.FromArgs {
		for _, r := range b.row.Docs.Returns {
			if returned(r).len() == 0 && !listOf.MatchString(r) {
				add("returns: ", []string{r})
			}
		}
	}
	if b.description() != text(b.row.Docs.Text()) {
		add("", b.row.Docs.Other)
	}
	if b.row.Docs.Idempotent {
		add("", []string{"idempotent: a repeated call with the same arguments changes nothing more"})
	}
	return out
}

// text makes words of a row fit to stand in a contract, lines kept.
func text(s string) string {
	s = strings.TrimSpace(strings.ToValidUTF8(s, "\uFFFD"))
	if len(s) <= maxTextBytes {
		return s
	}
	return strings.ToValidUTF8(s[:maxTextBytes], "") + "..."
}

func (b *builder) warn(field, message, hint string) {
	b.report(field, directory.SeverityWarning, message, hint)
}

func (b *builder) fail(field, message, hint string) {
	b.report(field, directory.SeverityError, message, hint)
}

func (b *builder) report(field string, severity directory.Severity, message, hint string) {
	if len(b.diagnostics) < maxDiagnostics {
		b.diagnostics = append(b.diagnostics, Diagnostic{Key: b.row.Key, Field: field, Severity: severity, Message: message, Hint: hint})
	}
}

// remark returns a reporter for the places of one schema.
func (b *builder) remark(name, field string) func(format string, args ...any) {
	return func(format string, args ...any) {
		b.warn(field, name+": "+fmt.Sprintf(format, args...), "")
	}
}
