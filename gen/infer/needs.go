package infer

// This file reads from a regular expression what every text that it matches has.

import (
	"math"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	anywhere  = math.MaxInt32
	maxExact  = 64 // strings that an expression may stand for, written out
	maxPieces = 256
	maxRunes  = 12 // of a class
)

// facts are what is known of the texts that a part of an expression matches.
type facts struct {
	exact []string // all of them in lower case, nil where they are too many
	needs []need   // what each of them has, where they are not exact
	width int      // the most runes of one
}

// all are the needs, of exact texts too.
func (f facts) all() []need {
	if f.exact != nil {
		return oneOf(f.exact, 0)
	}
	return f.needs
}

func readExpr(re *syntax.Regexp) facts {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return facts{exact: []string{""}}
	case syntax.OpLiteral:
		var parts []facts
		for _, r := range re.Rune {
			parts = append(parts, readRune(r, re.Flags&syntax.FoldCase != 0))
		}
		return inRow(parts)
	case syntax.OpCharClass:
		return readClass(re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return facts{width: 1}
	case syntax.OpCapture:
		return readExpr(re.Sub[0])
	case syntax.OpQuest:
		if got := readExpr(re.Sub[0]); got.exact != nil {
			return facts{exact: append([]string{""}, got.exact...), width: got.width}
		} else {
			return facts{width: got.width}
		}
	case syntax.OpPlus:
		return facts{needs: readExpr(re.Sub[0]).all(), width: anywhere}
	case syntax.OpConcat:
		return inRow(readEach(re.Sub))
	case syntax.OpAlternate:
		return either(readEach(re.Sub))
	}
	return facts{width: anywhere}
}

func readEach(subs []*syntax.Regexp) []facts {
	var out []facts
	for _, sub := range subs {
		out = append(out, readExpr(sub))
	}
	return out
}

func readRune(r rune, anyCase bool) facts {
	runes := []rune{r, r}
	for f := unicode.SimpleFold(r); anyCase && f != r; f = unicode.SimpleFold(f) {
		runes = append(runes, f, f)
	}
	return readClass(runes)
}

// readClass takes the runes as pairs of first and last.
func readClass(ranges []rune) facts {
	out := facts{width: 1}
	for i := 0; i < len(ranges); i += 2 {
		lo, hi := ranges[i], ranges[i+1]
		if hi-lo >= maxRunes || lo <= utf8.RuneError && utf8.RuneError <= hi {
			return facts{width: 1}
		}
		for r := lo; r <= hi; r++ {
			if r != 'ſ' && r != '\u212A' { // see may
				out.exact = append(out.exact, lowerASCII(r))
			}
		}
	}
	out.exact = unique(out.exact)
	if len(out.exact) > maxRunes {
		out.exact = nil
	}
	return out
}

func lowerASCII(r rune) string {
	if r < utf8.RuneSelf {
		return string(rune(lowerByte(byte(r))))
	}
	return string(r)
}

// inRow are parts that follow each other. Exact ones are put together as long as they are not too many.
func inRow(parts []facts) facts {
	var needs []need
	run, start, width, exact := []string{""}, 0, 0, true
	end := func(next []string) {
		needs = append(needs, oneOf(run, start)...)
		run, exact = next, false
	}
	for _, p := range parts {
		after := min(anywhere, width+p.width)
		switch {
		case p.exact == nil:
			end([]string{""})
			for _, n := range p.needs {
				n.last = min(anywhere, width+n.last)
				needs = append(needs, n)
			}
			start = after
		case len(run)*len(p.exact) <= maxExact:
			run = crossed(run, p.exact)
		default:
			end(p.exact)
			start = width
		}
		width = after
	}
	if exact {
		return facts{exact: run, width: width}
	}
	end(nil)
	return facts{needs: needs, width: width}
}

func crossed(heads, tails []string) []string {
	var out []string
	for _, h := range heads {
		for _, t := range tails {
			out = append(out, h+t)
		}
	}
	return unique(out)
}

// either is one of several parts.
func either(parts []facts) facts {
	out := facts{exact: []string{}}
	var pieces []string
	last := 0
	for _, p := range parts {
		out.width = max(out.width, p.width)
		if p.exact == nil {
			out.exact = nil
		} else if out.exact != nil {
			out.exact = append(out.exact, p.exact...)
		}
		needs := p.all()
		if len(needs) == 0 || pieces == nil && last < 0 {
			last = -1
			continue
		}
		best := slices.MaxFunc(needs, func(a, b need) int { return a.worth() - b.worth() })
		pieces = append(pieces, best.pieces...)
		if last >= 0 {
			last = max(last, best.last)
		}
	}
	if out.exact = unique(out.exact); out.exact != nil && len(out.exact) <= maxExact {
		return out
	}
	out.exact = nil
	if last >= 0 {
		out.needs = oneOf(pieces, last)
	}
	return out
}

// worth is how much a need rules out: long pieces are rare.
func (n need) worth() int {
	shortest := anywhere
	for _, p := range n.pieces {
		shortest = min(shortest, len(p))
	}
	return min(shortest, 5)*maxPieces - len(n.pieces)
}

// oneOf is the need of one of the texts, none where one of them is empty.
func oneOf(texts []string, last int) []need {
	n := need{last: last}
	for _, t := range unique(texts) {
		if t == "" {
			return nil
		}
		if len(n.pieces) > 0 && strings.HasPrefix(t, n.pieces[len(n.pieces)-1]) {
			continue
		}
		n.add(t)
	}
	if len(n.pieces) == 0 || len(n.pieces) > maxPieces {
		return nil
	}
	return []need{n}
}

func (n *need) add(piece string) {
	first := piece[0] & 31
	n.pieces, n.begin[first] = append(n.pieces, piece), append(n.begin[first], piece)
	if len(piece) == 1 {
		n.pairs[first] = math.MaxUint32
	} else {
		n.pairs[first] |= 1 << (piece[1] & 31)
	}
}

func unique(texts []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(texts)))
}

// atStart reports whether an expression matches at the beginning of a text only.
func atStart(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpBeginText:
		return true
	case syntax.OpCapture:
		return atStart(re.Sub[0])
	case syntax.OpConcat:
		return atStart(re.Sub[0])
	case syntax.OpAlternate:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !atStart(sub) })
	}
	return false
}
