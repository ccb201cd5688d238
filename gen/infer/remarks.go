package infer

// This file reads what sentences say of an argument that is known by name: "status is active or
// paused", "limit is 20 unless given", "days may be omitted". They name no argument of their own.

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"codemode/directory/contract"
)

// sentence is one sentence of the row's words.
type sentence struct {
	place string
	text  string
	plain string // without brackets
	lower string // in lower case, for a look at its words before a pattern is tried
}

const maxSentences = 200

// sentences are those of the description, of WHAT, of notes and of unlabelled lines.
func (b *builder) sentences() []sentence {
	if b.told != nil {
		return b.told
	}
	b.told = []sentence{}
	for _, p := range b.remarkPassages() {
		for _, line := range p.lines {
			for line = strings.TrimSpace(singleTicks(line)); line != "" && len(b.told) < maxSentences; {
				end := sentenceEnd(line)
				s := strings.TrimSpace(line[:end])
				b.told = append(b.told, sentence{p.place, s, outsideParens(s), strings.ToLower(s)})
				line = strings.TrimSpace(line[end:])
			}
		}
	}
	return b.told
}

// remarkPassages are those that sentences stand in: not lists, whose items are read where they stand.
func (b *builder) remarkPassages() []passage {
	var out []passage
	seen := map[string]bool{}
	add := func(place, t string) {
		if t = b.withoutLists(text(t)); t != "" && !seen[t] {
			seen[t] = true
			out = append(out, passage{place: place, lines: joined(b.withoutShown(cutLines(t)))})
		}
	}
	add("description", b.row.Description)
	for _, line := range b.row.Docs.Args {
		if head, tail, ok := strings.Cut(line, ". "); ok && !strings.Contains(line, "\n") && strings.Contains(head, "|") && !strings.ContainsAny(head, "():") {
			add("content # ARGS", tail) // sentences behind "id|copy."
		}
	}
	for _, list := range []struct {
		place string
		texts []string
	}{{"content # WHAT", b.row.Docs.What}, {"content", b.row.Docs.Other}, {"content # NOTE", b.row.Docs.Notes}} {
		for _, t := range list.texts {
			add(list.place, t)
		}
	}
	return out
}

// joined makes one line of a paragraph's, and leaves out what is no sentence.
func joined(lines []string) []string {
	var out []string
	open := false
	for _, l := range lines {
		t := strings.TrimSpace(l)
		switch {
		case t == "" || strings.HasPrefix(t, "|") || bulletMark.MatchString(l) || fieldLine.MatchString(l) || leading(l) > 3:
			open = false
		case strings.Contains(t, " : "): // "limit : int", a line of its own
			out, open = append(out, t), false
		case open && !strings.HasSuffix(out[len(out)-1], "."):
			out[len(out)-1] += " " + t
		default:
			out, open = append(out, t), true
		}
	}
	return out
}

// shortened are words whose full stop ends no sentence.
var shortened = compile(`(?i)(?:^|[\s(,;])(?:e\.g|i\.e|etc|vs|cf|approx|incl|no|max|min|z\.b|resp)\.$`)

// sentenceEnd is the offset after the first sentence.
func sentenceEnd(s string) int {
	for i := 0; i+1 < len(s); i++ {
		if (s[i] == '.' || s[i] == '!' || s[i] == '?') && s[i+1] == ' ' && !shortened.MatchString(s[max(0, i-10):i+1]) {
			return i + 1
		}
	}
	return len(s)
}

// outsideParens drops what stands in brackets.
func outsideParens(s string) string {
	var out strings.Builder
	depth := 0
	for _, r := range s {
		switch {
		case r == '(':
			depth++
		case r == ')' && depth > 0:
			depth--
		case depth == 0:
			out.WriteRune(r)
		}
	}
	return strings.Join(strings.Fields(strings.ReplaceAll(out.String(), " ,", ",")), " ")
}

// heed completes an argument with what sentences say of it. names are what the row calls it by.
func (b *builder) heed(d *docParam, names, others []string) {
	for _, s := range b.sentences() {
		for _, name := range names {
			eachMention(s.text, name, func(before, rest string) { d.readRemark(s, before, uptoOthers(rest, others), name) })
			eachMention(s.plain, name, func(before, rest string) { d.readPredicate(s, before, uptoOthers(rest, others)) })
		}
	}
}

// maxMentions caps how often one name is looked up in a sentence.
const maxMentions = 5

