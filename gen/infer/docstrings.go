package infer

// This file reads the docstrings of Python: Google's "Args:" sections and numpy's underlined ones.

import (
	"slices"
	"strings"

	"codemode/directory/contract"
)

// argumentHeadings and resultHeadings are what sections are called, in lower case.
var (
	argumentHeadings = []string{"args", "arguments", "parameters", "params", "inputs", "input", "keyword args", "keyword arguments", "keyword parameters", "kwargs", "other parameters", "other arguments",
		"other args", "optional args", "optional arguments", "optional parameters", "required args", "required arguments", "required parameters", "attributes", "positional arguments"}
	resultHeadings = []string{"returns", "return", "return value", "return values", "yields", "yield", "result", "results", "output", "outputs", "response"}
)

// entry is one item of a docstring's section: its head, and the words indented below it.
type entry struct{ head, text string }

// numpyEntries are those below the underlined headings, each up to the next.
func numpyEntries(p passage, headings []string) []entry {
	var out []entry
	for i := range p.lines {
		if i+1 < len(p.lines) && isRule(p.lines[i+1]) && slices.Contains(headings, strings.ToLower(strings.Trim(p.lines[i], " \t:"))) {
			out = append(out, entriesBelow(p.lines, i)...)
		}
	}
	return out
}

func entriesBelow(lines []string, at int) []entry {
	var out []entry
	indent := leading(lines[at])
	for i := at + 2; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.TrimSpace(line) == "" && len(out) == 0:
		case strings.TrimSpace(line) == "":
			if i+1 < len(lines) && strings.TrimSpace(lines[i+1]) != "" && leading(lines[i+1]) <= indent && !numpyHead.MatchString(lines[i+1]) {
				return out
			}
		case i+1 < len(lines) && isRule(lines[i+1]):
			return out
		case leading(line) > indent && len(out) > 0:
			last := &out[len(out)-1]
			last.text = strings.TrimSpace(last.text + " " + strings.TrimSpace(line))
		default:
			out = append(out, entry{head: strings.TrimSpace(line)})
		}
	}
	return out
}

// isRule reports whether a line is nothing but a rule.
func isRule(line string) bool {
	t := strings.TrimSpace(line)
	return len(t) > 2 && (strings.Trim(t, "-") == "" || strings.Trim(t, "=") == "" || strings.Trim(t, "~") == "")
}

// numpyHead is "name : type", or two names of one type.
var numpyHead = compile(`^\s*\*{0,2}([\p{L}_][\p{L}\p{N}_.\-]*(?:\s*,\s*[\p{L}_][\p{L}\p{N}_.\-]*)*)\s*(?::\s*(\S.*))?$`)

// readNumpy reads the sections below "Parameters" and a rule.
func readNumpy(p passage) docArgs {
	var out docArgs
	for _, e := range numpyEntries(p, argumentHeadings) {
		m := numpyHead.FindStringSubmatch(singleTicks(e.head))
		if m == nil {
			return docArgs{}
		}
		for _, name := range strings.Split(m[1], ",") {
			d := docParam{name: strings.TrimSpace(name), from: contract.FromArgs, source: source{words: clean(e.head + " " + e.text)}}
			d.readNumpyType(m[2])
			d.readText(clean(singleTicks(e.text)))
			d.readWords()
			out.params = append(out.params, d.demanded())
		}
	}
	return out
}

// arrayLike are what numpy calls a list.
var arrayLike = compile(`\b(?:array[_-]like|(?:np\.|numpy\.)?(?:nd)?array)\b(?:,? (?:of )?shape \([^()]*\))?`)

// readNumpyType reads "str, optional", "int, default 5", "{'m', 'km'}, default 'km'".
func (p *docParam) readNumpyType(s string) {
	s = arrayLike.ReplaceAllString(strings.TrimSpace(s), "array")
	if inner, rest, ok := strings.Cut(strings.TrimPrefix(s, "{"), "}"); ok && strings.HasPrefix(s, "{") {
		if values := splitValues(inner); len(values) > 1 {
			p.setEnum(values)
			p.readMeta(strings.TrimLeft(rest, ", "))
			return
		}
	}
	p.readMeta(s)
}

