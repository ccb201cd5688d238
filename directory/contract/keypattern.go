package contract

// This file reads the regular expressions of patternProperties that say no more than how a key begins,
// ends, and what it holds.

import "strings"

// KeyPattern is a text pattern over keys: its pieces in order, with anything between two of them. A key
// that begins with "x-" is {"x-", ""}, one that holds it {"", "x-", ""}; {"x-"} is that key alone.
type KeyPattern []string

// maxKeyPattern bounds the expressions that are read, in bytes.
const maxKeyPattern = 256

// ParseKeyPattern reads an ECMA-262 regular expression of literal text, ".*" and the anchors ^ and $,
// and reports false for any other. The dot is taken to match every character; ECMA-262 has it leave
// out line breaks.
func ParseKeyPattern(expr string) (KeyPattern, bool) {
	if len(expr) > maxKeyPattern {
		return nil, false
	}
	body, atStart := strings.CutPrefix(expr, "^")
	atEnd := strings.HasSuffix(body, "$") && !strings.HasSuffix(body, `\$`)
	if atEnd {
		body = body[:len(body)-1]
	}
	var pieces []string
	for part := range strings.SplitSeq(body, ".*") {
		text, ok := literalText(part)
		if !ok {
			return nil, false
		}
		pieces = append(pieces, text)
	}
	if !atStart {
		pieces = append([]string{""}, pieces...)
	}
	if !atEnd {
		pieces = append(pieces, "")
	}
	return withoutDoubles(pieces), true
}

// literalText reads an expression that matches one text.
func literalText(expr string) (string, bool) {
	var text strings.Builder
	for i := 0; i < len(expr); i++ {
		if expr[i] == '\\' {
			if i++; i == len(expr) || !strings.ContainsRune(`-./\$^*+?()[]{}|`, rune(expr[i])) {
				return "", false
			}
		} else if strings.IndexByte(`.*+?()[]{}|^$`, expr[i]) >= 0 {
			return "", false
		}
		text.WriteByte(expr[i])
	}
	return text.String(), true
}

// withoutDoubles takes out the empty pieces in the middle: anything twice is anything.
func withoutDoubles(pieces []string) KeyPattern {
	var out KeyPattern
	for i, piece := range pieces {
		if piece != "" || i == 0 || i == len(pieces)-1 {
			out = append(out, piece)
		}
	}
	return out
}

// Match reports whether a key is of the pattern.
func (p KeyPattern) Match(key string) bool {
	if len(p) == 0 {
		return false
	}
	if len(p) == 1 {
		return key == p[0]
	}
	first, last := p[0], p[len(p)-1]
	if len(key) < len(first)+len(last) || !strings.HasPrefix(key, first) || !strings.HasSuffix(key, last) {
		return false
	}
	key = key[len(first) : len(key)-len(last)]
	for _, piece := range p[1 : len(p)-1] {
		at := strings.Index(key, piece)
		if at < 0 {
			return false
		}
		key = key[at+len(piece):]
	}
	return true
}
