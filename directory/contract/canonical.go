package contract

// This file writes canonical JSON: the bytes that digests and approvals are made over.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth bounds the nesting that Canonical follows.
const maxDepth = 1000

// Canonical rewrites one JSON document to its canonical bytes after RFC 8785 (JCS), with one
// deliberate difference: a number written as an integer keeps every digit, whatever its size, where
// JCS rounds it to a double. So two documents share their bytes only when they share their value.
// Duplicate keys, lone surrogates, invalid UTF-8 and trailing data are errors.
func Canonical(doc []byte) ([]byte, error) {
	if err := wellEncoded(doc); err != nil {
		return nil, err
	}
	if !json.Valid(doc) {
		return nil, fmt.Errorf("canonical json: %w", json.Unmarshal(doc, new(any)))
	}
	return canonicalOf(doc)
}

// wellEncoded refuses text that encoding/json would replace silently.
func wellEncoded(doc []byte) error {
	if !utf8.Valid(doc) {
		return errors.New("canonical json: not valid UTF-8")
	}
	if at := loneSurrogate(doc); at >= 0 {
		return fmt.Errorf("canonical json: lone surrogate escape at byte %d", at)
	}
	return nil
}

// canonicalOf is Canonical for what is known to be JSON and wellEncoded.
func canonicalOf(doc []byte) ([]byte, error) {
	w := &canonicalWriter{doc: doc, out: make([]byte, 0, len(doc))}
	if err := w.value(0); err != nil {
		return nil, fmt.Errorf("canonical json: %w", err)
	}
	return w.out, nil
}

// canonicalWriter walks a document that is known to be valid. It reads no further than it must: an
// approval or a digest is made for every call.
type canonicalWriter struct {
	doc     []byte
	at      int
	out     []byte
	open    []member // of the objects being written, the innermost last
	scratch []byte
}

func (w *canonicalWriter) value(depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("nested more than %d deep", maxDepth)
	}
	switch c := w.next(); c {
	case '{':
		return w.object(depth)
	case '[':
		return w.array(depth)
	case '"':
		_, err := w.text()
		return err
	default:
		return w.word(c)
	}
}

// next skips white space and returns the byte that follows, unread.
func (w *canonicalWriter) next() byte {
	for {
		switch c := w.doc[w.at]; c {
		case ' ', '\t', '\r', '\n':
			w.at++
		default:
			return c
		}
	}
}

// word writes a number, true, false or null.
func (w *canonicalWriter) word(first byte) error {
	start := w.at
	for w.at < len(w.doc) && strings.IndexByte(",]} \t\r\n", w.doc[w.at]) < 0 {
		w.at++
	}
	word := w.doc[start:w.at]
	if first == 't' || first == 'f' || first == 'n' {
		w.out = append(w.out, word...)
		return nil
	}
	n, err := canonicalNumber(string(word))
	w.out = append(w.out, n...)
	return err
}

// text writes a string and returns what it says. Without an escape it is canonical as it stands.
func (w *canonicalWriter) text() ([]byte, error) {
	start, escaped := w.at, false
	for w.at++; w.doc[w.at] != '"'; w.at++ {
		if w.doc[w.at] == '\\' {
			escaped = true
			w.at++
		}
	}
	w.at++
	quoted := w.doc[start:w.at]
	if !escaped {
		w.out = append(w.out, quoted...)
		return quoted[1 : len(quoted)-1], nil
	}
	var s string
	err := json.Unmarshal(quoted, &s)
	w.out = appendString(w.out, s)
	return []byte(s), err
}

func (w *canonicalWriter) array(depth int) error {
	w.at++
	w.out = append(w.out, '[')
	for w.next() != ']' {
		if w.doc[w.at] == ',' {
			w.at++
			w.out = append(w.out, ',')
		}
		if err := w.value(depth + 1); err != nil {
			return err
		}
	}
	w.at++
	w.out = append(w.out, ']')
	return nil
}

// member is one of an object, written at out[from:to] with its key.
type member struct {
	key      []byte
	from, to int
}

// compare orders keys by UTF-16 units (RFC 8785, section 3.2.3), which is the order of their
// characters but where one of two is beyond the basic plane.
func (m member) compare(o member) int {
	a, b := m.key, o.key
	for len(a) > 0 && len(b) > 0 {
		x, n := utf8.DecodeRune(a)
		y, k := utf8.DecodeRune(b)
		if x != y && x < 0xD800 && y < 0xD800 {
			return int(x - y)
		}
		if x != y {
			return slices.Compare(utf16.Encode([]rune{x}), utf16.Encode([]rune{y}))
		}
		a, b = a[n:], b[k:]
	}
	return len(a) - len(b)
}

