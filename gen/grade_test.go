package gen_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codemode/directory"
	"codemode/gen"
)

// TestGrades holds each level to a row of that kind.
func TestGrades(t *testing.T) {
	for _, c := range []struct {
		name, row string
		level     gen.Level
		missing   string
		suggest   string
	}{
		{"all said", `"target":"GET http://h.example/a/$1","content":"# ARGS: id (integer)\n# RETURNS: {name: string}"`, gen.Typed, "", ""},
		{"no arguments", `"target":"GET http://h.example/a","content":"# RETURNS: [string]"`, gen.Typed, "", ""},
		{"no result", `"target":"GET http://h.example/a?n=$1","content":"# ARGS: n (integer, optional)"`, gen.PartlyTyped, "result", "# RETURNS: {field: TYPE, other?: TYPE}, [TYPE], TYPE or nothing"},
		{"no name", `"type":"cli","target":"echo","content":"$1"`, gen.Untyped, "params/arg1 result", "# ARGS: NAME1 (TYPE)"},
		{"fields without types", `"target":"GET http://h.example/a","content":"# RETURNS: {a, b}"`, gen.PartlyTyped, "result", "# RETURNS:"},
		{"a list", `"type":"mcp","target":"s","arguments":[{"name":"q"}]`, gen.Untyped, "params/q result", "arguments: give q a type"},
		{"a schema", `"type":"mcp","target":"s","input_schema":{"type":"object","properties":{"q":{}}}`, gen.Untyped, "params/q result", "input_schema: give q a type"},
		{"nothing", `"type":"mcp","target":"s"`, gen.Untyped, "params result", "# ARGS: name (TYPE), other (TYPE, optional), or none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			row := `{"key":"K","description":"D.","when_to_use":"W.",` + c.row + `}`
			if !strings.Contains(row, `"type":"mcp"`) && !strings.Contains(row, `"type":"cli"`) {
				row = strings.Replace(row, `"key"`, `"type":"http","key"`, 1)
			}
			dir := loadRows(t, row)
			out, err := gen.Generate(dir, gen.Options{})
			if err != nil {
				t.Fatal(err)
			}
			grades, _ := gen.GradeAll(dir, out.Contracts)
			g := grades[0]
			if g.Level != c.level || strings.Join(g.Missing, " ") != c.missing || !strings.HasPrefix(strings.Join(g.Suggestion, "\n"), c.suggest) {
				t.Errorf("got %s, missing %q, suggestion %q", g.Level, g.Missing, g.Suggestion)
			}
		})
	}
}

