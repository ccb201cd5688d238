package condition

// This file reads a parameter schema as far as CEL can type it. What is not clear is open (dyn in
// CEL), never guessed.

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cel.dev/cel-go/cel"

	"codemode/directory/contract"
)

const (
	variable  = "args"
	maxSchema = 1 << 20 // bytes
	maxShapes = 5_000   // in all; what is past it is open
	maxPlace  = 300     // bytes; what stands behind longer names is open
	maxDepth  = 20      // of typed values one in the other; what is deeper is open
)

type kind int

const (
	open kind = iota
	text
	integer
	number
	boolean
	list   // of elem
	dict   // of elem by name
	object // with fields
)

// shape is the type of one value.
type shape struct {
	kind     kind
	nullable bool
	// place is where the value stands, as a condition writes it: "args.filter", "args.items[]".
	place  string
	elem   *shape
	fields map[string]*shape
}

// celType is the shape in CEL's types. Objects are named by their place in angle brackets, so that
// no expression can name the type.
func (s *shape) celType() *cel.Type {
	var t *cel.Type
	switch s.kind {
	case text:
		t = cel.StringType
	case integer:
		t = cel.IntType
	case number:
		t = cel.DoubleType
	case boolean:
		t = cel.BoolType
	case list:
		t = cel.ListType(s.elem.celType())
	case dict:
		t = cel.MapType(cel.StringType, s.elem.celType())
	case object:
		return cel.ObjectType("<" + s.place + ">") // CEL lets an object be null
	default:
		return cel.DynType
	}
	switch {
	case !s.nullable:
		return t
	case s.kind == list || s.kind == dict:
		return cel.DynType
	}
	return cel.NullableType(t)
}

// reader walks a schema document.
type reader struct {
	root   any
	shapes int
	refs   []string // on the way down, to see a circle
}

func readShape(params json.RawMessage) (*shape, error) {
	root, err := decode(params, maxSchema)
	if err != nil {
		return nil, err
	}
	switch root.(type) {
	case bool, map[string]any:
	default:
		return nil, fmt.Errorf("a schema is an object, true or false")
	}
	r := &reader{root: root}
	s := r.read(root, variable, 0)
	if s.kind != object {
		s = &shape{kind: dict, place: variable, elem: &shape{}}
	}
	s.nullable = false
	return s, nil
}

func (r *reader) read(schema any, place string, depth int) *shape {
	if len(place) > maxPlace {
		return &shape{}
	}
	s := &shape{place: place}
	m, ok := schema.(map[string]any)
	if r.shapes++; !ok || r.shapes > maxShapes || depth > maxDepth {
		return s
	}
	if ref, ok := m["$ref"].(string); ok {
		return r.follow(ref, m, place, depth)
	}
	if some, ok := orNull(m); ok {
		s = r.read(some, place, depth+1)
		s.nullable = true
		return s
	}
	if unclear(m) {
		return s
	}
	name, nullable := typeName(m)
	s.nullable = nullable
	switch name {
	case "string":
		s.kind = text
	case "integer":
		s.kind = integer
	case "number":
		s.kind = number
	case "boolean":
		s.kind = boolean
	case "array":
		s.kind, s.elem = list, r.read(m["items"], place+"[]", depth+1)
	case "object":
		r.readObject(s, m, depth)
	}
	return s
}

// readObject types an object by its properties, a map by additionalProperties alone.
func (r *reader) readObject(s *shape, m map[string]any, depth int) {
	properties, _ := m["properties"].(map[string]any)
	more, said := m["additionalProperties"]
	if m["patternProperties"] != nil {
		return
	}
	if said && more != false {
		if len(properties) == 0 {
			s.kind, s.elem = dict, r.read(more, s.place+"[]", depth+1)
		}
		return
	}
	if len(properties) == 0 && !said {
		return
	}
	s.kind, s.fields = object, make(map[string]*shape, len(properties))
	for name, schema := range properties {
		s.fields[name] = r.read(schema, s.place+step(name), depth+1)
	}
}

// step writes the way to a field so that no two ways read the same.
func step(name string) string {
	switch {
	case identifier(name):
		return "." + name
	case strings.Contains(name, "`"):
		return "." + strconv.Quote(name)
	}
	return ".`" + name + "`"
}

func identifier(name string) bool {
	for i, c := range []byte(name) {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

// follow resolves a reference within the document. A type that contains itself is open from there.
func (r *reader) follow(ref string, m map[string]any, place string, depth int) *shape {
	target, ok := pointer(r.root, ref)
	if !ok || slices.Contains(r.refs, ref) || len(m) > 1 && unclear(m) || m["type"] != nil || m["properties"] != nil {
		return &shape{place: place}
	}
	r.refs = append(r.refs, ref)
	s := r.read(target, place, depth+1)
	r.refs = r.refs[:len(r.refs)-1]
	return s
}

// pointer resolves "#" and "#/a/b" (RFC 6901).
func pointer(doc any, ref string) (any, bool) {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok || path != "" && path[0] != '/' || strings.Contains(path, "%") {
		return nil, false
	}
	for _, step := range strings.Split(path, "/")[1:] {
		m, ok := doc.(map[string]any)
		if !ok {
			return nil, false
		}
		if doc, ok = m[contract.UnescapeToken(step)]; !ok {
			return nil, false
		}
	}
	return doc, strings.HasPrefix(path, "/")
}

// unclear reports keywords that may change the type in ways that are not followed.
func unclear(m map[string]any) bool {
	for _, word := range []string{"anyOf", "oneOf", "allOf", "if", "$dynamicRef", "$recursiveRef"} {
		if m[word] != nil {
			return true
		}
	}
	return false
}

// orNull finds the usual way of saying "or null": two alternatives, one of them null.
func orNull(m map[string]any) (any, bool) {
	for _, word := range []string{"anyOf", "oneOf"} {
		options, ok := m[word].([]any)
		if !ok || len(options) != 2 || m["type"] != nil || m["properties"] != nil {
			continue
		}
		for i, option := range options {
			if o, ok := option.(map[string]any); ok && len(o) == 1 && o["type"] == "null" {
				return options[1-i], true
			}
		}
	}
	return nil, false
}

// typeName returns the one type besides null, "" for several or none. An object may leave its type out.
func typeName(m map[string]any) (name string, nullable bool) {
	switch t := m["type"].(type) {
	case string:
		return t, false
	case []any:
		for _, one := range t {
			switch text, _ := one.(string); {
			case text == "null":
				nullable = true
			case name != "":
				return "", false
			default:
				name = text
			}
		}
		return name, nullable
	case nil:
		if m["properties"] != nil {
			return "object", false
		}
	}
	return "", false
}
