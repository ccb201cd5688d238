package infer

// This file turns a schema in any common spelling into JSON Schema 2020-12: draft 4 to 2019-09,
// OpenAPI 3.0's additions, and the type words of catalogues that were never validated. What cannot
// be kept is dropped with a remark, never replaced by a guess.

import (
	"fmt"
	"slices"
	"strings"
)

// normalizer rewrites one document in place.
type normalizer struct {
	root   *object
	legacy bool // $ref stands alone, as before 2019-09
	ids    bool // a $id below the root: pointers are not checked
	// moved says that the root's definitions now stand under $defs.
	moved  bool
	remark func(format string, args ...any)
}

// normalize returns the document as 2020-12. A document that is no schema at all becomes true.
func normalize(doc any, remark func(format string, args ...any)) any {
	n := &normalizer{remark: remark}
	if root, ok := doc.(*object); ok {
		n.root = root
		n.legacy = legacyDialect(root.text("$schema"))
		root.del("$schema")
		n.moveDefinitions()
	}
	out := n.schema(doc, "")
	n.checkRefs(out, "")
	return out
}

func legacyDialect(dialect string) bool {
	return slices.ContainsFunc([]string{"draft-03", "draft-04", "draft-06", "draft-07"}, func(d string) bool { return strings.Contains(dialect, d) })
}

// moveDefinitions puts the root's definitions under $defs, unless both hold one name differently.
func (n *normalizer) moveDefinitions() {
	old := n.root.object("definitions")
	if old == nil {
		return
	}
	defs := n.root.object("$defs")
	if defs == nil {
		defs = obj()
	}
	for _, k := range old.keys {
		if have, ok := defs.get(k); ok && !same(have, old.values[k]) {
			return
		}
	}
	for _, k := range old.keys {
		defs.set(k, old.values[k])
	}
	n.root.del("definitions")
	n.root.set("$defs", defs)
	n.moved = true
}

func (n *normalizer) schema(v any, at string) any {
	switch t := v.(type) {
	case bool:
		return t
	case *object:
		return n.object(t, at)
	case string: // {"city": "string"}
		if words, ok := parseWords(t); ok {
			return words.schema
		}
	case nil:
		return true
	}
	n.remark("%s is no schema; its type is unknown", place(at))
	return true
}

func (n *normalizer) object(o *object, at string) any {
	n.renameKeywords(o)
	nullable := o.values["nullable"] == true
	n.dropOld(o, at)
	n.typeWord(o, at)
	n.bounds(o)
	n.tuple(o)
	n.identify(o, at)
	n.children(o, at)
	n.dropMisfits(o, at)
	if nullable {
		return allowNull(o)
	}
	return o
}

// renameKeywords maps spellings of other drafts and of OpenAPI.
func (n *normalizer) renameKeywords(o *object) {
	if ref, ok := o.values["$recursiveRef"].(string); ok {
		o.del("$recursiveRef")
		o.set("$ref", ref)
	}
	if v, ok := o.get("example"); ok && !o.has("examples") && !o.has("properties") {
		o.set("examples", []any{v})
		o.del("example")
	}
	if deps := o.object("dependencies"); deps != nil {
		o.del("dependencies")
		splitDependencies(o, deps)
	}
	if n.legacy && o.has("$ref") {
		for _, k := range slices.Clone(o.keys) {
			if !slices.Contains([]string{"$ref", "$defs", "definitions", "title", "description", "default", "examples"}, k) {
				o.del(k)
			}
		}
	}
}

// dropOld takes out what 2020-12 has no word for, with a remark where it could not be read.
func (n *normalizer) dropOld(o *object, at string) {
	for _, k := range []string{"nullable", "dependencies"} {
		v, has := o.get(k)
		if _, flag := v.(bool); has && (k != "nullable" || !flag) {
			n.remark("%s: the value of %q is malformed and was left out", place(at), k)
		}
		o.del(k)
	}
}

func splitDependencies(o, deps *object) {
	required, schemas := obj(), obj()
	for _, k := range deps.keys {
		switch v := deps.values[k].(type) {
		case []any:
			required.set(k, v)
		case string:
			required.set(k, []any{v})
		default:
			schemas.set(k, v)
		}
	}
	if required.len() > 0 {
		o.set("dependentRequired", required)
	}
	if schemas.len() > 0 {
		o.set("dependentSchemas", schemas)
	}
}

var standardTypes = []string{"object", "array", "string", "number", "integer", "boolean", "null"}

// typeWord maps the value of "type": a word in any spelling, or a list of them.
func (n *normalizer) typeWord(o *object, at string) {
	switch t := o.values["type"].(type) {
	case nil:
		o.del("type")
	case string:
		if !slices.Contains(standardTypes, t) {
			o.del("type")
			n.mergeWord(o, t, at)
		}
	case []any:
		n.typeList(o, t, at)
	default:
		n.remark("%s: the type is neither a word nor a list; it is unknown", place(at))
		o.del("type")
	}
}

// mergeWord sets what a type word says, where the schema does not say it already.
func (n *normalizer) mergeWord(o *object, word, at string) {
	w, ok := parseWords(word)
	if !ok {
		n.remark("%s: no type is called %q; it is unknown", place(at), short(word))
		return
	}
	for _, k := range w.schema.keys {
		if !o.has(k) {
			o.set(k, w.schema.values[k])
		}
	}
}

func (n *normalizer) typeList(o *object, list []any, at string) {
	var kept []string
	for _, e := range list {
		word, _ := e.(string)
		w, ok := parseWords(word)
		types := typesOf(w.schema)
		if !ok || len(types) == 0 {
			if !ok {
				n.remark("%s: no type is called %q; it is unknown", place(at), short(word))
			}
			o.del("type") // one member may be anything, so all may
			return
		}
		for _, t := range types {
			if !slices.Contains(kept, t) {
				kept = append(kept, t)
			}
		}
	}
	setTypes(o, kept)
}

