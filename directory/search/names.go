package search

// This file finds operations by name or key, and the words nearest to misspelt ones.

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode"

	"codemode/directory/contract"
)

// Lifts are over any score by words, each kind over the next.
const (
	liftName   = 1e6
	liftKey    = 1e5
	liftMethod = 5e4
	liftSlip   = 1e4 // divided by the slips
	liftPrefix = 2e3

	minPrefix = 3 // letters
)

// names are the operations by what they are called, in lower case.
type names struct {
	name   map[string]int
	key    map[string][]int // the operations of a target map share their row's
	method map[string][]int
	full   []spelling // by document
	last   []spelling // the method alone
}

// spelling is a lower-case name with the letters it has.
type spelling struct {
	text    string
	letters uint64
}

func newNames(contracts []contract.Contract) names {
	n := names{name: map[string]int{}, key: map[string][]int{}, method: map[string][]int{}}
	for i, c := range contracts {
		full, key := strings.ToLower(c.Name), strings.ToLower(c.Key)
		_, method, _ := strings.Cut(full, ".")
		n.name[full] = i
		n.key[key] = append(n.key[key], i)
		n.method[method] = append(n.method[method], i)
		n.full = append(n.full, spell(full))
		n.last = append(n.last, spell(method))
	}
	return n
}

// lift says which operations the query calls by name. A query of one word may be a method's name
// alone, misspelt, or the beginning of a name; in a longer one a name has to be whole.
func (n names) lift(query string) map[int]float32 {
	out := map[int]float32{}
	set := func(by float32, docs ...int) {
		for _, doc := range docs {
			out[doc] = max(out[doc], by)
		}
	}
	tokens := strings.Fields(query)
	if whole := strings.ToLower(strings.Join(tokens, " ")); len(n.key[whole]) > 0 {
		set(liftKey, n.key[whole]...)
	}
	for _, token := range tokens {
		token = strings.TrimPrefix(strings.TrimFunc(token, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }), "tools.")
		lower := strings.ToLower(token)
		if doc, ok := n.name[lower]; ok {
			set(liftName, doc)
		}
		if len(tokens) == 1 || looksLikeName(token) {
			set(liftKey, n.key[lower]...)
			set(liftMethod, n.method[lower]...)
		}
	}
	if len(tokens) == 1 && len(out) == 0 {
		n.nearly(spell(strings.ToLower(tokens[0])), set)
	}
	return out
}

// looksLikeName reports what people do not write in a sentence: listContacts, CRM_LIST.
func looksLikeName(token string) bool {
	inner := strings.IndexFunc(token, unicode.IsLower)
	return strings.Contains(token, "_") || inner >= 0 && strings.ContainsFunc(token[inner:], unicode.IsUpper)
}

func (n names) nearly(q spelling, set func(float32, ...int)) {
	for doc := range n.full {
		slips := min(q.slips(n.full[doc]), q.slips(n.last[doc]))
		switch {
		case slips <= maxSlips:
			set(liftSlip/float32(slips), doc)
		case len(q.text) >= minPrefix && strings.HasPrefix(n.full[doc].text, q.text):
			set(liftPrefix, doc)
		}
	}
}

const (
	minSlip  = 5 // a word shorter than this is another word when it differs
	maxSlips = 2
	sureSlip = 9 // from this length on two slips are one too many for chance
)

func spell(text string) spelling {
	s := spelling{text: text}
	for i := range len(text) {
		s.letters |= 1 << (text[i] & 63)
	}
	return s
}

// slips counts the slips of the keyboard between two spellings; more than maxSlips where they are too
// many for the length. A slip changes at most two of the letters that a word has, which rules most
// words out unread.
func (s spelling) slips(other spelling) int {
	allowed := 1
	if len(s.text) >= sureSlip {
		allowed = maxSlips
	}
	apart := len(s.text) - len(other.text)
	if len(s.text) < minSlip || apart > allowed || -apart > allowed || bits.OnesCount64(s.letters^other.letters) > 2*allowed {
		return maxSlips + 1
	}
	if d := contract.EditDistance(s.text, other.text); d <= allowed {
		return max(d, 1)
	}
	return maxSlips + 1
}

// vocabulary is the stems of a directory, the most frequent first.
type vocabulary struct {
	stems []spelling
	known map[string]bool
}

// learn keeps the stems that were met while the documents were read.
func (a *analyzer) learn(memo map[string]string, p postings) {
	a.known.known = map[string]bool{}
	frequency := map[string]int{}
	for _, stem := range memo {
		if stem != "" && !a.known.known[stem] {
			a.known.known[stem] = true
			frequency[stem] = len(p.of(fnvOffset.join(stem)))
			a.known.stems = append(a.known.stems, spell(stem))
		}
	}
	slices.SortFunc(a.known.stems, func(x, y spelling) int {
		return cmp.Or(cmp.Compare(frequency[y.text], frequency[x.text]), strings.Compare(x.text, y.text))
	})
}

// nearest returns the most frequent stem that is one slip away from an unknown one, or that itself.
// Words with digits are values, and are left alone.
func (v vocabulary) nearest(stem string) string {
	if strings.ContainsFunc(stem, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return stem
	}
	q := spell(stem)
	for _, s := range v.stems {
		if s.text[0] == stem[0] && q.slips(s) == 1 {
			return s.text
		}
	}
	return stem
}
