package typecheck

// This file holds one check as steps: load the script, ask for errors, judge each, look for calls
// whose promise floats, and turn all into the author's coordinates.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"codemode/runtime"
	"codemode/runtime/accept"
)

// examine checks the request in the process.
func (c *Checker) examine(ctx context.Context, p *process, req runtime.CheckRequest) ([]runtime.Diagnostic, error) {
	if err := p.greet(); err != nil {
		return nil, err
	}
	fresh := !p.project.opened
	snap, err := p.load(req.Script, req.Granted, untyped(accept.NewReach(req.Script, c.cfg.Packages), c.cfg.Packages), len(c.cfg.Library) > 0)
	if err != nil {
		return nil, err
	}
	x := newExamination(ctx, snap, req, c.cfg.MaxDiagnostics)
	x.vetAll, x.vetGranted = fresh, req.Granted != p.project.vetted // a file of its own costs as much as the script
	if err := x.run(p.project.fixed); err != nil {
		return c.blame(ctx, p, x, err)
	}
	p.project.vetted = req.Granted
	return x.report(), snap.release()
}

func newExamination(ctx context.Context, snap snapshot, req runtime.CheckRequest, limit int) *examination {
	return &examination{ctx: ctx, snapshot: snap, req: req, limit: limit, texts: map[string]string{}, trees: map[string]*tree{}, own: map[string]*tree{},
		count: map[runtime.Severity]int{}, seen: map[string]bool{}}
}

// blame tells declarations that are wrong in themselves from a script that makes them so, as `declare
// global` can: with an empty script in its place only the first stay wrong.
func (c *Checker) blame(ctx context.Context, p *process, x *examination, err error) ([]runtime.Diagnostic, error) {
	var own *disturbed
	if !errors.As(err, &own) {
		return nil, err
	}
	if err := x.release(); err != nil {
		return nil, err
	}
	alone := x.req
	alone.Script = runtime.Script{Entry: "main.ts", Files: []runtime.SourceFile{{Name: "main.ts", Module: "export {};"}}}
	snap, failed := p.load(alone.Script, alone.Granted, "", len(c.cfg.Library) > 0)
	if failed != nil {
		return nil, failed
	}
	y := newExamination(ctx, snap, alone, c.cfg.MaxDiagnostics)
	y.vetAll, y.vetGranted = x.vetAll, true
	if failed := y.run(p.project.fixed); failed != nil {
		return nil, failed
	}
	entry := scriptDir + x.req.Script.Entry
	x.add(&finding{File: entry, Code: own.finding.Code}, verdict{severity: runtime.SeverityError,
		message: "the script disturbs what the service declares: " + flatten(own.finding),
		hint:    "declare nothing global, and use no syntax that the service's library has no types for"})
	return x.report(), snap.release()
}

// greet makes sure that the process is a compiler and awake.
func (p *process) greet() error {
	if p.ready {
		return nil
	}
	var reply struct {
		CaseSensitive bool `json:"useCaseSensitiveFileNames"`
	}
	if err := p.conn.call("initialize", nil, &reply); err != nil {
		return err
	}
	p.project.foldCase = !reply.CaseSensitive
	p.ready = true
	return nil
}

// vetDeclarations fails when a lasting file does not parse or the library lacks what every program
// needs: with such files every script would look right.
func (s snapshot) vetDeclarations(files []string) error {
	found := make([][]*finding, len(files)+2)
	requests := []request{
		{"getGlobalDiagnostics", s.params(nil), &found[len(files)]},
		{"getConfigFileParsingDiagnostics", s.params(nil), &found[len(files)+1]},
	}
	for i, f := range files {
		requests = append(requests, s.file("getSyntacticDiagnostics", f, &found[i]))
	}
	if err := s.conn.batch(requests); err != nil {
		return err
	}
	return broken(slices.Concat(found...))
}

// disturbed is an error in a file that is not the script's, or in none.
type disturbed struct {
	finding *finding
	err     *runtime.Error // what the caller is told when the declarations are wrong in themselves
}

func (d *disturbed) Error() string { return d.err.Error() }

func (d *disturbed) Unwrap() error { return d.err }

// broken is the error of declarations that do not compile.
func broken(found []*finding) error {
	for _, f := range found {
		if f.Category == categoryError {
			place := strings.TrimPrefix(f.File, rootDir+"/")
			return &disturbed{finding: f, err: runtime.Errorf(runtime.Internal, "the generated declarations do not compile").
				WithHint("regenerate them from the directory").
				WithCause(fmt.Errorf("%s at %d: TS%d: %s", place, f.Pos, f.Code, clip(flatten(f), 400)))}
		}
	}
	return nil
}

// examination is one check under way.
type examination struct {
	ctx context.Context // ends the long loops; the compiler's process ends with it by itself
	snapshot
	req        runtime.CheckRequest
	vetAll     bool // the lasting files too: once for a process
	vetGranted bool
	texts      map[string]string // the script's files by path
	trees      map[string]*tree  // their trees by path
	own        map[string]*tree  // trees of declaration files, read when needed
	known      *surface          // the types of tools, read when needed
	out        []runtime.Diagnostic
	seen       map[string]bool
	count      map[runtime.Severity]int // of out
	limit      int                      // of each count, and of what is reported
	// written are the fields that the script itself adds to results.
	written map[string]bool
}

