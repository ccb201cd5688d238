package infer

// This file reads what a sentence says of one argument up to where the next one is spoken of: "base is a
// currency code and falls back to EUR; date can be left out". The words behind the verb are read as a
// description would be, in the forms that leave no doubt which argument they are about.

import (
	"slices"
	"strings"
)

var (
	// speaksOf is what follows a name that its sentence says something of.
	speaksOf = compile("^[`\"*>]{0,3}(?:\\s*[(=:]|,? (?:which|that) |,? being |\\s+(?:is|are|was|will|may|can|could|must|should|has|have|defaults?|falls|tells?|says|gives|sets|takes|accepts|holds|means|names|limits|caps|restricts|filters|selects|decides|determines|controls|specifies|indicates|optional|required)\\b)")
	// aboutIt leads the words of a clause, off which the verb is taken.
	aboutIt    = compile("(?i)^[`\"*>]{0,3}\\s*(?:,? (?:which|that) |,? being |[,:–—-]\\s)?\\s*(?:(?:is|are|must be|must|can be|may be|may|can|has to be|should be|should|will be|tells|says|gives|sets|takes|accepts|holds|means|names|decides|determines|controls|specifies|indicates|limits|caps|restricts|filters|selects)\\b)?\\s*(.*)$")
	whetherIs  = compile(`(?i)^\W*(?:tells |says |decides |determines |controls |specifies |indicates |a flag (?:for|that says) )*(?:whether\b|(?:a )?(?:true/false|boolean)\b)`)
	notBoolean = compile(`(?i)\b(?:yes|no|on|off|0|1|y|n)\b[^.;]{0,6}\b(?:or|/)`)
	unixTime   = compile(`(?i)\b(?:unix|epoch)(?: time)?(?:[- ]?(?:stamp|timestamp|seconds|millis(?:econds)?))?\b|\b(?:milli)?seconds since (?:the )?(?:epoch|1970)`)
)

// uptoOthers cuts what follows a name where another argument is spoken of.
func uptoOthers(rest string, others []string) string {
	end := len(rest)
	for _, name := range others {
		for from := 0; from < end; {
			at := mention(rest[from:end], name)
			if at < 0 {
				break
			}
			at += from
			end = at
			from = at + len(name)
		}
	}
	return strings.TrimRight(rest[:end], " ,`\"(")
}

// readClause reads the words behind a name that the sentence speaks of.
func (p *docParam) readClause(rest string, leads bool) {
	if !leads && !speaksOf.MatchString(rest) && !strings.HasPrefix(strings.TrimLeft(rest, "`\"*>"), ", ") {
		return
	}
	m := aboutIt.FindStringSubmatch(rest)
	if m == nil {
		return
	}
	words, lower := m[1], strings.ToLower(rest)
	if p.schema == nil {
		p.schema = whetherKind(rest, words)
	}
	if !p.hasDefault && defaultWordsOf.in(lower) {
		p.clauseDefault(rest, lower)
	}
}

var defaultWordsOf = anyOf(append([]string{"used", "assum", "fall", "else", "ten"}, leaveWords.pieces...)...)

// clauseDefault reads the forms of a default that can only be of what the clause is about.
func (p *docParam) clauseDefault(rest, lower string) {
	if v, ok := proseDefault(rest, p.schema); ok {
		p.value, p.hasDefault = v, true
		return
	}
	for _, form := range missingForms() {
		if p.hasDefault || form == elseValue && (strings.Contains(lower, "true if") || strings.Contains(lower, "false if")) {
			continue
		}
		if m := form.FindStringSubmatch(rest); m != nil {
			p.takeDefault(m[1] + strings.Join(m[2:], ""))
		}
	}
}

// whetherKind is boolean for what tells whether something holds, whole for a Unix time.
func whetherKind(rest, words string) *object {
	lower := strings.ToLower(rest)
	switch {
	case strings.Contains(lower, "whether") && whetherIs.MatchString(rest) && !notBoolean.MatchString(rest):
		return obj("type", "boolean")
	case epochWords.in(rest) && unixTime.MatchString(words) && !strings.Contains(lower, "iso"):
		return obj("type", "integer")
	}
	return nil
}

