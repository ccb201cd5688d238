package accuracy

// This file measures contracts inferred from rows against gold contracts.

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"codemode/bench"
	"codemode/directory"
	"codemode/directory/contract"
	"codemode/gen"
)

// InferenceReport says how right inferred contracts are.
type InferenceReport struct {
	Missing
	Operations int `json:"operations"` // in the example directory
	// Scores by half ("tune", "held", "all"), and by half and style.
	Scores map[string]*Score            `json:"scores"`
	Styles map[string]map[string]*Score `json:"styles"`
	// Shortfalls counts the rows with at least one fault, by half and by style or defect.
	Shortfalls map[string]map[string]int `json:"shortfalls"`
	// Faults are those of the half that may be tuned on.
	Faults []Fault `json:"faults"`
	// Documents are the same on function documents with their schemas withheld, by what was left.
	Documents map[string]*Score `json:"documents,omitempty"`
}

// Score counts.
type Score struct {
	Rows        int `json:"rows"`
	Clean       int `json:"clean"`       // rows with no fault
	GoldNames   int `json:"gold_names"`  // parameters that there are
	Names       int `json:"names"`       // parameters inferred
	RightNames  int `json:"right_names"` // in both
	Misnamed    int `json:"misnamed"`    // inferred under another name
	Unnamed     int `json:"unnamed"`     // left as arg1 ... argN, marked none: no name is claimed
	Invented    int `json:"invented"`    // inferred beyond those that there are
	Types       int `json:"types"`       // types stated, of parameters in both
	RightTypes  int `json:"right_types"` // inferred as stated
	WrongTypes  int `json:"wrong_types"` // inferred as another; the rest are unknown
	ExtraTypes  int `json:"extra_types"` // inferred where none is stated, string apart
	Required    int `json:"required"`    // of parameters in both, rightly required or optional
	Defaults    int `json:"defaults"`    // stated
	RightDefs   int `json:"right_defaults"`
	Results     int `json:"results"` // stated
	RightResult int `json:"right_results"`
	WrongResult int `json:"wrong_results"` // typed otherwise, or typed where nothing is stated
	Effects     int `json:"effects"`       // right
}

// Fault is one difference from the gold.
type Fault struct {
	Call  string `json:"call"`
	Style string `json:"style"`
	Field string `json:"field"` // "params/limit/type", "result", "effect"
	Want  string `json:"want"`
	Got   string `json:"got"`
}

// Inference compares the contracts of the example directory with the gold, and where the public
// function documents are present, those inferred from their words alone with their schemas.
func Inference(opts bench.Options) (bench.Report, error) {
	all, err := readGold(filepath.Join(opts.Fixtures, "gold"))
	if err != nil {
		return nil, err
	}
	dir, err := directory.Load(filepath.Join(opts.Fixtures, "directory"), directory.LoadOptions{})
	if err != nil {
		return nil, err
	}
	out, err := gen.Generate(dir, gen.Options{})
	if err != nil {
		return nil, err
	}
	report := &InferenceReport{
		Operations: len(out.Contracts), Scores: map[string]*Score{"tune": {}, "held": {}, "all": {}},
		Styles: map[string]map[string]*Score{}, Shortfalls: map[string]map[string]int{"tune": {}, "held": {}}, Faults: []Fault{},
	}
	inferred := byCall(out.Contracts)
	for _, g := range all {
		c, ok := inferred[g.Call]
		if !ok {
			return nil, fmt.Errorf("gold of %s: no such operation in the directory", g.Call)
		}
		report.add(g, c)
	}
	report.Documents, err = documents(filepath.Join(opts.Data, filepath.FromSlash(functionDocuments)))
	if report.without(functionDocuments, err) {
		err = nil
	}
	return report, err
}

func byCall(contracts []contract.Contract) map[string]contract.Contract {
	out := map[string]contract.Contract{}
	for _, c := range contracts {
		call := c.Key
		if c.Operation != "" {
			call += "/" + c.Operation
		}
		out[call] = c
	}
	return out
}

func (r *InferenceReport) add(g gold, c contract.Contract) {
	score, faults := judge(g, c)
	if r.Styles[g.half] == nil {
		r.Styles[g.half] = map[string]*Score{}
	}
	if r.Styles[g.half][g.Style] == nil {
		r.Styles[g.half][g.Style] = &Score{}
	}
	for _, sum := range []*Score{r.Scores[g.half], r.Scores["all"], r.Styles[g.half][g.Style]} {
		sum.add(score)
	}
	if len(faults) == 0 {
		return
	}
	for _, kind := range g.kinds() {
		r.Shortfalls[g.half][kind]++
	}
	if g.half == "tune" {
		r.Faults = append(r.Faults, faults...)
	}
}

