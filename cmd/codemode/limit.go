package main

// This file holds the flag that limits runs.

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
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
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return fmt.Errorf("%s takes a whole number%s, such as wall_ms=5000 for five seconds", name, unit(runtime.Dimension(name)))
	}
	raw, err := json.Marshal(map[string]int64{name: n})
	if err != nil {
		return err
	}
	var b runtime.Budget
	if err := b.UnmarshalJSON(raw); err != nil {
		return err
	}
	l.budget = l.budget.Tighten(b)
	return nil
}

// unit is what a dimension counts in, as its name says it; "" for things that are counted one by one.
func unit(d runtime.Dimension) string {
	switch {
	case strings.HasSuffix(string(d), "_ms"):
		return " of milliseconds"
	case strings.HasSuffix(string(d), "_bytes"):
		return " of bytes"
	}
	return ""
}
