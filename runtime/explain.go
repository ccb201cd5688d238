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
