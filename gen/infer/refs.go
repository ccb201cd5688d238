package infer

// This file finds references that lead nowhere.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// checkRefs makes references that lead nowhere unknown: a validator would refuse the whole document.
func (n *normalizer) checkRefs(v any, at string) {
	o, ok := v.(*object)
	if !ok {
		return
	}
	if ref := o.text("$ref"); ref != "" && !n.leads(ref) {
		n.remark("%s: the reference %q leads nowhere in the document; its type is unknown", place(at), short(ref))
		o.del("$ref")
	}
	for _, k := range o.keys {
		switch keywordKinds[k] {
		case oneSchema:
			n.checkRefs(o.values[k], at+"/"+k)
		case schemaList:
			for i, sub := range o.values[k].([]any) {
				n.checkRefs(sub, fmt.Sprintf("%s/%s/%d", at, k, i))
			}
		case schemaMap:
			for _, name := range o.object(k).keys {
				n.checkRefs(o.object(k).values[name], at+"/"+k+"/"+name)
			}
		}
	}
}

func (n *normalizer) leads(ref string) bool {
	switch {
	case n.ids, ref == "#":
		return true
	case !strings.HasPrefix(ref, "#"):
		id := n.root.text("$id")
		return id != "" && strings.HasPrefix(ref, strings.TrimSuffix(id, "#"))
	case !strings.HasPrefix(ref, "#/"):
		return hasAnchor(n.root, ref[1:])
	}
	return pointsAt(n.root, ref[1:])
}

func hasAnchor(v any, name string) bool {
	switch t := v.(type) {
	case *object:
		if t.text("$anchor") == name || t.text("$dynamicAnchor") == name {
			return true
		}
		return slices.ContainsFunc(t.keys, func(k string) bool { return hasAnchor(t.values[k], name) })
	case []any:
		return slices.ContainsFunc(t, func(e any) bool { return hasAnchor(e, name) })
	}
	return false
}

// pointsAt follows a JSON Pointer in URI fragment form (RFC 6901, 6) to a schema.
func pointsAt(v any, pointer string) bool {
	for _, token := range strings.Split(pointer, "/")[1:] {
		switch t := v.(type) {
		case *object:
			next, ok := t.get(unescapePointer(token))
			if !ok {
				return false
			}
			v = next
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(t) {
				return false
			}
			v = t[i]
		default:
			return false
		}
	}
	switch v.(type) {
	case *object, bool:
		return true
	}
	return false
}
