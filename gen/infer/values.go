package infer

// This file reads single values and the names of things that are text.

import (
	"encoding/json"
	"strings"
	"unicode"
)

// splitValues reads a list of values: quoted ones are strings, bare numbers and booleans are those,
// any other bare word is a string. It returns nil when an item is no single value.
func splitValues(s string) []any {
	var out []any
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == '|' }) {
		v, ok := literal(strings.TrimSpace(part))
		if !ok {
			return nil
		}
		out = append(out, v)
	}
	return out
}

var numberPattern = compile(`^-?(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,17})?$`)

// literal reads one value.
func literal(s string) (any, bool) {
	switch {
	case s == "" || len(s) > 200:
		return nil, false
	case len(s) > 1 && strings.ContainsRune("\"'`", rune(s[0])) && s[len(s)-1] == s[0]:
		inner := s[1 : len(s)-1]
		return inner, !strings.ContainsRune(inner, rune(s[0]))
	case numberPattern.MatchString(s):
		return json.Number(s), true
	case strings.EqualFold(s, "true"), strings.EqualFold(s, "false"):
		return strings.EqualFold(s, "true"), true
	}
	return s, strings.IndexFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("\"'`()[]{}", r) }) < 0
}

// textThings are things that are text and nothing else. What may be more than its name (postal
// addresses, links, tags) is not among them.
var textThings = compile(`(?i)^\s*(?:(?:e-?mail|ip|mac|web)\s+addresses|(?:\p{L}+\s+)?names|usernames|host\s?names|keywords|(?:\p{L}+\s+)?symbols|e-mails|(?:text|string)\s+ids|ids\s+as\s+(?:text|strings)|words|phrases)(?:$|[\s,;.)\]])`)

// texts takes the name of things that are text.
func (p *typeParser) texts() string {
	found := strings.TrimRight(textThings.FindString(p.rest), " \t\r\n,;.)]")
	p.rest = p.rest[len(found):]
	return strings.TrimSpace(found)
}
