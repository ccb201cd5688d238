package main

// This file holds codemode bench schema.

import (
	"github.com/spf13/cobra"

	"codemode/bench"
	"codemode/bench/accuracy"
)

func benchSchemaCommand(t *terminal) *cobra.Command {
	return measure(t, &bench.Options{}, "schema", "Have the compiler judge the types made of JSON Schema",
		`schema makes types of JSON Schema documents and has the compiler that scripts are checked with judge them:
small schemas whose right types are known, the required tests of the JSON Schema Test Suite for draft 7 and
2020-12, and the component schemas of a large OpenAPI document. An instance is judged as the type that has no
other value, so that neither widening nor the rule for fresh object literals blurs the answer.`,
		accuracy.Schema)
}
