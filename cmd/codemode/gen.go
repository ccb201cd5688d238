package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"codemode/directory"
	"codemode/gen"
	"codemode/gen/infer"
	"codemode/runtime/assemble"
)

// genAnswer is the JSON of codemode gen.
type genAnswer struct {
	Methods     int                 `json:"methods"`
	Files       []string            `json:"files"`
	Changed     []string            `json:"changed"` // written or removed; none with --check
	Summary     gen.Summary         `json:"summary"`
	Findings    []directory.Finding `json:"findings"`
	Diagnostics []infer.Diagnostic  `json:"diagnostics"`
	Drift       string              `json:"drift,omitempty"`
}

func genCommand(t *terminal) *cobra.Command {
	var dir, out string
	var check, strict bool
	cmd := &cobra.Command{
		Use:   "gen",
		Short: "Write declarations, index and contracts of a directory",
		Long: `gen infers a contract from every row and writes one .d.ts file a namespace, codemode.d.ts and
tools.d.ts, index.txt (a line a method) and contracts.json. The bytes do not depend on the order of
the rows. With --check nothing is written: it fails when the files on disk are not those, and prints
the difference.`,
		Example: `  codemode gen --directory rows/ --out bindings/
  codemode gen --directory rows/ --out bindings/ --check`,
		Args: cobra.NoArgs,
		RunE: func(_ *cobra.Command, _ []string) error {
			loaded, output, err := assemble.Generate(dir, strict)
			if err != nil {
				return err
			}
			answer := genAnswer{
				Methods: len(output.Contracts), Files: slices.Sorted(maps.Keys(output.Files)), Changed: []string{}, Summary: gen.Summarize(output.Contracts),
				Findings: orEmpty(loaded.Findings), Diagnostics: orEmpty(output.Diagnostics),
			}
			if check {
				answer.Drift, err = gen.Check(out, output.Files)
			} else {
				answer.Changed, err = gen.Write(out, output.Files)
				answer.Changed = orEmpty(answer.Changed)
			}
			if err != nil {
				return &exitError{exitUsage, err.Error()}
			}
			return t.generated(answer, out, check)
		},
	}
	directoryFlag(cmd, &dir)
	cmd.Flags().StringVarP(&out, "out", "o", "", "the folder to write to")
	must(cmd.MarkFlagRequired("out"))
	must(cmd.MarkFlagDirname("out"))
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; fail and print the difference when files are stale")
	cmd.Flags().BoolVar(&strict, "strict", false, "fail on a malformed row instead of leaving it out")
	return cmd
}

func (t *terminal) generated(a genAnswer, out string, check bool) error {
	if t.json {
		if err := t.printJSON(a); err != nil {
			return err
		}
	} else {
		for _, f := range a.Findings {
			t.say("%s", findingLine(f))
		}
		fmt.Fprint(t.out, a.Drift)
		t.say("%d methods in %d files in %s; %s", a.Methods, len(a.Files), out, a.Summary)
	}
	if check && a.Drift != "" {
		return &exitError{exitScript, "generated files are stale; run codemode gen without --check"}
	}
	return nil
}

// orEmpty keeps JSON lists from being null.
func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
