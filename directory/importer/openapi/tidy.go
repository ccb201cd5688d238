package openapi

// This file brings the tree into plain form before anything else reads it: YAML merges are written out, and
// of a member that stands twice in one object the first is kept and the others are told.

import (
	"errors"

	"github.com/pb33f/go-yaml"

	"codemode/directory"
)

// maxMerged caps the members that merges add to a document: merges of merges multiply.
const maxMerged = 1 << 20

var errMerged = errors.New("its YAML merges come to more members than are read; write them out")

// tidier walks a tree once.
type tidier struct {
	d      *document
	seen   map[*yaml.Node]bool
	calls  map[*yaml.Node]string // objects whose members are paths or operations, with the path
	merged int
	err    error
}

func (d *document) tidy() error {
	t := &tidier{d: d, seen: map[*yaml.Node]bool{}, calls: map[*yaml.Node]string{}}
	t.node(d.root)
	return t.err
}

func (t *tidier) node(n *yaml.Node) {
	if n = plain(n); n == nil || t.seen[n] || t.err != nil {
		return
	}
	t.seen[n] = true
	if n.Kind == yaml.MappingNode {
		t.mapping(n)
		return
	}
	for _, e := range n.Content {
		t.node(e)
	}
}

// mapping keeps the first of each member and adds what is merged in behind the object's own: of several
// sources the first that has a member gives it (yaml.org/type/merge.html).
func (t *tidier) mapping(n *yaml.Node) {
	have, merges, content := map[string]int{}, []*yaml.Node(nil), make([]*yaml.Node, 0, len(n.Content))
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := plain(n.Content[i]), n.Content[i+1]
		switch first, twice := have[key.Value]; {
		case isMerge(key):
			merges = append(merges, t.sources(key, value)...)
		case twice:
			t.twice(n, key, first)
		default:
			have[key.Value] = key.Line
			content = append(content, n.Content[i], value)
		}
	}
	for _, m := range merges {
		t.node(m) // its own merges come first
		for i := 0; i+1 < len(m.Content); i += 2 {
			key := plain(m.Content[i])
			if _, own := have[key.Value]; own || isMerge(key) {
				continue
			}
			if t.merged++; t.merged > maxMerged {
				t.err = errMerged
				return
			}
			have[key.Value] = key.Line
			content = append(content, m.Content[i], m.Content[i+1])
		}
	}
	n.Content = content
	t.below(n)
}

// below goes on with the values, and knows those that hold paths and operations.
func (t *tidier) below(n *yaml.Node) {
	path, isPaths := t.calls[n]
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := plain(n.Content[i]).Value, plain(n.Content[i+1])
		switch {
		case n == t.d.root && name == "paths":
			t.calls[value] = ""
		case isPaths && path == "":
			t.calls[value] = name
		}
		t.node(value)
	}
}

// sources are the objects that a merge names: one, or a list of them.
func (t *tidier) sources(key, value *yaml.Node) []*yaml.Node {
	list := []*yaml.Node{value}
	if given := items(value); given != nil {
		list = given
	}
	var out []*yaml.Node
	for _, m := range list {
		if !isMapping(m) {
			t.d.findings.add(directory.Finding{Line: key.Line, Severity: directory.SeverityError, Rule: "bad_merge",
				Message: "a merge (<<) of something that is no object adds nothing", Hint: "merge an object, or a list of objects"})
			continue
		}
		out = append(out, plain(m))
	}
	return out
}

// twice tells of a member that is not read, since the object has it already. A path or an operation is
// left out with it.
func (t *tidier) twice(n, key *yaml.Node, first int) {
	const format, hint = "%s stands twice in one object; the first, of line %d, is read, and this one is left out", "keep one of them"
	path, call := t.calls[n]
	switch {
	case call:
		t.d.findings.fail(path, key.Line, "duplicate_member", hint, format, clip(key.Value), first)
	default:
		t.d.findings.warn("", key.Line, "duplicate_member", hint, format, clip(key.Value), first)
	}
}
