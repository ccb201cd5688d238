package infer

// This file reads Markdown tables: "| name | type | required | meaning |".

import (
	"slices"
	"strings"

	"codemode/directory/contract"
)

// table is a Markdown table: the cells of its head and of its rows.
type table struct {
	head  []string
	rows  [][]string
	above string // the line of words before it
}

var tableRule = compile(`^\s*\|?\s*:?-{1,}:?\s*(?:\|\s*:?-{1,}:?\s*)*\|?\s*$`)

// tablesOf finds the tables of a passage: a head, a rule below it, and rows.
func tablesOf(p passage) []table {
	var out []table
	above := ""
	for i := 0; i < len(p.lines); i++ {
		line := strings.TrimSpace(p.lines[i])
		if i+1 >= len(p.lines) || !strings.Contains(line, "|") || !strings.Contains(p.lines[i+1], "-") || !tableRule.MatchString(p.lines[i+1]) {
			if line != "" {
				above = line
			}
			continue
		}
		t := table{head: cells(line), above: above}
		for i += 2; i < len(p.lines) && (strings.HasPrefix(strings.TrimSpace(p.lines[i]), "|") || !strings.HasPrefix(line, "|") && strings.Contains(p.lines[i], "|")); i++ {
			t.rows = append(t.rows, cells(p.lines[i]))
		}
		i--
		above = ""
		out = append(out, t)
	}
	return out
}

// cells splits a line at bars that no backslash precedes.
func cells(line string) []string {
	line = strings.TrimSpace(line)
	line = strings.TrimPrefix(line, "|")
	var out []string
	var cell strings.Builder
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line) && line[i+1] == '|':
			cell.WriteByte('|')
			i++
		case line[i] == '|':
			out = append(out, strings.TrimSpace(cell.String()))
			cell.Reset()
		default:
			cell.WriteByte(line[i])
		}
	}
	if rest := strings.TrimSpace(cell.String()); rest != "" {
		out = append(out, rest)
	}
	return out
}

// columns are what the cells of a table's columns say, by the words of its head.
func (t table) columns() []string {
	out := make([]string, len(t.head))
	for i, head := range t.head {
		head, _, _ = strings.Cut(head, " (")
		switch strings.ToLower(strings.Trim(head, " *`?!:")) {
		case "name", "parameter", "parameters", "param", "argument", "arg", "field", "column", "query", "option", "key", "property", "input", "query string", "query parameter", "variable", "element", "attribute", "member":
			out[i] = "name"
		case "type", "types", "format", "kind of value", "data type", "datatype":
			out[i] = "type"
		case "required", "must", "mandatory", "req", "req.", "needed", "must be given", "obligatory", "need", "presence", "compulsory", "is required":
			out[i] = "required"
		case "optional":
			out[i] = "optional"
		case "default", "defaults", "default value", "defaults to", "if omitted", "when omitted", "if absent", "if not given", "when missing", "fallback":
			out[i] = "default"
		case "values", "allowed", "allowed values", "one of", "choices", "enum", "options", "possible values", "accepted values", "valid values", "permitted values", "accepts":
			out[i] = "values"
		case "in", "place", "#", "no", "no.":
			out[i] = "skip"
		}
	}
	if !slices.Contains(out, "name") && len(out) > 1 && out[0] == "" && slices.Contains(out, "type") {
		out[0] = "name"
	}
	return out
}

// answers reports whether a table is of the result.
func (t table) answers() bool {
	return resultWords.MatchString(t.above) || len(t.head) > 0 && resultHead.MatchString(t.head[0])
}

var (
	resultWords = compile(`(?i)^\W*(?:(?:it|the|example) )?(?:returns?|returned|response|result|answers?|output|reply|responds)\b|(?i)^[^.|]{0,40}\b(?:answer|response|result|reply|output)s?\b[^.|]{0,20}:?\W*$`)
	resultHead  = compile(`(?i)^\W*(?:returns?|returned|response|result|answer|output|reply)\b|(?i)\b(?:answer|response|result|reply)\b`)
)

