package infer

// This file reads tables of arguments and of results: what their columns say, and their rows.

import (
	"slices"
	"strings"

	"codemode/directory/contract"
)

// columnWords are the heads of columns by what their cells say, in lower case.
var columnWords = map[string][]string{
	"name": {"name", "parameter", "parameters", "param", "params", "argument", "arguments", "arg", "args", "field", "fields", "field name", "parameter name", "param name", "argument name",
		"column", "query", "option", "flag", "key", "keys", "property", "properties", "prop", "input", "inputs", "query string", "query parameter", "variable", "var", "element", "attribute", "attr",
		"member", "item", "identifier", "json field", "json key", "json name", "what"},
	"type": {"type", "types", "format", "kind of value", "data type", "datatype", "value type", "json type", "kind", "dtype", "schema", "is a", "class", "sql type", "java type", "python type", "ts type"},
	"required": {"required", "must", "mandatory", "req", "req.", "reqd", "req'd", "needed", "must be given", "obligatory", "need", "presence", "compulsory", "is required", "must have", "must be there",
		"necessary", "obligation", "cardinality", "card", "card.", "occurs", "occurrence", "occurrences", "multiplicity", "occ", "occ.", "m/o", "m/o/c", "r/o", "o/m", "o/r", "req/opt", "req / opt",
		"required/optional", "optionality", "mandatory/optional", "mult", "mult.", "always", "must i", "need it", "essential", "must send"},
	"optional": {"optional", "opt", "opt.", "may be left out", "can be left out", "may be omitted", "can be omitted", "omittable", "skippable", "may omit", "can skip", "nullable/optional"},
	"default":  {"default", "defaults", "default value", "defaults to", "fallback", "dflt", "dflt.", "def", "def.", "deflt", "standard", "preset", "initial", "initial value", "standard value", "by default"},
	"absent": {"if omitted", "when omitted", "if absent", "when absent", "if not given", "when not given", "when missing", "if missing", "leave out =", "leave out", "left out", "if left out", "when left out",
		"omitted", "omit", "omitted =", "omit =", "without", "without it", "unset", "if unset", "when unset", "otherwise", "else", "if empty", "when empty", "absent", "missing", "not given", "if you leave it out", "unless given", "leaving it out means", "left out means", "if not set", "when not set", "left off", "if skipped", "leave out ="},
	"values":  {"values", "allowed", "allowed values", "one of", "choices", "enum", "options", "possible values", "possible", "accepted values", "valid values", "valid", "permitted values", "permitted", "accepts", "legal values", "domain", "range of values", "can be", "may be"},
	"example": {"example", "examples", "e.g.", "eg", "e.g", "sample", "sample value", "example value", "looks like", "for example", "for instance", "such as", "sample data"},
	"place":   {"in", "place", "location", "where", "sent in", "passed in", "goes in", "param type", "parameter type", "sent as", "passed as", "part"},
	"way":     {"in/out", "i/o", "direction", "dir", "dir.", "way", "request/response", "req/res", "out/in"},
	"unit":    {"unit", "units", "measured in", "uom"},
	"skip":    {"#", "no", "no.", "nr", "nr.", "pos", "pos.", "position", "since", "version", "added", "added in"},
}

var columnKinds = func() map[string]string {
	out := map[string]string{}
	for kind, words := range columnWords {
		for _, w := range words {
			out[w] = kind
		}
	}
	return out
}()

// wordsColumn is the head of a column of words.
var wordsColumn = compile(`(?i)^\W*(?:description|desc\.?|meaning|means|notes?|remarks?|comments?|info|details?|about|explanation|purpose|text|use|usage|what it (?:is|does|means)|doc|docs|documentation|hints?|min|max|minimum|maximum|length|limits?|constraints?|validation|rules?|range)\W*$`)

// columnOf is what the cells below a head say, "" for words.
func columnOf(head string) string {
	head = strings.ToLower(strings.TrimSpace(head))
	if kind := columnKinds[head]; kind != "" {
		return kind
	}
	head, _, _ = strings.Cut(head, " (")
	head = strings.Trim(head, " *`_?!:=")
	if kind := columnKinds[head]; kind != "" {
		return kind
	}
	for _, lead := range []string{"required ", "optional ", "mandatory ", "the "} {
		if rest, ok := strings.CutPrefix(head, lead); ok && columnKinds[rest] == "name" {
			return "name"
		}
	}
	return ""
}

// columns are what the cells of a table's columns say, by the words of its head.
func (t table) columns() []string {
	out := make([]string, len(t.head))
	for i, head := range t.head {
		if out[i] = columnOf(head); out[i] == "name" && slices.Contains(out[:i], "name") {
			out[i] = "" // "Field | What"
		}
	}
	if !slices.Contains(out, "name") && len(out) > 1 && (out[0] == "" && slices.Contains(out, "type") || t.named()) {
		out[0] = "name"
	}
	return out
}

// named reports whether the cells of the first column are names in code, whatever its head says.
func (t table) named() bool {
	if columnOf(t.head[0]) != "" || wordsColumn.MatchString(t.head[0]) || len(t.rows) == 0 {
		return false
	}
	return !slices.ContainsFunc(t.rows, func(row []string) bool { return len(row) == 0 || !codeName.MatchString(row[0]) })
}

var codeName = compile("^`?[a-z_$][A-Za-z0-9_.]*`?[?*]?$")

