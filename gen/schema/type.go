package schema

// This file holds the graph's nodes.

import (
	"encoding/json"
	"slices"
	"strings"

	"codemode/directory/contract"
)

// Kind says which fields of a Type count.
type Kind string

const (
	Unknown      Kind = "unknown" // any value
	Never        Kind = "never"   // no value
	Null         Kind = "null"
	Boolean      Kind = "boolean"
	Number       Kind = "number"
	Integer      Kind = "integer" // Wide
	String       Kind = "string"
	Literal      Kind = "literal"      // Value, Wide
	Array        Kind = "array"        // Elem
	Tuple        Kind = "tuple"        // Prefix, Min, Elem
	Object       Kind = "object"       // Properties, Additional, Patterns, Closed
	Union        Kind = "union"        // Members
	Intersection Kind = "intersection" // Members
	Reference    Kind = "reference"    // Ref
)

// Type is one node of a graph. Nodes may be shared: do not change them.
type Type struct {
	Kind Kind
	Doc  Doc

	// Wide marks an integer that a double cannot hold exactly: format int64 or uint64, or a bound or
	// value past 2^53.
	Wide bool
	// Value is the canonical JSON of a literal string, number or boolean.
	Value json.RawMessage
	// Elem is the type of an array's elements, and of those after a tuple's Prefix (nil for none).
	Elem *Type
	// Prefix are a tuple's positions; the first Min of them are always present.
	Prefix []*Type
	Min    int
	// Properties are sorted by name.
	Properties []Property
	// Additional is the type of keys that neither Properties nor Patterns name; nil when the schema
	// does not speak of them. Closed says that there are none.
	Additional *Type
	Patterns   []Pattern
	Closed     bool
	// Members are at least two, in the order of the schema, null last.
	Members []*Type
	Ref     *Named

	size   int      // types written out below and with this one, a reference counting one, long text more
	digest [16]byte // its sum, once summed
	summed bool
}

// Named is a type that has a name because it is recursive or shared.
type Named struct {
	// Name is an ASCII identifier in PascalCase, unique in its graph.
	Name string
	Type *Type

	pointer string
	done    bool // Type is complete
	keep    bool // settled: stays named
	uses    int
}

// Property is one named key of an object.
type Property struct {
	Name     string
	Type     *Type
	Required bool
}

// Pattern types the keys that match an ECMA-262 regular expression. Keys says the same as a text
// pattern, nil for an expression that is more than one.
type Pattern struct {
	Expr string
	Type *Type
	Keys contract.KeyPattern
}

// Doc is what a schema says beside its type.
type Doc struct {
	Title       string
	Description string
	Default     json.RawMessage
	Examples    []json.RawMessage
	Deprecated  bool
	// Constraints are the checks that the type does not express, in a fixed order.
	Constraints []Constraint
}

// Constraint is one keyword with its value as it would be read aloud: a string's own text, else
// compact JSON.
type Constraint struct {
	Keyword string // "format", "minimum", "maxLength" ...
	Value   string
}

// Checked reports whether values are held to the constraint at run time: all are but the patterns that
// no engine with linear time runs.
func (c Constraint) Checked() bool {
	if c.Keyword != "pattern" {
		return true
	}
	_, _, ok := contract.CheckedPattern(c.Value)
	return ok
}

// maxConstraints bounds what is told of one schema.
const maxConstraints = 32

// IsZero reports whether the schema said nothing beside its type.
func (d Doc) IsZero() bool {
	return d.Title == "" && d.Description == "" && d.Default == nil && len(d.Examples) == 0 && !d.Deprecated && len(d.Constraints) == 0
}

// over returns d with what it leaves unsaid taken from under.
func (d Doc) over(under Doc) Doc {
	if d.Title == "" {
		d.Title = under.Title
	}
	if d.Description == "" {
		d.Description = under.Description
	}
	if d.Default == nil {
		d.Default = under.Default
	}
	if len(d.Examples) == 0 {
		d.Examples = under.Examples
	}
	d.Deprecated = d.Deprecated || under.Deprecated
	out := d.Constraints[:len(d.Constraints):len(d.Constraints)]
	for _, c := range under.Constraints {
		said := func(s Constraint) bool { return s == c || s.Keyword == c.Keyword && c.Keyword != conditionWord }
		if !slices.ContainsFunc(d.Constraints, said) && len(out) < maxConstraints {
			out = append(out, c)
		}
	}
	d.Constraints = out
	return d
}

// Property returns the object's property by name.
func (t *Type) Property(name string) (Property, bool) {
	i, ok := slices.BinarySearchFunc(t.Properties, name, func(p Property, name string) int { return strings.Compare(p.Name, name) })
	if !ok {
		return Property{}, false
	}
	return t.Properties[i], true
}

// children calls f for each type right below t, references not followed.
func (t *Type) children(f func(*Type)) {
	for _, p := range t.Properties {
		f(p.Type)
	}
	for _, p := range t.Patterns {
		f(p.Type)
	}
	if t.Additional != nil {
		f(t.Additional)
	}
	for _, e := range t.Prefix {
		f(e)
	}
	if t.Elem != nil {
		f(t.Elem)
	}
	for _, m := range t.Members {
		f(m)
	}
}

// InOrder sorts properties as calls name them: by their place in order, then those that are required,
// then as they stand.
func InOrder(props []Property, order map[string]int) []Property {
	rank := func(p Property) int {
		if at, ok := order[p.Name]; ok {
			return at
		}
		if p.Required {
			return 0
		}
		return 1
	}
	out := slices.Clone(props)
	slices.SortStableFunc(out, func(a, b Property) int { return rank(a) - rank(b) })
	return out
}
