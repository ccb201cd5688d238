package directory

// This file reads recorded names: where the rules alone would give an operation another name than it
// had, names.json keeps the one that scripts and grants use.
//
//	{"CRM_LIST": "crm.list", "SHOP#get_order": "shop.getOrder", "CRM_OLD": {"retired": "crm.old"}}
//
// A retired name belonged to a row that is gone; no other row gets it, and that row has it again
// should it return. codemode gen writes the file, and a maintainer may.

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"codemode/directory/contract"
)

// RecordedName is one entry of names.json.
type RecordedName struct {
	// Name is "namespace.method".
	Name    string
	Retired bool
	// File and Line (from 1) say where the entry stands; both are zero for one that is not written yet.
	File string
	Line int
}

// MarshalJSON writes the entry as it stands in the file.
func (n RecordedName) MarshalJSON() ([]byte, error) {
	if n.Retired {
		return json.Marshal(map[string]string{"retired": n.Name})
	}
	return json.Marshal(n.Name)
}

// UnmarshalJSON reads a name, or an object that retires one.
func (n *RecordedName) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, &n.Name) == nil && len(raw) > 0 && raw[0] == '"' {
		return nil
	}
	var fields map[string]string
	if err := json.Unmarshal(raw, &fields); err != nil || len(fields) != 1 || fields["retired"] == "" {
		return fmt.Errorf(`want "namespace.method" or {"retired": "namespace.method"}`)
	}
	n.Name, n.Retired = fields["retired"], true
	return nil
}

// maxNameBytes caps a recorded name.
const maxNameBytes = 1000

// nameShape says what is wrong with a name, "" for nothing: two identifiers with a dot between. Which
// words are reserved is the generator's to say.
func nameShape(name string) string {
	ns, method, ok := strings.Cut(name, ".")
	if !ok || len(name) > maxNameBytes {
		return "is not namespace.method"
	}
	for _, half := range []string{ns, method} {
		for i, r := range half {
			start := r == '_' || unicode.In(r, unicode.L, unicode.Nl)
			if r == utf8.RuneError || contract.Invisible(r) || !start && (i == 0 || !unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd)) {
				return fmt.Sprintf("has %q, which no identifier holds there", r)
			}
		}
		if half == "" {
			return "is not namespace.method"
		}
	}
	return ""
}

// FoldCase maps letters that differ in case only to one: two names that fold alike are one to a
// reader, and their files one to some file systems.
func FoldCase(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return strings.ToUpper(s) // the least of each orbit below, and several times as fast
	}
	return strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, strings.ToLower(s))
}

// loadNames reads the file. One that is no JSON object is an error, since without it names would move
// and scripts reach other rows; a wrong entry is a finding.
func (l *loader) loadNames(path string, d *Directory, known map[string]bool) error {
	members, err := l.sideMembers(path)
	if err != nil {
		return fmt.Errorf("recorded names %s:%w; correct it: without it names would move", filepath.ToSlash(path), err)
	}
	r := nameReader{l: l, file: filepath.ToSlash(path), names: map[string]RecordedName{}, owner: map[string]string{}, spelling: map[string]string{}}
	for _, m := range members {
		r.take(m)
	}
	d.Names = r.names
	r.absent(known, d)
	return nil
}

type nameReader struct {
	l        *loader
	file     string
	names    map[string]RecordedName
	owner    map[string]string // by folded name
	spelling map[string]string // of namespaces, by folded one
}

func (r *nameReader) take(m member) {
	entry := RecordedName{File: r.file, Line: m.line}
	if err := json.Unmarshal(m.value, &entry); err != nil {
		r.report(m, "malformed_name", err.Error(), "")
		return
	}
	if wrong := nameShape(entry.Name); wrong != "" {
		r.report(m, "malformed_name", fmt.Sprintf("%q %s", clipped(entry.Name), wrong), "write two identifiers with a dot between, or remove the entry")
		return
	}
	ns, _, _ := strings.Cut(entry.Name, ".")
	folded, foldedNs := FoldCase(entry.Name), FoldCase(ns)
	_, twice := r.names[m.name]
	switch other, taken := r.owner[folded]; {
	case twice:
		r.report(m, "duplicate_name", "the row has an entry already; the first counts", "remove one of the two")
	case taken:
		hint := "give each row a name of its own"
		if r.names[other].Retired {
			hint = fmt.Sprintf("remove the entry that retires it, at line %d, if %s is that row under another key", r.names[other].Line, clipped(m.name))
		}
		r.report(m, "duplicate_name", fmt.Sprintf("%s is the name of %s already", entry.Name, clipped(other)), hint)
	case r.spelling[foldedNs] != "" && r.spelling[foldedNs] != ns:
		r.report(m, "duplicate_name", fmt.Sprintf("namespace %s differs from %s above in case only", ns, r.spelling[foldedNs]), "spell it alike")
	default:
		r.names[m.name], r.owner[folded], r.spelling[foldedNs] = entry, m.name, ns
	}
}

func (r *nameReader) report(m member, rule, message, hint string) {
	r.l.find(Finding{File: r.file, Line: m.line, Key: clipped(m.name), Severity: SeverityError, Rule: rule, Message: message, Hint: hint})
}

// absent warns of names of rows that are not there. They stay taken all the same.
func (r *nameReader) absent(known map[string]bool, d *Directory) {
	var missing []string
	for ref, entry := range r.names {
		if !known[ref] && !entry.Retired {
			missing = append(missing, ref)
		}
	}
	slices.SortFunc(missing, func(a, b string) int { return r.names[a].Line - r.names[b].Line })
	keys := sortedKeys(known)
	for i, ref := range missing {
		hint := fmt.Sprintf(`remove the entry, or write {"retired": %q} to keep the name from other rows`, r.names[ref].Name)
		if i < maxNearHints {
			if near := nearest(ref, keys); near != "" {
				hint = fmt.Sprintf("did you mean %q? Else %s", near, hint)
			}
		}
		r.l.find(Finding{File: r.file, Line: r.names[ref].Line, Key: clipped(ref), Severity: SeverityWarning, Rule: "unknown_row",
			Message: "the directory has no such row; its name stays taken", Hint: hint})
	}
}

// maxNearHints caps the "did you mean" of side files; each costs a look at every key.
const maxNearHints = 20

func sortedKeys(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for k := range set {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// clipped bounds what a finding quotes of a side file.
func clipped(s string) string {
	if len(s) <= maxKeyBytes {
		return s
	}
	return strings.ToValidUTF8(s[:maxKeyBytes], "") + "..."
}
