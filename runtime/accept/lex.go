package accept

// This file splits a script into tokens, far enough to see its shape and how deep it nests. It is
// no parser: what it can't tell it leaves to the checker and the bundler, which report it properly.

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind byte

const (
	identToken tokenKind = iota
	numberToken
	stringToken // also a regular expression, and a template literal without holes
	punctToken
)

type token struct {
	kind       tokenKind
	text       string
	start, end int
	depth      int // brackets open before the token; an opener has the depth outside it
	match      int // of a bracket: the index of its partner, -1 for none
}

func (t token) is(text string) bool { return t.kind != stringToken && t.text == text }

// lexer walks the text once, in time linear in its length.
type lexer struct {
	text   string
	at     int
	tokens []token
	// comments are kept as spans: some speak to a compiler.
	comments []span
	open     []int // indexes of open brackets; a template hole opens one too
	deep     int   // the deepest nesting seen
}

type span struct{ start, end int }

// lexed is a text in tokens.
type lexed struct {
	tokens   []token
	comments []span
	deep     int // how deep brackets and template holes nest
}

func lex(text string) lexed {
	l := &lexer{text: text}
	if strings.HasPrefix(text, "#!") {
		l.skipLine()
	}
	for l.at < len(text) {
		l.next()
	}
	return lexed{l.tokens, l.comments, l.deep}
}

func (l *lexer) next() {
	c := l.text[l.at]
	switch {
	case c <= ' ':
		l.at++
	case c == '/' && l.peek("//"):
		l.comment(l.skipLine)
	case c == '/' && l.peek("/*"):
		l.comment(func() { l.skipPast("*/", 2) })
	case c == '\'' || c == '"':
		l.quoted(c)
	case c == '`':
		l.template(l.at)
	case c == '/' && l.regexpMayStart():
		l.regexp()
	case c >= '0' && c <= '9':
		l.word(numberToken)
	case isWordByte(c):
		l.word(identToken)
	case c >= utf8.RuneSelf:
		l.wide()
	default:
		l.punct()
	}
}

func (l *lexer) peek(s string) bool { return strings.HasPrefix(l.text[l.at:], s) }

func (l *lexer) comment(skip func()) {
	start := l.at
	skip()
	l.comments = append(l.comments, span{start, l.at})
}

func (l *lexer) skipLine() {
	if n := strings.IndexAny(l.text[l.at:], "\n\r\u2028\u2029"); n >= 0 {
		l.at += n
		return
	}
	l.at = len(l.text)
}

func (l *lexer) skipPast(end string, from int) {
	if n := strings.Index(l.text[l.at+from:], end); n >= 0 {
		l.at += from + n + len(end)
		return
	}
	l.at = len(l.text)
}

func (l *lexer) add(kind tokenKind, start int) {
	l.tokens = append(l.tokens, token{kind, l.text[start:l.at], start, l.at, len(l.open), -1})
}

func (l *lexer) quoted(q byte) {
	start := l.at
	for l.at++; l.at < len(l.text); l.at++ {
		switch l.text[l.at] {
		case '\\':
			l.at++
		case q:
			l.at++
			l.add(stringToken, start)
			return
		case '\n':
			l.add(stringToken, start)
			return
		}
	}
	l.at = len(l.text)
	l.add(stringToken, start)
}

// template reads a template literal up to its end or its next hole; a hole counts as a bracket.
func (l *lexer) template(start int) {
	for l.at++; l.at < len(l.text); l.at++ {
		switch {
		case l.text[l.at] == '\\':
			l.at++
		case l.text[l.at] == '`':
			l.at++
			l.add(stringToken, start)
			return
		case l.peek("${"):
			l.add(stringToken, start)
			hole := l.at
			l.at += 2
			l.push(hole)
			return
		}
	}
	l.at = len(l.text)
	l.add(stringToken, start)
}

func (l *lexer) push(start int) {
	l.add(punctToken, start)
	l.open = append(l.open, len(l.tokens)-1)
	l.deep = max(l.deep, len(l.open))
}

// pop closes the innermost bracket; a stray closer closes nothing.
func (l *lexer) pop() (opener string) {
	start := l.at
	l.at++
	opened := -1
	if n := len(l.open); n > 0 {
		opened, l.open = l.open[n-1], l.open[:n-1]
	}
	l.add(punctToken, start)
	if opened >= 0 {
		last := len(l.tokens) - 1
		l.tokens[opened].match, l.tokens[last].match = last, opened
		opener = l.tokens[opened].text
	}
	return opener
}

func (l *lexer) punct() {
	start := l.at
	switch c := l.text[l.at]; c {
	case '(', '[', '{':
		l.at++
		l.push(start)
	case ')', ']', '}':
		if l.pop() == "${" {
			l.at--
			l.template(l.at)
		}
	default:
		l.at++
		if c == '=' && l.at < len(l.text) && l.text[l.at] == '>' {
			l.at++
		}
		l.add(punctToken, start)
	}
}

func (l *lexer) word(kind tokenKind) {
	start := l.at
	for l.at < len(l.text) {
		r, n := utf8.DecodeRuneInString(l.text[l.at:])
		if !(r < utf8.RuneSelf && isWordByte(byte(r))) && !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) {
			break
		}
		l.at += n
	}
	l.add(kind, start)
}

func (l *lexer) wide() {
	r, n := utf8.DecodeRuneInString(l.text[l.at:])
	if unicode.IsLetter(r) {
		l.word(identToken)
		return
	}
	l.at += n // white space and byte order marks; anything else is the compiler's to refuse
}

// regexpMayStart tells a regular expression from a division by the token before the slash.
func (l *lexer) regexpMayStart() bool {
	if len(l.tokens) == 0 {
		return true
	}
	prev := l.tokens[len(l.tokens)-1]
	switch prev.kind {
	case numberToken, stringToken:
		return false
	case identToken:
		return isOperatorWord(prev.text)
	}
	if prev.text == ")" && prev.match > 0 {
		return isHeadWord(l.tokens[prev.match-1].text)
	}
	if n := len(l.tokens); n > 1 && (prev.text == "+" || prev.text == "-") && l.tokens[n-2].text == prev.text && l.tokens[n-2].end == prev.start {
		return false // i++ / 2
	}
	return prev.text != ")" && prev.text != "]" && prev.text != "}"
}

func (l *lexer) regexp() {
	start, class := l.at, false
	for l.at++; l.at < len(l.text) && l.text[l.at] != '\n'; l.at++ {
		switch c := l.text[l.at]; {
		case c == '\\':
			l.at++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			l.at++
			l.add(stringToken, start)
			return
		}
	}
	l.at = min(l.at, len(l.text))
	l.add(stringToken, start)
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || c == '#' || c == '@' || c == '\\' ||
		c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// isOperatorWord lists the words after which an expression begins.
func isOperatorWord(w string) bool {
	switch w {
	case "return", "typeof", "instanceof", "in", "of", "new", "delete", "void", "throw", "case", "do", "else", "await", "yield", "default":
		return true
	}
	return false
}

// isHeadWord lists the words whose parentheses are followed by a statement.
func isHeadWord(w string) bool {
	switch w {
	case "if", "for", "while", "switch", "catch", "with", "await":
		return true
	}
	return false
}
