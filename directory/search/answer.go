package search

// This file writes what a search found, within a budget of tokens.

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"codemode/directory"
	"codemode/directory/contract"
)

// AnswerOptions say how to write an answer. All functions must be set.
type AnswerOptions struct {
	// Tokens is the most that the answer may take, as Count counts; 0 means no limit. An answer below
	// MinTokens can say nothing, and is empty.
	Tokens int
	// Declarations is the most that are written out, pages among them; 0 means 8.
	Declarations int
	// Declare writes the complete declaration of an operation, Line its line of the index.
	Declare func(contract.Contract) string
	Line    func(contract.Contract) string
	// Count is what a text costs in tokens.
	Count func(string) int
}

// MinTokens is the least budget that an answer is written for.
const MinTokens = 100

const (
	defaultDeclarations = 8
	// declaredShare is how much of the budget declarations may take: the lines below them name three
	// operations in the room of one declaration. Tuned on even query ids, like the weights.
	declaredShare = 0.6
	noteTokens    = 40       // kept for the last line
	maxPageBytes  = 16 << 10 // of a page's text, before the budget cuts it
)

// Part is a hit as an answer shows it: exactly one of Declaration, Line and Text is set.
type Part struct {
	Hit
	Declaration string // complete
	Line        string // of the index, where there was no room for more
	Text        string // of a page
	// Tokens is what the part takes; Needs what its declaration would have, where it was tried and
	// there was no room.
	Tokens, Needs int
}

// Found is an answer.
type Found struct {
	Parts []Part // best first
	Left  int    // hits that had no room at all
	// Text is the answer as a reader gets it, and Tokens what it takes.
	Text   string
	Tokens int
}

// Answer writes the best hits as complete declarations, and the next as lines, until the budget is
// used up. A declaration is never cut: one without room stands as a line, which says what it takes
// where that is over the whole budget.
func Answer(hits []Hit, o AnswerOptions) Found {
	if o.Declarations == 0 {
		o.Declarations = defaultDeclarations
	}
	if o.Tokens > 0 && o.Tokens < MinTokens {
		return Found{Left: len(hits)}
	}
	w := answer{o: o, room: o.Tokens - noteTokens, parts: map[int]Part{}, needs: map[int]int{}}
	if o.Tokens == 0 {
		w.room = unlimited
	}
	w.declare(hits)
	w.lines(hits)
	return w.found(hits)
}

const unlimited = 1 << 40

type answer struct {
	o     AnswerOptions
	room  int          // tokens left
	parts map[int]Part // by hit
	needs map[int]int  // what hits that were not declared would have taken
}

// declare takes declarations and pages in the order of hits while they fit their share; the best hit
// may take all there is. One that the whole budget has no room for is named at once.
func (w *answer) declare(hits []Hit) {
	whole := w.room
	share := int(float64(whole) * declaredShare)
	for i, h := range hits[:min(len(hits), 2*w.o.Declarations)] {
		p := w.full(h, share)
		limit := min(share, w.room)
		if i == 0 {
			limit = whole
		}
		if p.Tokens > limit {
			w.needs[i] = p.Tokens
			if p.Tokens > whole {
				w.line(i, h)
			}
			continue
		}
		w.parts[i] = p
		share -= p.Tokens
		w.room -= p.Tokens
		if len(w.parts) == w.o.Declarations {
			return
		}
	}
}

// full is a hit with all there is to say. Of a page too long for a share the beginning is taken, and
// the cut is said.
func (w *answer) full(h Hit, share int) Part {
	p := Part{Hit: h}
	if h.Page == nil {
		p.Declaration = ended(w.o.Declare(h.Contract))
		p.Tokens = w.o.Count(p.Declaration + "\n")
		return p
	}
	text := PageText(*h.Page)
	for size := min(len(text), maxPageBytes); ; size /= 2 {
		p.Text = text
		if size < len(text) {
			p.Text = fmt.Sprintf("%s\n[cut: %d more bytes]\n", clip(text, size), len(text)-len(clip(text, size)))
		}
		if p.Tokens = w.o.Count(p.Text + "\n"); p.Tokens <= share || size < 200 {
			return p
		}
	}
}

// lines takes a line of each further hit while it fits.
func (w *answer) lines(hits []Hit) {
	for i, h := range hits {
		if _, done := w.parts[i]; !done {
			w.line(i, h)
		}
	}
}

// line takes the line of a hit if it fits.
func (w *answer) line(i int, h Hit) {
	p := Part{Hit: h, Needs: w.needs[i]}
	switch {
	case h.Page != nil:
		p.Line = "// page " + visible(h.Name()) + "\n"
	case p.Needs > w.o.Tokens-noteTokens: // it would have no room by itself
		p.Line = fmt.Sprintf("%s [declaration: %d tokens]\n", w.o.Line(h.Contract), p.Needs)
	default:
		p.Line = w.o.Line(h.Contract) + "\n"
	}
	if p.Tokens = w.o.Count(p.Line); p.Tokens <= w.room {
		w.parts[i] = p
		w.room -= p.Tokens
	}
}

// found puts the parts together: in the text declarations come before lines.
func (w *answer) found(hits []Hit) Found {
	f := Found{Left: len(hits) - len(w.parts)}
	var full, lines strings.Builder
	for i := range hits {
		p, ok := w.parts[i]
		switch {
		case !ok:
			continue
		case p.Line != "":
			lines.WriteString(p.Line)
		default:
			full.WriteString(p.Declaration + p.Text + "\n")
		}
		f.Parts = append(f.Parts, p)
	}
	if lines.Len() > 0 {
		full.WriteString("// A line each; search by name for a declaration:\n" + lines.String())
	}
	if f.Left > 0 {
		fmt.Fprintf(&full, "// %d more matched and have no room here.\n", f.Left)
	}
	f.Text = full.String()
	f.Tokens = w.o.Count(f.Text)
	return f
}

// PageText is a page as comment lines: its key, what it is about, and its content without comment
// signs of its own. Characters that are not seen are left out.
func PageText(p directory.Row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "// Page %s\n", visible(p.Key))
	for _, text := range []string{p.Description, p.WhenToUse, p.Content} {
		if text != p.Content && strings.Contains(p.Content, text) {
			continue // it was taken from there
		}
		for line := range strings.Lines(text) {
			if line = visible(strings.TrimLeft(line, "# ")); line != "" {
				b.WriteString("// " + line + "\n")
			}
		}
	}
	return b.String()
}

// visible is text on one line, without controls and marks that change how others are read.
func visible(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.In(r, unicode.C) || r == utf8.RuneError:
			return -1
		}
		return r
	}, text)), " ")
}

// ended makes a text end with one line end.
func ended(text string) string { return strings.TrimRight(text, "\n") + "\n" }
