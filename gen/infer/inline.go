package infer

// This file reads a list of names within a sentence: "Arguments: id|qty", "Params: city, day".

import (
	"strings"
)

var inlineList = compile(`(?i)\b(?:args?|arguments?|params?|parameters?|inputs?|usage|body|takes|expects|call it with)\s*[:=]?\s*((?:[\p{L}_][\p{L}\p{N}_.\-]*\??)(?:\s?\|\s?[\p{L}_][\p{L}\p{N}_.\-]*\??)+)`)

// commaList is "Args: q, n?", which its colon and its end set apart.
var commaList = compile(`(?i)\b(?:args?|arguments?|params?|parameters?)\s*:\s*((?:[\p{L}_][\p{L}\p{N}_.\-]*\??)(?:\s?,\s?[\p{L}_][\p{L}\p{N}_.\-]*\??)+)\s*(?:$|[.;\n])`)

// readInline reads the first such list.
func readInline(p passage) docArgs {
	text := p.text()
	var out docArgs
	if p.label == "ex" || !strings.ContainsAny(text, "|,") {
		return docArgs{}
	}
	if m := commaList.FindStringSubmatch(text); m != nil && out.addCommas(m[1]) {
		return docArgs{params: out.params, listed: true}
	}
	m := inlineList.FindStringSubmatch(text)
	if m == nil {
		return docArgs{}
	}
	if !out.addPipes(m[1]) {
		return docArgs{}
	}
	return docArgs{params: out.params, listed: true}
}
