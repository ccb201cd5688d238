package infer

// This file reads a list of names within a sentence: "Arguments: id|qty", "Params: city, day".

import (
	"regexp"
	"strings"
)

var inlineList = regexp.MustCompile(`(?i)\b(?:args?|arguments?|params?|parameters?|inputs?|usage|body|takes|expects|call it with)\s*[:=]?\s*((?:[\p{L}_][\p{L}\p{N}_.\-]*\??)(?:\s?\|\s?[\p{L}_][\p{L}\p{N}_.\-]*\??)+)`)

// readInline reads the first such list.
func readInline(p passage) docArgs {
	text := p.text()
	if !strings.Contains(text, "|") || p.label == "ex" {
		return docArgs{}
	}
	m := inlineList.FindStringSubmatch(text)
	if m == nil {
		return docArgs{}
	}
	var out docArgs
	if !out.addPipes(m[1]) {
		return docArgs{}
	}
	return docArgs{params: out.params, listed: true}
}