func (s *Score) add(o Score) {
	for _, p := range []struct{ into, from *int }{
		{&s.Rows, &o.Rows}, {&s.Clean, &o.Clean}, {&s.GoldNames, &o.GoldNames}, {&s.Names, &o.Names}, {&s.RightNames, &o.RightNames},
		{&s.Misnamed, &o.Misnamed}, {&s.Unnamed, &o.Unnamed}, {&s.Invented, &o.Invented}, {&s.Types, &o.Types}, {&s.RightTypes, &o.RightTypes},
		{&s.WrongTypes, &o.WrongTypes}, {&s.ExtraTypes, &o.ExtraTypes}, {&s.Required, &o.Required}, {&s.Defaults, &o.Defaults},
		{&s.RightDefs, &o.RightDefs}, {&s.Results, &o.Results}, {&s.RightResult, &o.RightResult}, {&s.WrongResult, &o.WrongResult}, {&s.Effects, &o.Effects},
	} {
		*p.into += *p.from
	}
}

// judge compares one contract with its gold.
func judge(g gold, c contract.Contract) (Score, []Fault) {
	j := judgement{gold: g, score: Score{Rows: 1}}
	var want, got object
	j.unreadable("params", json.Unmarshal(g.Params, &want))
	j.unreadable("params", json.Unmarshal(c.Params, &got))
	j.siblings(&want, got, c)
	j.names(want, got, c)
	for _, name := range slices.Sorted(maps.Keys(want.Properties)) {
		if schema, ok := got.Properties[name]; ok {
			j.param(name, want.Properties[name], schema, slices.Contains(want.Required, name), slices.Contains(got.Required, name))
		}
	}
	if !j.ofSteps(c) {
		j.result(saidText(g.Result), saidText(c.Result))
	}
	if j.same("effect", string(g.Effect), string(c.Effect)) {
		j.score.Effects++
	}
	if len(j.faults) == 0 {
		j.score.Clean++
	}
	return j.score, j.faults
}

// siblings takes "order_id" for the gold's "order" in an operation of a target_map where it is one and
// the same place: the row's own operation is silent, so the gold has the segment of the URL, and the
// contract has the name that another operation documents for the same URL up to that place. Nothing
// but the ending "_id" may differ.
func (j *judgement) siblings(want *object, got object, c contract.Contract) {
	if c.Operation == "" {
		return
	}
	for name, schema := range want.Properties {
		longer := name + "_id"
		_, same := got.Properties[name]
		_, both := want.Properties[longer]
		if _, there := got.Properties[longer]; !there || same || both || c.Provenance["params/"+longer] != contract.FromTemplate {
			continue
		}
		delete(want.Properties, name)
		want.Properties[longer] = schema
		if at := slices.Index(want.Required, name); at >= 0 {
			want.Required[at] = longer
		}
	}
}

// ofSteps reports whether the result is not the row's to state: a flow without one takes what its last
// step returns, and the gold is written from the row alone.
func (j *judgement) ofSteps(c contract.Contract) bool {
	return len(j.gold.Result) == 0 && c.Provenance["result"] == contract.FromTemplate
}

type judgement struct {
	gold   gold
	score  Score
	faults []Fault
}

func (j *judgement) same(field, want, got string) bool {
	if want != got {
		j.faults = append(j.faults, Fault{j.gold.Call, j.gold.Style, field, want, got})
	}
	return want == got
}

func (j *judgement) unreadable(field string, err error) {
	if err != nil {
		j.same(field, "an object schema", err.Error())
	}
}

