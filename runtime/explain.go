package runtime

// This file adds to a checker's diagnostics what only the directory knows: the declaration of the
// method misused, names that are near, and whether a name exists but is not granted.

import (
	"cmp"
	"slices"
	"strings"

	"codemode/directory/contract"
)

// maxDeclarationBytes bounds a declaration within a diagnostic.
const maxDeclarationBytes = 4 << 10

func (s *Service) explain(found []Diagnostic, a authority) []Diagnostic {
	out := make([]Diagnostic, 0, len(found))
	shown := map[string]bool{}
	for _, d := range found {
		d.Hint = cmp.Or(s.missingHint(d.Missing, a), d.Hint)
		method := d.Method
		if near := nearest(d.Missing, a.names); len(near) > 0 && d.Missing != "" {
			method = near[0]
		}
		if c, ok := a.methods[method]; ok && !shown[method] {
			d.Declaration = clip(s.Surface.Declare(c), maxDeclarationBytes)
			shown[method] = true // once is enough: the rest of the answer stays short
		}
		out = append(out, d)
	}
	return out
}

// missingHint says what a name that does not exist might have meant.
func (s *Service) missingHint(missing string, a authority) string {
	if missing == "" {
		return ""
	}
	for _, c := range s.Surface.Contracts {
		namespace, _, _ := strings.Cut(c.Name, ".")
		if c.Name == missing || namespace == missing {
			return missing + " exists, but is not granted to this run"
		}
	}
	near := nearest(missing, a.names)
	if len(near) == 0 {
		return "search for it with codemode search"
	}
	return "did you mean " + strings.Join(near, ", ") + "?"
}

// nearest returns up to three names that are close to the one asked for, closest first.
func nearest(asked string, names []string) []string {
	if asked == "" {
		return nil
	}
	if !strings.Contains(asked, ".") {
		names = namespaces(names)
	}
	type scored struct {
		name     string
		distance int
	}
	var close []scored
	for _, name := range names {
		if d := editDistance(strings.ToLower(asked), strings.ToLower(name)); d <= 1+len(asked)/4 {
			close = append(close, scored{name, d})
		}
	}
	slices.SortStableFunc(close, func(a, b scored) int { return a.distance - b.distance })
	out := []string{}
	for _, c := range close[:min(3, len(close))] {
		out = append(out, c.name)
	}
	return out
}

func namespaces(names []string) []string {
	var out []string
	for _, n := range names {
		namespace, _, _ := strings.Cut(n, ".")
		out = append(out, namespace)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// editDistance counts insertions, deletions, substitutions and swaps of neighbours (the restricted
// Damerau-Levenshtein distance), over bytes.
func editDistance(a, b string) int {
	if len(a) > 100 || len(b) > 100 {
		return max(len(a), len(b))
	}
	before, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, prev, row = prev, row, before
	}
	return prev[len(b)]
}

// clip cuts a text at a line and says so.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	cut := strings.LastIndexByte(text[:limit], '\n')
	if cut < 0 {
		cut = limit
	}
	return strings.ToValidUTF8(text[:cut], "") + "\n// cut here; codemode declare shows it whole\n"
}

// ContractNamed returns the contract with the name.
func (s Surface) ContractNamed(name string) (contract.Contract, bool) {
	i, ok := slices.BinarySearchFunc(s.Contracts, name, func(c contract.Contract, n string) int { return strings.Compare(c.Name, n) })
	if !ok {
		return contract.Contract{}, false
	}
	return s.Contracts[i], true
}
