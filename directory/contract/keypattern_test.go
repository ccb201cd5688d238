package contract

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestKeyPattern(t *testing.T) {
	for _, test := range []struct {
		expr string
		want KeyPattern // nil for one that is not read
	}{
		{"^x-", KeyPattern{"x-", ""}}, {"_id$", KeyPattern{"", "_id"}}, {"f.*o", KeyPattern{"", "f", "o", ""}},
		{"^a.*b$", KeyPattern{"a", "b"}}, {"^foo$", KeyPattern{"foo"}}, {"", KeyPattern{"", ""}}, {".*", KeyPattern{"", ""}},
		{"^.*$", KeyPattern{"", ""}}, {"^$", KeyPattern{""}}, {`^a\.b\$`, KeyPattern{"a.b$", ""}}, {"^á", KeyPattern{"á", ""}},
		{"^a|b", nil}, {"[0-9]", nil}, {`\d`, nil}, {"a+", nil}, {"ab*", nil}, {"a.b", nil}, {".*?x", nil}, {".**", nil}, {"a^b", nil}, {"a$b", nil}, {`a\`, nil}, {"^.+", nil},
	} {
		got, ok := ParseKeyPattern(test.expr)
		if ok != (test.want != nil) || !slices.Equal(got, test.want) {
			t.Errorf("%q: %q, %v; want %q", test.expr, got, ok, test.want)
		}
	}
}

// TestKeyPatternMatches holds the patterns against the regular expressions they were read from.
func TestKeyPatternMatches(t *testing.T) {
	keys := []string{"", "x", "x-", "x-a", "ax-", "foo", "fo", "f", "o", "of", "aba", "ab", "a", "aa", "axxb", "b", "a.b$", "a.b$c", "foofoo", "xx"}
	for _, expr := range []string{"^x-", "o$", "f.*o", "^a.*b$", "^a.*a$", "^foo$", "", "^$", `^a\.b\$`, "o.*o", "^f.*f.*o$", "x.*x"} {
		pattern, ok := ParseKeyPattern(expr)
		if !ok {
			t.Fatalf("%q is not read", expr)
		}
		for _, key := range keys {
			if got, want := pattern.Match(key), regexp.MustCompile(expr).MatchString(key); got != want {
				t.Errorf("%q on %q: %v, want %v", expr, key, got, want)
			}
		}
	}
}

// FuzzKeyPattern holds that what is read of an expression matches as the expression does.
func FuzzKeyPattern(f *testing.F) {
	f.Add("^x-", "x-a")
	f.Add("a.*b$", "cab")
	f.Add(`\.`, "a.b")
	f.Fuzz(func(t *testing.T, expr, key string) {
		pattern, ok := ParseKeyPattern(expr)
		re, err := regexp.Compile(expr)
		if !ok || err != nil || strings.ContainsAny(key, "\n") || !utf8.ValidString(expr) || !utf8.ValidString(key) {
			return
		}
		if got, want := pattern.Match(key), re.MatchString(key); got != want {
			t.Errorf("%q on %q: %v, want %v", expr, key, got, want)
		}
	})
}
