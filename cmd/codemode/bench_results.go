package main

// This file holds codemode bench results.

import (
	"github.com/spf13/cobra"

	"codemode/bench"
	"codemode/bench/accuracy"
)

func benchResultsCommand(t *terminal) *cobra.Command {
	return measure(t, &bench.Options{}, "results", "Hold recorded results against declared types, in real runs, and against learnt ones",
		`results takes public recorded calls with the result that each really returned. Every result either fits
the type its function document declares or is flagged, by reason. Scripts make the same calls in real runs
whose invoker answers with what was recorded: none may end because of a result, and each must arrive as it
was. Then types are learnt of one half of the tasks, as codemode learn does, and held against the results of
the other half.`,
		accuracy.Results)
}
