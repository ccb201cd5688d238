package main

// This file holds codemode bench speed.

import (
	"github.com/spf13/cobra"

	"codemode/bench"
	"codemode/bench/speed"
)

func benchSpeedCommand(t *terminal) *cobra.Command {
	var opts bench.Options
	cmd := measure(t, &opts, "speed", "Time whole runs beside the bare engine, and count how many a second go",
		`speed runs scripts on the example directory: in a bare VM of this process, as runs without the type check,
and as runs with it, in turn, a worker in reserve. Then 1, 4 and 16 clients keep the service busy. The store is on
disk in the folder for temporary files; the calls are functions of this process, so that no network is
measured.`, speed.Run)
	cmd.Flags().StringVar(&opts.Fixtures, "fixtures", "fixtures", "the folder with directory/")
	return cmd
}
