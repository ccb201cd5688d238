package template

// This file speaks the legacy surface, where a call is a key and one text body whose arguments are
// parted by "|" with no escape. Typed calls never take this road.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// SplitBody reads the arguments of a legacy body. An empty body has none; one that is JSON as a
// whole is a single argument; one whose first non-space byte is "{" or "[" and that is no JSON is
// ErrMalformedJSON; anything else is split on "|", with no escape, into strings.
func SplitBody(body string) ([]json.RawMessage, error) {
	if !utf8.ValidString(body) {
		return nil, fmt.Errorf("%w: the body is not valid UTF-8", ErrValue)
	}
	if body == "" {
		return nil, nil
	}
	if json.Valid([]byte(body)) {
		return []json.RawMessage{json.RawMessage(strings.TrimSpace(body))}, nil
	}
	if looksJSON(strings.TrimLeft(body, " \t\r\n")) {
		return nil, fmt.Errorf("%w: the body starts like JSON and is not", ErrMalformedJSON)
	}
	var args []json.RawMessage
	for _, text := range strings.Split(body, "|") {
		args = append(args, quote(text))
	}
	return args, nil
}

// Legacy makes the values of a template from the arguments of a legacy body. The tail slot takes
// the rest re-joined by "|". Text that is JSON fills a bare JSON slot as that JSON, since legacy text
// has no types; the argument of a tail or a quoted slot stays text.
func (t *Template) Legacy(args []json.RawMessage) (Values, error) {
	args = append([]json.RawMessage(nil), args...)
	if tail := t.TailIndex(); tail > 0 && len(args) > tail {
		rest, err := joinTexts(args[tail-1:])
		if err != nil {
			return Values{}, err
		}
		args = append(args[:tail-1], quote(rest))
	}
	for i, raw := range args {
		if !t.onlyBare(i + 1) {
			continue
		}
		if text, err := textOf(raw); err == nil && json.Valid([]byte(text)) {
			args[i] = json.RawMessage(text)
		}
	}
	return Values{Args: args}, nil
}

// onlyBare reports whether every slot of an argument is a bare JSON value.
func (t *Template) onlyBare(index int) bool {
	found := false
	for _, s := range t.Slots {
		if s.Index != index {
			continue
		}
		if s.Context != JSONValue {
			return false
		}
		found = true
	}
	return found
}

func joinTexts(args []json.RawMessage) (string, error) {
	var texts []string
	for _, raw := range args {
		text, err := legacyText(raw)
		if err != nil {
			return "", err
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "|"), nil
}

// legacyText is the text of an argument; an absent one is empty.
func legacyText(raw json.RawMessage) (string, error) {
	if raw == nil {
		return "", nil
	}
	if !json.Valid(raw) || !utf8.Valid(raw) {
		return "", fmt.Errorf("%w: not valid JSON", ErrValue)
	}
	return textOf(bytes.TrimSpace(raw))
}

// JoinBody writes a legacy body. tail is the index (from 1) of the argument that may hold "|", 0 for
// none; it must be the last. Nothing ambiguous is written: a "|" elsewhere is ErrPipe, and a body that
// the other side would read as other arguments is ErrAmbiguous. A string that spells a number,
// true or false passes, since both readings fill a template with the same text; one that spells an
// object, an array, a quoted string or null does not: give the JSON value itself to mean it.
func JoinBody(args []json.RawMessage, tail int) (string, error) {
	for len(args) > 0 && args[len(args)-1] == nil {
		args = args[:len(args)-1]
	}
	if tail > 0 && len(args) > tail {
		return "", fmt.Errorf("%w: argument %d stands after the tail", ErrAmbiguous, len(args))
	}
	texts := make([]string, len(args))
	for i, raw := range args {
		text, err := legacyText(raw)
		if err != nil {
			return "", fmt.Errorf("argument %d: %w", i+1, err)
		}
		if strings.Contains(text, "|") && i+1 != tail && !(len(args) == 1 && isContainer(raw)) {
			return "", fmt.Errorf("argument %d: %w", i+1, ErrPipe)
		}
		texts[i] = text
	}
	body := strings.Join(texts, "|")
	return body, checkBody(body, args)
}

// isContainer reports whether an argument is an object or array, which is read whole.
func isContainer(raw json.RawMessage) bool { return looksJSON(string(bytes.TrimSpace(raw))) }

// checkBody reads the body as the other side will.
func checkBody(body string, args []json.RawMessage) error {
	read, err := SplitBody(body)
	if err != nil {
		return fmt.Errorf("%w: the text begins like JSON", ErrAmbiguous)
	}
	whole := json.Valid([]byte(body))
	switch {
	case !whole:
		return nil
	case len(args) != 1:
		return fmt.Errorf("%w: together they spell one JSON value", ErrAmbiguous)
	case bytes.TrimSpace(args[0])[0] == '"' && !isPlainScalar(read[0]):
		return fmt.Errorf("%w: the text spells a JSON value", ErrAmbiguous)
	}
	return nil
}

// isPlainScalar reports whether JSON is a number, true or false.
func isPlainScalar(raw json.RawMessage) bool { return strings.IndexByte(`{["n`, raw[0]) < 0 }

// Dispatch renders a text template as the body for a remote legacy dispatcher: its arguments are
// cut at the template's own "|", and only a final tail slot may bring more of them. Errors: those of JoinBody.
func (t *Template) Dispatch(v Values) (string, error) {
	if err := t.want(Text); err != nil {
		return "", err
	}
	f := &filler{v: v}
	if t.body.json != nil {
		text, err := f.renderJSON(t.body.json)
		return text, err
	}
	var args []json.RawMessage
	pieces := splitParts(t.body.plain)
	for _, parts := range pieces {
		arg, err := f.dispatchArg(parts)
		if err != nil {
			return "", err
		}
		args = append(args, arg)
	}
	tail := 0
	if last := pieces[len(pieces)-1]; len(last) == 1 && last[0].slot != nil && last[0].slot.Form == Tail {
		tail = len(pieces)
	}
	return JoinBody(args, tail)
}

func (f *filler) dispatchArg(parts []part) (json.RawMessage, error) {
	if len(parts) == 1 && parts[0].slot != nil && parts[0].slot.dollar == "" && !parts[0].slot.plus {
		return f.value(parts[0].slot)
	}
	text, _, err := f.fill(parts, verbatim)
	return quote(text), err
}

// splitParts cuts parts at the "|" of their literal text. It returns at least one piece.
func splitParts(parts []part) [][]part {
	pieces := [][]part{nil}
	for _, p := range parts {
		if p.slot != nil {
			pieces[len(pieces)-1] = append(pieces[len(pieces)-1], p)
			continue
		}
		for i, text := range strings.Split(p.lit, "|") {
			if i > 0 {
				pieces = append(pieces, nil)
			}
			if text != "" {
				pieces[len(pieces)-1] = append(pieces[len(pieces)-1], part{lit: text})
			}
		}
	}
	return pieces
}
