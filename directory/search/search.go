// Package search ranks a directory's operations for a query in words.
//
//	index := search.New(contracts)
//	hits := index.Query("send an invoice", 8) // hits[0].Contract.Name == "billing.sendInvoice"
//
// Ranking is BM25 over weighted fields (Robertson and Zaragoza, The Probabilistic Relevance
// Framework, 2009) of each operation and of its namespace as a document of its own. It is lexical:
// no model, no network, the same answer every time.
package search

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"codemode/directory/contract"
)

// Field weights. A namespace counts for its operations with namespaceWeight.
const (
	nameWeight        = 4.0
	descriptionWeight = 1.0
	whenWeight        = 1.0
	paramWeight       = 0.7
	paramTextWeight   = 0.3
	resultWeight      = 0.3
	namespaceWeight   = 0.8

	k1 = 1.2  // term saturation
	b  = 0.75 // length normalisation
)

// Hit is one operation found, with its score; higher is better.
type Hit struct {
	Contract contract.Contract
	Score    float64
}

// Index is a directory ready to be searched. It is safe for concurrent use.
type Index struct {
	contracts  []contract.Contract
	methods    corpus
	namespaces corpus
	namespace  []int // of each contract, its document in namespaces
}

// document holds weighted term counts.
type document struct {
	terms  map[string]float64
	length float64
}

type corpus struct {
	documents []document
	posted    map[string][]int // term -> documents, ascending
	average   float64
}

// New indexes contracts.
func New(contracts []contract.Contract) *Index {
	x := &Index{contracts: slices.Clone(contracts)}
	slices.SortFunc(x.contracts, func(a, b contract.Contract) int { return strings.Compare(a.Name, b.Name) })
	byNamespace := map[string]int{}
	var methods, spaces []document
	for _, c := range x.contracts {
		doc := describe(c)
		methods = append(methods, doc)
		ns, _, _ := strings.Cut(c.Name, ".")
		at, ok := byNamespace[ns]
		if !ok {
			at = len(spaces)
			byNamespace[ns] = at
			spaces = append(spaces, document{terms: map[string]float64{}})
		}
		spaces[at].merge(doc)
		x.namespace = append(x.namespace, at)
	}
	x.methods, x.namespaces = newCorpus(methods), newCorpus(spaces)
	return x
}

func newCorpus(documents []document) corpus {
	c := corpus{documents: documents, posted: map[string][]int{}}
	for i, d := range documents {
		for term := range d.terms {
			c.posted[term] = append(c.posted[term], i)
		}
		c.average += d.length / float64(max(1, len(documents)))
	}
	return c
}

// Query returns the best operations for the words, best first, at most limit. A query that is a
// name, or close to one, puts that operation first.
func (x *Index) Query(query string, limit int) []Hit {
	terms := stems(query)
	direct, spaces := x.methods.score(terms), x.namespaces.score(terms)
	var hits []Hit
	for i, c := range x.contracts {
		score := direct[i] + nameScore(query, c.Name)
		if score > 0 {
			score += namespaceWeight * spaces[x.namespace[i]]
			hits = append(hits, Hit{c, score})
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits[:min(limit, len(hits))]
}

func (c corpus) score(terms []string) map[int]float64 {
	scores := map[int]float64{}
	for _, term := range terms {
		posted := c.posted[term]
		n := float64(len(posted))
		rarity := math.Log(1 + (float64(len(c.documents))-n+0.5)/(n+0.5))
		for _, i := range posted {
			d := c.documents[i]
			tf := d.terms[term]
			scores[i] += rarity * tf * (k1 + 1) / (tf + k1*(1-b+b*d.length/c.average))
		}
	}
	return scores
}

func (d *document) add(weight float64, texts ...string) {
	for _, text := range texts {
		for _, stem := range stems(text) {
			d.terms[stem] += weight
			d.length += weight
		}
	}
}

func (d *document) merge(other document) {
	for term, n := range other.terms {
		d.terms[term] += n
	}
	d.length += other.length
}
