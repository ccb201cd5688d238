package infer

// This file reads what the line above a list or a table says that it is: "Mandatory", "What comes
// back:", "Query parameters (all optional):".

import (
	"slices"
	"strings"
)

// heading is what such a line says.
type heading struct {
	arguments bool
	result    bool
	other     bool  // neither: errors, examples
	required  *bool // of all that it stands above
}

var (
	// listHeads say that what follows are arguments: "Parameters:", "It takes the following arguments:".
	listHeads = compile(`(?i)\b(?:parameters?|params?|arguments?|args|inputs?)\b[^.:]{0,30}:?\W*$`)
	sentHeads = compile(`(?i)^\W*(?:in|input|request|query|query ?string|path|body|payload|(?:json|request|form) (?:body|payload|fields?)|what (?:goes in|(?:it|you|we) (?:takes?|needs?|sends?|give|pass|hand over|put in|want))|goes in|takes?|needs|expects|accepts|wants|asks for|to send|send|give(?: it)?|pass(?: in)?|(?:you|callers?) (?:give|send|pass|provide|supply|hand over)|(?:path|query|body|url|form) (?:fields|keys|parts|members))\b[^.]{0,30}$`)

	resultWords = compile(`(?i)^\W*(?:(?:it|the|example|on success,?|success(?:ful)?) )*(?:returns?|returned|response|result|answers?|output|reply|responds|yields)\b|(?i)^[^.|]{0,40}\b(?:answer|response|result|reply|output)s?\b[^.|]{0,20}:?\W*$`)
	resultHeads = compile(`(?i)^\W*(?:out|outcome|comes (?:back|out)|what (?:(?:comes|goes|you get|it gives|it sends) (?:back|out)|you (?:get|receive)|it (?:gives|returns|answers))|you (?:get|receive)|gives|(?:gives|sends|sent|hands|given|coming) back|back|(?:http )?20[0-9])\b[^.]{0,40}$`)
	otherHeads  = compile(`(?i)^\W*(?:errors?|error codes?|raises|throws|exceptions|notes?|remarks|examples?|limits|limitations|steps|see(?: also)?|exit codes?|status codes?|codes|events|roles|permissions|changes|todo|warnings?|(?:http )?[45][0-9x]{2})\b[^.]{0,40}$`)
	needHeads   = compile(`(?i)\b(?:required|mandatory|must[- ]?haves?|must be (?:there|given|set|sent|present)|you must (?:give|send|set|pass)|needed|always(?: sent| given| there)?|compulsory|obligatory|necessary|can(?:not|'t) be (?:left out|omitted))\b`)
	mayHeads    = compile(`(?i)\b(?:optional(?:ly)?|nice[- ]to[- ]haves?|extras?|additional(?:ly)?|(?:may|can) be (?:left out|omitted|skipped|added|given|set|missing)|(?:may|can) (?:also )?(?:add|give|send|set|pass)|if you (?:like|want|wish|need|care)|not (?:required|needed|mandatory|necessary|compulsory|obligatory)|on demand|as you like|leave out|voluntary)\b`)
)

// isSetting is a line of its own, "age: 30".
var isSetting = compile(`^[\w.\-]+\s*[:=]\s*\S`)

// maxHeading caps the words of one.
const maxHeading = 80

// readHeading reads the line above a list. Whole sentences say nothing of the kind here.
func readHeading(above string) heading {
	s := strings.Trim(above, "#*_= \t")
	var h heading
	if s == "" || len(s) > maxHeading {
		h.result = resultWords.MatchString(above)
		h.arguments = !h.result && listHeads.MatchString(above)
		return h
	}
	titled := !isSetting.MatchString(s) && strings.HasSuffix(strings.TrimRight(s, "*_ "), ":") || !isSetting.MatchString(s) && len(strings.Fields(s)) < 6 && !strings.HasSuffix(s, ".")
	switch {
	case listHeads.MatchString(s):
		h.arguments = true
	case resultWords.MatchString(s), titled && resultHeads.MatchString(s):
		h.result = true
		return h
	case titled && otherHeads.MatchString(s):
		h.other = true
		return h
	case titled && sentHeads.MatchString(s):
		h.arguments = true
	}
	if titled {
		h.required = neededBy(s)
		h.arguments = h.arguments || h.required != nil
	}
	return h
}

// neededBy is whether words say of all that follows that it must be given, nil where they do not.
func neededBy(s string) *bool {
	switch {
	case mayHeads.MatchString(s):
		return new(false)
	case needHeads.MatchString(s):
		return new(true)
	}
	return nil
}

// saysList reports whether a line says that a list follows, so that its items need no marks.
func saysList(above string) bool {
	if showsHead.MatchString(above) {
		return false
	}
	h := readHeading(above)
	return h.arguments || h.result || strings.EqualFold(strings.Trim(above, "#*_: "), "options") || strings.EqualFold(strings.Trim(above, "#*_: "), "fields")
}

// showsHead leads to something shown, and no list.
var showsHead = compile(`(?i)\b(?:yaml|toml|json|examples?|sample|e\.g|for instance|typical|looks? like|usage|synopsis)\b`)

// impose gives the heading's word to the arguments that say nothing themselves.
func (h heading) impose(params []docParam) {
	for i := range params {
		if d := &params[i]; h.required != nil && d.required == nil && !d.optional() {
			d.demand(*h.required)
		}
	}
}

// legendOf is what a line of the passage says that a mark on a name or a box means: "Ticked ones must be
// there", "* = required", "bold: mandatory". It is nil where none does.
func legendOf(p passage, marks *pattern) *bool {
	for _, line := range p.lines {
		if bulletMark.MatchString(line) || strings.HasPrefix(strings.TrimSpace(line), "|") || !marks.MatchString(line) {
			continue
		}
		for line = strings.TrimSpace(line); line != ""; {
			end := sentenceEnd(line)
			if s := line[:end]; marks.MatchString(s) {
				if need := neededBy(s); need != nil {
					return need
				}
			}
			line = strings.TrimSpace(line[end:])
		}
	}
	return nil
}

var (
	boxWords  = compile(`(?i)\b(?:tick(?:ed|s)?|check(?:ed)?|crossed|boxe?s?|marked|\[x\])`)
	starWords = compile(`(?i)(?:^\W{0,4}|\()\*(?:\s*(?:=|:|means|is|are|marks|indicates|denotes|-|–)|\*? \p{L}+)|\b(?:star(?:red|s)?|asterisks?|marked)\b`)
	boldWords = compile(`(?i)\b(?:bold|fat)\b`)
)

// singledOut gives the arguments that a mark singles out what it means, and the others the opposite.
func singledOut(params []docParam, marked []bool, need bool) {
	if !slices.Contains(marked, true) {
		return
	}
	for i := range params {
		if d := &params[i]; d.required == nil && !d.optional() {
			d.demand(marked[i] == need)
		}
	}
}
