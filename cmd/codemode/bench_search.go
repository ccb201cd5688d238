package main

// This file holds codemode bench search.

import (
	"github.com/spf13/cobra"

	"codemode/bench"
	"codemode/bench/accuracy"
)

func benchSearchCommand(t *terminal) *cobra.Command {
	return measure(t, &bench.Options{}, "search", "Measure what search finds, within how many tokens, and how fast", `bench search makes rows of a public list of APIs, generates contracts as for any directory, and asks
the queries that go with the list: are the operations that each needs among the first hits, and within
an answer of 1,500 and 3,000 tokens? Plain BM25 is computed beside it. Even and odd query ids are
apart: the weights were tuned on the even ones only.`, accuracy.Search)
}
