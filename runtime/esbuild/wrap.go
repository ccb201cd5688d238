package esbuild

// This file turns an ES module into one expression, an async function that returns the module's
// default export. esbuild cannot lower top-level await, so the module becomes that function's body.

import (
	"regexp"
	"strings"
)

const (
	// head names the function so that a stack shows what is the script's top level.
	head = `(async function __top(){"use strict";` + "\n"
	tail = "})"
)

// lastExport is the one export clause that esbuild prints, at the very end: identifiers only, so
// that neither a string, a template nor a comment of the author's can look like it.
var lastExport = regexp.MustCompile(`\nexport \{\n((?:  [\w$]+(?: as (?:[\w$]+|"(?:[^"\\]|\\.)*"))?,?\n)+)\};\n$`)

var defaultExport = regexp.MustCompile(`(?m)^  ([\w$]+) as default,?$`)

// wrap returns the expression and how many lines the module moved down.
func wrap(module string) (string, int) {
	module, shift := "\n"+module, 1
	if strings.HasPrefix(module, "\n#!") {
		_, rest, _ := strings.Cut(module[1:], "\n")
		module, shift = "\n"+rest, 0
	}
	at := lastExport.FindStringSubmatchIndex(module)
	if at == nil {
		return head + module[1:] + "\n" + tail, shift
	}
	body, clause := module[1:at[0]+1], module[at[2]:at[3]]
	if at[0] == 0 {
		body = ""
	}
	if name := defaultExport.FindStringSubmatch(clause); name != nil {
		body += "return " + name[1] + ";\n"
	}
	return head + body + tail, shift
}
