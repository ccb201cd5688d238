package infer

// This file brings the many ways to write one argument ("int days", "days <int>", "days int default 4",
// "[days]", "Optional: days") into the one that readItem and bulletItem read, "days (int, default 4)".

import (
	"slices"
	"strings"
	"unicode"
)

const (
	itemName = "(`?[\\p{L}_][\\p{L}\\p{N}_.\\-]{0,79}?`?\\??)"
	// shortType is a word that is a type wherever it stands beside a name.
	shortType = `((?:string|str|text|integer|int|number|num|float|double|boolean|bool|date|datetime|uuid|url|object|dict|array|list)(?:\[\])?)`
)

var (
	flagFirst    = compile(`^[*_(\[]{0,3}(?i:(required|optional|mandatory))[*_)\]]{0,3}[:,]?\s+` + itemName + `(\s*(?:[:(=\-–—,].*)?)$`)
	typeThenName = compile(`^(?i:((?:string|str|integer|int|number|float|double|boolean|bool)(?:\[\])?))\s+` + itemName + `(\s*(?:[:(=\-–—].*)?)$`)
	nameThenType = compile(`^` + itemName + `\s+(?i:(str|integer|int|num|float|double|boolean|bool))((?:\s+(?i:opt(?:ional|\.)?|req(?:uired|\.)?))?(?:\s+(?i:default|def|dflt)\.?\s*[:=]?\s*[^\s,;()]+)?)(\s*(?:[(,;:=<>≥≤\-–—].*)?)$`)
	wrappedMeta  = compile(`^` + itemName + `\s*(?:<([^<>]{2,80})>|\[([^\[\]]{2,80})\]|\{([^{}]{2,80})\}|[*_](\([^()]{2,80}\))[*_])(.*)$`)
	nameInSquare = compile(`^\[([\p{L}_][\p{L}\p{N}_.\-]{0,79})\]$`)
	otherDash    = compile(`^` + itemName + `\s+(?:--|…|\.\.\.|=>|->|→)\s+(\S.*)$`)
)

// plainForm writes an item in the form that the readers know, or leaves it as it is.
func plainForm(item string) string {
	item = strings.TrimSpace(item)
	if len(item) > maxTypeText || strings.HasPrefix(item, "$") {
		return item
	}
	first, rest, _ := strings.Cut(item, " ")
	if strings.HasPrefix(item, "[") {
		if m := nameInSquare.FindStringSubmatch(item); m != nil {
			return m[1] + "?"
		}
	}
	if isFlagWord(first) {
		if m := flagFirst.FindStringSubmatch(item); m != nil && !strings.HasPrefix(m[3], "=") {
			return m[2] + " (" + m[1] + ") " + afterFlag(m[3])
		}
	}
	if strings.ContainsAny(item, "<[{*_") {
		if form, ok := unwrapped(item); ok {
			return form
		}
	}
	if typeName.MatchString(strings.TrimSuffix(first, "[]")) && rest != "" {
		if m := typeThenName.FindStringSubmatch(item); m != nil {
			return m[2] + " (" + m[1] + ")" + m[3]
		}
	}
	if second := nextWord(rest); typeName.MatchString(second) {
		if form, ok := typedName(item); ok {
			return form
		}
	}
	if strings.IndexAny(rest, "-….=→") == 0 {
		if m := otherDash.FindStringSubmatch(item); m != nil {
			return m[1] + " - " + m[2]
		}
	}
	return item
}

// nextWord is the first word of a text, letters only.
func nextWord(s string) string {
	if end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }); end >= 0 {
		return s[:end]
	}
	return s
}

// isFlagWord reports whether a word says, bold or in brackets, that an argument must be given or may be left out.
func isFlagWord(word string) bool {
	return slices.Contains(flagWordsOf, strings.ToLower(strings.Trim(word, "*_()[],:")))
}

// unwrapped reads "days <int>", "days [int] how many", "unit {C, F}".
func unwrapped(item string) (string, bool) {
	m := wrappedMeta.FindStringSubmatch(item)
	if m == nil {
		return "", false
	}
	inner := strings.Trim(m[2]+m[3]+m[4]+m[5], "()")
	if !isMeta(inner) {
		return "", false
	}
	if m[4] != "" && strings.Contains(inner, ",") {
		inner = "enum: " + inner
	}
	return m[1] + " (" + inner + ")" + withDash(m[6]), true
}

// typedName reads "days int", "days int optional default 4".
func typedName(item string) (string, bool) {
	m := nameThenType.FindStringSubmatch(item)
	if m == nil || strings.HasPrefix(strings.TrimSpace(m[4]), "=") {
		return "", false
	}
	meta := []string{m[2]}
	for _, word := range strings.Fields(m[3]) {
		if !slices.Contains(flagWordsOf, strings.ToLower(word)) {
			meta = append(meta, strings.TrimSpace(m[3][strings.Index(m[3], word):]))
			break
		}
		meta = append(meta, word)
	}
	return m[1] + " (" + strings.Join(meta, ", ") + ")" + withDash(m[4]), true
}

