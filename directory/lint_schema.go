package directory

// This file lints schemas for what their author cannot have meant: type words that are none, required
// names that are no properties, references that lead nowhere. Everything else that JSON Schema allows
// passes.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"codemode/directory/contract"
)

// maxSchemaFindings caps the findings about one schema.
const maxSchemaFindings = 20

// schemaLint is one schema while it is linted.
type schemaLint struct {
	l       *linter
	r       *Row
	where   string // "input_schema"
	input   bool   // its properties are arguments
	root    any
	ids     bool            // a $id below the root: pointers are relative to it
	anchors map[string]bool // of the whole document
	found   int
}

func (l *linter) schemas(r *Row) {
	l.schema(r, "input_schema", r.InputSchema, true)
	l.schema(r, "output_schema", r.OutputSchema, false)
	for _, name := range r.operations() {
		op := r.TargetMap[name]
		l.schema(r, "operation "+name+": input_schema", op.InputSchema, true)
		l.schema(r, "operation "+name+": output_schema", op.OutputSchema, false)
	}
	for i, a := range r.Arguments {
		if i < maxSchemaFindings {
			s := schemaLint{l: l, r: r, where: "arguments"}
			s.word(a.Type, "/"+a.Name)
		}
	}
}

// schema lints one document; input says that it describes arguments.
func (l *linter) schema(r *Row, where string, raw json.RawMessage, input bool) {
	if text := string(bytes.TrimSpace(raw)); text == "" || text == "null" || text == `""` {
		return
	}
	s := &schemaLint{l: l, r: r, where: where, input: input, anchors: map[string]bool{}}
	if json.Unmarshal(raw, &s.root) != nil {
		return // the row would not have loaded
	}
	root, isObject := s.root.(map[string]any)
	_, isFlag := s.root.(bool)
	switch {
	case isFlag && !input:
		return
	case !isObject && input:
		s.error("invalid_schema", "", "is no object schema", `write {"type":"object","properties":{...}}, a property for each argument`)
		return
	case !isObject:
		s.error("invalid_schema", "", "is no schema", "write a JSON Schema document")
		return
	}
	s.collect(s.root, true)
	if isBareMap(root) {
		s.schemaMap(root, "", false)
		return
	}
	if types := typeWords(root["type"]); input && len(types) > 0 && !slices.ContainsFunc(types, isObjectWord) && s.known(types) {
		s.warn("schema_not_object", "", "describes no object; what it describes becomes the only argument", `write {"type":"object","properties":{...}}, a property for each argument`)
	}
	s.value(s.root, "", false)
}

func (s *schemaLint) error(rule, at, message, hint string) {
	if s.found++; s.found <= maxSchemaFindings {
		s.l.error(s.r, rule, s.place(at)+" "+message, hint)
	}
}

func (s *schemaLint) warn(rule, at, message, hint string) {
	if s.found++; s.found <= maxSchemaFindings {
		s.l.warn(s.r, rule, s.place(at)+" "+message, hint)
	}
}

func (s *schemaLint) place(at string) string {
	if at == "" {
		return s.where
	}
	return s.where + " at " + cut(at)
}

// collect notes anchors, and identifiers below the root, which references may go by.
func (s *schemaLint) collect(v any, root bool) {
	switch t := v.(type) {
	case map[string]any:
		for _, k := range []string{"$anchor", "$dynamicAnchor"} {
			if name, ok := t[k].(string); ok {
				s.anchors[name] = true
			}
		}
		if id, ok := t["$id"].(string); ok && strings.HasPrefix(id, "#") {
			s.anchors[id[1:]] = true // as draft 6 and 7 name an anchor
		} else if ok && !root {
			s.ids = true
		}
		for _, sub := range t {
			s.collect(sub, false)
		}
	case []any:
		for _, sub := range t {
			s.collect(sub, false)
		}
	}
}

