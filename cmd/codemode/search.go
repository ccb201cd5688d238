package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"codemode/runtime/assemble"
)

// found is one answer of search and declare.
type found struct {
	Name        string  `json:"name"`
	Key         string  `json:"key"`
	Score       float64 `json:"score,omitempty"`
	Declaration string  `json:"declaration"`
}

func searchCommand(t *terminal) *cobra.Command {
	var dir string
	var limit int
	cmd := &cobra.Command{
		Use:   "search WORDS...",
		Short: "Find methods and print their declarations",
		Long: `search ranks the methods of a directory for a query in words, or a name, and prints the complete
declarations of the best, ready to write a script against.`,
		Example: `  codemode search "create an invoice" --directory rows/
  codemode search crm.listContact --directory rows/ --limit 3 --json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, words []string) error {
			if limit < 1 || limit > 100 {
				return &exitError{exitUsage, "--limit is 1 to 100"}
			}
			catalogue, err := assemble.OpenCatalogue(dir)
			if err != nil {
				return err
			}
			hits := []found{}
			for _, h := range catalogue.Search.Query(strings.Join(words, " "), limit) {
				hits = append(hits, found{h.Contract.Name, h.Contract.Key, h.Score, catalogue.Surface.Declare(h.Contract)})
			}
			return t.found(hits, fmt.Sprintf("nothing found for %q", strings.Join(words, " ")))
		},
	}
	directoryFlag(cmd, &dir)
	cmd.Flags().IntVarP(&limit, "limit", "n", 8, "how many at the most")
	return cmd
}

func declareCommand(t *terminal) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "declare NAME...",
		Short: "Print declarations by name, namespace or row key",
		Example: `  codemode declare crm.listContacts --directory rows/
  codemode declare crm --directory rows/`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, names []string) error {
			catalogue, err := assemble.OpenCatalogue(dir)
			if err != nil {
				return err
			}
			hits := []found{}
			for _, name := range names {
				contracts := catalogue.Named(name)
				if len(contracts) == 0 {
					return &exitError{exitUsage, fmt.Sprintf("there is no method, namespace or row %s; %s", printable(name, 100), nearText(catalogue, name))}
				}
				for _, c := range contracts {
					hits = append(hits, found{Name: c.Name, Key: c.Key, Declaration: catalogue.Surface.Declare(c)})
				}
			}
			return t.found(hits, "")
		},
	}
	directoryFlag(cmd, &dir)
	return cmd
}

// nearText suggests what a name may have meant.
func nearText(c *assemble.Catalogue, name string) string {
	var near []string
	for _, h := range c.Search.Query(name, 3) {
		near = append(near, h.Contract.Name)
	}
	if len(near) == 0 {
		return "codemode search finds names"
	}
	return "near it are " + strings.Join(near, ", ")
}

func (t *terminal) found(hits []found, none string) error {
	if t.json {
		if err := t.printJSON(hits); err != nil || len(hits) > 0 {
			return err
		}
		return &exitError{exitScript, ""}
	}
	if len(hits) == 0 {
		return &exitError{exitScript, none}
	}
	for i, h := range hits {
		if i > 0 {
			fmt.Fprintln(t.out)
		}
		fmt.Fprintln(t.out, strings.TrimRight(h.Declaration, "\n"))
	}
	return nil
}
