package infer

// This file joins what schema, documentation and template say into the parameters of a contract.
// The template decides which exist: an argument that no slot carries would be dropped in silence.

import (
	"slices"
	"strings"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/directory/template"
)

// param is one parameter of a contract in the making.
type param struct {
	name     string
	schema   *object
	required bool
	from     contract.Provenance // of the name
	typeFrom contract.Provenance
	needFrom contract.Provenance // of required

	slot, doc, example, remark source // what the template, the documentation, an example and a sentence say
}

// docsToParams makes the parameters of a row without a schema.
func (b *builder) docsToParams(docs docArgs) {
	listed := docs.object || len(b.row.Arguments) > 0
	switch {
	case b.shape.byDefault && (b.row.Type == directory.Fn && listed || b.row.Type != directory.Fn && len(docs.params) > 0):
		b.shape.bound = false // they travel as one object, or in the order listed
		b.unboundParams(docs)
	case !b.shape.bound:
		b.unboundParams(docs)
	case docs.object && b.shape.lone():
		b.add(1, b.wrap(b.docsObject(docs), contract.FromArgs))
	case b.shape.byDefault && docs.none:
	default:
		b.boundParams(docs)
	}
	b.closed = b.shape.bound || docs.none
	b.open = !b.shape.bound && len(b.params) == 0 && !docs.none
	b.say("params", b.paramsFrom(docs), b.paramsSource(docs))
}

func (b *builder) paramsSource(docs docArgs) source {
	switch b.paramsFrom(docs) {
	case contract.FromTemplate:
		return source{"target, content", b.row.Target + " " + b.row.Template}
	case contract.FromExample:
		return b.exampleSource()
	}
	return docs.source
}

func (b *builder) paramsFrom(docs docArgs) contract.Provenance {
	switch {
	case b.open || b.byDefaultOnly(docs):
		return contract.FromNone
	case len(docs.params) > 0 || docs.none:
		return contract.FromArgs
	case b.shape.bound:
		return contract.FromTemplate
	}
	return contract.FromExample
}

// wrap makes the one argument of a template that takes a whole JSON value.
func (b *builder) wrap(schema *object, from contract.Provenance) param {
	p := b.slotParam(b.shape.slots[1])
	if p.from == contract.FromNone && !b.shape.byDefault && b.shape.slots[1].anySlot(func(s template.Slot) bool { return s.Context == template.Body }) {
		p.name, p.from = "body", contract.FromTemplate
	}
	p.schema, p.typeFrom = schema, from
	return p
}

// docsObject is the documented object as a schema.
func (b *builder) docsObject(docs docArgs) *object {
	sub := builder{reading: &reading{}}
	for _, d := range docs.params {
		b.settleChoices(&d, 0)
		sub.add(0, sub.docParam(d))
	}
	return sub.object()
}

// byDefaultOnly reports whether nothing but the type's default template says that there is an argument.
func (b *builder) byDefaultOnly(docs docArgs) bool {
	return b.shape.byDefault && len(docs.params) == 0 && !docs.none
}

// unboundParams are those of rows whose arguments travel as one object.
func (b *builder) unboundParams(docs docArgs) {
	for i, d := range docs.params {
		if d.name == "" {
			d.name = "arg" + itoa(max(d.index, len(b.params)+1))
		}
		b.settleChoices(&d, i+1)
		p := b.docParam(d)
		if b.row.Type == directory.Dispatch && p.needFrom == contract.FromNone {
			p.required, p.needFrom = true, contract.FromArgs // an argument left out would shift the others
		}
		b.add(0, p)
		if !docs.object && b.ordered(docs) {
			b.positional = append(b.positional, b.params[len(b.params)-1].name)
		}
	}
	if len(docs.params) == 0 && !docs.none {
		b.exampleParams()
	}
}

// ordered reports whether the order of the documented arguments means anything to the row: an agent
// without a message of its own gets a lone argument as its message, and several as one object.
func (b *builder) ordered(docs docArgs) bool {
	return b.row.Type != directory.Fn && (b.row.Type != directory.Agent || len(docs.params) == 1)
}

// docParam is a documented argument that no slot speaks for.
func (b *builder) docParam(d docParam) param {
	p := param{name: d.name, schema: obj(), doc: d.source, example: b.exampleSource(), from: d.from, typeFrom: contract.FromNone, needFrom: contract.FromNone}
	d.settleNumber()
	d.settleList()
	if d.schema.len() > 0 {
		p.schema, p.typeFrom = d.schema, d.typeFrom()
	}
	switch {
	case d.required != nil:
		p.required, p.needFrom = *d.required && !d.hasDefault, contract.FromArgs
	case d.optionalArg || d.hasDefault:
		p.needFrom = contract.FromArgs
	}
	d.annotate(p.schema)
	return p
}

