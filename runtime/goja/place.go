package goja

// This file turns places in the bundle into the author's. goja carries a source map itself, so that
// also the stack a script reads is the author's; the bundle's places are written out for it.

import (
	"encoding/json"
	"errors"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"codemode/runtime"

	js "github.com/dop251/goja"
	"github.com/dop251/goja/parser"
)

func compile(b runtime.Bundle) (*js.Program, error) {
	sm, err := sourceMap(b)
	if err != nil {
		return nil, err
	}
	load := parser.WithSourceMapLoader(func(string) ([]byte, error) { return sm, nil })
	ast, err := js.Parse(bundleName, b.Code+"\n//# sourceMappingURL=map", load)
	if err != nil {
		return nil, err
	}
	return js.CompileAST(ast, true)
}

// sourceMap writes the places as goja looks them up: it counts columns from 1 on both sides, and
// takes a file's name as a URL.
func sourceMap(b runtime.Bundle) ([]byte, error) {
	var out strings.Builder
	var sources []string
	index := map[string]int{}
	line, prev := 1, [4]int{}
	for _, p := range b.Places {
		src, ok := index[p.Author.File]
		if !ok {
			src = len(sources)
			index[p.Author.File] = src
			sources = append(sources, escapeName(escapeName(p.Author.File))) // goja takes it apart twice
		}
		for first := true; line < p.Line; line++ {
			out.WriteByte(';')
			if first {
				prev[0], first = 0, false
			}
		}
		if s := out.String(); s != "" && s[len(s)-1] != ';' {
			out.WriteByte(',')
		}
		next := [4]int{p.Column, src, p.Author.Line - 1, p.Author.Column}
		for i := range next {
			writeVLQ(&out, next[i]-prev[i])
		}
		prev = next
	}
	return json.Marshal(map[string]any{"version": 3, "sources": sources, "names": []string{}, "mappings": out.String()})
}

