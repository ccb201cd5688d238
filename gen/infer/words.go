package infer

// This file reads types as people write them: "integer", "array of strings", "Optional[int]",
// "number | null", "{id, items: [{sku, qty: number}]}". It reads a whole text or nothing: half a
// type is a guess.

import (
	"slices"
	"strings"
	"unicode"
)

// typeText is a type read from text.
type typeText struct {
	schema   *object // nil only when nothing was read
	optional bool    // "Optional[...]", "string?"
	said     string  // words that tell more than the schema: "list of e-mail addresses"
}

// maxTypeText caps the bytes of one type in words, maxTypeDepth its nesting.
const (
	maxTypeText  = 4096
	maxTypeDepth = 32
)

// typeWords maps a word to a schema's type and format. An empty type is unknown, said in words.
var typeWords = map[string][2]string{
	"string": {"string"}, "str": {"string"}, "text": {"string"}, "varchar": {"string"}, "char": {"string"},
	"strings": {"string"}, "path": {"string"}, "filepath": {"string"}, "filename": {"string"},
	"uuid": {"string", "uuid"}, "guid": {"string", "uuid"}, "url": {"string", "uri"}, "uri": {"string", "uri"},
	"urls": {"string", "uri"}, "uuids": {"string", "uuid"}, "email": {"string", "email"}, "emails": {"string", "email"},
	"date": {"string"}, "datetime": {"string"}, "date-time": {"string", "date-time"},
	"number": {"number"}, "numbers": {"number"}, "numeric": {"number"}, "num": {"number"}, "float": {"number"},
	"floats": {"number"}, "double": {"number"}, "doubles": {"number"}, "float32": {"number"}, "float64": {"number"},
	"integer": {"integer"}, "integers": {"integer"}, "int": {"integer"}, "ints": {"integer"}, "int32": {"integer"},
	"uint": {"integer"}, "uint32": {"integer"}, "short": {"integer"}, "long": {"integer", "int64"},
	"int64": {"integer", "int64"}, "uint64": {"integer", "uint64"}, "bigint": {"integer", "int64"},
	"boolean": {"boolean"}, "booleans": {"boolean"}, "bool": {"boolean"}, "bools": {"boolean"}, "flag": {"boolean"},
	"object": {"object"}, "objects": {"object"}, "obj": {"object"}, "dict": {"object"}, "dicts": {"object"},
	"dictionary": {"object"}, "dictionaries": {"object"}, "map": {"object"}, "mapping": {"object"}, "hash": {"object"},
	"struct": {"object"}, "record": {"object"},
	"array": {"array"}, "arrays": {"array"}, "list": {"array"}, "lists": {"array"}, "tuple": {"array"},
	"sequence": {"array"}, "set": {"array"}, "iterable": {"array"}, "vector": {"array"},
	"null": {"null"}, "none": {"null"}, "nil": {"null"}, "void": {"null"}, "undefined": {"null"},
	"any": {}, "unknown": {}, "mixed": {}, "json": {}, "value": {},
}

// adjectives may stand before a type word and do not change it.
var adjectives = []string{"a", "an", "the", "json", "plain", "single", "optional", "required", "one", "bare", "positive"}

// parseWords reads s as one type.
func parseWords(s string) (typeText, bool) {
	p := &typeParser{rest: strings.TrimSpace(s)}
	if p.rest == "" || len(p.rest) > maxTypeText {
		return typeText{}, false
	}
	t, ok := p.union(0)
	if !ok || strings.TrimRight(p.rest, " .\t") != "" {
		return typeText{}, false
	}
	return t, true
}

// parseTypePrefix reads a type at the start of s and returns what follows it.
func parseTypePrefix(s string) (t typeText, rest string, ok bool) {
	p := &typeParser{rest: strings.TrimSpace(s)}
	if len(p.rest) > maxTypeText {
		return typeText{}, s, false
	}
	t, ok = p.union(0)
	return t, strings.TrimSpace(p.rest), ok
}

type typeParser struct {
	rest string
	// bad is where the text stopped being a type, once it did.
	bad string
	// lenient leaves a field whose type cannot be read unknown, where the shape goes on after it.
	lenient bool
}

// stuck notes the place that cannot be read, the first one only.
func (p *typeParser) stuck(at string) (typeText, bool) {
	if p.bad == "" {
		p.bad = at
	}
	return typeText{}, false
}

func (p *typeParser) skip() { p.rest = strings.TrimLeft(p.rest, " \t\r\n") }

func (p *typeParser) take(token string) bool {
	p.skip()
	if !strings.HasPrefix(p.rest, token) {
		return false
	}
	p.rest = p.rest[len(token):]
	return true
}

func (p *typeParser) word() string {
	p.skip()
	w := p.rest[:wordEnd(p.rest)]
	p.rest = p.rest[len(w):]
	return w
}

