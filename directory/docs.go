package directory

// This file reads the documentation lines at the head of a row's content, in both styles.

import (
	"regexp"
	"slices"
	"strings"
)

// ParseDocs cuts content into its documentation lines and the template after them, trimmed. Lines
// are documentation from the start on while they begin with "#" or are blank; "#!" is not one.
//
//	# WHAT: Lists users.
//	# ARGS: team|limit
//	["$1",$2]
//
// The older style is one line, "# Lists users. Args: team|limit. when_to_use: "to find one"".
func ParseDocs(content string) (Docs, string) {
	var d docLines
	rest := strings.ReplaceAll(content, "\r\n", "\n")
	for rest != "" {
		line, after, _ := strings.Cut(rest, "\n")
		trimmed := strings.TrimSpace(line)
		if trimmed != "" && (!strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, "#!")) {
			break
		}
		if trimmed != "" {
			d.line(strings.TrimSpace(strings.TrimLeft(trimmed, "#")))
		}
		rest = after
	}
	return d.docs(), strings.TrimSpace(rest)
}

// docLine is one documentation value and the lines it goes over; label is "" for prose.
type docLine struct {
	label string
	texts []string
}

// text joins the lines. Of arguments one that begins like an argument stays a line.
func (l docLine) text() string {
	var b strings.Builder
	for i, text := range l.texts {
		switch {
		case i == 0:
		case l.label == "args" && argumentLine.MatchString(text):
			b.WriteByte('\n')
		default:
			b.WriteByte(' ')
		}
		b.WriteString(text)
	}
	return b.String()
}

// argumentLine begins with a name and what may follow one, or is a name.
var argumentLine = regexp.MustCompile("^\\s*(?:[-*•]\\s+|\\d+[.)]\\s+|\\$\\d+\\s*[=:]\\s*)?`?[A-Za-z_][\\w.-]*`?\\??\\s*(?:[(:=]|[-–—]\\s)|^[A-Za-z_]\\w*$")

type docLines struct {
	lines []docLine
	// open says that an unlabelled line continues the last one.
	open bool
	// unknown are the labels that are none.
	unknown []string
}

// maxUnknownLabels caps what is kept of them.
const maxUnknownLabels = 10

// upperLabel matches "WHERE: ..." but no "HTTPS://...".
var upperLabel = regexp.MustCompile(`^([A-Z][A-Z_-]{2,40})\s*:(?:\s|$)`)

func (d *docLines) noteUnknown(text string) {
	m := upperLabel.FindStringSubmatch(text)
	if m != nil && len(d.unknown) < maxUnknownLabels && !slices.Contains(d.unknown, m[1]) {
		d.unknown = append(d.unknown, m[1])
	}
}

// labels maps a label as written, in lower case with "_" for spaces, to its field.
var labels = map[string]string{
	"what": "what", "when_to_use": "when", "arg": "args", "args": "args", "ex": "ex", "example": "ex", "examples": "ex",
	"return": "returns", "returns": "returns", "test": "tests", "tests": "tests", "note": "note", "notes": "note",
	"effect": "effects", "effects": "effects", "safe": "safe", "idempotent": "idempotent",
}

var (
	labelRE = regexp.MustCompile(`^([A-Za-z]+(?:[_ ][A-Za-z]+){0,2})\s*:\s*(.*)$`)
	flagRE  = regexp.MustCompile(`(?i)^(?:(?:safe|idempotent)\b[\s,.]*)+$`)
)

func (d *docLines) line(text string) {
	if text == "" { // a bare "#" ends a paragraph
		d.open = false
		return
	}
	if flagRE.MatchString(text) {
		for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
			d.lines = append(d.lines, docLine{label: word})
		}
		d.open = false
		return
	}
	if label, value, ok := labelled(text); ok {
		d.lines = append(d.lines, docLine{label, []string{value}})
		d.open = true
		return
	}
	d.noteUnknown(text)
	if d.open {
		last := &d.lines[len(d.lines)-1]
		last.texts = append(last.texts, text)
		return
	}
	d.lines = append(d.lines, docLine{texts: []string{text}})
	d.open = true
}

