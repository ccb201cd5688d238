package infer

// This file reads the words of a synopsis: "[--flag VALUE]", "<file>...", "{a|b}", "-n|--lines N".

import (
	"slices"
	"strings"
	"unicode"

	"codemode/directory/contract"
)

// synopsisReader gathers the arguments of a synopsis.
type synopsisReader struct {
	params []docParam
	placed []string // the word that stands for each value
	lower  bool     // words in lower case are operands

	carries func(flag string) bool // the template gives the option a value
	spoken  func(word string) bool // sentences call something by the word
}

var (
	placeholder = compile(`^<([\p{L}_][\p{L}\p{N}_\- ]*)>(?:\.\.\.)?$`)
	typedPlace  = compile(`^<?([\p{L}_][\p{L}\p{N}_\-]*):([\p{L}\[\]]+)>?(?:\.\.\.)?$`)
	listPlace   = compile(`^<([\w.+\-]+(?:\s?[|/]\s?[\w.+\-]+)+)>$`)
	rangePlace  = compile(`^<\d+(?:-|\.\.)\d+>$`)
	operand     = compile(`^([A-Z][A-Z0-9_\-]*)(?:\.\.\.)?$`)
	innerWord   = compile(`<([\p{L}_][\p{L}\p{N}_\-]*)>|[A-Z][A-Z0-9_]+`)
	optionWord  = compile(`^(--?)([A-Za-z0-9][\w\-]*)(?:=(.+))?$`)
	aliases     = compile(`^(--?[A-Za-z0-9][\w\-]*)(?:[|,/]\s?--?[A-Za-z0-9][\w\-]*)+`)
	shownValue  = compile(`^(?:-?\d+(?:\.\d+)?|"[^"]*"|'[^']*')$`)
	givenPlace  = compile(`^<?([\p{L}_][\p{L}\p{N}_\-]*)>?=([^=<>\s]+)$`)
	bracedList  = compile(`^[{(]([\w.+\-]+(?:\s?[,|]\s?[\w.+\-]+)+)[})]$`)
	barredList  = compile(`^[\w.+\-]+(?:\|[\w.+\-]+)+$`)
	// formWord shows how a value is written, which names nothing: "YYYY-MM-DD", "<HH:MM>".
	formWord = compile(`^<?(?:YYYY|YY|MM|DD|HH|hh|mm|SS|ss|W?ww|yyyy|dd)(?:[\-/:.T_]?(?:YYYY|YY|MM|DD|HH|hh|mm|SS|ss|W?ww|yyyy|dd))+>?$`)
)

