package infer

// This file reads the cells of a table by what their column says.

import (
	"slices"
	"strings"
)

// readCell reads one cell of a column.
func (p *docParam) readCell(kind, cell string) {
	cell = singleTicks(cell)
	switch kind {
	case "name":
		p.readName(cell)
	case "type":
		p.readTypeCell(cell)
	case "required":
		p.readFlagCell(cell, true)
	case "optional":
		p.readFlagCell(cell, false)
	case "default", "absent":
		p.readDefaultCell(cell)
	case "values":
		p.readValuesCell(cell)
	case "example":
		p.example = strings.Trim(cell, "`* ")
	case "unit":
		p.addText("in " + clean(cell))
	case "":
		p.readText(clean(cell))
	}
}

// pathName is a name in the marks of a path, a command line or a template: "{id}", ":id", "--id", "$id".
var pathName = compile("^(?:\\{([^{}]+)\\}|<([^<>]+)>|--?([A-Za-z][\\w\\-]*)|[:$@]([A-Za-z_]\\w*))$")

// nameFlags are the words behind a name in its cell: "id required", "days, optional", "n int".
var nameFlags = compile("^(\\S+?),?\\s+(?:—\\s*)?(?i:((?:required|optional|mandatory|req\\.?|opt\\.?)|" + shortType + "))$")

// readName takes a name as a table or a list writes it: "`id`", "**id**", "id*", "id?", "id (string)".
func (p *docParam) readName(s string) {
	if at := strings.Index(s, " ("); at > 0 && strings.HasSuffix(s, ")") {
		p.readMeta(s[at+2 : len(s)-1])
		s = s[:at]
	}
	if m := nameFlags.FindStringSubmatch(strings.Trim(s, "*_ ")); m != nil {
		p.readMeta(m[2])
		s = m[1]
	}
	quoted := strings.Count(s, "`") == 2 && strings.HasPrefix(s, "`") && strings.HasSuffix(s, "`")
	name := strings.Trim(s, "`*\\ ")
	if inner := strings.Trim(name, "_"); name != inner && strings.HasPrefix(name, "__") {
		name = inner
	}
	if m := pathName.FindStringSubmatch(name); m != nil {
		name = m[1] + m[2] + m[3] + m[4]
		if m[3] != "" {
			name = identifier(m[3])
		}
	}
	if strings.HasSuffix(name, "?") {
		name, p.optionalArg = strings.TrimSuffix(name, "?"), true
	}
	unfit := " \t\"'{}()<>|,;="
	if quoted {
		unfit = strings.TrimPrefix(unfit, " ")
	}
	if name != "" && len(name) <= 80 && !strings.ContainsAny(name, unfit) {
		p.name = name
	}
}

// readTypeCell reads "string", "number, percent", "string: home, work", "string (running, ended)".
func (p *docParam) readTypeCell(cell string) {
	cell = strings.Trim(cell, "` ")
	if strings.EqualFold(cell, "enum") || strings.EqualFold(cell, "enumeration") {
		return // the values say the type
	}
	t, rest, ok := parseTypePrefix(cell)
	if !ok || t.schema == nil {
		p.readText(clean(cell))
		return
	}
	p.setType(t)
	rest = strings.TrimSpace(rest)
	inner, after, bracketed := cutParen(rest)
	switch {
	case strings.HasPrefix(rest, "(") && bracketed:
		if !p.listValues(inner) {
			p.readMeta(inner)
		}
		p.addText(strings.TrimLeft(after, ",;: "))
	case strings.HasPrefix(rest, ":"):
		if !p.listValues(rest[1:]) {
			p.addText(rest[1:])
		}
	case strings.HasPrefix(rest, "="):
		p.readDefault(rest[1:])
	case rest != "":
		p.readMeta(strings.TrimLeft(rest, ",; "))
	}
}

// listValues takes a list that stands where only values can: "home, work, sight".
func (p *docParam) listValues(s string) bool {
	values := plainList(s)
	if len(values) < 2 {
		return false
	}
	p.setProseEnum(values)
	return true
}

// plainList splits a list of words or quoted values, nil where it is no such list.
func plainList(s string) []any {
	s = strings.Trim(strings.TrimSpace(s), ".")
	if openEnum.MatchString(s) || strings.Contains(s, "...") || strings.Contains(s, "…") {
		return nil
	}
	return wordList(strings.ReplaceAll(s, "/", "|"))
}

// occurrence is how often an element comes: "0..1", "1..n", "1-*".
var occurrence = compile(`^([01n])\s*(?:\.\.|\.\.\.|-|–|:|to|,)\s*([1-9]\d*|n|N|m|\*|∞|many|unbounded)$`)

// onlyCells are words of a condition: what is needed at times may be left out.
var onlyCells = compile(`(?i)^(?:only )?(?:if|when|for|with|unless)\b|^(?:conditional|cond\.?|depends|it depends|sometimes|c)$`)

