package infer

// This file reads sentences that say what a row takes, in order: "Takes the city and, optionally, a
// number of days". They name the arguments of slots that nothing else names, and never add one.

import (
	"slices"
	"strings"

	"codemode/directory/contract"
)

// nth is what an argument that goes by its order may be called.
const nth = `(?:argument |parameter |operand |item |input |positional |one |value )?`

var (
	takes    = compile(`(?i)(?:^|[.;:!] |, )(?:it |you |one )?(?:also |simply |just |please |always |only |must |should |(?:need|have) to )*(?:takes|wants|needs|expects|accepts|requires|asks for|(?:is )?called with|call it with|pass|passes|give|provide|supply|specify|send|enter|hand it|feed it|hand over|(?:one|two|three|four|five) (?:arguments|parameters|inputs|values)(?: are (?:taken|needed|required))?(?:,? in (?:this|that) order)?:|(?:arguments|parameters|inputs|input|args)(?: are)?:|erwartet|nimmt|braucht|prend|attend|un seul argument,|(?:only )?one argument,|a single argument,|ein argument,|arguments?,? in (?:this|that) order:|in this order:)(?: in| it)?:? (.+)$`)
	ordinals = compile(`(?i)^(?:the )?first ` + nth + `(?:is|being|names) (.{2,80}?)(?:,|;| and)+ (?:the )?second ` + nth + `(?:is |being |names )?(.{2,80}?)(?:(?:,|;| and)+ (?:the )?third ` + nth + `(?:is |being |names )?(.{2,80}?))?$`)
	// neededAre is "The city and the day are needed."
	neededAre = compile(`(?i)(?:^|[;:] )([^;:]{2,120}?) (?:is|are) (?:needed|required|mandatory|enough|all it takes)\W*(?:$|;)`)
	// itsAre is "Its arguments are the city and the day."
	itsAre   = compile(`(?i)^(?:its |the )?(?:only )?(?:arguments?|parameters?|inputs?) (?:is|are) (.{2,200})$`)
	thenNext = compile(`(?i)^(?:(?:it |you |one )?(?:takes|wants|needs|expects|accepts|requires|gets|give|gives|pass|passes|send|sends|name|names) )?(.{2,40}?) first,? (?:and )?then (.+)$`)
	first    = compile(`(?i)(?:^|[.;] )(?:first|zuerst|d'abord)(?: comes| goes)?:? (.+)$`)
	// goesFirst is "The archive goes first and the member second".
	goesFirst = compile(`(?i)^(.{2,40}?) (?:goes|comes|is|stands) first(?:,? (?:and|then) (.{2,40}?)(?: (?:goes|comes|is))?(?: second| next| after it| then)?)?\W*$`)

	itemBreak  = compile(`(?i)\s*(?:,|;)?\s+(?:followed by|and then|and finally|then|and|und|et|puis|dann)\b,?\s+|\s*,\s+`)
	perhaps    = compile(`(?i)^(?:and\s+|et,?\s+|und\s+)?(?:optionally|if you like|if you wish|if you want|if there is (?:one|any)|if wanted|if needed|if known|if you have (?:one|it)|where known|as an option|on request|possibly|perhaps|en option|en opción|optional|wahlweise)\b,?\s*`)
	carriesOn  = compile(`(?i)^(?:which|who|whom|that|as|in|on|or|not|so|where|when|each|like|between|given|with|without|from|to|of|for|such|both|either|but|if|unless|always|usually|qui|welche|\d+|today)\b`)
	determiner = compile(`(?i)^(?:just |only )?(?:the|a|an|one|its|your|their|any|some|der|die|das|den|dem|ein|eine|einen|le|la|les|un|une|el|los|las)\s+|^l'`)
	nounPhrase = compile(`^([\p{L}][\p{L}\p{N}_\-]*(?:(?:'s|s')?\s+[\p{L}][\p{L}\p{N}_\-]*){0,4})`)
	possessor  = compile(`^(.*\S)(?:'s|s')\s+(\S+)$`)
	nounEnds   = compile(`(?i)\s+(?:to|of|in|as|for|from|on|at|with|that|which|who|is|are|by|like|between|and|or|it|you|into|per|du|de|des|von|für|zum|zur)\b.*$`)
)

