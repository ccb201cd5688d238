package runtime

// This file holds a script as it is sent, and as it is once accepted: the author's files and the modules
// made of them.

import "strings"

// Source is one file as the author sends it; the first of a list is the entry.
type Source struct{ Name, Text string }

// Script is one or more files that import each other; Entry is run.
type Script struct {
	Entry string
	Files []SourceFile
	// Silent is set when nothing in the entry says what the result is: it will be null.
	Silent bool
}

// PackagesFolder is where the files of packages stand among those of a script.
const PackagesFolder = "node_modules/"

// SourceFile is one file of a script. Checker and bundler read Module; every place they report is
// turned back with Author.
type SourceFile struct {
	Name string // "main.ts"; slash-separated, relative, no ".."
	Text string // as the author wrote it
	// Module is Text as an ES module. Text that was put in to make it one (a wrapper's head) stands
	// on one line, so that lines never move.
	Module string
	// Inserted says what was put in before the author's text: Columns UTF-16 units at Line, from
	// column Column on (all from 1); zero when nothing was.
	Inserted Insertion
	// From is the author's import that leads here, of a package's file; such a file has no Text.
	From Pos `json:",omitzero"`
}

// Insertion is text put into one line of a file.
type Insertion struct{ Line, Column, Columns int }

// File returns the file by name.
func (s Script) File(name string) (SourceFile, bool) {
	for _, f := range s.Files {
		if f.Name == name {
			return f, true
		}
	}
	return SourceFile{}, false
}

// sources are the files as places in a result name them.
func (s Script) sources() []Source {
	out := make([]Source, len(s.Files))
	for i, f := range s.Files {
		out[i] = Source{f.Name, f.Text}
		if strings.HasPrefix(f.Name, PackagesFolder) {
			out[i].Text = f.Module
		}
	}
	return out
}

// Author turns a place in Module into the place in Text; a place inside inserted text, or past the
// author's last line, becomes the nearest place the author wrote.
func (f SourceFile) Author(line, column int) (int, int) {
	if strings.HasPrefix(f.Name, PackagesFolder) {
		return line, column // nothing was put in
	}
	if in := f.Inserted; in.Columns > 0 && line == in.Line && column >= in.Column {
		column = max(in.Column, column-in.Columns)
	}
	if last := 1 + strings.Count(f.Text, "\n"); line > last {
		return last, 1 + units(f.Text[strings.LastIndexByte(f.Text, '\n')+1:])
	}
	return line, column
}

// units is the width of a text in UTF-16 units.
func units(text string) (n int) {
	for _, r := range text {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}
