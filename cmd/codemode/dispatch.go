package main

// This file holds codemode dispatch.

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"codemode/runtime/assemble"
)

func dispatchCommand(t *terminal) *cobra.Command {
	j := job{}
	cmd := &cobra.Command{
		Use:   "dispatch KEY [BODY]",
		Short: "Call one row through the legacy stringly surface",
		Long: `dispatch is the surface that old callers speak: a key and one text. A body that is JSON as a whole is
one argument; one that begins with { or [ and is not JSON is ERR:dispatch:malformed_json; anything
else is split on | with no escape. The answer is text: HTTP 200:..., ERR:... It passes the same
grants and leaves the same receipt as a script's call, but what it is given has no names and no types:
it goes into the row's template as it stands. The exit code is 1 when the answer is ERR:.`,
		Example: `  codemode dispatch CRM_GET_CONTACT con_3 --directory rows/ --grant grant.json`,
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			grants, err := readGrants(j.grants)
			if err != nil {
				return err
			}
			config := j.config(t, "off")
			config.CallsOnly = true
			system, err := assemble.Open(cmd.Context(), config)
			if err != nil {
				return err
			}
			defer system.Close()
			answer := system.Legacy(grants).Dispatch(cmd.Context(), args[0], strings.Join(args[1:], ""))
			return t.dispatched(answer)
		},
	}
	directoryFlag(cmd, &j.directory)
	storeFlag(cmd, &j.store)
	serversFlag(cmd, &j.servers)
	cmd.Flags().StringArrayVarP(&j.grants, "grant", "g", nil, "a grant file; several add up in order")
	return cmd
}

func (t *terminal) dispatched(answer string) error {
	if t.json {
		if err := t.printJSON(map[string]string{"answer": answer}); err != nil {
			return err
		}
	} else {
		fmt.Fprintln(t.out, answer)
	}
	if strings.HasPrefix(answer, "ERR:") {
		return &exitError{exitScript, ""}
	}
	return nil
}