// answers reports whether a table is of the result.
func (t table) answers() bool {
	return readHeading(t.above).result || len(t.head) > 0 && resultHead.MatchString(t.head[0])
}

var resultHead = compile(`(?i)^\W*(?:returns?|returned|response|result|answer|output|out|reply|comes back|gives)\b|(?i)\b(?:answer|response|result|reply)\b`)

// readTables reads the tables that have a column of names and one more that tells of them: the first,
// and those whose headings call them arguments.
func readTables(p passage) docArgs {
	var out docArgs
	for _, t := range tablesOf(p) {
		columns := t.columns()
		h := readHeading(t.above)
		if at := slices.Index(columns, "name"); at < 0 || t.answers() || h.other || len(columns) < 2 {
			continue
		}
		if title := t.head[slices.Index(columns, "name")]; h.required == nil && columnOf(title) == "name" && neededBy(title) != nil {
			h.required, h.arguments = neededBy(title), true
		}
		if len(out.params) > 0 && !h.arguments {
			continue
		}
		got := t.arguments(p, columns, h)
		got.unsure = columnOf(t.head[slices.Index(columns, "name")]) == "" && !h.arguments && !slices.Contains(columns, "type")
		if len(out.params) == 0 {
			out = got
		} else {
			out.params = append(out.params, got.params...)
		}
	}
	out.params = oppose(out.params)
	return out
}

// arguments reads the rows. Where some are said to be optional, or have a default, the others are
// required, and the other way round.
func (t table) arguments(p passage, columns []string, h heading) docArgs {
	var out docArgs
	var stars []bool
	for _, row := range t.rows {
		if title, is := t.subtitle(row); is {
			h = readHeading(title + ":")
			if h.result {
				break
			}
			continue
		}
		if t.way(columns, row) == "out" {
			continue
		}
		d, ok := tableRow(columns, row)
		if !ok {
			return docArgs{}
		}
		out.params, stars = append(out.params, d), append(stars, starredName.MatchString(row[slices.Index(columns, "name")]))
		h.impose(out.params[len(out.params)-1:])
	}
	if need := legendOf(p, starWords); need != nil || slices.Contains(stars, false) {
		singledOut(out.params, stars, need == nil || *need)
	}
	out.params = oppose(out.params)
	return out
}

// subtitle is a row of one cell, which says what the rows below it are.
func (t table) subtitle(row []string) (title string, is bool) {
	for _, cell := range row {
		if cell != "" && title != "" {
			return "", false
		}
		title += cell
	}
	title = strings.Trim(title, "*_` ")
	return title, len(t.head) > 2 && (neededBy(title) != nil || readHeading(title+":").result)
}

// way is "in" or "out" where a column tells requests from responses.
func (t table) way(columns, row []string) string {
	for i, kind := range columns {
		if (kind == "way" || kind == "place") && i < len(row) {
			switch strings.ToLower(strings.Trim(row[i], "`*_. ")) {
			case "out", "response", "result", "output", "o", "res", "return", "returned", "answer", "reply", "<-", "←":
				return "out"
			}
		}
	}
	return "in"
}

func tableRow(columns, row []string) (docParam, bool) {
	d := docParam{from: contract.FromArgs, source: source{words: strings.Join(row, " | ")}}
	for _, first := range []bool{true, false} { // what the others are read by
		for i, cell := range row {
			if i < len(columns) && cell != "" && first == slices.Contains([]string{"name", "type", "values", ""}, columns[i]) {
				d.readCell(columns[i], cell)
			}
		}
	}
	d.readWords()
	if tree, err := parseTree([]byte(d.example), maxTypeDepth); err == nil && d.schema == nil && strings.ContainsAny(d.example, "[{") {
		d.schema, d.typed = shownType(d.name, tree, false, 0), contract.FromExample
	}
	return d, d.name != ""
}

// tableResult reads the fields of a table that is of the result: one that says so, or the second of
// fields and types, or the rows of one whose column or subtitle says so.
func tableResult(p passage) *object {
	tables := tablesOf(p)
	for i, t := range tables {
		columns := t.columns()
		if len(columns) == 0 || t.isCodes() {
			continue
		}
		answers := t.answers() || i > 0 && strings.EqualFold(strings.Trim(t.head[0], "*` "), "field") && !readHeading(t.above).arguments
		if answers && !slices.Contains(columns, "name") {
			columns[0] = "name"
		}
		if at := slices.Index(columns, "name"); at < 0 {
			continue
		}
		if fields := t.answered(columns, answers); fields != nil {
			return ofList(fieldsObject(fields), t.above)
		}
	}
	return nil
}

// answered are the rows of the result, nil where one of them is none.
func (t table) answered(columns []string, answers bool) []docParam {
	var fields []docParam
	for _, row := range t.rows {
		if title, is := t.subtitle(row); is {
			answers = readHeading(title + ":").result
			continue
		}
		if !answers && t.way(columns, row) != "out" {
			continue
		}
		d, ok := tableRow(columns, row)
		if !ok {
			return nil
		}
		fields = append(fields, d)
	}
	return fields
}

// isCodes reports whether the rows are numbers, as those of status codes are.
func (t table) isCodes() bool {
	return slices.ContainsFunc(t.rows, func(row []string) bool { return len(row) > 0 && numberPattern.MatchString(strings.Trim(row[0], "*` ")) })
}
