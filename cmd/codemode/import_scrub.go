package main

// This file takes the secrets of a connection out of what the server at its other end says: rows and
// findings are files that people share.

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"codemode/directory"
	"codemode/directory/importer"
)

const (
	// scrubbed stands where a secret stood.
	scrubbed = "[secret]"
	// minSecret is how long a value of a url's query is before it counts as a secret: shorter ones, such as
	// a version, stand in texts by chance. What --auth names is a secret whatever its length.
	minSecret = 8
)

// scrubber knows the secrets of one connection, the longest first: one may hold another.
type scrubber struct {
	secrets []string
	found   int
}

// newScrubber takes what --auth names (its whole value, the password of basic's, and its base64) and the
// query of the url.
func newScrubber(auth, value, endpoint string) *scrubber {
	s := &scrubber{}
	add := func(least int, texts ...string) {
		for _, text := range texts {
			for _, form := range []string{text, url.QueryEscape(text), url.PathEscape(text)} {
				if len(form) >= max(1, least) && !slices.Contains(s.secrets, form) {
					s.secrets = append(s.secrets, form)
				}
			}
		}
	}
	add(1, value)
	if kind, _, _ := strings.Cut(auth, ":"); kind == "basic" {
		_, password, _ := strings.Cut(value, ":")
		add(1, base64.StdEncoding.EncodeToString([]byte(value)))
		add(minSecret, password)
	}
	if u, err := url.Parse(endpoint); err == nil {
		for _, values := range u.Query() {
			add(minSecret, values...)
		}
		add(minSecret, u.RawQuery)
	}
	slices.SortFunc(s.secrets, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(a, b))
	})
	return s
}

// text is a text without the secrets.
func (s *scrubber) text(text string) string {
	for _, secret := range s.secrets {
		if n := strings.Count(text, secret); n > 0 {
			s.found += n
			text = strings.ReplaceAll(text, secret, scrubbed)
		}
	}
	return text
}

// json is JSON without the secrets, however its strings spell them; the rest stays byte for byte.
func (s *scrubber) json(raw json.RawMessage) json.RawMessage {
	var out bytes.Buffer
	for len(raw) > 0 {
		n := tokenLength(raw)
		token := raw[:n]
		raw = raw[n:]
		var text string
		if token[0] != '"' || json.Unmarshal(token, &text) != nil {
			text = string(token)
		}
		if clean := s.text(text); clean != text && !punctuation(token) {
			token, _ = json.Marshal(clean) // a string always encodes
		}
		out.Write(token)
	}
	return out.Bytes()
}

// between are the bytes that end a number or word of JSON.
const between = " \t\r\n{}[]:,\""

// punctuation is a token that holds nothing.
func punctuation(token []byte) bool {
	return len(token) == 1 && strings.IndexByte(between, token[0]) >= 0
}

// tokenLength is the length of the string, the number or word, or the single byte that raw begins with.
func tokenLength(raw []byte) int {
	switch {
	case raw[0] == '"':
		for i := 1; i < len(raw); i++ {
			switch raw[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
		return len(raw)
	case strings.IndexByte(between, raw[0]) >= 0:
		return 1
	}
	if end := bytes.IndexAny(raw, between); end > 0 {
		return end
	}
	return len(raw)
}

// finding tells that there was something to take out.
func (s *scrubber) finding() []directory.Finding {
	if s.found == 0 {
		return nil
	}
	return []directory.Finding{{File: "tools/list", Line: 1, Severity: directory.SeverityWarning, Rule: "secret_echoed",
		Message: "the server repeats a secret of the connection in what it lists; " + scrubbed + " stands in its place", Hint: "tell the server's author, and give the server a new secret"}}
}

// scrubbedError is an error whose words are without the secrets.
type scrubbedError struct {
	error
	text string
}

func (e *scrubbedError) Error() string { return e.text }

func (e *scrubbedError) Unwrap() error { return e.error }

func (s *scrubber) error(err error) error {
	if err == nil {
		return nil
	}
	return &scrubbedError{err, s.text(err.Error())}
}

// scrubbing is a server's list without the secrets.
type scrubbing struct {
	importer.Lister
	*scrubber
}

func (s scrubbing) Page(ctx context.Context, cursor string) ([]json.RawMessage, string, error) {
	tools, next, err := s.Lister.Page(ctx, cursor)
	for i := range tools {
		tools[i] = s.json(tools[i])
	}
	return tools, next, s.error(err)
}
