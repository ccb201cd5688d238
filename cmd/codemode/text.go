package main

// This file makes lines for people of diagnostics and errors.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"codemode/runtime"
)

// diagnosticText shows the line that it is about, of the sources that came with the result.
func diagnosticText(d runtime.Diagnostic, sources []runtime.Source) string {
	place := d.File // a grant, without a line
	if d.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d", d.File, d.Line, d.Column)
	}
	s := fmt.Sprintf("%s: %s: %s (%s)", place, d.Severity, d.Message, d.Code) + frame(sources, d.File, d.Line, d.Column) + traceText(d.Trace, sources)
	if d.Hint != "" {
		s += "\n  " + d.Hint
	}
	if d.Declaration != "" {
		s += "\n" + indent(strings.TrimRight(d.Declaration, "\n"))
	}
	return printable(s, 0)
}

// traceText is the way from a package to the author's own line, which alone is shown.
func traceText(trace []runtime.Pos, sources []runtime.Source) string {
	s := ""
	for _, p := range trace {
		s += fmt.Sprintf("\n  from %s:%d:%d", p.File, p.Line, p.Column)
		if !p.InPackage() {
			s += frame(sources, p.File, p.Line, p.Column)
		}
	}
	return s
}

func errorText(r runtime.Result) string {
	e, sources := r.Error, r.Sources
	s := string(r.Reason) + ": " + e.Message
	if e.Pos != nil {
		s = fmt.Sprintf("%s:%d:%d: %s", e.Pos.File, e.Pos.Line, e.Pos.Column, s)
	}
	if e.Call != "" {
		s += " (in " + e.Call + ")"
	}
	if e.Pos != nil {
		s += frame(sources, e.Pos.File, e.Pos.Line, e.Pos.Column) + traceText(e.Trace, sources)
	}
	if e.Hint != "" {
		s += "\n  " + e.Hint
	}
	if e.Detail != "" {
		s += "\n  it said: " + e.Detail
	}
	return printable(s, 0)
}

// counted is "1 call", "2 calls".
func counted(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// callsText counts a run's calls, and says how many did not end well.
func callsText(r runtime.Result) string {
	failed, unknown, refused := 0, 0, 0
	for _, c := range r.Calls {
		switch {
		case c.State == "refused": // not among the calls that are charged
			refused++
		case c.Code == runtime.OutcomeUnknown:
			unknown++
		case c.State == "failed":
			failed++
		}
	}
	text, end := counted(r.Usage.Calls, "call"), ""
	for _, part := range []struct {
		n    int
		text string
	}{{failed, "of them failed"}, {unknown, "of them with an unknown outcome"}, {refused, "more refused"}} {
		if part.n > 0 {
			text, end = fmt.Sprintf("%s, %d %s", text, part.n, part.text), ","
		}
	}
	return text + end
}

// mismatchText is for a result that is not what its row declares.
func mismatchText(c runtime.CallRecord) string {
	return printable(fmt.Sprintf("%s:%d:%d: warning: the result of %s is not what its row declares: %s", c.At.File, c.At.Line, c.At.Column, c.Method, c.ResultMismatch), 600)
}

func indent(s string) string { return "  | " + strings.ReplaceAll(s, "\n", "\n  | ") }

// indented is JSON for a reader; the digits of numbers stay as they are.
func indented(raw json.RawMessage) []byte {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return raw
	}
	return b.Bytes()
}
