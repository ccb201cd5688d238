package main

// This file finds sensitive arguments in results, in whatever spelling they stand there.

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"codemode/directory/contract"
)

const (
	// A string of fewer characters, or a number of fewer digits, stands in a result only where it is all
	// of a string or number there: parts of others would be chance.
	sensitiveCharacters = 4
	sensitiveDigits     = 6
	// sensitiveWork caps bytes of a result times values sought in it; over it the result is not searched.
	sensitiveWork = 32 << 20
	maxSensitive  = 10_000
	// maxSpellings caps how often a text is decoded further: text in JSON in text, %2525.
	maxSpellings = 3
)

// secrets are the sensitive values of a run's calls. A later call can repeat what an earlier one was
// given, and a step what its flow was.
type secrets struct {
	texts   map[string][]string // to the forms in which one may stand inside another text
	numbers map[string]bool     // as plainNumber has them
	lost    error               // that not all are here, ever after
}

func newSecrets() *secrets { return &secrets{texts: map[string][]string{}, numbers: map[string]bool{}} }

// learn takes in what stands at the pointers. Its error is about a pointer that cannot be followed: what
// is sensitive is not known then.
func (s *secrets) learn(args json.RawMessage, pointers []string) error {
	if len(pointers) == 0 {
		return nil
	}
	v, err := decodeNumbers(args)
	if err != nil {
		return errors.New("the arguments cannot be read")
	}
	for _, pointer := range pointers {
		if err := s.follow(v, pointer); err != nil {
			return fmt.Errorf("the sensitive pointer %.100q %w", pointer, err)
		}
	}
	if len(s.texts)+len(s.numbers) > maxSensitive {
		s.lost = fmt.Errorf("the run has more than %d sensitive values", maxSensitive)
	}
	return nil
}

func decodeNumbers(raw json.RawMessage) (v any, err error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	return v, dec.Decode(&v)
}

// follow takes in all leaves below a JSON Pointer, in which "*" is any item or member.
func (s *secrets) follow(v any, pointer string) error {
	if pointer == "" {
		s.leaves(v)
		return nil
	}
	rest, ok := strings.CutPrefix(pointer, "/")
	if !ok || strings.Contains(strings.NewReplacer("~0", "", "~1", "").Replace(rest), "~") {
		return errors.New("is no JSON Pointer")
	}
	token, rest, more := strings.Cut(rest, "/")
	if more {
		rest = "/" + rest
	}
	name := contract.UnescapeToken(token)
	switch v := v.(type) {
	case map[string]any:
		for k, member := range v {
			if k != name && name != "*" {
				continue
			}
			if err := s.follow(member, rest); err != nil {
				return err
			}
		}
	case []any:
		i, err := strconv.Atoi(name)
		if name != "*" && (err != nil || i < 0) {
			return errors.New("names a member of what is a list")
		}
		for j, item := range v {
			if name != "*" && i != j {
				continue
			}
			if err := s.follow(item, rest); err != nil {
				return err
			}
		}
	default:
		s.leaves(v) // it stands in the place of what would hold the sensitive value
	}
	return nil
}

func (s *secrets) leaves(v any) {
	switch v := v.(type) {
	case string:
		s.text(v, sensitiveCharacters)
	case json.Number:
		if digits(string(v)) > 2 { // 0 to 99 are everywhere
			s.numbers[plainNumber(string(v))] = true
			s.text(string(v), sensitiveDigits)
		}
	case []any:
		for _, item := range v {
			s.leaves(item)
		}
	case map[string]any:
		for _, member := range v {
			s.leaves(member)
		}
	}
}

func (s *secrets) text(v string, least int) {
	if v == "" || len(s.texts[v]) > 0 {
		return
	}
	s.texts[v] = nil
	if utf8.RuneCountInString(v) >= least {
		s.texts[v] = formsOf(v)
	}
}

