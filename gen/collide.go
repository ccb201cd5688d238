package gen

// This file tells of operations whose own name is another's too. Their hashes are stable, but nobody
// would guess them.

import (
	"fmt"
	"strings"
)

// maxNamed caps the other keys that a remark names.
const maxNamed = 3

// remarkNames reports names that Names had to tell apart, on each of the rows; of a namespace, on the
// first row of each spelling.
func (g *generator) remarkNames() {
	raw := make([]name, len(g.operations))
	sharing, spellings, seen := map[string][]int{}, map[string][]int{}, map[string]bool{}
	for i, op := range g.operations {
		raw[i] = rawName(op)
		full := fold(raw[i].namespace + "." + raw[i].method)
		sharing[full] = append(sharing[full], i)
		if ns := raw[i].namespace; !seen[ns] {
			seen[ns] = true
			spellings[fold(ns)] = append(spellings[fold(ns)], i)
		}
	}
	for i, n := range raw {
		if group := sharing[fold(n.namespace+"."+n.method)]; len(group) > 1 {
			g.remark(g.contracts[i], "name", fmt.Sprintf("its name %s.%s would be that of %s too; it is called %s", n.namespace, n.method, g.others(group, i), g.contracts[i].Name),
				"let the keys differ in more than case and separators")
		}
	}
	for _, group := range spellings {
		for _, i := range group {
			if len(group) > 1 {
				ns, _, _ := strings.Cut(g.contracts[i].Name, ".")
				g.remark(g.contracts[i], "name", fmt.Sprintf("its namespace %s differs from that of %s in case only; it is called %s", raw[i].namespace, g.others(group, i), ns),
					"spell the keys' first part alike, or let it differ in more than case")
			}
		}
	}
}

// others names the members of a group but one.
func (g *generator) others(group []int, but int) string {
	var keys []string
	for _, i := range group[:min(len(group), maxNamed+1)] {
		if i != but && len(keys) < maxNamed {
			keys = append(keys, reference(g.contracts[i]))
		}
	}
	if more := len(group) - 1 - len(keys); more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(keys, ", "), more)
	}
	return strings.Join(keys, ", ")
}
