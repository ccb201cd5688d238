package directory

import "codemode/directory/contract"

// nearest returns the candidate that word is most likely a misspelling of, or "". The distance is at
// most a third of the word's length, and at least 1; the first of equals wins.
func nearest(word string, candidates []string) string {
	if len(word) > 64 {
		return ""
	}
	best, at := "", max(1, len(word)/3)+1
	for _, c := range candidates {
		if d := contract.EditDistance(word, c); d < at {
			best, at = c, d
		}
	}
	return best
}
