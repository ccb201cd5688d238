package main

// This file holds codemode learn.

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/gen/diff"
	"codemode/gen/learn"
	"codemode/runtime/assemble"
	"codemode/runtime/validate"
)

// learnAnswer is the JSON of codemode learn.
type learnAnswer struct {
	Results  int             `json:"results"`
	Methods  []learnMethod   `json:"methods"`
	Problems []learn.Problem `json:"problems"`
	// MoreProblems were not kept.
	MoreProblems int    `json:"more_problems,omitempty"`
	Merged       string `json:"merged,omitempty"` // the file that --merge wrote
}

// learnMethod is what the results of one method say.
type learnMethod struct {
	Name    string `json:"name"`
	Row     string `json:"row"`
	Results int    `json:"results"`
	// Declared is where the result's type comes from: schema, args, prose, template, observed, none.
	Declared contract.Provenance `json:"declared"`
	// Fit are the results that fit what is declared; Disagreements are where the others do not.
	Fit           int                  `json:"fit"`
	Disagreements []learn.Disagreement `json:"disagreements"`
	// Text says that every result is text that holds JSON.
	Text bool `json:"holds_json_text,omitempty"`
	// Past says that some integers are past 2^53.
	Past   bool            `json:"integers_past_2_53,omitempty"`
	Schema json.RawMessage `json:"schema"`
	// Kept says why --merge left the method out, "" where it did not.
	Kept string `json:"not_merged,omitempty"`
	// Again are results that --merge passed over, since they were merged before.
	Again int `json:"merged_before,omitempty"`

	fresh      *learn.Shape // of what was not merged before
	recordings []string     // what that came from
	merging    bool
}

func learnCommand(t *terminal) *cobra.Command {
	var dir string
	var merge, values bool
	cmd := &cobra.Command{
		Use:   "learn RESULTS...",
		Short: "Compare recorded results with what rows declare, and learn the types of those that declare none",
		Long: `learn reads recorded results, JSON Lines in files or - for standard input:

  {"key":"CRM_LIST","result":[{"id":"con_1"}]}
  {"key":"SHOP","operation":"get_order","result":{"id":7}}
  {"method":"crm.list","result":[]}

codemode run --record FILE writes such lines. For each method it says how many results there are, what
type they have, and where they disagree with the declared type: the place, what was wanted, and the type
of what stood there. Values are shown only with --values.

What is learnt is careful: a field is required when at least 5 objects had it and none lacked it,
integers are such when there were 5, nothing becomes an enum, an empty list has unknown items, and
an object is a map when one of its keys looks like data (a number, a date, an e-mail address, a UUID, an
id, a credential), or when it has 20 keys or more over 5 objects and none is in more than half of them. Values nested more than 12 deep are not looked at.

With --merge it goes into observed.json of the directory (beside a single file in FILE.observed.json),
added to what is there, and counts as the result type of rows that declare none: marked as observed, in
declarations too. What a row declares is never overwritten. Review the file like the rows. A recording
counts once: the file names those that were merged, up to 200 a method, and of one that runs have added
to only what is new counts.`,
		Example: `  codemode run job.ts -d rows/ -g grant.json --record results.jsonl
  codemode learn results.jsonl --directory rows/
  codemode learn results.jsonl --directory rows/ --merge`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			loaded, output, err := assemble.Generate(dir, false)
			if err != nil {
				return err
			}
			l := newLearner(output.Contracts, loaded.Observed, values)
			for _, name := range args {
				if err := l.read(name); err != nil {
					return err
				}
			}
			answer := l.answer()
			if merge {
				if err := answer.merge(dir, loaded); err != nil {
					return err
				}
			}
			return t.learnt(answer)
		},
	}
	directoryFlag(cmd, &dir)
	cmd.Flags().BoolVar(&merge, "merge", false, "add what was learnt to observed.json of the directory")
	cmd.Flags().BoolVar(&values, "values", false, "show a value of each disagreement")
	return cmd
}

// learner gathers results by method.
type learner struct {
	judge    learn.Judge
	values   bool
	byRef    map[string]contract.Contract
	byName   map[string]contract.Contract
	shapes   map[string]*learn.Shape
	compared map[string]*learn.Comparison
	fresh    map[string]*fresh
	total    int
	problems []learn.Problem
	more     int
}

// fresh is what recordings say of one method that was not merged before. A recording grows as runs are
// added to it, so what is known is how far it was merged.
type fresh struct {
	known map[string]bool // the recordings that were merged, as learn.Record.Through has them
	shape *learn.Shape
	names []string
	again int // results passed over
	// of the recording that is being read
	part *learn.Shape
	last string
}

// add takes one more result of a recording in.
func (f *fresh) add(one *learn.Shape, through string) {
	if f.part == nil {
		f.part = &learn.Shape{}
	}
	f.part.Merge(one)
	if f.last = through; f.known[through] {
		f.again += f.part.Results()
		f.part, f.last = nil, ""
	}
}

