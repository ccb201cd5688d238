package main

// This file holds codemode gen.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

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
	// Fresh says that the folder had no contracts.json: which names there were before is not known.
	Fresh bool `json:"fresh"`
	// LeftOut counts rows that could not be read. Doubtful are the operations that had a name and may be
	// among them; none is retired.
	LeftOut  int      `json:"left_out"`
	Doubtful []string `json:"doubtful"`

	named map[string]bool // keys that had a name before
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
is removed; while a row cannot be read, none is retired. --check fails when an entry is missing. Keep the
file with the rows, and generate with the same --out before and after a change: into a folder without
contracts.json nothing is known of earlier names, and gen says which it had to tell apart by a hash.`,
		Example: `  codemode gen --directory rows/ --out bindings/
  codemode gen --directory rows/ --out bindings/ --check
  codemode gen --directory rows/ --out bindings/ --go bindings`,
		Args: noArgs,
		RunE: func(_ *cobra.Command, _ []string) error {
			before, err := gen.WrittenNames(out)
			if err != nil {
				return &exitError{exitUsage, err.Error()}
			}
			loaded, output, kept, err := generateKept(dir, before, strict)
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
				Names: orEmpty(kept.Changes), LeftOut: loaded.LeftOut, Doubtful: orEmpty(kept.Doubtful), Fresh: before == nil, named: map[string]bool{},
			}
			for ref := range before {
				key, _, _ := strings.Cut(ref, "#")
				answer.named[key] = true
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

// generateKept generates with every name where it was before.
func generateKept(path string, before map[string]string, strict bool) (*directory.Directory, *gen.Output, gen.Kept, error) {
	loaded, output, err := assemble.Generate(path, strict)
	if err != nil {
		return nil, nil, gen.Kept{}, err
	}
	kept := gen.Keep(loaded, before)
	if len(kept.Changes) > 0 {
		if f, wrong := loaded.SideFault("_name"); wrong {
			return nil, nil, gen.Kept{}, &exitError{exitUsage, "names.json gets new entries and has errors, and what they are about would be lost: " + f.String()}
		}
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

func nameLine(c gen.NameChange, doubtful []string) string {
	_, doubted := slices.BinarySearch(doubtful, c.Reference)
	switch {
	case doubted:
		return printable(fmt.Sprintf("%s is not there and may be a row that could not be read; its name %s is kept", c.Reference, c.Name), 0)
	case c.Retired:
		return printable(fmt.Sprintf("%s is gone; its name %s is retired", c.Reference, c.Name), 0)
	case c.Otherwise == "":
		return printable(fmt.Sprintf("%s is back, and its name %s too", c.Reference, c.Name), 0)
	}
	return printable(fmt.Sprintf("%s keeps its name %s; by the rules it would be %s", c.Reference, c.Name, c.Otherwise), 0)
}

// maxGenLines caps what gen tells of one kind.
const maxGenLines = 20

// newNames tells of names that gen had to tell apart and that were not there before. Without a
// contracts.json nothing says which of two rows had the name first.
func (t *terminal) newNames(a genAnswer, out string) {
	told := 0
	for _, d := range a.Diagnostics {
		if d.Field != "name" || a.named[d.Key] {
			continue
		}
		if told++; told <= maxGenLines {
			t.say("name: %s", printable(d.Key+": "+d.Message, 0))
		}
	}
	if told > maxGenLines {
		t.say("name: and %d more, in the diagnostics of --json", told-maxGenLines)
	}
	if told > 0 && a.Fresh {
		t.say("%s", printable(fmt.Sprintf("%s has no contracts.json: a name that one of these rows had elsewhere is not known here; generate with the same --out as before, or write it into names.json", out), 0))
	}
}

// strays tells of names in "sensitive" that protect nothing.
func (t *terminal) strays(a genAnswer) {
	told := 0
	for _, d := range a.Diagnostics {
		if d.Field != "sensitive" || d.Severity != directory.SeverityError {
			continue
		}
		if told++; told <= maxGenLines {
			t.say("sensitive: %s", printable(d.Key+": "+d.Message+"; "+d.Hint, 0))
		}
	}
	if told > maxGenLines {
		t.say("sensitive: and %d more; codemode lint lists all", told-maxGenLines)
	}
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
			t.say("names.json: %s", nameLine(c, a.Doubtful))
		}
		if n := len(a.Doubtful); n > 0 {
			shown := strings.Join(a.Doubtful[:min(n, maxGenLines)], ", ")
			if n > maxGenLines {
				shown += fmt.Sprintf(" and %d more", n-maxGenLines)
			}
			t.say("no name is retired, since %s could not be read: %s", counted(int64(a.LeftOut), "row"), printable(shown+" may be among them", 0))
		}
		t.strays(a)
		t.newNames(a, out)
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
