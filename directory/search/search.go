// Package search finds the operations of a directory for a query in words, and says what it found
// within a budget of tokens.
//
//	index := search.New(contracts, dir)
//	hits := index.Query("send an invoice", 8) // hits[0].Contract.Name == "billing.sendInvoice"
//	answer := search.Answer(hits, search.AnswerOptions{Tokens: 1500, ...})
//
// A hit's score is the sum of
//
//   - BM25F of the operation: its words, each field with a weight and a length norm of its own
//     (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009);
//   - the same for its namespace as one document, smaller namespaces a little ahead: what a query asks
//     of one operation is often said of its neighbours;
//   - the same for its category, as half as much;
//   - a lift for an operation that the query names, by name, by key, or by a slip of the keyboard.
//
// Two neighbouring words also count as one joined word, which keeps phrases together and meets
// "postcode" for "post code". Then the hits are chosen one by one, and words that a chosen one has
// count less for the next: a request with several needs is answered in all of them.
//
// It is lexical: no model, no network, the same answer every time. It does not know synonyms, and
// words of a language other than English are compared as they stand.
package search

import (
	"slices"
	"strings"
	"sync"

	"codemode/directory"
	"codemode/directory/contract"
)

// Hit is an operation found, or a page of documentation, with its score; higher is better.
type Hit struct {
	// Contract is the operation; the zero Contract where Page is set.
	Contract contract.Contract
	// Page is an entry that only documents; nil for an operation.
	Page  *directory.Row
	Score float64
}

// Name is the operation's name, or the page's key.
func (h Hit) Name() string {
	if h.Page != nil {
		return h.Page.Key
	}
	return h.Contract.Name
}

// Index is a directory ready to be searched. It is safe for concurrent use.
type Index struct {
	contracts []contract.Contract // sorted by name, so that a namespace stands together
	pages     []directory.Row
	words     *analyzer
	methods   postings // a document for each contract, then for each page
	spaces    postings // a document for each namespace, then for each page
	themes    postings // a document for each category
	spans     []span   // of each namespace, its documents in methods
	theme     []int    // of each namespace, its category, or -1
	names     names
	scratch   sync.Pool
}

// span is a range of documents.
type span struct{ from, to int }

// New indexes contracts. Of dir it takes the rows' categories and the pages; nil has none.
func New(contracts []contract.Contract, dir *directory.Directory) *Index {
	x := &Index{contracts: slices.Clone(contracts), words: newAnalyzer()}
	slices.SortFunc(x.contracts, func(a, b contract.Contract) int { return strings.Compare(a.Name, b.Name) })
	category := map[string]string{}
	if dir != nil {
		x.pages = dir.Pages
		for _, row := range dir.Rows {
			category[row.Key] = row.Category
		}
	}
	b := builder{x: x, memo: map[string]string{}, themes: map[string]int{}}
	for i, c := range x.contracts {
		doc := x.words.operation(c, category[c.Key], b.memo)
		b.add(doc, category[c.Key], i > 0 && namespace(c) == namespace(x.contracts[i-1]))
	}
	for _, p := range x.pages {
		b.add(x.words.page(p, b.memo), p.Category, false)
	}
	b.post()
	x.words.learn(b.memo, x.methods)
	x.names = newNames(x.contracts)
	x.scratch.New = func() any {
		return &scratch{methods: make([]float32, len(b.docs)), spaces: make([]float32, len(x.spans)), themes: make([]float32, len(b.themes))}
	}
	return x
}

// builder gathers the documents of an index.
type builder struct {
	x      *Index
	docs   []document
	memo   map[string]string // stems of words
	alone  []int             // of each document its number, its namespace, its category
	space  []int
	group  []int
	themes map[string]int
}

// add takes a document; one that is not in the same namespace as the one before begins another, whose
// category is the document's.
func (b *builder) add(d document, category string, same bool) {
	x, n := b.x, len(b.docs)
	if !same {
		theme := -1
		if category != "" {
			if _, ok := b.themes[category]; !ok {
				b.themes[category] = len(b.themes)
			}
			theme = b.themes[category]
		}
		x.spans, x.theme = append(x.spans, span{n, n}), append(x.theme, theme)
	}
	at := len(x.spans) - 1
	x.spans[at].to++
	b.docs = append(b.docs, d)
	b.alone, b.space, b.group = append(b.alone, n), append(b.space, at), append(b.group, x.theme[at])
}

func (b *builder) post() {
	b.x.methods = post(b.docs, b.alone, len(b.docs), methodModel())
	b.x.spaces = post(b.docs, b.space, len(b.x.spans), spaceModel())
	b.x.themes = post(b.docs, b.group, len(b.themes), spaceModel())
}

func namespace(c contract.Contract) string {
	ns, _, _ := strings.Cut(c.Name, ".")
	return ns
}

// Query returns what the words find, best first, at most limit. Of a long query the first 4 KiB are
// read.
func (x *Index) Query(query string, limit int) []Hit {
	query = clip(query, maxQueryBytes)
	found := x.rank(x.terms(query), x.names.lift(query), limit)
	hits := make([]Hit, 0, len(found))
	for _, f := range found {
		h := Hit{Score: float64(f.score)}
		if f.doc < len(x.contracts) {
			h.Contract = x.contracts[f.doc]
		} else {
			h.Page = &x.pages[f.doc-len(x.contracts)]
		}
		hits = append(hits, h)
	}
	return hits
}
