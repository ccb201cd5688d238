package gen

// This file gives flows what their steps say: a flow reaches what its steps reach and changes
// nothing when none of them does. Nothing is followed twice, so flows that call each other end; such
// flows stay irreversible.

import (
	"encoding/json"
	"fmt"
	"slices"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/directory/template"
)

// maxDestinations caps the origins of one flow.
const maxDestinations = 1000

// flow is one flow row while its steps are followed.
type flow struct {
	at       int     // its contract
	steps    [][]int // the contracts that each step may call; more than one where a slot names the operation
	broken   bool    // a step calls what is not offered
	declared directory.Row
	callers  []*flow
	called   []*flow
	crowded  bool // more destinations than are kept
	queued   bool
}

// follow completes the contracts of flows.
func (g *generator) follow() {
	byKey := map[string][]int{}
	for i, c := range g.contracts {
		byKey[c.Key] = append(byKey[c.Key], i)
	}
	flows := map[int]*flow{}
	g.followed = flows
	for i := range g.contracts {
		if row, ok := g.flows[i]; ok {
			flows[i] = g.steps(i, row, byKey)
		}
	}
	var queue []*flow
	for i := range g.contracts {
		f := flows[i]
		if f == nil {
			continue
		}
		f.queued, queue = true, append(queue, f)
		for _, callee := range slices.Concat(f.steps...) {
			if called := flows[callee]; called != nil && !slices.Contains(f.called, called) {
				called.callers, f.called = append(called.callers, f), append(f.called, called)
			}
		}
	}
	for ; len(queue) > 0; queue = queue[1:] { // what is known only grows, so this ends
		f := queue[0]
		if f.queued = false; !g.settleFlow(f) {
			continue
		}
		for _, caller := range f.callers {
			if !caller.queued {
				caller.queued, queue = true, append(queue, caller)
			}
		}
	}
	for i := range g.contracts {
		if f := flows[i]; f != nil {
			g.remarkFlow(f)
		}
	}
}

// steps finds what a flow calls, as the service will.
func (g *generator) steps(at int, row directory.Row, byKey map[string][]int) *flow {
	f := &flow{at: at, declared: row}
	src, ok := row.Source()
	t, err := template.Parse(src)
	if !ok || err != nil {
		f.broken = true // infer has said so
		return f
	}
	for i, step := range t.Steps() {
		callees, why := g.callees(step, byKey[step.Key])
		if why != "" {
			f.broken = true
			g.report(g.contracts[at], "template", fmt.Sprintf("step %d calls %s, %s", i+1, step.Key, why), "correct the step; the flow fails there")
		}
		f.steps = append(f.steps, callees)
	}
	return f
}

// callees are the contracts that a step may call. In a row of many operations the first argument
// names one.
func (g *generator) callees(step template.Step, rows []int) ([]int, string) {
	switch {
	case len(rows) == 0:
		return nil, "which is no row that is offered"
	case g.contracts[rows[0]].Operation == "":
		return rows, ""
	case len(step.Args) == 0:
		return nil, "which holds many operations, and names none"
	}
	named := step.Args[0]
	if text := ""; json.Unmarshal([]byte(named), &text) == nil {
		named = text
	}
	for _, i := range rows {
		if g.contracts[i].Operation == named {
			return []int{i}, ""
		}
	}
	if t, err := template.Parse(template.Source{Kind: template.Text, Content: step.Args[0]}); err == nil && len(t.Slots) > 0 {
		return rows, ""
	}
	return nil, fmt.Sprintf("which has no operation %q", named)
}

// settleFlow takes over what the steps say by now, and reports whether that changed anything.
func (g *generator) settleFlow(f *flow) bool {
	c := &g.contracts[f.at]
	placement, effect := contract.Pure, contract.Read
	origins := slices.Clone(c.Destinations)
	for _, i := range slices.Concat(f.steps...) {
		callee := g.contracts[i]
		origins = append(origins, callee.Destinations...)
		if callee.Effect != contract.Read {
			effect = contract.Irreversible
		}
		if callee.Placement == contract.Remote || placement == contract.Pure {
			placement = callee.Placement
		}
	}
	slices.Sort(origins)
	origins = slices.Compact(origins)
	crowded := f.crowded || len(origins) > maxDestinations || slices.ContainsFunc(f.called, func(called *flow) bool { return called.crowded })
	if crowded {
		origins = nil
	}
	changed := crowded != f.crowded || !slices.Equal(origins, c.Destinations)
	c.Destinations, f.crowded = origins, crowded
	if f.broken || len(f.steps) == 0 {
		return changed
	}
	if f.declared.Placement == "" && c.Placement != placement {
		c.Placement, changed = placement, true
	}
	if effect == contract.Read && c.Effect == contract.Irreversible && c.Provenance["effect"] == contract.FromNone && f.declared.Effect == "" {
		c.Effect, c.Provenance["effect"], changed = contract.Read, contract.FromTemplate, true
	}
	return g.lastResult(f) || changed
}

// lastResult gives a flow that says nothing of its result that of its last step, which it returns.
func (g *generator) lastResult(f *flow) bool {
	c, last := &g.contracts[f.at], f.steps[len(f.steps)-1]
	if c.Provenance["result"] != contract.FromNone || len(last) != 1 || g.contracts[last[0]].Provenance["result"] == contract.FromNone {
		return false
	}
	callee := g.contracts[last[0]]
	c.Result, c.Provenance["result"] = callee.Result, contract.FromTemplate
	if callee.Provenance["result"] == contract.FromObserved { // it is no surer for being handed on
		c.Provenance["result"] = contract.FromObserved
		c.Notes = append(c.Notes, "the result type is that of the last step, observed from recorded results and not declared; others may come")
	}
	return true
}

func (g *generator) remarkFlow(f *flow) {
	c := g.contracts[f.at]
	if f.crowded {
		g.report(c, "destinations", fmt.Sprintf("the flow reaches more than %d origins, and they are not listed", maxDestinations), "split the flow")
	}
	for _, i := range slices.Concat(f.steps...) {
		if callee := g.contracts[i]; c.Effect == contract.Read && callee.Effect != contract.Read {
			g.remark(c, "effect", fmt.Sprintf("the flow is declared as read, and its step %s is %s", callee.Key, callee.Effect), "take the declaration out, or declare the step as read if it is")
			return
		}
	}
}
