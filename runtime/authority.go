package runtime

// This file makes of a run's grants what it may call and how much it may spend.

import (
	"fmt"
	"maps"
	"slices"

	"codemode/directory/contract"
)

// defaultMaximum is the server's level where Service.Maximum is silent.
var defaultMaximum = Budget{Calls: 10_000, WallMillis: 600_000, MemoryBytes: 1 << 30, OutputBytes: 16 << 20}

// defaults apply where no grant names the dimension.
var defaults = Budget{Calls: 1_000, WallMillis: 30_000, MemoryBytes: 256 << 20, OutputBytes: 1 << 20}

// enforced are the dimensions that this version holds to. A grant that names another is refused:
// a limit that nobody keeps is worse than none.
var enforced = []Dimension{Calls, WallMillis, MemoryBytes, OutputBytes}

// least is what a ceiling must at least allow for a worker to start.
var least = Budget{WallMillis: 1, MemoryBytes: 64 << 20}

func (s *Service) authority(grants []Grant) (authority, *Error) {
	a := authority{methods: map[string]contract.Contract{}, accounts: map[string]Budget{}, digest: digestOf(grants)}
	ceiling := Budget{}
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
		a.accounts[bound.account] = consumables(g.Budget)
		ceiling = ceiling.Tighten(g.Budget)
	}
	a.names = slices.Sorted(maps.Keys(a.methods))
	return a, a.bound(ceiling, s.maximum())
}

// maximum is the server's level: what the operator says, else the default.
func (s *Service) maximum() Budget {
	out := maps.Clone(defaultMaximum)
	maps.Copy(out, s.Maximum)
	return out
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
	for d := range g.Budget {
		if !slices.Contains(enforced, d) {
			return b, Errorf(InvalidArgument, "%s limits %s, which this version does not enforce", account, d).WithHint("leave it out of the budget")
		}
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

// bound fixes the limits of the run: what the grants say, else the defaults, never over the maximum.
func (a *authority) bound(ceiling, maximum Budget) *Error {
	for _, d := range enforced {
		limit, said := ceiling[d]
		if !said {
			limit = defaults[d]
		}
		limit = min(limit, maximum[d])
		if limit < least[d] {
			return Errorf(InvalidArgument, "a budget of %d %s is too small for a script to start", limit, d).WithHint("it takes at least %d", least[d])
		}
		switch d {
		case WallMillis:
			a.limits.WallMillis = limit
		case MemoryBytes:
			a.limits.MemoryBytes = limit
		case OutputBytes:
			a.limits.OutputBytes = max(limit, 1) // 0 is the worker's default; one byte holds no JSON but a digit
		case Calls:
			a.accounts[runAccount] = Budget{Calls: maximum[d]}
		}
	}
	a.limits.ResultBytes = 8 << 20
	a.addDefaults()
	return nil
}

// addDefaults bounds the calls of grants that do not say how many.
func (a *authority) addDefaults() {
	for account, b := range a.accounts {
		if _, said := b[Calls]; !said {
			a.accounts[account] = b.Tighten(Budget{Calls: defaults[Calls]})
		}
	}
}

// consumables are the dimensions that calls use up, as opposed to ceilings.
func consumables(b Budget) Budget {
	out := Budget{}
	if n, ok := b[Calls]; ok {
		out[Calls] = n
	}
	return out
}
