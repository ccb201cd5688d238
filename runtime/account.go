package runtime

// This file holds what is left of a run's budgets while it goes. Its journal says what was charged, so
// that a process that takes the run over comes to the same.

import (
	"maps"
	"sync"
)

type accounts struct {
	mu   sync.Mutex
	left map[string]Budget
}

func newAccounts(budgets map[string]Budget) *accounts {
	a := &accounts{left: map[string]Budget{}}
	for name, b := range budgets {
		a.left[name] = b.Tighten(nil)
	}
	return a
}

// reserve takes the charge from every account named, or from none. A dimension that an account does not
// name is not limited by it.
func (a *accounts) reserve(names []string, charge map[Dimension]int64) (before, after BudgetSnaps, err *Error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	before = a.snap(names)
	for _, name := range names {
		for d, n := range charge {
			if left, limited := a.left[name][d]; limited && n > left {
				return nil, nil, (&Exhausted{Account: name, Dimension: d, Asked: n, Left: left}).Failure()
			}
		}
	}
	a.take(names, charge)
	return before, a.snap(names), nil
}

// take charges what was used already, down to 0.
func (a *accounts) take(names []string, charge map[Dimension]int64) {
	for _, name := range names {
		for d, n := range charge {
			if left, limited := a.left[name][d]; limited {
				a.left[name][d] = max(0, left-n)
			}
		}
	}
}

func (a *accounts) snap(names []string) BudgetSnaps {
	out := BudgetSnaps{}
	for _, name := range names {
		out[name] = a.left[name].Tighten(nil)
	}
	return out
}

func (a *accounts) balance(names []string) BudgetSnaps {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.snap(names)
}

// all is what is left in every account.
func (a *accounts) all() map[string]Budget {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := map[string]Budget{}
	for name, b := range a.left {
		out[name] = maps.Clone(b)
	}
	return out
}
