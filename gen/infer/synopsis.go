package infer

// This file reads a command line's synopsis: "tool [--flag VALUE] <file>...".

import (
	"slices"
	"strings"
	"unicode"

	"codemode/directory/contract"
)

// usageLead is what may stand before a synopsis on its line.
var usageLead = compile(`^(?i:\s*(?:usage|synopsis|syntax|call(?: as)?|run(?: as)?|invoke(?: as)?|invocation)\s*:\s*|\s*\$ |\s*[\p{L} ,]{3,60}: )`)

// synopsisWord is the program, or a command of it.
var synopsisWord = compile(`^[a-z][a-z0-9_.+\-]*$`)

const (
	maxSynopsis = 400 // bytes
	maxOperands = 40
)

// readSynopsis reads the first line that is one as a whole, up to a full stop or a colon.
func (b *builder) readSynopsis(p passage) docArgs {
	if p.label == "ex" {
		return docArgs{}
	}
	for i, line := range p.lines[:min(len(p.lines), maxOperands)] {
		manual := usageWord.MatchString(line) || i > 0 && usageWord.MatchString(p.lines[i-1]+":")
		for _, candidate := range b.candidates(line) {
			if out := b.synopsis(candidate, manual); len(out.params) > 0 {
				return out
			}
		}
	}
	return docArgs{}
}

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
	return append(out, line)
}

var ticked = compile("`([^`\n]{3,400})`")

// readUsages reads ARGS lines that are a synopsis of the program.
func (b *builder) readUsages(lines []string) docArgs {
	for _, line := range lines {
		if words := synopsisWords(line); len(words) > 1 && b.isProgram(words[0]) {
			if out := b.synopsis(line, true); len(out.params) > 0 {
				return out
			}
		}
	}
	return docArgs{}
}

// usageWord says that a command line follows, with operands in whatever case.
var usageWord = compile(`(?i)^\s*(?:usage|synopsis|syntax)\s*:`)

