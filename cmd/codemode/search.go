package main

// This file holds codemode search and declare.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/directory/search"
	"codemode/directory/tokens"
	"codemode/runtime/assemble"
)

// found is one answer of search and declare. Search may have a line of the index, or a page's text,
// instead of a declaration.
type found struct {
	Name        string  `json:"name"`
	Key         string  `json:"key"`
	Score       float64 `json:"score,omitempty"`
	Declaration string  `json:"declaration,omitempty"`
	Line        string  `json:"line,omitempty"`
	Text        string  `json:"text,omitempty"`
	Tokens      int     `json:"tokens,omitempty"`
	// Needs is what the declaration would have taken, where it had no room.
	Needs int `json:"declaration_tokens,omitempty"`
}

const (
	maxSearchTokens = 100_000
	budgetedHits    = 400 // more than a budget has room for
)

type searchQuery struct {
	dir    string
	limit  int
	tokens int
}

func searchCommand(t *terminal) *cobra.Command {
	q := searchQuery{}
	cmd := &cobra.Command{
		Use:   "search WORDS...",
		Short: "Find methods and print their declarations",
		Long: `search ranks the methods of a directory for a query in words, or a name, and prints the complete
declarations of the best, ready to write a script against. Pages of the directory that only document are
found too, and printed as comments.

With --tokens the answer keeps to a budget: declarations of the best, then an index line for each of the
next. A declaration is never cut; one that has no room is named with the tokens it takes.`,
		Example: `  codemode search "create an invoice" --directory rows/
  codemode search "refund the order, then mail the customer" --directory rows/ --tokens 1500
  codemode search crm.listContact --directory rows/ --limit 3 --json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, words []string) error {
			if q.limit < 1 || q.limit > 100 {
				return &exitError{exitUsage, "--limit is 1 to 100"}
			}
			if q.tokens != 0 && (q.tokens < search.MinTokens || q.tokens > maxSearchTokens) {
				return &exitError{exitUsage, fmt.Sprintf("--tokens is %d to %d, or 0 for no limit", search.MinTokens, maxSearchTokens)}
			}
			return t.search(q, strings.Join(words, " "))
		},
	}
	directoryFlag(cmd, &q.dir)
	cmd.Flags().IntVarP(&q.limit, "limit", "n", 8, "how many declarations at the most")
	cmd.Flags().IntVar(&q.tokens, "tokens", 0, "what the answer may take, by cl100k_base; 0 is no limit")
	return cmd
}

func (t *terminal) search(q searchQuery, words string) error {
	catalogue, err := assemble.OpenCatalogue(q.dir)
	if err != nil {
		return err
	}
	o := search.AnswerOptions{Tokens: q.tokens, Declarations: q.limit, Declare: catalogue.Surface.Declare, Count: tokens.New().Count}
	hits := catalogue.Search.Query(words, q.limit)
	if q.tokens > 0 {
		hits = catalogue.Search.Query(words, budgetedHits)
		o.Line = func(c contract.Contract) string { return catalogue.Entries[c.Name].Line() }
	}
	answer := search.Answer(hits, o)
	if !t.json && len(hits) > 0 {
		fmt.Fprint(t.out, strings.TrimRight(answer.Text, "\n")+"\n")
		return nil
	}
	list := []found{}
	for _, p := range answer.Parts {
		f := found{Name: p.Name(), Key: p.Contract.Key, Score: p.Score, Declaration: p.Declaration, Line: strings.TrimSuffix(p.Line, "\n"), Text: p.Text, Tokens: p.Tokens, Needs: p.Needs}
		if p.Page != nil {
			f.Key = p.Page.Key
		}
		list = append(list, f)
	}
	return t.found(list, fmt.Sprintf("nothing found for %q", words))
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
				if len(contracts) == 0 && isPage(catalogue.Directory, name) {
					return &exitError{exitUsage, pageText(name)}
				}
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

// isPage reports whether a key is that of a page, which documents and has nothing to call.
func isPage(dir *directory.Directory, key string) bool {
	return slices.ContainsFunc(dir.Pages, func(p directory.Row) bool { return p.Key == key })
}

func pageText(key string) string {
	return printable(key, 100) + " is a documentation page and declares nothing; codemode search finds it and prints its text"
}

// nearText suggests what a name may have meant.
func nearText(c *assemble.Catalogue, name string) string {
	var near []string
	for _, h := range c.Search.Query(name, 6) {
		if h.Page == nil && len(near) < 3 {
			near = append(near, h.Name())
		}
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
