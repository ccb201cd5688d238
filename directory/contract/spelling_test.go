package contract

import (
	"strings"
	"testing"
)

func TestEditDistance(t *testing.T) {
	long := strings.Repeat("x", maxSpelling+1)
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"list", "list", 0}, {"list", "lists", 1}, {"list", "lost", 1},
		{"list", "ilst", 1}, {"ab", "ba", 1}, {"ca", "abc", 3}, {"kitten", "sitting", 3}, {long, long, maxSpelling + 1},
	} {
		if got := EditDistance(tt.a, tt.b); got != tt.want {
			t.Errorf("EditDistance(%.20q, %.20q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := EditDistance(tt.b, tt.a); got != tt.want {
			t.Errorf("EditDistance(%.20q, %.20q) = %d, want %d", tt.b, tt.a, got, tt.want)
		}
	}
}
