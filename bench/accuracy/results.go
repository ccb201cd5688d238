package accuracy

// This file measures result types on recorded calls: does every recorded result fit what is declared or
// get flagged, does any of them end a script, and what do types learnt of one half say of the other.

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"codemode/bench"
	"codemode/directory/contract"
	"codemode/directory/importer"
	"codemode/gen/learn"
	"codemode/runtime/assemble"
	"codemode/runtime/validate"
)

// ResultsReport is what the recorded calls gave.
type ResultsReport struct {
	Missing
	Tasks   int `json:"tasks"`
	Calls   int `json:"calls"`
	Methods int `json:"methods"`
	// Fit, Flagged and Undeclared are the results by what the validator says, and sum up to Calls.
	Fit        int `json:"fit"`
	Flagged    int `json:"flagged"`
	Undeclared int `json:"undeclared"`
	// Reasons count the flagged results, each under its first place that does not fit.
	Reasons []ReasonCount `json:"reasons"`
	Replay  ReplayCount   `json:"replay"`
	// Halves are types learnt of one half of the tasks, on the results of the other.
	Halves []HalfCount `json:"halves"`
}

// ReasonCount is how often one kind of misfit was the first of a result.
type ReasonCount struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}

// HalfCount is what types learnt of one half say of the other.
type HalfCount struct {
	Learnt string `json:"learnt"`
	On     string `json:"on"`
	// Results of the other half, as the learnt type has them: they fit it, or do not; no result of their
	// method was in the first half; what there was showed no type.
	Results int `json:"results"`
	Fit     int `json:"fit"`
	Misfit  int `json:"misfit"`
	Unseen  int `json:"unseen_method"`
	Untyped int `json:"untyped"`
	// Declared is how many of the Results of typed methods fit the declared types.
	Declared int `json:"fit_declared"`
}

// Tables shows the report.
func (r *ResultsReport) Tables() []bench.Table {
	if notes := r.notes(); notes != nil {
		return []bench.Table{{Title: "recorded results", Notes: notes}}
	}
	n := strconv.Itoa
	verdicts := bench.Table{Title: fmt.Sprintf("%d recorded results of %d methods, against what is declared", r.Calls, r.Methods),
		Columns: []string{"verdict", "results"}, Rows: [][]string{{"fit", n(r.Fit)}, {"flagged", n(r.Flagged)}, {"nothing declared", n(r.Undeclared)}}}
	reasons := bench.Table{Title: "flagged results by the first place that does not fit", Columns: []string{"reason", "results"}}
	for _, c := range r.Reasons {
		reasons.Rows = append(reasons.Rows, []string{c.Reason, n(c.Count)})
	}
	p := r.Replay
	replay := bench.Table{Title: "the same calls made by scripts, a script a task", Columns: []string{"", "count"}, Rows: [][]string{
		{"scripts", n(p.Scripts)}, {"scripts that did not finish", n(p.Crashed)}, {"calls invoked", n(p.Invoked)}, {"calls refused for their arguments", n(p.Refused)},
		{"refused, invoked again without argument types", n(p.Untyped)}, {"results that reached the script as recorded", n(p.Delivered)},
		{"results with an integer past 2^53 declared as number, which arrives as bigint", n(p.Wide)},
		{"results marked as mismatch", n(p.Mismatch)}, {"results whose mark differs from the validator's", n(p.MarkedOtherwise)}},
		Notes: []string{"a replay: the invoker answers each call with its recorded result; the rest of the path is real, but the type check is off"}}
	halves := bench.Table{Title: "types learnt of one half of the tasks, on the results of the other", Columns: []string{"learnt of", "on", "results", "fit", "misfit", "method unseen", "no type learnt", "typed ones that fit the declaration"}}
	for _, h := range r.Halves {
		halves.Rows = append(halves.Rows, []string{h.Learnt, h.On, n(h.Results), n(h.Fit), n(h.Misfit), n(h.Unseen), n(h.Untyped), n(h.Declared)})
	}
	return []bench.Table{verdicts, reasons, replay, halves}
}

// recordedTasks are tasks with their calls, below the folder of the data, a task a line.
const recordedTasks = "bfcl/multi_turn_base_replayed.jsonl"

// recordedCall is one call of a task, with the result that it really had.
type recordedCall struct {
	Class  string          `json:"class"`
	Name   string          `json:"name"`
	Args   json.RawMessage `json:"args"`
	Result json.RawMessage `json:"result"`

	task     int
	contract contract.Contract
	misfits  []validate.Misfit
}

// Results measures on the recorded calls of bfcl. It runs scripts, so it needs a worker process; ctx
// ends it early.
func Results(opts bench.Options) (bench.Report, error) {
	return ResultsOf(context.Background(), opts)
}

