package infer

// This file reads further forms of an ARGS line: groups ("required: a, b; optional: c"), orders ("a, then
// b"), names that sentences follow, and a column of names.

import (
	"slices"
	"strings"
)

// groupLabel says of the arguments behind it whether they must be given.
var groupLabel = compile(`(?i)(?:^|[\s;.|,(/])((?:required|mandatory|needed|must|obligatory|compulsory|req|optional(?:ly)?|opt|nice to have)(?: (?:ones|args|arguments|fields|parameters))?\s*(?:[:=]|\s[-–—]\s))\s*`)

// addGroups reads "required: city; optional: days (int, default 7), units".
func (d *docArgs) addGroups(line string) bool {
	bare := hideParens(line)
	cuts := groupLabel.FindAllStringSubmatchIndex(bare, maxOperands)
	if len(cuts) == 0 {
		return false
	}
	var params []docParam
	read := func(from, to int, need *bool) bool {
		piece := strings.Trim(line[from:to], " ,;.|/")
		if piece == "" || isNothing(piece) {
			return true
		}
		if strings.HasPrefix(piece, "(") && strings.HasSuffix(piece, ")") {
			piece = piece[1 : len(piece)-1]
		}
		sub := docArgs{}
		if sub.addLine(strings.TrimSuffix(strings.TrimSpace(piece), " and")); len(sub.params) == 0 || len(sub.prose) > 0 {
			return false
		}
		heading{required: need}.impose(sub.params)
		params = append(params, sub.params...)
		return true
	}
	if first := strings.Trim(line[:cuts[0][2]], " ,;.("); first != "" && !plainNames(first) || !read(0, cuts[0][2], nil) {
		return false
	}
	for i, cut := range cuts {
		end := len(line)
		if i+1 < len(cuts) {
			end = cuts[i+1][2]
		}
		if !read(cut[3], end, needOf(line[cut[2]:cut[3]])) {
			return false
		}
	}
	d.params = append(d.params, oppose(params)...)
	return true
}

// needOf is what such a label says.
func needOf(label string) *bool {
	label = strings.ToLower(label)
	return new(!strings.HasPrefix(label, "opt") && !strings.HasPrefix(label, "nice"))
}

// plainNames reports whether a text is arguments with nothing but brackets behind their names.
func plainNames(s string) bool {
	for _, piece := range splitTop(s, ',') {
		if piece = strings.TrimPrefix(strings.TrimSpace(piece), "and "); !bareItem.MatchString(piece) {
			return false
		}
	}
	return true
}

// bareItem is a name with at most a bracket.
var bareItem = compile("^`?[\\p{L}_][\\p{L}\\p{N}_.\\-]*`?[?*+]?(?:\\s*(?:\\([^()]*(?:\\([^()]*\\)[^()]*)*\\)|\\[[^\\[\\]]*\\]))?$")

// nextInOrder stands between arguments whose order is told.
var nextInOrder = compile(`(?i)^(?:first(?:ly)?:?|1st:?)\s+|[,;.]?\s+(?:and\s+)?(?:then|finally|lastly|afterwards|followed by|after that|last|next|second(?:ly)?|third(?:ly)?)(?:,|:)?\s+(?:the\s+)?|\s*(?:->|→|=>)\s*`)

// addOrder reads "file, then lines (how many), then seed".
func (d *docArgs) addOrder(line string) bool {
	bare := hideParens(line)
	cuts := nextInOrder.FindAllStringIndex(bare, maxOperands)
	if len(cuts) == 0 {
		return false
	}
	var pieces []string
	from := 0
	for _, cut := range cuts {
		if cut[0] > from || from > 0 {
			pieces = append(pieces, line[from:cut[0]])
		}
		from = cut[1]
	}
	pieces = append(pieces, line[from:])
	var items []string
	for _, piece := range pieces {
		for _, item := range splitTop(piece, ',') {
			if item = strings.Trim(item, " .;"); !bareItem.MatchString(item) {
				return false
			}
			items = append(items, item)
		}
	}
	return len(items) > 1 && d.addItems(items)
}

