package infer_test

// This file runs the phrasings: the same facts in the words of many writers, one txtar file for each style.
// A case is the target, the description in lines with ">", the content, and below "==" what a reader takes
// from it: the parameters ("city string; days? integer = 7") and the result ("-> {id: string}"), where
// formats, bounds and words are left out. "any" is an unknown type. "== unread" is what inference does not
// get right yet.

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"codemode/directory"
	"codemode/gen/infer"
)

func TestPhrasings(t *testing.T) {
	files, err := filepath.Glob("testdata/phrasings/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			right := 0
			for _, f := range archive.Files {
				if readRight(t, f) {
					right++
				}
			}
			t.Logf("%d of %d read right", right, len(archive.Files))
		})
	}
}

func readRight(t *testing.T, f txtar.File) bool {
	t.Helper()
	row, want := phrased(t, f)
	contracts, _ := infer.Infer(row, infer.Options{})
	if len(contracts) != 1 {
		t.Fatalf("%s: %d contracts", f.Name, len(contracts))
	}
	got := paramsLine(t, contracts[0].Params)
	if strings.Contains(want, "->") {
		got += "\n-> " + brief(t, contracts[0].Result)
	}
	got = strings.TrimSpace(got)
	if strings.Contains(string(f.Data), "\n== unread\n") {
		if got == want {
			t.Errorf("%s is read now; take \"unread\" off", f.Name)
		}
		return false
	}
	if got != want {
		t.Errorf("%s\n  row  %s | %s | %q\n  want %s\n  got  %s", f.Name, row.Target, row.Description, row.Content, want, got)
	}
	return got == want
}

// phrased is the row of a case, loaded as a directory would, and what is wanted of it.
func phrased(t *testing.T, f txtar.File) (directory.Row, string) {
	t.Helper()
	source, want, ok := strings.Cut(strings.Replace(string(f.Data), "\n== unread\n", "\n==\n", 1), "\n==")
	if !ok {
		t.Fatalf("%s has no ==", f.Name)
	}
	head, rest, _ := strings.Cut(source, "\n")
	row := map[string]any{"key": "R", "type": "http", "when_to_use": "w", "target": strings.Replace(head, " /", " https://api.example.com/", 1)}
	for _, kind := range []string{"fn", "cli"} {
		if program, is := strings.CutPrefix(head, kind+" "); is {
			row["type"], row["target"] = kind, program
		}
	}
	var description, content []string
	for _, line := range strings.Split(rest, "\n") {
		if said, is := strings.CutPrefix(line, ">"); is {
			description = append(description, strings.TrimPrefix(said, " "))
		} else if line != "" {
			content = append(content, line)
		}
	}
	row["description"], row["content"] = strings.Join(description, "\n"), strings.Join(content, "\n")
	if len(description) == 0 {
		row["description"] = "Does the thing."
	}
	raw, err := json.Marshal(row)
	if err != nil {
		t.Fatal(err)
	}
	return loadRow(t, raw), strings.TrimSpace(want)
}

// paramsLine writes an object schema as a case does.
func paramsLine(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var root struct {
		Properties json.RawMessage
		Required   []string
	}
	if err := json.Unmarshal(raw, &root); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, name := range namesInOrder(t, root.Properties) {
		var all map[string]json.RawMessage
		var schema struct{ Default json.RawMessage }
		if json.Unmarshal(root.Properties, &all) != nil || json.Unmarshal(all[name], &schema) != nil {
			t.Fatalf("%s", raw)
		}
		optional, value := "?", ""
		if slices.Contains(root.Required, name) {
			optional = ""
		}
		if schema.Default != nil {
			value = " = " + strings.Trim(string(schema.Default), `"`)
		}
		out = append(out, name+optional+" "+brief(t, all[name])+value)
	}
	return strings.Join(out, "; ")
}

func namesInOrder(t *testing.T, raw json.RawMessage) []string {
	t.Helper()
	if len(raw) == 0 {
		return nil
	}
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	var names []string
	if _, err := dec.Token(); err != nil {
		t.Fatal(err)
	}
	for dec.More() {
		name, err := dec.Token()
		var skipped json.RawMessage
		if err != nil || dec.Decode(&skipped) != nil {
			t.Fatalf("%s", raw)
		}
		names = append(names, name.(string))
	}
	return names
}

// brief writes a schema's type in a few words.
func brief(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var s struct {
		Type       any
		Enum       []any
		Items      json.RawMessage
		Properties json.RawMessage
	}
	if string(raw) == "true" || len(raw) == 0 {
		return "any"
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	switch {
	case len(s.Enum) > 0:
		var words []string
		for _, v := range s.Enum {
			words = append(words, fmt.Sprint(v))
		}
		return strings.Join(words, "|")
	case len(s.Properties) > 0:
		var all map[string]json.RawMessage
		if err := json.Unmarshal(s.Properties, &all); err != nil {
			t.Fatal(err)
		}
		var fields []string
		for _, name := range namesInOrder(t, s.Properties) {
			fields = append(fields, name+": "+brief(t, all[name]))
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case s.Type == "array":
		return strings.Replace(brief(t, s.Items), "any", "", 1) + "[]"
	case s.Type == nil:
		return "any"
	}
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(s.Type), " ", "|"), "[]")
}
