package search

// This file holds the inverted index: for each term the documents that have it, each with what the
// term adds to its score. A query only adds these numbers up.

import (
	"cmp"
	"math"
	"slices"
)

// model is a BM25F: of each field its weight, and how far its length is normed (0 not, 1 wholly).
type model struct {
	weight, norm [fieldCount]float64
	saturation   float64 // k1: how soon more of a term adds no more
}

// posting is a document that has a term, and what the term adds.
type posting struct {
	doc    uint32
	impact float32
}

// postings are the terms of all documents, sorted, with their postings one after another.
type postings struct {
	terms []term
	start []uint32 // of each term, and one for the end
	list  []posting
}

// of returns the postings of a term, by document.
func (p postings) of(t term) []posting {
	i, ok := slices.BinarySearch(p.terms, t)
	if !ok {
		return nil
	}
	return p.list[p.start[i]:p.start[i+1]]
}

// occurrence is how much of a term a document has, fields weighed and normed.
type occurrence struct {
	term   term
	doc    uint32
	amount float32
}

// post indexes so many groups of documents, each as one; group says which each document is in, less
// than 0 in none.
func post(docs []document, group []int, groups int, m model) postings {
	lengths := make([][fieldCount]float64, groups)
	var average [fieldCount]float64
	for i, d := range docs {
		for f, n := range d.length {
			if group[i] >= 0 {
				lengths[group[i]][f] += float64(n)
				average[f] += float64(n) / float64(groups)
			}
		}
	}
	var all, one []occurrence
	for i, d := range docs {
		if group[i] < 0 {
			continue
		}
		one = one[:0]
		for f, terms := range d.terms {
			amount := m.weight[f] / (1 - m.norm[f] + m.norm[f]*lengths[group[i]][f]/average[f])
			for _, t := range terms {
				one = append(one, occurrence{t, uint32(group[i]), float32(amount)})
			}
		}
		all = append(all, together(one)...)
	}
	return m.weigh(together(all), groups)
}

// together sorts by term and document and sums up what is of both the same.
func together(list []occurrence) []occurrence {
	slices.SortFunc(list, func(a, b occurrence) int {
		if a.term != b.term {
			return cmp.Compare(a.term, b.term)
		}
		return cmp.Compare(a.doc, b.doc)
	})
	n := 0
	for i, o := range list {
		if i > 0 && list[n-1].term == o.term && list[n-1].doc == o.doc {
			list[n-1].amount += o.amount
			continue
		}
		list[n] = o
		n++
	}
	return list[:n]
}

// weigh makes postings of sorted occurrences in so many documents.
func (m model) weigh(all []occurrence, documents int) postings {
	p := postings{list: make([]posting, 0, len(all))}
	for from := 0; from < len(all); {
		to := from
		for to < len(all) && all[to].term == all[from].term {
			to++
		}
		p.terms = append(p.terms, all[from].term)
		p.start = append(p.start, uint32(from))
		n := float64(to - from)
		rarity := math.Log(1 + (float64(documents)-n+0.5)/(n+0.5))
		for _, o := range all[from:to] {
			amount := float64(o.amount)
			p.list = append(p.list, posting{o.doc, float32(rarity * amount * (m.saturation + 1) / (amount + m.saturation))})
		}
		from = to
	}
	p.start = append(p.start, uint32(len(all)))
	return p
}
