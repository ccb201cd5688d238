package infer

// This file reads ARGS lines in the forms of programs: columns of SQL, signatures of functions, and names with
// the types that programs give them.

import (
	"slices"
	"strings"

	"codemode/directory/contract"
)

var (
	sqlColumn = compile("^[`\"\\[]?([\\p{L}_][\\p{L}\\p{N}_]*)[`\"\\]]?\\s+((?i:(?:N?VAR|N)?CHAR2?|CHARACTER(?: VARYING)?|N?TEXT|CITEXT|CLOB|STRING|INT(?:EGER|[248])?|(?:BIG|SMALL|TINY|MEDIUM)(?:INT)?|(?:BIG|SMALL)?SERIAL|DECIMAL|NUMERIC|NUMBER|REAL|FLOAT[48]?|DOUBLE(?: PRECISION)?|MONEY|BOOL(?:EAN)?|BIT|DATE|TIME(?:STAMP(?:TZ)?)?(?: WITH(?:OUT)? TIME ZONE)?|DATETIME2?|UUID|UNIQUEIDENTIFIER|JSONB?|ENUM))(?:\\s*\\(([^()]*)\\))?(\\[\\])?(\\s.*)?$")
	sqlWords  = compile(`(?i)\bNOT NULL\b|\bNULL\b|\bDEFAULT\b|\bVARCHAR|\bCHECK\s*\(|\bPRIMARY KEY\b`)
	sqlTypes  = compile(`^\w+ [A-Z]{3,}(?:\([\d,]+\))?(?: [^,]*)?, ?\w+ [A-Z]{3,}(?:$|[\s(,])`)
	sqlGoesOn = compile(`^(?i:IN\s*\(|CHECK\s*\(|NOT NULL|NULL|DEFAULT|PRIMARY KEY|UNIQUE|REFERENCES|BETWEEN)`)
	sqlIn     = compile(`(?i)\bIN\s*\(([^()]+)\)`)
	sqlValue  = compile(`(?i)\bDEFAULT\s+\(?('[^']*'|"[^"]*"|[\w.+\-]+(?:\(\))?)`)
	sqlNotNil = compile(`(?i)\bNOT NULL\b|\bPRIMARY KEY\b`)
	sqlNil    = compile(`(?i)\bNULL(?:ABLE)?\b`)
)

// addColumns reads "part_no VARCHAR(18) NOT NULL, min_stock INT DEFAULT 0", the columns of a table in SQL.
func (d *docArgs) addColumns(line string) bool {
	if !sqlWords.MatchString(line) && !sqlTypes.MatchString(line) {
		return false
	}
	var pieces []string
	for _, piece := range splitTop(strings.TrimRight(line, ";. "), ',') {
		piece = strings.TrimSpace(piece)
		if n := len(pieces); n > 0 && sqlGoesOn.MatchString(piece) {
			pieces[n-1] += " " + piece
		} else {
			pieces = append(pieces, piece)
		}
	}
	var params []docParam
	for _, piece := range pieces {
		p, ok := sqlParam(piece)
		if !ok {
			return false
		}
		params = append(params, p)
	}
	d.params = append(d.params, oppose(params)...)
	return true
}

func sqlParam(piece string) (docParam, bool) {
	m := sqlColumn.FindStringSubmatch(piece)
	if m == nil {
		return docParam{}, false
	}
	p := docParam{name: m[1], from: contract.FromArgs, source: source{words: piece}, schema: sqlType(m[2])}
	if strings.EqualFold(m[2], "enum") {
		p.schema = nil
		p.setEnum(splitValues(m[3]))
	}
	if m[4] != "" {
		p.schema = arrayOf(p.schema)
	}
	rest := m[5]
	if sqlNil.MatchString(m[3]) {
		rest = m[3] // "note TEXT (nullable)"
	}
	if in := sqlIn.FindStringSubmatch(rest); in != nil {
		if values := splitValues(in[1]); len(values) > 1 && p.schema.text("type") == "string" {
			p.schema = obj("type", "string", "enum", asTexts(values))
		}
	}
	if v := sqlValue.FindStringSubmatch(rest); v != nil {
		if value, ok := literal(v[1]); ok && !strings.EqualFold(v[1], "null") && fitsType(value, p.schema) {
			p.value, p.hasDefault = value, true
		} else {
			p.optionalArg = true // now(), null
		}
	}
	switch {
	case p.optional():
	case sqlNotNil.MatchString(rest):
		p.required = new(true)
	case sqlNil.MatchString(rest):
		p.demand(false)
	}
	return p, true
}

func sqlType(word string) *object {
	word = strings.ToUpper(word)
	switch {
	case strings.Contains(word, "INT"), strings.Contains(word, "SERIAL"), word == "BIG", word == "SMALL", word == "TINY":
		return obj("type", "integer")
	case strings.Contains(word, "DEC"), strings.HasPrefix(word, "NUM"), strings.HasPrefix(word, "REAL"), strings.HasPrefix(word, "FLOAT"), strings.HasPrefix(word, "DOUBLE"), word == "MONEY":
		return obj("type", "number")
	case strings.HasPrefix(word, "BOOL"), word == "BIT":
		return obj("type", "boolean")
	case strings.HasPrefix(word, "JSON"):
		return obj()
	case word == "UUID", word == "UNIQUEIDENTIFIER":
		return obj("type", "string", "format", "uuid")
	}
	return obj("type", "string")
}

