package contract

// This file writes canonical JSON: the bytes that digests and approvals are made over.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	if !utf8.Valid(doc) {
		return nil, errors.New("canonical json: not valid UTF-8")
	}
	if at := loneSurrogate(doc); at >= 0 {
		return nil, fmt.Errorf("canonical json: lone surrogate escape at byte %d", at)
	}
	dec := json.NewDecoder(bytes.NewReader(doc))
	dec.UseNumber()
	w := &canonicalWriter{dec: dec}
	if err := w.value(0); err != nil {
		return nil, fmt.Errorf("canonical json: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("canonical json: data after the document")
	}
	return w.out, nil
}

type canonicalWriter struct {
	dec *json.Decoder
	out []byte
}

func (w *canonicalWriter) value(depth int) error {
	tok, err := w.dec.Token()
	if err != nil {
		return unexpectedEnd(err)
	}
	if depth > maxDepth {
		return fmt.Errorf("nested more than %d deep", maxDepth)
	}
	switch t := tok.(type) {
	case json.Delim:
		if t == '{' {
			return w.object(depth)
		}
		return w.array(depth)
	case string:
		w.out = appendString(w.out, t)
	case json.Number:
		n, err := canonicalNumber(string(t))
		if err != nil {
			return err
		}
		w.out = append(w.out, n...)
	case bool:
		w.out = strconv.AppendBool(w.out, t)
	case nil:
		w.out = append(w.out, "null"...)
	}
	return nil
}

func (w *canonicalWriter) array(depth int) error {
	w.out = append(w.out, '[')
	for i := 0; w.dec.More(); i++ {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		if err := w.value(depth + 1); err != nil {
			return err
		}
	}
	w.out = append(w.out, ']')
	_, err := w.dec.Token()
	return unexpectedEnd(err)
}

// member is one of an object, written at out[from:to] with its key.
type member struct {
	key      string
	units    []uint16 // RFC 8785, section 3.2.3: keys sort by UTF-16 units
	from, to int
}

func (m member) compare(o member) int { return slices.Compare(m.units, o.units) }

// object writes the members in the order they come and then, only where that was not the right
// order, once more sorted: text that is nested deep is not copied at every level.
func (w *canonicalWriter) object(depth int) error {
	w.out = append(w.out, '{')
	start := len(w.out)
	var members []member
	for w.dec.More() {
		m, err := w.member(depth, len(members) > 0)
		if err != nil {
			return err
		}
		members = append(members, m)
	}
	if _, err := w.dec.Token(); err != nil {
		return unexpectedEnd(err)
	}
	if !slices.IsSortedFunc(members, member.compare) {
		w.sort(start, members)
	}
	for i := 1; i < len(members); i++ {
		if members[i-1].key == members[i].key {
			return fmt.Errorf("duplicate key %s", short(members[i].key))
		}
	}
	w.out = append(w.out, '}')
	return nil
}

func (w *canonicalWriter) member(depth int, comma bool) (member, error) {
	tok, err := w.dec.Token()
	if err != nil {
		return member{}, unexpectedEnd(err)
	}
	if comma {
		w.out = append(w.out, ',')
	}
	key := tok.(string) // the decoder lets nothing else stand here
	m := member{key: key, units: utf16.Encode([]rune(key)), from: len(w.out)}
	w.out = append(appendString(w.out, key), ':')
	err = w.value(depth + 1)
	m.to = len(w.out)
	return m, err
}

// sort rewrites the members, that stand from start on.
func (w *canonicalWriter) sort(start int, members []member) {
	written := slices.Clone(w.out[start:])
	slices.SortFunc(members, member.compare)
	w.out = w.out[:start]
	for i, m := range members {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.out = append(w.out, written[m.from-start:m.to-start]...)
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
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			out = append(out, '\\', byte(r))
		case r == '\b':
			out = append(out, `\b`...)
		case r == '\f':
			out = append(out, `\f`...)
		case r == '\n':
			out = append(out, `\n`...)
		case r == '\r':
			out = append(out, `\r`...)
		case r == '\t':
			out = append(out, `\t`...)
		case r < 0x20:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return append(out, '"')
}

// loneSurrogate finds an escaped surrogate without its other half, which encoding/json would
// replace silently, so that two different strings would share their bytes. It returns -1 for none.
func loneSurrogate(doc []byte) int {
	for i := 0; i+1 < len(doc); i++ {
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

func unexpectedEnd(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
