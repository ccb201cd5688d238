package schema

// This file keeps intersections small. A compiler multiplies out an intersection of unions, so a few
// of them side by side ask for more than it will do.

// maxWays bounds how many combinations an intersection may stand for.
const maxWays = 1000

type tamer struct {
	ways map[*Type]int
	open map[*Type]bool
}

// tame goes through the types below t and leaves out, from the end, the alternatives that would make
// an intersection stand for too many combinations. That widens it.
func (m *tamer) tame(t *Type) {
	if m.open[t] {
		return
	}
	m.open[t] = true
	t.children(m.tame)
	if t.Ref != nil {
		m.tame(t.Ref.Type)
	}
	if t.Kind != Intersection {
		return
	}
	kept, product := []*Type(nil), 1
	for _, member := range t.Members {
		if ways := m.count(member); product*ways <= maxWays {
			product *= ways
			kept = append(kept, member)
		}
	}
	switch len(kept) {
	case len(t.Members):
	case 0:
		*t = Type{Kind: Unknown, Doc: t.Doc, size: 1}
	case 1:
		doc := t.Doc.over(kept[0].Doc)
		*t = *kept[0]
		t.Doc = doc
	default:
		t.Members = kept
	}
}

// count returns the number of alternatives of a type, at most maxWays+1; at least 1.
func (m *tamer) count(t *Type) int {
	if ways, ok := m.ways[t]; ok {
		return ways
	}
	m.ways[t] = 1 // what leads back to itself, until it is known
	ways := 1
	switch t.Kind {
	case Reference:
		ways = m.count(t.Ref.Type)
	case Union:
		ways = 0
		for _, member := range t.Members {
			ways = min(ways+m.count(member), maxWays+1)
		}
	case Intersection:
		for _, member := range t.Members {
			ways = min(ways*m.count(member), maxWays+1)
		}
	}
	m.ways[t] = ways
	return ways
}
