package importer

// This file takes JSON apart level by level, each piece with the place where it stands.

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// piece is a JSON value, or a line, within the list.
type piece struct {
	text []byte
	at   int // offset into the list
}

func (p piece) is(open byte) bool { return len(p.text) > 0 && p.text[0] == open }

// member is one entry of an object.
type member struct {
	name  string
	value piece
}

// items are the elements of an array that is valid JSON.
func items(p piece) []piece {
	var out []piece
	s := newScanner(p)
	for s.dec.More() {
		out = append(out, s.value())
	}
	return out
}

// members are the entries of an object that is valid JSON, in the order written.
func members(p piece) []member {
	var out []member
	s := newScanner(p)
	for s.dec.More() {
		tok, err := s.dec.Token()
		name, ok := tok.(string)
		if err != nil || !ok {
			return out
		}
		out = append(out, member{name, s.value()})
	}
	return out
}

type scanner struct {
	dec *json.Decoder
	of  piece
}

// newScanner stands behind the opening bracket.
func newScanner(p piece) *scanner {
	s := &scanner{json.NewDecoder(bytes.NewReader(p.text)), p}
	s.dec.Token() // valid and a bracket: the caller looked
	return s
}

func (s *scanner) value() piece {
	var raw json.RawMessage
	if err := s.dec.Decode(&raw); err != nil {
		return piece{} // not reached for valid JSON
	}
	end := int(s.dec.InputOffset())
	return piece{s.of.text[end-len(raw) : end], s.of.at + end - len(raw)}
}

// lines are the lines that are not blank.
func lines(data []byte) []piece {
	var out []piece
	for at := 0; at < len(data); {
		end := bytes.IndexByte(data[at:], '\n')
		if end < 0 {
			end = len(data) - at
		}
		if text := bytes.TrimSpace(data[at : at+end]); len(text) > 0 {
			out = append(out, piece{text, at})
		}
		at += end + 1
	}
	return out
}

// depth is how deep the brackets of valid JSON nest.
func depth(text []byte) int {
	deepest, now, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			now++
			deepest = max(deepest, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return deepest
}

// compact removes the white space that is not within strings.
func compact(text []byte) (json.RawMessage, error) {
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		return nil, fmt.Errorf("not valid JSON: %w", err)
	}
	return b.Bytes(), nil
}
