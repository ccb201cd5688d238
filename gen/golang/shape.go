package golang

// This file turns a graph of types into Go types.

import (
	"slices"

	"codemode/gen/schema"
)

// place is where in a contract a type stands.
type place struct{ goName, path string }

// below is a place inside. The step tells apart what may have the same key: a property from a member.
func (p place) below(step, key string) place {
	path := p.path + "\x00" + step + "\x00" + key
	return place{cut(p.goName+exported(key), path), path}
}

// walker makes the types of one document.
type walker struct {
	method *method
	order  map[string]int // of the root's properties
	raw    form           // how what Go has no type for is written
	root   string         // "Args" or "Result"
	base   place          // the method's
	named  map[*schema.Named]*typ
	nulls  map[*schema.Named]bool // those that may be null as a whole
	open   map[*schema.Named]bool // those being made
}

// whole makes the type of a document: a struct by pointer, anything else by value.
func (w *walker) whole(t *schema.Type, at place) *typ {
	w.named, w.nulls, w.open = map[*schema.Named]*typ{}, map[*schema.Named]bool{}, map[*schema.Named]bool{}
	w.base = at
	if follow(t).Kind != schema.Object {
		w.order = nil
	}
	out := w.typ(t, at.below("root", w.root), nil)
	if out.isStruct() {
		return &typ{form: pointer, elem: out}
	}
	return mayBeNull(out)
}

// typ makes the type of t. The type of a named one, which may lead back to itself, is kept before what
// stands below it is looked at.
func (w *walker) typ(t *schema.Type, at place, n *schema.Named) *typ {
	switch t.Kind {
	case schema.Reference:
		return w.keep(n, w.reference(t.Ref))
	case schema.Boolean:
		return w.keep(n, &typ{form: basic, name: "bool"})
	case schema.Number:
		return w.keep(n, &typ{form: basic, name: "float64"})
	case schema.String:
		return w.keep(n, &typ{form: basic, name: "string"})
	case schema.Integer:
		return w.keep(n, integer(t))
	case schema.Literal:
		return w.keep(n, literal(t))
	case schema.Array:
		return w.container(list, t, t.Elem, at, n)
	case schema.Tuple:
		return w.tuple(t, at, n)
	case schema.Object:
		return w.object(t, at, n)
	case schema.Union:
		return w.union(t, at, n)
	case schema.Intersection:
		return w.several(t, "All of", at, n)
	case schema.Null:
		return w.keep(n, &typ{form: w.raw, note: "Always null."})
	case schema.Never:
		return w.keep(n, &typ{form: w.raw, note: "No value is allowed here."})
	}
	return w.keep(n, &typ{form: w.raw})
}

func (w *walker) keep(n *schema.Named, t *typ) *typ {
	if n == nil {
		return t
	}
	if w.nulls[n] {
		t = t.orNull()
	}
	w.named[n] = t
	return t
}

// reference is the type of a named one. What is nothing but a way back to itself is anything.
func (w *walker) reference(n *schema.Named) *typ {
	if out := w.named[n]; out != nil {
		return out
	}
	if w.open[n] {
		return &typ{form: w.raw}
	}
	w.open[n] = true
	if n.Name == w.root {
		return w.typ(n.Type, w.base.below("root", w.root), n)
	}
	at := place{w.base.goName + w.root, w.base.path + "\x00" + w.root}
	return w.typ(n.Type, at.below("named", n.Name), n)
}

// declare makes a declaration. Only a named type has a comment of its own: what is said of another stands
// at its place.
func (w *walker) declare(at place, t *schema.Type, n *schema.Named) *decl {
	d := &decl{want: at.goName, path: at.path}
	if n != nil {
		d.doc = t.Doc
	}
	w.method.decls = append(w.method.decls, d)
	return d
}

// container makes a list or map. A named one is declared, since it may hold itself.
func (w *walker) container(f form, t, elem *schema.Type, at place, n *schema.Named) *typ {
	inner := &typ{form: f, elem: &typ{form: w.raw}}
	out := inner
	if n != nil {
		d := w.declare(at, t, n)
		d.target = inner
		out = w.keep(n, &typ{form: declared, decl: d})
	}
	word := "item"
	if f == dict {
		word = "value"
	}
	if elem != nil {
		inner.elem = mayBeNull(w.typ(elem, at.below("in", word), nil))
	}
	return out
}

// tuple is a list where all its positions have one type, else a list of anything.
func (w *walker) tuple(t *schema.Type, at place, n *schema.Named) *typ {
	types := slices.Clone(t.Prefix)
	if t.Elem != nil {
		types = append(types, t.Elem)
	}
	same := w.shared(types)
	if same == nil {
		same = &typ{form: w.raw}
	}
	out := w.keep(n, &typ{form: list, elem: same, note: "A tuple of", options: make([]option, len(types))})
	w.fill(out.options, types, at)
	return out
}

func (w *walker) object(t *schema.Type, at place, n *schema.Named) *typ {
	if len(t.Properties) == 0 {
		return w.keys(t, at, n)
	}
	d := w.declare(at, t, n)
	out := w.keep(n, &typ{form: declared, decl: d})
	order := w.order
	w.order = nil
	for _, p := range schema.InOrder(t.Properties, order) {
		d.fields = append(d.fields, w.property(p, at))
	}
	key := func(i int) string { return d.fields[i].key }
	names := distinct(len(d.fields), func(i int) string { return exported(key(i)) }, key)
	for i := range d.fields {
		d.fields[i].goName = names[i]
	}
	if t.Additional != nil || len(t.Patterns) > 0 {
		rest := "Additional"
		for slices.Contains(names, rest) {
			rest += "_"
		}
		d.fields = append(d.fields, field{goName: rest, other: true, typ: &typ{form: dict, elem: w.other(t, at)}})
	}
	return out
}

// keys is an object without named properties.
func (w *walker) keys(t *schema.Type, at place, n *schema.Named) *typ {
	if t.Closed && len(t.Patterns) == 0 {
		return w.keep(n, &typ{form: empty})
	}
	return w.container(dict, t, lone(t), at, n)
}

// lone is the type of all keys without a name, nil where they have several or none is said.
func lone(t *schema.Type) *schema.Type {
	switch {
	case len(t.Patterns) == 0:
		return t.Additional
	case len(t.Patterns) == 1 && t.Additional == nil:
		return t.Patterns[0].Type
	}
	return nil
}

// other is the type of the keys that no property names.
func (w *walker) other(t *schema.Type, at place) *typ {
	if only := lone(t); only != nil {
		return mayBeNull(w.typ(only, at.below("other", "additional"), nil))
	}
	return &typ{form: w.raw}
}

// property decides how a place says "not there" and "null". A named struct is always behind a pointer:
// it may hold itself.
func (w *walker) property(p schema.Property, at place) field {
	t := w.typ(p.Type, at.below("property", p.Name), nil)
	f := field{key: p.Name, optional: !p.Required, doc: p.Type.Doc, typ: t, note: t.note, options: t.options}
	switch {
	case t.form == anything, t.form == rawMessage, t.form == bigInt && !t.null:
	case t.null && !p.Required:
		plain := *t
		plain.null = false
		f.typ = &typ{form: nullable, elem: &plain}
	case t.null:
		f.typ = mayBeNull(t)
	case !p.Required && !t.isNilable(), p.Type.Kind == schema.Reference && t.isStruct():
		f.typ = &typ{form: pointer, elem: t}
	}
	return f
}