// signature is "(city: string, days?: number = 7) => Promise<Forecast>", "def f(city: str, days: int = 7) -> dict".
var signature = compile(`^(?:(?:export |async |public |static )*(?:function|def|fn|func|fun|sub)\s+)?([\p{L}_][\p{L}\p{N}_.]*)?\((.*)\)\s*(?:(?:=>|->|:)\s*\S.*)?;?$`)

// addSignature reads the parameters between the brackets of a function's signature.
func (d *docArgs) addSignature(line string) bool {
	m := signature.FindStringSubmatch(line)
	if m == nil || strings.TrimSpace(m[2]) == "" {
		return false
	}
	var items []docParam
	typed := false
	for _, piece := range splitTop(m[2], ',') {
		if slices.Contains([]string{"*", "/", "self", "this", "..."}, strings.TrimSpace(piece)) {
			continue
		}
		p, ok := typedItem(strings.TrimSpace(piece))
		if !ok {
			return false
		}
		typed = typed || p.schema.len() > 0
		items = append(items, p)
	}
	if !typed && m[1] != "" && !strings.Contains(line, "def ") && !strings.Contains(line, "function ") {
		return false // "city (text, optional)"
	}
	for i := range items {
		items[i] = items[i].demanded()
	}
	d.params = append(d.params, items...)
	return true
}

// typedHead is a name with a mark, before a type or a value.
var typedHead = compile("^\\.{0,3}`?([\\p{L}_$][\\p{L}\\p{N}_.\\-]*)`?(\\?)?\\s*(?::\\s*(.*)|=\\s*(.*)|)$")

// typedItem reads "days", "days?: number", "days: number = 7", "days = 7", where a type can only be read as
// a whole.
func typedItem(piece string) (docParam, bool) {
	m := typedHead.FindStringSubmatch(piece)
	if m == nil {
		if t := typeThenName.FindStringSubmatch(piece); t != nil {
			return readItem(piece)
		}
		return typeBehindName(piece)
	}
	p := docParam{name: m[1], from: contract.FromArgs, optionalArg: m[2] != "", source: source{words: piece}}
	value := m[4]
	if strings.HasSuffix(m[3], "!") { // GraphQL
		p.required, m[3] = new(true), strings.TrimSuffix(m[3], "!")
	}
	m[3] = strings.ReplaceAll(m[3], "!]", "]")
	if m[3] != "" {
		t, rest, ok := parseTypePrefix(m[3])
		if rest = strings.TrimSpace(rest); !ok || rest != "" && !strings.HasPrefix(rest, "=") {
			return docParam{}, false
		}
		p.setType(t)
		p.anything = false
		value = strings.TrimSpace(strings.TrimPrefix(rest, "="))
	}
	switch v, ok := literal(value); {
	case value == "":
	case strings.EqualFold(value, "none"), strings.EqualFold(value, "null"), value == "undefined", value == "nil", value == "{}", value == "[]":
		p.optionalArg = true
	case !ok:
		return docParam{}, false
	default:
		p.value, p.hasDefault, p.optionalArg = asTyped(v, false, p.schema), true, true
	}
	return p, true
}

// behindType is what may follow a type behind its name: a flag, a bound, a default.
var behindType = compile(`^,?\s*((?i:required|optional|req\.?|opt\.?|mandatory))?\s*(?:[<>≥≤]=?\s*-?[\d.]+)?\s*(?:=\s*(\S+))?$`)

// typeBehindName reads "sku string required", "note str | None = None".
func typeBehindName(piece string) (docParam, bool) {
	name, rest, _ := strings.Cut(piece, " ")
	if !plainName.MatchString(name) || !typeName.MatchString(nextWord(strings.TrimSpace(rest))) {
		return docParam{}, false
	}
	t, rest, ok := parseTypePrefix(rest)
	m := behindType.FindStringSubmatch(rest)
	if !ok || m == nil {
		return docParam{}, false
	}
	p := docParam{name: strings.TrimRight(name, "?+"), from: contract.FromArgs, optionalArg: strings.HasSuffix(name, "?"), source: source{words: piece}}
	p.setType(t)
	p.readMeta(m[1])
	if v, ok := literal(m[2]); ok && !slices.Contains(noValues, strings.ToLower(m[2])) {
		p.value, p.hasDefault = asTyped(v, false, p.schema), true
	}
	p.optionalArg = p.optionalArg || m[2] != ""
	return p, true
}

// addTyped reads "kpi: string, period: 'day' | 'week', n: number = 12" without a bracket around.
func (d *docArgs) addTyped(line string) bool {
	pieces := splitTop(line, ',')
	if strings.Contains(line, ";") && len(pieces) == 1 {
		pieces = splitTop(strings.TrimRight(line, "; "), ';')
	}
	if words := strings.Fields(line); len(pieces) < 2 && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(strings.Trim(w, ":"), ":") }) {
		pieces = words
	}
	if len(pieces) < 2 {
		return false
	}
	var items []docParam
	typed := 0
	for _, piece := range pieces {
		p, ok := typedItem(strings.TrimSpace(piece))
		if !ok {
			return false
		}
		if p.schema.len() > 0 {
			typed++
		}
		items = append(items, p)
	}
	if typed == 0 {
		return false
	}
	d.params = append(d.params, oppose(items)...)
	return true
}
