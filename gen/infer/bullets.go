package infer

// This file reads arguments listed with bullets: "- `id` (string, required): the order".

import (
	"slices"
	"strings"

	"codemode/directory/contract"
)

var bulletHead = compile("^(?:\\*\\*|__)?(`?)([\\p{L}_$][\\p{L}\\p{N}_.\\-]{0,79}\\??)(`?)(?:\\*\\*|__)?(\\*?)(.*)$")

// spacedName is a name of several words in back-quotes.
var spacedName = compile("^`([\\p{L}_][\\p{L}\\p{N}_]*(?: [\\p{L}\\p{N}_]+){1,3})`(\\s*[(:].*)$")

// readBullets reads the lists of arguments. A list may be of anything: it counts where a heading says so,
// where nothing introduces it and every item has a type or says whether it is required, or where the
// template bears it out. Lists that headings call arguments are read together.
func readBullets(p passage) docArgs {
	var said, first docArgs
	for _, l := range listsOf(p) {
		h := readHeading(l.above)
		if h.result || h.other {
			continue
		}
		out := bulletArgs(p, l, h)
		switch {
		case len(out.params) == 0:
		case h.arguments:
			said.params, said.listed = append(said.params, out.params...), true
		case len(first.params) == 0:
			first = out
		}
	}
	if len(said.params) > 0 {
		said.params = oppose(said.params)
		return said
	}
	return first
}

func bulletArgs(p passage, l list, h heading) docArgs {
	var out docArgs
	var boxes, stars []bool
	typed := true
	for _, it := range l.items {
		ds, plain, ok := bulletItems(it)
		if !ok {
			return docArgs{}
		}
		typed = typed && !plain
		for _, d := range ds {
			boxes, stars = append(boxes, it.box == "x"), append(stars, starredName.MatchString(it.text))
			out.params = append(out.params, d)
		}
	}
	h.impose(out.params)
	if slices.ContainsFunc(l.items, func(it listItem) bool { return it.box == " " }) {
		need := legendOf(p, boxWords)
		singledOut(out.params, boxes, need == nil || *need)
	}
	if need := legendOf(p, starWords); need != nil || slices.Contains(stars, false) {
		singledOut(out.params, stars, need == nil || *need)
	}
	out.params = oppose(out.params)
	out.unsure, out.listed = !h.arguments && !typed, true
	out.introduced = !h.arguments && strings.HasSuffix(strings.TrimRight(l.above, "*_ "), ":")
	return out
}

// starredName is a name with a star of its own, not one of Markdown's bold.
var starredName = compile("^`?[\\p{L}_$][\\p{L}\\p{N}_.\\-]*`?\\\\?\\*(?:\\W|$)|^\\*\\*[^*\\s]+\\*\\*\\\\?\\*(?:\\W|$)")

// emphasis is the bold of Markdown, which sets a name apart.
var emphasis = compile(`(?:\*\*|__)([^*_]{1,80})(?:\*\*|__)`)

// severalNames are names that share what follows: "lat, lon (number)", "`from` and `to`: dates".
var severalNames = compile("^(`?[\\p{L}_][\\p{L}\\p{N}_.\\-]*`?(?:\\s*(?:,|/|&|\\band\\b)\\s*`?[\\p{L}_][\\p{L}\\p{N}_.\\-]*`?){1,5})(\\s*(?:[:(]|[-–—]\\s).*)$")

var nameBreak = compile(`\s*(?:,|/|&|\band\b)\s*`)

// bulletItems reads one item, which may be of several arguments.
func bulletItems(it listItem) (ds []docParam, plain, ok bool) {
	if m := severalNames.FindStringSubmatch(it.text); m != nil {
		for _, name := range nameBreak.Split(m[1], maxOperands) {
			d, bare, ok := bulletItem(name + m[2])
			if !ok {
				return nil, false, false
			}
			ds, plain = append(ds, d), plain || bare
		}
		return ds, plain, true
	}
	d, plain, ok := bulletItem(it.text)
	if ok && len(it.subs) > 0 {
		d.readSubs(it.subs)
	}
	return []docParam{d}, plain && d.schema == nil && d.required == nil && !d.optional(), ok
}

// bulletItem reads one item; plain says that nothing but its name and words stand there.
func bulletItem(item string) (d docParam, plain, ok bool) {
	written := item
	item = plainForm(singleTicks(emphasis.ReplaceAllString(item, "$1")))
	m := bulletHead.FindStringSubmatch(item)
	if spaced := spacedName.FindStringSubmatch(item); spaced != nil {
		m = []string{item, "`", "`" + spaced[1] + "`", "`", "", spaced[2]}
	}
	if m == nil || m[1] != m[3] {
		return d, false, false
	}
	d = docParam{from: contract.FromArgs, source: source{words: clean(written)}}
	d.readName(m[2])
	rest := strings.TrimSpace(m[5])
	switch {
	case rest == "":
	case strings.HasPrefix(rest, "("), strings.HasPrefix(rest, ":"), strings.HasPrefix(rest, "="):
		d.readRest(rest)
	case strings.IndexFunc(rest, func(r rune) bool { return strings.ContainsRune("-–—", r) }) == 0:
		d.readTyped(strings.TrimLeft(rest, "-–—> "))
	case strings.HasPrefix(rest, ", "), strings.HasPrefix(rest, "; "), strings.HasPrefix(rest, "| "):
		d.readTyped(rest[2:])
	case strings.HasPrefix(m[5], "  "), strings.HasPrefix(m[5], "\t"):
		d.readTyped(rest)
	case m[1] == "`" && tickedGoesOn.MatchString(rest):
		d.readLeading(rest)
	default:
		return d, false, false
	}
	d.readWords()
	return d, d.schema == nil && d.required == nil && !d.optional(), d.name != "" && !isRemark(d.name, rest)
}

