package search

// This file adds up scores and chooses hits.

import (
	"cmp"
	"math"
	"slices"
)

// The weights were tuned on the even query ids of a public set (codemode bench search), a factor at a
// time, and rounded; a change of one by a fifth moves the mean of the figures by less than a hundredth.
const (
	situationWeight = 0.65 // of the first of several sentences
	joinedWeight    = 0.4  // of two neighbouring words as one
	repeatPower     = 0.4  // a word said n times counts n to this power
	coveredWeight   = 0.7  // of a word that each hit before has, once for each
	spaceWeight     = 1.0  // of the namespace's score
	themeWeight     = 0.5  // of the category's score
	spacePower      = 0.17 // a namespace of n operations has its score divided by n to this power
	siblingShare    = 0.5  // an operation without any of the words is found in a namespace with this share of the best's score
	misspeltWeight  = 0.5  // of a word that is not in the directory and is nearly one that is

	chosen     = 20 // so many hits are chosen by what they add, the rest stand by score
	candidates = 60 // that they are chosen from
)

// methodModel is how an operation's own words count. A name says what the operation is; names and
// parameters are lists, so that each word counts by its share.
func methodModel() model {
	return model{
		weight:     [fieldCount]float64{fieldMethod: 3.5, fieldNamespace: 2, fieldDescription: 1, fieldParam: 1, fieldParamText: 0.3, fieldValue: 0.5, fieldResult: 0.4, fieldCategory: 0.1},
		norm:       [fieldCount]float64{fieldMethod: 1, fieldNamespace: 1, fieldDescription: 0.75, fieldParam: 1, fieldParamText: 1, fieldValue: 1, fieldResult: 0.75},
		saturation: 2,
	}
}

// spaceModel is how the words of a whole namespace count, with BM25's usual constants.
func spaceModel() model {
	m := model{weight: methodModel().weight, saturation: 1.2}
	for f := range m.norm {
		m.norm[f] = 0.75
	}
	return m
}

// scratch is what one query writes on; it goes back to the pool all zero.
type scratch struct {
	methods, spaces, themes []float32
	found                   []found
}

// found is a document with its score and, of that, what its namespace and category gave.
type found struct {
	doc          int
	score, space float32
}

// order puts the best first, of equals the first name.
func (f found) order(other found) int {
	return cmp.Or(cmp.Compare(other.score, f.score), cmp.Compare(f.doc, other.doc))
}

// rank returns the best documents, best first, at most limit.
func (x *Index) rank(terms []queryTerm, lift map[int]float32, limit int) []found {
	s := x.scratch.Get().(*scratch)
	defer x.scratch.Put(s)
	for _, t := range terms {
		for _, p := range x.methods.of(t.term) {
			s.methods[p.doc] += t.weight * p.impact
		}
		for _, p := range x.spaces.of(t.term) {
			s.spaces[p.doc] += t.weight * p.impact
		}
		for _, p := range x.themes.of(t.term) {
			s.themes[p.doc] += t.weight * p.impact
		}
	}
	for doc, by := range lift {
		s.methods[doc] += by
	}
	best := x.collect(s, max(limit, candidates))
	x.choose(terms, lift, best)
	return best[:min(limit, len(best))]
}

// collect gathers the n best documents and clears the scratch.
func (x *Index) collect(s *scratch, n int) []found {
	s.found = s.found[:0]
	var top float32
	for i, span := range x.spans {
		s.spaces[i] *= spaceWeight / float32(math.Pow(float64(span.to-span.from), spacePower))
		top = max(top, s.spaces[i])
	}
	worst := found{doc: math.MaxInt}
	for i, span := range x.spans {
		space, sibling := s.spaces[i], s.spaces[i] >= siblingShare*top
		s.spaces[i] = 0
		if theme := x.theme[i]; theme >= 0 && space > 0 {
			space += themeWeight * s.themes[theme]
		}
		for doc := span.from; doc < span.to; doc++ {
			own := s.methods[doc]
			s.methods[doc] = 0
			f := found{doc, own + space, space}
			if f.score <= 0 || own == 0 && !sibling || f.order(worst) >= 0 {
				continue
			}
			if s.found = append(s.found, f); len(s.found) >= 2*n { // keep the better half
				slices.SortFunc(s.found, found.order)
				s.found = s.found[:n]
				worst = s.found[n-1]
			}
		}
	}
	clear(s.themes)
	slices.SortFunc(s.found, found.order)
	return slices.Clone(s.found[:min(n, len(s.found))])
}

// choose orders the first hits anew: the next is the one that adds most, words that the hits before it
// have counting less.
func (x *Index) choose(terms []queryTerm, lift map[int]float32, best []found) {
	pool := best[:min(candidates, len(best))]
	adds := make([][]float32, len(pool)) // of each candidate, what each term adds
	for i, f := range pool {
		adds[i] = make([]float32, len(terms))
		for k, t := range terms {
			list := x.methods.of(t.term)
			if at, ok := slices.BinarySearchFunc(list, uint32(f.doc), func(p posting, doc uint32) int { return cmp.Compare(p.doc, doc) }); ok {
				adds[i][k] = t.weight * list[at].impact
			}
		}
	}
	left := make([]float32, len(terms))
	for k := range left {
		left[k] = 1
	}
	for i := range min(chosen, len(pool)) {
		next, most := i, float32(math.Inf(-1))
		for j := i; j < len(pool); j++ {
			score := pool[j].space + lift[pool[j].doc]
			for k, add := range adds[j] {
				score += left[k] * add
			}
			if score > most {
				next, most = j, score
			}
		}
		moveUp(pool, next, i)
		moveUp(adds, next, i)
		for k, add := range adds[i] {
			if add > 0 {
				left[k] *= coveredWeight
			}
		}
	}
}

// moveUp moves an item forward; those between move back by one.
func moveUp[T any](list []T, from, to int) {
	item := list[from]
	copy(list[to+1:from+1], list[to:from])
	list[to] = item
}