// readTables reads the first table that has a column of names and one more that tells of them.
func readTables(p passage) docArgs {
	for _, t := range tablesOf(p) {
		columns := t.columns()
		if at := slices.Index(columns, "name"); at < 0 || t.answers() || len(columns) < 2 {
			continue
		}
		return t.arguments(columns)
	}
	return docArgs{}
}

// arguments reads the rows. Where some are said to be optional, or have a default, the others are
// required, and the other way round.
func (t table) arguments(columns []string) docArgs {
	var out docArgs
	for _, row := range t.rows {
		d, ok := tableRow(columns, row)
		if !ok {
			return docArgs{}
		}
		out.params = append(out.params, d)
	}
	out.params = oppose(out.params)
	return out
}

func tableRow(columns, row []string) (docParam, bool) {
	d := docParam{from: contract.FromArgs, source: source{words: strings.Join(row, " | ")}}
	for i, cell := range row {
		if i >= len(columns) || cell == "" {
			continue
		}
		switch columns[i] {
		case "name":
			d.readName(cell)
		case "type":
			d.readTypeCell(cell)
		case "required":
			d.readFlagCell(cell, true)
		case "optional":
			d.readFlagCell(cell, false)
		case "default":
			d.readDefaultCell(cell)
		case "values":
			d.readValuesCell(cell)
		case "":
			d.readText(clean(cell))
		}
	}
	d.readProse()
	return d, d.name != ""
}

// readName takes a name as a table or a list writes it: "`id`", "**id**", "id*", "id?".
func (p *docParam) readName(s string) {
	if at := strings.Index(s, " ("); at > 0 && strings.HasSuffix(s, ")") {
		p.readMeta(s[at+2 : len(s)-1])
		s = s[:at]
	}
	name := strings.Trim(s, "`*_ ")
	if strings.HasSuffix(name, "?") {
		name, p.optionalArg = strings.TrimSuffix(name, "?"), true
	}
	if name != "" && len(name) <= 80 && !strings.ContainsAny(name, " \t\"'{}()<>|,;=") {
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

func (p *docParam) readFlagCell(cell string, required bool) {
	word, rest, _ := strings.Cut(strings.ToLower(cell), ",")
	switch strings.Trim(word, " .*`") {
	case "yes", "y", "true", "x", "r", "●", "•", "✓", "✔", "✅", "must", "required", "always", "ja", "oui":
		p.demand(required)
	case "no", "n", "false", "o", "opt", "opt.", "-", "–", "—", "optional", "✗", "✘", "❌", "nein", "non", "may":
		p.demand(!required)
	default:
		p.addText(clean(cell))
		return
	}
	if rest != "" {
		p.addText(clean(cell[len(cell)-len(rest):]))
	}
}

func (p *docParam) demand(required bool) {
	p.required = new(required)
	p.optionalArg = !required
}

func (p *docParam) readDefaultCell(cell string) {
	cell = strings.Trim(cell, "` ")
	switch strings.ToLower(cell) {
	case "", "-", "–", "—", "none", "n/a", "null":
		return
	case "required", "error", "an error", "fails", "mandatory", "must be given":
		p.demand(true)
		return
	}
	if v, ok := literal(cell); ok {
		p.value, p.hasDefault = v, true
		return
	}
	p.addText("default " + clean(cell))
}

func (p *docParam) readValuesCell(cell string) {
	if values := plainList(cell); len(values) > 1 {
		p.setProseEnum(values)
		return
	}
	p.addText(clean(cell))
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

// tableResult reads the fields of a table that is of the result: one that says so, or the second of
// fields and types.
func tableResult(p passage) *object {
	tables := tablesOf(p)
	for i, t := range tables {
		columns := t.columns()
		if len(columns) == 0 || !t.answers() && (i == 0 || !strings.EqualFold(strings.Trim(t.head[0], "*` "), "field")) {
			continue
		}
		columns[0] = "name"
		var fields []docParam
		for _, row := range t.rows {
			d, ok := tableRow(columns, row)
			if !ok {
				return nil
			}
			fields = append(fields, d)
		}
		return fieldsObject(fields)
	}
	return nil
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
