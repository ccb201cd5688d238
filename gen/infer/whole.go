package infer

// This file reads what sentences say of all arguments of a row: "all of them may be omitted", "only
// report is needed", "Optional: severity (default minor), note".

import (
	"slices"
	"strconv"
	"strings"

	"codemode/directory/contract"
)

var (
	allOptional  = compile(`(?i)^(?:all|both|everything|any|each|all of them|all three|all four|all (?:parameters|arguments|filters|fields)|(?:the )?(?:filters|parameters|arguments) (?:are|may)|every (?:parameter|argument|filter))\b[^.;:]{0,30}?(?:\boptional\b|\bmay be ` + leftOut + `\b|\bcan be ` + leftOut + `\b)|(?i)(?:[;,:.(–—-]|^| and)\s*(?:all|each|both|everything|all three|all four|all of them) (?:is |are )?(?:optional\b|may be ` + leftOut + `|can be ` + leftOut + `)|(?i)\b(?:neither (?:of them )?is (?:required|needed|mandatory|necessary)|none (?:of them )?is (?:required|needed|mandatory)|nothing is (?:required|needed|mandatory)|no (?:parameter|argument|filter) is (?:required|needed|mandatory)|any combination of|any (?:one|of them) (?:may|can) be ` + leftOut + `|leave out (?:what|any|whatever))\b|(?i)\b(?:give|pass|use|set|send|take) any of them,? or none\b|(?i)\bany of them or none\b`)
	onlyNeeded   = compile(`(?i)\bonly (.{1,80}?) (?:is|are) (?:needed|required|mandatory|necessary)\b`)
	restOptional = compile(`(?i)^(.*?)\b(?:is|are|being)? ?(?:required|mandatory|needed|obligatory|a must)\b.*\b(?:the )?(?:rest|others?|remaining\b.{0,20}|everything else|all else) (?:is|are|may be|can be)?\s*(?:all )?(?:optional|` + leftOut + `)`)
	allExcept    = compile(`(?i)\b(?:all|everything|every (?:parameter|argument|filter)|apart from|except|but|besides|aside from)\b(?: (?:of them|parameters|arguments|filters))? ?(?:but|except(?: for)?|save|apart from|besides|other than|aside from)? (.{1,60}?),? (?:(?:is|are|may be|can be) (?:all )?(?:optional|` + leftOut + `)|(?:all|everything|the rest|they) (?:is |are )?optional)`)
	lastOptional = compile(`(?i)\bthe last (?:(one|two|three|four|five) )?(?:of them |ones? )?(?:is|are|may be|can be)? ?(?:optional|` + leftOut + `)\b`)
	firstNeeded  = compile(`(?i)\bonly the first (?:(one|two|three) )?(?:of them |ones? )?(?:is|are) (?:needed|required|mandatory)\b`)
	requiredRun  = compile(`(?i)(?:^|[\s.;(])(?:required|mandatory|needed)\s*:\s*([^.;]+)`)
	optionalRun  = compile(`(?i)(?:^|[\s.;(])optional\s*:\s*(.+)$`)
	withoutThem  = compile(`(?i)\bwithout (?:them|any|either|both)\b`)
	defaultRun   = compile(`(?i)\bdefaults\s*:\s*([^():;]{1,80}?)(?:\)|$|\.\s|\.$)`)
	theDefault   = compile(`(?i)^the default is ` + aValue + `\W*$`)
	numbersAll   = compile(`(?i)^(?:all|both|all three|all four|all of them|everything)\b[^.;:]{0,20}? (?:is|are) (?:an? )?(whole numbers?|integers?|numbers?|strings?|booleans?)\b`)
)

// wholeWordsOf are what such a sentence has at least one of.
var wholeWordsOf = anyOf(strings.Fields(`optional omitted left skipped missing absent empty blank unset dropped required needed mandatory necessary default without
	numbers integers strings booleans leave combination obligatory must none any neither`)...)

