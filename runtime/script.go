package runtime

// This file holds the accepted script: the author's files and the modules made of them.

// Script is one or more files that import each other; Entry is run.
type Script struct {
	Entry string
	Files []SourceFile
	// Silent is set when nothing in the entry says what the result is: it will be null.
	Silent bool
}

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

// Author turns a place in Module into the place in Text; a place inside inserted text, or past the
// author's last line, becomes the nearest place the author wrote.
func (f SourceFile) Author(line, column int) (int, int) {
	if in := f.Inserted; in.Columns > 0 && line == in.Line && column >= in.Column {
		column = max(in.Column, column-in.Columns)
	}
	if last, width := end(f.Text); line > last {
		return last, width + 1
	}
	return line, column
}

// end returns the number of the text's last line and its width in UTF-16 units.
func end(text string) (line, width int) {
	line = 1
	for _, r := range text {
		switch {
		case r == '\n':
			line, width = line+1, 0
		case r > 0xFFFF:
			width += 2
		default:
			width++
		}
	}
	return line, width
}
