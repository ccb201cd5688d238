package main

// This file shows a receipt to a person.

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

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
		number := fmt.Sprint(c.Seq)
		if c.Step > 0 {
			number += fmt.Sprintf(".%d", c.Step)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d ms\t%s:%d\t%.19s\n", number, printable(c.Method, 80), c.Effect,
			strings.TrimSpace(c.State+" "+string(c.Code)), c.ResultState, c.Duration, printable(c.At.File, 40), c.At.Line, c.ArgsSHA256)
	}
	return w.Flush()
}

func budgetText(b runtime.Budget) string {
	var parts []string
	for _, d := range slices.Sorted(maps.Keys(b)) {
		parts = append(parts, fmt.Sprintf("%d %s", b[d], d))
	}
	return strings.Join(parts, ", ")
}