// heedAll completes arguments with what sentences say of them together. Arguments that fill a path
// are left out of it: a URL cannot do without them.
func (b *builder) heedAll(all []*docParam, names func(*docParam) []string) {
	for _, s := range b.sentences() {
		if !wholeWordsOf.in(s.lower) {
			continue
		}
		if strings.Contains(s.lower, "default") {
			heedDefaultOf(all, s)
		}
		if neededWords.in(s.lower) {
			heedNeeded(all, names, s)
		}
		if leaveWords.in(s.lower) {
			b.heedLeftOut(all, names, s)
		}
		if m := numbersAll.FindStringSubmatch(s.plain); m != nil {
			for _, d := range all {
				if t, ok := parseWords(strings.ToLower(m[1])); ok {
					d.adopt(docParam{schema: t.schema.clone()}, s)
				}
			}
		}
	}
}

// neededWords are what a sentence on what must be given has at least one of.
var neededWords = anyOf(strings.Fields(`required needed mandatory necessary obligatory must except but besides aside apart other`)...)

func heedDefaultOf(all []*docParam, s sentence) {
	if m := defaultRun.FindStringSubmatch(s.text); m != nil {
		heedDefaults(all, m[1], s)
	}
	if m := theDefault.FindStringSubmatch(s.text); m != nil {
		heedTheDefault(all, m[1], s)
	}
}

// heedNeeded reads "only q is needed", "all but q are optional", "Required: q".
func heedNeeded(all []*docParam, names func(*docParam) []string, s sentence) {
	if m := firstNeeded.FindStringSubmatch(s.plain); m != nil {
		heedFrom(all, wordCount(m[1]), s)
	}
	for _, form := range []*pattern{restOptional, allExcept, onlyNeeded} {
		if m := form.FindStringSubmatch(s.plain); m != nil {
			heedOnly(all, names, m[1], s)
		}
	}
	if m := requiredRun.FindStringSubmatch(s.text); m != nil {
		heedOnly(all, names, m[1], s)
	}
}

// heedLeftOut reads what says that all, some or the last may be left out.
func (b *builder) heedLeftOut(all []*docParam, names func(*docParam) []string, s sentence) {
	if m := optionalRun.FindStringSubmatch(s.text); m != nil {
		b.heedOptional(all, m[1], s)
	}
	if m := lastOptional.FindStringSubmatch(s.plain); m != nil {
		heedFrom(all, len(all)-wordCount(m[1]), s)
	}
	whole := (allOptional.MatchString(s.plain) || s.text != s.plain && allOptional.MatchString(s.text)) && !strings.Contains(s.plain, "Only ")
	named := withoutThem.MatchString(s.plain)
	for _, d := range all {
		if whole || named && slices.ContainsFunc(names(d), func(n string) bool { return mention(s.text, n) >= 0 }) {
			d.adopt(docParam{optionalArg: true}, s)
		}
	}
}

// heedOptional reads "severity (default minor), count (default 1), note".
func (b *builder) heedOptional(all []*docParam, list string, s sentence) {
	for _, item := range splitTop(strings.TrimRight(list, ". "), ',') {
		item = strings.TrimPrefix(strings.TrimSpace(item), "and ")
		q, ok := readItem(item)
		for _, d := range all {
			if ok && d.name == q.name {
				q.optionalArg = true
				d.adopt(q, s)
			}
		}
	}
}

func wordCount(word string) int {
	if n, err := strconv.Atoi(numberWords[strings.ToLower(word)]); err == nil {
		return n
	}
	return 1
}

// heedFrom makes the arguments from one on optional.
func heedFrom(all []*docParam, from int, s sentence) {
	for i, d := range all {
		if i >= from && from > 0 {
			d.adopt(docParam{optionalArg: true}, s)
		}
	}
}

// heedDefaults reads "defaults: 90, and today", one for each argument in their order.
func heedDefaults(all []*docParam, list string, s sentence) {
	values := listSeparator.Split(strings.TrimSpace(list), maxOperands)
	if len(values) != len(all) {
		return
	}
	for i, d := range all {
		var q docParam
		q.takeDefault(strings.TrimSpace(values[i]))
		q.optionalArg = true
		d.adopt(q, s)
	}
}

