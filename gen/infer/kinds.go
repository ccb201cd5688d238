package infer

// This file reads what words say a value is: "a whole number", "YYYY-MM-DD", "true or false".

import (
	"slices"
	"strings"
)

var (
	isoDay    = compile(`\b(?:YYYY|yyyy|JJJJ|AAAA)-(?:MM|mm)-(?:DD|dd|TT|JJ)\b`)
	dayWords  = compile(`(?i)\b(?:ISO(?:[- ]8601)?|RFC ?3339)(?:[- ]formatted)?[- ](?:calendar )?(?:dates?|days?)\b|\b(?:date|day)s?\b[^.;]{0,30}\bISO[- ]8601\W*$`)
	timeWords = compile(`(?i)\b(?:ISO(?:[- ]8601)?|RFC ?3339)(?:[- ]formatted)?[- ](?:date-?times?|date and time|times?|timestamps?|instants?|moments?)\b|\b(?:date-?time|time|timestamp|instant|moment)s?\b[^.;]{0,30}\b(?:ISO(?:[- ]8601)|RFC ?3339)\b`)
	otherForm = compile(`(?i)^\s*(?:or|to|/|\.\.|,? or|T\b|[ T]HH|and)\b`)

	mailWords  = compile(`(?i)^\W*(?:an? |the |your |their |valid )*e-?mail(?:[- ]address)?(?:$|\s*[.,;)]|\s+(?:of|to|for|at|where)\b)`)
	linkWords  = compile(`^\W*(?i:an? |the |full |absolute |public )*(?:URL|URI|(?i:web address))(?:$|\s*[.,;)]|\s+(?i:of|to|for|at|where)\b)`)
	wholeWords = compile(`(?i)\b(?:whole|integral|integer) numbers?\b|\b(?:in )?(?:whole|full) (?:minutes|hours|days|euros|dollars|cents|seconds|kilometres|percent)\b|\bintegers?\b|\bganze zahl\b|\bganzzahl\b|\bentier\b|\bn[uú]mero entero\b|\bintero\b`)
	countWords = compile(`(?i)^\W*(?:and |then |optionally |the |a |an |maximum |minimum |max |min |total |at most |greatest |largest )*(?:how many|numbers? of|count of|nombre de|anzahl(?: der)?)\s+(\p{L}+)(?:\s+(\p{L}+))?`)
	flagWords  = compile(`(?i)^\W*(?:(?:is |are )?(?:either )?true (?:or|/|\|) ?false\b|true\s?[/|]\s?false\b|(?:if )?true(?:,| if| when| for| to| only)\b|boolean\b|a boolean\b)`)
	numWords   = compile(`(?i)^\W*(?:as |is |are |in |given as )?(?:an? |the )?(?:positive |decimal |real |floating[- ]point )*(?:numbers?|decimals?|percent(?:age)?)(?:$|\s*[.,;:)(]|\s+(?:between|from|like|such|with|above|below|at)\b)|\bin percent\b|(?i)\bas a (?:number|percentage)\b`)
	// sumWords is "the number to round": no number that names something.
	sumWords  = compile(`(?i)^\W*(?:the |a )?(?:first |second |third |other |base |input )*number(?:\W*$|,? to (?:be )?(?:round|add|subtract|multipl|divid|convert|raise|negat|sum|comput|calculat|squar|comput|compare|check|test|factor)|, the\b| to (?:compute|calculate|find) the\b)`)
	pairWords = compile(`(?i)\b(?:lists?|arrays?|comma|separated|several|multiple|one or more)\b`)
)

// halves are what people count in parts, so that "how many hours" may be one and a half.
var halves = strings.Fields(`hours hour kilometres kilometers km miles litres liters kilograms kg grams degrees euros dollars metres meters
	percent seconds minutes money time tons pounds`)

// kindOf is what words say of a value's type, nil for nothing. What they say of lists is not read here.
func kindOf(name, text string) *object {
	if text == "" || len(text) > maxTypeText {
		return nil
	}
	if !kindWords.in(text) {
		return nil
	}
	if kind := whetherKind(text, text); kind != nil {
		return kind
	}
	if format := formatOf(name, text); format != "" {
		return obj("type", "string", "format", format)
	}
	switch {
	case pairWords.MatchString(text):
		return nil
	case flagWords.MatchString(text) && !trueTo.MatchString(text):
		return obj("type", "boolean")
	case wholeWords.MatchString(text) && !denied(text, wholeWords):
		return obj("type", "integer")
	}
	if m := countWords.FindStringSubmatch(text); m != nil && isCounted(m[1], m[2]) {
		if slices.Contains(halves, strings.ToLower(m[1])) {
			return obj("type", "number")
		}
		return obj("type", "integer")
	}
	if numWords.MatchString(text) || sumWords.MatchString(text) {
		return obj("type", "number")
	}
	return nil
}

// kindWords are what words about a type have at least one of.
var kindWords = anyOf("-mm-", "iso", "rfc", "mail", "url", "uri", "web address", "number", "integer", "whole", "full ", "zahl", "entier", "entero", "intero",
	"how many", "count of", "nombre", "true", "boolean", "decimal", "percent", "whether", "unix", "epoch", "1970")

// denied reports whether the words before the match turn it round: "no integer", "not a whole number".
func denied(text string, words *pattern) bool {
	at := words.FindStringIndex(text)
	before := strings.Fields(strings.ToLower(text[:at[0]]))
	if len(before) == 0 {
		return false
	}
	last := before[max(0, len(before)-2):]
	return slices.ContainsFunc(last, func(w string) bool { return w == "not" || w == "no" || w == "or" || w == "number" })
}

// isCounted reports whether "number of ..." counts things: "of days", not "of the table".
func isCounted(word, next string) bool {
	word, next = strings.ToLower(word), strings.ToLower(next)
	switch word {
	case "the", "a", "an", "this", "that", "your", "its", "each", "their":
		return false
	case "people", "children":
		return true
	}
	return strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") || strings.HasSuffix(next, "s") && !strings.HasSuffix(next, "ss") && next != "is" && next != "has" || strings.HasSuffix(word, "en")
}

// formatOf is the format that words give a text, where they give exactly one.
func formatOf(name, text string) string {
	if pairWords.MatchString(text) {
		return ""
	}
	if at := isoDay.FindAllStringIndex(text, 2); len(at) == 1 {
		if rest := text[at[0][1]:]; !otherForm.MatchString(rest) && !strings.HasPrefix(rest, "T") && !strings.HasPrefix(rest, " HH") && !strings.HasPrefix(rest, "/") {
			return "date"
		}
		return ""
	}
	switch {
	case timeWords.MatchString(text):
		return "date-time"
	case dayWords.MatchString(text):
		return "date"
	case mailWords.MatchString(text):
		return "email"
	case linkWords.MatchString(text):
		return "uri"
	}
	return ""
}

// numberWords are small numbers in words.
var numberWords = map[string]string{"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10", "twelve": "12"}
