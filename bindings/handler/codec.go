package handler

// This file reads from a Go type how its values are spelled in JSON. Tags are those of encoding/json,
// and, for what a json tag cannot hold, key:"a,b" omit:"zero" beside json:"-" for a field of any name;
// keys:"other" marks the map that takes the keys without a field.

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
)

// form says how a value is read and written.
type form int

const (
	leaf    form = iota // by encoding/json
	whole               // a whole number
	dynamic             // an interface: by what it holds
	pointer
	optional // Nullable
	list
	dict
	object
)

// codec is what is known of one type. A recursive type has a codec that leads back to itself.
type codec struct {
	form   form
	elem   *codec // of pointer, optional, list and dict
	fields []field
	byName map[string]int
	rest   int // the field that takes keys without one, -1 for none
}

type field struct {
	name  string
	index []int
	omit  func(reflect.Value) bool // nil for never
	codec *codec
}

func newCodec(t reflect.Type) *codec { return codecs{}.of(t) }

// codecs are those made so far, by type.
type codecs map[reflect.Type]*codec

func (m codecs) of(t reflect.Type) *codec {
	if c := m[t]; c != nil {
		return c
	}
	c := &codec{rest: -1}
	m[t] = c
	_, isNullable := reflect.Zero(t).Interface().(interface{ nullable() })
	switch kind := t.Kind(); {
	case isNullable:
		c.form, c.elem = optional, m.of(t.Field(1).Type)
	case speaksForItself(t):
	case kind == reflect.Interface && t.NumMethod() == 0:
		c.form = dynamic
	case kind >= reflect.Int && kind <= reflect.Uint64:
		c.form = whole
	case kind == reflect.Pointer:
		c.form, c.elem = pointer, m.of(t.Elem())
	case kind == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		c.form, c.elem = list, m.of(t.Elem())
	case kind == reflect.Map && t.Key().Kind() == reflect.String && !speaksForItself(t.Key()):
		c.form, c.elem = dict, m.of(t.Elem())
	case kind == reflect.Struct && isPlain(t):
		c.form = object
		m.fields(c, t)
	}
	return c
}

// speaksForItself reports whether a type has methods by which encoding/json reads or writes it.
func speaksForItself(t reflect.Type) bool {
	if t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer {
		return false // what is behind it may
	}
	p := reflect.PointerTo(t)
	for _, i := range []reflect.Type{
		reflect.TypeFor[json.Marshaler](), reflect.TypeFor[json.Unmarshaler](),
		reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.TextUnmarshaler](),
	} {
		if p.Implements(i) {
			return true
		}
	}
	return false
}

// isPlain reports whether the fields of a struct, and of the structs it embeds, are its keys: each once,
// none behind a pointer, and no number in quotes. Others are left to encoding/json.
func isPlain(t reflect.Type) bool {
	names := map[string]bool{}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name
		}
		switch {
		case hasOption(options, "string"), f.Anonymous && !isEmbedded(f):
			return false
		case f.Anonymous, !f.IsExported(), f.Tag.Get("json") == "-":
		case names[name]:
			return false
		default:
			names[name] = true
		}
	}
	return true
}

// isEmbedded reports whether the fields of an anonymous field count as those of the struct around it.
func isEmbedded(f reflect.StructField) bool {
	return f.Anonymous && f.Type.Kind() == reflect.Struct && f.Tag.Get("json") == ""
}

func (m codecs) fields(c *codec, t reflect.Type) {
	c.byName = map[string]int{}
	for _, f := range reflect.VisibleFields(t) {
		if !f.IsExported() || isEmbedded(f) {
			continue
		}
		if f.Tag.Get("keys") == "other" {
			c.rest = len(c.fields)
			c.fields = append(c.fields, field{index: f.Index, codec: m.of(f.Type)})
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		key, named := f.Tag.Lookup("key")
		switch {
		case named:
			name, options = key, "omit"+f.Tag.Get("omit")
		case f.Tag.Get("json") == "-":
			continue
		case name == "":
			name = f.Name
		}
		c.byName[name] = len(c.fields)
		c.fields = append(c.fields, field{name: name, index: f.Index, omit: omission(f.Type, options), codec: m.of(f.Type)})
	}
}

// omission follows "omitempty" and "omitzero" as encoding/json defines them.
func omission(t reflect.Type, options string) func(reflect.Value) bool {
	_, decides := reflect.Zero(t).Interface().(interface{ IsZero() bool })
	switch {
	case hasOption(options, "omitzero") && decides && t.Kind() != reflect.Interface && t.Kind() != reflect.Pointer:
		return func(v reflect.Value) bool { return v.Interface().(interface{ IsZero() bool }).IsZero() }
	case hasOption(options, "omitzero"):
		return reflect.Value.IsZero
	case hasOption(options, "omitempty"):
		return isEmpty
	}
	return nil
}

func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

func hasOption(options, want string) bool {
	for option := range strings.SplitSeq(options, ",") {
		if option == want {
			return true
		}
	}
	return false
}