func eachMention(s, name string, yield func(before, rest string)) {
	for from, n := 0, 0; n < maxMentions; n++ {
		at := mention(s[from:], name)
		if at < 0 {
			return
		}
		at += from
		yield(s[:at], withoutOthers(s[at+len(name):]))
		from = at + len(name)
	}
}

// otherSubjects are what stands beside a name as a subject of the same words: "WIDTH and HEIGHT are".
var otherSubjects = compile("^[`\"*>]*(?:(?:\\s*,\\s*(?:and\\s+)?|\\s+and\\s+)[`\"*<]*[\\p{L}_][\\p{L}\\p{N}_\\-]*[`\"*>]*)+(\\s+(?:is|are|may|can|must)\\b)")

func withoutOthers(rest string) string {
	if m := otherSubjects.FindStringSubmatchIndex(rest); m != nil {
		return rest[m[2]:]
	}
	return rest
}

// mention is where a sentence has a name as a word of its own, -1 for nowhere. The name of another
// thing that holds it ("order_id" for "order") is none.
func mention(s, name string) int {
	for from := 0; from < len(s) && name != ""; {
		at := strings.Index(s[from:], name)
		if at < 0 {
			return -1
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(s[:at])
		after, _ := utf8.DecodeRuneInString(s[at+len(name):])
		if !isNameRune(before) && !isNameRune(after) && before != '.' && before != '/' && before != '\'' {
			return at
		}
		from = at + len(name)
	}
	return -1
}

func isNameRune(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) && r != utf8.RuneError || unicode.IsDigit(r)
}

// readRemark reads what stands in brackets right behind a name, or after its colon.
func (p *docParam) readRemark(s sentence, before, rest, name string) {
	rest = strings.TrimLeft(rest, "`\"*>")
	q := docParam{name: p.name}
	switch trimmed := strings.TrimLeft(rest, " "); {
	case strings.HasPrefix(trimmed, "("):
		if inner, _, ok := cutParen(trimmed); ok {
			q.readMeta(inner)
			q.readProse()
		}
	case strings.HasPrefix(trimmed, "= ("):
		if inner, _, ok := cutParen(trimmed[2:]); ok {
			q.readMeta(inner)
			q.readProse()
		}
	case strings.HasPrefix(rest, ":") && (strings.ToUpper(name) == name || strings.HasPrefix(s.text, name) || leadsClause.MatchString(before)):
		words := rest[1:]
		if strings.HasSuffix(before, "(") {
			words, _, _ = strings.Cut(words, ")")
		}
		q.readTyped(strings.TrimSpace(words))
		q.readProse()
	default:
		if m := typeBehind.FindStringSubmatch(rest); m != nil && leadsClause.MatchString(before) {
			t, _ := parseWords(m[1])
			q.schema = t.schema
		}
		if m := kindInParens.FindStringSubmatch(rest); m != nil {
			if t, ok := parseWords(m[1]); ok && t.schema.len() > 0 {
				q.schema = t.schema
			}
		}
		q.optionalArg = omitPredicate.MatchString(rest)
	}
	p.adopt(q, s)
}

// typeBehind is "page int >= 1", "limit optional int".
var typeBehind = compile(`(?i)^\s+(?:(?:is |an? )?(?:optional|required|opt\.?|req\.?),?\s+)?(int|integer|bool|boolean|float)\b`)

// kindInParens is "are in pixels (integers)".
var kindInParens = compile(`(?i)^\s+(?:is|are)\s+[^().;:]{0,40}\(((?:an? )?\p{L}+(?: \p{L}+)?)\)`)

