package infer

// This file reads what sentences say of an argument by its option: "-n tells how many copies stay, five
// if you do not give it", "leave -t away", "without --kind you get ebb".

import (
	"slices"
	"strings"
)

var (
	optionNoun  = compile("^[`\"*>]*(?:[\\s=]+(?:<[\\w\\-]+>|[A-Z][A-Z0-9_\\-]*)[`\"*]*)?(?:\\s+(?i:option|flag|switch|parameter|argument)\\b)?")
	leavesAway  = compile("(?i)\\b(?:leave|omit|drop|skip|leaving|omitting|dropping|skipping)(?: out| away| off)? (?:the )?[`\"*]*$")
	withoutFlag = compile("(?i)\\bwithout (?:the |an? |any )?[`\"*]*$")
	thenGets    = compile(`(?i)^\W{0,3},?\s*(?:(?:you(?:'ll| will)? get|you have|it is|it's|that is|that means|it means|it (?:uses|takes)|(?:the )?\p{L}+ is|means|gives|uses|is)\s+` + aValue + `|` + aValue + ` (?:is|are) (?:used|taken|assumed|meant|the default))\W*$`)
)

// bracketedFlags are what a synopsis shows without a value: "[--no-mail]", "[-v|--verbose]".
var bracketedFlags = compile(`\[(--?[A-Za-z0-9][\w\-]*(?:\s?[|,/]\s?--?[A-Za-z0-9][\w\-]*)*)\]`)

// forgetSwitches takes the names of switches from the slots behind them: in "add --no-mail $1" the slot is
// an operand where the synopsis has "[--no-mail]".
func (b *builder) forgetSwitches() {
	if !b.shape.argv || len(b.shape.slots) == 0 {
		return
	}
	var switches []string
	for _, p := range b.passages() {
		for _, m := range bracketedFlags.FindAllStringSubmatch(p.text(), maxOptions) {
			switches = append(switches, flagBreak.Split(m[1], -1)...)
		}
	}
	for _, f := range b.shape.slots {
		for i, s := range f.slots {
			if slices.ContainsFunc(switches, func(w string) bool {
				return strings.TrimLeft(w, "-") == s.Hint && slices.Contains(b.shape.words, w)
			}) {
				f.slots[i].Hint = ""
			}
		}
	}
}

// setAside takes sentences out of those that may be of any argument.
func (b *builder) setAside(read map[string]bool) {
	var kept []sentence
	for _, s := range b.told {
		if read[s.text] {
			b.aside = append(b.aside, s)
		} else {
			kept = append(kept, s)
		}
	}
	b.told = append([]sentence{}, kept...)
}

// heedOptions completes the arguments that have an option with what sentences say of it. It returns the
// sentences that begin with an option: they are of no other argument.
func (b *builder) heedOptions(params []docParam) map[string]bool {
	read := map[string]bool{}
	for i := range params {
		if d := &params[i]; d.flag != "" {
			for _, dashes := range []string{"--", "-"} {
				b.heedOption(d, dashes+d.flag, read)
			}
		}
	}
	return read
}

func (b *builder) heedOption(d *docParam, token string, read map[string]bool) {
	for _, s := range slices.Concat(b.sentences(), b.aside) {
		if isUsage(s.text) || b.isProgram(strings.SplitN(s.text, " ", 2)[0]) {
			continue
		}
		for from := 0; ; {
			at := strings.Index(s.text[from:], token)
			if at < 0 {
				break
			}
			at += from
			from = at + len(token)
			if !ownWord(s.text, at, from) {
				continue
			}
			if len(strings.Fields(s.text[:at])) < 3 && !strings.ContainsAny(s.text, ";") {
				read[s.text] = true
			}
			rest := optionNoun.ReplaceAllString(upToOption(s.text[from:]), "")
			if d.word != "" {
				rest = strings.ReplaceAll(rest, " "+d.word+" ", " it ")
			}
			d.readOption(s, s.text[:at], rest, token)
		}
	}
}

// isUsage reports whether a sentence is a synopsis: it speaks of nothing.
func isUsage(text string) bool {
	return strings.Contains(text, "[-") || usageWord.MatchString(text)
}

// ownWord reports whether a stretch of a text is a word of its own: no part of another option.
func ownWord(text string, from, to int) bool {
	before, after := " ", " "
	if from > 0 {
		before = text[from-1 : from]
	}
	if to < len(text) {
		after = text[to : to+1]
	}
	return strings.ContainsAny(before, " (`\"'*,;") && strings.ContainsAny(after, " )`\"'*,;.:=!?")
}

// nextOption is where a sentence goes on to another option.
var nextOption = compile("[,;.]?\\s(?:(?:and|but|with|without|the|while|,)\\s)*[`\"]?--?[A-Za-z]")

func upToOption(rest string) string {
	if at := nextOption.FindStringIndex(rest); at != nil {
		return rest[:at[0]]
	}
	return rest
}

// readOption reads the words before and behind an option.
func (p *docParam) readOption(s sentence, before, rest, token string) {
	p.readRemark(s, before, rest, token)
	p.readPredicate(s, before, outsideParens(rest))
	q := docParam{name: p.name}
	if withoutFlag.MatchString(before) {
		q.optionalArg = true
		if m := thenGets.FindStringSubmatch(rest); m != nil {
			q.takeDefault(m[1] + m[2])
		}
	} else if leavesAway.MatchString(before) {
		q.optionalArg = true
	} else if m := aboutIt.FindStringSubmatch(rest); m != nil && speaksOf.MatchString(rest) {
		q.description = clean(strings.TrimRight(m[1], ". "))
		q.readProse()
	}
	p.adopt(q, s)
}
