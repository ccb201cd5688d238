package gen

// This file keeps names where they are: a new row may take no name that a script or a grant already
// uses for another.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"codemode/directory"
	"codemode/directory/contract"
)

// Kept is what names.json must say so that no name moves.
type Kept struct {
	// Names are all its entries.
	Names map[string]directory.RecordedName
	// Changes are the entries that are new or different, sorted by reference.
	Changes []NameChange
	// Doubtful are references of operations that had a name and are not there, where rows could not be
	// read: they may be among those. Their names are kept from others and not retired. Sorted.
	Doubtful []string
}

// NameChange is one entry that was added.
type NameChange struct {
	Reference string `json:"row"`
	// Name is what it keeps.
	Name string `json:"name"`
	// Otherwise is what the rules would call it now; "" for a retired one.
	Otherwise string `json:"otherwise,omitempty"`
	Retired   bool   `json:"retired,omitempty"`
}

// Keep compares the names that a directory had, by directory.Reference, with those it would have now.
// A name that would move is recorded, unless names.json says otherwise already: a maintainer may move
// one. The name of a row that is gone, or disabled, is retired, and is its own again when it returns.
//
// Where rows were left out because they could not be read (dir.LeftOut), nothing is retired: which rows
// are gone is not known. A name that is not there then is recorded only if another row would get it.
func Keep(dir *directory.Directory, before map[string]string) Kept {
	ops := operations(dir.Rows)
	k := keeper{ops: ops, before: usable(before), names: maps.Clone(dir.Names), refs: map[string]int{}}
	if k.names == nil {
		k.names = map[string]directory.RecordedName{}
	}
	for i, op := range ops {
		k.refs[directory.Reference(op.Key, op.Operation)] = i
	}
	k.unread = dir.LeftOut > 0
	k.retire()
	k.hold()
	return Kept{Names: k.names, Changes: k.changes(dir.Names), Doubtful: k.doubtful}
}

type keeper struct {
	ops       []Operation
	refs      map[string]int
	before    map[string]string
	names     map[string]directory.RecordedName
	otherwise map[string]string // what the rules would call what was recorded
	taken     map[string]bool   // folded names of entries
	spelling  map[string]string // of their namespaces
	raw       map[string]bool   // folded names that newcomers would have by the rules
	unread    bool              // rows could not be read
	doubtful  []string          // references that are not there, while unread
}

// free reports whether a name can be recorded: it is no other entry's, not even but for case. A
// maintainer may have given the name of one row to another.
func (k *keeper) free(name string) bool {
	ns, _, _ := strings.Cut(name, ".")
	folded, foldedNs := directory.FoldCase(name), directory.FoldCase(ns)
	if k.taken == nil {
		k.taken, k.spelling = map[string]bool{}, map[string]string{}
		for _, entry := range k.names {
			k.take(entry.Name)
		}
	}
	return !k.taken[folded] && (k.spelling[foldedNs] == "" || k.spelling[foldedNs] == ns)
}

func (k *keeper) take(name string) {
	ns, _, _ := strings.Cut(name, ".")
	k.taken[directory.FoldCase(name)], k.spelling[directory.FoldCase(ns)] = true, ns
}

// retire turns entries into retired ones and back, by whether their operation is there.
func (k *keeper) retire() {
	if k.unread {
		k.doubt()
	} else {
		k.gone()
	}
	for ref, entry := range k.names {
		if _, there := k.refs[ref]; there && entry.Retired {
			entry.Retired = false
			k.names[ref] = entry
		}
	}
}

// gone retires the names of operations that are not there any more.
func (k *keeper) gone() {
	for ref, name := range k.before {
		if _, there := k.refs[ref]; !there && k.names[ref].Name == "" {
			if !k.free(name) {
				continue
			}
			k.take(name)
			k.names[ref] = directory.RecordedName{Name: name, Retired: true}
		} else if entry := k.names[ref]; !there && entry.Name == name {
			entry.Retired = true
			k.names[ref] = entry
		}
	}
}

// doubt records the names of operations that are not there and may be, where another would get them.
func (k *keeper) doubt() {
	for _, ref := range slices.Sorted(maps.Keys(k.before)) {
		if _, there := k.refs[ref]; there || k.names[ref].Retired {
			continue
		}
		k.doubtful = append(k.doubtful, ref)
		if k.names[ref].Name == "" && k.wanted(k.before[ref]) && k.free(k.before[ref]) {
			k.take(k.before[ref])
			k.names[ref] = directory.RecordedName{Name: k.before[ref]}
		}
	}
}

