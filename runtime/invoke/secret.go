package invoke

// This file keeps secrets inside: it remembers what a call was filled with and takes every written
// form of it out of what the call gives back.

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"codemode/directory/template"
	"codemode/runtime"
)

const (
	// minSecretBytes is the shortest text that is taken out: removing shorter ones would tell them.
	minSecretBytes = 4
	redacted       = "[secret]"
	// maxNested is how deep JSON may stand in strings of JSON for a secret to be known in it.
	maxNested = 3
)

// secrets are those one call was filled with. A call is performed by one goroutine.
type secrets struct {
	lookup func(string) (string, error)
	values []string
	forms  *strings.Replacer
}

func (s *secrets) get(name string) (string, error) {
	if s.lookup == nil {
		return "", fmt.Errorf("%w: %s; configure it for the service", template.ErrSecret, name)
	}
	value, err := s.lookup(name)
	if err != nil {
		return "", fmt.Errorf("%w: %s: %w", template.ErrSecret, name, err)
	}
	s.keep(value)
	return value, nil
}

// keep remembers a value that may not come back.
func (s *secrets) keep(value string) {
	if value != "" && !slices.Contains(s.values, value) {
		s.values, s.forms = append(s.values, value), nil
	}
}

// keepUserinfo remembers "user:password", and the password where there is one: a row may hold it itself.
func (s *secrets) keepUserinfo(userinfo string) {
	s.keep(userinfo)
	_, password, _ := strings.Cut(userinfo, ":")
	s.keep(password)
}

// clean takes the secrets out of a text.
func (s *secrets) clean(text string) string {
	if len(s.values) == 0 {
		return text
	}
	if s.forms == nil {
		s.forms = replacer(s.values)
	}
	return s.forms.Replace(text)
}

// replacer knows the forms of all values, longest first: the whole before its part.
func replacer(values []string) *strings.Replacer {
	var forms []string
	for _, v := range values {
		if len(v) >= minSecretBytes {
			forms = append(forms, written(v)...)
		}
	}
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, f := range slices.Compact(forms) {
		pairs = append(pairs, f, redacted)
	}
	return strings.NewReplacer(pairs...)
}

// written are the forms a value may come back in: as it is, JSON-escaped, percent-encoded, and each of these
// hexadecimal and in base64 at each alignment it can have within a longer text.
func written(v string) []string {
	forms := escaped(v)
	slices.Sort(forms)
	forms = slices.Compact(forms)
	for _, f := range slices.Clone(forms) {
		forms = append(forms, hex.EncodeToString([]byte(f)), strings.ToUpper(hex.EncodeToString([]byte(f))))
		for offset := range 3 {
			forms = append(forms, aligned(base64.RawStdEncoding, f, offset), aligned(base64.RawURLEncoding, f, offset))
		}
	}
	return slices.DeleteFunc(forms, func(f string) bool { return len(f) < minSecretBytes })
}

// escaped are the forms that a value has within JSON and URLs.
func escaped(v string) []string {
	forms := []string{v}
	plain, html := v, v
	for range maxNested {
		raw, err := json.Marshal(html)
		if err != nil {
			break
		}
		encoded := encodeText(plain)
		plain, html = string(encoded[1:len(encoded)-1]), string(raw[1:len(raw)-1])
		forms = append(forms, plain, html)
	}
	for _, percent := range []string{url.QueryEscape(v), url.PathEscape(v), strings.ReplaceAll(url.QueryEscape(v), "+", "%20")} {
		forms = append(forms, percent, lowerPercent(percent))
	}
	return forms
}

// lowerPercent writes %2F as %2f.
func lowerPercent(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:], strings.ToLower(string(b[i+1:i+3])))
		}
	}
	return string(b)
}

// aligned is the part of v's base64 that does not depend on its neighbours when offset bytes stand
// before it (RFC 4648 section 4: six bits a character); "" when it is too short to tell.
func aligned(enc *base64.Encoding, v string, offset int) string {
	out := enc.EncodeToString(append(make([]byte, offset), v...))
	out = out[(offset*8+5)/6:]
	if (offset+len(v))%3 != 0 {
		out = out[:len(out)-1]
	}
	if len(out) < 8 {
		return ""
	}
	return out
}

// cleaned is a cause as the private log shows it.
type cleaned struct {
	error
	text string
}

func (c cleaned) Error() string { return c.text }
func (c cleaned) Unwrap() error { return c.error }

// cleanError is the error without secrets, as every one leaves this package. Its cause goes to the private
// log only, and says none either.
func (s *secrets) cleanError(err error) *runtime.Error {
	var known *runtime.Error
	if !errors.As(err, &known) {
		known = runtime.AsError(err)
	}
	out := *known
	out.Message, out.Hint, out.Detail = s.clean(out.Message), s.clean(out.Hint), s.clean(out.Detail)
	if out.Cause != nil {
		out.Cause = cleaned{out.Cause, s.clean(out.Cause.Error())}
	}
	return &out
}

// cleanResult takes secrets out of a result that a destination echoed: out of each string, however it
// is escaped, and each number, which becomes a string then. What is left is JSON of the same shape.
func (s *secrets) cleanResult(result json.RawMessage) json.RawMessage {
	if len(s.values) == 0 || !json.Valid(result) {
		return result
	}
	var out []byte
	for at := 0; at < len(result); {
		end := at + tokenLength(result[at:])
		out = append(out, s.cleanToken(result[at:end])...)
		at = end
	}
	return out
}

// cleanToken cleans one token of valid JSON.
func (s *secrets) cleanToken(token json.RawMessage) json.RawMessage {
	text := string(token)
	if token[0] == '"' {
		text = textOf(token)
	}
	if clean := s.clean(text); clean != text {
		return encodeText(clean)
	}
	return token
}

// tokenLength is the length of the string, number or word at the start of valid JSON, else 1.
func tokenLength(doc json.RawMessage) int {
	if doc[0] != '"' {
		n := bytes.IndexAny(doc, "{}[],: \t\r\n\"")
		if n < 0 {
			n = len(doc)
		}
		return max(n, 1)
	}
	for i := 1; i < len(doc); i++ {
		switch doc[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(doc)
}

// encodeText writes a JSON string that reads well; what is no UTF-8 becomes U+FFFD.
func encodeText(text string) json.RawMessage {
	out, err := encode(strings.ToValidUTF8(text, "\uFFFD"))
	if err != nil {
		panic("a string always encodes: " + err.Error())
	}
	return out
}

// encode is json.Marshal without its escapes for HTML: a value's bytes stay what they were.
func encode(v any) (json.RawMessage, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}
