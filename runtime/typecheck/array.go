package typecheck

// This file judges what is used as an array and is none: the usual mistake with a result that has its
// array in a field.

import (
	"slices"
	"strings"

	"codemode/runtime"
)

// iterates says whether the code is of a value that is iterated, or taken apart by position.
func iterates(code int) bool {
	return slices.Contains([]int{2488, 2461, 2495, 2548, 2549, 2504, 2569}, code)
}

// judgeArray blocks where the node is used as an array and its type is generated and no part of it could be
// one.
func (x *examination) judgeArray(s site, v verdict, node uint32, t *typ) (verdict, error) {
	if t == nil {
		return v, nil
	}
	t, err := x.nonNull(t)
	if err != nil || t == nil {
		return v, err
	}
	o, err := x.originOfAll(t)
	if err != nil || o.from != fromGenerated {
		return v, err
	}
	members, err := x.propertiesOf(t)
	if err != nil || slices.ContainsFunc(members, func(m *symbol) bool { return numeric(m.Name) }) {
		return v, err
	}
	v.method = o.method
	v.message = s.t.described(node, o) + " is an object, not an array"
	v.hint, err = x.hintArray(s, node, members)
	return v.block(true), err
}

// originOfAll is the origin that the parts of a type share; from nowhere where they differ.
func (x *examination) originOfAll(t *typ) (origin, error) {
	if !t.is(flagUnion) {
		return x.originOf(t, "")
	}
	parts, err := x.parts(t)
	if err != nil || len(parts) == 0 {
		return origin{}, err
	}
	var first origin
	for i, p := range parts {
		o, err := x.originOf(p, "")
		if err != nil || o.from != fromGenerated {
			return origin{}, err
		}
		if i == 0 {
			first = o
		}
	}
	return first, nil
}

func numeric(name string) bool {
	return name != "" && strings.Trim(name, "0123456789") == ""
}

// described says what the value is: a plain name of the script's, or the call whose result it is.
func (t *tree) described(node uint32, o origin) string {
	name := t.dotted(node)
	switch {
	case name != "" && o.method != "":
		return name + " (from " + o.method + ")"
	case o.method != "":
		return "the result of " + o.method
	case name != "":
		return name
	}
	return "the value"
}

// hintArray says what to use in place of the node: its one field that is an array, else what fields it has.
func (x *examination) hintArray(s site, node uint32, members []*symbol) (string, error) {
	arrays, err := x.arraysOf(members)
	if err != nil {
		return "", err
	}
	verb := "use "
	if iterates(s.Code) {
		verb = "iterate "
	}
	switch name := s.t.dotted(node); {
	case len(arrays) == 1 && name != "":
		return verb + name + accessOf(arrays[0]), nil
	case len(arrays) == 1:
		return verb + "its field " + arrays[0] + ": with const r = await ..., r" + accessOf(arrays[0]), nil
	case len(arrays) > 1:
		return "its arrays are " + runtime.Listed(arrays, 10), nil
	case len(members) == 0:
		return "", nil
	}
	return "it has " + runtime.Listed(namesOf(members), 10), nil
}

// maxArrayFields bounds how many fields are asked for their type.
const maxArrayFields = 100

// arraysOf returns the names of the members that are arrays, or may be.
func (x *examination) arraysOf(members []*symbol) ([]string, error) {
	var out []string
	for _, m := range members[:min(len(members), maxArrayFields)] {
		t, err := x.typeOf(m)
		if err != nil || t == nil {
			return nil, err
		}
		if t, err = x.nonNull(t); err != nil || t == nil {
			return nil, err
		}
		array, err := x.isArray(t)
		if err != nil {
			return nil, err
		}
		if array {
			out = append(out, m.Name)
		}
	}
	return out, nil
}
