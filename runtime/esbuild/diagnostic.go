package esbuild

// This file turns esbuild's messages into diagnostics in the author's coordinates.

import (
	"fmt"
	"regexp"
	"strings"

	"codemode/runtime"
	"codemode/runtime/accept"

	"github.com/evanw/esbuild/pkg/api"
)

// CodeSyntax is the code of a text that does not parse.
const CodeSyntax = "CM100"

func diagnostics(s runtime.Script, result api.BuildResult) []runtime.Diagnostic {
	var out []runtime.Diagnostic
	computed := false
	for _, m := range result.Errors {
		if !isComputed(m) {
			out = append(out, diagnostic(s, m, runtime.SeverityError))
			continue
		}
		if !computed { // one for all the files that patterns found, or did not
			out = append(out, diagnostic(s, locate(s, m), runtime.SeverityError))
		}
		computed = true
	}
	for _, m := range result.Warnings {
		if m.ID != "unsupported-source-map-comment" { // our own comment, see source
			out = append(out, diagnostic(s, m, runtime.SeverityWarning))
		}
	}
	return out[:min(len(out), maxDiagnostics)]
}

// isComputed reports whether a message is about the pattern that esbuild makes of a computed path.
// What it says of the host, that a directory cannot be read or holds a file, is not passed on.
func isComputed(m api.Message) bool {
	return m.Text == computedPath || strings.HasPrefix(m.Text, "Cannot read directory") || strings.HasPrefix(m.Text, "Could not resolve import(") ||
		strings.HasPrefix(m.Text, "Could not resolve require(")
}

var computedImport = regexp.MustCompile("\\b(?:import|require)\\s*\\(\\s*(?:`[^`]*\\$\\{|[\"'`][^\"'`\\n]*[\"'`]\\s*\\+)")

// locate gives the message its text, and a place when esbuild gives none.
func locate(s runtime.Script, m api.Message) api.Message {
	m.Text, m.Detail, m.Notes = computedPath, importError{}, nil
	if m.Location != nil {
		return m
	}
	for _, f := range s.Files {
		if at := computedImport.FindStringIndex(f.Module); at != nil {
			before := f.Module[:at[0]]
			start := strings.LastIndexByte(before, '\n') + 1
			m.Location = &api.Location{File: f.Name, Line: 1 + strings.Count(before, "\n"), Column: at[0] - start, LineText: f.Module[start:]}
			return m
		}
	}
	return m
}

func diagnostic(s runtime.Script, m api.Message, severity runtime.Severity) runtime.Diagnostic {
	d := runtime.Diagnostic{File: s.Entry, Line: 1, Column: 1, Code: CodeSyntax, Severity: severity, Message: words(m.Text)}
	if e, ok := m.Detail.(importError); ok {
		d.Code, d.Hint = accept.CodeImport, e.hint
	}
	if len(m.Notes) > 0 && !strings.Contains(m.Notes[0].Text, "://") { // links are about esbuild, not the script
		d.Hint = words(m.Notes[0].Text)
	}
	if m.Location == nil {
		return d
	}
	name := strings.TrimPrefix(m.Location.File, namespace+":")
	if f, ok := s.File(name); ok {
		d.File = name
		d.Line, d.Column = f.Author(m.Location.Line, 1+units(m.Location.LineText, m.Location.Column))
		if f.From != (runtime.Pos{}) {
			d.Trace = []runtime.Pos{f.From}
		}
	}
	return d
}

// words are a message without our namespace and without the colon that esbuild puts before notes.
func words(text string) string {
	return cut(strings.TrimSuffix(strings.ReplaceAll(text, `"`+namespace+":", `"`), ":"))
}

// units counts the UTF-16 units in the first bytes of a line.
func units(line string, bytes int) int {
	n := 0
	for _, r := range line[:min(bytes, len(line))] {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}

func fatal(file, format string, args ...any) runtime.Diagnostic {
	return runtime.Diagnostic{File: file, Line: 1, Column: 1, Code: CodeSyntax, Severity: runtime.SeverityError,
		Message: cut(fmt.Sprintf(format, args...))}
}

// cut bounds a message that quotes the script.
func cut(s string) string {
	const most = 500
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return s
}
