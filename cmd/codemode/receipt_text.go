package main

// This file shows receipts and journals to a person.

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"codemode/directory/contract"
	"codemode/runtime"
)

func writeReceipt(out io.Writer, r runtime.Receipt) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%s\t%s\n", name, printable(fmt.Sprintf(format, args...), 0))
	}
	line("receipt", "%s (not signed)", r.ReceiptID)
	line("run", "%s", r.RunID)
	line("state", "%s", strings.TrimSpace(string(r.State)+" "+string(r.Reason)))
	if r.Error != nil {
		line("error", "%s", r.Error.Message)
	}
	line("for", "%s through %s", cmp.Or(r.Principal, "nobody"), cmp.Or(r.Agent, "nobody"))
	line("began", "%s, took %s", r.Started.Local().Format(time.DateTime), r.Finished.Sub(r.Started).Round(time.Millisecond))
	line("check", "%s", r.Check)
	line("script", "%s", r.ScriptSHA256)
	line("contracts", "%s", r.ContractsSHA256)
	line("grants", "%s", r.GrantsSHA256)
	for _, name := range slices.Sorted(maps.Keys(r.InputsSHA256)) {
		line("input "+printable(name, 40), "%s", r.InputsSHA256[name])
	}
	if r.ResultSHA256 != "" {
		line("result", "%s", r.ResultSHA256)
	}
	for _, a := range r.Artifacts {
		line("artifact", "%s, %s, %d bytes, %s", a.Path, a.MediaType, a.Bytes, a.SHA256)
	}
	for _, account := range slices.Sorted(maps.Keys(r.Budgets)) {
		line("left of "+account, "%s", budgetText(r.Budgets[account]))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return writeCalls(out, r.Calls)
}

func writeCalls(out io.Writer, calls []runtime.CallRecord) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintf(w, "\ncall\tmethod\teffect\tstate\tresult\ttook\tat\targuments\n")
	for _, c := range calls {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d ms\t%s:%d\t%.19s\n", callNumber(c), printable(c.Method, 80), c.Effect,
			strings.TrimSpace(c.State+" "+string(c.Code)), c.ResultState, c.Duration, printable(c.At.File, 40), c.At.Line, c.ArgsSHA256)
	}
	return w.Flush()
}

// callNumber is "2", for a step of a flow "2.1".
func callNumber(c runtime.CallRecord) string {
	if c.Step > 0 {
		return fmt.Sprintf("%d.%d", c.Seq, c.Step)
	}
	return fmt.Sprint(c.Seq)
}

// writeJournal writes a line for each entry.
func writeJournal(out io.Writer, entries []runtime.Entry) error {
	settled := settledCalls(entries)
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	for _, e := range entries {
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\n", e.N, e.At.Local().Format("2006-01-02 15:04:05.000"), cell(string(e.Kind), 40), cell(entryText(e, settled), 400))
	}
	return w.Flush()
}

// cell is text that can't leave its line or column.
func cell(s string, limit int) string {
	return printable(strings.NewReplacer("\n", " ", "\t", " ").Replace(s), limit)
}

// settledCalls are the calls whose outcome is recorded, by call id.
func settledCalls(entries []runtime.Entry) map[string]bool {
	settled := map[string]bool{}
	for _, e := range entries {
		var c runtime.CallEntry
		if e.Kind == runtime.EntrySettled && json.Unmarshal(e.Data, &c) == nil && c.Record != nil {
			settled[c.Record.CallID] = true
		}
	}
	return settled
}

// entryText is what an entry says beside its kind. Data of another form is shown by its size: an
// entry that does not read must not hide the others.
func entryText(e runtime.Entry, settled map[string]bool) string {
	var c runtime.CallEntry
	var p struct{ Message string }
	var r runtime.Receipt // has the fields of the first and the last entry by the same names
	switch {
	case (e.Kind == runtime.EntryCalled || e.Kind == runtime.EntrySettled) && json.Unmarshal(e.Data, &c) == nil && (c.Record != nil || c.Helper != ""):
		return callText(e.Kind, c, settled)
	case e.Kind == runtime.EntryProgress && json.Unmarshal(e.Data, &p) == nil:
		return p.Message
	case e.Kind == runtime.EntryStarted && json.Unmarshal(e.Data, &r) == nil:
		return fmt.Sprintf("for %s through %s, script %.19s", cmp.Or(r.Principal, "nobody"), cmp.Or(r.Agent, "nobody"), r.ScriptSHA256)
	case e.Kind == runtime.EntryFinished && json.Unmarshal(e.Data, &r) == nil:
		return strings.Join(slices.DeleteFunc([]string{string(r.State), string(r.Reason), r.ReceiptID}, func(s string) bool { return s == "" }), " ")
	}
	return counted(int64(len(e.Data)), "byte")
}

// callText is the call, and how it ended or that nobody knows.
func callText(kind runtime.EntryKind, e runtime.CallEntry, settled map[string]bool) string {
	if e.Record == nil {
		return helperText(e)
	}
	c := *e.Record
	call := fmt.Sprintf("call %s %s", callNumber(c), cell(c.Method, 80)) // short, so that what follows stays in sight
	switch {
	case kind == runtime.EntrySettled:
		return strings.TrimSpace(call + " " + c.State + " " + string(c.Code))
	case settled[c.CallID]:
		return strings.TrimSpace(call + " " + c.Effect)
	case c.Effect == string(contract.Read):
		return call + " read: called, outcome not recorded"
	}
	return fmt.Sprintf("%s %s: called, outcome not recorded: outcome unknown, it may have happened or not", call, cmp.Or(c.Effect, "write"))
}

// helperText is what a script asked of the service itself.
func helperText(e runtime.CallEntry) string {
	text := fmt.Sprintf("call %d %s", e.Seq, cell(string(e.Helper), 40))
	if e.Err != nil {
		text += " " + string(e.Err.Code)
	}
	return text
}

func budgetText(b runtime.Budget) string {
	var parts []string
	for _, d := range slices.Sorted(maps.Keys(b)) {
		parts = append(parts, fmt.Sprintf("%d %s", b[d], d))
	}
	return strings.Join(parts, ", ")
}