// formsOf are the forms in which a text is sought inside others: its lower case, and its base64 at each of
// the three places where it can begin in what was encoded.
func formsOf(v string) []string {
	forms := []string{strings.ToLower(v)}
	for before := range 3 {
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			text := encoding.EncodeToString(append(make([]byte, before), v...))
			text = text[(before*8+5)/6 : (before+len(v))*8/6] // the characters that hold bits of v alone
			if !slices.Contains(forms, text) {
				forms = append(forms, text)
			}
		}
	}
	return forms
}

func digits(text string) int {
	n := 0
	for _, c := range text {
		if c >= '0' && c <= '9' {
			n++
		}
	}
	return n
}

// plainNumber writes a JSON number so that equal ones are the same text: significant digits and the
// power of ten.
func plainNumber(text string) string {
	mantissa, power, _ := strings.Cut(strings.ToLower(text), "e")
	exponent, err := strconv.Atoi(power)
	if err != nil && power != "" {
		return text
	}
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(mantissa, "-"), ".")
	all := strings.TrimLeft(whole+fraction, "0")
	short := strings.TrimRight(all, "0")
	return short + "e" + strconv.Itoa(exponent-len(fraction)+len(all)-len(short))
}

// in reports whether one stands in a result, or why that cannot be told. It reads tokens, since of two
// members of one name a decoded object has only one.
func (s *secrets) in(result json.RawMessage) (bool, error) {
	sought := len(s.texts) + len(s.numbers)
	if s.lost != nil || sought == 0 {
		return false, s.lost
	}
	if len(result) > sensitiveWork/sought {
		return false, errors.New("the result is too long to look for sensitive values in it")
	}
	return s.within(result, maxSpellings)
}

func (s *secrets) within(raw []byte, depth int) (bool, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, errors.New("the result cannot be read")
		}
		switch v := token.(type) {
		case string:
			if s.inText(v, depth) {
				return true, nil
			}
		case json.Number:
			if s.numbers[plainNumber(string(v))] || s.inText(string(v), 0) {
				return true, nil
			}
		}
	}
}

// inText looks at a text and at what it is when decoded: from a URL, from HTML, from JSON or a piece of it.
func (s *secrets) inText(text string, depth int) bool {
	lower := strings.ToLower(text)
	for whole, forms := range s.texts {
		if text == whole {
			return true
		}
		for i, form := range forms {
			if strings.Contains(text, form) || i == 0 && strings.Contains(lower, form) {
				return true
			}
		}
	}
	if depth == 0 {
		return false
	}
	for _, other := range []string{unpercent(text), unpercent(strings.ReplaceAll(text, "+", " ")), html.UnescapeString(text), unslash(text)} {
		if other != text && s.inText(other, depth-1) {
			return true
		}
	}
	if inner := strings.TrimSpace(text); len(inner) > 1 && strings.ContainsAny(inner[:1], `{["`) && json.Valid([]byte(inner)) {
		found, err := s.within([]byte(inner), depth-1)
		return found || err != nil
	}
	return false
}

// unpercent decodes %XX where two hexadecimal digits follow, and leaves other percent signs.
func unpercent(text string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			if b, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
				out, i = append(out, byte(b)), i+2
				continue
			}
		}
		out = append(out, text[i])
	}
	return string(out)
}

// unslash decodes \uXXXX and takes what follows any other backslash as it is.
func unslash(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var out []rune
	for in := []rune(text); len(in) > 0; {
		c := in[0]
		in = in[1:]
		if c != '\\' || len(in) == 0 {
			out = append(out, c)
			continue
		}
		c, in = in[0], in[1:]
		if c == 'u' && len(in) >= 4 {
			if unit, err := strconv.ParseUint(string(in[:4]), 16, 16); err == nil {
				c, in = rune(unit), in[4:]
			}
		}
		if last := len(out) - 1; last >= 0 && utf16.IsSurrogate(out[last]) && utf16.IsSurrogate(c) {
			out[last] = utf16.DecodeRune(out[last], c)
			continue
		}
		out = append(out, c)
	}
	return string(out)
}
