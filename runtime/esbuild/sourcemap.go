package esbuild

// This file reads a source map (ECMA-426) into places in the author's coordinates.

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"codemode/runtime"
)

type sourceMap struct {
	Sources  []string `json:"sources"`
	Mappings string   `json:"mappings"`
}

// places decodes the mappings; shift is how many lines the code was moved down after the map was made.
func (m sourceMap) places(s runtime.Script, shift int) ([]runtime.Place, error) {
	files := make([]authored, len(m.Sources))
	for i, name := range m.Sources {
		f, ok := s.File(strings.TrimPrefix(name, namespace+":"))
		if !ok {
			return nil, fmt.Errorf("its source map names %q, which is no file of the script", name)
		}
		files[i] = authored{f, 1 + strings.Count(f.Text, "\n")}
	}
	var out []runtime.Place
	var src, line, col int
	for n, row := range strings.Split(m.Mappings, ";") {
		genCol := 0
		for _, segment := range strings.Split(row, ",") {
			v, err := decodeVLQ(segment)
			if err != nil {
				return nil, err
			}
			if len(v) == 0 {
				continue
			}
			genCol += v[0]
			if len(v) < 4 {
				continue
			}
			src, line, col = src+v[1], line+v[2], col+v[3]
			if src < 0 || src >= len(files) {
				return nil, errors.New("its source map refers to a file it does not list")
			}
			out = append(out, runtime.Place{Line: n + 1 + shift, Column: genCol + 1, Author: files[src].at(line+1, col+1)})
		}
	}
	return out, nil
}

// authored is a file with the number of its last line. SourceFile.Author measures the text for each place,
// which for the many places of a large file adds up to minutes.
type authored struct {
	runtime.SourceFile
	last int
}

func (f authored) at(line, column int) runtime.Pos {
	if at := (runtime.Pos{File: f.Name, Line: line, Column: column}); at.InPackage() {
		return at
	}
	if line > f.last {
		line, column = f.Author(line, column)
	} else if in := f.Inserted; in.Columns > 0 && line == in.Line && column >= in.Column {
		column = max(in.Column, column-in.Columns)
	}
	return runtime.Pos{File: f.Name, Line: line, Column: column}
}

const base64Digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// decodeVLQ reads one segment: signed numbers in groups of five bits, lowest first.
func decodeVLQ(segment string) ([]int, error) {
	var out []int
	value, bits := 0, 0
	for i := 0; i < len(segment); i++ {
		digit := strings.IndexByte(base64Digits, segment[i])
		if digit < 0 || bits > 30 {
			return nil, fmt.Errorf("its source map holds the malformed segment %q", segment)
		}
		value |= (digit & 31) << bits
		bits += 5
		if digit&32 != 0 {
			continue
		}
		n := value >> 1
		if value&1 != 0 {
			n = -n
		}
		out, value, bits = append(out, n), 0, 0
	}
	return out, nil
}

// inBytes turns the places' columns from UTF-16 units into bytes. They differ where esbuild leaves
// text as it is, in the raw text of tagged templates.
func inBytes(code string, places []runtime.Place) []runtime.Place {
	if isASCII(code) {
		return places
	}
	lines := splitLines(code)
	for i, p := range places {
		if p.Line <= len(lines) {
			places[i].Column = byteColumn(lines[p.Line-1], p.Column)
		}
	}
	return places
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// splitLines splits where ECMAScript does, which source maps and engines follow.
func splitLines(code string) []string {
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n").Replace(code), "\n")
}

func byteColumn(line string, column int) int {
	unit := 1
	for at, r := range line {
		if unit >= column {
			return at + 1
		}
		unit++
		if r > 0xFFFF {
			unit++
		}
	}
	return len(line) + column - unit + 1
}
