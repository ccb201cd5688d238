package infer

// This file finds values in the bare lists that stand beside an argument: "stage (open/won/lost)",
// "method (optional: card, transfer or cash)". Such a list may as well name what the argument
// consists of ("repo (owner/name)") or what kinds of text it takes ("user (id or email)"), so it
// counts only where something else says that it is a list of values.

import (
	"encoding/json"
	"slices"
	"strings"

	"codemode/directory/contract"
)

// maxChoiceText caps the bytes of a bare list.
const maxChoiceText = 400

const choice = `[\p{L}\p{N}_+\-]+`

var (
	orChoices    = compile(`^` + choice + `(?:\s*,\s*` + choice + `)*\s*,?\s+(?:or|oder|ou|o)\s+` + choice + `$`)
	commaChoices = compile(`^` + choice + `(?:\s*[,;]\s*` + choice + `){2,}$`)
	slashChoices = compile(`^` + choice + `(?:\s?/\s?` + choice + `)+$`)
	choiceBreak  = compile(`\s*,?\s+(?:or|oder|ou|o)\s+|\s*[,;/]\s*`)
	choiceLead   = compile(`^(?i:(optional|required))\s*[:;,]\s*`)
	choiceTail   = compile(`\s*(?:[,;.]\s*|\s\()(?i:(default(?:s to| is|ing to)?[:=\s]\s*[^\s,;()]+|optional|required))\)?\.?$`)
)

// cutChoices splits "optional: card, transfer or cash; default card" into the list and the words
// around it. Only a text that is such a list as a whole is one.
func cutChoices(s string) (list string, around []string, ok bool) {
	list = strings.TrimSpace(s)
	if m := choiceLead.FindStringSubmatch(list); m != nil {
		around, list = append(around, m[1]), list[len(m[0]):]
	}
	for m := choiceTail.FindStringSubmatch(list); m != nil && len(around) < 4; m = choiceTail.FindStringSubmatch(list) {
		around, list = append(around, m[1]), list[:len(list)-len(m[0])]
	}
	list = strings.TrimRight(list, ". ")
	return list, around, orChoices.MatchString(list) || slashChoices.MatchString(list) || commaChoices.MatchString(list)
}

// readChoices takes a text that is a bare list, with "optional" and a default around it.
func (p *docParam) readChoices(s, text string) bool {
	list, around, ok := cutChoices(s)
	if !ok || len(list) > maxChoiceText || len(p.choices) > 0 {
		return false
	}
	values := choiceBreak.Split(list, -1)
	if _, isType := parseWords(list); isType || len(values) < 2 {
		return false
	}
	for _, word := range around {
		switch strings.ToLower(word) {
		case "optional":
			p.optionalArg = true
		case "required":
			p.required = new(true)
		}
	}
	p.choices, p.choiceText = values, clean(text)
	p.addText(text)
	return true
}

// choiceNames are what arguments are called that pick one of a few values.
var choiceNames = strings.Fields(`kind type mode method status state stage level priority unit units category currency role
	severity visibility action algorithm strategy frequency granularity direction format sort order class plan cabin size tier scope view theme
	color colour side style risk outcome verdict fuel gender shape layout align alignment periodicity interval`)

// partNames are words for what an argument consists of or which kind of text it takes.
var partNames = strings.Fields(`id ids name names url uri path key email address number text file filename folder date day month year
	time field expression value string code slug uuid owner repo org group project namespace bucket object host port scheme user title
	width height depth length lat lon lng prefix pattern regex query tag sha branch version none null nothing other custom any`)

var (
	switches    = [][]string{{"no", "yes"}, {"off", "on"}, {"asc", "desc"}, {"ascending", "descending"}}
	plainChoice = compile(`^-?[a-z][a-z0-9_\-]*$`)
)