var (
	isList = compile(`^\W{0,3}(is|are|must be|can be|may be|is one of|one of|either|is either|can be either|has to be|,? which is|,? which may be|,? which can be|may say|says|)\s*:?\s*((?:` + tickChoice + `)(?:\s*,\s*(?:` + tickChoice + `))*\s*,?\s+or\s+(?:` + tickChoice + `))(?:$|\s*[.,;]|\s+and\s+\S+\s+(?:if|unless|when|by default)\b|\s+by\b)`)
	isFlag = compile(`(?i)^\W{0,3}(?:is|=|must be|can be|are)?\s*(?:either )?true (?:or|/) ?false\b`)
	isKind = compile(`(?i)^\W{0,3}(?:is|are|must be|as|in)\s+(.{3,80}?)(?:[;.]|$|, (?:and|which|the|a)\b| and (?:must|may|can|is|has|holds|defaults|optional)\b|,? optional\b)`)
	// isValueUnless is "limit is 20 ... unless given", "weeks is 4 and burn_cents 0 unless set".
	isValueUnless = compile(`(?i)^\W{0,3}(?:is |are |= ?|defaults? to )?` + aValue + `(?:\s+and\s+\S+\s+\S+)?\s+` + notSaid + `\b`)
	unlessOther   = compile(`^\W{0,3}is (\S+) unless it is (\S+(?:, \S+)* or \S+|\S+)$`)
	withoutName   = compile(`(?i)\bwithout (?:an? |the )?[-<` + "`" + `]*$`)
	restIsValue   = compile(`(?i)^\W{0,3}\s*(?:it is|it's|it will be|that is)\s+` + aValue + `\W*$`)
	listOneOf     = compile(`(?i)^\W{0,3}(?:is|are|must be|can be|may be)?\s*one of:?\s+(.{3,200}?)(?:$|[.;])`)
	defaultsTo    = compile(`(?i)^\W{0,3}(?:defaults? to|is by default|falls back to|, by default|is assumed to be)\s+` + aValue + `(?:$|\s*[.,;)]| and\b)`)
	isByDefault   = compile(`(?i)^\W{0,3}(?:is |are |, ?|= ?)` + aValue + `(?: \p{L}+)? by default\b`)
	ifBefore      = compile(`(?i)\b(?:if|when|unless|where) (?:no |the |an? |any |you (?:give|name|pass|set) (?:no |an? |the )?)?[<` + "`" + `"*-]*$`)
	ifMissing     = compile(`(?i)^\W{0,3}\s*(?:is|are)\s+(?:` + leftOut + `|not (?:given|set|named|said|specified|provided)|given|set|named|specified|provided)\b(?:[^.;]*?(?:,| then) (?:it is |it's |then it is |it defaults to )` + aValue + `\W*$|[^.;]*?, ` + aValue + ` is (?:used|taken|assumed)\W*$)?`)
	numberOf      = compile(`(?i)\b(?:numbers? of|how many|count of)\s+$`)
	saysTrue      = compile(`(?i)^\W{0,3}(?:to |= ?|is )?true (?:to|for|if|when|shows|includes|also|adds|gives|means)\b`)
	givenBehind   = compile(`(?i)^\W{0,3}[^.;:,]{0,25},? (?:if|when) (?:it is |one is |any is )?(?:given|set|wanted|known|needed|any|there is (?:one|any)|you (?:give|name|have|want|like)(?: one| it)?)\b`)
	optionallyHas = compile(`(?i)\b(?:optionally|if you (?:like|wish|want)|you (?:may|can|could) (?:also )?(?:add|give|pass|name|set|narrow|filter|restrict|limit|choose|ask for)|(?:filtered|narrowed(?: down)?|restricted|limited) (?:optionally )?by)\b[^.;:]{0,60}$`)
	justOptional  = compile("^[`\"]?(?:(?:,| and|, and| or) [`\"]?[\\p{L}_][\\p{L}\\p{N}_]*[`\"]?)*,? optional(?:$|[\\s.,;)])")
	omitPredicate = compile(`(?i)^[^.;:]{0,60}?(?:\b(?:may|can) be (?:` + leftOut + `|added|given too|attached)\b|\bmay follow\b|\b(?:is|are)(?: both| all)? optional\b|\bdarf fehlen\b|\bdürfen fehlen\b|\b(?:is|are) not (?:required|needed|mandatory|obligatory|compulsory|necessary)\b)`)
	orValue       = compile(`(?i)(?:[,;]|\band)\s+` + aValue + `,? ` + notSaid + `\W*$`)
)

// alsoOptional is "is a whole number and optional", "is a date; leave it out for today".
var alsoOptional = compile(`(?i)^\W{0,3}(?:is|are|must be)\s[^.;:]{2,60}(?:,| and| and is|, and is) optional(?:$|[\s.,;)])|^\W{0,3}[^.:]{0,60}[;,] (?:leave|omit|skip) (?:it|this|them)(?: out| empty| blank)?\b`)

var noQuotes = strings.NewReplacer("`", "", "'", "", `"`, "")

// leadsClause is what stands before a name that begins a clause: "status on_time or late".
var leadsClause = compile("(?:^|[;:.,(–—]\\s*)[`\"]?$")