// object writes the members in the order they come and then, only where that was not the right
// order, once more sorted: text that is nested deep is not copied at every level.
func (w *canonicalWriter) object(depth int) error {
	w.at++
	w.out = append(w.out, '{')
	start, outer := len(w.out), len(w.open)
	for w.next() != '}' {
		if w.doc[w.at] == ',' {
			w.at++
			w.out = append(w.out, ',')
		}
		m, err := w.member(depth)
		if err != nil {
			return err
		}
		w.open = append(w.open, m)
	}
	w.at++
	members := w.open[outer:]
	w.open = w.open[:outer]
	if !slices.IsSortedFunc(members, member.compare) {
		w.sort(start, members)
	}
	for i := 1; i < len(members); i++ {
		if bytes.Equal(members[i-1].key, members[i].key) {
			return fmt.Errorf("duplicate key %s", short(string(members[i].key)))
		}
	}
	w.out = append(w.out, '}')
	return nil
}

func (w *canonicalWriter) member(depth int) (member, error) {
	w.next()
	m := member{from: len(w.out)}
	var err error
	if m.key, err = w.text(); err != nil {
		return m, err
	}
	w.next() // the colon
	w.at++
	w.out = append(w.out, ':')
	err = w.value(depth + 1)
	m.to = len(w.out)
	return m, err
}

// sort rewrites the members, that stand from start on.
func (w *canonicalWriter) sort(start int, members []member) {
	w.scratch = append(w.scratch[:0], w.out[start:]...)
	slices.SortFunc(members, member.compare)
	w.out = w.out[:start]
	for i, m := range members {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.out = append(w.out, w.scratch[m.from-start:m.to-start]...)
	}
}

// short quotes text for an error, which is no place for a sender's megabytes.
func short(s string) string {
	const most = 60
	if len(s) > most {
		s = s[:most] + "..."
	}
	return strconv.Quote(s)
}

// canonicalNumber renders an integer exactly and anything else as ECMAScript would print it.
func canonicalNumber(s string) (string, error) {
	if !strings.ContainsAny(s, ".eE") {
		if s == "-0" {
			return "0", nil
		}
		return s, nil
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(f, 0) {
		return "", fmt.Errorf("number %s does not fit a double", short(s))
	}
	if f == 0 {
		return "0", nil
	}
	if abs := math.Abs(f); abs >= 1e21 || abs < 1e-6 {
		out := strconv.FormatFloat(f, 'e', -1, 64)
		mantissa, exp, _ := strings.Cut(out, "e")
		return mantissa + "e" + exp[:1] + strings.TrimLeft(exp[1:], "0"), nil
	}
	return strconv.FormatFloat(f, 'f', -1, 64), nil
}

func appendString(out []byte, s string) []byte {
	out = append(out, '"')
	for i := range len(s) {
		switch c := s[i]; c {
		case '"', '\\':
			out = append(out, '\\', c)
		case '\b':
			out = append(out, `\b`...)
		case '\f':
			out = append(out, `\f`...)
		case '\n':
			out = append(out, `\n`...)
		case '\r':
			out = append(out, `\r`...)
		case '\t':
			out = append(out, `\t`...)
		default:
			if c < 0x20 {
				out = fmt.Appendf(out, `\u%04x`, c)
			} else {
				out = append(out, c)
			}
		}
	}
	return append(out, '"')
}

// loneSurrogate finds an escaped surrogate without its other half, which encoding/json would
// replace silently, so that two different strings would share their bytes. It returns -1 for none.
func loneSurrogate(doc []byte) int {
	for i := bytes.IndexByte(doc, '\\'); i >= 0 && i+1 < len(doc); i++ {
		if doc[i] != '\\' {
			continue
		}
		unit, ok := escapedUnit(doc, i)
		switch {
		case !ok:
			i++ // a two-byte escape; skips the second backslash of `\\`
		case unit >= 0xDC00 && unit <= 0xDFFF:
			return i
		case unit >= 0xD800 && unit <= 0xDBFF:
			low, ok := escapedUnit(doc, i+6)
			if !ok || low < 0xDC00 || low > 0xDFFF {
				return i
			}
			i += 11
		default:
			i += 5
		}
	}
	return -1
}

func escapedUnit(doc []byte, at int) (uint64, bool) {
	if at+6 > len(doc) || doc[at] != '\\' || doc[at+1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(doc[at+2:at+6]), 16, 16)
	return unit, err == nil
}
