package template

// This file tells a price from a slot, in prose only.

import (
	"slices"
	"strings"
)

// currencies are names after "$" that are money, not secrets.
var currencies = []string{"USD", "AUD", "CAD", "NZD", "HKD", "SGD", "TWD", "MXN", "BRL", "EUR", "GBP", "US", "AU", "CA"}

// priceUnits are what a price is given per.
var priceUnits = []string{"1m", "1k", "1mm", "m", "k", "mm", "million", "thousand", "month", "mo", "year", "yr", "hour", "hr",
	"day", "week", "minute", "min", "second", "user", "seat", "token", "tokens", "request", "requests", "call", "gb", "mb", "tb", "unit", "item"}

// isPrice reports whether a number with before and after it is an amount of money.
func isPrice(before, after string) bool {
	return currencyPrefix(before) || decimals(after) || magnitude(after) || perUnit(after)
}

// currencyPrefix: "US$5", "HK$5", "A$5", not "-C$1" and not "x$2".
func currencyPrefix(before string) bool {
	before = before[max(0, len(before)-4):]
	word := before[strings.LastIndexAny(before, " \t\n(\"'")+1:]
	return slices.Contains([]string{"US", "AU", "CA", "NZ", "HK", "SG", "TW", "MX", "A", "C", "R", "S"}, word)
}

// decimals: "$1.50", "$1,000", not "$1.7z" and not "$1. 2".
func decimals(after string) bool {
	if after == "" || after[0] != '.' && after[0] != ',' {
		return false
	}
	n := span(after[1:], func(c byte) bool { return c >= '0' && c <= '9' })
	rest := after[1+n:]
	return n > 0 && (after[0] == '.' || n == 3) && (rest == "" || !isNameByte(rest[0]))
}

// magnitude: "$5k", "$2M", "$3bn", "$5 million", "$5 USD".
func magnitude(after string) bool {
	word := firstWord(after)
	if slices.Contains([]string{"k", "K", "m", "M", "b", "B", "bn", "mn"}, word) {
		return true
	}
	if !strings.HasPrefix(after, " ") {
		return false
	}
	word = firstWord(after[1:])
	return slices.Contains([]string{"million", "billion", "dollars", "cents", "bucks"}, word) || slices.Contains(currencies[:10], word)
}

// perUnit: "$15 per 1M", "$15/month", "$15 a month".
func perUnit(after string) bool {
	for _, lead := range []string{" per ", " / ", "/", " a ", " an ", " each "} {
		rest, ok := strings.CutPrefix(after, lead)
		if ok && slices.Contains(priceUnits, strings.ToLower(firstWord(rest))) {
			return true
		}
	}
	return false
}

func firstWord(s string) string { return s[:span(s, isNameByte)] }
