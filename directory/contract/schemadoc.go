package contract

// This file holds a schema document: its decoding under caps, and the identifiers and references inside
// it. Who writes a type of a schema and who reads values by it must find the same schema at a reference.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// MaxPointer caps the length of a place in bytes. Without it a few huge keys with many keys below
// them would cost their product.
const MaxPointer = 4096

// SchemaDocument is a decoded schema document. Places in it are JSON Pointers (RFC 6901) from its root.
type SchemaDocument struct {
	root any
	// Legacy says that $ref stands alone, as before 2019-09: its siblings are ignored.
	Legacy bool
	// bases holds the base URI of each resource by the place where its $id stands; resources the
	// reverse; anchors the place by "uri#name".
	bases     map[string]*url.URL
	resources map[string]string
	anchors   map[string]string
	// dynamic holds the places with a $dynamicAnchor by "uri#name", anchorsNamed how many of a name there are.
	dynamic      map[string]string
	anchorsNamed map[string]int
	// refs are the references by the place they stand at; targets the places they lead to, where the
	// type stands as itself too: it is read once.
	refs    map[string]string
	targets map[string]bool
}

// SchemaLimits bound a document.
type SchemaLimits struct{ Bytes, Depth int }

// What is wrong with a document or a reference; the text around it names the place.
var (
	ErrSchemaTooLarge = errors.New("schema is too large")
	ErrSchemaTooDeep  = errors.New("schema is nested too deep")
	ErrRemoteRef      = errors.New("reference leaves the document")
	ErrMissingRef     = errors.New("reference points at nothing")
)

// OpenSchema decodes one document under limits. Errors: malformed JSON, ErrSchemaTooLarge,
// ErrSchemaTooDeep.
func OpenSchema(raw []byte, limits SchemaLimits) (*SchemaDocument, error) {
	if len(raw) > limits.Bytes {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", ErrSchemaTooLarge, len(raw), limits.Bytes)
	}
	if deeper(raw, limits.Depth) {
		return nil, fmt.Errorf("%w: more than %d levels", ErrSchemaTooDeep, limits.Depth)
	}
	root, err := decodeSchema(raw)
	if err != nil {
		return nil, err
	}
	d := &SchemaDocument{root: root, bases: map[string]*url.URL{}, resources: map[string]string{}, anchors: map[string]string{},
		dynamic: map[string]string{}, anchorsNamed: map[string]int{}, refs: map[string]string{}, targets: map[string]bool{}}
	if m, ok := d.root.(map[string]any); ok {
		d.Legacy = isLegacyDialect(m["$schema"])
	}
	base := &url.URL{}
	d.bases[""], d.resources[""] = base, ""
	d.index(d.root, "", base)
	for at, ref := range d.refs {
		if target, err := d.Resolve(ref, at); err == nil { // the parser reports the others, if it meets them
			d.targets[target] = true
		}
	}
	return d, nil
}

// decodeSchema decodes one document; its numbers keep their digits.
func decodeSchema(raw []byte) (root any, err error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&root); err != nil {
		return nil, fmt.Errorf("not valid JSON: %w", err)
	}
	if len(bytes.TrimLeft(raw[dec.InputOffset():], " \t\r\n")) > 0 {
		return nil, errors.New("not valid JSON: data after the document")
	}
	return root, nil
}

func isLegacyDialect(dialect any) bool {
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
	schemaWords = []string{"additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items",
		"not", "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"}
	schemaListWords = []string{"allOf", "anyOf", "items", "oneOf", "prefixItems"}
	schemaMapWords  = []string{"$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"}
)

// KeywordHolds says what may stand under a keyword: one schema, a list of schemas, schemas by name. Under
// items and dependencies either of two may.
func KeywordHolds(keyword string) (one, list, named bool) {
	return slices.Contains(schemaWords, keyword), slices.Contains(schemaListWords, keyword), slices.Contains(schemaMapWords, keyword)
}

// index records the identifiers of a schema and of those below it. It goes where schemas stand and
// nowhere else: an "$id" inside an enum is a value.
func (d *SchemaDocument) index(node any, at string, base *url.URL) {
	m, ok := node.(map[string]any)
	if !ok || len(at) > MaxPointer {
		return
	}
	base = d.identify(m, at, base)
	if ref, ok := m["$ref"].(string); ok {
		d.refs[at] = ref
	}
	if !holdsParts(m) {
		return
	}
	for _, k := range schemaWords {
		if sub, ok := m[k]; ok {
			d.index(sub, JoinPointer(at, k), base)
		}
	}
	for _, k := range schemaListWords {
		list, _ := m[k].([]any)
		for i, sub := range list {
			if _, ok := sub.(map[string]any); ok {
				d.index(sub, JoinPointer(JoinPointer(at, k), strconv.Itoa(i)), base)
			}
		}
	}
	for _, k := range schemaMapWords {
		subs, ok := m[k].(map[string]any)
		if !ok {
			continue
		}
		below := JoinPointer(at, k)
		for _, name := range slices.Sorted(maps.Keys(subs)) {
			d.index(subs[name], JoinPointer(below, name), base)
		}
	}
}

