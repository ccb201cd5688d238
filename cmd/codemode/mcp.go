package main

// This file holds codemode mcp.

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"codemode/directory/contract"
	"codemode/directory/search"
	"codemode/directory/tokens"
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
three tools: search finds the declarations of granted methods, run checks a script and runs it, resume
goes on with a run of these grants whose questions a person has answered with codemode answer. Every run
has what the grants given here allow, and leaves a receipt; those that nobody resumed in time are ended.

A message is a line. One that cannot be read is answered with an error, and the next one is served.
When the input ends, runs under way go on to their answers, within the limits of their grants; a
client that also stops reading has them cancelled at the next message to it, a signal cancels them at
once.`,
		Example: `  codemode mcp --directory rows/ --grant grant.json`,
		Args:    noArgs,
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
			config := j.config(t, check)
			config.Once, config.Maximum = false, j.limits.budget
			return t.serveMCP(cmd.Context(), config, grants)
		},
	}
	directoryFlag(cmd, &j.directory)
	storeFlag(cmd, &j.store)
	serversFlag(cmd, &j.servers)
	modulesFlag(cmd, &j.modules)
	requireFlag(cmd, &j.require)
	limitFlag(cmd, &j.limits, "NAME=VALUE: the most that any run may have, such as wall_ms=5000, whatever its grants say")
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
	assemble.LimitMemory()
	t.clear()
	contracts := system.Surface.Contracts
	for _, warning := range idleGrants(contracts, grants, time.Now()) {
		t.say("codemode mcp: %s", warning)
	}
	index := search.New(mcp.Granted(contracts, grants, time.Now()), system.Directory)
	server := mcp.New(mcp.Config{
		Runner: system.Service, Grants: grants, Contracts: contracts, Check: config.Check, Version: assemble.Versions()["codemode"],
		Packages: packages(system.Service.Versions),
		Limited:  system.Service.InForce(grants, nil).Lines(), Declare: system.Surface.Declare, Search: index.Query, Count: tokens.New().Count,
		Entry: func(c contract.Contract) search.Entry { return system.Entries[c.Name] },
	})
	serving, end := context.WithCancel(ctx)
	defer end()
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	go t.keepSweeping(serving, system.Service.Sweep, tick.C)
	err = server.Serve(ctx, os.Stdin, t.out.w)
	if ctx.Err() != nil {
		return nil // a signal is how a client ends a server
	}
	return err
}

// packages are the npm packages among what a receipt states of versions. Those that only hold types are for the
// checker, and no script imports them by that name.
func packages(versions map[string]string) []string {
	var out []string
	for _, part := range slices.Sorted(maps.Keys(versions)) {
		if name, ok := strings.CutPrefix(part, "npm:"); ok && !strings.HasPrefix(name, "@types/") {
			out = append(out, name+"@"+versions[part])
		}
	}
	return out
}

// sweepEvery is how often a server ends the runs that nobody resumed in time.
const sweepEvery = time.Minute

// keepSweeping sweeps at once and at each tick, until ctx ends.
func (t *terminal) keepSweeping(ctx context.Context, sweep func(context.Context) (int, error), tick <-chan time.Time) {
	for {
		if n, err := sweep(ctx); err != nil && ctx.Err() == nil {
			t.say("codemode mcp: %v", err)
		} else if n > 0 {
			t.say("codemode mcp: ended %s that nobody resumed in time", counted(int64(n), "run"))
		}
		select {
		case <-ctx.Done():
			return
		case <-tick:
		}
	}
}

// idleGrants says what of the grants offers nothing: an agent would only see that methods are missing.
func idleGrants(contracts []contract.Contract, grants []runtime.Grant, now time.Time) []string {
	if len(grants) == 0 {
		return []string{"no grant was given, so no method is offered; name a grant file with --grant"}
	}
	var out []string
	for i, g := range grants {
		if g.Expired(now) {
			out = append(out, fmt.Sprintf("grant %d of %d has expired and offers no method", i+1, len(grants)))
			continue
		}
		var idle []string
		for _, operation := range g.Operations {
			one := g
			one.Operations = []string{operation}
			if !slices.ContainsFunc(contracts, one.Covers) {
				idle = append(idle, operation)
			}
		}
		if len(idle) > 0 || len(g.Operations) == 0 {
			out = append(out, fmt.Sprintf("grant %d of %d: %s", i+1, len(grants), noMatch(idle)))
		}
	}
	return out
}

func noMatch(operations []string) string {
	if len(operations) == 0 {
		return "it names no operation and offers no method"
	}
	return "no method of the directory matches " + strings.ReplaceAll(printable(strings.Join(operations, ", "), 500), "\n", " ")
}
