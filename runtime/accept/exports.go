package accept

// This file reads the exports and imports of a package.json, in which the order of keys counts.

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"codemode/runtime"
)

type exportedKind byte

const (
	absent   exportedKind = iota
	nothing               // null: closed
	onePath               // a path
	firstOf               // a list: the first that leads somewhere
	byOption              // conditions, or points of entry
)

// exported is a value of exports or imports.
type exported struct {
	kind    exportedKind
	path    string
	options []option // the members of an object; of a list, without names
}

type option struct {
	name string
	to   exported
}

// maxExportsDepth is deeper than any package nests its conditions.
const maxExportsDepth = 16

// UnmarshalJSON keeps the members in the order in which they stand.
func (e *exported) UnmarshalJSON(raw []byte) (err error) {
	*e, err = readExported(json.NewDecoder(bytes.NewReader(raw)), maxExportsDepth)
	return err
}

func readExported(in *json.Decoder, depth int) (exported, error) {
	token, err := in.Token()
	if err != nil || depth == 0 {
		return exported{}, errors.Join(err, errors.New("exports that can't be read"))
	}
	switch t := token.(type) {
	case string:
		return exported{kind: onePath, path: t}, nil
	case json.Delim:
		return readOptions(in, t, depth)
	}
	return exported{kind: nothing}, nil
}

func readOptions(in *json.Decoder, opener json.Delim, depth int) (exported, error) {
	e := exported{kind: firstOf}
	if opener == '{' {
		e.kind = byOption
	}
	for in.More() {
		var o option
		if e.kind == byOption {
			token, err := in.Token()
			if err != nil {
				return e, err
			}
			o.name, _ = token.(string)
		}
		var err error
		if o.to, err = readExported(in, depth-1); err != nil {
			return e, err
		}
		e.options = append(e.options, o)
	}
	_, err := in.Token()
	return e, err
}

// hasPoints reports an object of points of entry, "." and "./sub", not of conditions.
func (e exported) hasPoints() bool {
	return e.kind == byOption && len(e.options) > 0 && strings.HasPrefix(e.options[0].name, ".")
}

// points names what a package can be imported as.
func (e exported) points(name string) string {
	var list []string
	for _, o := range e.options {
		if strings.HasPrefix(o.name, ".") && o.name != "./package.json" {
			list = append(list, name+strings.TrimPrefix(o.name, "."))
		}
	}
	if len(list) == 0 {
		return "import " + name + " itself"
	}
	return "it exports " + runtime.Listed(list, 10)
}

// pick returns the path for the conditions. It returns false for what leads nowhere.
func (e exported) pick(conditions []string) (string, bool) {
	to, state := e.choose(conditions)
	return to, state == onePath
}

// choose tells a closed target (nothing), after which no other is looked for, from one that does not
// apply (absent).
func (e exported) choose(conditions []string) (string, exportedKind) {
	if e.kind == onePath || e.kind == nothing {
		return e.path, e.kind
	}
	for _, o := range e.options {
		if e.kind == byOption && o.name != "default" && !slices.Contains(conditions, o.name) {
			continue
		}
		to, state := o.to.choose(conditions)
		if state == onePath || state == nothing && e.kind == byOption {
			return to, state
		}
	}
	return "", absent
}

// match finds the target of a point of entry: the same name, else the pattern with the longest head. What
// its * stands for is the second result.
func match(options []option, point string) (exported, string, bool) {
	var best option
	var star string
	longest := -1
	for _, o := range options {
		if o.name == point && !strings.Contains(point, "*") {
			return o.to, "", true
		}
		head, tail, pattern := strings.Cut(o.name, "*")
		if pattern && len(head) > longest && len(point) > len(head)+len(tail) && strings.HasPrefix(point, head) && strings.HasSuffix(point, tail) {
			best, longest, star = o, len(head), point[len(head):len(point)-len(tail)]
		}
	}
	return best.to, star, longest >= 0
}
