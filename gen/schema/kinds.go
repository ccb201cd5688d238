package schema

// This file holds sets of kinds, and the types that are nothing but a kind.

import (
	"maps"
	"slices"
)

// kinds is a set of JSON types; the empty one means that none was named.
type kinds uint16

var allKinds = []Kind{String, Number, Integer, Boolean, Array, Object, Null}

// everyKind are the seven that a schema may name.
const everyKind kinds = 1<<7 - 1

// bit is the set of one kind. What is no JSON type has a bit beyond those of everyKind.
func (k Kind) bit() kinds {
	switch k {
	case String:
		return 1 << 0
	case Number:
		return 1 << 1
	case Integer:
		return 1 << 2
	case Boolean:
		return 1 << 3
	case Array:
		return 1 << 4
	case Object:
		return 1 << 5
	case Null:
		return 1 << 6
	case Unknown:
		return 1 << 7
	case except:
		return 1 << 8
	}
	return 1 << 9
}

func (set kinds) has(k Kind) bool { return set&k.bit() != 0 }

// all reports whether the set has every JSON type.
func (set kinds) all() bool { return set&everyKind == everyKind }

// leaves are the types that are nothing but a kind. All graphs share them, so they have their sums from
// the start.
var leaves = func() map[Kind]*Type {
	out := map[Kind]*Type{}
	for _, k := range append([]Kind{Unknown, Never}, allKinds...) {
		t := &Type{Kind: k, size: 1}
		t.sum()
		out[k] = t
	}
	return out
}()

// leaf is the type that is nothing but a kind.
func (p *parser) leaf(k Kind) *Type {
	p.work++
	return leaves[k]
}

// sortedKeys are the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string {
	if len(m) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(m))
}
