package runtime

// This file holds budgets: limits by dimension. Each dimension's name carries its unit.

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Dimension names one limited resource.
type Dimension string

const (
	Calls        Dimension = "calls"
	Subrequests  Dimension = "subrequests"
	CPUMillis    Dimension = "cpu_ms"
	WallMillis   Dimension = "wall_ms"
	MemoryBytes  Dimension = "memory_bytes"
	OutputBytes  Dimension = "output_bytes"
	EgressBytes  Dimension = "egress_bytes"
	Retries      Dimension = "retries"
	Attempts     Dimension = "attempts"
	CostMicroUSD Dimension = "cost_microusd"
)

var dimensions = []Dimension{Calls, Subrequests, CPUMillis, WallMillis, MemoryBytes, OutputBytes, EgressBytes, Retries, Attempts, CostMicroUSD}

// Budget limits dimensions. A missing dimension is not limited here (another level may limit it);
// a dimension at 0 allows nothing.
type Budget map[Dimension]int64

// UnmarshalJSON refuses unknown dimensions and negative amounts.
func (b *Budget) UnmarshalJSON(raw []byte) error {
	var amounts map[Dimension]json.RawMessage
	if err := json.Unmarshal(raw, &amounts); err != nil {
		return fmt.Errorf("budget is %.40s, want an object such as {\"calls\": 100}", raw)
	}
	m := Budget{}
	for _, d := range slices.Sorted(maps.Keys(amounts)) {
		var err error
		if m[d], err = strconv.ParseInt(string(amounts[d]), 10, 64); err != nil {
			return fmt.Errorf("budget: %s is %.40s, want a whole number", d, amounts[d])
		}
		if !slices.Contains(dimensions, d) {
			return fmt.Errorf("budget: unknown dimension %q; known are %s", d, dimensionList())
		}
		if m[d] < 0 {
			return fmt.Errorf("budget: %s is %d, want 0 or more", d, m[d])
		}
	}
	*b = m
	return nil
}

// Tighten returns the budget that allows only what both allow.
func (b Budget) Tighten(other Budget) Budget {
	out := maps.Clone(b)
	if out == nil {
		out = Budget{}
	}
	for d, n := range other {
		if have, ok := out[d]; !ok || n < have {
			out[d] = n
		}
	}
	return out
}

// Exhausted says which account had too little; it is the Cause of a BudgetExhausted error.
type Exhausted struct {
	Account     string
	Dimension   Dimension
	Asked, Left int64
}

// Failure is the Error to return.
func (e *Exhausted) Failure() *Error {
	return Errorf(BudgetExhausted, "%s", e.Error()).
		WithHint("use what is left, or ask for a grant with a larger budget of %s", e.Dimension).WithCause(e)
}

func (e *Exhausted) Error() string {
	return fmt.Sprintf("the budget of account %q has %d %s left, and %d were asked for", e.Account, e.Left, e.Dimension, e.Asked)
}

func dimensionList() string {
	names := make([]string, len(enforced))
	for i, d := range enforced {
		names[i] = string(d)
	}
	return strings.Join(names, ", ")
}
