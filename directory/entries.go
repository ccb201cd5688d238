package directory

// This file cuts a file into entries so that a broken one does not take the next one down.

import (
	"bytes"
	"encoding/json"
	"iter"
	"path/filepath"
	"strings"
)

// entry is the text of one entry.
type entry struct {
	text    []byte
	line    int    // of the file, from 1
	lead    []byte // what stands before it on that line
	problem string // what is wrong around it, or ""
}

// lineEntries are the lines that are not blank.
func lineEntries(data []byte) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		for line := 1; len(data) > 0; line++ {
			text, rest, _ := bytes.Cut(data, []byte("\n"))
			data = rest
			if text = bytes.TrimRight(text, " \t\r"); len(bytes.TrimSpace(text)) > 0 && !yield(entry{text: text, line: line}) {
				return
			}
		}
	}
}

// oneEntry is the whole file.
func oneEntry(data []byte) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		text := bytes.TrimSpace(data)
		at := bytes.IndexByte(data, '{')
		yield(entry{text: text, line: 1 + bytes.Count(data[:at], []byte("\n")), lead: data[bytes.LastIndexByte(data[:at], '\n')+1 : at]})
	}
}

// isOneObject reports whether a .json file is a single object over several lines.
func isOneObject(path string, data []byte) bool {
	return strings.EqualFold(filepath.Ext(path), ".json") && bytes.HasPrefix(data, []byte("{")) && json.Valid(data)
}

// arrayEntries cuts a JSON array at the commas between its items, going by brackets and quotes
// alone, so that the items need not be valid.
func arrayEntries(data []byte) iter.Seq[entry] {
	return func(yield func(entry) bool) {
		s := arrayScanner{data: data, line: 1}
		s.skipSpace()
		s.at++ // the bracket
		for {
			e, more := s.next()
			if (len(e.text) > 0 || e.problem != "") && !yield(e) {
				return
			}
			if !more {
				s.rest(yield)
				return
			}
		}
	}
}

type arrayScanner struct {
	data []byte
	at   int
	line int
	done int // items so far

	lineStart int
}

func (s *arrayScanner) newline() {
	s.line++
	s.lineStart = s.at + 1
}

// next reads up to the comma or bracket after an item; more is false at the end of the array.
func (s *arrayScanner) next() (e entry, more bool) {
	s.skipSpace()
	e.line, e.lead = s.line, s.data[s.lineStart:s.at]
	start, depth, quoted := s.at, 0, false
	for ; s.at < len(s.data); s.at++ {
		c := s.data[s.at]
		if c == '\n' {
			s.newline()
		}
		switch {
		case quoted && c == '\\':
			if s.at++; s.at < len(s.data) && s.data[s.at] == '\n' {
				s.newline()
			}
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case depth > 0 && (c == '}' || c == ']'):
			depth--
		case depth == 0 && (c == ',' || c == ']'):
			return s.item(e, start, c)
		}
	}
	e.text = bytes.TrimSpace(s.data[start:])
	e.problem = "the array does not end; a bracket or quote is missing from here on"
	return e, false
}

func (s *arrayScanner) item(e entry, start int, end byte) (entry, bool) {
	e.text = bytes.TrimSpace(s.data[start:s.at])
	s.at++
	if len(e.text) == 0 && (end == ',' || s.done > 0) {
		e.problem = "an item is missing beside a comma"
	}
	s.done++
	return e, end == ','
}

// rest reports what stands after the array.
func (s *arrayScanner) rest(yield func(entry) bool) {
	if s.at >= len(s.data) {
		return
	}
	if s.skipSpace(); s.at < len(s.data) {
		yield(entry{text: s.data[s.at:], line: s.line, problem: "text after the end of the array"})
	}
}

func (s *arrayScanner) skipSpace() {
	for ; s.at < len(s.data) && bytes.IndexByte([]byte(" \t\r\n"), s.data[s.at]) >= 0; s.at++ {
		if s.data[s.at] == '\n' {
			s.newline()
		}
	}
}
