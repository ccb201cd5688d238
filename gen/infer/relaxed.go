package infer

// This file reads JSON as people write it in documentation: with comments, a comma too many, "..." where
// more would stand, <int> where a value would.

import (
	"bytes"
	"encoding/json"
	"strings"
)

// readJSON reads the JSON value at the start of a text, and the comments on the members of its outermost
// object. length is how much of the text it takes.
func readJSON(text string) (v any, length int, remarks map[string]string, ok bool) {
	if v, length, ok = strictJSON(text); ok {
		return v, length, nil, true
	}
	if !objectStart.MatchString(text) {
		return nil, 0, nil, false
	}
	r := relaxed{text: text, remarks: map[string]string{}}
	if !r.read() {
		return nil, 0, nil, false
	}
	if v, _, ok = strictJSON(string(r.out)); !ok {
		return nil, 0, nil, false
	}
	return v, r.at, r.remarks, true
}

// objectStart is how an object with members begins.
var objectStart = compile(`^\{\s*(?:(?://|#|/\*)[^\n]*\s*)*["'\w$][^{}\[\]\n]{0,80}:`)

func strictJSON(text string) (any, int, bool) {
	dec := json.NewDecoder(bytes.NewReader([]byte(text)))
	dec.UseNumber()
	v, err := parseValue(dec, maxTypeDepth)
	return v, int(dec.InputOffset()), err == nil
}

// relaxed writes a text as strict JSON up to the bracket that closes it.
type relaxed struct {
	text    string
	at      int
	depth   int
	out     []byte
	key     string // the last member of the outermost object
	above   string // a comment on a line of its own, of the member below it
	remarks map[string]string
}

func (r *relaxed) read() bool {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == '"':
			if !r.quoted() {
				return false
			}
			continue
		case c == '\'':
			if !r.singleQuoted() {
				return false
			}
			continue
		case r.bareWord(), c == '<' && r.place():
			continue
		case strings.HasPrefix(r.text[r.at:], "//"), c == '#':
			r.comment("\n")
			continue
		case strings.HasPrefix(r.text[r.at:], "/*"):
			r.comment("*/")
			continue
		case strings.HasPrefix(r.text[r.at:], "..."):
			r.at += 3
			continue
		case c == '{' || c == '[':
			r.depth++
		case c == '}' || c == ']':
			r.depth--
			r.dropComma()
		}
		r.out = append(r.out, r.text[r.at])
		if r.at++; r.depth == 0 {
			return true
		}
	}
	return false
}

// quoted copies a string and notes the names of members.
func (r *relaxed) quoted() bool {
	end := r.at + 1
	for end < len(r.text) && r.text[end] != '"' {
		if r.text[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(r.text) {
		return false
	}
	r.put(r.text[r.at:end+1], end+1)
	return true
}

// put writes a string and goes on behind it.
func (r *relaxed) put(word string, next int) {
	r.out = append(r.out, word...)
	r.at = next
	if r.depth == 1 && strings.HasPrefix(strings.TrimLeft(r.text[r.at:], " \t"), ":") {
		r.key = word[1 : len(word)-1]
		r.say(r.above)
		r.above = ""
	}
}

// singleQuoted copies a string as Python writes it.
func (r *relaxed) singleQuoted() bool {
	inner, _, ok := strings.Cut(r.text[r.at+1:], "'")
	if !ok || strings.ContainsAny(inner, "\"\\\n") {
		return false
	}
	r.put(`"`+inner+`"`, r.at+len(inner)+2)
	return true
}

var (
	bareKey   = compile(`^[A-Za-z_$][\w$]*(\s*:)`)
	bareValue = compile(`^(True|False|None)\b`)
	barePlace = compile(`^<[\p{L}][\p{L}\p{N}_ |,\-]{0,60}>`)
	pythonic  = map[string]string{"True": "true", "False": "false", "None": "null"}
)

// bareWord copies a member's name without quotes, as JavaScript writes it, or a value of Python.
func (r *relaxed) bareWord() bool {
	c, written := r.text[r.at], bytes.TrimRight(r.out, " \t\r\n")
	if !isWordByte(c) || len(written) == 0 || isWordByte(r.out[len(r.out)-1]) {
		return false
	}
	rest := r.text[r.at:min(len(r.text), r.at+100)]
	if m := bareValue.FindString(rest); m != "" {
		r.out = append(r.out, pythonic[m]...)
		r.at += len(m)
		return true
	}
	m := bareKey.FindStringSubmatch(rest)
	if last := written[len(written)-1]; m == nil || last != '{' && last != ',' {
		return false
	}
	key := strings.TrimSuffix(m[0], m[1])
	r.put(`"`+key+`"`, r.at+len(key))
	return true
}

// place copies a word in angle brackets that stands for a value: "<int>".
func (r *relaxed) place() bool {
	m := barePlace.FindString(r.text[r.at:min(len(r.text), r.at+100)])
	if m == "" {
		return false
	}
	r.out = append(r.out, `"`+m+`"`...)
	r.at += len(m)
	return true
}

// comment takes a comment up to its end. It is on the member that its line has, else on the next one.
func (r *relaxed) comment(end string) {
	line := r.text[strings.LastIndexByte(r.text[:r.at], '\n')+1 : r.at]
	rest := r.text[r.at:]
	length := strings.Index(rest, end)
	if length < 0 {
		length = len(rest)
	}
	words := strings.TrimSpace(strings.Trim(rest[:length], "/*# "))
	r.at += length
	if end == "*/" {
		r.at = min(r.at+2, len(r.text))
	}
	switch alone := strings.TrimSpace(line) == "" || strings.TrimSpace(line) == "{"; {
	case alone && r.depth == 1:
		r.above = strings.TrimSpace(r.above + " " + words)
	case !alone && strings.Contains(line, r.key):
		r.say(words)
	}
}

func (r *relaxed) say(words string) {
	if r.key != "" && words != "" {
		r.remarks[r.key] = strings.TrimSpace(r.remarks[r.key] + " " + words)
	}
}

// dropComma takes away a comma before a closing bracket.
func (r *relaxed) dropComma() {
	if written := bytes.TrimRight(r.out, " \t\r\n"); bytes.HasSuffix(written, []byte(",")) {
		r.out = written[:len(written)-1]
	}
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