// escapeName writes a file's name as the path of a URL, as it stands in stacks.
func escapeName(name string) string {
	parts := strings.Split(name, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
}

func writeVLQ(out *strings.Builder, n int) {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	v := n << 1
	if n < 0 {
		v = -n<<1 | 1
	}
	for {
		d := v & 31
		v >>= 5
		if v > 0 {
			d |= 32
		}
		out.WriteByte(digits[d])
		if v == 0 {
			return
		}
	}
}

// here is the author's place that runs now: the first frame that stands in a file of the script.
func (r *run) here() (runtime.Pos, bool) {
	for depth := 4; ; depth *= 8 {
		stack := r.vm.CaptureCallStack(depth, nil)
		for i := range stack {
			if pos, ok := r.frame(&stack[i]); ok {
				return pos, true
			}
		}
		if len(stack) < depth {
			return runtime.Pos{}, false
		}
	}
}

func (r *run) frame(f *js.StackFrame) (runtime.Pos, bool) {
	p := f.Position()
	name, err := url.PathUnescape(p.Filename)
	if err != nil || !r.files[name] {
		return runtime.Pos{}, false
	}
	return runtime.Pos{File: name, Line: p.Line, Column: p.Column}, true
}

// stackLine is a line of goja's stack text: "\tat name (file:line:column(pc))".
var stackLine = regexp.MustCompile(`^\s*at (?:(.*) \()?([^\s()]+):(\d+):(\d+)\(\d+\)\)?$`)

// maxTrace bounds the calls that an error names between its place and the author's.
const maxTrace = 8

// locate gives e its place: the first in the text of a stack that stands in a file of the script or of a
// package. From a package it says how the author's code came there: by a call, which the stack has also
// across awaits, or else by its import.
func (r *run) locate(e *runtime.Error, stack string) {
	for line := range strings.Lines(stack) {
		at, ok := r.stackPlace(line)
		switch {
		case !ok:
			continue
		case e.Pos == nil:
			e.Pos = &at
		case !at.InPackage() || len(e.Trace) < maxTrace:
			e.Trace = append(e.Trace, at)
		}
		if !at.InPackage() {
			return
		}
	}
	if e.Pos == nil {
		return
	}
	if f, ok := r.p.Script.File(e.Pos.File); ok && f.From != (runtime.Pos{}) {
		e.Trace = append(e.Trace, f.From)
	}
}

// stackPlace reads the place from a line of a stack.
func (r *run) stackPlace(line string) (runtime.Pos, bool) {
	m := stackLine.FindStringSubmatch(strings.TrimRight(line, "\n"))
	if m == nil {
		return runtime.Pos{}, false
	}
	name, err := url.PathUnescape(m[2])
	if err != nil || !r.files[name] {
		return runtime.Pos{}, false
	}
	l, _ := strconv.Atoi(m[3]) // digits by the pattern; an overflow is no real line
	c, _ := strconv.Atoi(m[4])
	return runtime.Pos{File: name, Line: l, Column: c}, true
}

// trimStack rewrites a stack's text for reading: the author's frames only, without goja's counters.
func (r *run) trimStack(stack string) string {
	var out []string
	for line := range strings.Lines(stack) {
		line = strings.TrimRight(line, "\n")
		m := stackLine.FindStringSubmatch(line)
		switch {
		case m == nil && !strings.HasPrefix(line, "\tat "):
			out = append(out, line)
		case m != nil:
			if name, err := url.PathUnescape(m[2]); err == nil && r.files[name] {
				out = append(out, "    at "+frameText(m[1], name, m[3], m[4]))
			}
		}
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n")
}

func frameText(function, file, line, column string) string {
	place := file + ":" + line + ":" + column
	if function == "" || function == topLevel {
		return place
	}
	return function + " (" + place + ")"
}

// topLevel is the name of the function that holds a script's top level.
const topLevel = "__top"

// maxWaits bounds how many places are kept; a flood of promises needs no better account.
const maxWaits = 10_000

// waits are awaits that have not come back, by id.
type waits struct {
	next int
	open map[int]wait
	went bool // a wait of the author's own has gone on since this was cleared
}

type wait struct {
	frame js.StackFrame
	own   bool // code of the author's goes on after it
}

// waitFrames are enough to tell who waits: then, catch and then, or race and then, and their caller.
const waitFrames = 3

func (w *waits) add(stack []js.StackFrame) any {
	if len(stack) == 0 || len(w.open) >= maxWaits {
		return nil
	}
	if w.open == nil {
		w.open = map[int]wait{}
	}
	w.next++
	w.open[w.next] = wait{stack[0], goesOn(stack)}
	return w.next
}

func (w *waits) drop(id int) {
	w.went = w.went || w.open[id].own
	delete(w.open, id)
}

// goesOn reports that code of the author's runs when the wait is over: an await, or a handler given to
// then, catch or finally. Promise.race and its kin only look at what they were given.
func goesOn(stack []js.StackFrame) bool {
	for i := range stack {
		if stack[i].SrcName() != nativeName {
			return true
		}
		switch stack[i].FuncName() {
		case "race", "any", "all", "allSettled":
			return false
		}
	}
	return false
}

// nativeName is the file that goja gives its own functions.
const nativeName = "<native>"

// waitPlace is where the script waits: its top level if it does, else its oldest await.
func (r *run) waitPlace() *runtime.Pos {
	var best *runtime.Pos
	oldest := 0
	for id, w := range r.waits.open {
		pos, ok := r.frame(&w.frame)
		if !ok {
			continue
		}
		if w.frame.FuncName() == topLevel {
			return &pos
		}
		if best == nil || id < oldest {
			best, oldest = &pos, id
		}
	}
	return best
}

// compileText is a compile error's own words, without the place in the bundle.
func (r *run) compileText(err error) string {
	var list parser.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		return list[0].Message
	}
	var one *js.CompilerSyntaxError
	if errors.As(err, &one) {
		return one.Message
	}
	return err.Error()
}

func (r *run) compilePlace(err error) *runtime.Pos {
	var list parser.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		if pos, ok := r.bundle.Author(list[0].Position.Line, list[0].Position.Column); ok {
			return &pos
		}
	}
	var one *js.CompilerSyntaxError
	if errors.As(err, &one) && one.File != nil {
		p := one.File.Position(one.Offset)
		if name, err := url.PathUnescape(p.Filename); err == nil && r.files[name] {
			return &runtime.Pos{File: name, Line: p.Line, Column: p.Column}
		}
	}
	return nil
}
