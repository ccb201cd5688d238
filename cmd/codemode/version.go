package main

// This file holds codemode version.

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"codemode/runtime/assemble"
)

func versionCommand(t *terminal) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the versions of codemode and its parts", Args: noArgs,
		RunE: func(_ *cobra.Command, _ []string) error {
			versions := assemble.Versions()
			if t.json {
				return t.printJSON(versions)
			}
			for _, name := range slices.Sorted(maps.Keys(versions)) {
				fmt.Fprintln(t.out, name, versions[name])
			}
			return nil
		},
	}
}
