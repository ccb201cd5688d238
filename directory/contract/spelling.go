package contract

// This file measures how far two names are apart, for whoever asks "did you mean".

const maxSpelling = 100

// EditDistance counts the insertions, deletions, substitutions and swaps of neighbours (the restricted
// Damerau-Levenshtein distance) that lead from a to b, in bytes. Names over 100 bytes are as far apart
// as the longer is long.
func EditDistance(a, b string) int {
	if len(a) > maxSpelling || len(b) > maxSpelling {
		return max(len(a), len(b))
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			cost := last[j]
			if a[i] != b[j] {
				cost++
			}
			row[j+1] = min(cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
