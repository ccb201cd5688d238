package infer

// This file reads the words of one item: the values, types and flags that stand among them, and what words tell
// only where it is known of which argument they are.

import (
	"encoding/json"
	"slices"
	"strings"
)

// readWords completes an item with what its words tell.
func (p *docParam) readWords() {
	stated := p.hasDefault
	p.readProse()
	if s, isText := p.value.(string); p.hasDefault && !stated && isText && p.afterPreposition(s) {
		p.value, p.hasDefault, p.optionalArg = nil, false, p.required == nil // "goes out at once if you don't set it"
	}
	if m := switchedBy.FindStringSubmatch(p.description); m != nil && !p.hasDefault && p.schema.text("type") == "boolean" {
		p.value, p.hasDefault = strings.EqualFold(m[1], "on") || strings.EqualFold(m[1], "enabled"), true
	}
	if _, whole := p.value.(json.Number); whole && p.fromProse && p.schema.text("type") == "number" && countsWhole(p.name) && fitsType(p.value, obj("type", "integer")) {
		p.schema = obj("type", "integer")
	}
}

// switchedBy is the default of what is on or off.
var switchedBy = compile(`(?i)(?:^|[\s,;(])(on|off|enabled|disabled) (?:by default|unless|if (?:not|left))`)

// isShown reports whether a default is a value without doubt: a number, a boolean, one of the values, or
// words in quotes.
func (p *docParam) isShown(v any) bool {
	s, isText := v.(string)
	if !isText || p.schema.has("enum") {
		return true
	}
	return slices.ContainsFunc([]string{`"`, "'", "`"}, func(quote string) bool { return strings.Contains(p.description, quote+s+quote) })
}

// afterPreposition reports whether the words have a bare word only as part of a phrase: "at once".
func (p *docParam) afterPreposition(word string) bool {
	at := mention(p.description, word)
	if p.isShown(word) || at < 0 {
		return false
	}
	before := strings.Fields(strings.ToLower(p.description[:at]))
	n := len(before)
	if n == 0 || !slices.Contains([]string{"at", "for", "in", "by", "from", "of", "on", "with", "within", "until"}, before[n-1]) {
		return false
	}
	return n < 2 || !strings.HasPrefix(before[n-2], "default")
}

// restOfValues is what may follow values: a default, a flag.
var restOfValues = compile(`(?i)^\s*[(,;]\s*(?:default|optional|required|if|when|unless)\b`)

// longForm writes the short words for a default out, and puts one behind its list: "LAT or MSL (LAT by
// dflt)".
func longForm(s string) string {
	if shortWords.MatchString(s) {
		s = shortWords.ReplaceAllString(s, "default ")
		s = strings.ReplaceAll(s, "default )", "default)")
		s = strings.Join(strings.Fields(s), " ")
	}
	if m := listDefault.FindStringSubmatch(s); m != nil {
		return m[1] + ", default " + m[2]
	}
	if m := meansDefault.FindStringSubmatch(s); m != nil {
		return m[1] + m[2] + m[3] + "; default " + m[2]
	}
	return s
}

// meansDefault is "0 = no cap = default".
var meansDefault = compile("(?i)^(.*?)([`\"']?[\\w.+\\-]+[`\"']?)( (?:=|means|is) [^,;=]{1,40}?)(?: = | \\(|, )(?:the |that is the )?default\\)?\\W*$")

// listedOr writes "a or b or c" as "a, b or c".
func listedOr(s string) string {
	m := repeatedOr.FindString(s)
	if m == "" {
		return s
	}
	return strings.Replace(s, " or ", ", ", strings.Count(m, " or ")-1)
}

// slashValues takes three words and more between slashes as the values, where none of them is a part of
// what the argument consists of.
func (p *docParam) slashValues(s string) bool {
	m := slashedWords.FindStringSubmatch(s)
	if m == nil || p.schema.len() > 0 && !slices.Equal(typesOf(p.schema), []string{"string"}) || openEnum.MatchString(s) {
		return false
	}
	words := choiceBreak.Split(m[1], -1)
	if slices.ContainsFunc(words, func(w string) bool { return notValue(w) || w != "other" && w != "none" && p.namesPart(w) }) {
		return false
	}
	if _, isType := parseWords(words[0]); isType {
		return false
	}
	p.addText(m[2])
	p.setProseEnum(strs(words))
	return true
}

// codeList is three codes and more in capitals, and nothing else.
var codeList = compile(`^[A-Z][A-Z0-9_]{0,11}(?:(?:, (?:or )?| or |\s?/\s?)[A-Z][A-Z0-9_]{0,11}){2,}\W*$`)

// codeValues takes a list of codes as the values, unless the name says that it is a code of some kind.
func (p *docParam) codeValues(s string) bool {
	if !codeList.MatchString(s) || p.schema.len() > 0 && !slices.Equal(typesOf(p.schema), []string{"string"}) {
		return false
	}
	words := nameWords(p.name)
	if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(freeNames, w) || slices.Contains(partNames, w) }) {
		return false
	}
	values := plainList(strings.ReplaceAll(strings.TrimRight(s, ". "), " or ", ", "))
	if slices.ContainsFunc(values, func(v any) bool { w, _ := v.(string); return notValue(w) }) {
		return false
	}
	p.setProseEnum(values)
	return true
}

// quotedList is values in quotes and nothing else.
var quotedList = compile(`^` + quotedValue + `(?:(?:\s*(?:,|\||/)\s*|\s+)(?:or\s+)?` + quotedValue + `)+\.?$`)

// loneType is a word that is a type where it stands by itself between commas.
var loneType = compile(`^(?i:an? )?(?i:string|str|int|integer|float|number|num|numeric|decimal|double|bool|boolean|whole number)s?$`)

// takeSegments takes what stands by itself among the words, between commas or dashes: "kB/s cap, int,
// optional". It leaves the other words.
func (p *docParam) takeSegments(s string) string {
	var rest []string
	segments := splitTop(strings.NewReplacer(";", ",", " - ", ", ", " – ", ", ", " — ", ", ", " | ", ", ", " · ", ", ").Replace(s), ',')
	typed := 0
	for _, part := range segments {
		if loneType.MatchString(strings.Trim(part, " .`")) {
			typed++
		}
	}
	taken := false
	for _, part := range segments {
		word := strings.Trim(part, " .`*_")
		lower := strings.ToLower(word)
		switch t, ok := parseWords(word); {
		case typed == 1 && ok && p.schema == nil && loneType.MatchString(word):
			p.setType(t)
		case len(segments) > 1 && strings.HasPrefix(lower, "opt") && slices.Contains(flagWordsOf, lower):
			p.optionalArg = true
		case len(segments) > 1 && slices.Contains(flagWordsOf, lower):
			p.required = new(true)
		default:
			rest = append(rest, strings.TrimSpace(part))
			continue
		}
		taken = true
	}
	if !taken {
		return s
	}
	return strings.Join(rest, ", ")
}