// addAnd reads "id and name", "city, days (optional) and units", "from and to (dates), rate".
func (d *docArgs) addAnd(line string) bool {
	var items []string
	for _, piece := range splitTop(strings.TrimRight(line, ". "), ',') {
		piece = strings.TrimPrefix(strings.TrimSpace(piece), "and ")
		if m := severalBare.FindStringSubmatch(piece); m != nil {
			for _, name := range nameBreak.Split(m[1], maxOperands) {
				items = append(items, name+m[2])
			}
			continue
		}
		head, last, cut := cutLast(piece, " and ")
		for _, item := range []string{head, last} {
			inner, optionally := strings.CutPrefix(item, "optionally ")
			switch {
			case item == "" && !cut:
			case !bareItem.MatchString(inner):
				return false
			case optionally:
				items = append(items, "["+inner+"]")
			default:
				items = append(items, inner)
			}
		}
	}
	return len(items) > 1 && d.addItems(items)
}

// severalBare is "from and to (dates)".
var severalBare = compile("^(`?[\\p{L}_][\\p{L}\\p{N}_.\\-]*`?(?:\\s*(?:&|/|\\band\\b)\\s*`?[\\p{L}_][\\p{L}\\p{N}_.\\-]*`?)+)(\\s*\\([^()]*\\))$")

func cutLast(s, sep string) (head, last string, ok bool) {
	at := strings.LastIndex(hideParens(s), sep)
	if at < 0 {
		return s, "", false
	}
	return s[:at], s[at+len(sep):], true
}

// addNames reads a list of names that sentences follow: "agent, page. All optional. page: integer". What
// they say of an argument, "page: integer", is read; others are read where sentences are.
func (d *docArgs) addNames(line string) bool {
	head, tail, ok := cutNames(line)
	if !ok {
		return false
	}
	sub := docArgs{}
	if namesOnly.MatchString(head) {
		head = strings.NewReplacer(" and ", ", ", "|", ",").Replace(head)
	}
	for _, item := range splitTop(head, ',') {
		p, ok := readItem(strings.TrimPrefix(strings.TrimSpace(item), "and "))
		if !ok || p.name == "" {
			return false
		}
		sub.params = append(sub.params, p)
	}
	for _, piece := range clauses(tail) {
		if !sub.complete(piece) {
			sub.prose = append(sub.prose, clean(piece))
		}
	}
	heedTail(sub.params, tail)
	d.params, d.prose = append(d.params, sub.params...), append(d.prose, sub.prose...)
	return true
}

// cutNames splits "a, b, c. Words" where the first sentence is nothing but names.
func cutNames(line string) (head, tail string, ok bool) {
	end := sentenceEnd(line)
	head, tail = strings.TrimSuffix(strings.TrimSpace(line[:end]), "."), strings.TrimSpace(line[end:])
	return head, tail, tail != "" && (namesOnly.MatchString(head) || strings.Contains(head, ",") && plainNames(head))
}

// heedTail completes arguments with what the sentences behind their list tell.
func heedTail(params []docParam, tail string) {
	var subjects []*subject
	var all []*docParam
	for i := range params {
		all, subjects = append(all, &params[i]), append(subjects, &subject{d: &params[i]})
	}
	name := func(d *docParam) []string { return []string{d.name} }
	t := newTeller(subjects, name)
	for tail != "" {
		end := sentenceEnd(tail)
		text := strings.TrimSpace(tail[:end])
		s := sentence{"content # ARGS", text, outsideParens(text), strings.ToLower(text)}
		t.hear(s)
		heedNeeded(all, name, s)
		for _, d := range all {
			d.optionalArg = d.optionalArg || d.required == nil && allOptional.MatchString(text)
		}
		tail = strings.TrimSpace(tail[end:])
	}
	for _, s := range subjects {
		if s.where.place != "" {
			s.settle()
		}
	}
}

