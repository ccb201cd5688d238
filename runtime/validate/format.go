package validate

// This file holds the integer formats (OpenAPI's registry has them, JSON Schema leaves them open),
// what is stricter or looser than the library, and the words for the usual formats.

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func integerFormats() []*jsonschema.Format {
	var formats []*jsonschema.Format
	for _, f := range []struct {
		name  string
		least int64
		most  uint64
	}{
		{"int32", math.MinInt32, math.MaxInt32},
		{"int64", math.MinInt64, math.MaxInt64},
		{"uint32", 0, math.MaxUint32},
		{"uint64", 0, math.MaxUint64},
	} {
		least, most := new(big.Rat).SetInt64(f.least), new(big.Rat).SetUint64(f.most)
		formats = append(formats, &jsonschema.Format{Name: f.name, Validate: func(v any) error {
			n, ok := v.(json.Number)
			if !ok {
				return nil // a format speaks of its own kind of value only
			}
			r, ok := rational(n)
			if !ok || !r.IsInt() || r.Cmp(least) < 0 || r.Cmp(most) > 0 {
				return fmt.Errorf("not an %s", f.name)
			}
			return nil
		}})
	}
	return formats
}

// ignored are formats that the library knows too loosely or too strictly to refuse a value by.
func ignored() []*jsonschema.Format {
	var formats []*jsonschema.Format
	for _, name := range []string{"iri", "iri-reference", "uri-template", "semver", "period"} {
		formats = append(formats, &jsonschema.Format{Name: name, Validate: func(any) error { return nil }})
	}
	return formats
}

// stricter refuses what the library's own check of a format lets pass.
func stricter(format string, v any) error {
	text, ok := v.(string)
	if !ok {
		return nil
	}
	bad := false
	switch format {
	case "email":
		bad = strings.HasPrefix(text, "@")
	case "ipv4":
		bad = strings.Contains(text, "+")
	case "uri", "uri-reference":
		bad = !uriText(text)
	}
	if bad {
		return fmt.Errorf("not %s", formatWords(format))
	}
	return nil
}

// uriText reports whether only characters of RFC 3986 stand in a URL, brackets in its host alone.
func uriText(text string) bool {
	for _, c := range []byte(text) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			return false
		}
	}
	rest := text
	if _, after, ok := strings.Cut(text, "//"); ok {
		end := strings.IndexAny(after, "/?#")
		if end < 0 {
			return strings.Count(after, "@") < 2
		}
		if strings.Count(after[:end], "@") > 1 {
			return false
		}
		rest = after[end:]
	}
	return !strings.ContainsAny(rest, "[]")
}

func rational(n json.Number) (*big.Rat, bool) { return new(big.Rat).SetString(n.String()) }

// formatWords says what a format looks like.
func formatWords(name string) string {
	switch name {
	case "date":
		return "a date such as 2026-01-31"
	case "time":
		return "a time such as 15:04:05Z"
	case "date-time":
		return "a date and time such as 2026-01-31T15:04:05Z"
	case "duration":
		return "a duration such as PT15M"
	case "uri":
		return "a full URL such as https://example.com/x"
	case "email":
		return "an email address"
	case "uuid":
		return "a UUID"
	case "ipv4":
		return "an IPv4 address"
	case "ipv6":
		return "an IPv6 address"
	case "hostname":
		return "a host name"
	case "int32":
		return "an integer from -2147483648 to 2147483647"
	case "int64":
		return "an integer from -9223372036854775808 to 9223372036854775807"
	case "uint32":
		return "an integer from 0 to 4294967295"
	case "uint64":
		return "an integer from 0 to 18446744073709551615"
	}
	return "format " + clip(name, 40)
}
