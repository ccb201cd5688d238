package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"codemode/directory"
)

func lintCommand(t *terminal) *cobra.Command {
	var dir string
	var strict bool
	cmd := &cobra.Command{
		Use:   "lint",
		Short: "Say what is wrong with the rows of a directory",
		Long: `lint prints a line for each finding: file, line, row key, rule. It exits 1 when there are errors. A
malformed row is a finding and does not take the rest down, unless --strict.`,
		Example: `  codemode lint --directory rows/
  codemode lint --directory rows/ --json`,
		Args: cobra.NoArgs,
		RunE: func(_ *cobra.Command, _ []string) error {
			loaded, err := directory.Load(dir, directory.LoadOptions{Strict: strict})
			if err != nil {
				return err
			}
			return t.linted(orEmpty(directory.Lint(loaded)), len(loaded.Rows))
		},
	}
	directoryFlag(cmd, &dir)
	cmd.Flags().BoolVar(&strict, "strict", false, "fail on the first malformed row")
	return cmd
}

func (t *terminal) linted(findings []directory.Finding, rows int) error {
	errors := 0
	for _, f := range findings {
		if f.Severity == directory.SeverityError {
			errors++
		}
		if !t.json {
			fmt.Fprintln(t.out, findingLine(f))
		}
	}
	if t.json {
		answer := struct {
			Rows     int                 `json:"rows"`
			Errors   int                 `json:"errors"`
			Findings []directory.Finding `json:"findings"`
		}{rows, errors, findings}
		if err := t.printJSON(answer); err != nil {
			return err
		}
	} else {
		for _, c := range directory.CountByRule(findings) {
			t.say("%6d %s %s", c.Count, c.Severity, c.Rule)
		}
		t.say("%d rows, %d errors, %d warnings", rows, errors, len(findings)-errors)
	}
	if errors > 0 {
		return &exitError{exitScript, ""}
	}
	return nil
}

func findingLine(f directory.Finding) string {
	s := fmt.Sprintf("%s:%d: ", strings.ReplaceAll(f.File, "\n", `\n`), f.Line)
	if f.Key != "" {
		s += f.Key + ": "
	}
	s += fmt.Sprintf("%s: %s (%s)", f.Severity, f.Message, f.Rule)
	if f.Hint != "" {
		s += "; " + f.Hint
	}
	return printable(s, 0)
}