// word reads one word and says how many more it took.
func (s *synopsisReader) word(w, next string) (taken int, ok bool) {
	if len(s.params) >= maxOperands {
		return 0, false
	}
	w = s.oneAlias(w)
	if inner, bracketed := strings.CutPrefix(strings.TrimSuffix(w, "..."), "["); bracketed && strings.HasSuffix(inner, "]") {
		return 0, s.group(strings.TrimSuffix(strings.TrimSuffix(inner, "]"), "..."))
	}
	if m := eitherOr.FindStringSubmatch(w); m != nil {
		return 0, s.alternatives(m[1])
	}
	if !strings.ContainsFunc(w, unicode.IsLetter) && !optionWord.MatchString(w) {
		return 0, true
	}
	if m := windowsWord.FindStringSubmatch(w); m != nil && s.lower {
		s.add(docParam{}, strings.Trim(m[1], "<>"), "")
		return 0, true
	}
	if m := optionWord.FindStringSubmatch(w); m != nil && m[1] == "-" && m[3] == "" && len(m[2]) > 1 && operand.MatchString(m[2]) {
		w = m[2] // "-SIGNAL"
	} else if m != nil {
		switch value := m[3]; {
		case value != "":
			return 0, s.value(value, m[1]+m[2])
		case isValue(next) && !strings.HasPrefix(next, "-"):
			return 1, s.value(next, m[1]+m[2])
		case s.carries(m[2]) && (s.lower && optionName.MatchString(next) || shownValue.MatchString(next)):
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

// oneAlias leaves of "-n|--lines" the form that the template has, else the longest, and writes
// "--lines[=N]" as "--lines=N".
func (s *synopsisReader) oneAlias(w string) string {
	if m := optionalValue.FindStringSubmatch(w); m != nil {
		w = m[1] + "=" + m[2]
	}
	all := aliases.FindString(w)
	if all == "" {
		return w
	}
	flags := flagBreak.Split(all, -1)
	best := slices.MaxFunc(flags, func(a, b string) int { return len(a) - len(b) })
	for _, f := range flags {
		if s.carries(strings.TrimLeft(f, "-")) {
			best = f
		}
	}
	return best + w[len(all):]
}

var (
	optionalValue = compile(`^(--?[A-Za-z0-9][\w\-]*)\[=?([^\[\]]+)\]$`)
	flagBreak     = compile(`[|,/]\s?`)
	windowsWord   = compile(`^/[A-Za-z]\w{0,20}:(<?[\p{L}_][\p{L}\p{N}_\-]*>?)$`)
)

// group reads the inside of brackets: all of it may be left out.
func (s *synopsisReader) group(inner string) bool {
	before := len(s.params)
	words := synopsisWords(inner)
	if manyOptions.MatchString(strings.Join(words, " ")) {
		return true
	}
	if n := len(s.placed); n > 0 && len(words) > 0 && strings.Trim(words[0], "<>.") == s.placed[n-1] {
		s.params[n-1].many = true
		return true // "FILE [FILE...]"
	}
	for i := 0; i < len(words); i++ {
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		words[i] = s.oneAlias(words[i])
		if m := optionWord.FindStringSubmatch(words[i]); m != nil && m[1] == "-" && operand.MatchString(m[2]) && len(m[2]) > 1 && len(words) == 1 {
			words[i] = m[2] // "[-LEVEL]"
		} else if m != nil && m[3] == "" && next != "" && optionName.MatchString(next) {
			i++
			s.value(next, m[1]+m[2])
			continue
		} else if m != nil && m[3] == "" && !isValue(next) && !shownValue.MatchString(next) {
			s.add(docParam{schema: obj("type", "boolean")}, "", m[1]+m[2])
			continue
		}
		if m := givenPlace.FindStringSubmatch(words[i]); m != nil && len(words) == 1 && s.given(m[1], m[2]) {
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

// eitherOr is a group of which one is needed: "(--kg KG | --pallets N)", "(FROM TO | --all)".
var eitherOr = compile(`^\s?\((-[^()]+|[^()]+\|\s*-[^()]*)\)(?:\s|$)`)

// alternatives reads the inside of such a group. The one that the template passes on is needed; of several
// options each may be left out. Operands stand there for an option that it does not pass on.
func (s *synopsisReader) alternatives(inner string) bool {
	before := len(s.params)
	if !s.group(inner) {
		return false
	}
	carried := 0
	for _, d := range s.params[before:] {
		if s.carries(d.flag) {
			carried++
		}
	}
	for i := len(s.params) - 1; i >= before && carried < 2; i-- {
		switch operand := s.params[i].flag == ""; {
		case operand && carried > 0:
			s.params, s.placed = slices.Delete(s.params, i, i+1), slices.Delete(s.placed, i, i+1)
		case operand || s.carries(s.params[i].flag):
			s.params[i].optionalArg = false
		}
	}
	return true
}

// given reads "[days=14]", an operand with its default.
func (s *synopsisReader) given(word, value string) bool {
	v, ok := literal(value)
	if !ok || operand.MatchString(value) {
		return false
	}
	s.add(docParam{value: v, hasDefault: true}, word, "")
	return true
}

// manyOptions stands for options that are listed elsewhere.
var manyOptions = compile(`^(?i:<?(?:(?:global |command |common |other )?(?:options?|flags?|opts?|switches)|args|arguments)>?(?:\s?\.\.\.)?)$`)

var optionName = compile(`^[\p{L}_][\p{L}\p{N}_\-]*$`)

// isValue reports whether a word stands for a value.
func isValue(w string) bool {
	return placeholder.MatchString(w) || formWord.MatchString(w) || typedPlace.MatchString(w) || listPlace.MatchString(w) || rangePlace.MatchString(w) || operand.MatchString(w) || bracedList.MatchString(w) || barredList.MatchString(w) || innerWord.MatchString(w)
}

// value adds the arguments that a word stands for, of an option or by itself.
func (s *synopsisReader) value(w, option string) bool {
	many := strings.HasSuffix(w, "...")
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
		s.add(docParam{schema: t.schema, many: many}, typed[1], option)
	case formWord.MatchString(w):
		s.add(docParam{schema: kindOf("", strings.Trim(w, "<>"))}, "", option)
	case rangePlace.MatchString(w):
		s.add(docParam{description: strings.Trim(w, "<>")}, "", option)
	case shownValue.MatchString(w) && option != "":
		s.add(docParam{example: w}, "", option)
	case list != nil:
		d := docParam{}
		d.setEnum(splitValues(list[1]))
		s.add(d, "", option)
	case placeholder.MatchString(w):
		word := placeholder.FindStringSubmatch(w)[1]
		d := typedBy(option, word)
		if strings.HasPrefix(option, "--") {
			d.name = snake(strings.TrimLeft(option, "-"))
		}
		d.many = many
		s.add(d, word, option)
	case operand.MatchString(w), s.lower && optionName.MatchString(w), option != "" && optionName.MatchString(w):
		word := strings.TrimSuffix(w, "...")
		d := typedBy(option, word)
		d.many = many
		s.add(d, word, option)
	default:
		found := innerWord.FindAllString(w, maxOperands)
		for _, word := range found {
			s.add(docParam{}, strings.Trim(word, "<>"), "")
		}
		return len(found) > 0 && !strings.ContainsAny(w, "()")
	}
	return true
}

// typedBy is the type that the word behind an option says: "--count INT", "-n int".
func typedBy(option, word string) docParam {
	if option == "" {
		return docParam{}
	}
	return docParam{schema: metaType(word)}
}

func (s *synopsisReader) add(d docParam, word, option string) {
	d.from, d.flag = contract.FromArgs, strings.TrimLeft(option, "-")
	d.source = source{words: strings.TrimSpace(option + " " + word)}
	s.params, s.placed = append(s.params, d), append(s.placed, word)
}

// name calls each argument by the word that stands for it, unless the word is a letter, stands for
// several or tells no more than a type: then by its option.
func (s *synopsisReader) name() {
	for i, word := range s.placed {
		d := &s.params[i]
		d.word = word
		unclear := len(word) < 2 || countWord(s.placed, word) > 1
		if d.example != "" {
			d.name, d.typed = snake(d.flag), contract.FromExample
			d.readShown(d.example, "")
		}
		switch long := len(d.flag) > 1; {
		case d.name != "":
		case word == "" && d.flag == "": // a list of values, named by the template
		case d.flag == "":
			d.name = lowerName(word)
		case unclear, metaType(word) != nil, long && isGeneric(word) && !s.spoken(word):
			d.name = snake(d.flag)
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

// lowerName makes "in_file" of IN_FILE and of "in-file".
func lowerName(word string) string {
	if strings.ToUpper(word) == word {
		word = strings.ToLower(word)
	}
	return snake(word)
}
