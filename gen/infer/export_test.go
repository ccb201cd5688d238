package infer

import (
	"maps"
	"slices"
)

// TypeWords are the words that are understood as types.
func TypeWords() []string { return slices.Sorted(maps.Keys(typeWords)) }
