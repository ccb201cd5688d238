package template

// This file splits cli templates into argv words once, so that a value can never become two words,
// and knows the words that are programs in another language, where "$2" is not ours.

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
)

// maxWords caps the words of a cli template.
const maxWords = 4096

// word is one element of argv: text with slots, or JSON with slots.
type word struct {
	parts []part
	json  *node
	// bare is a whole slot that stands where a program would read an option.
	bare bool
}

// rawWord is a word before slots are looked for.
type rawWord struct {
	text   string
	quote  byte  // the quote around the entire word, or 0
	quoted bool  // any quote or escape in it
	fixed  []int // offsets of "$" that were escaped
}

func (t *Template) parseArgv(b *builder, src Source) error {
	target, err := splitWords(src.Target)
	if err != nil {
		return err
	}
	words, err := contentWords(src.Content)
	if err != nil {
		return err
	}
	for _, w := range target {
		t.program = append(t.program, w.text)
	}
	t.program, words = takeProgram(t.program, words)
	if len(t.program) == 0 || strings.Contains(t.program[0], "$") {
		return fmt.Errorf("%w: cli: the program must be named in target, without slots", ErrTemplate)
	}
	if len(words) > maxWords {
		return fmt.Errorf("%w: cli: more than %d words", ErrTemplate, maxWords)
	}
	for i := range words {
		w, err := t.parseWord(b, words, i)
		if err != nil {
			return err
		}
		t.words = append(t.words, w)
	}
	return nil
}

// takeProgram names the program once: content may repeat target's words, or name it alone.
func takeProgram(target []string, words []rawWord) ([]string, []rawWord) {
	if len(target) == 0 {
		if len(words) == 0 {
			return nil, nil
		}
		return []string{words[0].text}, words[1:]
	}
	for i, name := range target {
		if i >= len(words) || words[i].text != name && (i > 0 || path.Base(words[i].text) != path.Base(name)) {
			return target, words
		}
	}
	return target, words[len(target):]
}

// contentWords reads a JSON array of strings, or words as a shell would split them.
func contentWords(content string) ([]rawWord, error) {
	content = strings.TrimSpace(content)
	var list []string
	if strings.HasPrefix(content, "[") && json.Unmarshal([]byte(content), &list) == nil {
		var words []rawWord
		for _, text := range list {
			words = append(words, rawWord{text: text, quote: '"', quoted: true})
		}
		return words, nil
	}
	return splitWords(content)
}

// operators need a shell, and there is none.
var operators = []string{"|", "||", "&", "&&", ";", ">", ">>", "<", "<<", "2>", "2>&1", "|&"}

// splitWords splits at white space. Single quotes keep everything; within double quotes a backslash
// escapes only quote, backslash and dollar; outside it also escapes white space. Any other backslash stays.
func splitWords(text string) ([]rawWord, error) {
	s := &splitter{text: text}
	for s.at < len(text) {
		if err := s.step(); err != nil {
			return nil, err
		}
	}
	s.end()
	for _, w := range s.words {
		if !w.quoted && slices.Contains(operators, w.text) {
			return nil, fmt.Errorf("%w: cli: %q needs a shell and there is none; quote it if the program takes it", ErrTemplate, w.text)
		}
	}
	return s.words, nil
}

type splitter struct {
	text  string
	at    int
	word  rawWord // its text is in buf until it ends
	buf   []byte
	open  bool
	begin int
	words []rawWord
}

func (s *splitter) step() error {
	c := s.text[s.at]
	switch {
	case strings.IndexByte(" \t\r\n", c) >= 0:
		s.end()
		s.at++
		return nil
	case c == '\'' || c == '"':
		return s.quoted(c)
	}
	s.start()
	if c == '\\' && s.at+1 < len(s.text) && strings.IndexByte("\\\"'$ \t\n", s.text[s.at+1]) >= 0 {
		s.escape()
		return nil
	}
	s.buf = append(s.buf, s.text[s.at])
	s.at++
	return nil
}

func (s *splitter) start() {
	if !s.open {
		s.open, s.begin = true, s.at
	}
}

func (s *splitter) end() {
	if s.open && (len(s.buf) > 0 || s.word.quoted) {
		s.word.text = string(s.buf)
		s.words = append(s.words, s.word)
	}
	s.open, s.word, s.buf = false, rawWord{}, s.buf[:0]
}

// escape takes the character after a backslash; an escaped line break joins lines.
func (s *splitter) escape() {
	switch c := s.text[s.at+1]; c {
	case '\n':
	case '$':
		s.word.fixed = append(s.word.fixed, len(s.buf))
		s.buf = append(s.buf, '$')
	default:
		s.buf = append(s.buf, c)
		s.word.quoted = true
	}
	s.at += 2
}

func (s *splitter) quoted(q byte) error {
	s.start()
	whole := s.begin == s.at
	s.word.quoted = true
	for s.at++; s.at < len(s.text) && s.text[s.at] != q; {
		if q == '"' && s.text[s.at] == '\\' && s.at+1 < len(s.text) && strings.IndexByte("\\\"$", s.text[s.at+1]) >= 0 {
			s.escape()
			continue
		}
		s.buf = append(s.buf, s.text[s.at])
		s.at++
	}
	if s.at >= len(s.text) {
		return fmt.Errorf("%w: cli: a %c without its end", ErrTemplate, q)
	}
	s.at++
	if whole && (s.at == len(s.text) || strings.IndexByte(" \t\r\n", s.text[s.at]) >= 0) {
		s.word.quote = q
	}
	return nil
}