// demanded is an argument of a docstring, where only what is marked or has a default may be left out.
func (p docParam) demanded() docParam {
	if p.required == nil && !p.optional() {
		p.required, p.presumed = new(true), true
	}
	return p
}

// singleTicks writes the doubled back-quotes of reStructuredText as Markdown does.
func singleTicks(s string) string { return strings.ReplaceAll(s, "``", "`") }

// readDocstring reads the lines below "Args:", "Keyword Args:" and their like.
func readDocstring(p passage) docArgs {
	var out docArgs
	for _, s := range sectionsOf(p.lines, argumentHeadings) {
		got := readEntries(s.lines)
		heading{required: neededBy(s.title)}.impose(got.params)
		for _, d := range got.params {
			if p.label == "" || p.label == "what" {
				d = d.demanded()
			}
			out.params = append(out.params, d)
		}
		out.prose = append(out.prose, got.prose...)
	}
	return out
}

// readEntries reads the lines of a section, each of one argument. A line alone may list several.
func readEntries(lines []string) docArgs {
	if len(lines) == 1 {
		return readArgs(lines)
	}
	var out docArgs
	for _, line := range lines {
		line = singleTicks(bullet.ReplaceAllString(line, ""))
		if names, rest, several := sharedNames(line); several {
			for _, name := range names {
				out.addItem(name + rest)
			}
			continue
		}
		out.addItem(strings.TrimLeft(line, "*"))
	}
	return out
}

// sharedNames are the names of "lat, lon (float): where".
func sharedNames(line string) (names []string, rest string, ok bool) {
	m := severalNames.FindStringSubmatch(line)
	if m == nil {
		return nil, "", false
	}
	return nameBreak.Split(m[1], maxOperands), m[2], true
}

// docSection is what stands below a heading ("Args:", as Google's Python style writes it), one entry a line.
type docSection struct {
	title string
	lines []string
}

func sectionsOf(lines []string, headings []string) []docSection {
	var out []docSection
	for i, l := range lines {
		title, ok := strings.CutSuffix(strings.Trim(strings.TrimSpace(l), "*"), ":")
		if ok && slices.Contains(headings, strings.ToLower(title)) {
			if below := sectionLines(lines, i); len(below) > 0 {
				out = append(out, docSection{title, below})
			}
		}
	}
	return out
}

// sectionLines are the entries below a heading, up to where its indent ends. A blank line may stand between
// them. Without an indent they end at a blank line or another heading.
func sectionLines(lines []string, at int) []string {
	indent, first := leading(lines[at]), -1
	flush := at+1 < len(lines) && leading(lines[at+1]) == indent && flushEntry.MatchString(lines[at+1])
	var out []string
	for i := at + 1; i < len(lines) && len(out) < maxDocParams; i++ {
		l := lines[i]
		switch {
		case strings.TrimSpace(l) == "":
			if len(out) == 0 || flush || i+1 >= len(lines) || leading(lines[i+1]) <= indent {
				return out
			}
			continue
		case flush && (leading(l) < indent || leading(l) == indent && !flushEntry.MatchString(l)), !flush && leading(l) <= indent:
			return out
		}
		if first < 0 {
			first = leading(l)
		}
		if leading(l) > first {
			out[len(out)-1] += " " + strings.TrimSpace(l) // a description goes on
			continue
		}
		out = append(out, strings.TrimSpace(l))
	}
	return out
}

// flushEntry is an entry that is not indented.
var flushEntry = compile(`^\s*\*{0,2}[\p{L}_][\p{L}\p{N}_]*\s*\([^()]{1,80}(?:\([^()]*\)[^()]*)?\)\s*:`)

// section are the lines of the first section with one of some headings.
func section(lines []string, headings ...string) []string {
	for _, s := range sectionsOf(lines, headings) {
		return s.lines
	}
	return nil
}