func (p *docParam) readFlagCell(cell string, required bool) {
	cell = strings.Trim(strings.ReplaceAll(cell, "\uFE0F", ""), "[]{} ")
	if m := occurrence.FindStringSubmatch(cell); m != nil {
		p.demand(m[1] != "0" && m[1] != "n")
		p.repeats(m[2])
		return
	}
	word, rest, _ := strings.Cut(strings.ToLower(cell), ",")
	if head, inner, ok := strings.Cut(word, " ("); ok {
		word, rest = head, strings.TrimSuffix(inner, ")")
	}
	switch strings.Trim(word, " .*`!()") {
	case "yes", "y", "true", "x", "r", "m", "1", "●", "•", "✓", "✔", "✅", "☑", "must", "required", "always", "mandatory", "needed", "yep", "sure", "req", "ja", "oui", "sí", "si", "+", "obligatory", "compulsory", "t", "":
		if strings.Trim(word, " .`()") == "" {
			return
		}
		p.demand(required)
	case "no", "n", "false", "o", "0", "opt", "opt.", "-", "–", "—", "optional", "✗", "✘", "❌", "☐", "○", "nein", "non", "may", "can", "never", "not required", "not needed", "?", "nope", "nil":
		p.demand(!required)
	default:
		if onlyCells.MatchString(cell) && required {
			p.demand(false)
		}
		p.addText(clean(cell))
		return
	}
	if rest = strings.TrimSpace(rest); rest != "" {
		at := strings.Index(strings.ToLower(cell), rest)
		p.readMeta(cell[at : at+len(rest)])
	}
}

// repeats makes a list of an element that comes more than once.
func (p *docParam) repeats(most string) {
	if most != "1" && p.schema.text("type") != "array" && p.schema.len() > 0 {
		p.schema = arrayOf(p.schema)
	}
}

func (p *docParam) demand(required bool) {
	p.required = new(required)
	p.optionalArg = !required
}

// noDefaults are cells that say that there is none.
var noDefaults = strings.Fields("- – — none n/a null / . ∅ nil no")

// readDefaultCell reads the default, or what holds where the argument is left out: a value, or words.
func (p *docParam) readDefaultCell(cell string) {
	cell = strings.Trim(cell, "` ")
	if slices.Contains(p.choices, cell) {
		p.value, p.hasDefault = cell, true
		return
	}
	if list, _ := p.schema.value("enum").([]any); slices.Contains(noDefaults, strings.ToLower(cell)) && !slices.Contains(list, any(cell)) || cell == "" {
		return
	}
	if refusal.MatchString(strings.Trim(cell, "()* ")) {
		p.demand(true)
		return
	}
	if inner, _, ok := cutParen(cell); ok && strings.HasPrefix(cell, "(") && strings.HasSuffix(cell, ")") {
		if !slices.Contains(noDefaults, strings.ToLower(inner)) {
			p.demand(false) // "(all of them)" tells what holds and is no value
			p.addText("left out: " + clean(inner))
		}
		return
	}
	if p.takesDefault(cell) {
		return
	}
	p.demand(false)
	p.addText("left out: " + clean(cell))
}

// refusal is a cell that says that there is no way without the argument.

var refusal = compile(`(?i)^(?:required|an? error|error|errors|fails?|it fails|mandatory|must be given|not (?:allowed|possible|permitted)|impossible|never|can(?:no|')t|refused|rejected|400|422|✗|✘|❌|(?:error|http) 4\d\d|needed|you can(?:no|')t)\b`)

// takesDefault takes a cell that is a value: a number, a boolean, quoted words, or one word that names none
// of the things that no value names.
func (p *docParam) takesDefault(cell string) bool {
	if m := countedDefault.FindStringSubmatch(cell); m != nil && p.schema.text("type") != "string" {
		cell = m[1]
	}
	v, ok := literal(cell)
	word, isWord := v.(string)
	if isWord && word == cell && (slices.Contains(noValues, strings.ToLower(word)) || slices.Contains(emptyWords, strings.ToLower(word))) && word != "auto" && word != "none" {
		return false
	}
	if !ok || isWord && p.schema.len() > 0 && !fitsType(v, p.schema) && !fitsType(asTyped(v, word != cell, p.schema), p.schema) {
		return false
	}
	if p.schema.len() > 0 {
		v = asTyped(v, isWord && word != cell, p.schema)
	}
	p.value, p.hasDefault = v, true
	return true
}

// countedDefault is "20 per page", "30 days".
var countedDefault = compile(`^(-?\d+(?:\.\d+)?)\s+(?:per |each )?\p{L}+$`)

func (p *docParam) readValuesCell(cell string) {
	if values := plainList(cell); len(values) > 1 {
		if isNumber := func(v any) bool { return fitsType(v, obj("type", "integer")) }; p.schema == nil && !slices.ContainsFunc(values, func(v any) bool { return !isNumber(v) }) {
			p.schema = obj("type", "integer")
		}
		p.setProseEnum(values)
		return
	}
	p.readText(clean(cell))
}

// oppose makes the arguments without a flag the opposite of those with one.
func oppose(params []docParam) []docParam {
	saysOptional := slices.ContainsFunc(params, func(d docParam) bool { return d.optional() })
	saysRequired := slices.ContainsFunc(params, func(d docParam) bool { return d.required != nil && *d.required })
	for i := range params {
		if params[i].required == nil && !params[i].optional() && saysOptional != saysRequired {
			params[i].required = new(saysOptional)
		}
	}
	return params
}

// optional reports whether the documentation says that the argument may be left out.
func (p docParam) optional() bool {
	return p.optionalArg || p.hasDefault || p.required != nil && !*p.required
}

// fieldsObject is an object of documented fields.
func fieldsObject(fields []docParam) *object {
	properties, required := obj(), []any{}
	for _, d := range fields {
		if d.name == "" || properties.has(d.name) {
			continue
		}
		schema := d.schema
		if schema == nil {
			schema = obj()
		}
		if d.description != "" && !schema.has("description") {
			schema.set("description", d.description)
		}
		properties.set(d.name, schema)
		if !d.optional() {
			required = append(required, d.name)
		}
	}
	if properties.len() == 0 {
		return nil
	}
	out := obj("type", "object", "properties", properties)
	if len(required) > 0 {
		out.set("required", required)
	}
	return out
}
