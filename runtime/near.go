package runtime

// This file finds the name that was probably meant.

import (
	"slices"
	"strings"
)

// Nearest returns the name closest to the one asked for, "" when none is close. Letter case does not
// count. At most the first 1,000 names are looked at.
func Nearest(asked string, names []string) string {
	best, least := "", min(2+len(asked)/4, max(1, len(asked)))
	for _, name := range names[:min(len(names), 1000)] {
		if d := editDistance(strings.ToLower(asked), strings.ToLower(name)); d < least {
			best, least = name, d
		}
	}
	return best
}

// nearest returns up to three names that are close to the one asked for, closest first.
func nearest(asked string, names []string) []string {
	if asked == "" {
		return nil
	}
	if !strings.Contains(asked, ".") {
		names = namespaces(names)
	}
	type scored struct {
		name     string
		distance int
	}
	var close []scored
	for _, name := range names {
		if d := editDistance(strings.ToLower(asked), strings.ToLower(name)); d <= 1+len(asked)/4 {
			close = append(close, scored{name, d})
		}
	}
	slices.SortStableFunc(close, func(a, b scored) int { return a.distance - b.distance })
	out := []string{}
	for _, c := range close[:min(3, len(close))] {
		out = append(out, c.name)
	}
	return out
}

func namespaces(names []string) []string {
	var out []string
	for _, n := range names {
		namespace, _, _ := strings.Cut(n, ".")
		out = append(out, namespace)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// editDistance counts insertions, deletions, substitutions and swaps of neighbours (the restricted
// Damerau-Levenshtein distance), over bytes.
func editDistance(a, b string) int {
	if len(a) > 100 || len(b) > 100 {
		return max(len(a), len(b))
	}
	before, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, prev, row = prev, row, before
	}
	return prev[len(b)]
}