// wordEnd is where the word at the start of a text ends: letters and "_$", then digits and "-" too.
func wordEnd(s string) int {
	for i, r := range s {
		if !unicode.IsLetter(r) && r != '_' && r != '$' && (i == 0 || !unicode.IsNumber(r) && r != '-') {
			return i
		}
	}
	return len(s)
}

// takeWord takes w when it is the next word.
func (p *typeParser) takeWord(w string) bool {
	before := p.rest
	if strings.EqualFold(p.word(), w) {
		return true
	}
	p.rest = before
	return false
}

func (p *typeParser) union(depth int) (typeText, bool) {
	first, ok := p.postfix(depth)
	if !ok {
		return typeText{}, false
	}
	members := []typeText{first}
	for {
		before, barred := p.rest, p.take("|")
		if !barred && !p.takeWord("or") {
			break
		}
		next, ok := p.postfix(depth)
		if !ok && !barred && orError.MatchString(before) {
			p.rest, p.bad = before, ""
			break
		}
		if !ok {
			return typeText{}, false
		}
		members = append(members, next)
	}
	return unite(members), true
}

// orError is an alternative that is no result.
var orError = compile(`^(?i:\s*or (?:ERR|an? (?:error|exception))\b)`)

// unite makes one schema of several alternatives.
func unite(members []typeText) typeText {
	if len(members) == 1 {
		return members[0]
	}
	out := typeText{schema: members[0].schema}
	for _, m := range members {
		out.optional = out.optional || m.optional
	}
	if values, ok := literals(members); ok {
		out.schema = obj("enum", values)
		return out
	}
	var types []string
	var list []any
	simple := true
	for _, m := range members {
		if m.schema.len() == 0 {
			out.schema = obj()
			return out
		}
		simple = simple && m.schema.len() == 1 && m.schema.text("type") != ""
		types = append(types, typesOf(m.schema)...)
		list = append(list, m.schema)
	}
	if !slices.ContainsFunc(types, func(t string) bool { return t != "string" }) {
		out.schema = obj("type", "string") // "URL or path"
		return out
	}
	out.schema = obj("anyOf", distinct(list))
	if simple {
		out.schema = obj()
		slices.Sort(types)
		setTypes(out.schema, orderTypes(slices.Compact(types)))
	}
	return out
}

// orderTypes puts null last, where readers expect it.
func orderTypes(types []string) []string {
	if i := slices.Index(types, "null"); i >= 0 {
		types = append(slices.Delete(types, i, i+1), "null")
	}
	return types
}

// literals gathers the values when every member is a literal.
func literals(members []typeText) ([]any, bool) {
	var values []any
	for _, m := range members {
		list, ok := m.schema.values["enum"].([]any)
		if !ok || m.schema.len() != 1 {
			if m.schema.text("type") == "null" {
				list = []any{nil}
			} else {
				return nil, false
			}
		}
		values = append(values, list...)
	}
	return distinct(values), len(values) > 0 && slices.ContainsFunc(values, func(v any) bool { return v != nil })
}

func (p *typeParser) postfix(depth int) (typeText, bool) {
	if depth > maxTypeDepth {
		return typeText{}, false
	}
	t, ok := p.primary(depth)
	for ok {
		switch {
		case p.take("[]"):
			depth++
			t.schema = arrayOf(t.schema)
		case p.take("?"):
			t.optional = true
		default:
			return t, depth <= maxTypeDepth
		}
	}
	return t, ok
}

func arrayOf(items *object) *object {
	if items.len() == 0 {
		return obj("type", "array")
	}
	return obj("type", "array", "items", items)
}

func (p *typeParser) primary(depth int) (typeText, bool) {
	p.skip()
	switch {
	case p.take("{"):
		return p.fields(depth)
	case p.take("["):
		return p.bracketed(depth)
	case p.take("("):
		t, ok := p.union(depth + 1)
		return t, ok && p.take(")")
	case p.rest != "" && strings.ContainsRune("\"'`", rune(p.rest[0])):
		return p.quoted()
	}
	return p.named(depth)
}

// bracketed is what follows "[": nothing, or the type of the items; "..." may end it.
func (p *typeParser) bracketed(depth int) (typeText, bool) {
	if p.take("]") {
		return typeText{schema: obj("type", "array")}, true
	}
	if p.take("...") && p.take("]") {
		return typeText{schema: obj("type", "array")}, true
	}
	t, ok := p.union(depth + 1)
	p.take(",")
	_ = p.take("...") || p.take("…")
	return typeText{schema: arrayOf(t.schema)}, ok && p.take("]")
}

func (p *typeParser) quoted() (typeText, bool) {
	quote := p.rest[:1]
	value, rest, ok := strings.Cut(p.rest[1:], quote)
	p.rest = rest
	return typeText{schema: obj("enum", []any{value})}, ok
}

