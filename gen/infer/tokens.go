package infer

// This file cuts a sentence into words, values and marks, which is what the readers of sentences look at.

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// token is one word, value or mark of a sentence.
type token struct {
	text   string   // as written, without quotes
	word   string   // in lower case; "" for a mark and for what is quoted
	class  []string // the lexicon's classes of the word
	number string   // what a number, in digits or in words, is in JSON
	quoted bool
	ticked bool // in back-quotes, as names are
	glued  bool // no blank before it
}

func (t token) mark() bool { return t.word == "" && !t.quoted && t.number == "" }

// closers are the quotes with what ends them.
var closers = map[rune]string{'"': `"`, '`': "`", '“': "”", '„': "“", '«': "»", '‘': "’"}

// tokens cuts a sentence. "isn't" is two words, "order's" is "order" and "'s", numbers in words are one.
func tokens(s string) []token {
	var out []token
	glued := false
	for len(s) > 0 && len(out) < maxTokens {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case unicode.IsSpace(r):
			s, glued = s[size:], false
			continue
		case closers[r] != "" || r == '\'' && quotedBy(s):
			if t, rest, ok := quotedToken(s, r, size); ok {
				t.glued = glued
				out, s, glued = append(out, t), rest, true
				continue
			}
			s, glued = s[size:], true
			continue
		case (r == 'n' || r == 'N') && !glued && notApplicable(s):
			out, s = append(out, token{text: s[:3], word: "unset", class: classes["unset"]}), s[3:]
		case r == '{':
			n := braced(s)
			out, s = append(out, token{text: s[:n], glued: glued}), s[n:]
		case wordRune(r) || r == '-' && !glued && startsDigit(s[size:]):
			n := runEnd(s, size)
			out = append(out, wordTokens(s[:n], glued)...)
			s = dropFullStop(out[len(out)-1].word, s[n:])
		default:
			out, s = append(out, token{text: s[:size], glued: glued}), s[size:]
		}
		glued = true
	}
	return numbersInWords(out)
}

// notApplicable reports whether words begin with "n/a", which is one word.
func notApplicable(s string) bool {
	if len(s) < 3 || !strings.EqualFold(s[:3], "n/a") {
		return false
	}
	next, _ := utf8.DecodeRuneInString(s[3:])
	return !wordRune(next)
}

// braced is the length of what stands in braces, which is no sentence.
func braced(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 1
}

// maxTokens caps how much of a sentence is looked at.
const maxTokens = 400

// shortForms are words that people cut with a full stop, which ends no sentence.
var shortForms = setOf(`e.g i.e etc opt req std dflt def min max no incl excl approx char chars resp`)

func dropFullStop(word, rest string) string {
	if shortForms[word] && strings.HasPrefix(rest, ".") {
		return rest[1:]
	}
	return rest
}

func setOf(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

func wordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '$'
}

// runEnd is where a word ends that has begun: "2026-05-31", "E.164", "order's", "twenty-four", "_id".
func runEnd(s string, at int) int {
	for at < len(s) {
		r, size := utf8.DecodeRuneInString(s[at:])
		if !wordRune(r) {
			next, _ := utf8.DecodeRuneInString(s[at+size:])
			if !strings.ContainsRune("-.:'’", r) || !wordRune(next) || r == ':' && !startsDigit(s[at+size:]) {
				return at
			}
		}
		at += size
	}
	return at
}

// quotedBy reports whether a single quote opens something quoted and is no apostrophe.
func quotedBy(s string) bool {
	end := strings.IndexByte(s[1:], '\'')
	return end > 0 && end < 40 && !strings.HasPrefix(s, "'s ")
}

func quotedToken(s string, r rune, size int) (token, string, bool) {
	closer := closers[r]
	if r == '\'' {
		closer = "'"
	}
	inner, rest, ok := strings.Cut(s[size:], closer)
	if !ok || inner == "" || len(inner) > maxQuoted {
		return token{}, s, false
	}
	return token{text: inner, quoted: true, ticked: r == '`'}, rest, true
}

const maxQuoted = 80

// wordTokens are those of one run of letters: two where it is a contraction.
func wordTokens(run string, glued bool) []token {
	lower := strings.ReplaceAll(strings.ToLower(run), "’", "'")
	if two, ok := contractions[lower]; ok {
		return []token{{text: two[0], word: two[0], class: classes[two[0]], glued: glued}, {text: two[1], word: two[1], class: classes[two[1]]}}
	}
	if head, ok := strings.CutSuffix(lower, "n't"); ok {
		return []token{{text: head, word: head, class: classes[head], glued: glued}, {text: "not", word: "not", class: classes["not"]}}
	}
	for _, tail := range []string{"'s", "'ll", "'re", "'d", "'ve"} {
		if head, ok := strings.CutSuffix(lower, tail); ok && head != "req" {
			word := apostrophes[tail]
			if word == "'s" && pronouns[head] {
				word = "is"
			}
			return []token{{text: run[:min(len(head), len(run))], word: head, class: classes[head], glued: glued}, {text: tail, word: word, class: classes[word], glued: true}}
		}
	}
	t := token{text: run, word: lower, class: classes[lower], glued: glued}
	if numberPattern.MatchString(run) {
		t.number = run
	}
	return []token{t}
}

var (
	contractions = map[string][2]string{"can't": {"can", "not"}, "cannot": {"can", "not"}, "won't": {"will", "not"}}
	apostrophes  = map[string]string{"'s": "'s", "'ll": "will", "'re": "are", "'d": "would", "'ve": "have"}
	pronouns     = setOf(`it that there what who this here`)
)

// numbersInWords makes one token of "twenty-four" and "three hundred".
func numbersInWords(in []token) []token {
	out := in[:0:0]
	for i := 0; i < len(in); {
		n, value := 0, 0
		if w := in[i].word; w != "" && strings.IndexByte("ztfsenhad", w[0]) >= 0 { // as numbers in words begin
			n, value = numberAt(in[i:])
		}
		if n == 0 {
			out = append(out, in[i])
			i++
			continue
		}
		out = append(out, token{text: itoa(value), word: in[i].word, number: itoa(value), glued: in[i].glued})
		i += n
	}
	return out
}

// numberAt is how many tokens are a number in words, and its value. "one" alone and "a" are none.
func numberAt(in []token) (n, value int) {
	sum, last := 0, 0
	for n < len(in) {
		word := in[n].word
		v, ok := wordNumber(word)
		switch {
		case word == "hundred" || word == "thousand":
			scale := map[string]int{"hundred": 100, "thousand": 1000}[word]
			last = max(last, 1) * scale
		case word == "a" && n == 0 && len(in) > 1 && (in[1].word == "hundred" || in[1].word == "thousand"):
			last = 1
		case ok && (n == 0 || last >= 20):
			sum, last = sum+last, v
		default:
			ok = false
			if n == 0 {
				return 0, 0
			}
			return n, sum + last
		}
		n++
	}
	return n, sum + last
}

// wordNumber is the value of one word, "twenty-four" too.
func wordNumber(word string) (int, bool) {
	if v, ok := cardinals[word]; ok {
		return v, true
	}
	tens, ones, ok := strings.Cut(word, "-")
	t, o := cardinals[tens], cardinals[ones]
	return t + o, ok && t >= 20 && o > 0 && o < 10
}

var cardinals = map[string]int{"zero": 0, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"dozen": 12, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
	"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
