package infer

// This file finds lists of values in the words of a sentence: "can be X, Y or Z", "heat|cool|off", "there are
// four of them: a, b, c, d". It takes only lists that are said to be whole: examples are no enumeration.

import (
	"slices"
	"strings"
)

// valueList is a list of single values.
type valueList struct {
	from, to int
	values   []string
	usual    string // the one that is said to be the default, in brackets behind it
	plain    bool   // bare words in brackets, which may as well tell what the argument consists of
	others   bool   // the values besides one that is known
}

// listsIn finds the lists in tokens. mentioned tells where an argument is named: such a word is a value only
// in a list of which nothing else is named.
func listsIn(toks []token, mentioned func(int) int) []valueList {
	var out []valueList
	for i := 0; i < len(toks); i++ {
		if list, ok := listAt(toks, i, mentioned); ok {
			out = append(out, list)
			i = list.to - 1
		}
	}
	return out
}

func listAt(toks []token, at int, mentioned func(int) int) (valueList, bool) {
	list := valueList{from: at}
	counts := map[string]int{}
	quoted, named := 0, 0
	i := at
	for i < len(toks) && isItem(toks[i]) {
		list.values = append(list.values, toks[i].text)
		if toks[i].quoted {
			quoted++
		}
		if mentioned(i) > 0 {
			named++
		}
		i++
		list.to = i
		after := i
		if end := closing(toks, i); end > 0 { // "relevance (that's the default) or date"
			list.usual = usualIn(toks[i+1:end-1], list)
			after = end
		}
		next, sep := separator(toks, after)
		if sep == "" || next < len(toks) && !isItem(toks[next]) {
			if list.usual == list.values[len(list.values)-1] && after > i {
				list.to = after
			}
			break
		}
		if counts["/"]+counts["|"] > 0 && counts[sep] == 0 {
			break
		}
		if sep == "," && counts["or"]+counts["and"] > 0 || sep == "and" && counts["or"] > 0 {
			break
		}
		counts[sep]++
		i = next
	}
	n := len(list.values)
	switch {
	case n < 2 || named > 1 || named > 0 && counts["|"] > 0 || !closes(toks, list, quoted == n), hedgedAt(toks, at):
		return list, false
	case counts["or"] > 0, counts["|"] == n-1, counts["/"] == n-1 && n == counts["/"]+1:
	case counts["and"] > 0 || counts[","] > 1 || quoted == n:
		if quoted < n && !countedLead(toks, at) {
			return list, false
		}
	default:
		return list, false
	}
	if !ledBy(toks, list, quoted == n, mentioned, counts) {
		return list, false
	}
	if at > 2 && toks[at-1].is("BE") && (toks[at-2].is("UNLESS") || toks[at-3].is("UNLESS")) {
		return list, false
	}
	for i := max(0, at-4); i < at; i++ {
		list.others = list.others || toks[i].is("other") || toks[i].is("others")
	}
	list.plain = at > 0 && toks[at-1].is("(") && quoted < n && counts["|"] == 0
	picked := at > 0 && toks[at-1].isAny([]string{"pick", "choose", "select"})
	sure := picked || quoted == n || list.usual != "" || counts["|"] == n-1
	return list, !slices.ContainsFunc(list.values, func(v string) bool { return !sure && !isValueWord(v) })
}

func isItem(t token) bool {
	return t.quoted || t.word != "" && typeNouns[t.word] == "" && t.number == "" && (len(t.class) == 0 || len(t.text) == 1 && t.text != t.word) || t.word == "no" || t.word == "never" || t.word == "off" || t.word == "none" || t.word == "standard" || t.word == "default"
}

// isValueWord reports whether a bare word may be a value.
func isValueWord(v string) bool {
	return isChoice(v) || v == "other" || v == "none" || v == "true" || v == "false"
}

// closing is behind the bracket that closes the one at a token, 0 where there is none.
func closing(toks []token, at int) int {
	if at >= len(toks) || !toks[at].is("(") {
		return 0
	}
	for i := at + 1; i < len(toks); i++ {
		if toks[i].is(")") {
			return i + 1
		}
	}
	return 0
}

// separator takes "," "or" ", or" "|" "/" "and".
func separator(toks []token, at int) (int, string) {
	if at >= len(toks) {
		return at, ""
	}
	sep := toks[at].text
	switch {
	case toks[at].is(","):
		if at+1 < len(toks) && (toks[at+1].is("or") || toks[at+1].is("and")) {
			return at + 2, toks[at+1].word
		}
		return at + 1, ","
	case toks[at].is("or"), toks[at].is("and"):
		return at + 1, toks[at].word
	case toks[at].is("|"), toks[at].is("/"):
		return at + 1, sep
	}
	return at, ""
}