// The keywords that hold schemas (JSON Schema 2020-12 core, 10, and the older forms of them).
var (
	schemaMaps  = []string{"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"}
	schemaLists = []string{"allOf", "anyOf", "items", "oneOf", "prefixItems"}
	schemaOnes  = []string{"additionalItems", "additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"}
	// sameObject describe the very value that the schema around them describes.
	sameObject = []string{"allOf", "anyOf", "dependentSchemas", "else", "if", "not", "oneOf", "then"}
)

// value lints a schema at a place. part says that it is part of what another schema says.
func (s *schemaLint) value(v any, at string, part bool) {
	if word, ok := v.(string); ok { // {"city": "string"}
		s.word(word, at)
		return
	}
	o, ok := v.(map[string]any)
	if !ok {
		return
	}
	s.types(o["type"], at)
	s.required(o, at, part)
	s.reference(o, at)
	for _, k := range schemaMaps {
		if subs, ok := o[k].(map[string]any); ok {
			s.schemaMap(subs, at+"/"+k, slices.Contains(sameObject, k))
		}
	}
	for _, k := range schemaLists {
		if subs, ok := o[k].([]any); ok {
			for i, sub := range subs {
				s.value(sub, at+"/"+k+"/"+strconv.Itoa(i), slices.Contains(sameObject, k))
			}
		}
	}
	for _, k := range schemaOnes {
		if sub, ok := o[k].(map[string]any); ok {
			s.value(sub, at+"/"+k, slices.Contains(sameObject, k))
		}
	}
}

func (s *schemaLint) schemaMap(subs map[string]any, at string, part bool) {
	for _, name := range slices.Sorted(maps.Keys(subs)) {
		s.value(subs[name], at+"/"+name, part)
	}
}

// isBareMap reports whether an object maps names to schemas without saying so.
func isBareMap(o map[string]any) bool {
	for k, v := range o {
		_, isObject := v.(map[string]any)
		word, isWord := v.(string)
		if isWord && !isTypeWord(word) || !isObject && !isWord || isWord && k == "type" || isObject && slices.Contains(schemaMaps, k) {
			return false
		}
	}
	return len(o) > 0
}

// standardTypes are the types of JSON Schema; otherTypes are words for them in catalogues, which
// package gen/infer understands.
var (
	standardTypes = []string{"object", "array", "string", "number", "integer", "boolean", "null"}
	otherTypes    = strings.Fields(`any array arrays bigint bool booleans bools char date date-time datetime dict dictionaries
		dictionary dicts double doubles email emails enum filename filepath flag float float32 float64 floats guid hash int
		int32 int64 integers ints iterable json list lists literal long map mapping mixed nil none num numbers numeric obj objects
		optional path record sequence set short str strings struct text tuple uint uint32 uint64 undefined union unknown uri
		url urls uuid uuids value varchar vector void`)
	singleWord = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)
)

func isTypeWord(word string) bool {
	word = strings.ToLower(word)
	return slices.Contains(standardTypes, word) || slices.Contains(otherTypes, word)
}

func isObjectWord(word string) bool {
	return slices.Contains([]string{"object", "objects", "obj", "dict", "dictionary", "map", "mapping", "record", "struct", "hash", "any", "json"}, strings.ToLower(word))
}

// typeWords lists the words of a type keyword.
func typeWords(v any) []string {
	switch t := v.(type) {
	case string:
		return []string{t}
	case []any:
		var out []string
		for _, e := range t {
			if word, ok := e.(string); ok {
				out = append(out, word)
			}
		}
		return out
	}
	return nil
}

func (s *schemaLint) known(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return singleWord.MatchString(w) && !isTypeWord(w) })
}

func (s *schemaLint) types(v any, at string) {
	switch v.(type) {
	case nil, string, []any:
	default:
		s.error("unknown_schema_type", at, "has a type that is no word", "use "+strings.Join(standardTypes, ", "))
	}
	for _, word := range typeWords(v) {
		s.word(word, at)
	}
}

