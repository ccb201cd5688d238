package contract_test

import (
	"strings"
	"testing"

	"codemode/directory/contract"
)

func TestCheckedPattern(t *testing.T) {
	for text, want := range map[string]string{
		`^[a-z]+$`: `^[a-z]+$`, `^\u0041$`: `^\x{0041}$`, `\\u0041`: `\\u0041`, `\d{3}`: `\d{3}`, ``: ``,
	} {
		if got, instructions, ok := contract.CheckedPattern(text); !ok || got != want || instructions == 0 {
			t.Errorf("%q: %q, %d instructions, %t; want %q", text, got, instructions, ok, want)
		}
	}
	for _, text := range []string{
		`^(?!admin)`, `(?<=a)b`, `(a)\1`, `^(a{1000}){2}$`, `a{1001}`, `(((a{30}){30}){30}){30}`, `\cA`, `(`, `\uD800`, `\u00`, strings.Repeat("a", 4097),
	} {
		if got, _, ok := contract.CheckedPattern(text); ok {
			t.Errorf("%.40q is checked as %.40q", text, got)
		}
	}
}