// missingForms find the value that holds where none is given.
func missingForms() []*pattern {
	return []*pattern{missingThen, valueUsed, elseValue}
}

const usedThen = `(?: (?:is|are|will be|gets) (?:used|assumed|taken|applied|returned|shown|chosen|meant|the default|sent|read|listed))?`

var (
	missingThen = compile(`(?i)(?:^|[\s(,;:.])` + notSaid + `,? (?:then )?(?:(?:it|this|that) (?:is|defaults to|becomes|will be) |we use |uses? |defaults? to |assumes |the \p{L}+ (?:is|are) )?` + aValue + usedThen + `\s*(?:$|[.,;)])`)
	valueUsed   = compile(`(?i)(?:^|[(,;:.]\s*|\bthen )` + aValue + ` (?:is|are|will be) (?:used|assumed|taken|applied)(?:\W*$|\s+(?:` + notSaid + `|by default|then|instead|otherwise))`)
	elseValue   = compile(`(?i)(?:[,;(–—-]|\band)\s*(?:else|otherwise|or else)\s+` + aValue + `\W*$|(?:[,;(]|\band is|\band)\s*` + aValue + ` otherwise\W*$`)
)

// defaultBefore finds the default in the words around a name: "the default for k is 50", "without k, 50 are
// returned".
func (p *docParam) defaultBefore(before, rest string) {
	lower := strings.ToLower(before[max(0, len(before)-60):])
	switch {
	case strings.Contains(lower, "default"):
		if defaultOfName.MatchString(before) {
			if m := isThatValue.FindStringSubmatch(rest); m != nil {
				p.takeDefault(m[1])
			}
		}
	case strings.Contains(lower, "without"):
		if m := withoutThen.FindStringSubmatch(rest); m != nil && withoutName.MatchString(before) {
			p.takeDefault(m[1])
		}
	case whenWords.in(lower):
		if ifBefore.MatchString(before) {
			if m := absentThen.FindStringSubmatch(rest); m != nil {
				p.takeDefault(m[1])
			}
		}
	case strings.Contains(lower, "leave ") || strings.Contains(lower, "omit "):
		if m := leaveFor.FindStringSubmatch(rest); m != nil && leaveName.MatchString(before) {
			p.optionalArg = true
			if m[1] != "" {
				p.takeDefault(m[1])
			}
		}
	}
}

var (
	defaultOfName = compile("(?i)\\bdefault(?: value)?(?: for| of)?(?: the)? [`\"*]*$")
	isThatValue   = compile(`(?i)^\W{0,3}\s*(?:is|=|:)\s*` + aValue + `\s*(?:$|[.,;)])`)
	withoutThen   = compile(`(?i)^\W{0,3},? ` + aValue + `(?: \p{L}+)? (?:is|are) (?:used|returned|shown|taken|assumed|listed|read|sent)\b`)
	absentThen    = compile(`(?i)^\W{0,3}\s*(?:is|are) (?:` + leftOut + `|not (?:given|set|named|said|specified|provided|passed|supplied)),? (?:then )?(?:(?:it|this) (?:is|defaults to|becomes) |we use |the \p{L}+ (?:is|are) )?` + aValue + usedThen + `\s*(?:$|[.,;)])`)
	leaveName     = compile("(?i)\\b(?:leave|omit)(?: the)? [`\"*]*$")
	leaveFor      = compile(`(?i)^\W{0,3}\s*(?:out |empty |blank |off )?(?:for|to get|to use|and get)\b(?:\s+` + aValue + `\s*(?:$|[.,;)]))?`)
)

var (
	epochWords = anyOf("unix", "epoch", "since 1970")
	whenWords  = anyOf("if ", "when ", "where ")
)

// others are the names of the other arguments that sentences may speak of.
func others(all []*docParam, names map[*docParam][]string, self *docParam) []string {
	var out []string
	for _, d := range all {
		if d == self {
			continue
		}
		for _, n := range names[d] {
			if !slices.Contains(names[self], n) && !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	return out
}