// bounds maps the boolean exclusive bounds of draft 4 and OpenAPI 3.0.
func (n *normalizer) bounds(o *object) {
	for _, pair := range [][2]string{{"exclusiveMinimum", "minimum"}, {"exclusiveMaximum", "maximum"}} {
		exclusive, bound := pair[0], pair[1]
		flag, ok := o.values[exclusive].(bool)
		if !ok {
			continue
		}
		o.del(exclusive)
		if limit, has := o.get(bound); flag && has {
			o.set(exclusive, limit)
			o.del(bound)
		}
	}
}

// tuple maps the list form of items.
func (n *normalizer) tuple(o *object) {
	list, ok := o.values["items"].([]any)
	if !ok {
		o.del("additionalItems")
		return
	}
	o.del("items")
	if len(list) > 0 && !o.has("prefixItems") {
		o.set("prefixItems", list)
	}
	if rest, ok := o.get("additionalItems"); ok {
		o.set("items", rest)
		o.del("additionalItems")
	}
}

// identify keeps identifiers that 2020-12 knows and turns the others into it.
func (n *normalizer) identify(o *object, at string) {
	if id := o.text("$id"); strings.HasPrefix(id, "#") {
		o.del("$id")
		if len(id) > 1 {
			o.set("$anchor", id[1:])
		}
	} else if id != "" && at != "" {
		n.ids = true
	}
	if _, ok := o.values["id"].(string); ok {
		o.del("id") // draft 4
	}
	if ref := o.text("$ref"); n.moved && strings.HasPrefix(ref, "#/definitions/") {
		o.set("$ref", "#/$defs/"+strings.TrimPrefix(ref, "#/definitions/"))
	}
}

// children normalises the schemas below o; a property's own "required": true moves up to o.
func (n *normalizer) children(o *object, at string) {
	for _, k := range slices.Clone(o.keys) {
		switch keywordKinds[k] {
		case oneSchema:
			if _, isList := o.values[k].([]any); !isList {
				o.set(k, n.schema(o.values[k], at+"/"+k))
			}
		case schemaList:
			list, _ := o.values[k].([]any)
			for i := range list {
				list[i] = n.schema(list[i], fmt.Sprintf("%s/%s/%d", at, k, i))
			}
		case schemaMap:
			n.members(o, k, at)
		}
	}
}

func (n *normalizer) members(o *object, keyword, at string) {
	if list, ok := o.values[keyword].([]any); ok && len(list) == 0 {
		o.set(keyword, obj()) // an empty map, as PHP writes it
		return
	}
	subs := o.object(keyword)
	if subs == nil {
		return
	}
	for _, name := range subs.keys {
		if sub, ok := subs.values[name].(*object); ok && keyword == "properties" {
			liftRequired(o, sub, name)
		}
		subs.set(name, n.schema(subs.values[name], at+"/"+keyword+"/"+name))
	}
}

// liftRequired reads a property's own "required" or "optional" flag, as draft 3 and catalogues write it.
func liftRequired(parent, sub *object, name string) {
	required, said := sub.values["required"].(bool)
	if said {
		sub.del("required")
	}
	if optional, ok := sub.values["optional"].(bool); ok {
		sub.del("optional")
		required, said = !optional, true
	}
	list, isList := parent.values["required"].([]any)
	if said && required && (isList || !parent.has("required")) && !slices.Contains(list, any(name)) {
		parent.set("required", append(list, name))
	}
}

func (n *normalizer) dropMisfits(o *object, at string) {
	for _, k := range slices.Clone(o.keys) {
		v := o.values[k]
		kind, known := keywordKinds[k]
		list, _ := v.([]any)
		switch {
		case known && !kind.fits(v), k == "enum" && len(list) == 0:
			n.remark("%s: the value of %q is malformed and was left out", place(at), k)
			o.del(k)
		case k == "required" || k == "enum":
			o.set(k, distinct(list))
		}
	}
	if list, ok := o.values["required"].([]any); ok && len(list) == 0 {
		o.del("required")
	}
}

func distinct(list []any) []any {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(list), func(v any) bool {
		key := string(render(v))
		dup := seen[key]
		seen[key] = true
		return dup
	})
}

// allowNull is what OpenAPI's "nullable": true means.
func allowNull(o *object) any {
	if o.has("$ref") || o.has("allOf") || o.has("anyOf") || o.has("oneOf") || o.has("const") {
		return obj("anyOf", []any{o, obj("type", "null")})
	}
	if types := typesOf(o); len(types) > 0 && !slices.Contains(types, "null") {
		setTypes(o, append(types, "null"))
	}
	if list, ok := o.values["enum"].([]any); ok && !slices.Contains(list, nil) {
		o.set("enum", append(list, nil))
	}
	return o
}

// place names a spot in a schema for a remark.
func place(at string) string {
	if at == "" {
		return "the schema"
	}
	if runes := []rune(at); len(runes) > maxPlace {
		at = string(runes[:maxPlace]) + "..."
	}
	return "the schema at " + at
}

// maxPlace caps the place that a remark names, in runes.
const maxPlace = 200

// typesOf lists the types a schema names, none when it does not say.
func typesOf(o *object) []string {
	if o == nil {
		return nil
	}
	switch t := o.values["type"].(type) {
	case string:
		return []string{t}
	case []any:
		var out []string
		for _, e := range t {
			if s, ok := e.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

func setTypes(o *object, types []string) {
	if len(types) == 1 {
		o.set("type", types[0])
		return
	}
	o.set("type", strs(types))
}
