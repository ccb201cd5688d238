package main

// This file holds the part of help grants that lists the dimensions of a budget. Their amounts are the service's own.

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"text/tabwriter"

	"codemode/runtime"
)

// dimension says of one what it bounds and how a run ends that goes past it.
type dimension struct {
	name   runtime.Dimension
	reason runtime.Reason // "" where the run goes on
	what   string
}

var dimensions = []dimension{
	{runtime.Calls, runtime.ReasonCalls, "calls of methods; one too many is refused with budget_exhausted"},
	{runtime.ConcurrentCalls, "", "calls under way at once; further ones wait"},
	{runtime.WallMillis, runtime.ReasonWall, "milliseconds from the start to the result"},
	{runtime.CPUMillis, runtime.ReasonCPU, "milliseconds of computing; waiting costs none"},
	{runtime.MemoryBytes, runtime.ReasonMemory, "memory of the script's process"},
	{runtime.StackFrames, runtime.ReasonStack, "calls of the script's functions within one another"},
	{runtime.SourceBytes, runtime.ReasonSource, "the script's files together"},
	{runtime.Nesting, runtime.ReasonNesting, "brackets and the like within one another in its text"},
	{runtime.ArgumentBytes, runtime.ReasonArguments, "arguments of one call; it fails with invalid_argument"},
	{runtime.ResultBytes, runtime.ReasonResult, "result of one call; it fails with result_too_large"},
	{runtime.OutputBytes, runtime.ReasonOutput, "the script's own result"},
	{runtime.ConsoleBytes, "", "console; what is past it is dropped, and truncated.console says so"},
	{runtime.ConsoleLines, "", "console; the same"},
	{runtime.ArtifactBytes, runtime.ReasonArtifacts, "artifacts together"},
	{runtime.ArtifactCount, runtime.ReasonFiles, "artifacts"},
}

// budgetTopic lists the dimensions. The unit stands in the name: _ms, _bytes, else a number of things.
func budgetTopic() string {
	defaults, most := amounts()
	var b strings.Builder
	b.WriteString(`BUDGET
  Each is a whole number, in milliseconds (_ms), bytes (_bytes), or of what the name says. A grant, --limit NAME=VALUE
  and the service each bound a run, and the lowest holds. Another name is refused. What goes past a limit and is not
  caught ends the run with exit code 4 and the reason shown; - goes on.

`)
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "  dimension\tdefault\tat most\treason\tbounds")
	for _, d := range dimensions {
		fmt.Fprintf(w, "  %s\t%d\t%d\t%s\t%s\n", d.name, defaults[d.name], most[d.name], cmp.Or(d.reason, "-"), d.what)
	}
	must(w.Flush()) // into memory
	return b.String()
}

// amounts are what a run has where nothing is said, and the most that it can have.
func amounts() (defaults, most runtime.Budget) {
	var service runtime.Service
	defaults = service.InForce(nil, nil)
	unbounded := runtime.Budget{}
	for d := range defaults {
		unbounded[d] = math.MaxInt64
	}
	return defaults, service.InForce(nil, unbounded)
}
