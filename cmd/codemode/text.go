package main

// This file makes lines for people of diagnostics and errors.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"codemode/runtime"
)

func diagnosticText(d runtime.Diagnostic) string {
	s := fmt.Sprintf("%s:%d:%d: %s: %s (%s)", d.File, d.Line, d.Column, d.Severity, d.Message, d.Code)
	if d.Hint != "" {
		s += "\n  " + d.Hint
	}
	if d.Declaration != "" {
		s += "\n" + indent(strings.TrimRight(d.Declaration, "\n"))
	}
	return printable(s, 0)
}

func errorText(r runtime.Result) string {
	e := r.Error
	s := string(r.Reason) + ": " + e.Message
	if e.Pos != nil {
		s = fmt.Sprintf("%s:%d:%d: %s", e.Pos.File, e.Pos.Line, e.Pos.Column, s)
	}
	if e.Call != "" {
		s += " (in " + e.Call + ")"
	}
	if e.Hint != "" {
		s += "\n  " + e.Hint
	}
	if e.Detail != "" {
		s += "\n  it said: " + e.Detail
	}
	return printable(s, 0)
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
