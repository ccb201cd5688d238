package gen

// This file counts how much of a directory is typed.

import (
	"encoding/json"
	"fmt"

	"codemode/directory/contract"
)

// Summary counts what is known of the parameters and results of a set of contracts.
type Summary struct {
	Methods int `json:"methods"`
	// Open methods take arguments of any name, because nothing says which.
	Open    int   `json:"open"`
	Params  Known `json:"params"`
	Results Known `json:"results"`
}

// Known counts by how much is known. A parameter is typed when something says its type, named when
// only its name is known, untyped when not even that (arg1). A result is typed when something says
// what it or a field of it is, named when it is a shape of fields whose types nobody gives, untyped
// when nothing is known.
type Known struct {
	Typed   int `json:"typed"`
	Named   int `json:"named"`
	Untyped int `json:"untyped"`
}

// Total is the sum.
func (k Known) Total() int { return k.Typed + k.Named + k.Untyped }

func (k Known) String() string {
	return fmt.Sprintf("%d (typed %d, named %d, untyped %d)", k.Total(), k.Typed, k.Named, k.Untyped)
}

func (s Summary) String() string {
	return fmt.Sprintf("%d methods, %d of them open; parameters %s; results %s", s.Methods, s.Open, s.Params, s.Results)
}

// Summarize counts over contracts.
func Summarize(contracts []contract.Contract) Summary {
	s := Summary{Methods: len(contracts)}
	for _, c := range contracts {
		s.countParams(c)
		s.Results.count(resultKnown(c.Result))
	}
	return s
}

type degree int

const (
	untyped degree = iota
	named
	typed
)

func (k *Known) count(d degree) {
	switch d {
	case typed:
		k.Typed++
	case named:
		k.Named++
	default:
		k.Untyped++
	}
}

func (s *Summary) countParams(c contract.Contract) {
	names := contract.PropertyNames(c.Params)
	if c.Provenance["params"] == contract.FromNone && len(names) == 0 {
		s.Open++
	}
	for _, name := range names {
		s.Params.count(paramKnown(c, name))
	}
}

func paramKnown(c contract.Contract, name string) degree {
	field := "params/" + contract.EscapeToken(name)
	switch {
	case c.Provenance[field] == contract.FromNone:
		return untyped
	case c.Provenance[field+"/type"] == contract.FromNone:
		return named
	}
	return typed
}

// resultKnown looks for a type in a result's schema, below fields and items.
func resultKnown(schema json.RawMessage) degree {
	var s map[string]json.RawMessage
	if json.Unmarshal(schema, &s) != nil {
		return untyped
	}
	best := untyped
	var props map[string]json.RawMessage
	if json.Unmarshal(s["properties"], &props) == nil && len(props) > 0 {
		best = named
		for _, sub := range props {
			if resultKnown(sub) == typed {
				return typed
			}
		}
		return best
	}
	if items, ok := s["items"]; ok {
		return max(named, resultKnown(items))
	}
	for _, k := range []string{"type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf", "prefixItems"} {
		if _, ok := s[k]; ok {
			return typed
		}
	}
	return best
}