// end closes the recording.
func (f *fresh) end() {
	if f.part == nil {
		return
	}
	f.shape.Merge(f.part)
	f.names, f.known[f.last] = append(f.names, f.last), true
	f.part, f.last = nil, ""
}

func newLearner(contracts []contract.Contract, merged map[string]directory.Observation, values bool) *learner {
	v := validate.New()
	l := &learner{values: values, fresh: map[string]*fresh{}, byRef: map[string]contract.Contract{}, byName: map[string]contract.Contract{}, shapes: map[string]*learn.Shape{}, compared: map[string]*learn.Comparison{}}
	l.judge = func(schema, value json.RawMessage) ([]learn.Misfit, error) {
		found, err := v.Misfits(schema, value)
		out := make([]learn.Misfit, len(found))
		for i, m := range found {
			out[i] = learn.Misfit(m)
		}
		return out, err
	}
	for _, c := range contracts {
		ref := directory.Reference(c.Key, c.Operation)
		l.byRef[ref], l.byName[c.Name] = c, c
		l.fresh[ref] = &fresh{known: map[string]bool{}, shape: &learn.Shape{}}
		for _, name := range merged[ref].Recordings {
			l.fresh[ref].known[name] = true
		}
	}
	return l
}

func (l *learner) read(name string) error {
	var in io.Reader = os.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return &exitError{exitUsage, err.Error()}
		}
		defer f.Close()
		in = f
	}
	problems, more, err := learn.Read(in, l.take)
	if err != nil {
		return &exitError{exitUsage, fmt.Sprintf("%s: %v", name, err)}
	}
	l.problems, l.more = append(l.problems, problems...), l.more+more
	for _, f := range l.fresh {
		f.end()
	}
	return nil
}

// take adds one result. Its error is about the line.
func (l *learner) take(r learn.Record) error {
	c, ok := l.byName[r.Method]
	if r.Method == "" {
		c, ok = l.byRef[directory.Reference(r.Key, r.Operation)]
	}
	if !ok {
		return fmt.Errorf("the directory offers no %.100q", cmp.Or(r.Method, directory.Reference(r.Key, r.Operation)))
	}
	one, err := learn.Observe(r.Result)
	if err != nil {
		return fmt.Errorf("a result of %s is passed over: %w", c.Name, err)
	}
	ref := directory.Reference(c.Key, c.Operation)
	compared := l.compared[ref]
	if compared == nil {
		compared = &learn.Comparison{Values: l.values}
	}
	if err := compared.Add(c.Result, r.Result, l.judge); err != nil {
		return fmt.Errorf("a result of %s is passed over: %w", c.Name, err)
	}
	if l.shapes[ref] == nil { // only now: a method none of whose results can be used has learnt nothing
		l.shapes[ref], l.compared[ref] = &learn.Shape{}, compared
	}
	l.fresh[ref].add(one, r.Through)
	l.shapes[ref].Merge(one)
	l.total++
	return nil
}

func (l *learner) answer() *learnAnswer {
	a := &learnAnswer{Results: l.total, Methods: []learnMethod{}, Problems: orEmpty(l.problems), MoreProblems: l.more}
	for _, ref := range slices.Sorted(maps.Keys(l.shapes)) {
		c, shape, compared := l.byRef[ref], l.shapes[ref], l.compared[ref]
		a.Methods = append(a.Methods, learnMethod{
			Name: c.Name, Row: ref, Results: shape.Results(), Declared: c.Provenance["result"], Fit: compared.Fit,
			Disagreements: orEmpty(compared.Sorted()), Text: shape.HoldsText(), Past: shape.PastDouble(), Schema: shape.Schema(),
			fresh: l.fresh[ref].shape, recordings: l.fresh[ref].names, Again: l.fresh[ref].again,
		})
	}
	slices.SortFunc(a.Methods, func(a, b learnMethod) int { return strings.Compare(a.Name, b.Name) })
	return a
}

// Why a method is not merged, where that is no fault of its entry.
const (
	declaredAlready = "its result is declared"
	mergedBefore    = "its results were merged before"
)

// maxSeenBytes caps the summary of one method in observed.json.
const maxSeenBytes = 1 << 20

// maxObservedBytes caps observed.json: what directory.Load reads of one file.
const maxObservedBytes = 64 << 20

// merge adds what was learnt of methods that declare nothing to what the file has.
func (a *learnAnswer) merge(path string, dir *directory.Directory) error {
	if f, wrong := dir.SideFault("_observation"); wrong {
		return &exitError{exitUsage, "the file of observed results has errors, and what they are about would be lost: " + f.String()}
	}
	all := maps.Clone(dir.Observed) // also what is of rows that are not there: they may be rows that could not be read
	if all == nil {
		all = map[string]directory.Observation{}
	}
	for i := range a.Methods {
		m := &a.Methods[i]
		merged, kept, err := m.merged(all[m.Row])
		if err != nil {
			return &exitError{exitUsage, err.Error()}
		}
		m.merging = true
		if m.Kept = kept; kept == "" {
			all[m.Row] = merged
		}
	}
	text, err := learn.File(all)
	if err != nil {
		return fmt.Errorf("observed results: %w", err)
	}
	if len(text) > maxObservedBytes {
		return &exitError{exitUsage, fmt.Sprintf("the file of observed results would be longer than %d bytes and could not be read again; learn fewer methods, or split the directory", maxObservedBytes)}
	}
	a.Merged = directory.ObservedPath(path)
	if err := replaceFile(a.Merged, text); err != nil {
		return &exitError{exitUsage, err.Error()}
	}
	return nil
}