func (x *examination) run(fixed []string) error {
	if x.vetAll {
		if err := x.vetDeclarations(fixed); err != nil {
			return err
		}
	}
	for _, f := range x.req.Script.Files {
		x.texts[scriptDir+f.Name] = f.Module
	}
	syntax, types, err := x.collect()
	if err != nil {
		return err
	}
	torn := func(f *finding) bool { return rulingOf(f.Code) != warns }
	if !slices.ContainsFunc(syntax, torn) {
		return x.judgeAll(append(syntax, types...))
	}
	for _, f := range syntax { // what a torn text means is anybody's guess, so nothing more is said
		if torn(f) || x.req.Mode == runtime.CheckStrict {
			x.add(f, verdict{severity: runtime.SeverityError, message: flatten(f)})
		}
	}
	return nil
}

// collect asks for everything at once: the errors in the script's files, syntax and types apart and
// each in order, and the files' trees. An error in the granted file, or in none, is not the script's
// and fails the check.
func (x *examination) collect() (syntax, types []*finding, err error) {
	names := slices.Sorted(maps.Keys(x.texts))
	trees := make([]encodedTree, len(names))
	found := make([][]*finding, 2*len(names)+3)
	requests := []request{{"getProgramDiagnostics", x.params(nil), &found[2*len(names)]}}
	if x.vetGranted {
		requests = append(requests, x.file("getSyntacticDiagnostics", grantedFile, &found[2*len(names)+1]),
			x.file("getSemanticDiagnostics", grantedFile, &found[2*len(names)+2]))
	}
	for i, name := range names {
		requests = append(requests, x.file("getSyntacticDiagnostics", name, &found[i]),
			x.file("getSemanticDiagnostics", name, &found[len(names)+i]), x.file("getSourceFile", name, &trees[i]))
	}
	if err := x.conn.batch(requests); err != nil {
		return nil, nil, err
	}
	for i, name := range names {
		if x.trees[name], err = x.decode(name, trees[i]); err != nil {
			return nil, nil, err
		}
	}
	syntax, others := x.mine(slices.Concat(found[:len(names)]...))
	types, more := x.mine(slices.Concat(found[len(names):]...))
	return syntax, types, broken(append(others, more...))
}

// mine parts the errors in the script's files, in order, from those elsewhere. What is wrong within a
// package is no matter of a script's.
func (x *examination) mine(found []*finding) (mine, others []*finding) {
	for _, f := range found {
		if _, ok := x.texts[f.File]; ok && f.Category == categoryError {
			mine = append(mine, f)
		} else if !strings.HasPrefix(f.File, packagesDir) {
			others = append(others, f)
		}
	}
	slices.SortStableFunc(mine, func(a, b *finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Pos, b.Pos))
	})
	return mine, others
}

// add records a diagnostic once for a place and code, while there is room for its severity.
func (x *examination) add(f *finding, v verdict) {
	if x.count[v.severity] >= x.limit {
		return
	}
	name := strings.TrimPrefix(f.File, scriptDir)
	file, _ := x.req.Script.File(name)
	line, column := file.Author(position(x.texts[f.File], f.Pos))
	code := cmp.Or(v.code, fmt.Sprintf("TS%d", f.Code))
	key := fmt.Sprintf("%s:%d:%d:%s", name, line, column, code)
	if x.seen[key] {
		return
	}
	x.seen[key] = true
	x.count[v.severity]++
	x.out = append(x.out, runtime.Diagnostic{
		File: name, Line: line, Column: column, Code: code, Severity: v.severity,
		Message: clip(v.message, maxMessage), Hint: clip(v.hint, maxMessage), Method: v.method, Missing: v.missing, Unknown: v.unknown,
	})
}

// report returns the diagnostics in order, at most x.limit of them.
func (x *examination) report() []runtime.Diagnostic {
	return order(x.out, x.req.Script.Files, x.limit)
}

// order sorts diagnostics by place; errors stay when something has to go.
func order(out []runtime.Diagnostic, files []runtime.SourceFile, limit int) []runtime.Diagnostic {
	rank := map[string]int{}
	for i, f := range files {
		rank[f.Name] = i
	}
	place := func(a, b runtime.Diagnostic) int {
		return cmp.Or(cmp.Compare(rank[a.File], rank[b.File]), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Code, b.Code))
	}
	slices.SortStableFunc(out, func(a, b runtime.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Severity, b.Severity), place(a, b)) // "error" before "warning"
	})
	out = out[:min(len(out), limit)]
	slices.SortStableFunc(out, place)
	return out
}

// position turns a UTF-16 offset into line and column, both from 1, the column in UTF-16 units.
func position(text string, offset uint32) (line, column int) {
	line, column = 1, 1
	for at := uint32(0); at < offset && text != ""; {
		r, size := utf8.DecodeRuneInString(text)
		text = text[size:]
		width := uint32(1)
		if r > 0xFFFF {
			width = 2
		}
		at += width
		if column += int(width); r == '\n' {
			line, column = line+1, 1
		}
	}
	return line, column
}

const maxMessage = 300

// clip cuts s to at most n bytes at a rune's edge, and says so with dots.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	n -= len("...")
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "..."
}
