package main

// This file holds codemode doctor.

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"codemode/runtime/assemble"
)

// finding is one thing that a machine has or lacks.
type finding struct {
	Name string `json:"name"`
	// OK says that it is there; Needed, that codemode's own policy wants it.
	OK     bool `json:"ok"`
	Needed bool `json:"needed"`
	// Found says what is there; Follows what comes of it, and Hint how to get it, both where it is missing.
	Found   string `json:"found"`
	Follows string `json:"follows,omitempty"`
	Hint    string `json:"hint,omitempty"`
}

// diagnosis is what doctor prints.
type diagnosis struct {
	OK       bool      `json:"ok"`
	Findings []finding `json:"findings"`
	// Attempts are what a locked-in worker tried, and whether it was held.
	Attempts []attempt `json:"attempts"`
}

type attempt struct {
	Name string `json:"name"`
	Held bool   `json:"held"`
	Said string `json:"said"`
}

func doctorCommand(t *terminal) *cobra.Command {
	var store string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what this machine enforces on scripts, and what it can't",
		Long: `doctor looks at what codemode needs of this machine, starts a real worker, locked in as for a script,
and lets it try what a script must never be able to do. Each line says what was found; where something
is missing, what follows from that and how to get it.

Exit codes: 0 when all that codemode's own policy needs is enforced, 6 otherwise. A service that needs
more of its machine says so with --require.`,
		Example: `  codemode doctor
  codemode doctor --json | jq '.findings[] | select(.ok | not)'`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			d := examine(cmd.Context(), assemble.Config{SelfWorker: true, Store: store})
			t.clear()
			if err := t.diagnose(d); err != nil {
				return err
			}
			if !d.OK {
				return &exitError{exitUnavailable, ""}
			}
			return nil
		},
	}
	storeFlag(cmd, &store)
	return cmd
}

// requireFlag adds the flag that names what a machine must enforce.
func requireFlag(cmd *cobra.Command, into *[]string) {
	cmd.Flags().StringSliceVar(into, "require", nil,
		"refuse to start unless this machine enforces these on workers: "+strings.Join(assemble.Requirements, ", ")+" (codemode doctor says what it does)")
}

func (t *terminal) diagnose(d diagnosis) error {
	if t.json {
		return t.printJSON(d)
	}
	for _, f := range d.Findings {
		fmt.Fprintf(t.out, "%-8s %-14s %s\n", f.mark(), f.Name, printable(f.Found, 400))
		if f.Follows != "" {
			fmt.Fprintf(t.out, "%-23s %s\n", "", printable(f.Follows, 400))
		}
		if f.Hint != "" {
			fmt.Fprintf(t.out, "%-23s to get it: %s\n", "", printable(f.Hint, 400))
		}
	}
	for _, a := range d.Attempts {
		mark := "held"
		if !a.Held {
			mark = "NOT held"
		}
		_, err := fmt.Fprintf(t.out, "%-8s %s: %s\n", mark, a.Name, printable(a.Said, 200))
		if err != nil {
			return err
		}
	}
	return nil
}

func (f finding) mark() string {
	switch {
	case f.OK:
		return "ok"
	case f.Needed:
		return "MISSING"
	}
	return "absent"
}
