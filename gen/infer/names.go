package infer

// This file makes names and plain text of words.

import (
	"strings"
	"unicode"
)

func leading(s string) int {
	return len(s) - len(strings.TrimLeftFunc(s, unicode.IsSpace))
}

// identifier makes a parameter's name of a word from the surroundings: "X-Api-Version" and "max
// count" become xApiVersion and maxCount; what is an identifier already stays.
func identifier(s string) string {
	if plainIdentifier(s) || identifierPattern.MatchString(s) {
		return s
	}
	var b strings.Builder
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }) {
		if b.Len() == 0 {
			w = strings.ToLower(w)
		} else {
			runes := []rune(strings.ToLower(w))
			runes[0] = unicode.ToUpper(runes[0])
			w = string(runes)
		}
		b.WriteString(w)
	}
	if id := b.String(); identifierPattern.MatchString(id) {
		return id
	}
	return ""
}

// plainIdentifier spares most names the pattern.
func plainIdentifier(s string) bool {
	for i := 0; i < len(s); i++ {
		letter := s[i] == '_' || s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z'
		if !letter && (i == 0 || s[i] < '0' || s[i] > '9') {
			return false
		}
	}
	return s != "" && len(s) <= 80
}

var identifierPattern = compile(`^[\p{L}_][\p{L}\p{N}_]{0,79}$`)

// clean makes text of a row fit to stand in a contract: valid, on one line, bounded.
func clean(s string) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	if runes := []rune(s); len(runes) > 2000 {
		return string(runes[:2000]) + "..."
	}
	return s
}
