package main

// This file holds codemode lint.

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"codemode/directory"
	"codemode/gen"
)

func lintCommand(t *terminal) *cobra.Command {
	var dir string
	var strict, grades bool
	cmd := &cobra.Command{
		Use:   "lint",
		Short: "Say what is wrong with the rows of a directory",
		Long: `lint prints a line for each finding: file, line, row key, rule. It exits 1 when there are errors. A
malformed row is a finding and does not take the rest down, unless --strict.

Each operation is graded: typed when something says the type of every argument and of the result,
untyped when nothing does, partly typed between. With --grades a line is printed for each that is not
typed, with what to write into its row. An operation whose result is only observed (codemode learn) is
partly typed, and counted beside: nobody has declared it.

What the generator has to say of a row, as codemode explain shows it, is a finding too.`,
		Example: `  codemode lint --directory rows/
  codemode lint --directory rows/ --grades
  codemode lint --directory rows/ --json`,
		Args: noArgs,
		RunE: func(_ *cobra.Command, _ []string) error {
			loaded, err := directory.Load(dir, directory.LoadOptions{Strict: strict})
			if err != nil {
				return err
			}
			out, err := gen.Generate(loaded, gen.Options{})
			if err != nil {
				return &exitError{exitUsage, err.Error()}
			}
			answer := lintAnswer{Rows: len(loaded.Rows), Findings: orEmpty(gen.Lint(loaded, out, directory.Lint(loaded)))}
			answer.Grades, answer.Total = gen.GradeAll(loaded, out.Contracts)
			return t.linted(answer, grades)
		},
	}
	directoryFlag(cmd, &dir)
	cmd.Flags().BoolVar(&grades, "grades", false, "print what each operation lacks, and the line that would lift it")
	cmd.Flags().BoolVar(&strict, "strict", false, "fail on the first malformed row")
	return cmd
}

// typeWords says what may stand for TYPE in a suggestion.
const typeWords = `TYPE is string, integer, number, boolean, date, [TYPE], {name: TYPE, other?: TYPE}, or of an argument its values a|b|c; codemode help rows has more.
An operation's lines go into its own content: "target_map": {"get": {"target": "GET url", "content": "# RETURNS: TYPE"}}`

// lintAnswer is the JSON of codemode lint.
type lintAnswer struct {
	Rows     int                 `json:"rows"`
	Errors   int                 `json:"errors"`
	Findings []directory.Finding `json:"findings"`
	Total    gen.Grades          `json:"total"`
	Grades   []gen.Grade         `json:"grades"`
}

func (t *terminal) linted(a lintAnswer, grades bool) error {
	for _, f := range a.Findings {
		if f.Severity == directory.SeverityError {
			a.Errors++
		}
	}
	if t.json {
		if err := t.printJSON(a); err != nil {
			return err
		}
	} else {
		t.lintText(a, grades)
	}
	if a.Errors > 0 {
		return &exitError{exitScript, ""}
	}
	return nil
}

func (t *terminal) lintText(a lintAnswer, grades bool) {
	for _, f := range a.Findings {
		fmt.Fprintln(t.out, findingLine(f))
	}
	open := false
	for _, g := range a.Grades {
		if grades && g.Level != gen.Typed {
			open = true
			fmt.Fprintln(t.out, printable(fmt.Sprintf("%s:%d: %s (%s)", g.File, g.Line, g.Key, g.Name), 0))
			t.gradeText(g)
		}
	}
	if open {
		fmt.Fprintln(t.out, typeWords)
	}
	for _, c := range directory.CountByRule(a.Findings) {
		t.say("%6d %s %s", c.Count, c.Severity, c.Rule)
	}
	t.say("%d rows, %d errors, %d warnings; operations: %s", a.Rows, a.Errors, len(a.Findings)-a.Errors, a.Total)
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