// readOrder reads the first sentence that lists what is taken. What a description begins with is what
// the row does: "Takes a snapshot", "Sends the report" and "Give it a name" take nothing.
func (b *builder) readOrder(p passage) docArgs {
	if p.label == "ex" || p.label == "when_to_use" {
		return docArgs{}
	}
	begins := true
	if !orderWords.in(p.text()) {
		return b.readParts(p)
	}
	for _, line := range joined(p.lines) {
		for line = strings.TrimSpace(singleTicks(line)); line != ""; {
			end := sentenceEnd(line)
			var plain docArgs
			for _, apposed := range []bool{false, true} { // "the level, a number" is one item where the template knows each name
				out := docArgs{params: orderedItems(strings.Trim(line[:end], ". "), begins, apposed), ordered: true}
				switch {
				case len(out.params) == 0:
				case b.confirms(out), apposed && b.allCalled(out.params):
					return out
				case !apposed:
					plain = out
				}
			}
			if len(plain.params) > 0 {
				return plain
			}
			line, begins = strings.TrimSpace(line[end:]), false
		}
	}
	return b.readParts(p)
}

// partsLead goes on to what a row works with: "the distance between the ...", "computes it from its ...".
var partsLead = compile(`(?i)\b(?:from|of|for|between|with|out of|given) (?:its|the|an?|two|three) `)

// readParts reads a sentence that names in passing what nothing else names, where it lists as many things as
// there are slots: "Computes the instalment from its principal, its rate and the years".
func (b *builder) readParts(p passage) docArgs {
	n := len(b.shape.indexes())
	if n < 2 || !b.nameless() {
		return docArgs{}
	}
	for _, line := range joined(p.lines) {
		for line = strings.TrimSpace(singleTicks(line)); line != ""; {
			end := sentenceEnd(line)
			s := strings.Trim(line[:end], ". ")
			leads := partsLead.FindAllStringIndex(s, maxMentions)
			slices.Reverse(leads) // "of a loan from its principal and its rate"
			for _, at := range leads {
				_, list, _ := strings.Cut(s[at[0]:], " ")
				for _, apposed := range []bool{false, true} {
					if items := splitItems(list, apposed); len(items) == n && !slices.ContainsFunc(items, func(i string) bool { return !determiner.MatchString(perhaps.ReplaceAllString(i, "")) }) {
						return docArgs{params: nounItems(items), ordered: true}
					}
				}
			}
			line = strings.TrimSpace(line[end:])
		}
	}
	return docArgs{}
}

// allCalled reports whether every argument goes by a name around the template's slots.
func (b *builder) allCalled(params []docParam) bool {
	return !slices.ContainsFunc(params, func(d docParam) bool {
		return !slices.ContainsFunc(b.shape.indexes(), func(i int) bool { return d.calls(b.shape.slots[i]) })
	})
}

// orderWords are what a sentence that lists arguments has at least one of.
var orderWords = anyOf(strings.Fields(`two three four hand feed take want need expect accept require ask call pass give provide supply specify send enter argument parameter input value
	args order first erwartet nimmt braucht prend attend zuerst abord enough mandatory`)...)

func orderedItems(s string, begins, apposed bool) []docParam {
	if cut := answersThen.FindStringIndex(s); cut != nil && cut[0] > 0 {
		s = s[:cut[0]]
	}
	lower := strings.ToLower(s)
	if len(s) > maxTypeText || !orderWords.in(s) {
		return nil
	}
	if strings.Contains(lower, "first") {
		for _, form := range []*pattern{goesFirst, ordinals, thenNext} {
			if m := form.FindStringSubmatch(s); m != nil {
				return nounItems(splitEach(m[1:], form == thenNext))
			}
		}
	}
	if countedWords.in(s) {
		if out := severalOf(s); out != nil {
			return out
		}
	}
	for _, form := range []*pattern{itsAre, neededAre, first, takes} {
		m := form.FindStringSubmatchIndex(s)
		if m == nil {
			continue
		}
		list, _, _ := strings.Cut(strings.ReplaceAll(s[m[2]:m[3]], " ; ", "; "), "; ")
		items := splitItems(list, apposed)
		if begins && m[0] == 0 && len(items) < 2 && !strings.Contains(s[:m[2]], ":") && !strings.Contains(s[:m[2]], ",") {
			return nil
		}
		return nounItems(items)
	}
	return nil
}

