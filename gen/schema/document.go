package schema

// This file holds the document: its decoding under caps, and the identifiers and pointers inside it.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"codemode/directory/contract"
)

// maxPointer caps the length of a place in bytes. Without it a few huge keys with many keys below
// them would cost their product.
const maxPointer = 4096

// document is a decoded schema document. Places in it are JSON Pointers (RFC 6901) from its root.
type document struct {
	root any
	// legacy says that $ref stands alone, as before 2019-09: its siblings are ignored.
	legacy bool
	// bases holds the base URI of each resource by the place where its $id stands; resources the
	// reverse; anchors the place by "uri#name".
	bases     map[string]*url.URL
	resources map[string]string
	anchors   map[string]string
	dynamic   map[string]int // how many places carry a $dynamicAnchor of that name
	// refs are the references by the place they stand at; targets the places they lead to, where the
	// type stands as itself too: it is read once.
	refs    map[string]string
	targets map[string]bool
}

func openDocument(raw []byte, opt Options) (*document, error) {
	if len(raw) > opt.MaxBytes {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", ErrTooLarge, len(raw), opt.MaxBytes)
	}
	if deeper(raw, opt.MaxDepth) {
		return nil, fmt.Errorf("%w: more than %d levels", ErrTooDeep, opt.MaxDepth)
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	d := &document{bases: map[string]*url.URL{}, resources: map[string]string{}, anchors: map[string]string{},
		dynamic: map[string]int{}, refs: map[string]string{}, targets: map[string]bool{}}
	if err := dec.Decode(&d.root); err != nil {
		return nil, fmt.Errorf("not valid JSON: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("not valid JSON: data after the document")
	}
	if m, ok := d.root.(map[string]any); ok {
		d.legacy = isLegacy(m["$schema"])
	}
	base := &url.URL{}
	d.bases[""], d.resources[""] = base, ""
	d.index(d.root, "", base)
	for at, ref := range d.refs {
		if target, err := d.resolve(ref, at); err == nil { // the parser reports the others, if it meets them
			d.targets[target] = true
		}
	}
	return d, nil
}

func isLegacy(dialect any) bool {
	s, _ := dialect.(string)
	for _, draft := range []string{"draft-03", "draft-04", "draft-06", "draft-07"} {
		if strings.Contains(s, draft) {
			return true
		}
	}
	return false
}

// deeper reports whether JSON nests more than limit levels. It looks at brackets only, so that
// nothing recursive runs before the cap is known to hold.
func deeper(raw []byte, limit int) bool {
	depth, inString := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > limit {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// The keywords that hold schemas, by shape.
var (
	schemaKeywords = []string{"additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items",
		"not", "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"}
	listKeywords = []string{"allOf", "anyOf", "items", "oneOf", "prefixItems"}
	mapKeywords  = []string{"$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"}
)

// index records the identifiers of a schema and of those below it. It goes where schemas stand and
// nowhere else: an "$id" inside an enum is a value.
func (d *document) index(node any, at string, base *url.URL) {
	m, ok := node.(map[string]any)
	if !ok || len(at) > maxPointer {
		return
	}
	base = d.identify(m, at, base)
	if ref, ok := m["$ref"].(string); ok {
		d.refs[at] = ref
	}
	for _, k := range schemaKeywords {
		if sub, ok := m[k]; ok {
			d.index(sub, join(at, k), base)
		}
	}
	for _, k := range listKeywords {
		list, _ := m[k].([]any)
		for i, sub := range list {
			d.index(sub, join(join(at, k), strconv.Itoa(i)), base)
		}
	}
	for _, k := range mapKeywords {
		subs, _ := m[k].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(subs)) {
			d.index(subs[name], join(join(at, k), name), base)
		}
	}
}

// identify records the $id, $anchor and $dynamicAnchor of one schema and returns the base below it.
func (d *document) identify(m map[string]any, at string, base *url.URL) *url.URL {
	if _, isRef := m["$ref"]; isRef && d.legacy {
		return base
	}
	if id, _ := m["$id"].(string); strings.HasPrefix(id, "#") && len(id) > 1 {
		d.anchors[base.String()+id] = at // the anchors of draft 6 and 7
	} else if id != "" {
		if u, err := url.Parse(id); err == nil {
			base = base.ResolveReference(u)
			base.Fragment, base.RawFragment = "", ""
			d.bases[at] = base
			d.resources[base.String()] = at
		}
	}
	if name, _ := m["$anchor"].(string); name != "" {
		d.anchors[base.String()+"#"+name] = at
	}
	if name, _ := m["$dynamicAnchor"].(string); name != "" {
		d.anchors[base.String()+"#"+name] = at
		d.dynamic[name]++
	}
	return base
}

// ambiguous reports whether a dynamic reference has more than one anchor that it could mean.
func (d *document) ambiguous(ref string) bool {
	_, name, _ := strings.Cut(ref, "#")
	return d.dynamic[name] > 1
}

// resolve turns a reference that stands at a place into the place it points at.
func (d *document) resolve(ref, at string) (string, error) {
	if len(ref) > maxPointer {
		return "", fmt.Errorf("%s: %w: a reference of %d bytes", place(at), ErrTooLarge, len(ref))
	}
	home := d.resourceOf(at)
	base := d.bases[home]
	link, fragment, _ := strings.Cut(ref, "#")
	if link != "" {
		u, err := url.Parse(link)
		if err != nil {
			return "", fmt.Errorf("%s: $ref %q is not a URI reference", place(at), ref)
		}
		base = base.ResolveReference(u)
		var ok bool
		if home, ok = d.resources[base.String()]; !ok {
			return "", fmt.Errorf("%s: $ref %q: %w; bundle what it points at under $defs", place(at), ref, ErrRemoteRef)
		}
	}
	fragment, err := url.PathUnescape(fragment)
	if err != nil {
		return "", fmt.Errorf("%s: $ref %q is not a URI reference", place(at), ref)
	}
	target := home + fragment
	if fragment != "" && !strings.HasPrefix(fragment, "/") {
		var ok bool
		if target, ok = d.anchors[base.String()+"#"+fragment]; !ok {
			return "", fmt.Errorf("%s: $ref %q: %w", place(at), ref, ErrMissingRef)
		}
	}
	if _, ok := d.get(target); !ok {
		return "", fmt.Errorf("%s: $ref %q: %w", place(at), ref, ErrMissingRef)
	}
	return target, nil
}

// resourceOf returns the place of the nearest $id at or above a place.
func (d *document) resourceOf(at string) string {
	for at != "" {
		if _, ok := d.bases[at]; ok {
			return at
		}
		at = at[:strings.LastIndexByte(at, '/')]
	}
	return ""
}

// get returns the schema at a place: an object or a boolean.
func (d *document) get(at string) (any, bool) {
	node := d.root
	for at != "" {
		token := at[1:]
		if i := strings.IndexByte(token, '/'); i >= 0 {
			token = token[:i]
		}
		at = at[1+len(token):]
		token = contract.UnescapeToken(token)
		switch n := node.(type) {
		case map[string]any:
			sub, ok := n[token]
			if !ok {
				return nil, false
			}
			node = sub
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(n) || strconv.Itoa(i) != token {
				return nil, false
			}
			node = n[i]
		default:
			return nil, false
		}
	}
	switch node.(type) {
	case map[string]any, bool:
		return node, true
	}
	return nil, false
}

// join appends one token to a pointer.
func join(at, token string) string {
	return at + "/" + contract.EscapeToken(token)
}

// place renders a pointer for an error text, capped.
func place(at string) string {
	if len(at) > 200 {
		at = at[:200] + "..."
	}
	return "#" + strings.ToValidUTF8(at, "?")
}