var fieldName = compile(`^(?:[\p{L}_$][\p{L}\p{N}_$.\-]*|"[^"\n]{1,80}"|'[^'\n]{1,80}')`)

// fields is what follows "{": "id, name?: string, tags: [string]".
func (p *typeParser) fields(depth int) (typeText, bool) {
	properties, required := obj(), []any{}
	for !p.take("}") {
		_ = p.take("...") || p.take("…")
		if p.take("}") {
			break
		}
		p.skip()
		raw := fieldName.FindString(p.rest)
		if raw == "" || properties.len() > 200 {
			return p.stuck(p.rest)
		}
		p.rest = p.rest[len(raw):]
		name := strings.Trim(raw, `"'`)
		optional := p.take("?")
		field := typeText{schema: obj()}
		if p.take(":") {
			var ok bool
			before := p.rest
			if field, ok = p.union(depth + 1); !ok || p.lenient && !p.fieldEnds() {
				if !p.lenient || !p.skipField(before) {
					return typeText{}, false
				}
				field = typeText{schema: obj()}
			}
			p.fieldRemark(field.schema)
		}
		properties.set(name, field.schema)
		if !optional && !field.optional && !slices.Contains(required, any(name)) {
			required = append(required, name)
		}
		if !p.take(",") && !p.take(";") && !strings.HasPrefix(strings.TrimLeft(p.rest, " \t\r\n"), "}") {
			return p.stuck(p.rest)
		}
	}
	o := obj("type", "object")
	if properties.len() > 0 {
		o.set("properties", properties)
	}
	if len(required) > 0 {
		o.set("required", required)
	}
	return typeText{schema: o}, true
}

// fieldEnds reports whether a field's type is read to its end.
func (p *typeParser) fieldEnds() bool {
	p.skip()
	return p.rest == "" || strings.ContainsRune(",;}(", rune(p.rest[0]))
}

// skipField goes to the end of a field that began at before.
func (p *typeParser) skipField(before string) bool {
	if p.bad == "" {
		p.bad = before
	}
	depth := 0
	for i, r := range before {
		switch {
		case strings.ContainsRune("{[(", r):
			depth++
		case depth == 0 && strings.ContainsRune(",;}", r):
			p.rest = before[i:]
			return i > 0
		case strings.ContainsRune("}])", r):
			depth--
		}
	}
	return false
}

// fieldRemark takes the brackets behind a field's type, "integer (cents)", as its description.
func (p *typeParser) fieldRemark(schema *object) {
	p.skip()
	if !strings.HasPrefix(p.rest, "(") {
		return
	}
	if inner, after, ok := cutParen(p.rest); ok && !strings.ContainsAny(inner, "{}") {
		p.rest = after
		if schema.len() > 0 && !schema.has("description") {
			schema.set("description", clean(inner))
		}
	}
}

// named is a word with what belongs to it: "array of strings", "List[int]", "map<string, number>".
func (p *typeParser) named(depth int) (typeText, bool) {
	before := p.rest
	word, optional := p.noun()
	lower := strings.ToLower(word)
	if closing := p.opening(lower); closing != "" {
		t, ok := p.generic(lower, closing, depth)
		t.optional = t.optional || optional
		return t, ok
	}
	entry, known := typeWords[lower]
	if !known {
		return p.stuck(before)
	}
	t := typeText{schema: obj(), optional: optional}
	if entry[0] != "" {
		t.schema.set("type", entry[0])
	}
	if entry[1] != "" {
		t.schema.set("format", entry[1])
	}
	if entry[0] == "array" && p.takeWord("of") {
		if things := p.texts(); things != "" {
			t.schema, t.said = arrayOf(obj("type", "string")), "list of "+things
			return t, true
		}
		items, ok := p.postfix(depth + 1)
		t.schema = arrayOf(items.schema)
		return t, ok
	}
	return t, true
}

// noun takes the type's word, past adjectives: "a JSON array", "comma-separated string".
func (p *typeParser) noun() (word string, optional bool) {
	for {
		word = p.word()
		lower := strings.ToLower(word)
		if next := p.peek(); lower == "whole" && (next == "number" || next == "numbers") {
			p.word()
			return "integer", optional
		}
		if lower == "comma-separated" {
			if next := p.peek(); next == "string" || next == "list" || next == "" {
				p.word()
				return "string", optional
			}
		}
		_, isType := typeWords[strings.ToLower(p.peek())]
		isType = isType || strings.EqualFold(p.peek(), "whole")
		if !slices.Contains(adjectives, lower) || !isType && !slices.Contains(adjectives, strings.ToLower(p.peek())) {
			return word, optional
		}
		optional = optional || lower == "optional"
	}
}

func (p *typeParser) peek() string {
	next := typeParser{rest: p.rest}
	return next.word()
}
