package main

// This file holds codemode receipts.

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"codemode/runtime"
	"codemode/runtime/assemble"
)

func receiptsCommand(t *terminal) *cobra.Command {
	var store string
	cmd := &cobra.Command{
		Use:   "receipts",
		Short: "List runs and show what was recorded of them",
		Long: `A receipt says what a run was a function of (script, contracts, grants and inputs by sha256), every
call it made with the digest of its arguments, its outcome and what it left of the budgets, and how
the run ended. Receipts are not signed yet: they are the store's record.

A run has its receipt when it ends. Until then list shows it as running, and so it stays when its
process was killed; its journal says what it had begun.`,
		Example: `  codemode receipts list
  codemode receipts show run_06f3... --json
  codemode receipts journal run_06f3...`,
		Args: cobra.NoArgs, // else a misspelt subcommand would print this help and end well
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().StringVar(&store, "store", "", "the SQLite file with journals and receipts (default: in the user's state folder)")
	cmd.AddCommand(receiptsListCommand(t, &store), receiptsShowCommand(t, &store), receiptsJournalCommand(t, &store))
	return cmd
}

func receiptsListCommand(t *terminal, path *string) *cobra.Command {
	var limit int
	cmd := &cobra.Command{
		Use: "list", Short: "List the newest runs", Args: noArgs,
		Long: `list shows the runs that were started last, newest first: when, the run's id, its state and the
reason for it, and how many calls it made. A run that is running has no receipt (with --json its
receipt_id is ""): it is under way, or its process was killed before it ended. codemode receipts
journal says which of its calls have begun and which have no outcome.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if limit < 1 {
				return &exitError{exitUsage, "--limit is at least 1"}
			}
			list, err := receipts(cmd.Context(), *path, limit)
			if err != nil {
				return err
			}
			if t.json {
				return t.printJSON(orEmpty(list))
			}
			w := tabwriter.NewWriter(t.out, 0, 8, 2, ' ', 0)
			for _, r := range list {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", r.Started.Local().Format(time.DateTime), r.RunID, r.State, r.Reason, counted(int64(r.Calls), "call"))
			}
			return w.Flush()
		},
	}
	cmd.Flags().IntVarP(&limit, "limit", "n", 20, "how many at the most")
	return cmd
}

// receipts lists runs. Where the user has run nothing yet, there are none.
func receipts(ctx context.Context, path string, limit int) ([]runtime.ReceiptSummary, error) {
	store, err := assemble.OpenExistingStore(ctx, path)
	if known := (*runtime.Error)(nil); path == "" && errors.As(err, &known) && known.Code == runtime.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer store.Close()
	return store.Receipts(ctx, limit)
}

func receiptsShowCommand(t *terminal, path *string) *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Short: "Print one receipt by its own or its run's id", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			store, err := assemble.OpenExistingStore(cmd.Context(), *path)
			if err != nil {
				return err
			}
			defer store.Close()
			receipt, err := store.Receipt(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if t.json {
				return t.printJSON(receipt)
			}
			return writeReceipt(t.out, receipt)
		},
	}
}

func receiptsJournalCommand(t *terminal, path *string) *cobra.Command {
	return &cobra.Command{
		Use: "journal RUN", Short: "Print what was recorded while a run went", Args: cobra.ExactArgs(1),
		Long: `journal prints the entries of a run in order, also of one that is under way or was killed: the
number, the time, the kind, and for calls their number, method and how they ended. The intent of a
call is recorded before anything is sent, so a call that was under way when its process died is there,
with no outcome. A read may be repeated. A write whose outcome is unknown may have happened or not:
look at its destination before you do it again.`,
		Example: `  codemode receipts journal run_06f3...`,
		RunE: func(cmd *cobra.Command, args []string) error {
			store, err := assemble.OpenExistingStore(cmd.Context(), *path)
			if err != nil {
				return err
			}
			defer store.Close()
			entries, err := store.Journal(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if t.json {
				return t.printJSON(entries)
			}
			return writeJournal(t.out, entries)
		},
	}
}
