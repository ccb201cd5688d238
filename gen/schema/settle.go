package schema

// This file decides which types keep a name, writes the others out in place, and names the rest.

import (
	"fmt"
	"strconv"
	"strings"

	"codemode/directory/contract"
)

const (
	// maxInline is the size up to which a type is repeated rather than named.
	maxInline = 4
	// maxInlineDepth is how deep a type may be and still be written inside the one that uses it.
	maxInlineDepth = 12
)

// extent is how large a type is written out.
type extent struct{ size, depth int }

type settler struct {
	extents map[*Type]extent
	named   map[*Named]extent
	open    map[*Named]bool
}

func settle(root *Type, opt Options) (*Graph, error) {
	if whole := root.Ref.Type; root.size+whole.size <= opt.MaxTypes && whole.settled() {
		inPlace := *whole
		inPlace.Doc = root.Doc.over(whole.Doc)
		return &Graph{Root: &inPlace}, nil
	}
	if err := census(root, opt.MaxTypes); err != nil {
		return nil, err
	}
	breakCycles(root.Ref, map[*Named]int{})
	s := &settler{extents: map[*Type]extent{}, named: map[*Named]extent{}, open: map[*Named]bool{}}
	s.visit(root)
	tidy(root, map[*Type]bool{})
	(&tamer{ways: map[*Type]int{}, open: map[*Type]bool{}}).tame(root)
	g := &Graph{Root: root}
	g.collect(root, map[*Named]bool{}, map[*Type]bool{})
	names := namer{taken: map[string]bool{}, next: map[string]int{}}
	for _, n := range g.Named {
		n.Name = names.unique(nameOf(n.pointer, opt.Root))
	}
	return g, nil
}

// settled reports that a type stands as it is written: nothing in it has a name, and there is nothing to
// widen.
func (t *Type) settled() bool {
	if t.Kind == Reference || t.Kind == Intersection || t.Kind == except {
		return false
	}
	all := true
	t.children(func(c *Type) { all = all && c.settled() })
	return all
}

// census counts the uses of every named type as they would be written, and the types all together.
func census(root *Type, limit int) error {
	seen := map[*Named]bool{}
	total := root.size
	var walk func(t *Type)
	queue := []*Type{root}
	walk = func(t *Type) {
		if n := t.Ref; n != nil {
			if n.uses++; !seen[n] {
				seen[n] = true
				total += n.Type.size
				queue = append(queue, n.Type)
			}
		}
		t.children(walk)
	}
	for len(queue) > 0 {
		if total > limit {
			return fmt.Errorf("%w: more than %d types", ErrTooLarge, limit)
		}
		t := queue[0]
		queue = queue[1:]
		walk(t)
	}
	return nil
}

// breakCycles replaces a reference that leads back to its own type through nothing but unions,
// intersections and references: it says that the value is itself, which excludes nothing.
func breakCycles(n *Named, state map[*Named]int) {
	const open, done = 1, 2
	state[n] = open
	var heads, below func(t *Type)
	var later []*Named
	below = func(t *Type) {
		if t.Ref != nil {
			later = append(later, t.Ref)
		}
		t.children(below)
	}
	heads = func(t *Type) {
		switch t.Kind {
		case Reference:
			if state[t.Ref] == open {
				*t = Type{Kind: Unknown, Doc: t.Doc, size: 1}
			} else if state[t.Ref] == 0 {
				breakCycles(t.Ref, state)
			}
		case Union, Intersection:
			t.children(heads)
		default:
			t.children(below)
		}
	}
	heads(n.Type)
	state[n] = done
	for _, next := range later {
		if state[next] == 0 {
			breakCycles(next, state)
		}
	}
}

// visit writes out references below t that need no name, innermost first, and returns t's extent.
func (s *settler) visit(t *Type) extent {
	if e, ok := s.extents[t]; ok {
		return e
	}
	var e extent
	if t.Kind == Reference {
		e = s.visitReference(t)
	} else {
		e.size = t.size
		t.children(func(c *Type) {
			e.size -= c.size
			sub := s.visit(c)
			e.size += sub.size
			e.depth = max(e.depth, sub.depth)
		})
		e.depth++
	}
	s.extents[t] = e
	return e
}

func (s *settler) visitReference(t *Type) extent {
	n := t.Ref
	if s.open[n] {
		n.keep = true
		return extent{1, 1}
	}
	e, ok := s.named[n]
	if !ok {
		s.open[n] = true
		e = s.visit(n.Type)
		s.open[n] = false
		s.named[n] = e
	}
	root := n.pointer == "" && n.uses == 1
	if n.keep || !root && e.size > maxInline && (n.uses > 1 || e.depth > maxInlineDepth) {
		return extent{1, 1}
	}
	doc := t.Doc.over(n.Type.Doc)
	*t = *n.Type
	t.Doc = doc
	return e
}

// collect lists the named types that are left, in the order a walk meets them.
func (g *Graph) collect(t *Type, seen map[*Named]bool, walked map[*Type]bool) {
	if walked[t] {
		return
	}
	walked[t] = true
	if n := t.Ref; n != nil && !seen[n] {
		seen[n] = true
		g.Named = append(g.Named, n)
		g.collect(n.Type, seen, walked)
	}
	t.children(func(c *Type) { g.collect(c, seen, walked) })
}

// nameOf makes an identifier of the last telling part of a pointer: "/$defs/v1.Meta" is V1Meta,
// "/properties/rows/items" is RowsItem.
func nameOf(pointer, root string) string {
	tokens := strings.Split(pointer, "/")[1:]
	suffix := ""
	for len(tokens) > 0 && !isTelling(tokens) {
		tokens, suffix = tokens[:len(tokens)-1], "Item"
	}
	name := root
	if len(tokens) > 0 {
		name = contract.UnescapeToken(tokens[len(tokens)-1])
	}
	return pascal(name) + suffix
}

// isTelling reports whether the last token is a name someone chose.
func isTelling(tokens []string) bool {
	last := tokens[len(tokens)-1]
	if len(tokens) > 1 {
		if _, _, byName := contract.KeywordHolds(tokens[len(tokens)-2]); byName {
			return true
		}
	}
	_, err := strconv.Atoi(last)
	one, several, byName := contract.KeywordHolds(last)
	return err != nil && !one && !several && !byName
}

// pascal keeps ASCII letters and digits and capitalises the start of each word, at most 40 bytes.
func pascal(s string) string {
	var b strings.Builder
	upper := true
	for _, r := range s {
		isLetter, isDigit := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z', r >= '0' && r <= '9'
		if !isLetter && !isDigit {
			upper = true
			continue
		}
		if b.Len() == 0 && isDigit {
			b.WriteByte('T')
		}
		if upper && r >= 'a' && r <= 'z' {
			r -= 'a' - 'A'
		}
		upper = false
		if b.WriteRune(r); b.Len() >= 40 {
			break
		}
	}
	if b.Len() == 0 {
		return "Type"
	}
	return b.String()
}

// namer numbers names that are taken, from 2.
type namer struct {
	taken map[string]bool
	next  map[string]int
}

func (n namer) unique(name string) string {
	out := name
	for i := max(n.next[name], 2); n.taken[out]; i++ {
		out = name + strconv.Itoa(i)
		n.next[name] = i + 1
	}
	n.taken[out] = true
	return out
}
