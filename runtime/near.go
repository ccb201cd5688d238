package runtime

// This file finds the name that was probably meant.

import (
	"slices"
	"strings"

	"codemode/directory/contract"
)

// Nearest returns the name closest to the one asked for, "" when none is close. Letter case does not
// count. At most the first 1,000 names are looked at.
func Nearest(asked string, names []string) string {
	best, least := "", min(2+len(asked)/4, max(1, len(asked)))
	for _, name := range names[:min(len(names), 1000)] {
		if d := contract.EditDistance(strings.ToLower(asked), strings.ToLower(name)); d < least {
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
		if d := contract.EditDistance(strings.ToLower(asked), strings.ToLower(name)); d <= 1+len(asked)/4 {
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