// wanted reports whether the rules give a name to an operation that is there and did not have it.
func (k *keeper) wanted(name string) bool {
	if k.raw == nil {
		k.raw = map[string]bool{}
		for ref, i := range k.refs {
			if k.before[ref] == "" {
				k.raw[directory.FoldCase(rawName(k.ops[i]).String())] = true
			}
		}
	}
	return k.raw[directory.FoldCase(name)]
}

// maxHeld caps the rounds in which recording a name moves others; after them all are recorded.
const maxHeld = 8

// hold records the names that the rules would move, and then those that this moves.
func (k *keeper) hold() {
	k.otherwise = map[string]string{}
	for round := 0; ; round++ {
		held := false
		now := NamesWith(k.ops, recordedNames(k.names))
		for ref, i := range k.refs {
			name := k.before[ref]
			if name == "" || k.names[ref].Name != "" || now[i] == name && round < maxHeld || !k.free(name) {
				continue
			}
			k.take(name)
			k.names[ref], held = directory.RecordedName{Name: name}, true
			k.otherwise[ref] = now[i]
		}
		if !held {
			return
		}
	}
}

func (k *keeper) changes(had map[string]directory.RecordedName) []NameChange {
	var out []NameChange
	for _, ref := range slices.Sorted(maps.Keys(k.names)) {
		entry, old := k.names[ref], had[ref]
		if entry.Name != old.Name || entry.Retired != old.Retired {
			out = append(out, NameChange{Reference: ref, Name: entry.Name, Otherwise: k.otherwise[ref], Retired: entry.Retired})
		}
	}
	return out
}

func recordedNames(entries map[string]directory.RecordedName) map[string]string {
	out := make(map[string]string, len(entries))
	for ref, entry := range entries {
		out[ref] = entry.Name
	}
	return out
}

// operations are those that rows offer, as infer makes contracts of them.
func operations(rows []directory.Row) []Operation {
	var out []Operation
	for _, r := range rows {
		if !r.IsEnabled() {
			continue
		}
		names := slices.Sorted(maps.Keys(r.TargetMap))
		if len(names) == 0 {
			names = []string{""}
		}
		for _, name := range names {
			out = append(out, Operation{Key: r.Key, Operation: name, Category: r.Category, Type: r.Type})
		}
	}
	return out
}

// WrittenNames reads the names that Write put into a folder, by directory.Reference; none where there
// is no contracts.json. One that cannot be read is an error: which names are in use is not known then.
func WrittenNames(folder string) (map[string]string, error) {
	root, err := os.OpenRoot(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("names before: %w", err)
	}
	defer root.Close()
	data, exists, err := readFile(root, contractsFile)
	if err != nil {
		return nil, fmt.Errorf("names before: %w", err)
	}
	if !exists || len(data) == 0 {
		return nil, nil
	}
	var contracts []contract.Contract
	if err := json.Unmarshal(data, &contracts); err != nil {
		return nil, fmt.Errorf("names before: %s in %s cannot be read, and names that scripts use could move: %w; restore it, or remove it to let them", contractsFile, folder, err)
	}
	out := make(map[string]string, len(contracts))
	for _, c := range contracts {
		out[reference(c)] = c.Name
	}
	return out, nil
}

// contractsFile is the generated file that holds the contracts.
const contractsFile = "contracts.json"

// NamesFile is what names.json holds for entries: a line each, sorted; nil for none.
func NamesFile(entries map[string]directory.RecordedName) ([]byte, error) {
	if len(entries) == 0 {
		return nil, nil
	}
	var out bytes.Buffer
	for i, ref := range slices.Sorted(maps.Keys(entries)) {
		value, err := json.Marshal(entries[ref])
		if err != nil {
			return nil, fmt.Errorf("names.json: %s: %w", ref, err)
		}
		out.WriteString(map[bool]string{true: "{\n  ", false: ",\n  "}[i == 0])
		key := json.NewEncoder(&out)
		key.SetEscapeHTML(false)
		if err := key.Encode(ref); err != nil {
			return nil, fmt.Errorf("names.json: %s: %w", ref, err)
		}
		out.Truncate(out.Len() - 1) // the encoder ends a line
		out.WriteString(": ")
		out.Write(value)
	}
	out.WriteString("\n}\n")
	return out.Bytes(), nil
}