// settleChoices makes the argument's bare list its values where its default, every example, a value
// list of the same words in the result, or its own name says so, and nothing speaks against it.
// index is the place in a legacy body, 0 for none.
func (b *builder) settleChoices(d *docParam, index int) {
	if len(d.choices) == 0 || d.schema.len() > 0 && !slices.Equal(d.schema.keys, []string{"type"}) {
		return
	}
	sorted := slices.Sorted(slices.Values(d.choices))
	if slices.Equal(sorted, []string{"false", "true"}) && d.schema.len() == 0 {
		d.choose(obj("type", "boolean"))
		return
	}
	if d.schema.text("type") == "integer" {
		d.chooseNumbers()
		return
	}
	if d.schema.len() > 0 && d.schema.text("type") != "string" || slices.ContainsFunc(d.choices, notValue) {
		return
	}
	examples := b.exampleValues(index, d.name)
	among := func(v any) bool { s, ok := v.(string); return ok && slices.Contains(d.choices, s) }
	if slices.ContainsFunc(examples, func(v any) bool { return !among(v) }) || d.hasDefault && !among(d.value) {
		return
	}
	shown := len(examples) > 0 || d.hasDefault
	if !shown && !b.resultLists(sorted) && !slices.ContainsFunc(switches, func(s []string) bool { return slices.Equal(s, sorted) }) && !d.namedChoice() {
		return
	}
	d.choose(obj("type", "string", "enum", distinct(strs(d.choices))))
}

// choose makes the list the argument's type, and no longer its description.
func (d *docParam) choose(schema *object) {
	d.schema, d.fromProse = schema, true
	d.description = strings.TrimSpace(strings.Replace(d.description, d.choiceText, "", 1))
}

// openEnds are words that keep a list open.
var openEnds = strings.Fields(`etc others more similar anything something whatever`)

// notValue reports whether a word may be meant as a number or as the form of a date (YYYY, HH), or
// keeps the list open.
func notValue(s string) bool {
	v, _ := literal(s)
	_, isText := v.(string)
	return !isText || len(s) > 1 && strings.Trim(s, "YMDHhms-") == "" || slices.Contains(openEnds, strings.ToLower(s))
}

// namedChoice reports whether the argument's name says that it picks a value, and the words are ones
// that values have.
func (d *docParam) namedChoice() bool {
	words := nameWords(d.name)
	upper := strings.ContainsAny(d.choiceText, "/|") // "JSON or XML" names formats, "C/F" values
	if slices.ContainsFunc(d.choices, func(c string) bool {
		return !plainChoice.MatchString(c) && !(upper && plainChoice.MatchString(strings.ToLower(c))) || d.namesPart(c)
	}) {
		return false
	}
	if len(words) > 0 && slices.Contains(choiceNames, words[len(words)-1]) {
		return true
	}
	if slices.ContainsFunc(d.choices, func(c string) bool { return c != strings.ToLower(c) }) {
		return false
	}
	return len(d.choices) > 2 && orWord.MatchString(d.choiceText) && !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(freeNames, w) })
}

// namesPart reports whether a word of the list names what the argument consists of. "none" is a value
// where there are two others.
func (d *docParam) namesPart(c string) bool {
	if (c == "none" || c == "other") && len(d.choices) > 2 {
		return false
	}
	return slices.Contains(partNames, c) || !unitName.MatchString(c) && slices.Contains(partNames, singular(c)) || slices.Contains(nameWords(d.name), c)
}

var orWord = compile(`\s(?:or|oder|ou)\s`)

// freeNames are words of arguments that take whatever their caller has: "q (title, author or isbn)".
var freeNames = strings.Fields(`q query search term terms text words keyword keywords input content value message body note comment reason user
	person who name names to from target source recipient address location place city at about topic subject title file path data`)

// chooseNumbers makes "1 or 2" the values of an argument that is a whole number.
func (d *docParam) chooseNumbers() {
	var values []any
	for _, c := range d.choices {
		v, _ := literal(c)
		if _, ok := v.(json.Number); !ok || !fitsType(v, d.schema) {
			return
		}
		values = append(values, v)
	}
	d.choose(obj("type", "integer", "enum", distinct(values)))
}

