package typecheck

// This file finds where a type comes from, by the files that declare it: generated for the grant,
// the language's own library, or the script.

import (
	"strconv"
	"strings"
)

type source int

const (
	fromNowhere   source = iota // any, unknown, never, unions of which a part has the member
	fromScript                  // the author's own
	fromLanguage                // strings, arrays, promises ...
	fromGenerated               // the granted surface, its results, the ambient helpers
)

type role int

const (
	roleValue     role = iota // a result, an argument, a helper
	roleTools                 // tools itself
	roleNamespace             // tools.<name>
)

// origin is where a type comes from. name is the namespace's or the language type's name; method is
// the "namespace.method" whose declaration the type stands in, "" where it has a name of its own.
type origin struct {
	from   source
	role   role
	name   string
	method string
}

// surface is the type of tools and those of its namespaces, by id.
type surface struct {
	tools      *typ
	namespaces map[int64]string
}

// surface looks once for the global tools that the declarations declare.
func (x *examination) surfaceTypes() (surface, error) {
	if x.known != nil {
		return *x.known, nil
	}
	known := surface{namespaces: map[int64]string{}}
	sym, err := x.global("tools")
	if err != nil {
		return known, err
	}
	if sym != nil && sourceOf(sym) == fromGenerated {
		if known.tools, err = x.typeOf(sym); err != nil {
			return known, err
		}
		if err := x.namespaces(known); err != nil {
			return known, err
		}
	}
	x.known = &known
	return known, nil
}

func (x *examination) namespaces(known surface) error {
	members, err := x.propertiesOf(known.tools)
	if err != nil || len(members) == 0 {
		return err
	}
	ids := make([]int64, len(members))
	for i, m := range members {
		ids[i] = m.ID
	}
	types, err := ask[[]*typ](x.snapshot, "getTypesOfSymbols", map[string]any{"symbols": ids})
	if err != nil {
		return err
	}
	for i, t := range types {
		if t != nil && i < len(members) {
			known.namespaces[t.ID] = members[i].Name
		}
	}
	return nil
}

func (x *examination) toolsType() (*typ, error) {
	known, err := x.surfaceTypes()
	return known.tools, err
}

// originOf says where the type comes from. A union that has the named member in a part is from
// nowhere: which part the value is, only the run can tell.
func (x *examination) originOf(t *typ, member string) (origin, error) {
	if t.is(flagUnion) {
		var err error
		if t, err = x.nonNull(t); err != nil {
			return origin{}, err
		}
	}
	switch {
	case t == nil || t.is(flagAny|flagUnknown|flagNever|flagNonPrim|flagsNullable):
		return origin{}, nil
	case t.is(flagUnion | flagIntersect):
		return x.originOfParts(t, member)
	case t.is(flagsPrimitive):
		return origin{from: fromLanguage, name: primitiveName(t)}, nil
	case t.is(flagObject):
		return x.originOfObject(t)
	}
	return origin{}, nil
}

// originOfParts returns the first generated part's origin, else the common one.
func (x *examination) originOfParts(t *typ, member string) (origin, error) {
	parts, err := x.parts(t)
	if err != nil {
		return origin{}, err
	}
	if member != "" && t.is(flagUnion) {
		for _, p := range parts {
			if has, err := x.propertyOf(p, member); has != nil || err != nil {
				return origin{}, err
			}
		}
	}
	var all []origin
	for _, p := range parts {
		o, err := x.originOf(p, "")
		if err != nil || o.from == fromGenerated {
			return o, err
		}
		all = append(all, o)
	}
	for _, o := range all {
		if o.from != all[0].from {
			return origin{}, nil
		}
	}
	if len(all) == 0 {
		return origin{}, nil
	}
	return all[0], nil
}

