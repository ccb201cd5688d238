package directory

// This file lints what rows say of each other: the steps of flows, readback and undo.

import (
	"fmt"
	"regexp"
	"strings"

	"codemode/directory/template"
)

func (l *linter) flow(r *Row, t *template.Template) {
	var called []string
	for i, step := range t.Steps() {
		target := l.resolve(step.Key)
		switch {
		case target == nil:
			l.error(r, "unknown_step", fmt.Sprintf("step %d calls %s, which is no row", i+1, step.Key), l.near(step.Key))
			continue
		case !target.IsEnabled():
			l.error(r, "unknown_step", fmt.Sprintf("step %d calls %s, which is disabled", i+1, step.Key), "enable it or take the step out")
		}
		called = append(called, target.Key)
	}
	l.steps[r.Key] = called
}

// resolve finds the row of a key, or of KEY.operation.
func (l *linter) resolve(key string) *Row {
	if row := l.rows[key]; row != nil {
		return row
	}
	at := strings.LastIndexAny(key, ".#")
	if at < 0 {
		return nil
	}
	row := l.rows[key[:at]]
	if row == nil {
		return nil
	}
	if _, ok := row.TargetMap[key[at+1:]]; !ok {
		return nil
	}
	return row
}

// maxHints caps the "did you mean" of one lint.
const maxHints = 100

func (l *linter) near(key string) string {
	if l.hints++; l.hints <= maxHints {
		if near := nearest(key, l.keys); near != "" {
			return fmt.Sprintf("did you mean %q?", near)
		}
	}
	return "name a row's key, or KEY.operation"
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

// referenceRE takes the key off "KEY", "KEY(id=/args/id)" and "KEY id=/result/id".
var referenceRE = regexp.MustCompile(`^[^\s(|:>]+`)

// methodName matches "namespace.method", which only the generator can resolve.
var methodName = regexp.MustCompile(`^[a-z]\w*\.[a-z]\w*$`)

func (l *linter) references(r *Row) {
	for _, ref := range [][2]string{{"readback", r.Readback}, {"undo", r.Undo}} {
		key := referenceRE.FindString(strings.TrimSpace(ref[1]))
		if strings.TrimSpace(ref[1]) == "" || l.resolve(key) != nil || methodName.MatchString(key) {
			continue
		}
		l.error(r, "unknown_reference", fmt.Sprintf("%s names %s, which is no row", ref[0], key), l.near(key))
	}
}
