package diff

// This file reads a JSON Schema document into forms: one schema each, its keywords sorted by what can
// be said of two of them. A keyword that is not understood is never dropped: it is kept as a word, and
// two words compare by being equal.

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"codemode/directory/contract"
)

// kinds is a set of the kinds of JSON values; whole numbers and fractions are two.
type kinds uint8

const (
	null kinds = 1 << iota
	boolean
	whole
	fraction
	text
	array
	object

	number   = whole | fraction
	anything = null | boolean | number | text | array | object
)

var kindNames = map[string]kinds{"null": null, "boolean": boolean, "integer": whole, "number": number, "string": text, "array": array, "object": object}

// document is one schema document.
type document struct {
	root   any
	digest string // of the whole, without what only words say where no reference leads there
	dialect
	// scattered documents hold identifiers of their own, which references may be relative to, or
	// dialects of their own.
	scattered bool
	forms     map[string]*form
}

// form is one schema of a document. What it says is the conjunction of its fields.
type form struct {
	doc *document
	at  string // JSON Pointer

	never  bool
	opaque bool // what its keywords mean is not known
	kinds  kinds
	values []json.RawMessage // canonical; those that are allowed, when listed
	listed bool

	least, most *bound
	step        *big.Rat
	sizes       map[string]int    // minLength, maxLength, minItems ...
	words       map[string]string // other keywords, canonical

	prefix     []string // of a tuple, pointers
	items      string   // pointer, "" for anything
	properties map[string]string
	required   map[string]bool
	patterns   map[string]string
	additional string // pointer, "" for anything
	nameForm   string // propertyNames, "" for anything

	ref     string // pointer, "" for none
	parts   []string
	either  []string // anyOf
	one     []string // oneOf
	summary string   // of the whole schema, canonical, with the document's digest where it refers
}

type bound struct {
	at   *big.Rat
	open bool // the bound itself is out
}

// newDocument reads a document; nil says that it is none.
func newDocument(raw json.RawMessage) *document {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	d := &document{forms: map[string]*form{}}
	if len(bytes.TrimSpace(raw)) == 0 {
		d.root = true
	} else if dec.Decode(&d.root) != nil {
		return nil
	}
	if m, ok := d.root.(map[string]any); ok {
		d.dialect = dialectOf(m["$schema"])
		delete(m, "$schema")
		for _, v := range m {
			d.scattered = d.scattered || d.identified(v)
		}
	}
	d.digest = d.sum()
	return d
}

// identified reports whether a value holds an identifier that moves the base of references, or another
// dialect.
func (d *document) identified(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for k, sub := range v {
			text, isText := sub.(string)
			if isText && (k == "$id" || k == "$schema" || k == "id" && (d.legacy || strings.Contains(text, ":"))) || d.identified(sub) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, d.identified)
	}
	return false
}

// canonical keeps numbers as they are written: rounding could make two bounds one.
func canonical(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil // v came from a decoder: it cannot fail
	}
	return raw
}

// annotations say nothing of which values are allowed.
var annotations = []string{"title", "description", "default", "examples", "example", "deprecated", "$comment", "readOnly", "writeOnly",
	"$id", "$anchor", "$vocabulary", "$defs", "definitions", "contentMediaType", "contentEncoding", "contentSchema"}

func isAnnotation(k string) bool {
	return slices.Contains(annotations, k) || strings.HasPrefix(k, "x-")
}

// stripped is a schema without annotations; definitions stay, since references lead there.
func stripped(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	out := map[string]any{}
	for k, sub := range m {
		list, isList := sub.([]any)
		named, isMap := sub.(map[string]any)
		one, several, byName := contract.KeywordHolds(k)
		switch {
		case byName && isMap:
			all := map[string]any{}
			for name, s := range named {
				all[name] = stripped(s)
			}
			out[k] = all
		case isAnnotation(k):
		case several && isList:
			all := make([]any, len(list))
			for i, s := range list {
				all[i] = stripped(s)
			}
			out[k] = all
		case one:
			out[k] = stripped(sub)
		default:
			out[k] = sub
		}
	}
	return out
}

// form is the schema at a pointer; nil where nothing stands.
func (d *document) form(at string) *form {
	if f, ok := d.forms[at]; ok {
		return f
	}
	v, ok := d.find(at)
	if !ok {
		d.forms[at] = nil
		return nil
	}
	f := &form{doc: d, at: at, opaque: d.unknown, kinds: anything, sizes: map[string]int{}, words: map[string]string{}}
	d.forms[at] = f
	switch v := v.(type) {
	case bool:
		f.never = !v
	case map[string]any:
		f.read(v)
	default:
		f.words["not a schema"] = at
	}
	f.summary = summary(d, v)
	return f
}

// summary of two schemas is equal only where they mean the same.
func summary(d *document, v any) string {
	s := stripped(v)
	if m, ok := s.(map[string]any); ok {
		for _, k := range []string{"$defs", "definitions"} {
			delete(m, k)
		}
	}
	out := canonical(s)
	if d.name != "" {
		out = append([]byte(d.name+" "), out...)
	}
	for _, word := range []string{`"$ref"`, `"$dynamicRef"`, `"$recursiveRef"`} {
		if bytes.Contains(out, []byte(word)) {
			return string(out) + " of " + d.digest
		}
	}
	return string(out)
}

func (d *document) find(at string) (any, bool) {
	v := d.root
	if at == "" {
		return v, true
	}
	for token := range strings.SplitSeq(at[1:], "/") {
		token = contract.UnescapeToken(token)
		switch node := v.(type) {
		case map[string]any:
			sub, ok := node[token]
			if !ok {
				return nil, false
			}
			v = sub
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(node) || strconv.Itoa(i) != token {
				return nil, false
			}
			v = node[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// below is the pointer of what stands under a keyword.
func (f *form) below(tokens ...string) string {
	at := f.at
	for _, t := range tokens {
		at += "/" + contract.EscapeToken(t)
	}
	return at
}

// word keeps a keyword that is only compared.
func (f *form) word(k string, v any) { f.words[k] = summary(f.doc, map[string]any{k: v}) }