func (x *examination) originOfObject(t *typ) (origin, error) {
	known, err := x.surfaceTypes()
	if err != nil {
		return origin{}, err
	}
	if known.tools != nil && t.ID == known.tools.ID {
		return origin{from: fromGenerated, role: roleTools, name: "tools"}, nil
	}
	if name, ok := known.namespaces[t.ID]; ok {
		return origin{from: fromGenerated, role: roleNamespace, name: name}, nil
	}
	if t.Object&objectMapped != 0 && len(t.AliasArgs) > 0 { // Pick<Generated, ...>, Partial<Generated> ...
		args, err := x.aliasArguments(t)
		if err != nil || len(args) == 0 {
			return origin{}, err
		}
		return x.originOf(args[0], "")
	}
	sym, err := x.symbolOf(t)
	if err != nil || sym == nil {
		return origin{}, err
	}
	o := origin{from: sourceOf(sym), name: sym.Name}
	switch {
	case o.from == fromGenerated:
		o.method, err = x.methodAround(sym.Declarations[0])
	case o.from == fromLanguage && (strings.HasSuffix(sym.Name, "Error") || sym.Name == "Object" || strings.HasPrefix(sym.Name, "__") || strings.HasPrefix(sym.Name, "\xFE")):
		o.from = fromNowhere // errors carry what their thrower added; mapped types are the author's
	}
	return o, err
}

// sourceOf tells from the declaring file.
func sourceOf(sym *symbol) source {
	if len(sym.Declarations) == 0 {
		return fromNowhere
	}
	return sourceOfHandle(sym.Declarations[0])
}

func sourceOfHandle(handle string) source {
	_, path := splitHandle(handle)
	switch {
	case strings.HasPrefix(path, scriptDir):
		return fromScript
	case strings.HasPrefix(path, typesDir), path == grantedFile:
		return fromGenerated
	case path == "":
		return fromNowhere
	}
	return fromLanguage
}

// splitHandle takes a node handle, "index.kind.path", apart.
func splitHandle(handle string) (index uint32, path string) {
	head, rest, _ := strings.Cut(handle, ".")
	_, path, _ = strings.Cut(rest, ".")
	n, err := strconv.ParseUint(head, 10, 32)
	if err != nil {
		return 0, ""
	}
	return uint32(n), path
}

func primitiveName(t *typ) string {
	switch {
	case t.is(1<<5 | 1<<10 | flagsTemplate):
		return "String"
	case t.is(1<<6 | 1<<11):
		return "Number"
	case t.is(1<<8 | 1<<13):
		return "Boolean"
	case t.is(1<<7 | 1<<12):
		return "BigInt"
	}
	return "value"
}

// isPromise says whether the type is a promise, or a union with one.
func (x *examination) isPromise(t *typ) (bool, error) {
	if t.is(flagUnion) {
		parts, err := x.parts(t)
		if err != nil {
			return false, err
		}
		for _, p := range parts {
			if is, err := x.isPromise(p); is || err != nil {
				return is, err
			}
		}
		return false, nil
	}
	if !t.is(flagObject) {
		return false, nil
	}
	sym, err := x.symbolOf(t)
	return err == nil && sym != nil && sym.Name == "Promise" && sourceOf(sym) == fromLanguage, err
}

// place is where a value goes: ours when the surface takes it.
type place struct {
	ours   bool
	method string
}

// placeOf finds whether the node is given to the surface: in the argument of a call that the
// declarations declare, or in a literal whose wanted type they declare.
func (x *examination) placeOf(s site) (place, error) {
	if call := s.t.argumentOf(s.node); call != 0 {
		method, ours, err := x.methodOf(s.t, call)
		return place{ours, method}, err
	}
	value := s.t.valueAt(s.node)
	for i := value; i != 0; i = s.t.parent(i) {
		if s.t.kind(i) != kindObjectLiteral && i != value {
			if boundary(s.t.kind(i)) {
				break
			}
			continue
		}
		t, err := x.wanted(s.t.handle(i))
		if err != nil {
			return place{}, err
		}
		o, err := x.originOf(t, "")
		if err != nil || o.from == fromGenerated {
			return place{o.from == fromGenerated, o.method}, err
		}
	}
	return place{}, nil
}

