package directory

// nearest returns the candidate that word is most likely a misspelling of, or "". The distance is
// Levenshtein's, at most a third of the word's length; the first of equals wins.
func nearest(word string, candidates []string) string {
	if len(word) > 64 {
		return ""
	}
	best, at := "", max(1, len(word)/3)+1
	for _, c := range candidates {
		if d := distance(word, c); d < at {
			best, at = c, d
		}
	}
	return best
}

func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
