package search

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/directory/tokens"
)

func options(budget int) AnswerOptions {
	return AnswerOptions{
		Tokens: budget, Count: tokens.New().Count,
		Declare: func(c contract.Contract) string {
			return "/** " + c.Description + " */\ntools." + c.Name + "(): Promise<unknown>;\n"
		},
		Line: func(c contract.Contract) string { return c.Name + "()" },
	}
}

func hitsOf(lengths ...int) []Hit {
	var out []Hit
	for i, n := range lengths {
		out = append(out, Hit{Contract: contract.Contract{Name: fmt.Sprintf("a.m%d", i), Description: strings.Repeat("word ", n)}})
	}
	return out
}

func TestAnswer(t *testing.T) {
	page := Hit{Page: &directory.Row{Key: "HOW\u202e_TO", Description: "How to pay.", Content: "# WHAT: How to pay.\nFirst ask."}}
	for _, tt := range []struct {
		name   string
		hits   []Hit
		budget int
		want   string
	}{
		{"nothing", nil, 1000, ""},
		{"no limit", hitsOf(1, 2), 0, "/** word  */\ntools.a.m0(): Promise<unknown>;\n\n/** word word  */\ntools.a.m1(): Promise<unknown>;\n\n"},
		{"the first has no room", hitsOf(500, 1), 200, "/** word  */\ntools.a.m1(): Promise<unknown>;\n\n// A line each; search by name for a declaration:\na.m0() [declaration: 512 tokens]\n"},
		{"none has room", hitsOf(500, 600), 100, "// A line each; search by name for a declaration:\na.m0() [declaration: 512 tokens]\na.m1() [declaration: 612 tokens]\n"},
		{"a page", []Hit{page}, 1000, "// Page HOW_TO\n// WHAT: How to pay.\n// First ask.\n\n"},
		{"too little for anything", hitsOf(1), MinTokens - 1, ""},
	} {
		got := Answer(tt.hits, options(tt.budget))
		if got.Text != tt.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tt.name, got.Text, tt.want)
		}
	}
}

// A page is the one thing that is cut, and says so.
func TestAnswerCutsPages(t *testing.T) {
	page := Hit{Page: &directory.Row{Key: "P", Content: strings.Repeat("é word\n", 1000)}}
	got := Answer([]Hit{page}, options(300))
	if !strings.Contains(got.Text, "\n[cut: ") || got.Tokens > 300 || len(got.Parts) != 1 || got.Parts[0].Text == "" {
		t.Errorf("%d tokens:\n%s", got.Tokens, got.Text)
	}
}

// An answer is within its budget whatever is found, accounts for every hit, and cuts no declaration.
func TestAnswerHolds(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 300 {
		var lengths []int
		for range r.Intn(40) {
			lengths = append(lengths, r.Intn(300)*r.Intn(2)+r.Intn(30))
		}
		hits := hitsOf(lengths...)
		for i := range hits {
			if r.Intn(8) == 0 {
				hits[i] = Hit{Page: &directory.Row{Key: fmt.Sprint("P", i), Content: strings.Repeat("text. ", r.Intn(2000))}}
			}
		}
		budget := MinTokens + r.Intn(3000)
		o := options(budget)
		got := Answer(hits, o)
		if got.Tokens > budget || got.Tokens != o.Count(got.Text) {
			t.Fatalf("%d tokens for a budget of %d", got.Tokens, budget)
		}
		if len(got.Parts)+got.Left != len(hits) {
			t.Fatalf("%d parts and %d left of %d hits", len(got.Parts), got.Left, len(hits))
		}
		for _, p := range got.Parts {
			if p.Declaration != "" && p.Declaration != o.Declare(p.Contract) || (p.Declaration == "") == (p.Line+p.Text == "") {
				t.Fatalf("%+v", p)
			}
			if !strings.Contains(got.Text, p.Declaration+p.Line+p.Text) {
				t.Fatalf("the text is without %+v", p)
			}
		}
	}
}
