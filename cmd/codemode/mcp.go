package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"codemode/directory/contract"
	"codemode/directory/search"
	"codemode/gen/ts"
	"codemode/runtime"
	"codemode/runtime/assemble"
	"codemode/runtime/mcp"
)

func mcpCommand(t *terminal) *cobra.Command {
	j := job{}
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Serve a directory to an agent over the Model Context Protocol",
		Long: `mcp speaks the Model Context Protocol on standard input and output until the client leaves. It offers
two tools: search finds the declarations of granted methods, run checks a script and runs it. Every
run has what the grants given here allow, and leaves a receipt.`,
		Example: `  codemode mcp --directory rows/ --grant grant.json`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			check, err := checkMode(j.check)
			if err != nil {
				return err
			}
			grants, err := readGrants(j.grants)
			if err != nil {
				return err
			}
			signal.Ignore(syscall.SIGPIPE) // a client that leaves is an error of a write, and runs end in order
			return t.serveMCP(cmd.Context(), j.config(t, check), grants)
		},
	}
	directoryFlag(cmd, &j.directory)
	storeFlag(cmd, &j.store)
	cmd.Flags().StringArrayVarP(&j.grants, "grant", "g", nil, "a grant file; several add up in order")
	must(cmd.MarkFlagFilename("grant", "json"))
	cmd.Flags().StringVar(&j.check, "check", string(runtime.CheckTools), "tools blocks misuse of the granted methods, strict every type error, off nothing")
	return cmd
}

func (t *terminal) serveMCP(ctx context.Context, config assemble.Config, grants []runtime.Grant) error {
	system, err := assemble.Open(ctx, config)
	if err != nil {
		return err
	}
	defer system.Close()
	t.clear()
	contracts := system.Surface.Contracts
	index := search.New(mcp.Granted(contracts, grants, time.Now()))
	server := mcp.New(mcp.Config{
		Runner: system.Service, Grants: grants, Contracts: contracts, Check: config.Check, Version: assemble.Versions()["codemode"],
		Declare: system.Surface.Declare, IndexLine: ts.IndexLine,
		Search: func(query string, limit int) []contract.Contract {
			var found []contract.Contract
			for _, hit := range index.Query(query, limit) {
				found = append(found, hit.Contract)
			}
			return found
		},
	})
	err = server.Serve(ctx, os.Stdin, t.out.w)
	if ctx.Err() != nil {
		return nil // a signal is how a client ends a server
	}
	return err
}
