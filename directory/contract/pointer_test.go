package contract

import "testing"

// TestTokens holds the cases of RFC 6901, 5 and those where the order of the two replacements tells.
func TestTokens(t *testing.T) {
	for name, token := range map[string]string{
		"": "", "foo": "foo", "a/b": "a~1b", "m~n": "m~0n", "~1": "~01", "~0": "~00", "/~": "~1~0", "%25": "%25", "é": "é",
	} {
		if got := EscapeToken(name); got != token {
			t.Errorf("EscapeToken(%q) = %q, want %q", name, got, token)
		}
		if got := UnescapeToken(token); got != name {
			t.Errorf("UnescapeToken(%q) = %q, want %q", token, got, name)
		}
	}
}