// annotate adds the words and the default, which say nothing of what is valid.
func (d docParam) annotate(schema *object) {
	if d.description != "" && !schema.has("description") {
		schema.set("description", d.description)
	}
	if d.hasDefault && !schema.has("default") && fitsType(d.value, schema) {
		schema.set("default", d.value)
	}
}

// boundParams are those that fill slots.
func (b *builder) boundParams(docs docArgs) {
	if p, ok := b.oneOfWords(docs); ok {
		b.add(1, p)
		return
	}
	if b.notNames(docs) {
		b.warn("params", "\""+short(strings.Join(docs.words, "|"))+"\" are more than the template takes, and none is a name around its slots; the names are the template's", "list as many arguments as the template takes, or write \"name: a|b|c\" for values")
		docs.params = nil
	}
	assigned := b.match(docs.params, true)
	told := b.heeded(docs.params, assigned)
	for _, i := range b.shape.indexes() {
		f := b.shape.slots[i]
		at, documented := assigned[i]
		d, heeded := told[i]
		switch {
		case documented:
			b.add(i, b.fillParam(f, docs.params[at]))
		case heeded:
			b.add(i, b.fillParam(f, d))
		default:
			b.add(i, b.slotParam(f))
		}
	}
	for at, d := range docs.params {
		if !hasValue(assigned, at) && !(d.flag != "" && d.schema.text("type") == "boolean") {
			b.warn("params", "the documentation names "+label(d)+", and no slot of the template carries it", "add a slot for it, or take it out of the documentation")
		}
	}
}

func label(d docParam) string {
	if d.name == "" {
		return "$" + itoa(d.index)
	}
	return "\"" + short(d.name) + "\""
}

func hasValue(m map[int]int, v int) bool {
	for _, x := range m {
		if x == v {
			return true
		}
	}
	return false
}

// fillParam is a documented argument in its slots.
func (b *builder) fillParam(f *filled, d docParam) param {
	b.settleChoices(&d, f.index)
	p := b.placeParam(f)
	p.doc, p.remark = d.source, d.remark
	if d.name != "" && d.from != contract.FromTemplate && !(d.phrase && len(f.strong()) > 0 && !f.partOfValue()) {
		p.name, p.from = d.name, d.from
	}
	if !d.anything {
		b.settleBare(&p, f, d.description)
		b.settleBody(&p, f)
	}
	if v, ok := literal(d.example); ok && d.schema.len() == 0 && f.bare() && !fitsType(v, obj("type", "string")) {
		p.schema, p.typeFrom = shownType(p.name, v, false, 0), contract.FromExample
	}
	if d.schema.len() == 0 && f.bare() && (d.anything || otherJSON.MatchString(d.description)) {
		p.schema, p.typeFrom = obj(), contract.FromNone // what kind of JSON is not said well enough
		if listWords.MatchString(d.description) {
			p.schema, p.typeFrom = obj("type", "array"), contract.FromProse
		}
	}
	if b.shape.byDefault {
		p.required, p.needFrom = true, contract.FromTemplate
	}
	d.settleNumber()
	if p.schema.text("type") == "array" && p.typeFrom == contract.FromExample && d.typeFrom() == contract.FromProse && d.schema.text("type") != "array" {
		d.schema = nil // words on what the list holds
	}
	if d.schema.len() > 0 {
		if carried := f.carries(d.schema); carried != nil {
			p.schema, p.typeFrom = carried, d.typeFrom()
		} else {
			b.warn(fieldOf(p.name), "the type that the documentation gives cannot stand in the text around the slot; it is taken as text", "put the slot bare into a JSON template, or document a string")
		}
	}
	switch {
	case d.optional() && f.mustFill():
		b.warn(fieldOf(p.name), "documented as optional, but the URL cannot do without it", "document it as required, or move it to the query")
	case d.optional():
		p.required, p.needFrom = false, d.needFrom()
	case d.required != nil:
		p.needFrom = d.needFrom()
	}
	d.annotate(p.schema)
	return p
}

// needFrom is where it is said whether the argument may be left out.
func (d docParam) needFrom() contract.Provenance {
	if d.remark.place != "" {
		return contract.FromProse
	}
	return contract.FromArgs
}

// otherJSON are words for JSON that is no number or boolean; listWords say outright that it is a list.
var (
	otherJSON = compile(`(?i)\b(?:lists?|arrays?|objects?|json|dict|maps?|mapping|strings?|text|null)\b`)
	listWords = compile(`(?i)^\(?(?:an? )?(?:json )?(?:list|array) of\b`)
)