// ResultsOf is Results with a context.
func ResultsOf(ctx context.Context, opts bench.Options) (*ResultsReport, error) {
	r := &ResultsReport{Reasons: []ReasonCount{}, Halves: []HalfCount{}}
	calls, tasks, err := recordedCalls(filepath.Join(opts.Data, filepath.FromSlash(recordedTasks)))
	if r.without(recordedTasks, err) {
		return r, nil
	} else if err != nil {
		return nil, err
	}
	r.Tasks, r.Calls = tasks, len(calls)
	folder, err := os.MkdirTemp("", "codemode-results-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	rows, err := importDocuments(filepath.Join(opts.Data, filepath.FromSlash(functionDocuments)), folder)
	if err != nil {
		return nil, err
	}
	if err := r.judge(calls, rows); err != nil {
		return nil, err
	}
	if r.Replay, err = replayCalls(ctx, calls, rows, filepath.Join(folder, "store.db")); err != nil {
		return nil, err
	}
	for half, name := range []string{"even tasks", "odd tasks"} {
		h, err := learnHalf(calls, half)
		if err != nil {
			return nil, err
		}
		h.Learnt, h.On = name, []string{"odd tasks", "even tasks"}[half]
		r.Halves = append(r.Halves, h)
	}
	return r, nil
}

func recordedCalls(path string) ([]*recordedCall, int, error) {
	var calls []*recordedCall
	tasks := 0
	err := readLines(path, func(line []byte) error {
		var task struct {
			Turns []struct {
				Calls []*recordedCall `json:"calls"`
			} `json:"turns"`
		}
		if err := json.Unmarshal(line, &task); err != nil {
			return err
		}
		for _, turn := range task.Turns {
			for _, c := range turn.Calls {
				if c.Result == nil {
					c.Result = json.RawMessage("null")
				}
				c.task = tasks
				calls = append(calls, c)
			}
		}
		tasks++
		return nil
	})
	return calls, tasks, err
}

// importDocuments makes a directory of the function documents, as codemode import does.
func importDocuments(path, folder string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	result, err := importer.Tools(bytes.NewReader(text), importer.Options{File: filepath.Base(path)})
	if err != nil {
		return "", err
	}
	var lines bytes.Buffer
	if err := importer.Write(&lines, result.Rows); err != nil {
		return "", err
	}
	rows := filepath.Join(folder, "rows.jsonl")
	return rows, os.WriteFile(rows, lines.Bytes(), 0o600)
}

// judge finds each call's contract and holds its result against it.
func (r *ResultsReport) judge(calls []*recordedCall, rows string) error {
	_, out, err := assemble.Generate(rows, true)
	if err != nil {
		return err
	}
	byKey := map[string]contract.Contract{}
	for _, c := range out.Contracts {
		byKey[c.Key] = c
	}
	v := validate.New()
	methods, reasons := map[string]bool{}, map[string]int{}
	for _, c := range calls {
		known, ok := byKey[importer.Key(c.Class, c.Name)]
		if !ok {
			return fmt.Errorf("recorded results: no document describes %s %s", c.Class, c.Name)
		}
		c.contract, methods[known.Name] = known, true
		if c.misfits, err = v.Misfits(known.Result, c.Result); err != nil {
			return fmt.Errorf("recorded results: %s: %w", known.Name, err)
		}
		switch {
		case known.Provenance["result"] == contract.FromNone:
			r.Undeclared++
		case len(c.misfits) == 0:
			r.Fit++
		default:
			r.Flagged++
			reasons[reason(c)]++
		}
	}
	r.Methods = len(methods)
	for text, count := range reasons {
		r.Reasons = append(r.Reasons, ReasonCount{text, count})
	}
	slices.SortFunc(r.Reasons, func(a, b ReasonCount) int { return cmp.Or(b.Count-a.Count, strings.Compare(a.Reason, b.Reason)) })
	return nil
}

// reason words the first misfit of a result without its method.
func reason(c *recordedCall) string {
	var seen learn.Comparison
	one := func(json.RawMessage, json.RawMessage) ([]learn.Misfit, error) {
		return []learn.Misfit{learn.Misfit(c.misfits[0])}, nil
	}
	if err := seen.Add(nil, c.Result, one); err != nil {
		return err.Error()
	}
	d := seen.Differ[0]
	where := "a field"
	switch {
	case d.Place == "":
		where = "the result"
	case strings.HasSuffix(d.Place, "/*"):
		where = "an item"
	}
	got := d.Got
	if strings.HasPrefix(got, "{") {
		got = "object"
	}
	return fmt.Sprintf("%s: want %s, got %s", where, d.Want, got)
}

// learnHalf learns from the tasks of one parity and judges the results of the others.
func learnHalf(calls []*recordedCall, half int) (HalfCount, error) {
	shapes := map[string]*learn.Shape{}
	for _, c := range calls {
		if c.task%2 != half {
			continue
		}
		one, err := learn.Observe(c.Result)
		if err != nil {
			return HalfCount{}, err
		}
		if shapes[c.contract.Name] == nil {
			shapes[c.contract.Name] = &learn.Shape{}
		}
		shapes[c.contract.Name].Merge(one)
	}
	v := validate.New()
	var h HalfCount
	for _, c := range calls {
		if c.task%2 == half {
			continue
		}
		h.Results++
		shape := shapes[c.contract.Name]
		if shape == nil {
			h.Unseen++
			continue
		}
		learnt := shape.Schema()
		if string(learnt) == "true" {
			h.Untyped++
			continue
		}
		misfits, err := v.Misfits(learnt, c.Result)
		if err != nil {
			return h, fmt.Errorf("%s: %w", c.contract.Name, err)
		}
		if len(misfits) == 0 {
			h.Fit++
		} else {
			h.Misfit++
		}
		if len(c.misfits) == 0 {
			h.Declared++
		}
	}
	return h, nil
}