// merged is the entry with the new results, or why it stays as it is.
func (m *learnMethod) merged(have directory.Observation) (directory.Observation, string, error) {
	if m.Declared != contract.FromNone && m.Declared != contract.FromObserved {
		return have, declaredAlready, nil
	}
	shape := &learn.Shape{}
	if have.Results > 0 {
		if err := json.Unmarshal(orNull(have.Seen), shape); err != nil {
			return have, "", fmt.Errorf("observed result of %s: %w; remove the entry and learn it again", m.Row, err)
		}
		if !sameJSON(shape.Schema(), have.Schema) || shape.Results() != have.Results {
			return have, "its entry was changed by hand; remove it to learn again", nil
		}
	}
	if m.fresh.Results() == 0 {
		return have, mergedBefore, nil
	}
	shape.Merge(m.fresh)
	seen, err := json.Marshal(shape)
	if err != nil {
		return have, "", err
	}
	if len(seen) > maxSeenBytes {
		return have, fmt.Sprintf("its summary is longer than %d bytes", maxSeenBytes), nil
	}
	return directory.Observation{Results: shape.Results(), Schema: shape.Schema(), Seen: seen, Recordings: learn.Recordings(have.Recordings, m.recordings)}, "", nil
}

func orNull(raw json.RawMessage) json.RawMessage {
	if raw == nil {
		return json.RawMessage("null")
	}
	return raw
}

func sameJSON(a, b json.RawMessage) bool {
	x, errX := contract.Canonical(a)
	y, errY := contract.Canonical(b)
	return errors.Join(errX, errY) == nil && string(x) == string(y)
}

const maxLearntLines = 10 // of the disagreements of a method, and of problems

func (t *terminal) learnt(a *learnAnswer) error {
	if t.json {
		return t.printJSON(a)
	}
	var out strings.Builder
	for _, m := range a.Methods {
		m.write(&out)
	}
	if _, err := io.WriteString(t.out, printable(out.String(), 0)); err != nil {
		return err
	}
	for _, p := range a.Problems[:min(len(a.Problems), maxLearntLines)] {
		t.say("line %d: %s", p.Line, printable(p.Message, 300))
	}
	if more := len(a.Problems) - maxLearntLines + a.MoreProblems; more > 0 && len(a.Problems) > maxLearntLines {
		t.say("%d more lines hold no result that can be used", more)
	}
	if a.Merged != "" {
		t.say("observed results are in %s", a.Merged)
	}
	t.say("%s of %s", counted(int64(a.Results), "result"), counted(int64(len(a.Methods)), "method"))
	return nil
}

func wasWere(n int) string {
	return counted(int64(n), "result") + map[bool]string{true: " was", false: " were"}[n == 1]
}

func (m learnMethod) write(out *strings.Builder) {
	fmt.Fprintf(out, "%s: %s, ", m.Name, counted(int64(m.Results), "result"))
	switch m.Declared {
	case contract.FromNone:
		fmt.Fprintf(out, "nothing declared; they are %s\n", diff.Show(m.Schema))
	case contract.FromObserved:
		fmt.Fprintf(out, "%d fit what was observed before; they are %s\n", m.Fit, diff.Show(m.Schema))
	default:
		fmt.Fprintf(out, "%d fit what is declared (%s)\n", m.Fit, m.Declared)
	}
	if m.Text {
		fmt.Fprintf(out, "  every result is text that holds JSON; JSON.parse gives its value\n")
	}
	if m.Past {
		fmt.Fprintf(out, "  some integers are past 2^53; they arrive as bigint; the row should declare format int64 there\n")
	}
	for i, d := range m.Disagreements {
		if i == maxLearntLines {
			fmt.Fprintf(out, "  and %d more; --json lists all\n", len(m.Disagreements)-i)
			break
		}
		place := cmp.Or(d.Place, "the result")
		fmt.Fprintf(out, "  %s: want %s, got %s (%d)", oneLine(place), d.Want, oneLine(d.Got), d.Count)
		if d.Example != nil {
			fmt.Fprintf(out, " such as %s", d.Example)
		}
		out.WriteByte('\n')
	}
	switch {
	case m.merging && m.Kept == "" && m.Again > 0:
		fmt.Fprintf(out, "  %s merged before and not counted again\n", wasWere(m.Again))
	case m.Kept != "" && m.Kept != declaredAlready:
		fmt.Fprintf(out, "  not merged: %s\n", m.Kept)
	}
}
