package infer

// This file names the argument behind a segment of a URL where a sentence says that an id goes there.

import (
	"strings"

	"codemode/directory/contract"
)

// possessive is "the order's id"; plainID is "its id", "by id", "the id of the order", where one segment
// of the path is all it can be of.
var (
	possessive = compile(`(?i)\b\p{L}+(?:'s|s') ids?\b`)
	plainID    = compile(`(?i)\b(?:its|by|by the|given|given an|needs an|needs the|takes an|takes the|wants an|wants the|expects an|expects the) id\b|\bthe id of (?:the|an?|this|that|one)\b`)
)

// nameByID calls the argument behind a segment of a URL by the segment and "_id" where a sentence says
// that an id of something goes there: "/tickets/$1", "Takes the ticket's id".
func (b *builder) nameByID(p *param, f *filled) {
	weak := f.weak()
	if len(weak) == 0 || len(f.strong()) > 0 || p.from != contract.FromTemplate || strings.HasSuffix(strings.ToLower(p.name), "id") {
		return
	}
	paths := 0
	for _, g := range b.shape.slots {
		if len(g.weak()) > 0 {
			paths++
		}
	}
	for _, s := range b.sentences() {
		if !strings.Contains(s.lower, " id") {
			continue
		}
		if paths == 1 && plainID.MatchString(s.text) {
			p.name, p.slot = weak[0]+"_id", source{s.place, s.text}
			return
		}
		for _, found := range possessive.FindAllString(s.text, 5) {
			owner := strings.ToLower(found[:strings.IndexByte(found, '\'')])
			if paths == 1 || singular(owner) == strings.ToLower(weak[0]) {
				p.name, p.slot = weak[0]+"_id", source{s.place, s.text}
				return
			}
		}
	}
}
