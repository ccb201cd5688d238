package contract

// This file holds the one rule by which an integer is a bigint in a script: whoever writes a type and
// whoever delivers a value decides by it.

import (
	"encoding/json"
	"math/big"
	"strings"
)

// WideInteger reports whether a schema of type integer, decoded with numbers as json.Number, allows
// values that a double would round: format int64 or uint64, or a bound past 2^53.
func WideInteger(keywords map[string]any) bool {
	if f, _ := keywords["format"].(string); f == "int64" || f == "uint64" {
		return true
	}
	for _, k := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"} {
		if n, ok := keywords[k].(json.Number); ok && Beyond(string(n), 1<<53) {
			return true
		}
	}
	return false
}

// WideLiteral reports whether a JSON number is an integer past 2^53 that is written in digits alone:
// as a value of const or enum it is a bigint.
func WideLiteral(number string) bool {
	return !strings.ContainsAny(number, ".eE") && Beyond(number, 1<<53)
}

// maxNumber is the length in bytes past which a number counts as beyond everything.
const maxNumber = 400

// Beyond reports whether the magnitude of a JSON number exceeds a limit, exactly for limits up to 2^53.
// What is no number exceeds none.
func Beyond(number string, limit float64) bool {
	if len(number) > maxNumber {
		return true
	}
	f, _, err := big.ParseFloat(number, 10, 64+4*uint(len(number)), big.ToZero)
	return err == nil && f.Abs(f).Cmp(big.NewFloat(limit)) > 0
}
