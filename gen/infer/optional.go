package infer

// This file finds that an argument may be left out, and what holds then.

import (
	"slices"
	"strings"
)

const (
	leftOut = `(?:omitted|left out|left empty|left off|left blank|skipped|missing|absent|empty|blank|unset|unspecified|unsupplied|dropped)`
	notSaid = `(?:(?:if|when|where) (?:it is |it's |they are )?(?:` + leftOut + `|none|not (?:given|set|said|specified|provided|passed|stated|supplied|present|sent)|none is given|nothing is (?:given|said)|you say nothing|you leave it out)|` +
		`(?:if|when|where) (?:none|nothing|no one|neither) (?:is )?(?:given|set|said|named|passed|stated|specified)|if you (?:name|give|pass|set) none|` +
		`unless (?:it is |you |otherwise )?(?:given|set|told(?: otherwise)?|said(?: otherwise)?|stated|specified|otherwise|you say|say otherwise|say so|changed|named)|unless you (?:say|ask|give|name|want|choose|pass|set)\b|if you (?:don't|do not) (?:say|give|name|set|choose))`
	aValue = `(` + "`[^`]{1,60}`" + `|"[^"]{1,60}"|'[^']{1,60}'|-?\d+(?:\.\d+)?|[\p{L}][\p{L}\p{N}_\-]{0,40})`
)

var (
	mayOmit = compile(`(?i)\b(?:may|can|could) (?:also )?be ` + leftOut + `\b|\b(?:darf|kann|können|dürfen) fehlen\b|\bleave (?:it |this |them )?(?:empty|blank)\b|\bleave (?:it|this|them) out\b|\bnot (?:required|mandatory|obligatory|compulsory|necessary)\b|\b(?:can|may) (?:skip|omit|leave out|drop) (?:it|this|them)\b|\bonly (?:needed|required|necessary) (?:for|if|when|with|by|where)\b|\bneed not be (?:given|set)\b|\b` + notSaid + `\b`)
	// optionalSaid is "optional" where it says so of an argument, not "optional fields".
	optionalSaid = compile(`(?i)^\W*(?:an? )?optional(?:ly)?\b|[(\[,;:.–—-]\s*optional(?:ly)?\s*(?:$|[)\],;:.–—-])|\b(?:is|are|both|all) optional\b|\b(?:facultati[fv]\w*|optionnel\w*|opcional|wahlfrei|en option)\b|可选|未指定|默认|необязательн`)
	// withoutIt says what happens where there is none.
	withoutIt = compile(`(?i)\bwithout (?:it|one|them)\b|^\W*if any\b|[,;(] ?if any\b`)
	// defaulted says that there is a default, also one that is no value: "defaults to the caller's".
	defaulted = compile(`(?i)\bdefault(?:s|ing)? to\b|^\W*defaults?\b|[,;(.]\s*(?:the )?default(?:s|s? (?:is|are|of|to)\b|(?: \S+)?\s*(?:$|[,;.)=:]))|[\[(]default\b|\bpar défaut\b|\bby default\s*(?:$|[.,;)])`)

	valueByDefault = compile(`(?i)(?:^|[\s(,;:])` + aValue + `(?: \p{L}+)?,? (?:by default|par défaut|as (?:the )?default|if (?:that )?is not given)\b`)
	valueNotSaid   = compile(`(?i)(?:^|[\s(,;:])` + aValue + `,? ` + notSaid + `(?:$|[\s.,;)])`)
	valueOtherwise = compile(`(?i)(?:^|[\s(,;:])(-?\d+(?:\.\d+)?) otherwise\W*$`)
	unitNotSaid    = compile(`(?i)(?:^|[\s(,;:])(-?\d+(?:\.\d+)?|one|two|three|four|five|six|seven|eight|nine|ten) \p{L}+,? ` + notSaid)
	thenValue      = compile(`(?i)\b(?:may|can) be ` + leftOut + `\b[^.;]{0,10}\b(?:it is|it's|which is|means|gives|meaning)\s+` + aValue + `(?:$| then\b|[.,;)])`)
	// defaultInBrackets is `defaults to the current directory (".")`.
	defaultInBrackets = compile("(?i)\\bdefaults? to [^.;()]{1,60} \\((`[^`]{1,60}`|\"[^\"]{1,60}\"|'[^']{1,60}')\\)")
	emptyDefault      = compile(`(?i)\bdefaults? (?:is|to) (?:an? )?empty string\b`)
	markedDefault     = compile("(?i)(?:^|[\\s(,;:])(`[^`]{1,60}`|\"[^\"]{1,60}\"|[\\p{L}\\p{N}_\\-]{1,40}) \\((?:the )?(?:default|usual)\\)")
)

// saysOptional reports whether the words about one argument say that it may be left out.
func saysOptional(text string) bool {
	if !leaveWords.in(strings.ToLower(text)) {
		return false
	}
	return optionalSaid.MatchString(text) && !notOptional.MatchString(text) || mayOmit.MatchString(text) || withoutIt.MatchString(text) || defaulted.MatchString(text) && !defaultUnit.MatchString(text)
}

// leaveWords are what words about leaving something out have at least one of.
var leaveWords = anyOf(strings.Fields(`option omit left leave skip miss absent empty blank unset drop default défaut unless without any if when where required
	need skip only mandatory obligatory compulsory necessary assum fall fehlen facult opcional wahlfrei 可选 未指定 默认 необязательн`)...)

// defaultUnit is "default to be celsius", which tells of a unit.
var defaultUnit = compile(`(?i)\bdefaults? to be\b`)

var notOptional = compile(`(?i)\b(?:not|never|no longer) optional\b`)

// otherDefault finds a default in the forms that do not say "default" before the value.
func otherDefault(text string) (any, bool) {
	if !leaveWords.in(strings.ToLower(text)) && !elseWords.in(text) {
		return nil, false
	}
	if emptyDefault.MatchString(text) {
		return "", true
	}
	forms := append([]*pattern{defaultInBrackets, valueByDefault, valueOtherwise, unitNotSaid, valueNotSaid, thenValue, markedDefault}, missingForms()...)
	lower := strings.ToLower(text)
	for _, form := range forms {
		if form == elseValue && (strings.Contains(lower, "true if") || strings.Contains(lower, "false if")) {
			continue // "true if it is open, false otherwise" says no default
		}
		m := form.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		word := m[1]
		if len(m) > 2 && word == "" {
			word = m[2]
		}
		if n, ok := numberWords[strings.ToLower(word)]; ok {
			word = n
		}
		v, ok := literal(word)
		if s, isWord := v.(string); ok && isWord && s == word && (slices.Contains(noValues, strings.ToLower(s)) || slices.Contains(emptyWords, strings.ToLower(s)) || doneItself(s)) {
			continue
		}
		return v, ok
	}
	return nil, false
}

// elseWords are of the same kind.
var elseWords = anyOf("usual", "otherwise", "else", "assum", "fall", "used", "def")

// emptyWords stand where a value would and are none.
var emptyWords = strings.Fields(`it is are be given everything nothing everybody everyone anyone both then that this and or optional only used they which so
	them there ignored sorted sent returned left out off on in at to by if when unless because today tomorrow yesterday null not text words way
	otherwise unlimited omitted anything something usual usually else set one-line required string integer number boolean true-ish`)
