package golang

// This file picks Go types for numbers and literals.

import (
	"math/big"

	"codemode/gen/schema"
)

// integer picks the Go type that holds every value: by format, else by bounds. Only one that a double
// holds exactly reaches a script at a place that is not wide.
func integer(t *schema.Type) *typ {
	if !t.Wide {
		return &typ{form: basic, name: "int64"}
	}
	low, high := (*big.Int)(nil), (*big.Int)(nil)
	for _, c := range t.Doc.Constraints {
		switch c.Keyword {
		case "format":
			switch c.Value {
			case "int64", "uint64":
				return &typ{form: basic, name: c.Value, wide: true}
			}
		case "minimum", "exclusiveMinimum":
			low = parseBound(c.Value)
		case "maximum", "exclusiveMaximum":
			high = parseBound(c.Value)
		}
	}
	return integerWithin(low, high)
}

func integerWithin(low, high *big.Int) *typ {
	switch {
	case low == nil || high == nil:
	case low.IsInt64() && high.IsInt64():
		return &typ{form: basic, name: "int64", wide: true}
	case low.Sign() >= 0 && high.IsUint64():
		return &typ{form: basic, name: "uint64", wide: true}
	}
	return &typ{form: bigInt}
}

func parseBound(text string) *big.Int {
	if len(text) > 100 {
		return nil
	}
	n, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return nil
	}
	return n
}

func literal(t *schema.Type) *typ {
	note := "Always " + capped(string(t.Value), 80) + "."
	switch v := string(t.Value); {
	case v[0] == '"':
		return &typ{form: basic, name: "string", note: note}
	case v == "true" || v == "false":
		return &typ{form: basic, name: "bool", note: note}
	case t.Wide:
		n := parseBound(v)
		out := integerWithin(n, n)
		out.note = note
		return out
	case parseBound(v) != nil:
		return &typ{form: basic, name: "int64", note: note}
	}
	return &typ{form: basic, name: "float64", note: note}
}
