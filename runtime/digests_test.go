package runtime

import (
	"fmt"
	"testing"

	"codemode/directory/contract"
)

// A digest that is kept is the one that would be made, whatever sets were asked for before.
func TestDigestsAreKept(t *testing.T) {
	kept := NewDigests()
	seen := map[string]int{}
	for round := range 2 {
		for n := range 3 * maxDigests {
			c := sealed("K", fmt.Sprintf("a.m%d", n), contract.Read)
			a := authority{names: []string{c.Name}, methods: map[string]contract.Contract{c.Name: c}}
			got, want := kept.of(a), (*Digests)(nil).of(a)
			if got != want {
				t.Errorf("round %d, set %d: %s, not %s", round, n, got, want)
			}
			if was, ok := seen[got]; ok && was != n {
				t.Errorf("sets %d and %d have one digest", was, n)
			}
			seen[got] = n
		}
	}
}
