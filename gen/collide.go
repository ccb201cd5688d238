package gen

// This file tells of operations whose own name is another's too. Their hashes are stable, but nobody
// would guess them.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"codemode/directory"
	"codemode/directory/contract"
)

// maxNamed caps the other keys that a remark names.
const maxNamed = 3

// remarkNames reports names that Names had to tell apart, on each of the rows; of a namespace, on the
// first row of each spelling.
func (g *generator) remarkNames(recorded map[string]directory.RecordedName) {
	raw := make([]name, len(g.operations))
	sharing, spellings, seen := map[string][]int{}, map[string][]int{}, map[string]bool{}
	for i, op := range g.operations {
		raw[i] = rawName(op)
		full := directory.FoldCase(raw[i].namespace + "." + raw[i].method)
		sharing[full] = append(sharing[full], i)
		if ns := raw[i].namespace; !seen[ns] {
			seen[ns] = true
			spellings[directory.FoldCase(ns)] = append(spellings[directory.FoldCase(ns)], i)
		}
	}
	g.remarkRecorded(raw, recorded)
	for i, n := range raw {
		if g.contracts[i].Name == n.String() {
			continue // recorded, or alone
		}
		if group := sharing[directory.FoldCase(n.namespace+"."+n.method)]; len(group) > 1 {
			g.remark(g.contracts[i], "name", fmt.Sprintf("its name %s.%s would be that of %s too; it is called %s", n.namespace, n.method, g.others(group, i), g.contracts[i].Name),
				"let the keys differ in more than case and separators")
		}
	}
	for _, group := range spellings {
		for _, i := range group {
			if len(group) > 1 && recorded[reference(g.contracts[i])].Name == "" {
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

// remarkRecorded reports recorded names that cannot be used, and rows whose own name is recorded for
// another.
func (g *generator) remarkRecorded(raw []name, recorded map[string]directory.RecordedName) {
	owner := map[string]string{}
	for _, ref := range slices.Sorted(maps.Keys(recorded)) {
		owner[directory.FoldCase(recorded[ref].Name)] = ref
	}
	g.remarkUnusable(recorded)
	for i, n := range raw {
		c := g.contracts[i]
		own, has := recorded[reference(c)]
		if has && own.Name != c.Name {
			why := "another recorded name is the same but for case"
			if err := CheckName(own.Name); err != nil {
				why = err.Error()
			}
			g.report(c, "name", fmt.Sprintf("its recorded name %s (%s:%d) cannot be used: %s; it is called %s", own.Name, own.File, own.Line, why, c.Name), "correct the entry")
		}
		ref, taken := owner[directory.FoldCase(n.String())]
		if !taken || has || ref == reference(c) {
			continue
		}
		of := "recorded for " + ref
		if recorded[ref].Retired {
			of = "kept for " + ref + ", which is gone"
		}
		g.remark(c, "name", fmt.Sprintf("its name %s is %s; it is called %s", n, of, c.Name), "give it the name in names.json if nothing uses it as the other's")
	}
}

// remarkUnusable reports recorded names of rows that are not there, where no method can be called so: they
// keep nothing taken.
func (g *generator) remarkUnusable(recorded map[string]directory.RecordedName) {
	for _, ref := range slices.Sorted(maps.Keys(recorded)) {
		if _, here := g.names[ref]; here {
			continue
		}
		if err := CheckName(recorded[ref].Name); err != nil {
			key, operation, _ := strings.Cut(ref, "#")
			g.report(contract.Contract{Key: key, Operation: operation}, "name", fmt.Sprintf("the recorded name (%s:%d) cannot be used: %v", recorded[ref].File, recorded[ref].Line, err), "correct or remove the entry")
		}
	}
}