// readLeading takes the types and flags that begin the words: "number _required_ How much".
func (p *docParam) readLeading(s string) {
	for {
		word, rest, _ := strings.Cut(s, " ")
		word = strings.Trim(word, "_*`(),;:")
		if !slices.Contains(flagWordsOf, strings.ToLower(word)) && !isTypeWords(word) || word == "" {
			p.readText(strings.TrimLeft(s, "-–—:;,. "))
			return
		}
		p.readMeta(word)
		s = strings.TrimSpace(rest)
	}
}

// tickedGoesOn is what may follow a name in back-quotes without a mark between: its type, or a flag.
var tickedGoesOn = compile(`^(?i:` + shortType + `|[_*(]*(?:required|optional|mandatory))(?:$|[\s,;:.()_*–—-])`)

// readSubs reads the list below an item: what it says of the argument ("type: string", "optional"), its
// values, or the fields of an object.
func (p *docParam) readSubs(subs []listItem) {
	if p.readAttributes(subs) || p.readNestedValues(subs) {
		p.readWords()
		return
	}
	var fields []docParam
	for _, sub := range subs {
		ds, plain, ok := bulletItems(sub)
		if !ok || plain && p.schema == nil {
			p.addText(sub.text)
			return
		}
		fields = append(fields, ds...)
	}
	object := fieldsObject(fields)
	switch {
	case p.schema.text("type") == "array" && (p.schema.object("items") == nil || p.schema.object("items").text("type") == "object"):
		p.schema = arrayOf(object)
	case p.schema == nil, p.schema.text("type") == "object":
		p.schema = object
	}
}

// attributeLine is "type: string", "default = 5", "required".
var attributeLine = compile("(?i)^[*_`]*([a-z][a-z ]{1,20}[a-z?])[*_`]*\\s*(?:[:=]\\s*(\\S.*)|)$")

func (p *docParam) readAttributes(subs []listItem) bool {
	var cells, kinds []string
	for _, sub := range subs {
		m := attributeLine.FindStringSubmatch(sub.text)
		if m == nil {
			return false
		}
		kind := columnOf(m[1])
		if m[2] == "" && slices.Contains(flagWordsOf, strings.ToLower(m[1])) {
			kind, m[2] = "required", m[1]
		}
		if kind == "" && !wordsColumn.MatchString(m[1]) || kind == "name" || m[2] == "" {
			return false
		}
		kinds, cells = append(kinds, kind), append(cells, m[2])
	}
	for i, kind := range kinds {
		p.readCell(kind, cells[i])
	}
	return true
}

// readNestedValues takes a list of lone words as the values.
func (p *docParam) readNestedValues(subs []listItem) bool {
	var values []any
	for _, sub := range subs {
		word := strings.TrimSpace(valueMeaning.ReplaceAllString(sub.text, "$1"))
		v, ok := literal(strings.Trim(word, "`\"' "))
		if !ok {
			return false
		}
		if _, isType := parseWords(word); isType && !strings.ContainsAny(word, "`\"'") {
			return false
		}
		if strings.Contains(strings.ToLower(sub.text), "(default)") || strings.Contains(strings.ToLower(sub.text), "the default") {
			p.value, p.hasDefault = v, true
		}
		values = append(values, v)
	}
	if p.schema != nil && p.schema.text("type") != "string" || len(values) < 2 {
		return false
	}
	p.setProseEnum(values)
	return p.schema.has("enum")
}

// valueMeaning is what a value means: "`csv` - with a head", "json (default)".
var valueMeaning = compile("^(`[^`]+`|\"[^\"]+\"|'[^']+'|[\\w.+\\-]+)(?:\\s+[-–—=]\\s+.*|\\s*\\((?i:the )?(?i:default)\\).*)?$")

// bulletResult reads the fields of the result from bullets below a line that says so.
func bulletResult(p passage) *object {
	for _, l := range listsOf(p) {
		if h := readHeading(l.above); h.result {
			return ofList(bulletFields(l.items), l.above)
		}
	}
	return nil
}

// ofList makes a list of an object where its heading says that there are several.
func ofList(fields *object, above string) *object {
	if fields != nil && severalHeads.MatchString(above) {
		return arrayOf(fields)
	}
	return fields
}

// severalHeads is "Returns a list of:", "Each item of the answer:".
var severalHeads = compile(`(?i)\b(?:list|array) of\b|\b(?:each|every|per) (?:item|element|entry|row|record|object|one|hit|line)\b`)

func bulletFields(items []listItem) *object {
	var fields []docParam
	for _, it := range items {
		ds, plain, ok := bulletItems(it)
		if !ok || plain && len(items) < 2 {
			return nil
		}
		fields = append(fields, ds...)
	}
	return fieldsObject(fields)
}
