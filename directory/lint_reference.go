package directory

// This file lints what rows say of each other: the steps of flows, readback and undo.

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"codemode/directory/template"
)

func (l *linter) flow(r *Row, t *template.Template) {
	var called []string
	for i, step := range t.Steps() {
		target := l.rows[step.Key]
		switch {
		case target == nil:
			l.error(r, "unknown_step", fmt.Sprintf("step %d calls %s, which is no row", i+1, cut(step.Key)), l.unknownStep(step.Key))
			continue
		case !target.IsEnabled():
			l.error(r, "unknown_step", fmt.Sprintf("step %d calls %s, which is disabled", i+1, step.Key), "enable it or take the step out")
		case len(target.TargetMap) > 0:
			l.stepOperation(r, i+1, step, target)
		}
		called = append(called, target.Key)
	}
	l.steps[r.Key] = called
}

// unknownStep hints at the row that was meant, also where its operation stands in the key.
func (l *linter) unknownStep(key string) string {
	if at := strings.LastIndexAny(key, ".#"); at > 0 {
		if row := l.rows[key[:at]]; row != nil && len(row.TargetMap) > 0 {
			return fmt.Sprintf("an operation is the step's first argument: %s:%s", key[:at], cut(key[at+1:]))
		}
	}
	return l.near(key, "name a row's key")
}

// stepOperation lints the first argument of a step, which names one of the row's operations.
func (l *linter) stepOperation(r *Row, n int, step template.Step, target *Row) {
	named, has := "", len(step.Args) > 0
	if has {
		if named = step.Args[0]; json.Unmarshal([]byte(named), &named) != nil {
			named = step.Args[0]
		}
	}
	_, known := target.TargetMap[named]
	switch {
	case known || strings.Contains(named, "$"):
	case !has:
		l.error(r, "unknown_step", fmt.Sprintf("step %d calls %s, which holds many operations, and names none", n, step.Key), fmt.Sprintf("write %s:%s|...", step.Key, target.operations()[0]))
	default:
		l.error(r, "unknown_step", fmt.Sprintf("step %d calls %s, which has no operation %q", n, step.Key, cut(named)), "it has: "+cut(strings.Join(target.operations(), ", ")))
	}
}

// maxHints caps the "did you mean" of one lint.
const maxHints = 100

// near suggests a row's key.
func (l *linter) near(key, otherwise string) string {
	if l.hints++; l.hints <= maxHints {
		if near := nearest(key, l.keys); near != "" {
			return fmt.Sprintf("did you mean %q?", near)
		}
	}
	return otherwise
}

// cycles reports flows that never end: flows are taken away once all they call is taken away, and
// those that stay call themselves, directly or by others.
func (l *linter) cycles(rows []Row) {
	callers := map[string][]string{}
	open := map[string]int{}
	for flow, called := range l.steps {
		for _, key := range called {
			if _, isFlow := l.steps[key]; isFlow {
				callers[key] = append(callers[key], flow)
				open[flow]++
			}
		}
	}
	var done []string
	for flow := range l.steps {
		if open[flow] == 0 {
			done = append(done, flow)
		}
	}
	for ; len(done) > 0; done = done[1:] {
		for _, caller := range callers[done[0]] {
			if open[caller]--; open[caller] == 0 {
				done = append(done, caller)
			}
		}
	}
	for i := range rows {
		if r := &rows[i]; open[r.Key] > 0 {
			l.error(r, "flow_cycle", "the flow calls itself, or a flow that does", "take the step out")
		}
	}
}

// reference lints undo and readback: "KEY arg=/result/id other=/args/x".
func (l *linter) references(r *Row) {
	for _, ref := range [][2]string{{"readback", r.Readback}, {"undo", r.Undo}} {
		words := strings.Fields(ref[1])
		if len(words) == 0 {
			continue
		}
		if key, _, ok := strings.Cut(words[0], "("); ok {
			l.error(r, "invalid_reference", fmt.Sprintf("%s names %s with brackets", ref[0], cut(key)), "write "+cut(key)+referenceForm)
			continue
		}
		l.referred(r, ref[0], words[0])
		l.mappings(r, ref[0], words[1:])
	}
}

const referenceForm = " arg=/result/id other=/args/name"

// referred lints the row that is named: "KEY", or "KEY#operation".
func (l *linter) referred(r *Row, field, key string) {
	row, operation, isOperation := l.rows[key], "", false
	if row == nil {
		var of string
		of, operation, isOperation = strings.Cut(key, "#")
		row = l.rows[of]
	}
	switch {
	case row == nil:
		l.error(r, "unknown_reference", fmt.Sprintf("%s names %s, which is no row", field, cut(key)), l.near(key, "name a row's key, or KEY#operation"))
	case !row.IsEnabled():
		l.error(r, "unknown_reference", fmt.Sprintf("%s names %s, which is disabled", field, cut(key)), "enable it, or take the reference out")
	case isOperation:
		if _, ok := row.TargetMap[operation]; !ok {
			l.error(r, "unknown_reference", fmt.Sprintf("%s names %s, and %s has no such operation", field, cut(key), row.Key), "it has: "+cut(strings.Join(row.operations(), ", ")))
		}
	case len(row.TargetMap) > 0:
		l.error(r, "unknown_reference", fmt.Sprintf("%s names %s, which holds many operations", field, cut(key)), "name one: "+row.Key+"#"+row.operations()[0])
	}
}

// pointerRE is a JSON Pointer (RFC 6901) into the arguments or the result.
var pointerRE = regexp.MustCompile(`^/(?:args|result)(?:/(?:[^~/]|~[01])*)*$`)

// maxMappings caps the wrong mappings that are told of one reference.
const maxMappings = 5

func (l *linter) mappings(r *Row, field string, words []string) {
	seen, wrong := map[string]bool{}, 0
	for _, word := range words {
		name, pointer, ok := strings.Cut(word, "=")
		fault := ""
		switch {
		case !ok || name == "":
			fault = fmt.Sprintf("%s has %q, which is no mapping of an argument", field, cut(word))
		case !pointerRE.MatchString(pointer):
			fault = fmt.Sprintf("%s takes %s from %q; a pointer begins with /args or /result", field, cut(name), cut(pointer))
		case seen[name]:
			fault = fmt.Sprintf("%s gives %s twice", field, cut(name))
		}
		seen[name] = true
		if fault == "" {
			continue
		}
		if wrong++; wrong <= maxMappings {
			l.error(r, "invalid_reference", fault, "write KEY"+referenceForm)
		}
	}
}
