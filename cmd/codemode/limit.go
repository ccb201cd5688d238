package main

// This file holds the flag that limits runs.

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"codemode/runtime"
)

// limits are those of --limit NAME=VALUE, which may be given several times.
type limits struct{ budget runtime.Budget }

func limitFlag(cmd *cobra.Command, l *limits, usage string) { cmd.Flags().Var(l, "limit", usage) }

func (l *limits) Type() string { return "limit" }

func (l *limits) String() string { return strings.Join(l.budget.Lines(), ",") }

// Set reads a limit as a grant's budget is read, so that both know the same names.
func (l *limits) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok {
		return errors.New("want NAME=VALUE, such as wall_ms=5000")
	}
	var b runtime.Budget
	if err := b.UnmarshalJSON(fmt.Appendf(nil, "{%q:%s}", name, value)); err != nil {
		return err
	}
	l.budget = l.budget.Tighten(b)
	return nil
}
