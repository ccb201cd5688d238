package main

// This file holds the command tree.

import (
	"fmt"

	"github.com/spf13/cobra"

	"codemode/runtime"
	"codemode/runtime/assemble"
)

func newRoot(t *terminal) *cobra.Command {
	root := &cobra.Command{
		Use:   "codemode",
		Short: "A directory of tools as a typed API, and scripts that run on it",
		Long: `codemode turns a directory of tool rows into TypeScript declarations, checks a script against
them before anything happens, and runs it with nothing in reach but what its grants allow.

Exit codes: 0 finished, 1 script failed or run cancelled, 2 usage or bad input (an unknown run too),
3 check failed (nothing ran), 4 a limit or budget stopped it, 5 a decision is needed, 6 a part is unavailable.`,
		Example: `  codemode search "list contacts" --directory rows/
  codemode run job.ts --directory rows/ --grant grant.json --input orders=orders.csv
  codemode receipts show run_06f3...`,
		Version:       assemble.Versions()["codemode"],
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.SetOut(t.out)
	root.SetErr(t.err)
	root.PersistentFlags().BoolVar(&t.json, "json", false, "print one JSON document instead of text")
	root.PersistentFlags().BoolVar(&t.debug, "debug", false, "print the causes of errors to standard error, for the operator: a function's own words and stack may be among them")
	root.AddCommand(
		genCommand(t), diffCommand(t), learnCommand(t), lintCommand(t), explainCommand(t), searchCommand(t), indexCommand(t), declareCommand(t), checkCommand(t), runCommand(t),
		answerCommand(t), resumeCommand(t), replayCommand(t), cancelCommand(t),
		receiptsCommand(t), dispatchCommand(t), importCommand(t), mcpCommand(t), benchCommand(t), provisionCommand(t), doctorCommand(t), modulesCommand(t), versionCommand(t),
	)
	root.AddCommand(topicCommands()...)
	return root
}

// directoryFlag adds the flag that names the directory.
func directoryFlag(cmd *cobra.Command, into *string) {
	cmd.Flags().StringVarP(into, "directory", "d", "", "the directory: a .jsonl file, a .json array, or a folder of them")
	must(cmd.MarkFlagRequired("directory"))
	must(cmd.MarkFlagFilename("directory", "jsonl", "ndjson", "json"))
}

// noArgs refuses arguments. Those who give one mostly mean the directory.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	text := fmt.Sprintf("%s takes no argument, and got %s", cmd.CommandPath(), printable(args[0], 100))
	if cmd.Flags().Lookup("directory") != nil {
		text += "; name the directory with --directory"
	}
	return &exitError{exitUsage, text}
}

// storeFlag adds the flag that names the store.
func storeFlag(cmd *cobra.Command, into *string) {
	cmd.Flags().StringVar(into, "store", "", "the SQLite file with journals and receipts (default: in the user's state folder)")
}

// must is for flags that this program itself declares.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// checkMode reads --check.
func checkMode(s string) (runtime.CheckMode, error) {
	switch m := runtime.CheckMode(s); m {
	case runtime.CheckTools, runtime.CheckStrict, runtime.CheckOff:
		return m, nil
	}
	return "", &exitError{exitUsage, "--check is tools, strict or off, not " + printable(s, 40)}
}