const tickChoice = "[`'\"]?-?[\\p{L}\\p{N}_][\\p{L}\\p{N}_.+\\-]*[`'\"]?"

// maxPredicate caps the bytes that are read behind a name.
const maxPredicate = 400

// readPredicate reads what a sentence says behind a name, brackets left out.
func (p *docParam) readPredicate(s sentence, before, rest string) {
	q := docParam{name: p.name}
	rest = strings.ToValidUTF8(rest[:min(len(rest), maxPredicate)], "")
	rest = strings.TrimRight(strings.TrimLeft(rest, "`\"*>"), ". ")
	q.predicateList(before, rest)
	q.predicateKind(before, rest)
	q.predicateDefault(before, rest)
	q.readClause(rest, leadsClause.MatchString(before))
	if !q.hasDefault {
		q.defaultBefore(before, rest)
	}
	q.optionalArg = q.optionalArg || predicateOptional(before, rest)
	p.adopt(q, s)
}

// predicateList reads "is a, b or c", "is one of a, b, c", "is EUR unless it is USD".
func (p *docParam) predicateList(before, rest string) {
	if m := slashBehind.FindStringSubmatch(rest); m != nil && leadsClause.MatchString(before) && len(p.choices) == 0 {
		p.readChoices(strings.TrimSpace(m[1]), "")
	}
	if strings.Contains(rest, " or ") {
		if m := isList.FindStringSubmatch(rest); m != nil && (m[1] != "" || leadsClause.MatchString(before)) && !openEnum.MatchString(m[2]) {
			p.statedList(wordList(noQuotes.Replace(m[2])))
		}
	}
	if p.schema == nil && strings.Contains(rest, "one of") {
		if m := listOneOf.FindStringSubmatch(rest); m != nil {
			p.statedList(plainList(noQuotes.Replace(m[1])))
		}
	}
	if strings.Contains(rest, "unless it is") {
		if m := unlessOther.FindStringSubmatch(rest); m != nil {
			p.value, p.hasDefault = m[1], true
			p.statedList(append([]any{m[1]}, wordList(m[2])...))
		}
	}
}

// predicateKind reads "is true or false", "is a whole number", "as YYYY-MM-DD", "the number of rows".
func (p *docParam) predicateKind(before, rest string) {
	switch {
	case p.schema != nil:
	case strings.HasSuffix(before, " ") && numberOf.MatchString(before[max(0, len(before)-20):]) && !slices.Contains(halves, strings.ToLower(p.name)):
		p.schema = obj("type", "integer")
	case strings.Contains(rest, "true") && (isFlag.MatchString(rest) || saysTrue.MatchString(rest)) && !trueTo.MatchString(rest):
		p.schema = obj("type", "boolean")
	default:
		m := isKind.FindStringSubmatch(rest)
		if m == nil {
			return
		}
		if t, ok := parseWords(m[1]); ok && t.schema.len() > 0 && !asAdjective(m[1]) && t.schema.text("type") != "null" && t.schema.text("type") != "object" {
			p.schema = t.schema
			return
		}
		p.schema = kindOf(p.name, m[1])
	}
}

// slashBehind is "mode fast/slow/auto".
var slashBehind = compile(`^\s+(\w+(?:/\w+)+)(?:$|[,;.)])`)

// trueTo is no value: "is true to its source".
var trueTo = compile(`(?i)\btrue to (?:its|the|their|life|form|nature)\b`)

// asAdjective reports whether a type's word tells in a sentence what something is like: "is short".
func asAdjective(word string) bool {
	return slices.Contains([]string{"short", "long", "double", "set", "flag", "text", "value", "hash", "map", "record"}, strings.ToLower(strings.TrimSpace(word)))
}

// predicateDefault reads "is 20 unless given", "may be omitted, it is 14 then", "defaults to 5".
func (p *docParam) predicateDefault(before, rest string) {
	if strings.Contains(strings.ToLower(before), "without") && withoutName.MatchString(before) {
		if m := restIsValue.FindStringSubmatch(rest); m != nil {
			p.takeDefault(m[1])
		}
	}
	if !leaveWords.in(strings.ToLower(rest)) && !strings.Contains(rest, "falls back") && !strings.Contains(rest, "assumed") {
		return
	}
	for _, form := range []*pattern{isValueUnless, orValue, defaultsTo, isByDefault} {
		if m := form.FindStringSubmatch(rest); m != nil && !p.hasDefault {
			p.takeDefault(m[1])
		}
	}
	if m := thenValue.FindStringSubmatch(rest); m != nil && !p.hasDefault && omitPredicate.MatchString(rest) {
		p.takeDefault(m[1])
	}
	if m := ifMissing.FindStringSubmatch(rest); m != nil && m[1]+m[2] != "" && ifBefore.MatchString(before) {
		p.takeDefault(m[1] + m[2])
	}
}