func (t *Template) parseWord(b *builder, words []rawWord, i int) (word, error) {
	w := words[i]
	if w.quote != 0 && len(w.fixed) == 0 && looksJSON(w.text) {
		before := b.mark()
		if n, err := parseJSON(b, w.text); err == nil {
			return word{json: n}, nil
		}
		b.reset(before)
	}
	switch t.language(words, i) {
	case foreign:
		return word{parts: []part{{lit: w.text}}}, nil
	case shell:
		if hasSlot(new(builder).lex(w.text, place{ctx: Argv})) {
			return word{}, fmt.Errorf(`%w: cli: a slot inside a shell program would let values be commands; pass it as an argument: sh -c 'cmd "$1"' sh $1`, ErrTemplate)
		}
		return word{parts: []part{{lit: w.text}}}, nil
	}
	parts := b.lexFixed(w, place{ctx: Argv, hint: flagBefore(words, i, w.text), prose: w.quote != 0})
	bare := len(parts) == 1 && parts[0].slot != nil && (i == 0 || !strings.HasPrefix(words[i-1].text, "-")) && !afterDashes(words[:i])
	return word{parts: parts, bare: bare}, nil
}

// lexFixed looks for slots but not at escaped dollars.
func (b *builder) lexFixed(w rawWord, at place) []part {
	if len(w.fixed) == 0 {
		return b.lex(w.text, at)
	}
	var parts []part
	start := 0
	for _, end := range append(slices.Clone(w.fixed), len(w.text)) {
		if start > 0 {
			parts = append(parts, part{lit: "$"})
		}
		for _, p := range b.lex(w.text[start:end], at) {
			if p.slot != nil {
				p.slot.Whole = false
			}
			parts = append(parts, p)
		}
		start = end + 1
	}
	return parts
}

type language int

const (
	ours    language = iota
	foreign          // a program whose dollars are its own
	shell            // a program that a shell runs
)

// language says what a word is written in. A program text is always quoted.
func (t *Template) language(words []rawWord, i int) language {
	w := words[i]
	if w.quote == 0 {
		return ours
	}
	before, name := "", path.Base(t.program[0])
	if i > 0 {
		before = words[i-1].text
	}
	isShell := slices.Contains([]string{"sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "busybox"}, name)
	switch {
	case isShell && strings.HasPrefix(before, "-") && strings.HasSuffix(before, "c"):
		if w.quote == '\'' {
			return foreign
		}
		return shell
	case t.runsAwk(words[:i]) && !slices.Contains([]string{"-v", "-F", "-f"}, before) && (w.quote == '\'' || strings.Contains(w.text, "{")):
		return foreign
	case w.quote == '\'' && strings.Contains(w.text, "{") && strings.ContainsAny(w.text, " ;("):
		return foreign
	}
	return ours
}

func (t *Template) runsAwk(before []rawWord) bool {
	isAwk := func(name string) bool {
		return slices.Contains([]string{"awk", "gawk", "mawk", "nawk"}, path.Base(name))
	}
	return slices.ContainsFunc(t.program, isAwk) || slices.ContainsFunc(before, func(w rawWord) bool { return isAwk(w.text) })
}

// flagBefore is the option that names a word: "--width" of "--width $1" and of "--width=$1".
func flagBefore(words []rawWord, i int, text string) string {
	if name, _, ok := strings.Cut(text, "="); ok && !strings.Contains(name, "$") {
		return strings.TrimLeft(name, "-")
	}
	if i > 0 && strings.HasPrefix(words[i-1].text, "-") && !strings.Contains(words[i-1].text, "$") {
		return strings.TrimLeft(words[i-1].text, "-")
	}
	return ""
}

func afterDashes(words []rawWord) bool {
	return slices.ContainsFunc(words, func(w rawWord) bool { return w.text == "--" })
}

// Argv renders a cli template, the program first. Each word of the template is one element, whatever
// its value holds. A value that begins with "-" is refused (ErrValue) where the program would read it
// as an option, unless it is a number; write "--" before the slot to allow it.
func (t *Template) Argv(v Values) ([]string, error) {
	if err := t.want(CLI); err != nil {
		return nil, err
	}
	f := &filler{v: v}
	argv := slices.Clone(t.program)
	for _, w := range t.words {
		text, err := f.renderWord(w)
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", len(argv), err)
		}
		argv = append(argv, text)
	}
	return argv, nil
}

func (f *filler) renderWord(w word) (string, error) {
	if w.json != nil {
		return f.renderJSON(w.json)
	}
	text, _, err := f.fill(w.parts, verbatim)
	switch {
	case err != nil:
		return "", err
	case strings.ContainsRune(text, 0):
		return "", fmt.Errorf("%w: a NUL cannot stand in an argument", ErrValue)
	case w.bare && strings.HasPrefix(text, "-") && text != "-" && !isNumber(text):
		return "", fmt.Errorf("%w: %s would be read as an option", ErrValue, w.parts[0].slot.src)
	case hasRaw(w.parts):
		return text, sameWord(text)
	}
	return text, nil
}

func isNumber(text string) bool { return json.Valid([]byte(text)) }

// sameWord refuses raw text that a splitter would make anything but one word of.
func sameWord(text string) error {
	words, err := splitWords(text)
	if err != nil || len(words) != 1 || words[0].text != text {
		return fmt.Errorf("%w: a raw slot would become other words of the command", ErrStructure)
	}
	return nil
}
