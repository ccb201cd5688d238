package infer

// This file reads arguments shown as the lines of a settings file: ini, .env, properties, YAML.
//
//	script = close_month
//	; the next one is optional
//	notify = ops@corp.example

import (
	"slices"
	"strings"

	"codemode/directory/contract"
)

var (
	settingLine = compile(`^\s*(?:export |set )?([\p{L}_][\p{L}\p{N}_.\-]{0,59})(\s?[=:]|\s+=)(?:\s+(.*)|(\S.*)|)$`)
	settingNote = compile(`^\s*(?:;|#|//)\s*(.*)$`)
	besideValue = compile(`^("[^"]*"|'[^']*'|\S(?:.*?\S)?)\s+(?:;|#|//|<-+|←)\s*(\S.*)$`)
	betweenRows = compile("^\\s*(?:\\[[\\w .\\-]+\\]|```\\w*|---|)\\s*$")
)

// readSettings reads the first two or more such lines in a row.
func (b *builder) readSettings(p passage) docArgs {
	var out docArgs
	above, blank := "", false
	for _, line := range p.lines {
		m := settingLine.FindStringSubmatch(line)
		note := settingNote.FindStringSubmatch(line)
		switch {
		case m != nil && !strings.HasPrefix(m[4], "//") && (m[3]+m[4] != "" || !strings.Contains(m[2], ":")):
			d := docParam{name: b.settingName(m[1]), from: contract.FromExample, source: source{words: clean(line)}}
			d.readSetting(strings.TrimSpace(m[3]+m[4]), strings.Contains(m[2], ":"), above)
			out.params, above, blank = append(out.params, d), "", false
		case note != nil:
			above = strings.TrimSpace(above + " " + note[1])
		case betweenRows.MatchString(line):
			blank = true
		case blank && len(out.params) > 1:
			return settled(out)
		default:
			if len(out.params) > 1 {
				return settled(out)
			}
			out, above = docArgs{}, ""
		}
	}
	if len(out.params) < 2 {
		return docArgs{}
	}
	return settled(out)
}

// settled are settings as a list of arguments.
func settled(out docArgs) docArgs {
	out.params, out.listed = oppose(out.params), true
	return out
}

// settingName writes the name of an environment variable or of a header line as an argument's: as the
// template does where it has the name.
func (b *builder) settingName(name string) string {
	if strings.ToUpper(name) == name {
		return strings.ToLower(name)
	}
	for _, i := range b.shape.indexes() {
		for _, h := range b.shape.slots[i].strong() {
			if squash(h) == squash(name) {
				return h
			}
		}
	}
	return name
}

// readSetting reads a value, which may be a type, with what stands beside and above it.
func (p *docParam) readSetting(value string, colon bool, above string) {
	beside := ""
	if m := besideValue.FindStringSubmatch(value); m != nil {
		value, beside = m[1], m[2]
	}
	head := strings.TrimSpace(strings.FieldsFunc(value+" ", func(r rune) bool { return strings.ContainsRune(",(;", r) })[0])
	switch {
	case colon && (isTypeWords(head) || pipedWords.MatchString(value)):
		p.from = contract.FromArgs
		p.readTyped(value)
		p.readProse()
	default:
		if open := strings.LastIndex(value, " ("); open > 0 && strings.HasSuffix(value, ")") {
			beside, value = strings.TrimSpace(value[open+2:len(value)-1]+" "+beside), value[:open]
		}
		p.example, p.typed = value, contract.FromExample
		p.readShown(value, "")
	}
	if v, ok := literal(value); ok && justDefault.MatchString(beside) {
		p.value, p.hasDefault = v, true
	}
	for _, words := range []string{above, beside} {
		if words != "" {
			p.readText(words)
			p.readProse()
			p.provenChoices(value)
		}
	}
}

// justDefault is a note that the value beside it is the default.
var justDefault = compile(`(?i)^\W*(?:the |this is (?:the )?|is (?:the )?|= )?default(?: value)?\W*$`)

// colonPair is one of "from:ann label:urgent", as search boxes take them.
var colonPair = compile(`(?:^|[\s(])([\p{L}_][\p{L}\p{N}_.\-]{0,59}):("[^"\n]{1,200}"|'[^'\n]{1,200}'|[^\s:,;()"'/<][^\s,;()]{0,200})`)

// colonPairs are the first two or more in a row, as places in the text like those of pair.
func colonPairs(text string) [][]int {
	var run [][]int
	for _, m := range colonPair.FindAllStringSubmatchIndex(text, maxDocParams) {
		if len(run) > 0 && strings.TrimSpace(text[run[len(run)-1][1]:m[0]]) != "" {
			if len(run) > 1 {
				return run
			}
			run = nil
		}
		run = append(run, m)
	}
	if len(run) < 2 {
		return nil
	}
	return run
}

// singleNames count whole things though no plural says so; noCounts are plurals that name things.
var (
	singleNames = strings.Fields(`n k max min num top`)
	noCounts    = strings.Fields(`ids numbers codes references status address series news basis class names versions zips coordinates accounts`)
)

// countsThings reports whether a name is of a number of things: "retries", "max_errors", "n".
func countsThings(words []string) bool {
	first, last := words[0], words[len(words)-1]
	switch {
	case slices.Contains(fractions, last) || slices.Contains(noCounts, last):
		return false
	case slices.Contains(singleNames, last), slices.Contains(singleNames, first):
		return true
	}
	return len(last) > 3 && strings.HasSuffix(last, "s") && !strings.HasSuffix(last, "ss") && !strings.HasSuffix(last, "us") && !strings.HasSuffix(last, "is")
}