// heedTheDefault reads "The default is unpaid.", which can only be of the argument that has the value
// among its own, or of the only one.
func heedTheDefault(all []*docParam, word string, s sentence) {
	var of []*docParam
	for _, d := range all {
		list, _ := d.schema.value("enum").([]any)
		if slices.Contains(list, any(word)) || len(all) == 1 {
			of = append(of, d)
		}
	}
	if len(of) == 1 {
		var q docParam
		q.takeDefault(word)
		of[0].adopt(q, s)
	}
}

func heedOnly(all []*docParam, names func(*docParam) []string, needed string, s sentence) {
	is := func(d *docParam) bool {
		return slices.ContainsFunc(names(d), func(n string) bool { return mention(needed, n) >= 0 })
	}
	if !slices.ContainsFunc(all, is) {
		return
	}
	for _, d := range all {
		if is(d) {
			if d.required == nil && !d.optional() {
				d.required, d.remark = new(true), source{s.place, s.text}
			}
			continue
		}
		d.adopt(docParam{optionalArg: true}, s)
	}
}

// heeded completes the documented arguments, and those that only the template shows, with what
// sentences say. It returns the latter by their index, where there is anything to tell.
func (b *builder) heeded(docs []docParam, assigned map[int]int) map[int]docParam {
	var all []*docParam
	names := map[*docParam][]string{}
	shown := map[int]*docParam{}
	for at := range docs {
		d := &docs[at]
		names[d] = d.names(nil)
		for i, to := range assigned {
			if to == at {
				names[d] = d.names(b.shape.slots[i])
			}
		}
		all = append(all, d)
	}
	for _, i := range b.shape.indexes() {
		if _, ok := assigned[i]; ok {
			continue
		}
		f := b.shape.slots[i]
		if hints := f.hints(); len(hints) > 0 {
			d := &docParam{name: hints[0], from: contract.FromTemplate}
			if b.known[b.placeOf(f)].name != "" {
				d.name = b.known[b.placeOf(f)].name
			}
			shown[i], names[d] = d, d.names(f)
			all = append(all, d)
		}
	}
	fixed := func(d *docParam) bool {
		for i, to := range assigned {
			if to < len(docs) && &docs[to] == d && b.shape.slots[i].mustFill() {
				return true
			}
		}
		for i, of := range shown {
			if of == d {
				return b.shape.slots[i].mustFill()
			}
		}
		return false
	}
	b.heedSentences(all, func(d *docParam) []string { return names[d] }, fixed)
	for _, d := range all {
		b.heed(d, names[d], others(all, names, d))
	}
	b.heedNouns(all)
	b.heedAll(all, func(d *docParam) []string { return names[d] })
	out := map[int]docParam{}
	for i, d := range shown {
		if d.remark.place != "" {
			out[i] = *d
		}
	}
	return out
}

// heedNouns completes arguments with what a sentence that lists what is taken says of the nouns that
// their names are of: "the last working day as an ISO date" of last_day.
func (b *builder) heedNouns(all []*docParam) {
	for i, s := range b.sentences() {
		if !orderWords.in(s.lower) {
			continue
		}
		for _, q := range orderedItems(strings.Trim(s.text, ". "), i == 0, false) {
			var of []*docParam
			for _, d := range all {
				if !d.phrase && isOf(d.name, q.word) {
					of = append(of, d)
				}
			}
			if len(of) == 1 {
				of[0].adopt(q, s)
			}
		}
	}
}

// isOf reports whether every word of a name stands in a noun phrase.
func isOf(name, noun string) bool {
	words, in := nameWords(name), strings.Fields(noun)
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(in, w) })
}

// names are what sentences may call an argument by.
func (d *docParam) names(f *filled) []string {
	var out []string
	add := func(n string) {
		if n != "" && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	add(d.name)
	if !d.phrase {
		add(d.word)
	}
	if f != nil {
		for _, h := range f.strong() {
			add(h)
		}
	}
	if words := nameWords(d.name); len(words) == 2 && unitName.MatchString(words[1]) && len(words[0]) > 2 {
		add(words[0])
	}
	for _, n := range slices.Clone(out) {
		if len(n) > 2 {
			add(strings.ToUpper(n[:1]) + n[1:])
		}
	}
	return out
}