// methodOf says whether the declarations declare what the call calls, and as which method.
func (x *examination) methodOf(t *tree, call uint32) (method string, ours bool, err error) {
	if call == 0 || t.kind(call) != kindCall {
		return "", false, nil
	}
	sig, err := x.called(t.handle(call))
	if err != nil || sig == nil || sourceOfHandle(sig.Declaration) != fromGenerated {
		return "", false, err
	}
	if path, ok := strings.CutPrefix(t.dotted(t.first(call)), "tools."); ok && strings.Count(path, ".") == 1 {
		return path, true, nil
	}
	method, err = x.methodAround(sig.Declaration)
	return method, true, err
}

// methodAround returns the "namespace.method" in whose declaration the node of that handle stands: a
// signature of interface Tools.<namespace>, or a type in namespace Tools.<namespace>.<method>.
func (x *examination) methodAround(handle string) (string, error) {
	index, path := splitHandle(handle)
	t, err := x.declaring(path)
	if err != nil || int(index) >= len(t.nodes) {
		return "", err
	}
	var member string
	var around []string // names, inside out
	for i := index; i != 0; i = t.parent(i) {
		switch t.kind(i) {
		case kindMethodSignature, kindPropertySignature:
			member = t.text(t.nameOf(i))
		case kindInterface:
			around = append(around, member, t.text(t.nameOf(i)))
		case kindModule:
			around = append(around, t.text(t.nameOf(i)))
		}
	}
	n := len(around)
	switch {
	case n == 3 && around[2] == "Tools" && around[0] != "": // member, interface, Tools
	case n >= 3 && around[n-1] == "Tools" && around[n-3] != "": // ..., method, namespace, Tools
	default:
		return "", nil
	}
	return undeclared(around[n-2]) + "." + undeclared(around[n-3]), nil
}

// undeclared returns the name for which the generator declares this identifier: a name that cannot
// be declared is "$" with each character that does not fit as "$<hex>$" (package gen/ts).
func undeclared(identifier string) string {
	rest, ok := strings.CutPrefix(identifier, "$")
	if !ok {
		return identifier
	}
	var name strings.Builder
	for {
		plain, after, ok := strings.Cut(rest, "$")
		name.WriteString(plain)
		if !ok {
			return name.String()
		}
		hex, tail, _ := strings.Cut(after, "$")
		if r, err := strconv.ParseUint(hex, 16, 21); err == nil {
			name.WriteRune(rune(r))
		}
		rest = tail
	}
}

// declaring returns the tree of a declaration file.
func (x *examination) declaring(path string) (*tree, error) {
	if t, ok := x.own[path]; ok {
		return t, nil
	}
	t, err := x.tree(path)
	if err != nil {
		return nil, err
	}
	x.own[path] = t
	return t, nil
}

// nameOf returns the first child that has a text: the name, past modifiers.
func (t *tree) nameOf(i uint32) uint32 {
	var name uint32
	t.each(i, func(c uint32) bool {
		if t.text(c) != "" {
			name = c
		}
		return name == 0
	})
	return name
}

// methodBehind returns the method of a call, or of the call that a variable holds; "" if unclear.
func (x *examination) methodBehind(t *tree, i uint32) string {
	call := t.core(i)
	if name := t.text(call); name != "" && t.kind(call) == kindIdentifier {
		call = t.initializer(name)
	}
	if call = t.core(call); t.kind(call) != kindCall {
		return ""
	}
	method, _, err := x.methodOf(t, call)
	if err != nil {
		return ""
	}
	return method
}

// initializer returns what the variable of that name is declared as, 0 if that is not clear.
func (t *tree) initializer(name string) uint32 {
	var found uint32
	for i, n := range t.nodes {
		if at := uint32(i); n.kind == kindVariable && t.text(t.first(at)) == name {
			if found != 0 {
				return 0
			}
			found = t.last(at)
		}
	}
	return found
}
