package search

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codemode/directory/tokens"
)

func entries(spaces, methods int) []Entry {
	var out []Entry
	for s := range spaces {
		for m := range methods {
			name := fmt.Sprintf("space%d.method%d", s, m)
			out = append(out, Entry{Name: name, Call: name + "(first, second?)", Purpose: "Does what it says, and no more"})
		}
	}
	return out
}

func TestCatalogue(t *testing.T) {
	count := tokens.New().Count
	few := []Entry{
		{Name: "crm.list", Call: "crm.list(status?)", Purpose: "Lists the contacts"},
		{Name: "crm.get", Call: "crm.get(id)", Purpose: "Reads one contact"},
		{Name: "bank.pay", Call: "bank.pay(to, cents)", Purpose: "Pays", Mark: "*"},
	}
	for _, tt := range []struct {
		budget int
		want   string
	}{
		{1000, "bank (1)\n- pay(to, cents)* - Pays\ncrm (2)\n- get(id) - Reads one contact\n- list(status?) - Lists the contacts\n"},
		{28, "bank (1)\n- pay(to, cents)* - Pays\ncrm (2)\n- get(id)\n- list(status?)\n"},
		{23, "bank (1)\n- pay(to, cents)*\ncrm (2)\n- get(id)\n- list(status?)\n"},
		{19, "bank (1)\n- pay(to, cents)*\ncrm (2): get, list\n"},
		{15, "bank (1): pay*\ncrm (2): get, list\n"},
		{9, "bank (1)\ncrm (2)\n"},
		{3, ""},
	} {
		got := Catalogue(few, tt.budget, count)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("in %d tokens (-want +got), %d used:\n%s", tt.budget, count(got), diff)
		}
	}
	if got := Catalogue(nil, 1000, count); got != "" {
		t.Errorf("of nothing: %q", got)
	}
}

// Whatever the directory, the budget holds, every namespace that fits is there, and the order of the
// entries does not matter.
func TestCatalogueHolds(t *testing.T) {
	count := tokens.New().Count
	r := rand.New(rand.NewSource(1))
	for range 200 {
		list := entries(1+r.Intn(12), 1+r.Intn(30))
		list = slices.DeleteFunc(list, func(Entry) bool { return r.Intn(3) == 0 })
		for i := range list {
			list[i].Purpose = strings.Repeat("Δ word, ", r.Intn(8))
		}
		budget := r.Intn(1200)
		got := Catalogue(list, budget, count)
		if n := count(got); n > budget {
			t.Fatalf("%d tokens for a budget of %d:\n%s", n, budget, got)
		}
		spaces := map[string]int{}
		for _, e := range list {
			ns, _, _ := strings.Cut(e.Name, ".")
			spaces[ns]++
		}
		heads := ""
		for ns, n := range spaces {
			heads += fmt.Sprintf("%s (%d)\n", ns, n)
		}
		for ns, n := range spaces {
			head := fmt.Sprintf("%s (%d)", ns, n)
			if count(heads) <= budget && !strings.Contains(got, head) {
				t.Fatalf("%s is missing for a budget of %d:\n%s", ns, budget, got)
			}
		}
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		if again := Catalogue(list, budget, count); again != got {
			t.Fatalf("another order gives\n%s\nwant\n%s", again, got)
		}
	}
}

// No namespace gets far ahead of another: the counts of named methods differ by one where neither has
// run out, and where names are of one length.
func TestCatalogueIsFair(t *testing.T) {
	got := Catalogue(entries(10, 50), 300, tokens.New().Count)
	least, most := 1000, 0
	for line := range strings.Lines(got) {
		n := strings.Count(line, "method")
		least, most = min(least, n), max(most, n)
	}
	if most-least > 1 || least < 3 {
		t.Errorf("%d to %d methods of a namespace are named:\n%s", least, most, got)
	}
}

func TestCatalogueOfMany(t *testing.T) {
	count := tokens.New().Count
	got := Catalogue(entries(300, 300), 1000, count)
	if n := count(got); n > 1000 || n < 950 || !strings.HasSuffix(got, "more namespaces; search finds them\n") {
		t.Errorf("%d tokens:\n%s", n, got)
	}
}
