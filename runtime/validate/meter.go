package validate

// This file charges for work before it is done. The library has no limit of its own; but it asks a
// schema's format first of all that could cost more than a moment, and so every compiled schema gets
// a format that charges for the visit and for the visits it leads to, then asks the real one.

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A unit is about 0.1 microseconds, or 0.3 where every step ends in an error. A value of ten bytes
// buys 80, and needs about ten.
const (
	startUnits   = 200_000
	unitsPerByte = 8
	visitUnits   = 4
)

type meter struct{ left int }

// overspent is what spend panics with; check recovers it.
type overspent struct{}

func (m *meter) fill(valueBytes int) { m.left = startUnits + unitsPerByte*valueBytes }

// unlimited is for compiling, whose cost is bounded by the caps on a schema.
func (m *meter) unlimited() { m.left = math.MaxInt }

func (m *meter) spend(units int) {
	if m.left -= units; m.left < 0 {
		panic(overspent{})
	}
}

// schemas are the subschemas of one, by what they apply to.
type schemas struct {
	inPlace []*jsonschema.Schema // the same value, or each at most once
	items   []*jsonschema.Schema // every item of an array
	fields  []*jsonschema.Schema // every field of an object
	named   map[string]*jsonschema.Schema
}

func (e schemas) all() []*jsonschema.Schema {
	return slices.Concat(e.inPlace, e.items, e.fields, slices.Collect(maps.Values(e.named)))
}

func edges(s *jsonschema.Schema) schemas {
	e := schemas{named: s.Properties}
	e.inPlace = some(e.inPlace, s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else)
	e.inPlace = some(e.inPlace, slices.Concat(s.AllOf, s.AnyOf, s.OneOf)...)
	e.inPlace = some(e.inPlace, slices.Collect(maps.Values(s.DependentSchemas))...)
	for _, dep := range s.Dependencies {
		e.inPlace = some(e.inPlace, either(dep)...)
	}
	e.items = some(e.items, s.Items2020, s.Contains, s.UnevaluatedItems)
	e.items = some(e.items, slices.Concat(s.PrefixItems, either(s.Items), either(s.AdditionalItems))...)
	e.fields = some(e.fields, s.PropertyNames, s.UnevaluatedProperties)
	e.fields = some(e.fields, either(s.AdditionalProperties)...)
	e.fields = some(e.fields, slices.Collect(maps.Values(s.PatternProperties))...)
	return e
}

func some(to []*jsonschema.Schema, from ...*jsonschema.Schema) []*jsonschema.Schema {
	for _, s := range from {
		if s != nil {
			to = append(to, s)
		}
	}
	return to
}

// either reads the fields that hold one schema or several.
func either(v any) []*jsonschema.Schema {
	switch v := v.(type) {
	case *jsonschema.Schema:
		return []*jsonschema.Schema{v}
	case []*jsonschema.Schema:
		return v
	}
	return nil
}

// watch puts the schema under the meter. Uniqueness is checked here too, because the library compares
// every pair where items hash alike, and hostile items can be made to.
func (m *meter) watch(s *jsonschema.Schema) {
	e := edges(s)
	visit := visitUnits + len(s.Required) + sum(e.inPlace)
	perItem, perField := 1+sum(e.items), 1+sum(e.fields)
	named := make(map[string]int, len(e.named))
	for name, sub := range e.named {
		named[name] = ownCost(sub)
	}
	unique := s.UniqueItems
	s.UniqueItems = false
	before := s.Format
	s.Format = &jsonschema.Format{Name: formatName(before), Validate: func(v any) error {
		m.spend(visit)
		switch v := v.(type) {
		case string:
			m.spend(len(v) / 32)
		case []any:
			m.spend(len(v) * perItem)
			if unique {
				if err := m.unique(v); err != nil {
					return err
				}
			}
		case map[string]any:
			m.spend(len(v) * perField)
			for name := range v {
				m.spend(named[name])
			}
		}
		if before == nil {
			return nil
		}
		if err := stricter(before.Name, v); err != nil {
			return err
		}
		return before.Validate(v)
	}}
}

func formatName(f *jsonschema.Format) string {
	if f == nil {
		return ""
	}
	return f.Name
}

func sum(list []*jsonschema.Schema) int {
	n := 0
	for _, s := range list {
		n += ownCost(s)
	}
	return n
}

// ownCost is what a visit costs before the schema's format is asked: comparing with const and enum.
func ownCost(s *jsonschema.Schema) int {
	n := visitUnits
	if s.Const != nil {
		n += compareCost(*s.Const)
	}
	if s.Enum != nil {
		n += compareCost(s.Enum.Values)
	}
	return n
}

// compareCost weighs a value: numbers are compared as fractions, and take longest.
func compareCost(v any) int {
	sixteenths := 0
	var weigh func(any)
	weigh = func(v any) {
		switch v := v.(type) {
		case json.Number:
			sixteenths += 48
		case []any:
			for _, item := range v {
				weigh(item)
			}
		case map[string]any:
			for _, item := range v {
				weigh(item)
			}
		}
		sixteenths++
	}
	weigh(v)
	return 1 + sixteenths/16
}

// notUnique names the items of an array that are equal.
type notUnique struct{ first, second int }

func (e *notUnique) Error() string {
	return fmt.Sprintf("items %d and %d are equal, want each once", e.first, e.second)
}

func (m *meter) unique(items []any) error {
	seen := make(map[string]int, len(items))
	for i, item := range items {
		var key strings.Builder
		if err := m.identity(&key, item); err != nil {
			return err
		}
		if first, ok := seen[key.String()]; ok {
			return &notUnique{first, i}
		}
		seen[key.String()] = i
	}
	return nil
}

// identity writes what equal values have in common and others have not: sorted fields, strings with
// their length, numbers as reduced fractions.
func (m *meter) identity(out *strings.Builder, v any) error {
	m.spend(1)
	switch v := v.(type) {
	case nil, bool:
		fmt.Fprintf(out, "%v;", v)
	case string:
		m.spend(len(v) / 32)
		fmt.Fprintf(out, "s%d:%s", len(v), v)
	case json.Number:
		r, ok := rational(v)
		if !ok {
			return errors.New("a number does not read")
		}
		m.spend(3)
		fmt.Fprintf(out, "n%s;", r)
	case []any:
		fmt.Fprintf(out, "a%d:", len(v))
		for _, item := range v {
			if err := m.identity(out, item); err != nil {
				return err
			}
		}
	case map[string]any:
		fmt.Fprintf(out, "o%d:", len(v))
		for _, name := range slices.Sorted(maps.Keys(v)) {
			fmt.Fprintf(out, "s%d:%s", len(name), name)
			if err := m.identity(out, v[name]); err != nil {
				return err
			}
		}
	}
	return nil
}
