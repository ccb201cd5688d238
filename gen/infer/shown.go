package infer

// This file tells the lines of a text that show something, settings, options, a body in JSON, from those
// that are sentences: read as sentences they would say of one argument what stands beside the next.

import (
	"slices"
	"strings"
)

// withoutShown leaves an empty line for each that shows something.
func (b *builder) withoutShown(lines []string) []string {
	if len(lines) < 2 {
		return lines
	}
	shown := make([]bool, len(lines))
	markOptions(lines, shown)
	markBodies(lines, shown)
	if got := b.readSettings(passage{lines: lines}); len(got.params) > 0 && b.confirms(got) {
		for i, l := range lines {
			shown[i] = shown[i] || settingLine.MatchString(l) || settingNote.MatchString(l)
		}
	}
	var out []string
	heading := ""
	for i, l := range lines {
		if leading(l) == 0 && l != "" {
			heading = "" // what a manual page says is indented
		}
		switch {
		case manHeading.MatchString(l):
			heading, l = strings.TrimSpace(l), ""
		case shown[i], heading == "NAME" || heading == "SYNOPSIS":
			l = ""
		case heading != "":
			l = strings.TrimSpace(l)
		}
		out = append(out, b.afterSynopsis(l))
	}
	return out
}

// manHeading is a heading of a manual page.
var manHeading = compile(`^(?:NAME|SYNOPSIS|DESCRIPTION|OPTIONS|NOTES|EXIT STATUS|EXAMPLES?)\s*$`)

// afterSynopsis cuts a synopsis of the row's program off the front of a line.
func (b *builder) afterSynopsis(line string) string {
	rest := strings.TrimSpace(line)
	lead := usageLead.FindString(rest)
	if lead != "" && !usageWord.MatchString(lead) {
		return line
	}
	rest = rest[len(lead):]
	words := synopsisWords(rest)
	if len(words) < 2 || !b.isProgram(words[0]) || !slices.ContainsFunc(words[1:], isPlace) || len(b.synopsis(rest, false).params) == 0 {
		return line
	}
	if at := proseStart.FindStringIndex(rest); at != nil && at[0] > 0 {
		return strings.TrimSpace(rest[at[1]-1:])
	}
	if beforeWords(rest) != rest || strings.HasSuffix(rest, ".") && len(words) > maxOperands/2 {
		return line
	}
	return ""
}

// isPlace reports whether a word is what only a synopsis has.
func isPlace(word string) bool {
	return strings.ContainsAny(word[:1], "[<{-") || operand.MatchString(word)
}

// markOptions marks the items of a list of options with the lines that they go over.
func markOptions(lines []string, shown []bool) {
	last := outside
	for i, l := range lines {
		o, ok := optionOf(strings.TrimSpace(withoutBox(l)))
		switch {
		case ok && len(o.flags) > 0:
			shown[i], last = true, leading(l)
		case last >= 0 && strings.TrimSpace(l) != "" && leading(l) > last:
			shown[i] = true
		default:
			last = outside
		}
	}
}

// markBodies marks JSON that goes over several lines.
func markBodies(lines []string, shown []bool) {
	for i := 0; i < len(lines); i++ {
		t := strings.TrimSpace(lines[i])
		if t != "{" && t != "[" && !strings.HasSuffix(t, ": {") {
			continue
		}
		text := strings.Join(lines[i:], "\n")
		_, length, _, ok := readJSON(text[strings.IndexAny(text, "{["):])
		if !ok {
			continue
		}
		end := i + strings.Count(text[:strings.IndexAny(text, "{[")+length], "\n")
		for ; i < end; i++ {
			shown[i] = true
		}
		shown[end] = true
	}
}