// slotParam is what template and examples say of an argument that nothing documents.
func (b *builder) slotParam(f *filled) param {
	p := b.placeParam(f)
	b.settleBare(&p, f, "")
	b.settleBody(&p, f)
	return p
}

// placeParam is what stands around the slots of an argument.
func (b *builder) placeParam(f *filled) param {
	p := param{schema: f.slotSchema(), slot: b.slotSource(f), example: b.exampleSource(), required: true, typeFrom: contract.FromTemplate, needFrom: contract.FromTemplate}
	if p.schema.len() == 0 {
		p.typeFrom = contract.FromNone
	}
	if hints := f.hints(); len(hints) > 0 && !b.shape.byDefault {
		p.name, p.from = hints[0], contract.FromTemplate
	} else {
		p.name, p.from = "arg"+itoa(f.index), contract.FromNone
		if slices.Equal(typesOf(p.schema), []string{"string"}) {
			p.typeFrom = contract.FromNone
		}
	}
	if b.shape.byDefault {
		p.required, p.needFrom = false, contract.FromNone
	}
	b.nameByID(&p, f)
	b.namePlace(&p, f)
	return p
}

// onlyValues are words that stand among values and name no argument.
var onlyValues = strings.Fields(`all any none both`)

// oneOfWords settles a lone "a|b|c" where the template takes one argument: values when the examples
// use them as such, a note says to pick one or a word of it can be nothing else, a list of arguments when the template's own name is
// among them. Otherwise it is not known, and the argument stays a string.
func (b *builder) oneOfWords(docs docArgs) (param, bool) {
	f := b.shape.slots[1]
	if len(docs.words) < 2 || len(docs.words) != len(docs.params) || b.shape.arity != 1 || f.anySlot(func(s template.Slot) bool { return s.Form == template.Tail }) {
		return param{}, false
	}
	p := b.slotParam(f)
	p.doc = docs.source
	if b.examplesAreAmong(docs.words) {
		p.schema, p.typeFrom = obj("enum", strs(docs.words)), contract.FromExample
		return p, true
	}
	if slices.ContainsFunc(docs.words, func(w string) bool { return slices.Contains(onlyValues, w) }) && len(f.strong()) > 0 {
		p.schema, p.typeFrom = obj("enum", strs(docs.words)), contract.FromArgs
		return p, true
	}
	if slices.ContainsFunc(append(b.row.Docs.Notes, b.prose()...), pickOne.MatchString) {
		p.schema, p.typeFrom = obj("enum", strs(docs.words)), contract.FromProse
		return p, true
	}
	for _, h := range f.hints() {
		if slices.ContainsFunc(docs.words, func(w string) bool { return related(h, w) }) {
			return param{}, false
		}
	}
	p.schema.set("description", "documented as "+strings.Join(docs.words, "|"))
	b.warn(fieldOf(p.name), "\""+short(strings.Join(docs.words, "|"))+"\" may be arguments or values, and the template takes one argument; it is taken as text",
		"write \""+p.name+": "+short(strings.Join(docs.words, "|"))+"\" for values, or one slot for each argument")
	return p, true
}

// pickOne are words that make a lone "a|b|c" the values of one argument.
var pickOne = compile(`(?i)\b(?:pick|choose|select|exactly|only|any) one\b`)

// add appends a parameter, at a template index where index is above 0, under a name of its own.
func (b *builder) add(index int, p param) {
	base := p.name
	for n := 2; slices.ContainsFunc(b.params, func(q param) bool { return q.name == p.name }); n++ {
		p.name = base + itoa(n)
	}
	b.params = append(b.params, p)
	if index > 0 {
		b.place(index, p.name)
	}
}

// place notes which parameter fills a slot.
func (b *builder) place(index int, name string) {
	for len(b.positional) < index {
		b.positional = append(b.positional, "")
	}
	b.positional[index-1] = name
}

func fieldOf(name string) string { return "params/" + contract.EscapeToken(name) }

// object writes the parameters as an object schema.
func (b *builder) object() *object {
	root := obj("type", "object")
	if b.open {
		root.set("additionalProperties", true)
		return root
	}
	properties, required := obj(), []any{}
	for _, p := range b.params {
		properties.set(p.name, p.schema)
		if p.required {
			required = append(required, p.name)
		}
	}
	root.set("properties", properties)
	if len(required) > 0 {
		root.set("required", required)
	}
	if b.closed {
		root.set("additionalProperties", false)
	}
	return root
}

// record notes where each parameter came from.
func (b *builder) record(p param) {
	field := fieldOf(p.name)
	b.say(field, p.from, p.told(p.from))
	b.say(field+"/type", p.typeFrom, p.told(p.typeFrom))
	if p.needFrom != p.from {
		b.say(field+"/required", p.needFrom, p.told(p.needFrom))
	}
}
