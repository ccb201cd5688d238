package infer

// This file reads a command line's synopsis: "tool [--flag VALUE] <file>...".

import (
	"slices"
	"strings"
	"unicode"

	"codemode/directory/contract"
)

// usageLead is what may stand before a synopsis on its line, or behind a sentence of it.
var usageLead = compile(`^(?i:\s*(?:usage|synopsis|syntax|call(?: as)?|run(?: as)?|invoke(?: as)?|invocation)\s*:\s*|\s*\$ |\s*[\p{L} ,]{3,60}: )`)

// synopsisWord is the program, or a command of it; a chat's commands begin with a slash.
var synopsisWord = compile(`^[/!]?[a-z][a-z0-9_.+\-]*$`)

const (
	maxSynopsis = 400 // bytes
	maxOperands = 40
)

// readSynopsis reads the first line that is one as a whole, up to a full stop or a colon, and that the
// template bears out with what the list of options adds.
func (b *builder) readSynopsis(p passage) docArgs {
	if p.label == "ex" {
		return docArgs{}
	}
	var first docArgs
	for i, line := range p.lines[:min(len(p.lines), maxOperands)] {
		manual := usageWord.MatchString(line) || i > 0 && usageWord.MatchString(p.lines[i-1]+":")
		for _, candidate := range b.candidates(line) {
			out := b.synopsis(candidate, manual)
			if len(out.params) == 0 {
				continue
			}
			readTail(out.params, candidate)
			if out = b.completed(out); b.confirms(out) {
				return out
			}
			if len(first.params) == 0 {
				first = out
			}
		}
	}
	if options := optionsOf(p.lines); slices.ContainsFunc(options, func(o option) bool { return len(o.flags) > 0 }) {
		if out := b.completed(docArgs{ordered: true}); b.confirms(out) {
			return out
		}
	}
	return first
}

// completed adds to a synopsis what the list of options and sentences on them say.
func (b *builder) completed(out docArgs) docArgs {
	out.params = b.repeated(b.withOptions(out.params, b.options()))
	if read := b.heedOptions(out.params); len(read) > 0 && b.confirms(out) {
		b.setAside(read)
	}
	return out
}

// repeated makes room for the further slots of an operand that may be repeated: "<file>... OUTPUT".
func (b *builder) repeated(params []docParam) []docParam {
	at := slices.IndexFunc(params, func(d docParam) bool { return d.many })
	room := len(b.shape.indexes()) - len(params)
	for _, d := range params {
		if d.elsewhere(b.shape) {
			room++
		}
	}
	if at < 0 || at == len(params)-1 || !b.shape.argv {
		return params
	}
	for ; room > 0; room-- {
		params = slices.Insert(params, at+1, docParam{from: contract.FromNone, many: true})
	}
	return params
}

// readHelp reads the help text of a command: its usage with a list of options.
func (b *builder) readHelp(p passage) docArgs {
	usage := func(l string) bool { return usageHead.MatchString(l) }
	flags := func(o option) bool { return len(o.flags) > 0 }
	if !slices.ContainsFunc(p.lines, usage) || !slices.ContainsFunc(optionsOf(p.lines), flags) {
		return docArgs{}
	}
	return b.readSynopsis(p)
}

// usageHead leads the usage of a help text.
var usageHead = compile(`(?i)^\s*(?:usage|synopsis|syntax)\b`)

// candidates are the parts of a line that may be a synopsis: what stands in back-quotes, what follows
// "Usage:", and the line.
func (b *builder) candidates(line string) []string {
	var out []string
	for _, m := range ticked.FindAllStringSubmatch(line, 5) {
		out = append(out, m[1])
	}
	if lead := usageLead.FindString(line); lead != "" && !strings.Contains(lead, "://") {
		out = append(out, line[len(lead):])
	}
	if program := b.program(); len(program) > 1 {
		if at := mention(line, program); at > 0 {
			out = append(out, line[at:])
		}
	}
	for _, at := range sentenceStart.FindAllStringIndex(line, 5) {
		rest := line[at[1]:]
		if lead := usageLead.FindString(rest); lead != "" && !strings.Contains(lead, "://") {
			rest = rest[len(lead):]
		}
		if words := synopsisWords(rest); len(words) > 1 && (b.isProgram(words[0]) || strings.ContainsAny(words[1], "<[-")) {
			out = append(out, rest)
		}
	}
	return append(out, line)
}

// sentenceStart is where a further sentence of a line begins.
var sentenceStart = compile(`[.!?] `)

var ticked = compile("`([^`\n]{3,400})`")

// readUsages reads ARGS lines that are a synopsis of the program.
func (b *builder) readUsages(lines []string) docArgs {
	for _, line := range lines {
		if words := synopsisWords(line); len(words) > 1 && b.isProgram(words[0]) {
			if out := b.synopsis(line, true); len(out.params) > 0 {
				return b.completed(out)
			}
		}
	}
	return docArgs{}
}

// usageWord says that a command line follows, with operands in whatever case.
var usageWord = compile(`(?i)^\s*(?:usage|synopsis|syntax)\s*:`)

// isProgram reports whether a word is what the row runs, or its key.
func (b *builder) isProgram(word string) bool {
	name := word[strings.LastIndexByte(word, '/')+1:]
	if strings.ToUpper(name) == name && len(name) > 1 {
		name = strings.ToLower(name) // as Windows writes it
	}
	return word != "" && (name == b.program() || word == b.row.Key)
}

