package runtime

// This file makes of budgets what bounds a run: the lowest that the grants, the task and the server say.

import (
	"fmt"
	"maps"
	"slices"
)

// defaultCalls is how many calls a grant allows that does not say.
const defaultCalls = 1_000

// ceiling is a dimension that a run is held to.
type ceiling struct {
	dimension Dimension
	// def applies where neither a grant nor the task says; most is the server's level where
	// Service.Maximum is silent; least is what a script needs to start.
	def, most, least int64
	// set puts it into a run's limits; nil for what calls use up.
	set func(*Limits, int64)
}

// ceilings are all dimensions that this version holds to.
var ceilings = []ceiling{
	{Calls, defaultCalls, 10_000, 0, nil},
	{ConcurrentCalls, 8, 64, 1, func(l *Limits, n int64) { l.ConcurrentCalls = int(n) }},
	{WallMillis, 30_000, 600_000, 1, func(l *Limits, n int64) { l.WallMillis = n }},
	{CPUMillis, 10_000, 120_000, 1, func(l *Limits, n int64) { l.CPUMillis = n }},
	{MemoryBytes, 256 << 20, 1 << 30, LeastMemory, func(l *Limits, n int64) { l.MemoryBytes = n }},
	{StackFrames, 800, 800, 20, func(l *Limits, n int64) { l.StackFrames = int(n) }},
	{SourceBytes, 256 << 10, 1 << 20, 1, func(l *Limits, n int64) { l.SourceBytes = n }},
	{Nesting, 64, 64, 1, func(l *Limits, n int64) { l.Nesting = int(n) }},
	{ArgumentBytes, 1 << 20, 16 << 20, 2, func(l *Limits, n int64) { l.ArgumentBytes = n }},
	{ResultBytes, 4 << 20, 16 << 20, 1, func(l *Limits, n int64) { l.ResultBytes = n }},
	{OutputBytes, 1 << 20, 16 << 20, 0, func(l *Limits, n int64) { l.OutputBytes = max(n, 1) }}, // one byte holds no JSON but a digit
	{ConsoleBytes, 256 << 10, 16 << 20, 0, func(l *Limits, n int64) { l.ConsoleBytes = orNone(n) }},
	{ConsoleLines, 1_000, 100_000, 0, func(l *Limits, n int64) { l.ConsoleLines = int(orNone(n)) }},
	{ArtifactBytes, 64 << 20, 1 << 30, 0, func(l *Limits, n int64) { l.ArtifactBytes = orNone(n) }},
	{ArtifactCount, 100, 10_000, 0, func(l *Limits, n int64) { l.ArtifactCount = int(orNone(n)) }},
}

// orNone is a limit of which 0 means none; as a field of Limits 0 is the default.
func orNone(n int64) int64 {
	if n == 0 {
		return -1
	}
	return n
}

func kept(d Dimension) bool {
	return slices.ContainsFunc(ceilings, func(c ceiling) bool { return c.dimension == d })
}

// maximum is the server's level: what the operator says, else the default.
func (s *Service) maximum() Budget {
	out := Budget{}
	for _, c := range ceilings {
		out[c.dimension] = c.most
	}
	return out.or(s.Maximum)
}

// or is the budget with what other says in the place of its own.
func (b Budget) or(other Budget) Budget {
	out := maps.Clone(b)
	for d, n := range other {
		if _, mine := b[d]; mine {
			out[d] = n
		}
	}
	return out
}

func (b Budget) only(d Dimension) Budget { return Budget{d: b[d]} }

// limits are those of a run: what the budget says, else the defaults, never over the maximum.
func (b Budget) limits(maximum Budget) (Limits, *Error) {
	var out Limits
	for _, c := range ceilings {
		n := b.amount(c, maximum)
		if n < c.least {
			return out, Errorf(InvalidArgument, "a budget of %d %s is too small for a script to start", n, c.dimension).WithHint("it takes at least %d", c.least)
		}
		if c.set != nil {
			c.set(&out, n)
		}
	}
	return out, nil
}

func (b Budget) amount(c ceiling, maximum Budget) int64 {
	n, said := b[c.dimension]
	if !said {
		n = c.def
	}
	return min(n, maximum[c.dimension])
}

// InForce is what a run of these grants, with this budget of its own, is held to. The calls of several
// grants add up method by method, so that there is no one number of them.
func (s *Service) InForce(grants []Grant, task Budget) Budget {
	ceiling := task.Tighten(nil)
	for _, g := range grants {
		ceiling = ceiling.Tighten(g.Budget)
	}
	out, most := Budget{}, s.maximum()
	for _, c := range ceilings {
		out[c.dimension] = ceiling.amount(c, most)
	}
	if len(grants) > 1 {
		delete(out, Calls)
		if n, said := task[Calls]; said {
			out[Calls] = min(n, most[Calls])
		}
	}
	return out
}

// Lines are the dimensions with their amounts, in the order in which they are best read.
func (b Budget) Lines() []string {
	var out []string
	for _, c := range ceilings {
		if n, said := b[c.dimension]; said {
			out = append(out, fmt.Sprintf("%s %d", c.dimension, n))
		}
	}
	return out
}
