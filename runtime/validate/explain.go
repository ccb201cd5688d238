package validate

// This file chooses which of the library's errors to tell, and where.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"codemode/directory/contract"
)

const (
	maxPlaces  = 5
	maxMessage = 1000 // bytes
)

// problem is one thing that does not fit.
type problem struct {
	at     []string // path into the value
	kind   jsonschema.ErrorKind
	schema string // location
}

// wording is how problems are told.
type wording struct {
	member string // what the members of the value itself are called; those below are fields
	end    string // between two problems
}

// explain lists the first places that do not fit.
func (s *schema) explain(failed *jsonschema.ValidationError, doc any, w wording) string {
	var lines []string
	for _, p := range problems(failed) {
		lines = append(lines, s.lines(p, doc, w.member)...)
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	var out strings.Builder
	for i, line := range lines {
		if i == maxPlaces || out.Len()+len(line) > maxMessage-40 && i > 0 {
			fmt.Fprintf(&out, "%sand %d more", w.end, len(lines)-i)
			break
		}
		if i > 0 {
			out.WriteString(w.end)
		}
		out.WriteString(clip(line, maxMessage-40))
	}
	return out.String()
}

// problems flattens the tree of errors: what merely groups is left out, and of several alternatives
// the one that came closest is told.
func problems(e *jsonschema.ValidationError) []problem {
	switch k := e.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.Reference, *kind.AllOf:
		var all []problem
		for _, cause := range e.Causes {
			all = append(all, problems(cause)...)
		}
		return all
	case *kind.AnyOf:
		return closest(e)
	case *kind.OneOf:
		if len(k.Subschemas) == 0 {
			return closest(e)
		}
	}
	return []problem{{e.InstanceLocation, e.ErrorKind, e.SchemaURL}}
}

// closest joins alternatives that want other types or values at the same place into one problem, and
// else returns those of the alternative that fits best: the right type, then the right constants,
// then the fewest problems.
func closest(e *jsonschema.ValidationError) []problem {
	var best []problem
	var alternatives [][]problem
	least := -1
	for _, cause := range e.Causes {
		found := problems(cause)
		alternatives = append(alternatives, found)
		if n := distance(found, len(e.InstanceLocation)); len(found) > 0 && (least < 0 || n < least) {
			best, least = found, n
		}
	}
	if joined, ok := join(alternatives); ok {
		return []problem{joined}
	}
	if best == nil {
		return []problem{{e.InstanceLocation, e.ErrorKind, e.SchemaURL}}
	}
	return best
}

func distance(found []problem, depth int) int {
	n := len(found)
	for _, p := range found {
		switch p.kind.(type) {
		case *kind.Type:
			if len(p.at) == depth {
				n += 1000
			}
		case *kind.Const, *kind.Enum:
			if len(p.at) == depth+1 { // the field that tells alternatives apart
				n += 100
			}
		}
	}
	return n
}

// join makes one problem of alternatives that are each a single wrong type, or a single wrong value.
func join(alternatives [][]problem) (problem, bool) {
	var types []string
	var values []any
	for _, found := range alternatives {
		if len(found) != 1 || !slices.Equal(found[0].at, alternatives[0][0].at) {
			return problem{}, false
		}
		switch k := found[0].kind.(type) {
		case *kind.Type:
			types = append(types, k.Want...)
		case *kind.Const:
			values = append(values, k.Want)
		case *kind.Enum:
			values = append(values, k.Want...)
		default:
			return problem{}, false
		}
	}
	if len(alternatives) == 0 || len(types) > 0 && len(values) > 0 {
		return problem{}, false
	}
	p := alternatives[0][0]
	p.kind = &kind.Enum{Want: values}
	if len(types) > 0 {
		slices.Sort(types)
		p.kind = &kind.Type{Want: slices.Compact(types)}
	}
	return p, true
}

// place names the value that a problem is about, as a JSON Pointer; "" is the whole.
func place(at []string) string {
	var out strings.Builder
	for _, name := range at {
		name = contract.EscapeToken(name)
		if quoted := strconv.Quote(name); quoted != `"`+name+`"` {
			name = quoted
		}
		out.WriteString("/" + clip(name, 60))
	}
	return clip(out.String(), 200)
}

// value finds what stands at a place.
func value(doc any, at []string) any {
	for _, name := range at {
		switch v := doc.(type) {
		case map[string]any:
			doc = v[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			doc = v[i]
		default:
			return nil
		}
	}
	return doc
}