// word lints one type word. What is more than a word ("array of strings") is read by the generator,
// which says what it cannot read.
func (s *schemaLint) word(word, at string) {
	word = strings.TrimSpace(word)
	if !singleWord.MatchString(word) || isTypeWord(word) {
		return
	}
	hint := "use " + strings.Join(standardTypes, ", ")
	if near := nearest(strings.ToLower(word), standardTypes); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	s.error("unknown_schema_type", at, fmt.Sprintf("has a type %q that is none", cut(word)), hint)
}

// required looks for names that are no properties: each would be a mandatory argument of its own. A
// schema that is put together of several may have them elsewhere.
func (s *schemaLint) required(o map[string]any, at string, part bool) {
	list, isList := o["required"].([]any)
	if _, isFlag := o["required"].(bool); o["required"] != nil && !isList && !isFlag {
		s.error("invalid_schema", at, "has a required that is no list", `write "required": ["name"]`)
	}
	props, _ := o["properties"].(map[string]any)
	if part || len(props) == 0 {
		return
	}
	for _, k := range append([]string{"$ref", "$dynamicRef", "patternProperties"}, sameObject...) {
		if o[k] != nil {
			return
		}
	}
	becomes := ""
	if s.input && at == "" {
		becomes = "; it becomes a mandatory argument of any type"
	}
	for _, v := range list {
		name, ok := v.(string)
		if _, known := props[name]; ok && !known {
			s.warn("required_unknown", at, fmt.Sprintf("requires %q, which is no property", cut(name))+becomes,
				s.l.nearIn(name, props, "add the property, or take the name out"))
		}
	}
}

// nearIn suggests a name of a map.
func (l *linter) nearIn(name string, names map[string]any, otherwise string) string {
	if l.hints++; l.hints <= maxHints {
		if near := nearest(name, slices.Sorted(maps.Keys(names))); near != "" {
			return fmt.Sprintf("did you mean %q?", near)
		}
	}
	return otherwise
}

func (s *schemaLint) reference(o map[string]any, at string) {
	v, ok := o["$ref"]
	if !ok {
		return
	}
	ref, isText := v.(string)
	fragment, local := strings.CutPrefix(ref, "#")
	switch {
	case !isText || ref == "":
		s.error("invalid_ref", at, "has a $ref that is no text", `write "$ref": "#/$defs/NAME"`)
	case s.ids, ref == "#":
	case !local:
		if root, _ := s.root.(map[string]any); root["$id"] == nil {
			s.error("invalid_ref", at, fmt.Sprintf("refers to %q, and no other document is read", cut(ref)), "put the definition under $defs and refer to #/$defs/NAME")
		}
	case strings.HasPrefix(fragment, "/"):
		s.pointer(fragment, at)
	case !s.anchors[fragment]:
		s.error("invalid_ref", at, fmt.Sprintf("refers to %q, and the document has no such anchor", cut(ref)), "a reference reads #/$defs/NAME")
	}
}

// pointer follows a JSON Pointer in its URI fragment form (RFC 6901, 6) to a schema.
func (s *schemaLint) pointer(fragment, at string) {
	v := s.root
	for _, token := range strings.Split(fragment, "/")[1:] {
		if plain, err := url.PathUnescape(token); err == nil {
			token = plain
		}
		token = contract.UnescapeToken(token)
		names, hint := map[string]any{}, "a reference reads #/$defs/NAME"
		var next any
		switch t := v.(type) {
		case map[string]any:
			next, names = t[token], t
		case []any:
			if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(t) {
				next = t[i]
			}
		}
		if next == nil {
			s.error("invalid_ref", at, fmt.Sprintf("refers to %q, which leads nowhere", cut("#"+fragment)), s.l.nearIn(token, names, hint))
			return
		}
		v = next
	}
	if _, ok := v.(map[string]any); !ok {
		if _, ok := v.(bool); !ok {
			s.error("invalid_ref", at, fmt.Sprintf("refers to %q, which is no schema", cut("#"+fragment)), "a reference reads #/$defs/NAME")
		}
	}
}
