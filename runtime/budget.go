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
	Calls           Dimension = "calls"
	ConcurrentCalls Dimension = "concurrent_calls"
	Subrequests     Dimension = "subrequests"
	CPUMillis       Dimension = "cpu_ms"
	WallMillis      Dimension = "wall_ms"
	MemoryBytes     Dimension = "memory_bytes"
	StackFrames     Dimension = "stack_frames"
	SourceBytes     Dimension = "source_bytes"
	Nesting         Dimension = "nesting"        // levels of the script's text
	ArgumentBytes   Dimension = "argument_bytes" // of one call
	ResultBytes     Dimension = "result_bytes"   // of one call
	OutputBytes     Dimension = "output_bytes"   // of the script's own result
	ConsoleBytes    Dimension = "console_bytes"
	ConsoleLines    Dimension = "console_lines"
	ArtifactBytes   Dimension = "artifact_bytes" // of all files together
	ArtifactCount   Dimension = "artifact_count"
	EgressBytes     Dimension = "egress_bytes"
	Retries         Dimension = "retries"
	Attempts        Dimension = "attempts"
	CostMicroUSD    Dimension = "cost_microusd"
)

// unkept are dimensions that have a name and no keeper yet. A budget that names one is refused: a limit
// that nobody keeps is worse than none.
var unkept = []Dimension{Subrequests, EgressBytes, Retries, Attempts, CostMicroUSD}

// Budget limits dimensions. A missing dimension is not limited here (another level may limit it);
// a dimension at 0 allows nothing.
type Budget map[Dimension]int64

// UnmarshalJSON refuses unknown dimensions and negative amounts.
func (b *Budget) UnmarshalJSON(raw []byte) error {
	var amounts map[Dimension]json.RawMessage
	if err := json.Unmarshal(raw, &amounts); err != nil {
		return fmt.Errorf("budget is %.40s, want an object such as {\"calls\": 100}", raw)
	}
	if amounts == nil {
		return nil // null is no budget, before and after a store has kept it
	}
	m := Budget{}
	for _, d := range slices.Sorted(maps.Keys(amounts)) {
		var err error
		if m[d], err = strconv.ParseInt(string(amounts[d]), 10, 64); err != nil {
			return fmt.Errorf("budget: %s is %.40s, want a whole number", d, amounts[d])
		}
		if !kept(d) && !slices.Contains(unkept, d) {
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
	names := make([]string, len(ceilings))
	for i, c := range ceilings {
		names[i] = string(c.dimension)
	}
	return strings.Join(names, ", ")
}

// refused says why a budget cannot be held to.
func (b Budget) refused(holder string) *Error {
	for _, d := range slices.Sorted(maps.Keys(b)) {
		switch {
		case slices.Contains(unkept, d):
			return Errorf(InvalidArgument, "%s limits %s, which this version does not enforce", holder, d).WithHint("leave it out of the budget")
		case !kept(d):
			return Errorf(InvalidArgument, "%s limits %q, which is no dimension", holder, d).WithHint("known are %s", dimensionList())
		case b[d] < 0:
			return Errorf(InvalidArgument, "%s has %d %s", holder, b[d], d).WithHint("write 0 or more")
		}
	}
	return nil
}