// holdsParts reports whether anything stands below a schema, be it schemas or values.
func holdsParts(m map[string]any) bool {
	for _, v := range m {
		switch v.(type) {
		case map[string]any, []any:
			return true
		}
	}
	return false
}

// identify records the $id, $anchor and $dynamicAnchor of one schema and returns the base below it.
func (d *SchemaDocument) identify(m map[string]any, at string, base *url.URL) *url.URL {
	if _, isRef := m["$ref"]; isRef && d.Legacy {
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
		d.dynamic[base.String()+"#"+name] = at
		d.anchorsNamed[name]++
	}
	return base
}

// DynamicTarget says where a dynamic reference leads that by its text leads to a place. The outermost
// resource on the way that has the anchor wins (JSON Schema 2020-12, 8.2.3.2), and the document's own
// is always on the way; if it has none, only an anchor that is alone in the document is sure.
func (d *SchemaDocument) DynamicTarget(ref, target string) (string, bool) {
	_, name, _ := strings.Cut(ref, "#")
	m, _ := d.Get(target)
	schema, _ := m.(map[string]any)
	if schema["$dynamicAnchor"] != name || name == "" {
		return target, true
	}
	if at, ok := d.dynamic[d.bases[""].String()+"#"+name]; ok {
		return at, true
	}
	return target, d.anchorsNamed[name] == 1
}

// metaSchemas are the documents that describe schemas, by the path of their address.
var metaSchemas = []string{"/draft-03/schema", "/draft-04/schema", "/draft-06/schema", "/draft-07/schema", "/draft/2019-09/schema", "/draft/2020-12/schema"}

// IsMetaSchema reports whether a reference leads to the published description of schemas, which need
// not be at hand.
func (d *SchemaDocument) IsMetaSchema(ref, at string) bool {
	link, fragment, _ := strings.Cut(ref, "#")
	u, err := url.Parse(link)
	if err != nil || link == "" || fragment != "" || len(ref) > MaxPointer {
		return false
	}
	u = d.bases[d.resourceOf(at)].ResolveReference(u)
	_, own := d.resources[u.String()]
	return !own && u.Host == "json-schema.org" && slices.Contains(metaSchemas, u.Path)
}

// Resolve turns a reference that stands at a place into the place it points at.
func (d *SchemaDocument) Resolve(ref, at string) (string, error) {
	if len(ref) > MaxPointer {
		return "", fmt.Errorf("%s: %w: a reference of %d bytes", PlaceOf(at), ErrSchemaTooLarge, len(ref))
	}
	home := d.resourceOf(at)
	base := d.bases[home]
	link, fragment, _ := strings.Cut(ref, "#")
	if link != "" {
		u, err := url.Parse(link)
		if err != nil {
			return "", fmt.Errorf("%s: $ref %q is not a URI reference", PlaceOf(at), ref)
		}
		base = base.ResolveReference(u)
		var ok bool
		if home, ok = d.resources[base.String()]; !ok {
			return "", fmt.Errorf("%s: $ref %q: %w; bundle what it points at under $defs", PlaceOf(at), ref, ErrRemoteRef)
		}
	}
	fragment, err := url.PathUnescape(fragment)
	if err != nil {
		return "", fmt.Errorf("%s: $ref %q is not a URI reference", PlaceOf(at), ref)
	}
	target := home + fragment
	if fragment != "" && !strings.HasPrefix(fragment, "/") {
		var ok bool
		if target, ok = d.anchors[base.String()+"#"+fragment]; !ok {
			return "", fmt.Errorf("%s: $ref %q: %w", PlaceOf(at), ref, ErrMissingRef)
		}
	}
	if _, ok := d.Get(target); !ok {
		return "", fmt.Errorf("%s: $ref %q: %w", PlaceOf(at), ref, ErrMissingRef)
	}
	return target, nil
}

// IsTarget reports whether a reference leads to a place.
func (d *SchemaDocument) IsTarget(at string) bool { return d.targets[at] }

// resourceOf returns the place of the nearest $id at or above a place.
func (d *SchemaDocument) resourceOf(at string) string {
	for at != "" {
		if _, ok := d.bases[at]; ok {
			return at
		}
		at = at[:strings.LastIndexByte(at, '/')]
	}
	return ""
}

// Get returns the schema at a place: an object or a boolean.
func (d *SchemaDocument) Get(at string) (any, bool) {
	node := d.root
	for at != "" {
		token := at[1:]
		if i := strings.IndexByte(token, '/'); i >= 0 {
			token = token[:i]
		}
		at = at[1+len(token):]
		token = UnescapeToken(token)
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

// JoinPointer appends one token to a pointer.
func JoinPointer(at, token string) string {
	return at + "/" + EscapeToken(token)
}

// PlaceOf renders a pointer for an error text, capped.
func PlaceOf(at string) string {
	if len(at) > 200 {
		at = at[:200] + "..."
	}
	return "#" + strings.ToValidUTF8(at, "?")
}
