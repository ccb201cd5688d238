package contract

// This file holds the two steps of JSON Pointers (RFC 6901) that every package needs: contracts name
// fields by pointers, and schemas refer by them.

import "strings"

// EscapeToken writes a name as one token of a JSON Pointer (RFC 6901, 3): "a/b" is "a~1b".
func EscapeToken(name string) string {
	if strings.IndexByte(name, '~') < 0 && strings.IndexByte(name, '/') < 0 { // most names, and several times as fast
		return name
	}
	return tokenEscaper.Replace(name)
}

// UnescapeToken reads one token of a JSON Pointer (RFC 6901, 4): "a~1b" is "a/b". The percent signs of
// the URI fragment form (RFC 6901, 6) are the caller's.
func UnescapeToken(token string) string { return tokenUnescaper.Replace(token) }

var (
	tokenEscaper   = strings.NewReplacer("~", "~0", "/", "~1")
	tokenUnescaper = strings.NewReplacer("~1", "/", "~0", "~")
)
