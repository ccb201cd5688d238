package infer

// This file reads what a docstring or a sentence says of the result: "dict: id (str), total (int)",
// "Answers a list of seats, each with `seat` (string)", "True if the policy is in force".

import (
	"slices"
	"strings"

	"codemode/directory"
	"codemode/directory/contract"
)

// resultReaders read the result from one passage, the most explicit form first.
func resultReaders() []func(passage) *object {
	return []func(passage) *object{numpyResult, fieldListResult, docstringResult, tableResult, bulletResult}
}

// toldResult is what the passages and sentences say of the result.
func (b *builder) toldResult() (*object, contract.Provenance, source) {
	for _, read := range resultReaders() {
		for _, p := range b.passages() {
			if schema := read(p); schema.len() > 0 {
				return schema, contract.FromProse, source{p.place, p.text()}
			}
		}
	}
	for _, s := range b.sentences() {
		if schema := saidResult(s.text); schema.len() > 0 && (!b.answersText() || hasFields(schema)) {
			return schema, contract.FromProse, source{s.place, s.text}
		}
	}
	for _, p := range b.passages() {
		for _, body := range bodiesOf(p) {
			if body.answer {
				return shownType("", body.value, true, 0), contract.FromExample, source{p.place, body.words}
			}
		}
	}
	return nil, contract.FromNone, source{}
}

// answersText reports whether results travel as text whatever they say, so that "returns a list" tells
// of what is in it.
func (b *builder) answersText() bool {
	return b.row.Type == directory.MCP || b.row.Type == directory.Agent || b.row.Type == directory.Dispatch
}

func hasFields(schema *object) bool {
	return schema.has("properties") || schema.object("items").has("properties")
}

// numpyResult reads the section below "Returns" and a rule: a type, or the fields of an object. One
// name with a type may be the value itself, so it says neither.
func numpyResult(p passage) *object {
	entries := numpyEntries(p, resultHeadings)
	if len(entries) == 1 {
		if schema := typedPhrase(entries[0].head, entries[0].text); schema.len() > 0 {
			return schema
		}
		return nil
	}
	var fields []docParam
	for _, e := range entries {
		m := numpyHead.FindStringSubmatch(e.head)
		if m == nil || m[2] == "" {
			return nil
		}
		d := docParam{name: m[1]}
		d.readMeta(m[2])
		d.addText(e.text)
		fields = append(fields, d)
	}
	return fieldsObject(fields)
}

// typedPhrase is a type with words on what it holds; the words may name an object's fields.
func typedPhrase(typeText, words string) *object {
	t, ok := parseWords(typeText)
	if !ok || t.schema.len() == 0 {
		return nil
	}
	schema := t.schema
	inner := schema
	if items := schema.object("items"); items != nil && schema.text("type") == "array" {
		inner = items
	}
	if inner.text("type") == "object" && !inner.has("properties") {
		fields := namedFields(words)
		if fields == nil && bareNames.MatchString(words) {
			fields = untypedFields(strings.Split(strings.Trim(words, ". "), ","))
		}
		switch {
		case fields == nil:
		case inner == schema:
			schema = fields
		default:
			schema = arrayOf(fields)
		}
	}
	if schema.text("type") == "array" && schema.object("items").text("type") == "object" && !schema.object("items").has("properties") {
		if at := strings.Index(words, "each "); at >= 0 {
			if fields := namedFields(words[at:]); fields != nil {
				schema = arrayOf(fields)
			}
		}
	}
	if schema.text("type") == "array" && schema.object("items") == nil {
		if fields := namedFields(words); fields != nil && strings.HasPrefix(strings.TrimSpace(words), "each ") {
			schema = arrayOf(fields)
		}
	}
	if words = clean(words); words != "" && !schema.has("description") {
		schema.set("description", words)
	}
	return schema
}

// bareNames is a list of names and nothing else: "path, created, bytes".
var bareNames = compile(`^\s*[a-z][a-z0-9_]*(?:,\s*[a-z][a-z0-9_]*)+\.?\s*$`)

func untypedFields(names []string) *object {
	var fields []docParam
	for _, n := range names {
		fields = append(fields, docParam{name: strings.TrimSpace(n)})
	}
	return fieldsObject(fields)
}

var (
	typedField  = compile("[`\"']?([\\p{L}_][\\p{L}\\p{N}_]*)[`\"']? \\(([^()]{2,60})\\)")
	tickedField = compile("`([\\p{L}_][\\p{L}\\p{N}_]*)`(?: \\(([^()]{2,60})\\))?")
	betweens    = compile(`^[\s,.;]*(?:and|an?|the|each|with|has|its?|holds|of)?(?:[\s,]+(?:and|an?|the|with|has))*[\s,.;:]*$`)
)

// namedFields reads "departure_id (str), fare_cents (int) and currency (str)", or names in back-quotes.
// Every name must be in the form, and a shape in braces is taken as it is.
func namedFields(words string) *object {
	words = singleTicks(strings.TrimSpace(words))
	if len(words) > maxTypeText {
		return nil
	}
	if strings.HasPrefix(words, "{") {
		if t, _, ok := parseTypePrefix(words); ok && t.schema.has("properties") {
			unquoteTypes(t.schema)
			return t.schema
		}
		return nil
	}
	form := typedField
	if strings.Contains(words, "`") {
		form = tickedField
	}
	found := form.FindAllStringSubmatchIndex(words, maxOperands)
	var fields []docParam
	at := 0
	for i, m := range found {
		if between := words[at:m[0]]; i > 0 && !betweens.MatchString(between) || i == 0 && !leadsFields(between) {
			return nil
		}
		d := docParam{name: words[m[2]:m[3]]}
		if m[4] >= 0 {
			if meta := words[m[4]:m[5]]; !d.typedAs(meta) {
				d.addText(meta)
			}
		}
		fields = append(fields, d)
		at = m[1]
	}
	if len(fields) == 0 || form == typedField && !slices.ContainsFunc(fields, func(d docParam) bool { return d.schema.len() > 0 }) {
		return nil
	}
	return fieldsObject(fields)
}

