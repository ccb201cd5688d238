package infer

// This file reads the fields of a result, or of a list's items, in words: "the id and the state, both strings",
// "speed and distance, which are numbers, a boolean called ignition and the time as text in read_at".

import (
	"slices"
	"strings"
)

// wordedResult is an object of fields of which the words give every type, or one type in words.
func wordedResult(toks []token) *object {
	fields := wordedFields(toks)
	properties := fields.object("properties")
	for _, name := range properties.names() {
		if sub, _ := properties.values[name].(*object); sub.len() == 0 {
			return nil
		}
	}
	if properties.len() > 1 {
		return fields
	}
	if len(toks) > 1 && len(toks) < 4 && toks[0].isAny([]string{"whole", "full"}) {
		return obj("type", "integer") // "whole cents"
	}
	return nil
}

// wordedFields is the object of a list of fields in words, nil where one of them is not understood.
func wordedFields(toks []token) *object {
	var fields []docParam
	toks = withoutFieldsLead(toks)
	since := 0 // where the fields begin that have no type yet
	for _, piece := range fieldPieces(toks) {
		if schema, shared := sharedType(piece); shared {
			for i := since; i < len(fields); i++ {
				if fields[i].schema == nil {
					fields[i].schema = schema.clone()
				}
			}
			since = len(fields)
			continue
		}
		if schema := apposedType(piece); len(fields) > 0 && schema != nil {
			if last := &fields[len(fields)-1]; last.schema == nil {
				last.schema = schema // "position, an integer"
			}
			continue
		}
		if len(fields) > 0 && fields[len(fields)-1].schema != nil && piece[0].isAny([]string{"which", "that", "where"}) {
			continue // ", which is the place in the queue"
		}
		d, ok := wordedField(piece)
		if !ok {
			return nil
		}
		fields = append(fields, d)
	}
	if len(fields) < 2 {
		return nil
	}
	return fieldsObject(fields)
}

// withoutFieldsLead drops "the fields".
func withoutFieldsLead(toks []token) []token {
	at := 0
	for at < len(toks) && toks[at].is("THE") {
		at++
	}
	if at+1 < len(toks) && toks[at].isAny([]string{"fields", "members", "properties", "keys"}) {
		return toks[at+1:]
	}
	return toks
}

// apposedType is the type that a piece is which names nothing: "a string", "a string with a timestamp".
func apposedType(piece []token) *object {
	if len(piece) < 2 || !piece[0].isAny([]string{"a", "an"}) || slices.ContainsFunc(piece, func(t token) bool { return t.isAny([]string{"called", "named"}) }) {
		return nil
	}
	end := 1
	for end < len(piece) && !piece[end].isAny([]string{"with", "for", "in", "from", "giving"}) {
		end++
	}
	schema, ok := wordsType(piece[:end])
	if !ok {
		return nil
	}
	return schema
}

// fieldPieces cuts at commas and "and" outside brackets.
func fieldPieces(toks []token) [][]token {
	var out [][]token
	start, depth := 0, 0
	cut := func(at int) {
		if at > start {
			out = append(out, toks[start:at])
		}
		start = at + 1
	}
	for i, t := range toks {
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		case depth > 0:
		case t.is(","), t.is("and"), t.is(";"), t.is("."):
			cut(i)
		}
	}
	cut(len(toks))
	return out
}

// sharedType is "both strings", "which are numbers", "all of them integers".
func sharedType(piece []token) (*object, bool) {
	lead := 0
	for lead < len(piece) && piece[lead].isAny([]string{"both", "all", "each", "which", "that", "of", "IT", "BE", "a", "an", "as"}) {
		lead++
	}
	if lead == 0 || lead == len(piece) || !slices.ContainsFunc(piece[:lead], func(t token) bool { return t.isAny([]string{"both", "all", "each", "which", "that"}) }) {
		return nil, false
	}
	return wordsType(piece[lead:])
}

// wordsType is the type that a few words are.
func wordsType(words []token) (*object, bool) {
	text := textOf(words)
	if t, ok := parseWords(strings.ToLower(text)); ok && t.schema.len() > 0 {
		return t.schema, true
	}
	kind := kindOf("", text)
	return kind, kind.len() > 0
}

// wordedField is "the id", "name (string)", "a boolean called ignition", "the time of the reading as text in
// read_at", "a number total".
func wordedField(piece []token) (docParam, bool) {
	for len(piece) > 0 && piece[0].isAny([]string{"THE", "also", "then", "finally"}) {
		piece = piece[1:]
	}
	n := len(piece)
	if n == 0 {
		return docParam{}, false
	}
	isName := func(t token) bool { return plainIdentifier(t.text) && (t.quoted || t.word != "" && !t.isAny(grammar)) }
	if n == 1 {
		return docParam{name: piece[0].text}, isName(piece[0])
	}
	if end := closing(piece, 1); end == n && isName(piece[0]) {
		schema, ok := wordsType(piece[2 : n-1])
		return docParam{name: piece[0].text, schema: schema}, ok
	}
	for i, t := range piece {
		if i > 0 && i+2 == n && t.isAny([]string{"called", "named"}) && isName(piece[i+1]) {
			schema, ok := wordsType(piece[:i])
			return docParam{name: piece[i+1].text, schema: schema}, ok
		}
		if i > 0 && i+2 == n && t.is("in") && isName(piece[i+1]) {
			for as := range i {
				if piece[as].is("as") {
					schema, ok := wordsType(piece[as+1 : i])
					return docParam{name: piece[i+1].text, schema: schema}, ok
				}
			}
		}
	}
	return docParam{}, false
}

// eachOf is what "a list of lines, each of them a string" and "every line is an object made of sku (string)
// and qty (integer)" say of an item: its type, or its fields.
func eachOf(toks []token) (of, fields *object) {
	for i, t := range toks {
		if !t.isAny([]string{"each", "every"}) {
			continue
		}
		at := i + 1
		for at < len(toks) && !toks[at].mark() && !toks[at].isAny([]string{"a", "an", "with", "has"}) {
			at++
		}
		if at >= len(toks) || toks[at].mark() {
			return nil, nil
		}
		if end := at + 1; toks[at].isAny([]string{"a", "an"}) && end < len(toks) && !toks[end].is("object") {
			for end < len(toks) && !toks[end].mark() {
				end++
			}
			of, _ = wordsType(toks[at:end])
			return of, nil
		}
		for at < len(toks) && toks[at].isAny(madeOf) {
			at++
		}
		return nil, wordedFields(toks[at:])
	}
	return nil, nil
}

var madeOf = strings.Fields("a an json object made of with has having holding containing consisting composed that which fields the")

// tellItems gives what "every line is ..." says to the argument that is a list of them.
func (t *teller) tellItems(c clause) {
	for i := c.from; i+1 < c.to; i++ {
		if !t.toks[i].isAny([]string{"each", "every"}) || t.mentions.at(i+1) == 0 {
			continue
		}
		of, fields := eachOf(t.toks[i:])
		if fields != nil {
			of = fields
		}
		if of.len() > 0 {
			t.note(t.mentions.of[i+1], func(q *docParam) {
				if q.schema == nil || q.schema.text("type") == "array" && !q.schema.has("items") {
					q.schema = arrayOf(of)
				}
			})
		}
		return
	}
}