// nameWords are the words of a name in snake or camel case, in lower case.
func nameWords(name string) []string {
	var words []string
	start := -1
	cut := func(end int) {
		if start >= 0 {
			words = append(words, strings.ToLower(name[start:end]))
		}
		start = -1
	}
	kind := func(c byte) byte {
		switch {
		case c >= 'a' && c <= 'z':
			return 'a'
		case c >= 'A' && c <= 'Z':
			return 'A'
		case c >= '0' && c <= '9':
			return '0'
		}
		return 0
	}
	for i := 0; i < len(name); i++ {
		now := kind(name[i])
		switch {
		case now == 0:
			cut(i)
		case start < 0:
			start = i
		case now != kind(name[i-1]) && !(now == 'a' && kind(name[i-1]) == 'A' && start == i-1):
			cut(i)
			start = i
		}
	}
	cut(len(name))
	return words
}

// resultLists reports whether the row's output_schema has a value list of exactly these words.
func (b *builder) resultLists(sorted []string) bool {
	if !b.listsRead && !isBlank(b.row.OutputSchema) && len(b.row.OutputSchema) <= b.opts.MaxSchemaBytes {
		if tree, err := parseTree(b.row.OutputSchema, b.opts.MaxSchemaDepth); err == nil {
			b.lists = valueLists(tree, nil)
		}
	}
	b.listsRead = true
	return slices.ContainsFunc(b.lists, func(list []string) bool { return slices.Equal(list, sorted) })
}

// valueLists are the value lists of words in a schema, each sorted.
func valueLists(v any, out [][]string) [][]string {
	switch t := v.(type) {
	case *object:
		if list, ok := t.values["enum"].([]any); ok && allText(list) {
			words := make([]string, len(list))
			for i, e := range list {
				words[i] = e.(string)
			}
			slices.Sort(words)
			out = append(out, words)
		}
		for _, k := range t.keys {
			out = valueLists(t.values[k], out)
		}
	case []any:
		for _, e := range t {
			out = valueLists(e, out)
		}
	}
	return out
}

// units are words for what a number counts; no boolean has one.
const units = `cents|ms|millis|milliseconds|seconds|secs|minutes|mins|hours|days|weeks|months|years|bytes|kb|mb|gb|percent|pct|px|pixels|km|meters|metres|kg|grams|degrees|celsius|fahrenheit|euros?|dollars`

var (
	unitName  = compile(`^(?:` + units + `)$`)
	unitWords = compile(`(?i)(?:^\(?|\(|\bin\s+(?:\p{L}+\s+)?)(?:` + units + `)\b`)
)

// saysUnit reports whether a name or a description gives an argument a unit.
func saysUnit(name, description string) bool {
	words := nameWords(name)
	return len(words) > 1 && unitName.MatchString(words[len(words)-1]) || unitWords.MatchString(description)
}

// settleBare decides what an unquoted slot of JSON takes, which the template leaves open: examples that
// are all of one kind, or a unit.
func (b *builder) settleBare(p *param, f *filled, description string) {
	if p.schema.len() > 0 || !f.bare() || f.raw() {
		return
	}
	values := b.exampleValues(f.index, p.name)
	kinds := map[string]bool{}
	var shown *object
	for _, v := range values {
		shown = agree(shown, shownType(p.name, v, false, 0))
		switch v.(type) {
		case []any:
			kinds["array"] = true
		case json.Number:
			kinds["number"] = true
		case bool:
			kinds["boolean"] = true
		default:
			return // a word or an object of an example tells too little of what else may stand there
		}
	}
	switch {
	case len(kinds) == 1:
		p.schema, p.typeFrom = shown, contract.FromExample
	case len(kinds) == 0 && saysUnit(p.name, description):
		p.schema, p.typeFrom = obj("type", "number"), contract.FromProse
	}
}

// settleBody takes the type of a body that is one argument from examples that are all lists, else from a
// list that the documentation shows.
func (b *builder) settleBody(p *param, f *filled) {
	if !f.wholeBody() || b.shape.byDefault || len(f.slots) == 0 {
		return
	}
	var shown *object
	for _, v := range b.exampleValues(f.index, p.name) {
		if _, ok := v.([]any); !ok {
			return
		}
		shown = agree(shown, shownType(p.name, v, false, 0))
	}
	if shown == nil {
		shown = b.shownList(p.name)
	}
	if shown.len() > 0 {
		p.schema, p.typeFrom = shown, contract.FromExample
	}
}
