package golang

// This file holds what is to be written: Go types, and the declarations they need.

import (
	"codemode/gen/schema"
)

type form int

const (
	basic      form = iota // name: string, bool, float64, int64, uint64
	bigInt                 // *big.Int
	anything               // any JSON value: any
	rawMessage             // any JSON value: json.RawMessage
	list
	dict
	pointer
	nullable
	declared
	empty // struct{}
)

// typ is a Go type as it will be written.
type typ struct {
	form form
	name string // of basic
	elem *typ
	decl *decl
	null bool   // the value may be null as well; the place decides how that is written
	wide bool   // of an integer that a float64 cannot hold
	note string // what the comment of a place adds, before the options
	// options are what a value may be, where Go has no type that says so.
	options []option
}

type option struct {
	in  *schema.Type
	typ *typ
}

// decl is a type declaration.
type decl struct {
	want, name string
	path       string // what it stands for; unique
	doc        schema.Doc
	fields     []field // of a struct
	values     []*decl // of an enum: its constants
	value      string  // of a constant
	target     *typ    // of another named type; nil for those
}

type field struct {
	goName   string
	key      string
	optional bool
	other    bool // takes the keys without a field
	typ      *typ
	doc      schema.Doc
	note     string
	options  []option
}

// isNilable reports whether nil says that the value is not there.
func (t *typ) isNilable() bool {
	if t.form == declared && t.decl.target != nil {
		return t.decl.target.isNilable()
	}
	return t.form == list || t.form == dict
}

func (t *typ) isStruct() bool {
	return t.form == declared && t.decl.target == nil && len(t.decl.values) == 0
}

func (t *typ) orNull() *typ {
	out := *t
	out.null = true
	return &out
}

// String is the type as it is written, for comments.
func (t *typ) String() string {
	switch t.form {
	case bigInt:
		return "*big.Int"
	case rawMessage:
		return "json.RawMessage"
	case list:
		return "[]" + t.elem.String()
	case dict:
		return "map[string]" + t.elem.String()
	case pointer:
		return "*" + t.elem.String()
	case nullable:
		return "handler.Nullable[" + t.elem.String() + "]"
	case declared:
		return t.decl.name
	case basic:
		return t.name
	case empty:
		return "struct{}"
	}
	return "any"
}

// mayBeNull writes the type of a place that is always there.
func mayBeNull(t *typ) *typ {
	if t.null && t.form != anything && t.form != rawMessage && t.form != bigInt {
		out := *t
		out.null = false
		return &typ{form: pointer, elem: &out}
	}
	return t
}
