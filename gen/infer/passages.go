package infer

// This file cuts a row's documentation into passages: the description, and the "#" lines of the
// content as their author broke them, label by label.

import (
	"slices"
	"strings"
)

// passage is a stretch of documentation that stands in one place.
type passage struct {
	place string   // as Evidence says it: "description", "content", "content # NOTE"
	label string   // "args", "ex" ... in lower case, "" for none
	lines []string // as written, without "#"
}

func (p passage) text() string { return strings.Join(p.lines, "\n") }

const (
	maxPassageLines = 500
	maxPassages     = 50
)

// passages are the description and then the content's. Text longer than a description may be is cut.
func (b *builder) passages() []passage {
	if b.read != nil {
		return b.read
	}
	out := slices.Clone(b.contentRead())
	if len(out) == 0 {
		out = b.docsPassages()
	}
	if !slices.ContainsFunc(out, func(p passage) bool { return p.label == "ex" }) {
		for _, e := range b.row.Docs.Examples { // of the older style, within a line
			out = append(out, passage{"content # EX", "ex", cutLines(text(e))})
		}
	}
	if d := text(b.row.Description); d != "" && d != text(b.row.Docs.Text()) {
		out = slices.Insert(out, 0, passage{place: "description", lines: cutLines(d)})
	}
	b.read = out
	return out
}

// contentRead are the passages of the content, cut once.
func (b *builder) contentRead() []passage {
	if b.content == nil {
		b.content = append([]passage{}, contentPassages(b.row.Content)...)
	}
	return b.content
}

func cutLines(s string) []string {
	lines := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	return lines[:min(len(lines), maxPassageLines)]
}

// docsPassages are those of an operation or of a row made by hand, whose lines are joined already.
func (b *builder) docsPassages() []passage {
	var out []passage
	add := func(place, label string, texts []string) {
		for _, t := range texts {
			if len(out) < maxPassages && t != "" {
				out = append(out, passage{place, label, cutLines(text(t))})
			}
		}
	}
	d := b.row.Docs
	add("content", "", d.Other)
	add("content # WHAT", "what", d.What)
	add("content # NOTE", "note", d.Notes)
	return out
}

// docLabel is a label at the head of a documentation line.
var docLabel = compile(`^(?i:(WHAT|WHEN[_ ]TO[_ ]USE|ARGS?|EX|EXAMPLES?|RETURNS?|TESTS?|NOTES?|EFFECTS?))\s*:\s*(.*)$`)

// flagLine is a line of flags.
var flagLine = compile(`^(?i:(?:SAFE|IDEMPOTENT)[\s,.]*)+$`)

// contentPassages cuts the leading "#" lines of a content. A heading of a docstring ("Returns:" alone)
// is a line of its passage, not a label.
func contentPassages(content string) []passage {
	var out []passage
	open := false
	for _, line := range cutLines(text(content)) {
		trimmed := strings.TrimSpace(line)
		if trimmed == "" {
			continue
		}
		if !strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, "#!") || len(out) == maxPassages {
			break
		}
		line = strings.TrimPrefix(strings.TrimLeft(trimmed, "#"), " ")
		m := docLabel.FindStringSubmatch(strings.TrimSpace(line))
		switch {
		case flagLine.MatchString(line):
			open = false
		case m != nil && m[2] != "":
			label := strings.ReplaceAll(strings.ToUpper(m[1]), " ", "_")
			out, open = append(out, passage{"content # " + label, shortLabel(label), []string{m[2]}}), true
		case !open:
			out, open = append(out, passage{place: "content", lines: []string{line}}), true
		default:
			last := &out[len(out)-1]
			last.lines = append(last.lines, line)
		}
	}
	return out
}

func shortLabel(label string) string {
	label = strings.ToLower(label)
	if label == "example" || label == "examples" {
		return "ex"
	}
	return strings.TrimSuffix(label, "s")
}

// listing is a passage of the content with a table, list or docstring in its lines.
type listing struct {
	words string // of all its lines
	kept  string // the words before the list
}

// listed are the passages with a list, found once.
func (b *builder) listed() []listing {
	if b.listings != nil {
		return b.listings
	}
	b.listings = []listing{}
	for _, p := range b.contentRead() {
		at := slices.IndexFunc(p.lines, isListed)
		if at < 0 {
			continue
		}
		if isRule(p.lines[at]) {
			at = max(at-1, 0) // with its heading
		}
		b.listings = append(b.listings, listing{oneLine(p.text()), text(oneLine(strings.Join(p.lines[:at], " ")))})
	}
	return b.listings
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// withoutLists leaves out of a text of the row the table, list or docstring that stands in its lines,
// which Load has joined to one.
func (b *builder) withoutLists(joined string) string {
	if len(b.listed()) == 0 {
		return joined
	}
	words := oneLine(joined)
	for _, l := range b.listed() {
		if l.words == words {
			return l.kept
		}
	}
	return joined
}

// isListed reports whether a line is of a table, a list, a field list or a docstring's section.
func isListed(line string) bool {
	return strings.HasPrefix(strings.TrimSpace(line), "|") || bulletMark.MatchString(line) || fieldLine.MatchString(line) || isRule(line)
}
