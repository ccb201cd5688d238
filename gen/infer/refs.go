package infer

// This file gives references one spelling and finds those that lead nowhere.

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"codemode/directory/contract"
)

// checkRefs makes references that lead nowhere unknown: a validator would refuse the whole document.
func (n *normalizer) checkRefs(v any, at string) {
	o, ok := v.(*object)
	if !ok {
		return
	}
	if ref := o.text("$ref"); ref != "" {
		if plain := n.pointerForm(ref); plain != ref {
			o.set("$ref", plain)
		} else if !n.leads(ref) {
			n.remark("%s: the reference %q leads nowhere in the document; its type is unknown", place(at), short(ref))
			o.del("$ref")
		}
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

// pointerForm turns a reference by anchor or by the document's own $id into "#" and a JSON Pointer, so
// that who reads a contract's schema needs no other form. What it can't place stays as it is.
func (n *normalizer) pointerForm(ref string) string {
	if n.ids {
		return ref
	}
	fragment := ref
	if id := strings.TrimSuffix(n.root.text("$id"), "#"); id != "" {
		fragment = strings.TrimPrefix(ref, id)
	}
	if fragment == "" {
		fragment = "#"
	}
	name, ok := strings.CutPrefix(fragment, "#")
	if ok && name != "" && name[0] != '/' {
		name, ok = anchored(n.root, name, "")
	}
	if ok && (name == "" || pointsAt(n.root, name)) {
		return "#" + name
	}
	return ref
}

// leads reports whether a reference in its pointerForm has a target; what stands below another $id
// is left to who reads it.
func (n *normalizer) leads(ref string) bool {
	pointer, local := strings.CutPrefix(ref, "#")
	return n.ids || local && (pointer == "" || pointer[0] == '/' && pointsAt(n.root, pointer))
}

// anchored finds the schema that bears an anchor, as a JSON Pointer in URI fragment form.
func anchored(v any, name, at string) (pointer string, found bool) {
	o, ok := v.(*object)
	if !ok {
		return "", false
	}
	if o.text("$anchor") == name || o.text("$dynamicAnchor") == name {
		return at, true
	}
	for _, k := range o.keys {
		switch keywordKinds[k] {
		case oneSchema:
			pointer, found = anchored(o.values[k], name, at+"/"+k)
		case schemaList:
			list, _ := o.values[k].([]any)
			for i := 0; i < len(list) && !found; i++ {
				pointer, found = anchored(list[i], name, fmt.Sprintf("%s/%s/%d", at, k, i))
			}
		case schemaMap:
			for _, member := range o.object(k).names() {
				token := url.PathEscape(contract.EscapeToken(member))
				if pointer, found = anchored(o.object(k).values[member], name, at+"/"+k+"/"+token); found {
					break
				}
			}
		}
		if found {
			return pointer, true
		}
	}
	return "", false
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