// isProgram reports whether a word is what the row runs, or its key.
func (b *builder) isProgram(word string) bool {
	return word != "" && (word == b.program() || word == b.row.Key)
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
	s := synopsisReader{lower: own}
	for i := 1; i < len(words); i++ {
		if i == 1 && !own && synopsisWord.MatchString(words[i]) && len(words) > 2 {
			continue // "geo parse --text TEXT"
		}
		if optionName.MatchString(words[i]) && slices.Contains(b.shape.words, words[i]) {
			continue // a word of the template: "git log"
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
	for _, end := range []string{"; ", ", where ", ", with ", " (", " where "} {
		if at := strings.Index(line, end); at > 0 {
			line = line[:at]
		}
	}
	return line
}

// synopsisWords cuts a line into words, brackets kept whole, up to where prose begins.
func synopsisWords(line string) []string {
	line = strings.TrimSpace(line)
	if len(line) > maxSynopsis {
		line = line[:maxSynopsis]
	}
	for _, end := range []string{" : ", ". ", " - ", " # ", "  "} {
		if at := strings.Index(line, end); at > 0 {
			line = line[:at]
		}
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

// synopsisReader gathers the arguments of a synopsis.
type synopsisReader struct {
	params []docParam
	placed []string // the word that stands for each value
	lower  bool     // words in lower case are operands
}

var (
	placeholder = compile(`^<([\p{L}_][\p{L}\p{N}_\- ]*)>(?:\.\.\.)?$`)
	typedPlace  = compile(`^<?([\p{L}_][\p{L}\p{N}_\-]*):([\p{L}\[\]]+)>?(?:\.\.\.)?$`)
	listPlace   = compile(`^<([\w.+\-]+(?:\s?[|/]\s?[\w.+\-]+)+)>$`)
	rangePlace  = compile(`^<\d+(?:-|\.\.)\d+>$`)
	operand     = compile(`^([A-Z][A-Z0-9_\-]*)(?:\.\.\.)?$`)
	innerWord   = compile(`<([\p{L}_][\p{L}\p{N}_\-]*)>|[A-Z][A-Z0-9_]+`)
	optionWord  = compile(`^(--?)([A-Za-z][\w\-]*)(?:=(.+))?$`)
	bracedList  = compile(`^[{(]([\w.+\-]+(?:\s?[,|]\s?[\w.+\-]+)+)[})]$`)
	barredList  = compile(`^[\w.+\-]+(?:\|[\w.+\-]+)+$`)
)

// word reads one word and says how many more it took.
func (s *synopsisReader) word(w, next string) (taken int, ok bool) {
	if len(s.params) >= maxOperands {
		return 0, false
	}
	if inner, bracketed := strings.CutPrefix(strings.TrimSuffix(w, "..."), "["); bracketed && strings.HasSuffix(inner, "]") {
		return 0, s.group(strings.TrimSuffix(strings.TrimSuffix(inner, "]"), "..."))
	}
	if !strings.ContainsFunc(w, unicode.IsLetter) {
		return 0, true
	}
	if m := optionWord.FindStringSubmatch(w); m != nil && m[1] == "-" && m[3] == "" && len(m[2]) > 1 && operand.MatchString(m[2]) {
		w = m[2] // "-SIGNAL"
	} else if m != nil {
		if value := m[3]; value != "" {
			return 0, s.value(value, m[1]+m[2])
		}
		if isValue(next) && next != "" {
			return 1, s.value(next, m[1]+m[2])
		}
		return 0, true // a switch that is always there
	}
	if s.lower && optionName.MatchString(w) && !operand.MatchString(w) {
		s.add(docParam{}, w, "")
		return 0, true
	}
	if strings.HasPrefix(w, "-") {
		return 0, true // "-t,"
	}
	return 0, s.value(w, "") || w == "--" || w == "|" || strings.Trim(w, ".") == ""
}

// group reads the inside of brackets: all of it may be left out.
func (s *synopsisReader) group(inner string) bool {
	before := len(s.params)
	words := synopsisWords(inner)
	if len(words) == 1 && manyOptions.MatchString(words[0]) {
		return true
	}
	if n := len(s.placed); n > 0 && len(words) > 0 && strings.Trim(words[0], "<>.") == s.placed[n-1] {
		return true // "FILE [FILE...]"
	}
	for i := 0; i < len(words); i++ {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		if m := optionWord.FindStringSubmatch(words[i]); m != nil && m[1] == "-" && operand.MatchString(m[2]) && len(m[2]) > 1 {
			words[i] = m[2] // "[-LEVEL]"
		} else if m != nil && m[3] == "" && next != "" && optionName.MatchString(next) {
			s.add(docParam{}, next, m[1]+m[2])
			i++
			continue
		} else if m != nil && m[3] == "" && !isValue(next) {
			s.add(docParam{schema: obj("type", "boolean")}, "", m[1]+m[2])
			continue
		}
		if len(words) == 1 && optionName.MatchString(words[i]) {
			words[i] = "<" + words[i] + ">" // "[out]"
		}
		taken, ok := s.word(words[i], next)
		if !ok {
			return false
		}
		i += taken
	}
	for i := before; i < len(s.params); i++ {
		s.params[i].optionalArg = true
	}
	return len(words) > 0
}

// manyOptions stands for options that are listed elsewhere.
var manyOptions = compile(`^(?i:<?(?:options?|flags?|opts?|args|arguments)>?(?:\.\.\.)?)$`)

var optionName = compile(`^[\p{L}_][\p{L}\p{N}_\-]*$`)

// isValue reports whether a word stands for a value.
func isValue(w string) bool {
	return placeholder.MatchString(w) || typedPlace.MatchString(w) || listPlace.MatchString(w) || rangePlace.MatchString(w) || operand.MatchString(w) || bracedList.MatchString(w) || barredList.MatchString(w) || innerWord.MatchString(w)
}

// value adds the arguments that a word stands for, of an option or by itself.
func (s *synopsisReader) value(w, option string) bool {
	list := bracedList.FindStringSubmatch(w)
	if list == nil && barredList.MatchString(w) {
		list = []string{w, w}
	}
	if list == nil {
		list = listPlace.FindStringSubmatch(strings.ReplaceAll(w, "/", "|"))
	}
	typed := typedPlace.FindStringSubmatch(w)
	switch {
	case typed != nil && isTypeWords(typed[2]):
		t, _ := parseWords(typed[2])
		s.add(docParam{schema: t.schema}, typed[1], option)
	case rangePlace.MatchString(w):
		s.add(docParam{description: strings.Trim(w, "<>")}, "", option)
	case list != nil:
		d := docParam{}
		d.setEnum(splitValues(list[1]))
		s.add(d, "", option)
	case placeholder.MatchString(w):
		s.add(typedBy(option, placeholder.FindStringSubmatch(w)[1]), placeholder.FindStringSubmatch(w)[1], option)
	case operand.MatchString(w):
		s.add(typedBy(option, operand.FindStringSubmatch(w)[1]), operand.FindStringSubmatch(w)[1], option)
	default:
		found := innerWord.FindAllString(w, maxOperands)
		for _, word := range found {
			s.add(docParam{}, strings.Trim(word, "<>"), "")
		}
		return len(found) > 0 && !strings.ContainsAny(w, "()")
	}
	return true
}

// typedBy is the type that the word behind an option with a name of its own says: "--count INT".
func typedBy(option, word string) docParam {
	if t, ok := parseWords(strings.ToLower(word)); ok && strings.HasPrefix(option, "--") && typeName.MatchString(word) {
		return docParam{schema: t.schema}
	}
	return docParam{}
}

func (s *synopsisReader) add(d docParam, word, option string) {
	d.from, d.flag = contract.FromArgs, strings.TrimLeft(option, "-")
	d.source = source{words: strings.TrimSpace(option + " " + word)}
	if strings.HasPrefix(option, "--") {
		d.name = identifier(d.flag)
	}
	s.params, s.placed = append(s.params, d), append(s.placed, word)
}

// name calls each argument by its long option, else by the word that stands for it. A word that is a
// letter or stands for several says nothing.
func (s *synopsisReader) name() {
	for i, word := range s.placed {
		unclear := len(word) < 2 || countWord(s.placed, word) > 1
		d := &s.params[i]
		d.word = word
		switch {
		case d.name != "":
		case word == "" && d.flag == "": // a list of values, named by the template
		case unclear && d.flag != "":
			d.name = identifier(d.flag)
		default:
			d.name = lowerName(word)
		}
	}
}

func countWord(words []string, w string) int {
	n := 0
	for _, x := range words {
		if strings.EqualFold(x, w) {
			n++
		}
	}
	return n
}

// lowerName makes "in_file" of IN_FILE and "inputFile" of "input-file".
func lowerName(word string) string {
	if strings.ToUpper(word) == word {
		return strings.ToLower(strings.ReplaceAll(word, "-", "_"))
	}
	return identifier(word)
}

// addUsage reads an ARGS line that is a synopsis without the program: "<file> [--rate N] [out]".
func (d *docArgs) addUsage(line string) bool {
	usage, text, _ := strings.Cut(line, " - ")
	if !strings.ContainsAny(usage, "<[-") || strings.Contains(usage, ",") {
		return false
	}
	s := synopsisReader{}
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