// closes reports whether a list ends where its last item does.
func closes(toks []token, list valueList, quoted bool) bool {
	if list.to >= len(toks) {
		return true
	}
	next := toks[list.to]
	switch {
	case next.is(".") && list.to+2 < len(toks) && toks[list.to+1].is("."), next.is("etc"), next.is("…"):
		return false
	case next.is(","):
		return list.to+1 >= len(toks) || !toks[list.to+1].isAny(openListWords)
	case next.is("or"), next.is("and"):
		return list.to+1 < len(toks) && !toks[list.to+1].isAny(openListWords) && !toks[list.to+1].is("THE")
	}
	return quoted || next.mark() && !next.isAny([]string{"/", "=", ":"}) || next.isAny(afterList)
}

var (
	openListWords = []string{"etc", "other", "others", "similar", "so", "more", "...", "anything", "something", "whatever", "GIVE"}
	afterList     = []string{"ones", "by", "IF", "UNLESS", "but", "with", "for", "as", "STD", "otherwise", "in", "only", "OPT", "REQ", "being", "WITHOUT", "which", "LEAVE", "GONE", "(", "BE"}
)

// hedgedAt reports whether the words before a list make it examples.
func hedgedAt(toks []token, at int) bool {
	for i := max(0, at-2); i < at; i++ {
		if toks[i].is("LIKE") || toks[i].is("such") {
			return true
		}
	}
	return at > 0 && toks[at-1].isAny([]string{"NOT", "NO", "by", "in", "with", "about", "and", "or"}) && !(toks[at-1].is("with") && at > 1 && toks[at-2].isAny([]string{"work", "works", "deal"}))
}

// countedLead reports whether words that count or have stand right before a list with "and".
func countedLead(toks []token, at int) bool {
	return at > 0 && (toks[at-1].isAny([]string{":", "(", "FIELD", "have", "with", "know", "knows", "among", "between", "following", "support", "supports", "offer", "exist"}) || toks[at-1].word == "are" || toks[at-1].is("of") && at > 1 && toks[at-2].isAny([]string{"one", "any", "either"}))
}

// ledBy reports whether what stands before a list says that it is one of values.
func ledBy(toks []token, list valueList, quoted bool, mentioned func(int) int, counts map[string]int) bool {
	at := list.from
	if at == 0 {
		return list.to == len(toks) || counts["|"] > 0 || quoted && counts["or"] > 0
	}
	before := toks[at-1]
	switch {
	case before.isAny([]string{"[", "|", "/", "or", "and"}):
		return false
	case before.isAny(listLeads):
		return true
	case before.is(":"):
		return quoted || at > 1 && (mentioned(at-2) > 0 || spannedBy(mentioned, at-1) || toks[at-2].isAny(colonLeads))
	case before.isAny([]string{"(", "=", "-", "–", "—"}):
		return true
	case quoted:
		return before.is(",") || before.word != ""
	case mentioned(at-1) > 0, spannedBy(mentioned, at):
		return counts["|"]+counts["/"] > 0 || len(list.values) > 2 || begins(toks, at-1)
	case before.is(","):
		return mentioned(at-2) > 0 && begins(toks, at-2)
	}
	return counts["|"] > 0
}

// begins reports whether a name begins its clause.
func begins(toks []token, at int) bool {
	if at > 0 && toks[at-1].is("THE") {
		at--
	}
	return at == 0 || toks[at-1].mark() || toks[at-1].is("and")
}

// spannedBy reports whether the name of an argument of several words ends before a token.
func spannedBy(mentioned func(int) int, at int) bool {
	for back := 2; back <= 4 && at-back >= 0; back++ {
		if mentioned(at-back) == back {
			return true
		}
	}
	return false
}

var listLeads = []string{"pick", "choose", "select", "BE", "FIELD", "either", "among", "between", "of", "from", "know", "knows", "have", "has", "with", "take", "takes", "accept", "accepts", "allow", "allows", "say", "says", "i.e",
	"following", "support", "supports", "MAY", "to", "exist"}

// colonLeads are words before a colon that values follow.
var colonLeads = append([]string{"IT", "FIELD", "BE", "following", "of", "either", "one", "as"}, strings.Fields("kinds types modes states levels choices possibilities forms formats names words")...)

// usualIn is the value that words in brackets behind a list make its default: the one they name, else the last.
func usualIn(toks []token, list valueList) string {
	cues := findCues(toks, 0, len(toks), func(int) int { return 0 })
	if !slices.ContainsFunc(cues, func(f found) bool { return f.gives == standard || f.gives == absent }) {
		return list.usual
	}
	for _, t := range toks {
		if slices.Contains(list.values, t.text) {
			return t.text
		}
		if t.number != "" || t.quoted {
			return list.usual
		}
	}
	return list.values[len(list.values)-1]
}