// namesOnly is names between commas or bars, two at least.
var namesOnly = compile("^`?[\\p{L}_][\\p{L}\\p{N}_.\\-]*`?\\??(?:\\s*(?:[,|]|\\band\\b|,\\s*and\\b)\\s*`?[\\p{L}_][\\p{L}\\p{N}_.\\-]*`?\\??)+$")

// clauses are the sentences of a text, cut at semicolons.
func clauses(text string) []string {
	var out []string
	for text = strings.TrimSpace(text); text != ""; {
		end := sentenceEnd(text)
		for _, piece := range splitTop(text[:end], ';') {
			if piece = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(piece), ".")); piece != "" {
				out = append(out, piece)
			}
		}
		text = strings.TrimSpace(text[end:])
	}
	return out
}

// complete takes "page: integer from 1" or "page (integer)" as being of the argument that it names.
func (d *docArgs) complete(piece string) bool {
	q, ok := readItem(piece)
	for i := range d.params {
		if p := &d.params[i]; ok && p.name == q.name && q.name != "" {
			q.source, q.index = p.source, p.index
			q.optionalArg = q.optionalArg || p.optionalArg
			*p = q
			return true
		}
	}
	return false
}

// listedBeside makes a bare list that stands where the other arguments of its line have their types the
// values: "kpi:string | period:day/week/month".
func listedBeside(params []docParam) {
	typed := slices.ContainsFunc(params, func(p docParam) bool { return p.schema.len() > 0 })
	for i := range params {
		p := &params[i]
		if typed && p.schema.len() == 0 && len(p.choices) > 2 && p.description == p.choiceText && !slices.Contains(compoundNames, lastNameWord(p.name)) {
			p.choose(obj("type", "string", "enum", distinct(strs(p.choices))))
			p.fromProse = false
		}
	}
}

// compoundNames are of things that consist of what a list beside them names.
var compoundNames = strings.Fields(`date day time repo path address point size range dimensions name location position version key url format pattern`)

func lastNameWord(name string) string {
	if words := nameWords(name); len(words) > 0 {
		return words[len(words)-1]
	}
	return ""
}

// toldMembers are those whose value says what they take: {"days": "integer, default 7", "kind": "a|b"}.
func toldMembers(props *object) map[string]string {
	out := map[string]string{}
	for _, name := range props.keys {
		sub, _ := props.values[name].(*object)
		list, _ := sub.value("enum").([]any)
		if len(list) != 1 || sub.len() != 1 {
			continue
		}
		if word, _ := list[0].(string); strings.ContainsAny(word, ",|(") && isMeta(word) && !isTypeWords(word) {
			out[name] = word
		}
	}
	return out
}

// spacedLine is a name and, a wide gap behind it, its words.
var spacedLine = compile("^`?[\\p{L}_][\\p{L}\\p{N}_.\\-]*`?[?*]?(?:\\s{2,}|\\t)\\S")

// spacedArgs reads the lines below "ARGS:" where each has its name in a column of its own.
func (b *builder) spacedArgs() docArgs {
	var out docArgs
	for _, p := range b.contentRead() {
		for i := range p.lines {
			if !argsHead.MatchString(p.lines[i]) {
				continue
			}
			for _, line := range p.lines[i+1:] {
				line = strings.TrimSpace(line)
				d, _, ok := bulletItem(line)
				if !ok || !spacedLine.MatchString(line) {
					return docArgs{}
				}
				out.params = append(out.params, d)
			}
		}
	}
	if len(out.params) < 2 {
		return docArgs{}
	}
	out.params = oppose(out.params)
	return out
}

var argsHead = compile(`^(?i:args?|arguments|parameters)\s*:?\s*$`)
