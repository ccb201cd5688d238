package main

// This file holds codemode bench inference.

import (
	"github.com/spf13/cobra"

	"codemode/bench"
	"codemode/bench/accuracy"
)

func benchInferenceCommand(t *terminal) *cobra.Command {
	var opts bench.Options
	cmd := measure(t, &opts, "inference", "Compare inferred contracts with contracts written by hand",
		`inference generates the example directory and compares each contract for which gold/ beside it has
one: names, types, what is required, defaults, results and effects. One half of the gold was never used to
tune. Where the public function documents are present, the same is told of them with their schemas withheld.`, accuracy.Inference)
	cmd.Flags().StringVar(&opts.Fixtures, "fixtures", "fixtures", "the folder with directory/ and gold/")
	return cmd
}
