package main

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

	shape *learn.Shape
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
an object is a map when its keys are numbers, UUIDs or dates, or when it has 20 keys or more over 5
objects and none is in more than half of them. Values nested more than 12 deep are not looked at.

With --merge it goes into observed.json of the directory (beside a single file in FILE.observed.json),
added to what is there, and counts as the result type of rows that declare none: marked as observed, in
declarations too. What a row declares is never overwritten. Review the file like the rows.`,
		Example: `  codemode run job.ts -d rows/ -g grant.json --record results.jsonl
  codemode learn results.jsonl --directory rows/
  codemode learn results.jsonl --directory rows/ --merge`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			loaded, output, err := assemble.Generate(dir, false)
			if err != nil {
				return err
			}
			l := newLearner(output.Contracts, values)
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
	total    int
	problems []learn.Problem
	more     int
}

func newLearner(contracts []contract.Contract, values bool) *learner {
	v := validate.New()
	l := &learner{values: values, byRef: map[string]contract.Contract{}, byName: map[string]contract.Contract{}, shapes: map[string]*learn.Shape{}, compared: map[string]*learn.Comparison{}}
	l.judge = func(schema, value json.RawMessage) ([]learn.Misfit, error) {
		found, err := v.Misfits(schema, value)
		out := make([]learn.Misfit, len(found))
		for i, m := range found {
			out[i] = learn.Misfit(m)
		}
		return out, err
	}
	for _, c := range contracts {
		l.byRef[directory.Reference(c.Key, c.Operation)], l.byName[c.Name] = c, c
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
		return err
	}
	ref := directory.Reference(c.Key, c.Operation)
	if l.shapes[ref] == nil {
		l.shapes[ref], l.compared[ref] = &learn.Shape{}, &learn.Comparison{Values: l.values}
	}
	if err := l.compared[ref].Add(c.Result, r.Result, l.judge); err != nil {
		return err
	}
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
			Disagreements: orEmpty(compared.Sorted()), Text: shape.HoldsText(), Past: shape.PastDouble(), Schema: shape.Schema(), shape: shape,
		})
	}
	slices.SortFunc(a.Methods, func(a, b learnMethod) int { return strings.Compare(a.Name, b.Name) })
	return a
}

const declaredAlready = "its result is declared"

// maxSeenBytes caps the summary of one method in observed.json.
const maxSeenBytes = 1 << 20

// merge adds what was learnt of methods that declare nothing to what the file has.
func (a *learnAnswer) merge(path string, dir *directory.Directory) error {
	for _, f := range dir.Findings {
		if strings.HasSuffix(f.Rule, "_observation") {
			return &exitError{exitUsage, "the file of observed results has errors, and what they are about would be lost: " + f.String()}
		}
	}
	all := observedIn(dir)
	for i := range a.Methods {
		m := &a.Methods[i]
		merged, kept, err := m.merged(all[m.Row])
		if err != nil {
			return &exitError{exitUsage, err.Error()}
		}
		if m.Kept = kept; kept == "" {
			all[m.Row] = merged
		}
	}
	text, err := learn.File(all)
	if err != nil {
		return fmt.Errorf("observed results: %w", err)
	}
	a.Merged = directory.ObservedPath(path)
	if err := replaceFile(a.Merged, text); err != nil {
		return &exitError{exitUsage, err.Error()}
	}
	return nil
}

// observedIn gathers what the rows have from the file.
func observedIn(dir *directory.Directory) map[string]directory.Observation {
	all := map[string]directory.Observation{}
	for _, row := range dir.Rows {
		for operation, o := range row.Observed {
			all[directory.Reference(row.Key, operation)] = o
		}
	}
	return all
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
	shape.Merge(m.shape)
	seen, err := json.Marshal(shape)
	if err != nil {
		return have, "", err
	}
	if len(seen) > maxSeenBytes {
		return have, fmt.Sprintf("its summary is longer than %d bytes", maxSeenBytes), nil
	}
	return directory.Observation{Results: shape.Results(), Schema: shape.Schema(), Seen: seen}, "", nil
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
		fmt.Fprintf(out, "  some integers are past 2^53; where the row declares a number without format int64, the call throws\n")
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
	if m.Kept != "" && m.Kept != declaredAlready {
		fmt.Fprintf(out, "  not merged: %s\n", m.Kept)
	}
}
