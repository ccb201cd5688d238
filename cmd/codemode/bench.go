package main

// This file holds codemode bench, whose subcommands share their flags and how a report is printed.

import (
	"github.com/spf13/cobra"

	"codemode/bench"
)

// measures are the subcommands of bench.
func measures(t *terminal) []*cobra.Command {
	return []*cobra.Command{
		benchInferenceCommand(t), benchResultsCommand(t), benchSchemaCommand(t), benchSearchCommand(t), benchSpeedCommand(t),
	}
}

func benchCommand(t *terminal) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure how right and how fast codemode is",
		Long: `bench measures on the example directory and, where it is present, on public data. A part whose data
is absent is left out, and the report names it: with --json under "absent".`,
		Example: `  codemode bench inference --fixtures fixtures
  codemode bench search --data ../shared/data
  codemode bench schema --json > schema.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(measures(t)...)
	return cmd
}

// measure makes one subcommand of bench. The bench may have further flags that set opts.
func measure(t *terminal, opts *bench.Options, use, short, long string, run func(bench.Options) (bench.Report, error)) *cobra.Command {
	cmd := &cobra.Command{
		Use: use, Short: short, Long: long,
		Example: "  codemode bench " + use + "\n  codemode bench " + use + " --json > " + use + ".json",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			report, err := run(*opts)
			if err != nil {
				return err
			}
			if t.json {
				return t.printJSON(report)
			}
			for _, table := range report.Tables() {
				if err := table.Write(t.out); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&opts.Data, "data", "../shared/data", "the folder with public test data")
	return cmd
}