// withoutWords and behindWords are what the patterns before and behind a name have at least one of.
var (
	withoutWords = anyOf("without", "option", "you ", "filtered", "narrow", "restrict", "limited", "if ", "when ", "unless ", "where ")
	behindWords  = anyOf(append([]string{"follow", "added", "attached"}, leaveWords.pieces...)...)
)

// predicateOptional reads "may be omitted", "if you name one", "without the ...", "if no ... is given".
func predicateOptional(before, rest string) bool {
	if behindWords.in(strings.ToLower(rest)) {
		if omitPredicate.MatchString(rest) || justOptional.MatchString(rest) || alsoOptional.MatchString(rest) {
			return true
		}
		if given := givenBehind.FindString(rest); given != "" && !strings.Contains(given, " and") {
			return true
		}
	}
	if before = strings.ToLower(before[max(0, len(before)-120):]); !withoutWords.in(before) {
		return false
	}
	return withoutName.MatchString(before) || optionallyHas.MatchString(before) || ifBefore.MatchString(before) && ifMissing.MatchString(rest)
}

// statedList takes a closed list that a sentence gives: words that values have.
func (p *docParam) statedList(values []any) {
	if len(values) < 2 || slices.ContainsFunc(values, func(v any) bool { return !isChoice(v) && !((v == "other" || v == "none") && len(values) > 2) }) {
		return
	}
	p.schema = obj("enum", distinct(values))
	if allText(values) {
		p.schema = obj("type", "string", "enum", distinct(values))
	}
}

// isChoice reports whether a word of a list may be a value: none of those that name what a text holds
// or keep the list open.
func isChoice(v any) bool {
	s, ok := v.(string)
	return ok && !slices.Contains(partNames, s) && !slices.Contains(openEnds, s) && !slices.Contains(noChoices, s)
}

// noChoices are words that sentences have in such places.
var noChoices = strings.Fields(`true false given missing unknown wrong empty more less fewer greater later earlier bigger smaller two three
	a an the it them none optional required`)

func (p *docParam) takeDefault(word string) {
	if n, ok := numberWords[strings.ToLower(word)]; ok {
		word = n
	}
	v, ok := literal(word)
	s, isWord := v.(string)
	if list, _ := p.schema.value("enum").([]any); isWord && slices.Contains(list, v) {
		p.value, p.hasDefault = v, true
		return
	}
	if !ok || isWord && s == word && (slices.Contains(noValues, strings.ToLower(s)) || slices.Contains(emptyWords, strings.ToLower(s)) || doneItself(s)) {
		p.optionalArg = true
		return
	}
	p.value, p.hasDefault = v, true
}

// doneItself reports whether a word says how a value comes about: "auto-detected".
func doneItself(word string) bool {
	return strings.Contains(word, "-") && strings.HasSuffix(word, "ed")
}

// adopt takes over what a remark says and nothing said before.
func (p *docParam) adopt(q docParam, s sentence) {
	changed := false
	if q.schema.len() > 0 && !p.anything && (p.schema.len() == 0 || p.schema.len() == 1 && p.schema.text("type") == "string" && q.schema.text("type") == "string") {
		p.schema, p.typed, changed = q.schema, contract.FromProse, true
	}
	if len(q.choices) > 0 && len(p.choices) == 0 {
		p.choices, p.choiceText, changed = q.choices, "", true
		if slashChoices.MatchString(q.choiceText) {
			p.choiceText = q.choiceText // which tells that capitals are the values' own
		}
	}
	if q.hasDefault && !p.hasDefault && (p.required == nil || !*p.required) {
		p.value, p.hasDefault, changed = q.value, true, true
	}
	if q.optionalArg && p.required == nil && !p.optionalArg {
		p.optionalArg, changed = true, true
	}
	if changed && p.remark.place == "" {
		p.remark = source{s.place, s.text}
	}
}
