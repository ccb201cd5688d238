package template

// This file turns the values of a call into text for their places.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxRenderedBytes caps what one rendering may produce: a template that repeats a slot must not
// turn a large value into a huge one.
const maxRenderedBytes = 16 << 20

// filler looks up the values of one rendering and counts what they add.
type filler struct {
	v    Values
	size int
}

// value returns the JSON value of a slot, or nil where the caller gave none. A secret is a JSON
// string.
func (f *filler) value(s *slot) (json.RawMessage, error) {
	raw, err := f.lookup(s)
	if err != nil || raw == nil {
		return nil, err
	}
	if !json.Valid(raw) || !utf8.Valid(raw) {
		return nil, fmt.Errorf("%w: %s is not valid JSON", ErrValue, s.src)
	}
	if f.size += len(raw); f.size > maxRenderedBytes {
		return nil, fmt.Errorf("%w: rendered values exceed %d bytes", ErrValue, maxRenderedBytes)
	}
	return bytes.TrimSpace(raw), nil
}

func (f *filler) lookup(s *slot) (json.RawMessage, error) {
	switch s.Form {
	case Prev:
		return f.v.Prev, nil
	case Named:
		return f.v.Named[s.Name], nil
	case Secret:
		return f.secret(s.Name)
	}
	if s.Index > len(f.v.Args) {
		return nil, nil
	}
	return f.v.Args[s.Index-1], nil
}

func (f *filler) secret(name string) (json.RawMessage, error) {
	if f.v.Secret == nil {
		return nil, fmt.Errorf("%w: %s; configure it for the service", ErrSecret, name)
	}
	text, err := f.v.Secret(name)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrSecret, name, err)
	}
	if !utf8.ValidString(text) {
		return nil, fmt.Errorf("%w: %s is not valid UTF-8", ErrSecret, name)
	}
	return quote(text), nil
}

// text returns the text of a slot's value; absent is true where there is none. JSON null has no
// text, so outside a bare JSON value it counts as absent too.
func (f *filler) text(s *slot) (text string, absent bool, err error) {
	raw, err := f.value(s)
	if err != nil || raw == nil || string(raw) == "null" {
		return "", true, err
	}
	text, err = textOf(raw)
	if err != nil {
		return "", false, fmt.Errorf("%s: %w", s.src, err)
	}
	return text, false, nil
}

// textOf is a string's own characters, or the JSON text of any other value.
func textOf(raw json.RawMessage) (string, error) {
	if raw[0] != '"' {
		var out bytes.Buffer
		if err := json.Compact(&out, raw); err != nil {
			return "", fmt.Errorf("%w: not valid JSON", ErrValue)
		}
		return out.String(), nil
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return "", fmt.Errorf("%w: not a JSON string", ErrValue)
	}
	if loneSurrogate(raw) {
		return "", fmt.Errorf("%w: lone surrogate escape", ErrValue)
	}
	return text, nil
}

// loneSurrogate reports whether valid JSON text escapes half of a surrogate pair, which
// encoding/json silently turns into a replacement character.
func loneSurrogate(doc []byte) bool {
	for i := 0; i+1 < len(doc); i++ {
		if doc[i] != '\\' {
			continue
		}
		i++
		if doc[i] != 'u' {
			continue
		}
		unit := escapedUnit(doc, i-1)
		if utf16.IsSurrogate(unit) && utf16.DecodeRune(unit, escapedUnit(doc, i+5)) == utf8.RuneError {
			return true
		}
		if utf16.IsSurrogate(unit) {
			i += 6
		}
		i += 4
	}
	return false
}

// escapedUnit reads the \uXXXX at doc[at:], or 0.
func escapedUnit(doc []byte, at int) rune {
	if at+6 > len(doc) || doc[at] != '\\' || doc[at+1] != 'u' {
		return 0
	}
	unit, err := strconv.ParseUint(string(doc[at+2:at+6]), 16, 16)
	if err != nil {
		return 0
	}
	return rune(unit)
}

// quote writes a JSON string. The text must be valid UTF-8.
func quote(text string) json.RawMessage {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		panic("a string always encodes: " + err.Error())
	}
	return bytes.TrimRight(out.Bytes(), "\n")
}

// escaper fits one value's text to its place.
type escaper func(s *slot, text string) (string, error)

// fill renders parts. absent is true when the parts are one whole slot without a value. Raw slots
// are not escaped; whoever uses them parses the outcome again.
func (f *filler) fill(parts []part, escape escaper) (out string, absent bool, err error) {
	var b strings.Builder
	for _, p := range parts {
		if p.slot == nil {
			b.WriteString(p.lit)
			continue
		}
		if p.slot.dollar != "" {
			b.WriteString(p.slot.src)
			continue
		}
		if p.slot.spread != asJSON {
			text, several, err := f.joined(p.slot, escape)
			if err != nil {
				return "", false, fmt.Errorf("%s: %w", p.slot.src, err)
			}
			switch {
			case several && text == "" && p.slot.Whole && p.slot.Context == URLPath:
				return "", false, fmt.Errorf("%s: %w: an empty list leaves no path segment", p.slot.src, ErrValue)
			case several && text == "" && p.slot.Whole:
				return "", true, nil
			case several:
				b.WriteString(text)
				continue
			}
		}
		text, missing, err := f.text(p.slot)
		if err != nil {
			return "", false, err
		}
		if missing && p.slot.Whole {
			return "", true, nil
		}
		if !missing && p.slot.Form != Raw {
			if text, err = escape(p.slot, text); err != nil {
				return "", false, fmt.Errorf("%s: %w", p.slot.src, err)
			}
		}
		b.WriteString(text)
		if p.slot.plus {
			b.WriteByte('+')
		}
	}
	return b.String(), false, nil
}

// hasRaw reports whether parts hold a raw slot.
func hasRaw(parts []part) bool {
	for _, p := range parts {
		if p.slot != nil && p.slot.Form == Raw {
			return true
		}
	}
	return false
}

// hasSlot reports whether parts hold any slot.
func hasSlot(parts []part) bool {
	for _, p := range parts {
		if p.slot != nil && p.slot.dollar == "" {
			return true
		}
	}
	return false
}
