package accuracy

// This file measures search: whether what a request needs is found, and within how many tokens.

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"codemode/bench"
	"codemode/directory"
	"codemode/directory/contract"
	"codemode/directory/search"
	"codemode/directory/tokens"
	"codemode/gen"
	"codemode/gen/ts"
)

// SearchReport is what the search bench found.
type SearchReport struct {
	Missing
	APIs    int             `json:"apis"`
	Queries int             `json:"queries"`
	Figures []SearchFigures `json:"figures"`
	Speed   []SearchSpeed   `json:"speed"`
}

// SearchFigures are shares of the queries of one half, 0 to 1; Recall5 is the mean share of what a
// query needs that stands among the first five.
type SearchFigures struct {
	Ranking string  `json:"ranking"`
	Half    string  `json:"half"`
	Queries int     `json:"queries"`
	Recall5 float64 `json:"recall_5"`
	All5    float64 `json:"all_5"`
	All10   float64 `json:"all_10"`
	// Within are all that is needed named in an answer of so many tokens; Declared, with its complete
	// declaration.
	Within1500   float64 `json:"within_1500"`
	Within3000   float64 `json:"within_3000"`
	Declared1500 float64 `json:"declared_1500"`
	Declared3000 float64 `json:"declared_3000"`
}

// SearchSpeed is how long the same queries take on so many rows.
type SearchSpeed struct {
	Rows    int     `json:"rows"`
	P50MS   float64 `json:"p50_ms"`
	P95MS   float64 `json:"p95_ms"`
	BuildMS float64 `json:"build_ms"`
	HeapMB  float64 `json:"heap_mb"`
}

