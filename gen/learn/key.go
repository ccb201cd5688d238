package learn

// This file tells keys that are data from keys that are names of fields. Keys go into schemas, which
// everybody reads: one that looks like data gives away a value.

import (
	"regexp"
	"strings"

	"codemode/directory"
)

// dataKey matches numbers, UUIDs, dates and times, e-mail addresses, long hex, and ids that end in a
// long number.
var dataKey = regexp.MustCompile(`^(?:[+-]?[0-9]+(?:[ .,:/-][0-9]+)*|[0-9]{4}-[0-9]{2}(?:-[0-9]{2}(?:[T ][0-9:.]+(?:Z|[+-][0-9:]+)?)?)?|[0-9a-fA-F]{16,}|[A-Za-z]+[-_:#]?[0-9]{5,})$` +
	`|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[^\s@]+(?:@|%40)[^\s@]+\.[^\s@]+`)

// isData reports whether a key looks like data: by its form, as a credential, or as random characters.
func isData(key string) bool {
	if isWord(key) {
		return false
	}
	return dataKey.MatchString(key) || directory.SecretKind(key) != "" || isRandom(key)
}

// isWord spares most keys the expressions: short ones of letters.
func isWord(key string) bool {
	return len(key) < 16 && strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
}

const (
	randomLength = 16 // characters; base64 of 12 bytes
	// Percent of the neighbours that are of two kinds; in random base36 it is 40 on average, in base64 62.
	randomChanges = 35 // where there are digits
	surelyRandom  = 45
)

// isRandom reports whether some part of a key, between what base64 has not, is long and
// changes between capitals, small letters and digits as often as random characters do and names do not.
func isRandom(key string) bool {
	for part := range strings.FieldsFuncSeq(key, func(c rune) bool { return kindOf(c) == 0 && !strings.ContainsRune("+/=", c) }) {
		digits, changes, last := 0, 0, 0
		for i, c := range part {
			kind := kindOf(c)
			if kind == 3 {
				digits++
			}
			if i > 0 && kind != last {
				changes++
			}
			last = kind
		}
		most := surelyRandom
		if digits > 1 {
			most = randomChanges
		}
		if len(part) >= randomLength && changes*100 >= most*(len(part)-1) {
			return true
		}
	}
	return false
}

// kindOf is 1 for a capital, 2 for a small letter, 3 for a digit, 0 for anything else.
func kindOf(c rune) int {
	switch {
	case c >= 'A' && c <= 'Z':
		return 1
	case c >= 'a' && c <= 'z':
		return 2
	case c >= '0' && c <= '9':
		return 3
	}
	return 0
}
