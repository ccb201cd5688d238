package infer

// This file spares regular expressions the texts that they cannot match. Most of the package's time
// would go by in finding out, slowly, that a sentence has none of the words that an expression is for.

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// pattern is a regular expression that looks for the words it needs before it runs. What it needs is
// read from the expression itself, so nothing is to be said twice and a match is never hidden. It is
// compiled when a text first has them: most programs meet few of the texts that the patterns are for.
type pattern struct {
	expr   string
	needs  func() []need
	regexp func() *regexp.Regexp
}

// patterns are all that compile made.
var patterns []*pattern

// compile makes the pattern of an expression. What is no expression panics at the first use.
func compile(expr string) *pattern {
	p := &pattern{
		expr:   expr,
		needs:  sync.OnceValue(func() []need { return needsOf(expr) }),
		regexp: sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) }),
	}
	patterns = append(patterns, p)
	return p
}

// may is false only for a text that the expression does not match. The two letters beyond ASCII that
// are "s" and "k" in another case have no place in the needs.
func (p *pattern) may(text string) bool {
	needs := p.needs()
	for i := range needs {
		if !needs[i].in(text) {
			return strings.Contains(text, "ſ") || strings.Contains(text, "\u212A")
		}
	}
	return true
}

// where runs a method of the expression where the text has what it needs.
func where[T any](p *pattern, text string, run func(*regexp.Regexp, string) T) (found T) {
	if p.may(text) {
		found = run(p.regexp(), text)
	}
	return found
}

// whereAll is where for the methods that find all.
func whereAll[T any](p *pattern, text string, n int, run func(*regexp.Regexp, string, int) []T) []T {
	return where(p, text, func(re *regexp.Regexp, text string) []T { return run(re, text, n) })
}

func (p *pattern) MatchString(text string) bool {
	return where(p, text, (*regexp.Regexp).MatchString)
}

func (p *pattern) FindString(text string) string {
	return where(p, text, (*regexp.Regexp).FindString)
}

func (p *pattern) FindStringIndex(text string) []int {
	return where(p, text, (*regexp.Regexp).FindStringIndex)
}

func (p *pattern) FindStringSubmatch(text string) []string {
	return where(p, text, (*regexp.Regexp).FindStringSubmatch)
}

func (p *pattern) FindStringSubmatchIndex(text string) []int {
	return where(p, text, (*regexp.Regexp).FindStringSubmatchIndex)
}

func (p *pattern) FindAllString(text string, n int) []string {
	return whereAll(p, text, n, (*regexp.Regexp).FindAllString)
}

func (p *pattern) FindAllStringIndex(text string, n int) [][]int {
	return whereAll(p, text, n, (*regexp.Regexp).FindAllStringIndex)
}

func (p *pattern) FindAllStringSubmatch(text string, n int) [][]string {
	return whereAll(p, text, n, (*regexp.Regexp).FindAllStringSubmatch)
}

func (p *pattern) FindAllStringSubmatchIndex(text string, n int) [][]int {
	return whereAll(p, text, n, (*regexp.Regexp).FindAllStringSubmatchIndex)
}

func (p *pattern) ReplaceAllString(text, with string) string {
	if !p.may(text) {
		return text
	}
	return p.regexp().ReplaceAllString(text, with)
}

func (p *pattern) Split(text string, n int) []string {
	if !p.may(text) {
		return []string{text}
	}
	return p.regexp().Split(text, n)
}

// need holds for a text that has one of the pieces, in any case of ASCII.
type need struct {
	pieces []string     // in lower case; none begins with another
	last   int          // the last rune where one may begin
	pairs  [32]uint32   // the first two bytes of all pieces, by the lower five bits of each
	begin  [32][]string // the pieces by the lower five bits of the first byte
}

func (n *need) in(text string) bool {
	end := n.end(text)
	for i := 0; i < end; i++ {
		first, second := text[i]&31, byte(0)
		if n.pairs[first] == 0 {
			continue
		}
		if i+1 < len(text) {
			second = text[i+1] & 31
		}
		if n.pairs[first]>>second&1 != 0 && n.at(text[i:]) {
			return true
		}
	}
	return false
}

// end is where the runes end that a piece may begin with. Broken UTF-8 has more of them than are counted.
func (n *need) end(text string) int {
	if len(text) <= n.last {
		return len(text)
	}
	left := n.last + 1
	for i := range len(text) {
		if utf8.RuneStart(text[i]) {
			if left == 0 {
				return i
			}
			left--
		}
	}
	return len(text)
}

func (n *need) at(text string) bool {
	for _, p := range n.begin[text[0]&31] {
		if beginsWith(text, p) {
			return true
		}
	}
	return false
}

// anyOf is the need of one of some words, in lower case.
func anyOf(words ...string) *need { return &oneOf(words, anywhere)[0] }

func beginsWith(text, lower string) bool {
	if len(text) < len(lower) {
		return false
	}
	for i := range len(lower) {
		if lowerByte(text[i]) != lower[i] {
			return false
		}
	}
	return true
}

func lowerByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}

func needsOf(expr string) []need {
	re, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil // compile has panicked
	}
	re = re.Simplify()
	needs := readExpr(re).all()
	if !atStart(re) {
		for i := range needs {
			needs[i].last = anywhere
		}
	}
	slices.SortStableFunc(needs, func(a, b need) int { return b.worth() - a.worth() })
	return needs
}
