package runtime

// This file makes of a run's grants what it may call and how much it may spend.

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"codemode/directory/contract"
)

// authority is what the grants allow, within the task's own budget and the server's maximum: of each
// dimension the lowest that is said.
func (s *Service) authority(grants []Grant, task Budget) (authority, *Error) {
	a := authority{methods: map[string]contract.Contract{}, accounts: map[string]Budget{}, digest: digestOf(grants)}
	if err := cmp.Or(task.refused("the task's budget"), s.Maximum.refused("the server's maximum")); err != nil {
		return a, err
	}
	ceiling := task.Tighten(nil)
	for i, g := range grants {
		if err := sameHolder(grants, g); err != nil {
			return a, err
		}
		bound, err := s.bind(g, fmt.Sprintf("grant:%d", i+1), a.methods)
		if err != nil {
			return a, err
		}
		a.grants = append(a.grants, bound)
		a.remarks = append(a.remarks, s.remarks(bound)...)
		a.accounts[bound.account] = Budget{Calls: defaultCalls}.or(g.Budget)
		ceiling = ceiling.Tighten(g.Budget)
	}
	a.names = slices.Sorted(maps.Keys(a.methods))
	a.accounts[runAccount] = s.maximum().Tighten(task).only(Calls)
	var err *Error
	a.limits, err = ceiling.limits(s.maximum())
	return a, err
}

// sameHolder refuses grants of different principals or agents in one run.
func sameHolder(grants []Grant, g Grant) *Error {
	for _, other := range grants {
		if !g.Empty() && !other.Empty() && (other.Principal != g.Principal || other.Agent != g.Agent) {
			return Errorf(InvalidArgument, "the grants are of %s for %s and of %s for %s", other.Principal, other.Agent, g.Principal, g.Agent).
				WithHint("a run acts for one principal through one agent")
		}
	}
	return nil
}

// bind finds the contracts that a grant covers and compiles its condition against each.
func (s *Service) bind(g Grant, account string, methods map[string]contract.Contract) (boundGrant, *Error) {
	b := boundGrant{Grant: g, account: account, conditions: map[string]Condition{}}
	if err := g.Budget.refused(account); err != nil {
		return b, err
	}
	if g.Expired(s.Now()) {
		return b, nil // grants nothing any more
	}
	for _, c := range s.Surface.Contracts {
		if !g.Covers(c) {
			continue
		}
		if g.When != "" {
			condition, err := s.Conditions.Compile(g.When, c.Params)
			if err != nil {
				return b, Errorf(InvalidArgument, "the condition of %s does not fit %s: %s", account, c.Name, AsError(err).Message).WithHint("it is: %s", g.When)
			}
			b.conditions[c.Name] = condition
		}
		methods[c.Name] = c
	}
	return b, nil
}

// remarks say why a grant permits less than its author may think.
func (s *Service) remarks(b boundGrant) []Diagnostic {
	var out []Diagnostic
	remark := func(hint, format string, args ...any) {
		out = append(out, Diagnostic{File: b.account, Code: "CM003", Severity: SeverityWarning, Message: fmt.Sprintf(format, args...), Hint: hint})
	}
	switch {
	case b.Empty():
		return nil
	case b.Expired(s.Now()):
		remark("ask for a new one", "the grant expired at %s and grants nothing", b.Expires)
		return out
	case b.Resource == "":
		remark(`"*" is every row`, "the grant names no resource, so it grants nothing")
		return out
	case !slices.ContainsFunc(s.Surface.Contracts, func(c contract.Contract) bool { return b.Resource == "*" || matchesAny([]string{b.Resource}, c.Key) }):
		remark(`it is a pattern over row keys; "*" is every row`, "resource %q matches no row", b.Resource)
		return out
	}
	for _, p := range b.Operations {
		if !slices.ContainsFunc(s.Surface.Contracts, func(c contract.Contract) bool { return matchesAny([]string{p}, c.Name) }) {
			remark(s.operationHint(p), "operations has %q, which matches no method", p)
		}
	}
	return out
}

func (s *Service) operationHint(pattern string) string {
	names := make([]string, 0, len(s.Surface.Contracts))
	for _, c := range s.Surface.Contracts {
		if c.Key == pattern {
			return "write the method's name: " + c.Name
		}
		names = append(names, c.Name)
	}
	if near := nearest(pattern, names); len(near) > 0 {
		return "did you mean " + near[0] + "?"
	}
	return `methods are named "namespace.method"`
}
