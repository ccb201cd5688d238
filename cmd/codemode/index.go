package main

// This file holds codemode index.

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"codemode/directory/search"
	"codemode/directory/tokens"
	"codemode/runtime"
	"codemode/runtime/assemble"
	"codemode/runtime/mcp"
)

// indexAnswer is the JSON form of an index.
type indexAnswer struct {
	Methods    int    `json:"methods"`
	Namespaces int    `json:"namespaces"`
	Budget     int    `json:"budget"`
	Tokens     int    `json:"tokens"`
	Index      string `json:"index"`
}

const (
	minIndexTokens = 20
	maxIndexTokens = 100_000
)

func indexCommand(t *terminal) *cobra.Command {
	var dir string
	var files []string
	var budget int
	cmd := &cobra.Command{
		Use:   "index",
		Short: "Print an index of the granted methods within a budget of tokens",
		Long: `index prints what an agent is told of the methods before its first search. Every namespace is there with
how many methods it has; then methods are named, then their arguments told, then their purposes, each in
turn over the namespaces while the budget lasts. The same directory and grants give the same bytes.

Without a grant all methods of the directory are listed.`,
		Example: `  codemode index --directory rows/ --grant grant.json --tokens 1000
  codemode index --directory rows/ --json`,
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			if budget < minIndexTokens || budget > maxIndexTokens {
				return &exitError{exitUsage, fmt.Sprintf("--tokens is %d to %d", minIndexTokens, maxIndexTokens)}
			}
			grants, err := readGrants(files)
			if err != nil {
				return err
			}
			catalogue, err := assemble.OpenCatalogue(dir)
			if err != nil {
				return err
			}
			return t.index(catalogue, grants, len(files) > 0, budget)
		},
	}
	directoryFlag(cmd, &dir)
	cmd.Flags().StringArrayVarP(&files, "grant", "g", nil, "a grant file; several add up in order")
	must(cmd.MarkFlagFilename("grant", "json"))
	cmd.Flags().IntVar(&budget, "tokens", 1000, "what the index may take, by cl100k_base")
	return cmd
}

func (t *terminal) index(c *assemble.Catalogue, grants []runtime.Grant, granted bool, budget int) error {
	contracts := c.Surface.Contracts
	if granted {
		contracts = mcp.Granted(contracts, grants, time.Now())
	}
	if len(contracts) == 0 {
		return &exitError{exitScript, "no method is granted"}
	}
	spaces := map[string]bool{}
	entries := make([]search.Entry, len(contracts))
	legend := ""
	for i, k := range contracts {
		entries[i] = c.Entries[k.Name]
		if mcp.NeedsDecision(k, grants, time.Now()) {
			entries[i].Mark, legend = "*", "* needs a decision\n"
		}
		ns, _, _ := strings.Cut(k.Name, ".")
		spaces[ns] = true
	}
	count := tokens.New().Count
	text := legend + search.Catalogue(entries, budget-count(legend), count)
	if t.json {
		return t.printJSON(indexAnswer{len(contracts), len(spaces), budget, count(text), text})
	}
	fmt.Fprint(t.out, text)
	return nil
}
