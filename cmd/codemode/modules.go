package main

// This file holds codemode modules.

import (
	"github.com/spf13/cobra"

	"codemode/runtime/assemble"
)

func modulesCommand(t *terminal) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "modules",
		Short: "Prepare a folder of npm packages that scripts may import",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "prepare FOLDER NAME@VERSION...",
		Short: "Install packages and put them on the folder's list",
		Long: `prepare installs packages of exactly the versions named with npm, runs none of their scripts, and
writes codemode-modules.json, which holds each package's version and the digest of its content. A script
may import what is on the list, with --modules FOLDER; nothing is installed or looked up when it runs, and
a package whose content is not what the list says is refused. Packages that a package needs must be named
too.`,
		Example: `  codemode modules prepare modules/ lodash-es@4.17.21 @types/lodash-es@4.17.12
  codemode run job.ts --directory rows/ --grant grant.json --modules modules/`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			remarks, err := assemble.PrepareModules(cmd.Context(), args[0], args[1:], t.err)
			if err != nil {
				return err
			}
			if t.json {
				return t.printJSON(map[string][]string{"remarks": orEmpty(remarks)})
			}
			for _, r := range remarks {
				t.say("%s", printable(r, 0))
			}
			return nil
		},
	})
	return cmd
}

// modulesFlag adds the flag that names a prepared folder.
func modulesFlag(cmd *cobra.Command, into *string) {
	cmd.Flags().StringVar(into, "modules", "", "a folder of packages that scripts may import: see codemode modules prepare")
	must(cmd.MarkFlagDirname("modules"))
}
