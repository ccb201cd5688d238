package infer

// This file reads the docstrings of Python: Google's "Args:" sections, numpy's underlined ones, and
// the ":param id:" fields of Sphinx.

import (
	"slices"
	"strings"

	"codemode/directory/contract"
)

// argumentHeadings and resultHeadings are what sections are called, in lower case.
var (
	argumentHeadings = []string{"args", "arguments", "parameters", "params", "inputs", "keyword args", "keyword arguments", "other parameters"}
	resultHeadings   = []string{"returns", "return", "yields", "result", "output", "response"}
)

// entry is one item of a docstring's section: its head, and the words indented below it.
type entry struct{ head, text string }

// numpyEntries are those below an underlined heading, up to the next.
func numpyEntries(p passage, headings []string) []entry {
	if !slices.ContainsFunc(p.lines, isRule) {
		return nil
	}
	at := slices.IndexFunc(p.lines, func(l string) bool {
		return slices.Contains(headings, strings.ToLower(strings.Trim(l, " \t:")))
	})
	if at < 0 || at+1 >= len(p.lines) || !isRule(p.lines[at+1]) {
		return nil
	}
	var out []entry
	indent := leading(p.lines[at])
	for i := at + 2; i < len(p.lines); i++ {
		line := p.lines[i]
		switch {
		case strings.TrimSpace(line) == "" && len(out) == 0:
		case strings.TrimSpace(line) == "":
			if i+1 < len(p.lines) && strings.TrimSpace(p.lines[i+1]) != "" && leading(p.lines[i+1]) <= indent && !numpyHead.MatchString(p.lines[i+1]) {
				return out
			}
		case i+1 < len(p.lines) && isRule(p.lines[i+1]):
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
	return len(t) > 2 && (strings.Trim(t, "-") == "" || strings.Trim(t, "=") == "")
}

// numpyHead is "name : type", or two names of one type.
var numpyHead = compile(`^\s*\*{0,2}([\p{L}_][\p{L}\p{N}_.\-]*(?:\s*,\s*[\p{L}_][\p{L}\p{N}_.\-]*)*)\s*(?::\s*(\S.*))?$`)

// readNumpy reads the section below "Parameters" and a rule.
func readNumpy(p passage) docArgs {
	var out docArgs
	for _, e := range numpyEntries(p, argumentHeadings) {
		m := numpyHead.FindStringSubmatch(e.head)
		if m == nil {
			return docArgs{}
		}
		for _, name := range strings.Split(m[1], ",") {
			d := docParam{name: strings.TrimSpace(name), from: contract.FromArgs, source: source{words: clean(e.head + " " + e.text)}}
			d.readNumpyType(m[2])
			d.readText(clean(e.text))
			d.readProse()
			out.params = append(out.params, d.demanded())
		}
	}
	return out
}

// readNumpyType reads "str, optional", "int, default 5", "{'m', 'km'}, default 'km'".
func (p *docParam) readNumpyType(s string) {
	s = strings.TrimSpace(s)
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
		p.required = new(true)
	}
	return p
}

var fieldLine = compile(`^\s*[:@](param|parameter|arg|argument|key|type|returns?|rtype)(?:\s+([^:]*?))?\s*:\s*(.*)$`)

// jsDoc is "@param {number} [n=3] - how often", "@param n {number} how often", "@returns {string[]} lines".
var jsDoc = compile(`^\s*\*?\s*@(param|arg|argument|returns?)\s+(?:([\p{L}_][\p{L}\p{N}_.]*)\s+)?\{([^{}\n]{1,100})\}\s*(.*)$`)

// jsName is the name behind the type, in square brackets where it may be left out.
var jsName = compile(`^(?:\[([\p{L}_][\p{L}\p{N}_.]*)(?:=([^\]]*))?\]|([\p{L}_][\p{L}\p{N}_.]*))\s*-?\s*(.*)$`)

// fromJSDoc writes a line of JSDoc as a field of Sphinx.
func fromJSDoc(line string) string {
	if !strings.Contains(line, "@") {
		return line
	}
	m := jsDoc.FindStringSubmatch(line)
	switch {
	case m == nil:
		return line
	case strings.HasPrefix(m[1], "return"):
		return ":rtype: " + m[3]
	case m[2] != "":
		return ":param " + m[3] + " " + m[2] + ": " + m[4]
	}
	n := jsName.FindStringSubmatch(m[4])
	if n == nil {
		return line
	}
	typed := m[3]
	if n[1] != "" {
		typed += ", optional"
	}
	words := n[4]
	if n[2] != "" {
		words += " (default " + n[2] + ")"
	}
	return ":param " + typed + " " + n[1] + n[3] + ": " + words
}

// field is one ":param int id: text" of Sphinx.
type field struct{ kind, subject, text string }

func fieldList(p passage) []field {
	var out []field
	for _, line := range p.lines {
		line = fromJSDoc(line)
		if t := strings.TrimLeft(line, " \t"); len(out) == 0 && !strings.HasPrefix(t, ":") && !strings.HasPrefix(t, "@") {
			continue
		}
		m := fieldLine.FindStringSubmatch(line)
		switch {
		case m != nil:
			out = append(out, field{m[1], m[2], m[3]})
		case len(out) > 0 && leading(line) > 0 && strings.TrimSpace(line) != "":
			last := &out[len(out)-1]
			last.text = strings.TrimSpace(last.text + " " + strings.TrimSpace(line))
		case len(out) > 0 && strings.TrimSpace(line) != "":
			return out
		}
	}
	return out
}

// readFieldList reads ":param str id: text" with ":type id: str".
func readFieldList(p passage) docArgs {
	var out docArgs
	fields := fieldList(p)
	for _, f := range fields {
		if !strings.HasPrefix(f.kind, "param") && !strings.HasPrefix(f.kind, "arg") && f.kind != "key" {
			continue
		}
		words := strings.Fields(f.subject)
		if len(words) == 0 {
			continue
		}
		d := docParam{name: strings.Trim(words[len(words)-1], "`*\\"), from: contract.FromArgs, source: source{words: clean(f.text)}}
		d.source.words = clean(":" + f.kind + " " + f.subject + ": " + f.text)
		d.readMeta(strings.Join(words[:len(words)-1], " "))
		for _, t := range fields {
			if t.kind == "type" && strings.TrimSpace(t.subject) == words[len(words)-1] {
				d.readNumpyType(t.text)
			}
		}
		d.readTyped(singleTicks(f.text))
		d.readProse()
		out.params = append(out.params, d.demanded())
	}
	return out
}

// singleTicks writes the doubled back-quotes of reStructuredText as Markdown does.
func singleTicks(s string) string { return strings.ReplaceAll(s, "``", "`") }

// readDocstring reads the indented lines below "Args:".
func readDocstring(p passage) docArgs {
	lines := section(p.lines, argumentHeadings...)
	out := readArgs(lines)
	for i := range out.params {
		if p.label == "" || p.label == "what" {
			out.params[i] = out.params[i].demanded()
		}
	}
	return out
}

// section returns the indented lines below a heading ("Args:", as Google's Python style writes it).
func section(lines []string, headings ...string) []string {
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
