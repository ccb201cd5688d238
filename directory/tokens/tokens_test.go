package tokens

import (
	"math/rand"
	"strings"
	"testing"

	"codemode/bench"
)

// The counts of short texts are those that the vocabulary's makers publish for it.
func TestCount(t *testing.T) {
	c := New()
	for text, want := range map[string]int{
		"":                             0,
		"hello world":                  2,
		"tiktoken is great!":           6,
		"antidisestablishmentarianism": 6,
		"2 + 2 = 4":                    7,
		"お誕生日おめでとう":                    9,
	} {
		if got := c.Count(text); got != want {
			t.Errorf("Count(%q) = %d, want %d", text, got, want)
		}
	}
}

// Where a window ends at a line's end nothing is counted twice.
func TestCountInWindows(t *testing.T) {
	c := New()
	r := rand.New(rand.NewSource(1))
	words := []string{"tools.crm.listContacts", "(args?: {", "  limit?: number;", "}\n", "\n\n", "// é", "日本", " ", "    ", ";\n"}
	for range 50 {
		var b strings.Builder
		for b.Len() < 3*window {
			b.WriteString(words[r.Intn(len(words))])
		}
		text := b.String()
		whole, err := c.load().Count(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Count(text); got != whole {
			t.Errorf("in windows %d tokens, at once %d", got, whole)
		}
	}
}

// A text's tokens are those of its parts where each ends a line and none begins with a blank: what
// answers within a budget add up by.
func TestBlocksAddUp(t *testing.T) {
	c := New()
	blocks := []string{"crm (3 methods)\n", "- list(a?) - Lists.\n", "// x\n", "}): Promise<{ a: string }>;\n", "日本 - 説明。\n", "2 more\n", "'s\n", "\"a\"\n"}
	for _, a := range blocks {
		for _, b := range blocks {
			if got, want := c.Count(a+b), c.Count(a)+c.Count(b); got != want {
				t.Errorf("%q and %q are %d apart and %d together", a, b, want, got)
			}
		}
	}
}

func TestFits(t *testing.T) {
	c := New()
	long := strings.Repeat("word ", 2000)
	for _, limit := range []int{0, 1, 100, c.Count(long) - 1, c.Count(long), 20_000} {
		if got, want := c.Fits(long, limit), c.Count(long) <= limit; got != want {
			t.Errorf("Fits(%d) = %v, want %v", limit, got, want)
		}
	}
}

// Text made to be slow is counted all the same.
func TestHostileText(t *testing.T) {
	c := New()
	for _, piece := range []string{" ", "a", "\n", "\xff", "\t\n", "'", "\u3000"} {
		text := strings.Repeat(piece, 1<<18)
		if n := c.Count(text); n < len(text)/maxToken || n > len(text) {
			t.Errorf("%q: %d tokens of %d bytes", piece, n, len(text))
		}
	}
}

func BenchmarkCount(b *testing.B) {
	c := New()
	text := strings.Repeat("/** Lists the contacts of the CRM, a page at a time. */\ntools.crm.listContacts(args?: { limit?: number }): Promise<unknown>;\n", 45)
	c.Count(text)
	var timer bench.Timer
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		timer.Time(func() { c.Count(text) })
	}
	timer.Report(b)
}