// answersThen goes on to the result behind a list of what is taken.
var answersThen = compile(`(?i),? and (?:answers|returns|responds|replies|yields|gives(?: back)?|hands back|sends back)\b`)

var countedWords = anyOf("two ", "three ", "four ")

// splitEach drops what was not there, and cuts the last piece where it may be a list itself.
func splitEach(pieces []string, last bool) []string {
	pieces = slices.DeleteFunc(slices.Clone(pieces), func(s string) bool { return s == "" })
	if n := len(pieces) - 1; last && n >= 0 {
		return append(pieces[:n:n], splitItems(pieces[n], false)...)
	}
	return pieces
}

// several is "two objects, the old one and the new one".
var several = compile(`(?i)\b(two|three|four)\s+(\p{L}+s)(?:,|:| -|,? called|,? named)\s+(.{3,120}?)(?:,? and (?:returns|gives|answers)\b.*)?$`)

// severalOf reads such a list where it has as many items as it says, and gives them its type.
func severalOf(s string) []docParam {
	m := several.FindStringSubmatch(s)
	if m == nil {
		return nil
	}
	out := nounItems(splitItems(m[3], false))
	if len(out) != wordCount(m[1]) {
		return nil
	}
	t, typed := parseWords(strings.ToLower(m[2]))
	for i := range out {
		if typed && out[i].schema.len() == 0 && t.schema.len() > 0 {
			out[i].schema = t.schema.clone()
		}
	}
	return out
}

// splitItems cuts at commas and "and" outside brackets; a piece that goes on about the one before
// belongs to it. apposed takes "the level, a number" for one item.
func splitItems(list string, apposed bool) []string {
	hidden := hideParens(list)
	var out []string
	start, from, relative, broken := 0, 0, false, "" // from is where the last item begins, broken what stood before the piece
	cuts := append(itemBreak.FindAllStringIndex(hidden, maxOperands), []int{len(list), len(list)})
	for _, cut := range cuts {
		piece := strings.TrimSpace(list[start:cut[0]])
		goesOn := len(out) > 0 && !perhaps.MatchString(piece) && !determiner.MatchString(piece) && (relative || carriesOn.MatchString(piece)) ||
			apposed && len(out) > 0 && broken == "," && appositive.MatchString(piece) && !indefinite.MatchString(out[len(out)-1])
		alone := len(out) > 0 && perhaps.ReplaceAllString(out[len(out)-1], "") == "" // "and, optionally, the ..."
		switch {
		case piece == "":
		case goesOn || alone:
			out[len(out)-1] = strings.TrimSpace(list[from:cut[0]])
			relative = relative || goesOn
		default:
			out, from = append(out, piece), start
			relative = strings.Contains(hideParens(piece), ": ")
		}
		broken = strings.TrimSpace(list[cut[0]:cut[1]])
		start = cut[1]
	}
	return out
}

// appositive goes on about the noun before it, which has an article of its own: "the level, a number".
var (
	appositive = compile(`(?i)^(?:an? )(?:(?:whole|positive|decimal|json|plain|short|iso|unix|boolean) )*(?:numbers?|integer|string|boolean|flag|date|list|array|object|percentage|e-?mail|url|uuid|timestamp)\b`)
	indefinite = compile(`(?i)^(?:an?|one|some)\s`)
)

// hideParens writes blanks for what stands in brackets, so that offsets stay.
func hideParens(s string) string {
	out := []byte(s)
	depth := 0
	for i := range out {
		switch {
		case out[i] == '(':
			depth++
		case out[i] == ')' && depth > 0:
			depth--
			out[i] = '_'
		}
		if depth > 0 {
			out[i] = '_'
		}
	}
	return string(out)
}

func nounItems(pieces []string) []docParam {
	var out []docParam
	if len(pieces) > 0 && elsewhereSaid.MatchString(pieces[0]) {
		return nil
	}
	for _, piece := range pieces {
		d, ok := nounItem(piece)
		if !ok {
			return nil
		}
		out = append(out, d)
	}
	return out
}

