package gofunc

// This file reads a JSON Schema from a Go type, and refuses what would not hold on the wire.

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"

	"github.com/invopop/jsonschema"

	"codemode/bindings/handler"
)

// Comments are doc comments of types and fields, which a compiled program no longer has. With the zero
// value descriptions come from tags alone.
type Comments struct{ byName map[string]string }

// ReadComments reads the Go files of a folder and those below it. ImportPath is the folder's own. It is
// for the program or test that writes rows into a file, where the source is at hand.
func ReadComments(importPath, dir string) (Comments, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Comments{}, fmt.Errorf("read comments: %w", err)
	}
	var r jsonschema.Reflector
	if err := r.AddGoComments("", dir, jsonschema.WithFullComment()); err != nil {
		return Comments{}, fmt.Errorf("read comments: %w", err)
	}
	c := Comments{byName: map[string]string{}}
	for name, text := range r.CommentMap {
		c.byName[importPath+strings.TrimPrefix(name, filepath.ToSlash(dir))] = strings.Join(strings.Fields(text), " ")
	}
	return c, nil
}

// schema is the JSON Schema of a type. The library panics on what it cannot describe.
func (c Comments) schema(t reflect.Type) (doc json.RawMessage, err error) {
	if err := (&wire{seen: map[reflect.Type]bool{}}).check(t, t.String()); err != nil {
		return nil, err
	}
	defer func() {
		if p := recover(); p != nil {
			doc, err = nil, fmt.Errorf("%s cannot be described: %v", t, p)
		}
	}()
	names := naming{taken: map[string]reflect.Type{}, names: map[reflect.Type]string{}}
	r := &jsonschema.Reflector{Anonymous: true, ExpandedStruct: true, CommentMap: c.byName, Mapper: integers, Namer: names.of}
	s := r.ReflectFromType(t)
	s.Version = ""
	root := t
	if t.Kind() == reflect.Pointer {
		root = t.Elem()
	}
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be described: %w", t, err)
	}
	return rooted(raw, names.of(root))
}

// rooted points references to the root's own definition, which the library moves away, at the root.
func rooted(raw []byte, name string) (json.RawMessage, error) {
	var doc any
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	if err := dec.Decode(&doc); err != nil {
		return nil, err
	}
	if m, ok := doc.(map[string]any); ok && m["$ref"] == nil {
		retarget(m, "#/$defs/"+name)
		if defs, _ := m["$defs"].(map[string]any); len(defs) == 0 {
			delete(m, "$defs")
		}
	}
	return handler.Encode(doc)
}

func retarget(node any, ref string) {
	switch node := node.(type) {
	case map[string]any:
		if node["$ref"] == ref {
			node["$ref"] = "#"
		}
		for _, sub := range node {
			retarget(sub, ref)
		}
	case []any:
		for _, sub := range node {
			retarget(sub, ref)
		}
	}
}

// naming gives each type a definition of its own: two packages may both have a type Item, and a generic
// type's name holds characters that no reference can.
type naming struct {
	taken map[string]reflect.Type
	names map[reflect.Type]string
}

var notName = regexp.MustCompile(`[^A-Za-z0-9]+`)

func (n naming) of(t reflect.Type) string {
	if name, ok := n.names[t]; ok || t.Name() == "" {
		return name
	}
	base := strings.Trim(notName.ReplaceAllString(t.Name(), "_"), "_")
	name := base
	for i := 2; n.taken[name] != nil; i++ {
		name = fmt.Sprintf("%s%d", base, i)
	}
	n.taken[name], n.names[t] = t, name
	return name
}

// integers says of a sized integer what it holds. The 64-bit ones become bigint; int is for counts, which
// no script needs past 2^53.
func integers(t reflect.Type) *jsonschema.Schema {
	if _, own := reflect.Zero(t).Interface().(interface{ JSONSchema() *jsonschema.Schema }); own {
		return nil
	}
	s := &jsonschema.Schema{Type: "integer"}
	switch kind := t.Kind(); kind {
	case reflect.Int64:
		s.Format = "int64"
	case reflect.Uint64:
		s.Format, s.Minimum = "uint64", "0"
	case reflect.Uint:
		s.Minimum = "0"
	case reflect.Int8, reflect.Int16, reflect.Int32:
		half := int64(1) << (t.Bits() - 1)
		s.Minimum, s.Maximum = json.Number(fmt.Sprint(-half)), json.Number(fmt.Sprint(half-1))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		s.Minimum, s.Maximum = "0", json.Number(fmt.Sprint(int64(1)<<t.Bits()-1))
	default:
		return nil
	}
	return s
}

// wire finds fields whose values would not fit the schema that they give.
type wire struct{ seen map[reflect.Type]bool }

func (w *wire) check(t reflect.Type, at string) error {
	if w.seen[t] {
		return nil
	}
	w.seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return w.check(t.Elem(), at)
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			return fmt.Errorf("%s is a map with %s keys; JSON has names only", at, t.Key())
		}
		return w.check(t.Elem(), at)
	case reflect.Struct:
		if strings.HasPrefix(t.Name(), "Nullable[") && t.PkgPath() == reflect.TypeFor[handler.Nullable[int]]().PkgPath() {
			return fmt.Errorf(`%s is a handler.Nullable; use a pointer with omitzero and jsonschema:"nullable"`, at)
		}
		return w.fields(t, at)
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
		return fmt.Errorf("%s is a %s, which JSON cannot hold", at, t.Kind())
	}
	return nil
}

func (w *wire) fields(t reflect.Type, at string) error {
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Marshaler]()) {
		return nil // a time, or what writes itself
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() && !f.Anonymous || name == "-" && options == "" {
			continue
		}
		where := at + "." + f.Name
		optional := strings.Contains(","+options+",", ",omitempty,") || strings.Contains(","+options+",", ",omitzero,")
		nullable := strings.Contains(","+f.Tag.Get("jsonschema")+",", ",nullable,")
		if f.Type.Kind() == reflect.Pointer && !optional && !nullable && !f.Anonymous {
			return fmt.Errorf(`%s is a pointer that is always sent, as null when it is nil: add omitzero to its json tag, or jsonschema:"nullable"`, where)
		}
		if err := w.check(f.Type, where); err != nil {
			return err
		}
	}
	return nil
}
