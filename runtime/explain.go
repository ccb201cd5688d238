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

func (s *Service) explain(found []Diagnostic, script Script, a authority) []Diagnostic {
	out := make([]Diagnostic, 0, len(found))
	shown := map[string]bool{}
	for _, d := range found {
		d.Hint = cmp.Or(s.missingHint(d.Missing, a), s.unknownHint(d.Unknown, a), d.Hint, importHint(d, script))
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

// missingHint says what a namespace or method that does not exist might have meant.
func (s *Service) missingHint(missing string, a authority) string {
	namespace, method, qualified := strings.Cut(missing, ".")
	switch {
	case missing == "":
		return ""
	case s.exists(missing):
		return notGranted(missing, a)
	}
	if near := nearest(missing, a.names); len(near) > 0 {
		return "did you mean " + strings.Join(near, ", ") + "?"
	}
	if siblings := methodsOf(namespace, a.names); qualified && len(siblings) > 0 {
		return namespace + " has " + Listed(siblings, 20) + "; search finds others than " + method
	}
	return hintSurroundings
}

// hintSurroundings is for a name that nothing is known of.
const hintSurroundings = "a script has tools, inputs, artifacts, progress, console and the language; search finds methods"

// unknownHint says what takes the place of a bare name that nobody declares. Names that are near come from
// the checker, which knows what is in scope; a namespace is not, so none is suggested.
func (s *Service) unknownHint(name string, a authority) string {
	if name == "" {
		return ""
	}
	if hint, ok := elsewhere[name]; ok {
		return hint
	}
	if s.exists(name) {
		return notGranted(name, a)
	}
	return hintSurroundings
}

// notGranted tells a method or namespace that is left out of the grants from there being no grants.
func notGranted(name string, a authority) string {
	if !slices.ContainsFunc(a.grants, func(g boundGrant) bool { return !g.Empty() }) {
		return name + " exists, but no grant was given; --grant FILE gives one, and a run may call only what it names"
	}
	return name + " exists, but is not granted to this run"
}

// exists reports a method or a namespace of the directory, granted or not.
func (s *Service) exists(name string) bool {
	return slices.ContainsFunc(s.Surface.Contracts, func(c contract.Contract) bool {
		return c.Name == name || strings.HasPrefix(c.Name, name+".")
	})
}

// elsewhere says what takes the place of names that scripts expect from other surroundings.
var elsewhere = map[string]string{
	"fetch": HintNoNetwork, "XMLHttpRequest": HintNoNetwork, "WebSocket": HintNoNetwork, "axios": HintNoNetwork, "http": HintNoNetwork,
	"process": HintNoHost, "require": HintNoHost, "Buffer": HintNoHost, "fs": HintNoHost, "module": HintNoHost, "exports": HintNoHost, "__dirname": HintNoHost,
	"Intl":  "there are no locales; format the value in the script",
	"eval":  "no code is made from text here; write it into the script",
	"sleep": hintTimer, "delay": hintTimer, "wait": hintTimer,
}

const hintTimer = "write await new Promise((done) => setTimeout(done, 100))"

// Hints where a script reaches for what it has not, by a name or by an import.
const (
	HintNoNetwork = "there is no network; call a method of tools"
	HintNoHost    = "there are no files, processes or modules; read inputs and write artifacts"
)

// importHint is for an import that leads nowhere: TS2307 is the compiler's code for it, CM101 that of what
// accepts scripts.
func importHint(d Diagnostic, script Script) string {
	switch {
	case d.Code != "TS2307" && d.Code != "CM101":
		return ""
	case len(script.Files) == 1 && strings.Contains(d.Message, "'."):
		return "a script of several files is given as a folder with a main.ts"
	}
	return "a script imports its own files only, by relative path; tools and the other helpers are there without an import"
}

func methodsOf(namespace string, names []string) []string {
	var out []string
	for _, n := range names {
		if method, ok := strings.CutPrefix(n, namespace+"."); ok {
			out = append(out, method)
		}
	}
	return out
}

// Listed writes the first names of a list, for a hint.
func Listed(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + ", ..."
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
	return strings.ToValidUTF8(text[:cut], "") + "\n// cut here; ask for the declaration by name to see it whole\n"
}
