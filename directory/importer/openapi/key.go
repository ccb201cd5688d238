package openapi

// This file names operations: their rows' keys.

import (
	"fmt"
	"strings"
	"unicode"

	"codemode/directory"
	"codemode/directory/importer"
)

// name is the operation's key, "<server>_<tag>/<operationId>": the first tag as a slug, so that the
// namespaces of scripts follow the document's tags, and the id without the tag where it leads the id
// ("repos/get" and "repos-get" of tag repos are get). Without a tag it is "<server>/<operationId>".
//
// An operation without an id is named by its method and path. An id that another operation has, or has
// but for case and punctuation, gets them too: both would be one method to a script.
func (o *operation) name() string {
	id := strings.TrimSpace(o.d.text(o.d.get(o.node, "operationId")))
	place := strings.ToLower(o.method) + "_" + slug(o.path)
	server := o.d.server
	if tag := o.tag(); tag != "" {
		server += "_" + o.d.spelling(tag)
		id = withoutTag(id, o.firstTag())
	}
	if id == "" {
		o.d.findings.note("", o.line, "no_operation_id", "an operation has no operationId; it is named by its method and path", "")
		id = place
	}
	key := importer.Key(server, id)
	if other := o.d.keys[folded(key)]; other != "" {
		key = importer.Key(server, id+"_"+place)
		for n := 2; o.d.keys[folded(key)] != ""; n++ {
			key = importer.Key(server, fmt.Sprintf("%s_%s_%d", id, place, n))
		}
		o.d.findings.warn(key, o.line, "clashing_operation_id", "give it an operationId of its own",
			"%s %s would be the same method as %s; it is named by its method and path too", o.method, clip(o.path), clip(other))
	}
	return key
}

// taken notes a row's key.
func (d *document) taken(key string) { d.keys[folded(key)] = key }

// folded is a key without what a method's name does not keep: case and punctuation after the first
// "/", which divides namespace and method.
func folded(key string) string {
	namespace, method, _ := strings.Cut(key, "/")
	letters := func(s string) string {
		return directory.FoldCase(strings.Map(func(r rune) rune {
			if unicode.In(r, unicode.L, unicode.M, unicode.N) {
				return r
			}
			return -1
		}, s))
	}
	if short := letters(method); short != "" {
		return letters(namespace) + "/" + short
	}
	return key
}

func (o *operation) firstTag() string {
	for _, tag := range items(o.d.get(o.node, "tags")) {
		return strings.TrimSpace(o.d.text(tag))
	}
	return ""
}

// maxTagBytes caps what a tag adds to a key.
const maxTagBytes = 60

// tag is the first tag as words with "_" between, in letters of any script: "Pet Store" and "petStore"
// are pet_store. "" where it has no letter or digit, and for one that is no name but a text.
func (o *operation) tag() string {
	var b strings.Builder
	gap, before := false, ' '
	for _, r := range o.firstTag() {
		word := unicode.In(r, unicode.L, unicode.Mn, unicode.Mc, unicode.Nd)
		if b.Len() > 0 && word && (gap || unicode.IsLower(before) && unicode.IsUpper(r)) {
			b.WriteByte('_')
		}
		if gap = !word; word {
			b.WriteRune(unicode.ToLower(r))
		}
		before = r
	}
	if b.Len() > maxTagBytes {
		return ""
	}
	return b.String()
}

// spelling is how a tag was spelled first: tags that differ in their gaps only are one namespace.
func (d *document) spelling(tag string) string {
	plain := strings.ReplaceAll(tag, "_", "")
	if d.tags[plain] == "" {
		d.tags[plain] = tag
	}
	return d.tags[plain]
}

// withoutTag is an id without the tag that leads it, cut at "/", "-", "." or ":".
func withoutTag(id, tag string) string {
	if len(id) <= len(tag)+1 || !strings.EqualFold(id[:len(tag)], tag) || !strings.ContainsRune("/-.:", rune(id[len(tag)])) {
		return id
	}
	return id[len(tag)+1:]
}
