package directory

// This file finds the credentials that a row writes into its headers itself. Lint refuses them, and what
// performs calls keeps them as secret as those that the service fills in.

import (
	"encoding/base64"
	"regexp"
	"strings"
)

// credentialHeader names headers whose literal value is a credential.
var credentialHeader = regexp.MustCompile(`(?i)^(?:authorization|proxy-authorization|cookie|.*(?:api[-_]?key|token|secret|password|passwd).*)$`)

var (
	// slotRE is what a call or the service fills in.
	slotRE = regexp.MustCompile(`\$+\w+\+?`)
	// longRE is a text that may be a credential beside a slot; names and schemes ("Bearer") have no digit.
	longRE = regexp.MustCompile(`[0-9A-Za-z._~+/-]{8,}`)
)

// minCookie is the shortest value of a cookie that is taken for a credential: "true" and "en" are none.
const minCookie = 8

// LiteralCredentials returns what of a header's value is a credential that the row writes itself, whole and
// in the parts that a destination may give back: without the scheme, decoded, a cookie's value.
//
//	LiteralCredentials("Authorization", "Bearer s3cr3t") // "Bearer s3cr3t", "s3cr3t"
//	LiteralCredentials("Authorization", "Bearer $TOKEN") // none
func LiteralCredentials(name, value string) []string {
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	switch {
	case !credentialHeader.MatchString(name) || value == "":
		return nil
	case strings.Contains(value, "$"):
		return besideSlots(value)
	}
	out := []string{value}
	if strings.EqualFold(name, "cookie") {
		return append(out, cookieValues(value)...)
	}
	scheme, rest, ok := strings.Cut(value, " ")
	if !ok {
		return out
	}
	rest = strings.TrimSpace(rest)
	out = append(out, rest)
	if raw, err := base64.StdEncoding.DecodeString(rest); err == nil && strings.EqualFold(scheme, "basic") {
		_, password, _ := strings.Cut(string(raw), ":")
		out = append(out, string(raw), password)
	}
	return out
}

func besideSlots(value string) (out []string) {
	for _, piece := range slotRE.Split(value, -1) {
		for _, text := range longRE.FindAllString(piece, -1) {
			if strings.ContainsAny(text, "0123456789") {
				out = append(out, text)
			}
		}
	}
	return out
}

func cookieValues(value string) (out []string) {
	for pair := range strings.SplitSeq(value, ";") {
		if _, v, ok := strings.Cut(pair, "="); ok && len(strings.TrimSpace(v)) >= minCookie {
			out = append(out, strings.TrimSpace(v))
		}
	}
	return out
}
