package template

// This file holds the body of http templates, the argument array of fn and the message of text.

import (
	"encoding/json"
	"fmt"
	"strings"
)

// body is JSON, a form or plain text; the zero value is no body.
type body struct {
	json  *node
	form  []pair
	plain []part
}

const (
	jsonType = "application/json"
	formType = "application/x-www-form-urlencoded"
	textType = "text/plain; charset=utf-8"
)

// parseBody reads the body of a request: JSON when it starts with "{" or "[", a form after "form:",
// else plain text.
func parseBody(b *builder, content string) (body, error) {
	content = strings.TrimSpace(content)
	if form, ok := cutFold(content, "form:"); ok {
		return body{form: parsePairs(b, strings.TrimSpace(form), FormValue)}, nil
	}
	if looksJSON(content) {
		n, err := parseJSON(b, content)
		return body{json: n}, err
	}
	return body{plain: b.lex(content, place{ctx: Body, prose: true})}, nil
}

// parseText reads a message. One that starts like JSON and is none is plain text.
func parseText(b *builder, content string) body {
	content = strings.TrimSpace(content)
	if looksJSON(content) {
		before := b.mark()
		if n, err := parseJSON(b, content); err == nil {
			return body{json: n}
		}
		b.reset(before)
	}
	return body{plain: b.lex(content, place{ctx: Body, prose: true})}
}

func looksJSON(content string) bool {
	return strings.HasPrefix(content, "{") || strings.HasPrefix(content, "[")
}

func cutFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// renderBody returns the bytes and their media type, "" without a body.
func (f *filler) renderBody(b body) (text, mediaType string, err error) {
	switch {
	case b.json != nil && b.json.kind == slotNode:
		return f.renderWhole(b.json)
	case b.json != nil:
		text, err = f.renderJSON(b.json)
		return text, jsonType, err
	case b.form != nil:
		text, err = f.renderPairs(b.form, escapeForm)
		return text, formType, err
	case b.plain == nil:
		return "", "", nil
	}
	text, absent, err := f.fill(b.plain, verbatim)
	if err != nil || absent {
		return "", "", err
	}
	return text, f.plainType(b.plain), nil
}

// renderWhole renders a body that is one bare slot: its value as JSON, and no body without one.
func (f *filler) renderWhole(n *node) (text, mediaType string, err error) {
	var out strings.Builder
	present, err := f.writeJSON(&out, n)
	if err != nil || !present {
		return "", "", err
	}
	return out.String(), jsonType, nil
}

// plainType is JSON when the body is one slot filled by something other than a string.
func (f *filler) plainType(parts []part) string {
	if len(parts) == 1 && parts[0].slot != nil && parts[0].slot.Whole {
		if raw, err := f.value(parts[0].slot); err == nil && len(raw) > 0 && raw[0] != '"' {
			return jsonType
		}
	}
	return textType
}

func verbatim(_ *slot, text string) (string, error) { return text, nil }

func (t *Template) parseFn(b *builder, content string) error {
	content = strings.TrimSpace(content)
	if content == "" {
		content = `["$1"]`
	}
	n, err := parseJSON(b, content)
	if err != nil {
		return err
	}
	if n.kind != arrayNode {
		return fmt.Errorf(`%w: a fn template is a JSON array of arguments, such as ["$1","$2"]`, ErrTemplate)
	}
	t.body.json = n
	return nil
}

// Arguments renders a fn template: one JSON value an argument. An absent whole argument is null.
func (t *Template) Arguments(v Values) ([]json.RawMessage, error) {
	if err := t.want(Fn); err != nil {
		return nil, err
	}
	f := &filler{v: v}
	args := make([]json.RawMessage, len(t.body.json.items))
	for i, item := range t.body.json.items {
		text, err := f.renderJSON(item)
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", i+1, err)
		}
		args[i] = json.RawMessage(text)
	}
	return args, nil
}

// Text renders the message of a text template. Plain text takes values verbatim; a JSON message
// escapes them.
func (t *Template) Text(v Values) (string, error) {
	if err := t.want(Text); err != nil {
		return "", err
	}
	text, _, err := (&filler{v: v}).renderBody(t.body)
	return text, err
}
