package accuracy

// This file is the ranking that search is measured against: BM25 as a textbook has it, over one bag
// of words without stemming.

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"codemode/directory/contract"
	"codemode/directory/search"
)

type plainRanking struct {
	contracts []contract.Contract
	bags      []map[string]int
	length    []int
	average   float64
	in        map[string]int // documents that have a word
}

func newPlainRanking(contracts []contract.Contract) *plainRanking {
	p := &plainRanking{contracts: contracts, in: map[string]int{}}
	for _, c := range contracts {
		bag, length := map[string]int{}, 0
		for _, w := range plainWords(c.Key + " " + c.Description + " " + c.WhenToUse + " " + plainParams(c.Params)) {
			bag[w]++
			length++
		}
		for w := range bag {
			p.in[w]++
		}
		p.bags, p.length = append(p.bags, bag), append(p.length, length)
		p.average += float64(length) / float64(len(contracts))
	}
	return p
}

func plainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// plainParams is the names and descriptions of the parameters.
func plainParams(params json.RawMessage) string {
	var schema struct {
		Properties map[string]struct{ Description string }
	}
	if json.Unmarshal(params, &schema) != nil {
		return ""
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		b.WriteString(name + " " + schema.Properties[name].Description + " ")
	}
	return b.String()
}

func (p *plainRanking) query(words string, limit int) []search.Hit {
	const k1, b = 1.2, 0.75
	hits := []search.Hit{}
	query := plainWords(words)
	for i, bag := range p.bags {
		score := 0.0
		for _, w := range query {
			tf, n := float64(bag[w]), float64(p.in[w])
			if tf == 0 {
				continue
			}
			idf := math.Log(1 + (float64(len(p.bags))-n+0.5)/(n+0.5))
			score += idf * tf * (k1 + 1) / (tf + k1*(1-b+b*float64(p.length[i])/p.average))
		}
		if score > 0 {
			hits = append(hits, search.Hit{Contract: p.contracts[i], Score: score})
		}
	}
	slices.SortStableFunc(hits, func(a, b search.Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits[:min(limit, len(hits))]
}