// Search measures on the stabletoolbench folder of the data.
func Search(opts bench.Options) (bench.Report, error) {
	const data = "stabletoolbench"
	r := &SearchReport{Figures: []SearchFigures{}, Speed: []SearchSpeed{}}
	folder := filepath.Join(opts.Data, data)
	dir, err := apiRows(folder)
	if r.without(data, err) {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	needs, err := readNeeds(folder)
	if err != nil {
		return nil, err
	}
	out, err := gen.Generate(dir, gen.Options{})
	if err != nil {
		return nil, err
	}
	m := newSearchMeasure(out, dir)
	r.APIs, r.Queries = len(out.Contracts), len(needs)
	plain := newPlainRanking(out.Contracts)
	for _, ranking := range []ranking{{"plain BM25", plain.query}, {"codemode", m.index.Query}} {
		for _, half := range []string{"even", "odd"} {
			figures, err := m.figures(ranking, half, needs)
			if err != nil {
				return nil, err
			}
			r.Figures = append(r.Figures, figures)
		}
	}
	for _, rows := range []int{900, 9_000, 90_000} {
		r.Speed = append(r.Speed, searchSpeed(out.Contracts, dir, needs, rows))
	}
	return r, nil
}

// ranking is one way to find operations.
type ranking struct {
	name  string
	query func(words string, limit int) []search.Hit
}

type searchMeasure struct {
	index   *search.Index
	line    map[string]string // by name
	counter *tokens.Counter
}

func newSearchMeasure(out *gen.Output, dir *directory.Directory) *searchMeasure {
	m := &searchMeasure{index: search.New(out.Contracts, dir), line: map[string]string{}, counter: tokens.New()}
	for i, c := range out.Contracts {
		m.line[c.Name] = out.Index[i].String()
	}
	return m
}

// answerHits is how many hits an answer is made of: more than fit.
const answerHits = 150

func (m *searchMeasure) figures(r ranking, half string, needs []need) (SearchFigures, error) {
	f := SearchFigures{Ranking: r.name, Half: half}
	for _, n := range needs {
		if (n.ID%2 == 0) != (half == "even") {
			continue
		}
		f.Queries++
		hits := r.query(n.Query, answerHits)
		found := n.among(keysOf(hits[:min(5, len(hits))]))
		f.Recall5 += found
		f.All5 += whole(found)
		f.All10 += whole(n.among(keysOf(hits[:min(10, len(hits))])))
		for budget, sums := range map[int][2]*float64{1500: {&f.Declared1500, &f.Within1500}, 3000: {&f.Declared3000, &f.Within3000}} {
			declared, named, err := m.answer(hits, budget)
			if err != nil {
				return f, fmt.Errorf("query %d: %w", n.ID, err)
			}
			*sums[0] += whole(n.among(declared))
			*sums[1] += whole(n.among(named))
		}
	}
	for _, sum := range []*float64{&f.Recall5, &f.All5, &f.All10, &f.Within1500, &f.Within3000, &f.Declared1500, &f.Declared3000} {
		*sum /= float64(max(1, f.Queries))
	}
	return f, nil
}

// answer returns the keys that an answer declares, and those that it names at all.
func (m *searchMeasure) answer(hits []search.Hit, budget int) (declared, named map[string]bool, err error) {
	found := search.Answer(hits, search.AnswerOptions{
		Tokens: budget, Declarations: 20, Count: m.counter.Count,
		Declare: func(c contract.Contract) string {
			text, err := ts.Declaration(c)
			if err != nil {
				text = "// " + c.Name + ": " + err.Error()
			}
			return text
		},
		Line: func(c contract.Contract) string { return m.line[c.Name] },
	})
	if found.Tokens > budget {
		return nil, nil, fmt.Errorf("an answer of %d tokens for a budget of %d", found.Tokens, budget)
	}
	declared, named = map[string]bool{}, map[string]bool{}
	for _, p := range found.Parts {
		named[p.Contract.Key] = true
		if p.Declaration != "" {
			declared[p.Contract.Key] = true
		}
	}
	return declared, named, nil
}

func keysOf(hits []search.Hit) map[string]bool {
	out := map[string]bool{}
	for _, h := range hits {
		out[h.Contract.Key] = true
	}
	return out
}

// among is the share of what is needed that is there.
func (n need) among(keys map[string]bool) float64 {
	needed, found := map[string]bool{}, 0
	for _, k := range n.keys {
		if !needed[k] && keys[k] {
			found++
		}
		needed[k] = true
	}
	return float64(found) / float64(len(needed))
}

func whole(share float64) float64 {
	if share == 1 {
		return 1
	}
	return 0
}

// searchSpeed times the queries on so many rows: the APIs, again and again in namespaces of their own.
func searchSpeed(contracts []contract.Contract, dir *directory.Directory, needs []need, rows int) SearchSpeed {
	many := make([]contract.Contract, rows)
	for i := range many {
		many[i] = contracts[i%len(contracts)]
		if round := i / len(contracts); round > 0 {
			many[i].Name = fmt.Sprintf("r%d%s", round, strings.ToUpper(many[i].Name[:1])+many[i].Name[1:])
		}
	}
	before := heap()
	begun := time.Now()
	index := search.New(many, dir)
	s := SearchSpeed{Rows: rows, BuildMS: float64(time.Since(begun).Microseconds()) / 1e3}
	s.HeapMB = float64(heap()-before) / (1 << 20)
	var timer bench.Timer
	for _, n := range needs {
		timer.Time(func() { index.Query(n.Query, 8) })
	}
	runtime.KeepAlive(many)
	s.P50MS, s.P95MS = timer.Percentile(50), timer.Percentile(95)
	return s
}

// heap is what is in use once all that can be is collected: a pool gives up what it holds at the
// second collection.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Tables are the figures for a reader.
func (r *SearchReport) Tables() []bench.Table {
	found := bench.Table{
		Title:   fmt.Sprintf("Search: %d queries over %d APIs", r.Queries, r.APIs),
		Columns: []string{"ranking", "query ids", "queries", "recall@5", "all@5", "all@10", "within 1,500", "within 3,000", "declared 1,500", "declared 3,000"},
		Notes: append([]string{
			"recall@5: mean share of the operations a query needs among the first five. all@N: all of them among the first N.",
			"within N: all of them named in an answer of at most N tokens, with its declaration or its line of the index; declared: all with declarations.",
			"Weights were tuned on even query ids only. Plain BM25 is one bag of words without stemming, k1 1.2, b 0.75.",
		}, r.notes()...),
	}
	for _, f := range r.Figures {
		row := []string{f.Ranking, f.Half, fmt.Sprint(f.Queries)}
		for _, share := range []float64{f.Recall5, f.All5, f.All10, f.Within1500, f.Within3000, f.Declared1500, f.Declared3000} {
			row = append(row, fmt.Sprintf("%.3f", share))
		}
		found.Rows = append(found.Rows, row)
	}
	speed := bench.Table{
		Title:   "Search: time of a query, and of making the index",
		Columns: []string{"rows", "p50 ms", "p95 ms", "index ms", "index MB"},
		Notes:   []string{"The same queries, 50 words on average, on the same APIs repeated in further namespaces; 8 hits each."},
	}
	for _, s := range r.Speed {
		speed.Rows = append(speed.Rows, []string{fmt.Sprint(s.Rows), fmt.Sprintf("%.2f", s.P50MS), fmt.Sprintf("%.2f", s.P95MS), fmt.Sprintf("%.0f", s.BuildMS), fmt.Sprintf("%.1f", s.HeapMB)})
	}
	return []bench.Table{found, speed}
}
