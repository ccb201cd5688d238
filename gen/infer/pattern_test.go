package infer

// This file holds the patterns to one promise: what they look for before they run never hides a match.

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
	"unicode"
)

func TestNeeds(t *testing.T) {
	for _, c := range []struct{ expr, ruledOut, let string }{
		{`(?i)\bdefault(?:s| is)? to\b`, "the limit is 20", "DEFAULTS TO 20"},
		{`^\W{0,3}(?:is|are) one of`, "the status is one of a, b", ", is one of a, b"},
		{`(?:,|;)? ?unless \w+|otherwise`, "20 if given", "20 otherwise"},
		{`(?i)\b(?:par défaut|необязательн)`, "par hasard", "PAR DÉFAUT"},
		{`(?i)^[^.;]{0,20}(?:->|→)\s*\{`, "answers {id}", "answers → {id}"},
	} {
		p := compile(c.expr)
		patterns = patterns[:len(patterns)-1]
		if p.may(c.ruledOut) || !p.may(c.let) || !p.MatchString(c.let) {
			t.Errorf("%s: %q %v, %q %v", c.expr, c.ruledOut, p.may(c.ruledOut), c.let, p.may(c.let))
		}
	}
}

// TestPatternsHideNothing asks every pattern about what it was written for, and about all that the
// example directory and the cases of this package say, from each word on.
func TestPatternsHideNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	texts := fixtureTexts(t)
	spared, asked := 0, 0
	for i, p := range patterns {
		re := p.regexp()
		parsed, err := syntax.Parse(p.expr, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		matched := 0
		for n := 0; n < 100 || matched == 0 && n < 10_000; n++ { // letters of any script seldom make a word's edge
			made := written(random, parsed, "")
			if re.MatchString(made) {
				matched++
				mustLet(t, p, made)
			}
		}
		if matched == 0 {
			t.Errorf("%s: no text was made that it matches", p.expr)
		}
		for j := i % 20; j < len(texts); j += 20 {
			asked++
			if !p.may(texts[j]) {
				spared++
				if re.MatchString(texts[j]) {
					mustLet(t, p, texts[j])
				}
			}
		}
	}
	t.Logf("%d of %d texts spared", spared, asked)
	if spared < asked/2 {
		t.Error("the needs rule out too little to be worth their while")
	}
}

func mustLet(t *testing.T, p *pattern, text string) {
	t.Helper()
	if !p.may(text) {
		t.Errorf("%s matches %q, and its needs hide it", p.expr, text)
	}
}

// fixtureTexts are the distinct lines of the fixtures, and each line from each of its words on.
func fixtureTexts(t *testing.T) []string {
	t.Helper()
	seen := map[string]bool{}
	add := func(text string) {
		for line := range strings.Lines(text) {
			for line = strings.TrimSuffix(line, "\n"); line != ""; {
				seen[line] = true
				at := strings.IndexByte(line[1:], ' ')
				if at < 0 {
					break
				}
				line = line[1+at:]
			}
		}
	}
	for _, glob := range []string{"../../fixtures/directory/*.jsonl", "testdata/*.txtar", "testdata/phrasings/*.txtar"} {
		files, err := filepath.Glob(filepath.FromSlash(glob))
		if err != nil || len(files) == 0 {
			t.Fatalf("no fixtures at %s: %v", glob, err)
		}
		for _, file := range files {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(raw)) {
				var row map[string]any
				if json.Unmarshal([]byte(line), &row) != nil {
					add(line)
				}
				for _, v := range row {
					if s, ok := v.(string); ok {
						add(s)
					}
				}
			}
		}
	}
	return slices.Sorted(func(yield func(string) bool) {
		for text := range seen {
			if !yield(text) {
				return
			}
		}
	})
}

// written adds to a text what an expression matches, each choice at random.
func written(random *rand.Rand, re *syntax.Regexp, text string) string {
	times := func(least, most int) string {
		for range least + random.IntN(most-least+1) {
			text = written(random, re.Sub[0], text)
		}
		return text
	}
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			for f := random.IntN(3); re.Flags&syntax.FoldCase != 0 && f > 0; f-- {
				r = unicode.SimpleFold(r)
			}
			text += string(r)
		}
	case syntax.OpCharClass:
		at := 2 * random.IntN(len(re.Rune)/2)
		text += string(re.Rune[at] + random.Int32N(min(re.Rune[at+1]-re.Rune[at], 90)+1))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		text += string([]rune("aK.ſ —")[random.IntN(6)])
	case syntax.OpStar:
		return times(0, 3)
	case syntax.OpPlus:
		return times(1, 3)
	case syntax.OpQuest:
		return times(0, 1)
	case syntax.OpRepeat:
		return times(re.Min, max(re.Min+3, re.Max))
	case syntax.OpCapture:
		return written(random, re.Sub[0], text)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			text = written(random, sub, text)
		}
	case syntax.OpAlternate:
		return written(random, re.Sub[random.IntN(len(re.Sub))], text)
	}
	return text
}

// FuzzNeeds holds for any expression and any text, in UTF-8 or not.
func FuzzNeeds(f *testing.F) {
	for _, p := range patterns {
		f.Add(p.expr, "is 20 unless given, or left out otherwise")
	}
	f.Add(`(?i)\bſ?k+(?:É|[a-c])?$`, "\xff K\u212A")
	f.Add(`(?i:is)\x{FFFD}`, "is\xff")
	f.Add(`(?m)^ab`, "x\nab")
	f.Fuzz(func(t *testing.T, expr, text string) {
		re, err := regexp.Compile(expr)
		if err != nil || len(expr) > 2000 {
			return
		}
		p := &pattern{expr: expr, needs: func() []need { return needsOf(expr) }}
		if re.MatchString(text) {
			mustLet(t, p, text)
		}
	})
}
