package contract

// This file tells letters that are not seen, and letters that look like those of another script.

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Invisible reports whether a character shows nothing: what Unicode calls default ignorable (UAX 44,
// Default_Ignorable_Code_Point), and controls, separators of lines, direction marks and private
// characters. The Hangul fillers among them are letters to unicode.IsLetter. White space is visible.
func Invisible(r rune) bool {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return false
	case r < utf8.RuneSelf:
		return r < ' ' || r == 0x7F
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// Visible is text without its invisible characters.
func Visible(s string) string {
	if strings.IndexFunc(s, Invisible) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if Invisible(r) {
			return -1
		}
		return r
	}, s)
}

// lookAlikes are Cyrillic and Greek letters, each before the Latin letter that it is taken for in most
// type faces (UTS 39, confusables).
const lookAlikes = "аaеeоoрpсcуyхxіiїiјjѕsһhԁdԛqԝwкkпnгrтtвBмMАAВBЕEЗ3КKМMНHОOРPСCТTУYХXІIЇIЈJЅSԌGԚQԜW" +
	"αaοoρpνvυuιiκkχxγyωwϲcϳjΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXϹC"

// Latin is a letter as a reader takes it who expects Latin ones: itself, or the one it looks like.
// Letters of full width are their plain ones.
func Latin(r rune) rune {
	switch {
	case r < 0x80:
		return r
	case r >= 0xFF01 && r <= 0xFF5E:
		return r - 0xFEE0
	}
	like := false
	for _, c := range lookAlikes {
		if like {
			return c
		}
		like = c == r
	}
	return r
}

// Confusable is the first word of a text that mixes Latin letters with Cyrillic or Greek ones that look
// like them, "" for none.
func Confusable(s string) string {
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		latin, alike := false, false
		for _, r := range word {
			latin = latin || unicode.Is(unicode.Latin, r)
			alike = alike || r < 0xFF00 && Latin(r) != r
		}
		if latin && alike {
			return word
		}
	}
	return ""
}
