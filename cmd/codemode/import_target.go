package main

// This file writes imported rows into the file that --out names, and keeps what people wrote in it.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"codemode/directory"
	"codemode/directory/importer"
	"codemode/gen"
)

// importTarget says where rows go.
type importTarget struct {
	out           string // "" for standard output
	prune, strict bool
}

// flags adds those that every import has.
func (to *importTarget) flags(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&to.out, "out", "o", "", "the .jsonl file to write or bring up to date (default: standard output)")
	cmd.Flags().BoolVar(&to.prune, "prune", false, "drop rows of --out that the source does not give")
	cmd.Flags().BoolVar(&to.strict, "strict", false, "exit 1 when anything that can be called was left out")
	must(cmd.MarkFlagFilename("out", "jsonl"))
}

// write brings the file up to date; nil for standard output, a file that was not there, and a source
// of which nothing can be imported.
func (to importTarget) write(r *importer.Result) (*importer.Updated, error) {
	switch {
	case to.out == "" && to.prune:
		return nil, &exitError{exitUsage, "--prune is for a file that --out names"}
	case to.out == "" || len(r.Rows) == 0:
		return nil, nil
	case to.prune && r.Incomplete:
		return nil, &exitError{exitUsage, "--prune would drop rows of the part of the list that could not be had; import without it, or when all of the list can be"}
	}
	update, err := to.update(r)
	if err != nil {
		return nil, &exitError{exitUsage, "--out: " + err.Error()}
	}
	return update, nil
}

func (to importTarget) update(r *importer.Result) (*importer.Updated, error) {
	old, err := readRegular(to.out)
	if errors.Is(err, fs.ErrNotExist) {
		var lines bytes.Buffer
		if err := importer.Write(&lines, r.Rows); err != nil {
			return nil, err
		}
		return nil, replaceFile(to.out, lines.Bytes())
	}
	if err != nil {
		return nil, err
	}
	update, err := importer.Update(to.out, old, r.Rows, to.prune)
	if err != nil || bytes.Equal(old, update.Text) {
		return update, err
	}
	return update, replaceFile(to.out, update.Text)
}

// readRegular reads a file that may be replaced: no folder, device or pipe.
func readRegular(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	old, err := io.ReadAll(io.LimitReader(f, maxDocumentBytes+1))
	if err == nil && len(old) > maxDocumentBytes {
		err = fmt.Errorf("%s is larger than %d bytes", name, maxDocumentBytes)
	}
	return old, err
}

// rows is how many the file holds.
func (to importTarget) rows(r *importer.Result, update *importer.Updated) int {
	if update == nil || update.Pruned {
		return len(r.Rows)
	}
	return len(r.Rows) + len(update.Missing)
}

func (to importTarget) answer(r *importer.Result, update *importer.Updated) importAnswer {
	answer := importAnswer{Tools: len(r.Rows), LeftOut: r.LeftOut, Total: r.LeftOut + len(r.Rows), Incomplete: r.Incomplete, Update: update,
		Findings: orEmpty(r.Findings), NotCarried: orEmpty(r.NotCarried)}
	switch {
	case to.out == "":
		answer.Rows = r.Rows
	case len(r.Rows) > 0:
		answer.File = to.out
	}
	return answer
}

// maxMissingNamed caps the rows that are named because the source lacks them; --json names all.
const maxMissingNamed = 20

func (t *terminal) tellUpdate(u *importer.Updated) {
	if u == nil {
		return
	}
	t.say("%s new, %d changed, %d as they were", counted(int64(u.New), "row"), u.Changed, u.Unchanged)
	if len(u.Fields) > 0 {
		var parts []string
		for _, c := range u.Fields {
			parts = append(parts, fmt.Sprintf("%s (%d)", printable(c.Kind, 100), c.Count))
		}
		t.say("changed by the source: %s", strings.Join(parts, ", "))
	}
	done := "kept; --prune drops them"
	if u.Pruned {
		done = "dropped"
	}
	for i, key := range u.Missing {
		if i == maxMissingNamed {
			t.say("and %d more", len(u.Missing)-i)
			break
		}
		t.say("not in the source: %s", printable(key, 200))
	}
	if len(u.Missing) > 0 {
		t.say("%s not in the source: %s", counted(int64(len(u.Missing)), "row"), done)
	}
}

// renamed finds rows that do not get the name that their key alone would have: another row's differs in
// case or punctuation only, which no script could tell apart.
func renamed(rows []directory.Row) []directory.Finding {
	operations := make([]gen.Operation, len(rows))
	for i, row := range rows {
		operations[i] = gen.Operation{Key: row.Key, Category: row.Category, Type: row.Type}
	}
	var out []directory.Finding
	for i, name := range gen.Names(operations) {
		if alone := gen.Names(operations[i : i+1])[0]; alone != name {
			out = append(out, directory.Finding{File: "rows", Line: i + 1, Key: rows[i].Key, Severity: directory.SeverityWarning, Rule: "clashing_name",
				Message: fmt.Sprintf("another row would be tools.%s too; this one is tools.%s", alone, name), Hint: "rename one at its source for names that can be read"})
		}
	}
	return out
}

// replaceFile writes a file whole or not at all. One that is a link is replaced where it leads; one that
// was there keeps who may read it.
func replaceFile(name string, data []byte) error {
	mode := fs.FileMode(0o644)
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
		if info, err := os.Stat(name); err == nil {
			mode = info.Mode().Perm()
		}
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".import-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already when all went well
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
