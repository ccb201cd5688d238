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
	// Names are the entries that names.json gets; with --check those it lacks.
	Names []gen.NameChange `json:"names"`
}

func genCommand(t *terminal) *cobra.Command {
	var dir, out, goPackage string
	var check, strict bool
	cmd := &cobra.Command{
		Use:   "gen",
		Short: "Write declarations, index and contracts of a directory",
		Long: `gen infers a contract from every row and writes one .d.ts file a namespace, codemode.d.ts and
tools.d.ts, index.txt (a line a method) and contracts.json. The bytes do not depend on the order of
the rows. With --check nothing is written: it fails when the files on disk are not those, and prints
the difference.

With --go PACKAGE it also writes a Go package: a <namespace>.gen.go with typed arguments and results, a
handler interface to implement, an Unimplemented handler to embed, and <Namespace>Handlers, which hands
an implementation to assemble.Config.Handlers.

Names stay: where a new row would take or change the name that contracts.json gives another, the other
keeps it, recorded in names.json of the directory (beside a single file in FILE.names.json), which every
command reads. The name of a row that is gone is retired there and no other row gets it, until the entry
is removed. --check fails when an entry is missing. Keep the file with the rows.`,
		Example: `  codemode gen --directory rows/ --out bindings/
  codemode gen --directory rows/ --out bindings/ --check
  codemode gen --directory rows/ --out bindings/ --go bindings`,
		Args: cobra.NoArgs,
		RunE: func(_ *cobra.Command, _ []string) error {
			loaded, output, kept, err := generateKept(dir, out, strict)
			if err != nil {
				return err
			}
			if goPackage != "" {
				if err := output.AddGo(goPackage); err != nil {
					return &exitError{exitUsage, err.Error()}
				}
			}
			answer := genAnswer{
				Methods: len(output.Contracts), Files: slices.Sorted(maps.Keys(output.Files)), Changed: []string{}, Summary: gen.Summarize(output.Contracts),
				Findings: orEmpty(loaded.Findings), Diagnostics: orEmpty(output.Diagnostics),
				Names: orEmpty(kept.Changes),
			}
			if check {
				answer.Drift, err = gen.Check(out, output.Files)
			} else if err = writeNames(dir, kept); err == nil {
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
	cmd.Flags().StringVar(&goPackage, "go", "", "also write Go bindings, as a package of this name")
	cmd.Flags().BoolVar(&check, "check", false, "write nothing; fail and print the difference when files are stale")
	cmd.Flags().BoolVar(&strict, "strict", false, "fail on a malformed row instead of leaving it out")
	return cmd
}

// generateKept generates with every name where it was, as contracts.json in the folder out has it.
func generateKept(path, out string, strict bool) (*directory.Directory, *gen.Output, gen.Kept, error) {
	before, err := gen.WrittenNames(out)
	if err != nil {
		return nil, nil, gen.Kept{}, &exitError{exitUsage, err.Error()}
	}
	loaded, output, err := assemble.Generate(path, strict)
	if err != nil {
		return nil, nil, gen.Kept{}, err
	}
	kept := gen.Keep(loaded, before)
	if len(kept.Changes) > 0 {
		loaded.Names = kept.Names
		if output, err = gen.Generate(loaded, gen.Options{}); err != nil {
			return nil, nil, gen.Kept{}, &exitError{exitUsage, err.Error()}
		}
	}
	return loaded, output, kept, nil
}

// writeNames goes before the files that use the names: were it lost, they would move.
func writeNames(dir string, kept gen.Kept) error {
	if len(kept.Changes) == 0 {
		return nil
	}
	text, err := gen.NamesFile(kept.Names)
	if err == nil {
		err = replaceFile(directory.NamesPath(dir), text)
	}
	return err
}

func nameLine(c gen.NameChange) string {
	switch {
	case c.Retired:
		return printable(fmt.Sprintf("%s is gone; its name %s is retired", c.Reference, c.Name), 0)
	case c.Otherwise == "":
		return printable(fmt.Sprintf("%s is back, and its name %s too", c.Reference, c.Name), 0)
	}
	return printable(fmt.Sprintf("%s keeps its name %s; by the rules it would be %s", c.Reference, c.Name, c.Otherwise), 0)
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
		for _, c := range a.Names {
			t.say("names.json: %s", nameLine(c))
		}
		fmt.Fprint(t.out, a.Drift)
		t.say("%d methods in %d files in %s; %s", a.Methods, len(a.Files), out, a.Summary)
	}
	if check && len(a.Names) > 0 {
		return &exitError{exitScript, "names.json lacks entries, and names would move; run codemode gen without --check"}
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