// TestSuggestionsLift writes each suggested line into the row it is for, and grades it again.
func TestSuggestionsLift(t *testing.T) {
	dir, err := directory.Load(filepath.Join("..", "fixtures", "directory"), directory.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := gen.Generate(dir, gen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	grades, total := gen.GradeAll(dir, out.Contracts)
	if total.Typed+total.PartlyTyped+total.Untyped != len(out.Contracts) {
		t.Errorf("%s of %d contracts", total, len(out.Contracts))
	}
	lifted := 0
	for _, g := range grades {
		row, _ := dir.Row(g.Key)
		if g.Level == gen.Typed || g.Operation != "" || row.Type == directory.Flow || len(row.Docs.Args)+len(row.Docs.Returns) > 0 {
			continue // what is there would have to be edited, not added to
		}
		lines := ""
		for _, s := range g.Suggestion {
			if strings.HasPrefix(s, "# RETURNS:") {
				s = "# RETURNS: {field: TYPE}"
			}
			if strings.HasPrefix(s, "#") {
				lines += strings.ReplaceAll(s, "TYPE", "string") + "\n"
			}
		}
		if lines == "" {
			continue // a schema or a list is to be completed
		}
		docs, _ := directory.ParseDocs(lines)
		row.Docs.Args, row.Docs.Returns = docs.Args, docs.Returns
		again, err := gen.Generate(&directory.Directory{Rows: []directory.Row{row}}, gen.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if after := gen.GradeOf(row, again.Contracts[0]); len(after.Missing) >= len(g.Missing) {
			t.Errorf("%s stays %s with %q: missing %q", g.Key, after.Level, lines, after.Missing)
		}
		lifted++
	}
	if lifted == 0 {
		t.Error("no row was lifted")
	}
}

// TestExplain holds that every field of every contract has evidence, with a place where something was read.
func TestExplain(t *testing.T) {
	dir, err := directory.Load(filepath.Join("..", "fixtures", "directory"), directory.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := gen.Generate(dir, gen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	explained := 0
	for _, row := range dir.Rows {
		all, err := gen.Explain(dir, out, row.Key)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range all {
			explained++
			if len(e.Evidence) != len(e.Contract.Provenance) {
				t.Errorf("%s: %d pieces of evidence for %d fields", e.Contract.Name, len(e.Evidence), len(e.Contract.Provenance))
			}
			for _, v := range e.Evidence {
				said := v.Provenance != "none" && v.Field != "name" && v.Field != "idempotency"
				if said != (v.Place != "") && v.Field != "name" && v.Field != "idempotency" {
					t.Errorf("%s: %s from %s has place %q", e.Contract.Name, v.Field, v.Provenance, v.Place)
				}
			}
		}
	}
	if explained != len(out.Contracts) {
		t.Errorf("%d of %d contracts explained", explained, len(out.Contracts))
	}
	if _, err := gen.Explain(dir, out, "NO_SUCH"); err == nil {
		t.Error("no error for a row that is not there")
	}
}

func loadRows(t *testing.T, rows ...string) *directory.Directory {
	t.Helper()
	file := filepath.Join(t.TempDir(), "rows.jsonl")
	if err := os.WriteFile(file, []byte(strings.Join(rows, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	dir, err := directory.Load(file, directory.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(dir.Findings) > 0 {
		t.Fatal(fmt.Sprint(dir.Findings))
	}
	return dir
}

// TestObservedIsNotDeclared holds that what was only observed makes no operation typed, nor a flow that
// hands it on.
func TestObservedIsNotDeclared(t *testing.T) {
	dir := loadRows(t, `{"key":"A_GET","type":"http","description":"D.","when_to_use":"W.","target":"GET http://h.example/a"}`,
		`{"key":"A_FLOW","type":"flow","description":"D.","when_to_use":"W.","content":"# ARGS: none\nA_GET"}`)
	for i := range dir.Rows {
		if dir.Rows[i].Key == "A_GET" {
			dir.Rows[i].Observed = map[string]directory.Observation{"": {Results: 1, Schema: []byte(`{"type":"string"}`)}}
		}
	}
	out, err := gen.Generate(dir, gen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	grades, total := gen.GradeAll(dir, out.Contracts)
	for i, g := range grades {
		if g.Level != gen.PartlyTyped || !g.Observed || len(g.Missing) > 0 || !strings.HasPrefix(strings.Join(g.Suggestion, ""), "# RETURNS:") {
			t.Errorf("%s is %+v", g.Name, g)
		}
		if notes := strings.Join(out.Contracts[i].Notes, "\n"); !strings.Contains(notes, "observed from") || !strings.Contains(notes, "not declared") {
			t.Errorf("%s says %q", g.Name, notes)
		}
	}
	if want := "0 typed, 2 partly typed (2 with an observed result), 0 untyped"; total.String() != want {
		t.Errorf("%s, want %s", total, want)
	}
}

func TestOperationSaysWhereItsLinesGo(t *testing.T) {
	dir := loadRows(t, `{"key":"A","type":"http","description":"D.","when_to_use":"W.","target_map":{"get":"GET http://h.example/a/$1"}}`)
	out, err := gen.Generate(dir, gen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if grades, _ := gen.GradeAll(dir, out.Contracts); grades[0].Where != "target_map.get.content" {
		t.Errorf("lines go into %s", grades[0].Where)
	}
}
