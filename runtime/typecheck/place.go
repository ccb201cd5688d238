package typecheck

// This file finds places in a tree: whose member is named, whose argument a node stands in, what is
// assigned to.

// owner returns the node whose type should have had the member that node names, 0 if that is not clear.
func (t *tree) owner(i uint32) uint32 {
	p := t.parent(i)
	switch t.kind(p) {
	case kindPropertyAccess, kindElementAccess:
		return t.first(p)
	case kindBindingElement:
		return t.parent(p) // the pattern; its type is that of what is taken apart
	}
	return 0
}

// takenApart returns the value that a pattern takes apart, in a declaration or an assignment; any other node
// is its own value.
func (t *tree) takenApart(i uint32) uint32 {
	p := t.parent(i)
	switch t.kind(i) {
	case kindObjectPattern, kindArrayPattern:
		return t.last(p)
	case kindObjectLiteral, kindArrayLiteral:
		if t.kind(p) == kindBinary && t.first(p) == i && t.operator(p) == kindFirstAssignment {
			return t.last(p)
		}
	}
	return i
}

// assigned says whether the access is only written to: x.y = ..., x.y ??= ..., delete x.y.
func (t *tree) assigned(access uint32) bool {
	if k := t.kind(access); k != kindPropertyAccess && k != kindElementAccess {
		return false
	}
	p := t.parent(access)
	switch t.kind(p) {
	case kindDelete:
		return true
	case kindBinary:
		op := t.operator(p)
		return t.first(p) == access && op >= kindFirstAssignment && op <= kindLastAssignment
	}
	return false
}

// operator returns a binary expression's operator, which stands between the operands.
func (t *tree) operator(binary uint32) kind {
	if c := t.children(binary); len(c) >= 3 {
		return t.kind(c[len(c)-2])
	}
	return 0
}

// boundary says whether a node begins code of its own: what stands in it is not part of the
// argument around it.
func boundary(k kind) bool {
	switch k {
	case kindFunction, kindArrow, kindFunctionDecl, kindMethod, kindConstructor, kindGetAccessor, kindSetAccessor, kindBlock, kindSourceFile:
		return true
	}
	return false
}

// enclosingCall returns the nearest call the node is a part of, as callee or argument, 0 for none.
func (t *tree) enclosingCall(i uint32) uint32 {
	for ; i != 0; i = t.parent(i) {
		if k := t.kind(i); k == kindCall || k == kindNew {
			return i
		} else if boundary(k) {
			return 0
		}
	}
	return 0
}

// argumentOf returns the nearest call that has the node in its arguments, 0 for none.
func (t *tree) argumentOf(i uint32) uint32 {
	for p := t.parent(i); p != 0; i, p = p, t.parent(p) {
		if k := t.kind(p); (k == kindCall || k == kindNew) && t.first(p) != i {
			return p
		}
		if boundary(t.kind(i)) {
			return 0
		}
	}
	return 0
}

// valueAt returns the expression that a diagnostic about a value is about: that of the property it
// stands at, else the node itself.
func (t *tree) valueAt(i uint32) uint32 {
	p := t.parent(i)
	if k := t.kind(p); (k == kindPropertyAssign || k == kindVariable) && t.first(p) == i {
		return t.last(p)
	}
	return i
}

// core strips parentheses and assertions.
func (t *tree) core(i uint32) uint32 {
	for {
		switch t.kind(i) {
		case kindParenthesized, kindAs, kindSatisfies, kindNonNull:
			i = t.first(i)
		case kindTypeAssertion:
			i = t.last(i)
		default:
			return i
		}
	}
}

// filled says whether the expression is a variable to which the script adds after its declaration,
// or whose declared type is only that of a default: what it lacks by its type proves nothing.
func (t *tree) filled(i uint32) bool {
	switch t.kind(i) {
	case kindIdentifier:
		return t.filledName(t.text(i))
	case kindObjectLiteral:
		for _, m := range t.members(i) {
			if t.kind(m) == kindSpreadAssign && t.filled(t.core(t.first(m))) {
				return true
			}
		}
	}
	return false
}

func (t *tree) filledName(name string) bool {
	if name == "" {
		return false
	}
	for i := range t.nodes {
		if t.fills(uint32(i), name) {
			return true
		}
	}
	return false
}

// fills says whether the node adds to the variable.
func (t *tree) fills(i uint32, name string) bool {
	named := func(n uint32) bool { return t.kind(n) == kindIdentifier && t.text(n) == name }
	switch t.kind(i) {
	case kindPropertyAccess, kindElementAccess: // name.x = ...
		return named(t.first(i)) && t.assigned(i)
	case kindBinary: // name = ...
		op := t.operator(i)
		return named(t.first(i)) && op >= kindFirstAssignment && op <= kindLastAssignment
	case kindParameter, kindBindingElement: // (name = {}) =>
		return named(t.first(i)) && t.kind(t.last(i)) == kindObjectLiteral
	case kindCall: // Object.assign(name, ...)
		callee := t.first(i)
		return t.kind(callee) == kindPropertyAccess && t.text(t.last(callee)) == "assign" && named(t.first(t.last(i)))
	}
	return false
}

// dotted returns a chain of plain names, "tools.crm.listContacts", "" for any other expression.
func (t *tree) dotted(i uint32) string {
	switch i = t.core(i); t.kind(i) {
	case kindIdentifier:
		return t.text(i)
	case kindPropertyAccess:
		if left := t.dotted(t.first(i)); left != "" {
			return left + "." + t.text(t.last(i))
		}
	case kindElementAccess:
		if left := t.dotted(t.first(i)); left != "" && t.kind(t.last(i)) == kindString {
			return left + "." + t.text(t.last(i))
		}
	}
	return ""
}
