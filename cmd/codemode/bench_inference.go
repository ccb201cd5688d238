package main

import (
	"github.com/spf13/cobra"

	"codemode/bench/accuracy"
)

func benchInferenceCommand(t *terminal) *cobra.Command {
	return measure(t, "inference", "Compare inferred contracts with contracts written by hand",
		`inference generates the example directory and compares each contract for which fixtures/gold has one: names, types,
what is required, defaults, results and effects. One half of the gold was never used to tune. Where the public
function documents are present, the same is told of them with their schemas withheld.`, accuracy.Inference)
}
