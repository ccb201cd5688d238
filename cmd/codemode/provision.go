package main

// This file holds codemode provision.

import (
	"fmt"

	"github.com/spf13/cobra"

	"codemode/runtime/assemble"
)

func provisionCommand(t *terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "provision",
		Short: "Install the type checker ahead of its first use",
		Long: `provision looks for the pinned TypeScript compiler and, where there is none, installs it once with npm
into the user's cache folder, by version and integrity. The first check does the same.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			path, err := assemble.Provision(cmd.Context(), func(message string) { t.say("%s", message) })
			if err != nil {
				return err
			}
			if t.json {
				return t.printJSON(map[string]string{"compiler": path})
			}
			_, err = fmt.Fprintln(t.out, path)
			return err
		},
	}
}
