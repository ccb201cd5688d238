package infer

// This file reads a command line's usage, the "Args:" section of a description, and makes names of
// words.

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"codemode/directory/contract"
)

var (
	usageToken = regexp.MustCompile(`\[?(?:(--?[A-Za-z][\w\-]*)[ =])?<([\p{L}_][\p{L}\p{N}_\- ]*)>(\.\.\.)?\]?|\[(--?[A-Za-z][\w\-]*)(?:[ =]([A-Z][A-Z0-9_\-]*))?\]|\[([\p{L}_][\p{L}\p{N}_\-]*)(\.\.\.)?\]|(--[A-Za-z][\w\-]*)[ =]([A-Z][A-Z0-9_\-]*)`)
	onlyUsage  = regexp.MustCompile(`^[\s|.]*$`)
)

// addUsage reads a command line's usage: "<file> [--rate N] [out]". A switch without a value is no
// argument of a positional body and is left to the template.
func (d *docArgs) addUsage(line string) bool {
	usage, text, _ := strings.Cut(line, " - ")
	if !onlyUsage.MatchString(usageToken.ReplaceAllString(usage, "")) {
		return false
	}
	found := usageToken.FindAllStringSubmatch(usage, maxDocParams)
	for _, m := range found {
		name := m[2] + m[6]
		if flag := m[1] + m[4] + m[8]; flag != "" {
			name = strings.TrimLeft(flag, "-")
		}
		p := docParam{name: identifier(name), from: contract.FromArgs, optionalArg: strings.HasPrefix(m[0], "[")}
		if m[4] != "" && m[5] == "" {
			p.schema = obj("type", "boolean")
		}
		d.params = append(d.params, p)
	}
	if len(found) == 1 {
		d.params[len(d.params)-1].addText(text)
	}
	return len(found) > 0
}

// section returns the indented lines below a heading of a description ("Args:", as Google's Python
// style writes it).
func section(text string, headings ...string) []string {
	lines := strings.Split(text, "\n")
	at := slices.IndexFunc(lines, func(l string) bool {
		head, ok := strings.CutSuffix(strings.TrimSpace(l), ":")
		return ok && slices.Contains(headings, strings.ToLower(head))
	})
	if at < 0 {
		return nil
	}
	indent := leading(lines[at])
	var out []string
	for _, l := range lines[at+1:] {
		if strings.TrimSpace(l) == "" || leading(l) <= indent || len(out) == maxDocParams {
			break
		}
		if len(out) > 0 && leading(l) > leading(lines[at+1]) {
			out[len(out)-1] += " " + strings.TrimSpace(l) // a description goes on
			continue
		}
		out = append(out, strings.TrimSpace(l))
	}
	return out
}

func leading(s string) int {
	return len(s) - len(strings.TrimLeftFunc(s, unicode.IsSpace))
}

// identifier makes a parameter's name of a word from the surroundings: "X-Api-Version" and "max
// count" become xApiVersion and maxCount; what is an identifier already stays.
func identifier(s string) string {
	if identifierPattern.MatchString(s) {
		return s
	}
	var b strings.Builder
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
		if b.Len() == 0 {
			w = strings.ToLower(w)
		} else {
			runes := []rune(strings.ToLower(w))
			runes[0] = unicode.ToUpper(runes[0])
			w = string(runes)
		}
		b.WriteString(w)
	}
	if id := b.String(); identifierPattern.MatchString(id) {
		return id
	}
	return ""
}

var identifierPattern = regexp.MustCompile(`^[\p{L}_][\p{L}\p{N}_]{0,79}$`)

// clean makes text of a row fit to stand in a contract: valid, on one line, bounded.
func clean(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	if runes := []rune(s); len(runes) > 2000 {
		return string(runes[:2000]) + "..."
	}
	return s
}