// typedAs takes "int", "int, negative when overdue" as a field's type.
func (p *docParam) typedAs(meta string) bool {
	head, rest, _ := strings.Cut(meta, ",")
	t, ok := parseWords(head)
	if !ok || t.schema.len() == 0 {
		return false
	}
	p.setType(t)
	p.addText(rest)
	return true
}

// leadsFields reports whether words may stand before the first field: "each with", "The order with".
func leadsFields(s string) bool {
	s = strings.TrimSpace(s)
	return keysLead.MatchString(s) || s == "" || s == "the" || s == "a" || s == "an" || s == "its" || strings.HasSuffix(s, "with") || strings.HasSuffix(s, "each with") || strings.HasSuffix(s, ":") || strings.HasSuffix(s, "holds") || strings.HasSuffix(s, "has")
}

// keysLead is "A dictionary with keys", "the following fields:".
var keysLead = compile(`(?i)(?:\b(?:with|has|of|and|its|holding|containing|contains|having|following)\s+)(?:the )?(?:keys?|fields?|members?|properties|attributes?|columns?)\s*:?$`)

// fieldListResult reads ":rtype: dict" and ":returns: “id“ (str)".
func fieldListResult(p passage) *object {
	typed, words := "", ""
	for _, f := range fieldList(p) {
		switch f.kind {
		case "rtype":
			typed = f.text
		case "return", "returns":
			if words = f.text; f.subject != "" && isTypeWords(f.subject) {
				typed = f.subject // ":returns str: the token"
			}
		}
	}
	if typed != "" {
		if schema := typedPhrase(typed, words); schema.len() > 0 {
			return schema
		}
	}
	return sectionPhrase(words)
}

// docstringResult reads the indented lines below "Returns:": fields a line, or one phrase. What follows
// on errors is none of it.
func docstringResult(p passage) *object {
	lines := section(p.lines, "returns", "return", "yields", "return value", "result", "results", "output", "outputs", "response")
	for i, line := range lines {
		if i > 0 && failure.MatchString(line) {
			lines = lines[:i]
			break
		}
	}
	if len(lines) == 0 {
		return nil
	}
	if len(lines) > 1 {
		if fields := fieldLines(lines); fields != nil {
			return fields
		}
		if fields := headedFields(lines); fields != nil {
			return fields
		}
	}
	return sectionPhrase(strings.Join(lines, " "))
}

// failure begins a line on what comes instead of a result.
var failure = compile(`^(?i:[45]\d\d|raises|throws|errors?|an error|fails)\b`)

// headedFields reads "dict with:" and the fields below it, "list of dicts:" the same of each.
func headedFields(lines []string) *object {
	m := fieldsHead.FindStringSubmatch(lines[0])
	if m == nil {
		return nil
	}
	fields := fieldLines(lines[1:])
	if fields != nil && listStart.MatchString(m[1]) {
		return arrayOf(fields)
	}
	return fields
}

var (
	listType   = compile(`^(?i:list|array|sequence|iterable)\s?\[`)
	fieldsHead = compile(`^(.{2,60}?)(?:,? (?:with|containing|holding|having|of)(?: the)?(?: following)?(?: keys| fields)?| keys| fields)?:$`)
	listStart  = compile(`(?i)^(?:an? )?(?:json )?(?:list|array|sequence)\b|\[\]$`)
)

// sectionPhrase reads what a docstring says of its result: "dict: id (str), total (int)", "the total (int)".
func sectionPhrase(line string) *object {
	line = singleTicks(line)
	if head, rest, ok := strings.Cut(line, ":"); ok {
		if schema := typedPhrase(head, rest); schema.len() > 0 {
			return schema
		}
	}
	if schema := returned(line); schema != nil && schema.has("properties") || schema.object("items").has("properties") {
		return schema
	}
	if fields := namedFields(withoutTail(line)); fields != nil {
		if listStart.MatchString(line) || listType.MatchString(line) {
			return arrayOf(fields)
		}
		return fields
	}
	return phraseResult(line)
}

// withoutTail drops what goes on after the last field: "lat (float), lon (float): Degrees."
func withoutTail(s string) string {
	if at := strings.LastIndex(s, "): "); at >= 0 {
		return s[:at+1]
	}
	return s
}

// fieldLines reads "total: integer" a line.
func fieldLines(lines []string) *object {
	var fields []docParam
	for _, line := range lines {
		line = bullet.ReplaceAllString(singleTicks(line), "")
		name, rest, ok := strings.Cut(line, ":")
		if m := dashedField.FindStringSubmatch(line); m != nil {
			name, rest, ok = m[1], m[2], true
		}
		d := docParam{}
		d.readName(name)
		if !ok || d.name == "" {
			return nil
		}
		d.readTyped(strings.TrimSpace(rest))
		if d.schema.len() == 0 {
			return nil
		}
		fields = append(fields, d)
	}
	return fieldsObject(fields)
}

// dashedField is "id (str) - the order".
var dashedField = compile("^(`?[\\p{L}_][\\p{L}\\p{N}_]*`? \\([^()]{2,60}\\))\\s+[-–—]\\s+(.*)$")
