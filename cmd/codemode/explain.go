package main

// This file holds codemode explain.

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/gen"
	"codemode/gen/ts"
	"codemode/runtime/assemble"
)

func explainCommand(t *terminal) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "explain KEY|KEY#OPERATION|NAME",
		Short: "Show why a row's contract says what it says",
		Long: `explain prints a row's declaration and, for each field of its contract, the slot or the words it was
read from, its grade, and the documentation line that would lift it. A field marked none was said by
nothing: it stays unknown rather than guessed.`,
		Example: `  codemode explain CRM_LIST_CONTACTS --directory rows/
  codemode explain CRM#list_contacts --directory rows/
  codemode explain crm.listContacts --directory rows/ --json`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			loaded, out, err := assemble.Generate(dir, false)
			if err != nil {
				return err
			}
			key, name := args[0], ""
			for _, c := range out.Contracts {
				if c.Name == args[0] || c.Operation != "" && directory.Reference(c.Key, c.Operation) == args[0] {
					key, name = c.Key, c.Name
				}
			}
			if _, ok := loaded.Row(key); !ok && isPage(loaded, key) {
				return &exitError{exitUsage, pageText(key)}
			}
			all, err := gen.Explain(loaded, out, key)
			if err != nil {
				return &exitError{exitUsage, fmt.Sprintf("there is no row or method %s; codemode search finds them", printable(args[0], 100))}
			}
			explained := []gen.Explanation{}
			for _, e := range all {
				if name == "" || e.Contract.Name == name {
					explained = append(explained, e)
				}
			}
			row, _ := loaded.Row(key)
			return t.explained(row, explained)
		},
	}
	directoryFlag(cmd, &dir)
	return cmd
}

func (t *terminal) explained(row directory.Row, all []gen.Explanation) error {
	if t.json {
		return t.printJSON(struct {
			Row          directory.Row     `json:"row"`
			File         string            `json:"file"`
			Line         int               `json:"line"`
			Explanations []gen.Explanation `json:"explanations"`
		}{row, row.File, row.Line, all})
	}
	fmt.Fprintln(t.out, printable(fmt.Sprintf("%s:%d: %s, type %s", row.File, row.Line, row.Key, row.Type), 0))
	if len(all) == 0 {
		fmt.Fprintln(t.out, "the row offers no operation: it is switched off")
	}
	for _, e := range all {
		fmt.Fprintln(t.out)
		t.explanation(e)
	}
	return nil
}

func (t *terminal) explanation(e gen.Explanation) {
	text, err := ts.Declaration(e.Contract)
	if err != nil {
		text = "// " + err.Error() + "\n"
	}
	fmt.Fprint(t.out, printable(text, 0))
	for _, v := range e.Evidence {
		line := fmt.Sprintf("  %-28s %s", v.Field, v.Provenance)
		if v.Field == "effect" && v.Provenance == contract.FromNone {
			line += fmt.Sprintf(": nothing that can be used says it, so the worst is taken: %s", e.Contract.Effect)
		}
		if v.Place != "" {
			line = fmt.Sprintf("  %-28s %-9s %s: %s", v.Field, v.Provenance, v.Place, v.Words)
		}
		fmt.Fprintln(t.out, printable(strings.TrimRight(line, ": "), 0))
	}
	for _, d := range e.Diagnostics {
		fmt.Fprintln(t.out, printable(fmt.Sprintf("  %s: %s: %s", d.Severity, d.Field, d.Message), 0))
	}
	t.gradeText(e.Grade)
}

func (t *terminal) gradeText(g gen.Grade) {
	line := fmt.Sprintf("  grade: %s", g.Level)
	if g.Observed {
		line += "; its result is observed and not declared"
	}
	if len(g.Missing) > 0 {
		line += "; no type for " + strings.Join(g.Missing, ", ")
	}
	fmt.Fprintln(t.out, printable(line, 0))
	lead := "  write: "
	if g.Operation != "" {
		lead = "  write into " + g.Where + ": "
	}
	for _, s := range g.Suggestion {
		if field, is := strings.CutPrefix(s, "input_schema: "); is && g.Operation != "" {
			fmt.Fprintln(t.out, printable("  write into target_map."+g.Operation+".input_schema: "+field, 0))
			continue
		}
		fmt.Fprintln(t.out, printable(lead+s, 0))
	}
}