// afterFlag takes a comma for the colon that it stands for: "Optional n: integer, page size".
func afterFlag(rest string) string {
	rest = strings.TrimSpace(rest)
	if strings.HasPrefix(rest, ",") {
		return ": " + strings.TrimSpace(rest[1:])
	}
	return rest
}

// withDash puts a dash before words that follow a bracket without one.
func withDash(rest string) string {
	rest = strings.TrimSpace(rest)
	if rest == "" || strings.ContainsRune(":-–—(=,;", []rune(rest)[0]) {
		return rest
	}
	return " - " + rest
}

// unitSymbol is a unit where a bracket holds nothing else: "speed [km/h]".
var unitSymbol = compile(`^(?:%|°|°C|°F|deg|rad|[µmckM]?m[²³23]?|[mµn]?s|sec|min|h|d|[kMGT]?i?[bB]|bytes?|[mk]?g|t|[mk]?l|[mkM]?W|k?Wh|[mk]?V|m?A|[kM]?Hz|bar|h?Pa|px|pt|ppm|EUR|USD|GBP|€|\$|km/h|m/s|mph|kn|kB/s|MB/s|rpm|cents?)$`)

// isMeta reports whether the words in a bracket of whatever kind are a type, a flag or a list of values.
func isMeta(inner string) bool {
	for _, part := range splitTop(inner, ',') { // "m, float" begins with a unit
		if part = strings.TrimSpace(part); isTypeWords(part) || slices.Contains(flagWordsOf, strings.ToLower(part)) {
			return true
		}
	}
	_, _, isList := cutChoices(inner)
	return unitSymbol.MatchString(inner) || isList || pipedWords.MatchString(inner)
}

// flagWordsOf are the words that say whether an argument must be given.
var flagWordsOf = strings.Fields(`optional required opt opt. req req. mandatory needed obligatory compulsory`)

// addSpaced reads "city:string days:int" and "1) city 2) days (integer)".
func (d *docArgs) addSpaced(line string) bool {
	var pieces []string
	if cuts := enumerated.FindAllStringIndex(line, maxDocParams); len(cuts) > 1 && cuts[0][0] == 0 {
		for i, cut := range cuts {
			end := len(line)
			if i+1 < len(cuts) {
				end = cuts[i+1][0]
			}
			pieces = append(pieces, strings.Trim(line[cut[1]:end], " ,;"))
		}
	} else if words := strings.Fields(line); len(words) > 1 && !slices.ContainsFunc(words, func(w string) bool { return !colonType.MatchString(w) }) {
		pieces = words
	}
	return len(pieces) > 1 && d.addItems(pieces)
}

var (
	enumerated = compile(`(?:^|\s)\(?\d{1,2}[.)]\s+`)
	colonType  = compile(`^[\p{L}_][\p{L}\p{N}_.\-]*\??:(?i:` + shortType + `)\??[,;]?$`)
)

// addItems adds pieces that are arguments, all or none.
func (d *docArgs) addItems(pieces []string) bool {
	var items []docParam
	for _, piece := range pieces {
		p, ok := readItem(strings.TrimRight(piece, ",; "))
		if !ok || p.name == "" && p.index == 0 {
			return false
		}
		items = append(items, p)
	}
	d.params = append(d.params, items...)
	return true
}

// addSemicolons reads "q - what to look for; n - number of hits (default 10)", where every piece has a
// name set apart from its words.
func (d *docArgs) addSemicolons(line string) bool {
	pieces := splitTop(line, ';')
	if len(pieces) < 2 {
		return false
	}
	apart := false
	for i, piece := range pieces {
		piece = plainForm(piece)
		if !semicolonItem.MatchString(piece) || goesOnWord.MatchString(piece) {
			return false
		}
		lone := plainName.MatchString(piece)
		if lone && apart {
			return false // "unit: m or km; optional"
		}
		apart = apart || !lone && !strings.HasSuffix(piece, ")")
		pieces[i] = piece
	}
	return d.addItems(pieces)
}

var (
	semicolonItem = compile(`^(?:\$\d{1,2}\s*[=:]?\s*)?` + itemName + `\s*(?:$|\+$|\(|:|=|[-–—]\s)`)
	goesOnWord    = compile(`^(?i:optional|required|defaults?|if|otherwise|else|e\.g|i\.e|max(?:imum)?|min(?:imum)?|one of|values?|allowed|note|see)\b`)
)