// synopsis reads one line. Of the row's own program lower-case words are operands too, as manual pages
// write them.
func (b *builder) synopsis(line string, manual bool) docArgs {
	words := synopsisWords(line)
	own := len(words) > 1 && (manual || b.isProgram(words[0]))
	if own {
		words = synopsisWords(beforeWords(line))
	}
	if len(words) < 2 || !own && (!synopsisWord.MatchString(words[0]) || len(words[0]) < 2) {
		return docArgs{}
	}
	s := synopsisReader{lower: own, carries: func(flag string) bool { return b.carried([]string{flag}) != "" }, spoken: b.speaksOf}
	for i := 1; i < len(words); i++ {
		if i == 1 && !own && synopsisWord.MatchString(words[i]) && len(words) > 2 {
			continue // "geo parse --text TEXT"
		}
		if optionName.MatchString(words[i]) && slices.Contains(b.shape.words, words[i]) {
			continue // a word of the template: "git log"
		}
		if own && numberPattern.MatchString(words[i]) && !slices.Contains(b.shape.words, words[i]) {
			return docArgs{} // a call that is shown
		}
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		taken, ok := s.word(words[i], next)
		if !ok {
			return docArgs{}
		}
		i += taken
	}
	s.name()
	return docArgs{params: s.params, ordered: true}
}

// beforeWords cuts off what a line says behind a synopsis that is known to be one.
func beforeWords(line string) string {
	for _, at := range wordsBehind.FindAllStringIndex(line, maxOperands) {
		if at[0] > 0 && !eitherOr.MatchString(line[at[0]:]) {
			return line[:at[0]]
		}
	}
	return line
}

// wordsBehind begins such words; a bracket without blanks and a group of options are part of the synopsis.
var wordsBehind = compile(`; |, where |, with | where | \([^()\s|]*(?:\s[^()|]*)?(?:\)|$)| \([^()]*\s\|?[^()]*\)`)

// synopsisWords cuts a line into words, brackets kept whole, up to where prose begins.
func synopsisWords(line string) []string {
	line = strings.TrimSpace(line)
	if len(line) > maxSynopsis {
		line = line[:maxSynopsis]
	}
	if at := proseStart.FindStringIndex(line); at != nil && at[0] > 0 {
		line = line[:at[0]+1]
	}
	var words []string
	depth, start := 0, -1
	for i, r := range line + " " {
		switch {
		case strings.ContainsRune("[{<(", r):
			depth++
		case strings.ContainsRune("]}>)", r):
			depth--
		}
		switch {
		case unicode.IsSpace(r) && depth <= 0:
			if start >= 0 {
				words = append(words, line[start:i])
			}
			start = -1
		case start < 0:
			start = i
		}
	}
	if n := len(words); n > 0 {
		words[n-1] = strings.TrimRight(words[n-1], ".,;:")
	}
	return words
}

// proseStart is where words begin behind a synopsis, from the character before; "FILE... OUT" is none.
var proseStart = compile(`[^.\s](?:\s:\s|\.\s|\s--\s\p{Ll}+\s\p{Ll}|\s-\s|\s#\s|\s{2})`)

// readTail reads the bracket at the end of the words behind a synopsis: "dumps older than so many days go
// away (integer)". It is of the argument that they name, else of the last.
func readTail(params []docParam, line string) {
	at := proseStart.FindStringIndex(line)
	if at == nil {
		return
	}
	tail := line[at[1]-1:]
	m := endBracket.FindStringSubmatch(tail)
	if m == nil || !isMeta(m[1]) {
		return
	}
	of := len(params) - 1
	named := 0
	for i, d := range params {
		if mention(tail, d.word) >= 0 {
			of, named = i, named+1
		}
	}
	if named < 2 {
		params[of].readMeta(m[1])
		params[of].readProse()
	}
}

var endBracket = compile(`\(([^()]{2,80})\)\W*$`)

// speaksOf reports whether a sentence calls something by a word of the synopsis: "drops NUMBER parts".
// What begins a sentence explains the word only.
func (b *builder) speaksOf(word string) bool {
	return strings.ToUpper(word) == word && slices.ContainsFunc(b.sentences(), func(t sentence) bool {
		return mention(t.text, word) > 0 && !strings.ContainsAny(t.text, "[<=-")
	})
}

// addUsage reads an ARGS line that is a synopsis without the program: "<file> [--rate N] [out]".
func (d *docArgs) addUsage(line string) bool {
	usage, text, _ := strings.Cut(line, " - ")
	if !strings.ContainsAny(usage, "<[-") || strings.Contains(usage, ",") {
		return false
	}
	s := synopsisReader{carries: func(string) bool { return false }, spoken: func(string) bool { return false }}
	words := synopsisWords(usage)
	for i := 0; i < len(words); i++ {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		if !strings.HasPrefix(words[i], "<") && !strings.HasPrefix(words[i], "[") && !strings.HasPrefix(words[i], "--") && words[i] != "|" && words[i] != "..." {
			return false
		}
		taken, ok := s.word(words[i], next)
		if !ok {
			return false
		}
		i += taken
	}
	s.name()
	if len(s.params) == 0 || slices.ContainsFunc(s.params, func(p docParam) bool { return p.name == "" }) {
		return false
	}
	if len(s.params) == 1 {
		s.params[0].addText(text)
	}
	d.params = append(d.params, s.params...)
	return true
}
