package infer_test

// This file runs the cases of testdata: each txtar file holds rows ("name.row", JSON) and what is
// inferred of them ("name.want"). Run with -update to write the latter anew, and read the diff.

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/gen/infer"
)

var update = flag.Bool("update", false, "write the wanted outcomes of testdata anew")

func TestInfer(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { runCases(t, file) })
	}
}

func runCases(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	out := &txtar.Archive{Comment: archive.Comment}
	wants := map[string]string{}
	for _, f := range archive.Files {
		wants[f.Name] = string(f.Data)
	}
	for _, f := range archive.Files {
		name, isRow := strings.CutSuffix(f.Name, ".row")
		if !isRow {
			continue
		}
		got := outcome(t, loadRow(t, f.Data))
		out.Files = append(out.Files, f, txtar.File{Name: name + ".want", Data: []byte(got)})
		if diff := cmp.Diff(wants[name+".want"], got); diff != "" && !*update {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(out), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// loadRow reads one row as a directory would.
func loadRow(t testing.TB, data []byte) directory.Row {
	t.Helper()
	var line bytes.Buffer
	if err := json.Compact(&line, data); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	path := filepath.Join(t.TempDir(), "row.jsonl")
	if err := os.WriteFile(path, line.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	dir, err := directory.Load(path, directory.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(dir.Rows) != 1 {
		t.Fatalf("%d rows, findings %v", len(dir.Rows), dir.Findings)
	}
	return dir.Rows[0]
}

// outcome writes what was inferred so that a person can read and review it.
func outcome(t testing.TB, row directory.Row) string {
	t.Helper()
	contracts, diagnostics := infer.Infer(row, infer.Options{})
	var b strings.Builder
	for _, c := range contracts {
		if err := c.Seal(); err != nil {
			t.Fatalf("seal: %v", err)
		}
		writeContract(&b, c)
	}
	for _, d := range diagnostics {
		fmt.Fprintf(&b, "%s %s: %s; %s\n", d.Severity, d.Field, d.Message, d.Hint)
	}
	return b.String()
}

func writeContract(b *strings.Builder, c contract.Contract) {
	if c.Operation != "" {
		fmt.Fprintf(b, "operation %s\n", c.Operation)
	}
	fmt.Fprintf(b, "params %s\nresult %s\n%s %s idempotency %s\n", c.Params, c.Result, c.Effect, c.Placement, c.Idempotency)
	for _, field := range []struct {
		name  string
		value any
		empty bool
	}{
		{"positional", c.Positional, len(c.Positional) == 0}, {"description", c.Description, c.Description == ""},
		{"when to use", c.WhenToUse, c.WhenToUse == ""}, {"notes", c.Notes, len(c.Notes) == 0}, {"examples", c.Examples, len(c.Examples) == 0},
		{"destinations", c.Destinations, len(c.Destinations) == 0}, {"sensitive", c.Sensitive, len(c.Sensitive) == 0},
		{"undo", c.Undo, c.Undo == nil}, {"readback", c.Readback, c.Readback == nil},
	} {
		if !field.empty {
			text, _ := json.Marshal(field.value)
			fmt.Fprintf(b, "%s %s\n", field.name, text)
		}
	}
	var from []string
	for _, k := range slices.Sorted(maps.Keys(c.Provenance)) {
		from = append(from, k+"="+string(c.Provenance[k]))
	}
	fmt.Fprintf(b, "from %s\n", strings.Join(from, " "))
}
