package schema

// This file finds text of a row that reads like a line of its declaration.

import (
	"slices"
	"strings"
	"unicode"

	"codemode/directory/contract"
)

// labels begin the lines that a declaration says of itself, in lower case, letters only.
var labels = strings.Fields(`effect whentouse undo readback precondition returns arguments deprecated needsdecision`)

// maxLabel caps the letters of a label.
const maxLabel = 20

// LikeLabel reports whether a line begins like one that a declaration says of itself, "Effect: read":
// emitters write such a line of a row's own text so that nobody takes it for theirs. White space, marks,
// case, and letters that only look like Latin ones make no difference.
func LikeLabel(line string) bool {
	var word strings.Builder
	for _, r := range line {
		switch r = unicode.ToLower(contract.Latin(r)); {
		case strings.ContainsRune(":=\u02d0\u0589\u05c3\u2236\ua789\ufe13\ufe55", r):
			return isLabel(word.String())
		case unicode.IsLetter(r) && word.Len() < maxLabel:
			word.WriteRune(r)
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			return strings.HasPrefix(word.String(), decision)
		}
	}
	return isLabel(word.String())
}

// decision is the label that more words may follow.
const decision = "needsadecision"

func isLabel(word string) bool {
	return slices.Contains(labels, word) || strings.HasPrefix(word, decision)
}

// Quoted is a line of a row's own text, led by "> " where it is LikeLabel.
func Quoted(line string) string {
	if LikeLabel(line) {
		return "> " + line
	}
	return line
}