func labelled(text string) (label, value string, ok bool) {
	m := labelRE.FindStringSubmatch(text)
	if m == nil {
		return "", "", false
	}
	label, ok = labels[strings.ReplaceAll(strings.ToLower(m[1]), " ", "_")]
	return label, m[2], ok
}

func (d *docLines) docs() Docs {
	out := Docs{UnknownLabels: d.unknown}
	for _, l := range d.lines {
		text := strings.TrimSpace(l.text())
		if l.label == "" {
			out.older(text)
			continue
		}
		out.add(l.label, text)
	}
	return out
}

func (d *Docs) add(label, text string) {
	switch label {
	case "safe":
		d.Safe = !isNo(text)
		return
	case "idempotent":
		d.Idempotent = !isNo(text)
		return
	}
	if inner, ok := strings.CutPrefix(text, `"`); ok && label == "when" && strings.IndexByte(inner, '"') == len(inner)-1 {
		text = strings.TrimSuffix(inner, `"`)
	}
	if text == "" {
		return
	}
	field := map[string]*[]string{
		"what": &d.What, "when": &d.WhenToUse, "args": &d.Args, "ex": &d.Examples, "returns": &d.Returns,
		"tests": &d.Tests, "note": &d.Notes, "effects": &d.Effects, "": &d.Other,
	}[label]
	*field = append(*field, text)
}

// isNo reads "# SAFE: no".
func isNo(text string) bool {
	word := strings.ToLower(strings.TrimRight(text, "."))
	return word == "no" || word == "false" || strings.HasPrefix(word, "no,") || strings.HasPrefix(word, "no ") || strings.HasPrefix(word, "not ")
}

// inlineRE finds the labels of the older style within a line; "Returns {a,b}" does without a colon.
var inlineRE = regexp.MustCompile(`(?i)\b(args?|when_to_use|returns?|examples?|ex|notes?)\s*:|\b(returns)\s+[\[{]`)

// older reads an unlabelled paragraph, which is the older style when it holds a label.
func (d *Docs) older(text string) {
	at := inlineRE.FindAllStringSubmatchIndex(text, -1)
	if at == nil {
		d.add("", text)
		return
	}
	prose := strings.TrimSpace(text[:at[0][0]])
	for i, m := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		if m[0] < 0 || m[1] > end {
			continue
		}
		name, start := "returns", m[1]-1
		if m[2] >= 0 {
			name, start = text[m[2]:m[3]], m[1]
		}
		value, rest := inlineValue(text[start:end])
		d.add(labels[strings.ToLower(name)], value)
		prose = strings.TrimSpace(prose + " " + rest)
	}
	d.add("what", prose)
}

// inlineValue takes a quoted value, or the first sentence; what follows is prose again.
func inlineValue(text string) (value, rest string) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, `"`) {
		if end := strings.IndexByte(text[1:], '"'); end >= 0 {
			return text[1 : 1+end], strings.TrimLeft(text[2+end:], " .;,")
		}
	}
	end := sentenceEnd(text)
	return strings.TrimRight(text[:end], " .;,"), strings.TrimSpace(text[end:])
}

// abbreviations do not end a sentence.
var abbreviations = regexp.MustCompile(`(?i)(?:^|[\s(,;|])(?:e\.g|i\.e|etc|vs|cf|approx|min|max|no|incl|resp|opt|dr|st)\.$`)

// sentenceEnd is the offset after the first sentence: a full stop before a capital or a quote that
// belongs to no abbreviation.
func sentenceEnd(text string) int {
	for i := 0; i+2 < len(text); i++ {
		next := text[i+2]
		if text[i] == '.' && text[i+1] == ' ' && (next >= 'A' && next <= 'Z' || next == '"') && !abbreviations.MatchString(text[max(0, i-8):i+1]) {
			return i + 1
		}
	}
	return len(text)
}

// Text is what the documentation says the row does: WHAT, or else the unlabelled lines.
func (d Docs) Text() string {
	if len(d.What) > 0 {
		return strings.Join(d.What, " ")
	}
	return strings.Join(d.Other, " ")
}
