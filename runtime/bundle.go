package runtime

// This file holds the bundled script: the code that runs, and where each part of it was written.

import "sort"

// Bundle is a script as one piece of code.
type Bundle struct {
	// Code is one expression: an async function without parameters that runs the script's modules and
	// returns the default export of its entry.
	Code string
	// Places are sorted by place in Code.
	Places []Place
}

// Place says that Code from Line and Column (from 1, in bytes) on was written at Author.
type Place struct {
	Line, Column int
	Author       Pos
}

// Author returns where the code at line and column was written. It returns false for code that the
// bundler put in.
func (b Bundle) Author(line, column int) (Pos, bool) {
	i := sort.Search(len(b.Places), func(i int) bool {
		p := b.Places[i]
		return p.Line > line || p.Line == line && p.Column > column
	})
	if i == 0 || b.Places[i-1].Line != line {
		return Pos{}, false
	}
	return b.Places[i-1].Author, true
}