// names counts a parameter that is there under another name as misnamed, one that inference marks as
// having no name as unnamed, and one beyond those that there are as invented.
func (j *judgement) names(want, got object, c contract.Contract) {
	j.score.GoldNames, j.score.Names = len(want.Properties), len(got.Properties)
	var missing, extra []string
	for _, name := range slices.Sorted(maps.Keys(want.Properties)) {
		if _, ok := got.Properties[name]; ok {
			j.score.RightNames++
		} else {
			missing = append(missing, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got.Properties)) {
		if _, ok := want.Properties[name]; !ok {
			extra = append(extra, name)
		}
	}
	other := min(len(missing), len(extra))
	j.score.Invented = len(extra) - other
	for _, name := range extra {
		if c.Provenance["params/"+name] == contract.FromNone && j.score.Unnamed < other {
			j.score.Unnamed++
		}
	}
	j.score.Misnamed = other - j.score.Unnamed
	j.same("params", strings.Join(missing, " "), strings.Join(extra, " "))
}

// unstated is the type that a template says by itself: text.
const unstated = `{"type":"string"}`

func (j *judgement) param(name string, want, got json.RawMessage, wantRequired, gotRequired bool) {
	stated, inferred := saidText(want), saidText(got)
	switch {
	case stated == "":
		if inferred != "" && inferred != unstated {
			j.score.ExtraTypes++
			j.same("params/"+name+"/type", stated, inferred)
		}
	default:
		j.score.Types++
		if j.same("params/"+name+"/type", stated, inferred) {
			j.score.RightTypes++
		} else if inferred != "" {
			j.score.WrongTypes++
		}
	}
	if j.same("params/"+name+"/required", fmt.Sprint(wantRequired), fmt.Sprint(gotRequired)) {
		j.score.Required++
	}
	if value := defaultOf(want); value != "" {
		j.score.Defaults++
		if j.same("params/"+name+"/default", value, defaultOf(got)) {
			j.score.RightDefs++
		}
	}
}

func defaultOf(schema json.RawMessage) string {
	var s struct {
		Default json.RawMessage `json:"default"`
	}
	if json.Unmarshal(schema, &s) != nil || len(s.Default) == 0 {
		return ""
	}
	canonical, err := contract.Canonical(s.Default)
	if err != nil {
		return ""
	}
	return string(canonical)
}

func (j *judgement) result(stated, inferred string) {
	if stated != "" {
		j.score.Results++
	}
	switch right := j.same("result", stated, inferred); {
	case right && stated != "":
		j.score.RightResult++
	case !right && inferred != "":
		j.score.WrongResult++
	}
}

// Tables implements bench.Report.
func (r *InferenceReport) Tables() []bench.Table {
	columns := []string{"", "rows", "no fault", "name precision", "name recall", "unnamed", "invented", "type right", "type wrong", "extra types", "required", "default", "result right", "result wrong", "effect"}
	main := bench.Table{
		Title: fmt.Sprintf("contracts inferred from rows, against gold (%d operations in the directory)", r.Operations), Columns: columns,
		Notes: []string{"tune: the half that inference may be tuned on; held: its rows were never opened while tuning, only these counts", "unnamed: left as arg1 ... argN, marked none, where a reader finds a name; precision is of the names that are claimed, recall of all", "types, defaults and results are judged where the row states them", "extra types: where the row states none, other than the template's own (string)",
			"a path argument of a target_map may be called NAME or, after another operation's documentation of the same place, NAME_id", "a flow's result is judged where the row states one"},
	}
	for _, half := range append(halves, "all") {
		main.Rows = append(main.Rows, r.Scores[half].row(half))
	}
	tables := []bench.Table{main}
	for _, half := range halves {
		t := bench.Table{Title: half + ", by style", Columns: columns}
		for _, style := range slices.Sorted(maps.Keys(r.Styles[half])) {
			t.Rows = append(t.Rows, r.Styles[half][style].row(style))
		}
		short := bench.Table{Title: half + ": rows with a fault, by kind", Columns: []string{"", "rows"}}
		for _, kind := range slices.Sorted(maps.Keys(r.Shortfalls[half])) {
			short.Rows = append(short.Rows, []string{kind, fmt.Sprint(r.Shortfalls[half][kind])})
		}
		tables = append(tables, t, short)
	}
	if r.Documents != nil {
		t := bench.Table{Title: "function documents with their schemas withheld, by what is left", Columns: columns}
		for _, left := range slices.Sorted(maps.Keys(r.Documents)) {
			t.Rows = append(t.Rows, r.Documents[left].row(left))
		}
		tables = append(tables, t)
	}
	if notes := r.notes(); notes != nil {
		tables = append(tables, bench.Table{Title: "function documents with their schemas withheld", Notes: notes})
	}
	return tables
}

func (s *Score) row(name string) []string {
	return []string{
		name, fmt.Sprint(s.Rows), ratio(s.Clean, s.Rows), ratio(s.RightNames, s.Names-s.Unnamed), ratio(s.RightNames, s.GoldNames), fmt.Sprint(s.Unnamed), fmt.Sprint(s.Invented),
		ratio(s.RightTypes, s.Types), ratio(s.WrongTypes, s.Types), fmt.Sprint(s.ExtraTypes), ratio(s.Required, s.RightNames), ratio(s.RightDefs, s.Defaults),
		ratio(s.RightResult, s.Results), fmt.Sprint(s.WrongResult), ratio(s.Effects, s.Rows),
	}
}

// ratio is a share to three digits, "-" of nothing.
func ratio(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f", float64(n)/float64(of))
}
