package runtime

// This file finds the name that was probably meant, for the packages below this one.

import "strings"

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