// elsewhereSaid is "see content" and the like.
var elsewhereSaid = compile(`(?i)^(?:see|none|nothing|no|n/a|as|same|like|whatever|what|anything|it|up|into|off|care|place|part)\b`)

// nounItem reads "the session's id (a string)" as session_id, "the file to write" as file.
func nounItem(piece string) (docParam, bool) {
	d := docParam{from: contract.FromProse, source: source{words: piece}}
	rest := strings.TrimSpace(piece)
	if lead := perhaps.FindString(rest); lead != "" {
		d.optionalArg, rest = true, rest[len(lead):]
	}
	words, counted := rest, countWords.FindStringSubmatch(rest)
	rest = determiner.ReplaceAllString(rest, "")
	phrase := nounPhrase.FindString(rest)
	if phrase == "" {
		return d, false
	}
	noun := phrase
	if cut := nounEnds.FindStringIndex(noun); cut != nil {
		noun = noun[:cut[0]]
	}
	d.phrase, d.word = true, strings.ToLower(noun)
	if d.name = identifier(nameOfNoun(noun)); counted != nil {
		d.name = identifier(strings.ToLower(counted[1]))
		d.word = d.name
	}
	if d.schema = kindOf(d.name, words); d.word == "list" || d.word == "array" {
		d.schema = obj("type", "array")
	}
	tail := strings.TrimSpace(phrase[len(noun):] + " " + strings.TrimSpace(rest[len(phrase):]))
	d.readTail(tail)
	if list, _ := d.schema.value("enum").([]any); len(list) == 1 {
		d.schema = nil // one value is an example
	}
	if d.description = ""; tail != "" && d.choiceText == "" {
		d.description = clean(words)
	}
	return d, d.name != ""
}

// nameOfNoun makes a name of a noun phrase: "order_id" of "order's id", "path" of "file's path", "old" of
// "old one", "file" of "log file", "country_code" of "country code".
func nameOfNoun(noun string) string {
	lower := strings.ToLower(noun)
	words := strings.Fields(lower)
	m := possessor.FindStringSubmatch(noun)
	switch {
	case m != nil && strings.EqualFold(m[2], "id"):
		return lastWord(m[1]) + "_id"
	case m != nil:
		return strings.ToLower(m[2])
	case len(words) == 1 && strings.Contains(noun, "_"):
		return noun
	case len(words) == 2 && words[1] == "one":
		return words[0]
	case len(words) > 1 && slices.Contains(genericNouns, lastWord(lower)):
		return strings.ReplaceAll(lastWords(lower, 2), " ", "_")
	}
	return lastWord(lower)
}

// genericNouns need the word before them: "country code", "session id".
var genericNouns = strings.Fields("id code name number date type key")

func lastWord(s string) string { return lastWords(strings.ToLower(s), 1) }

func lastWords(s string, n int) string {
	f := strings.Fields(s)
	return strings.Join(f[max(0, len(f)-n):], " ")
}

var kindLead = compile(`(?i)^(?:,?\s*(?:which|that|and it) is\s+|as\s+|:\s*|,\s*)`)

// readTail reads what follows a noun: "(a number, 99.9 by default)", "as YYYY-MM-DD".
func (p *docParam) readTail(tail string) {
	tail = p.cutDefault(tail)
	at := strings.IndexByte(tail, '(')
	if at >= 0 {
		if inner, after, ok := cutParen(tail[at:]); ok {
			p.readMeta(inner)
			tail = strings.TrimSpace(tail[:at] + " " + after)
		}
	}
	if tail = strings.TrimSpace(kindLead.ReplaceAllString(tail, "")); tail != "" {
		if list := strings.TrimPrefix(tail, "either "); list != tail || len(p.choices) == 0 {
			p.readChoices(list, list)
		}
		if t, ok := parseWords(tail); ok && t.schema.len() > 0 {
			p.setType(t)
		} else if p.schema.len() == 0 {
			p.schema = kindOf(p.name, tail)
		}
		p.addText(tail)
	}
	p.readProse()
}
