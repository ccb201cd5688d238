package accuracy

// This file runs the small schemas whose right types are known, and the schemas of a large document.

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"codemode/directory/contract"
	"codemode/gen/schema"
	"codemode/gen/ts"
)

// CaseFigures say how many of the small schemas are right: all valid instances fit the type, as an
// argument and as a result, no invalid one does, and the declaration is within the case's size.
type CaseFigures struct {
	Right int      `json:"right"`
	Total int      `json:"total"`
	Wrong []string `json:"wrong,omitempty"` // "id: what"
}

type schemaCase struct {
	ID             string
	Schema         json.RawMessage
	Valid, Invalid []json.RawMessage
	MaxBytes       int
}

// caseLine is what one line of the script judges.
type caseLine struct {
	id, text string
	fits     bool
}

func (r *SchemaReport) measureCases(c compiler, path string) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var cases []schemaCase
	if err := json.Unmarshal(raw, &cases); err != nil {
		return err
	}
	wrong := map[string]string{}
	methods, lines := writeCases(cases, wrong)
	text, err := ts.Namespace("cases", methods)
	if err != nil {
		return err
	}
	var script strings.Builder
	for _, l := range lines {
		script.WriteString(l.text + "\n")
	}
	problems, err := c.check(map[string]string{"tools.d.ts": text, "script.ts": script.String()})
	if err != nil {
		return err
	}
	failed := map[int]bool{}
	for _, p := range problems {
		if p.File != "script.ts" {
			return fmt.Errorf("the declarations do not compile: %s", p)
		}
		failed[p.Line-1] = true
	}
	for i, l := range lines {
		if failed[i] == l.fits {
			wrong[l.id] = l.text
		}
	}
	r.Cases = &CaseFigures{Right: len(cases) - len(wrong), Total: len(cases)}
	for _, id := range slices.Sorted(maps.Keys(wrong)) {
		r.Cases.Wrong = append(r.Cases.Wrong, id+": "+wrong[id])
	}
	return nil
}

// writeCases makes a method of every case and a line of every instance. A literal in a program is
// how an agent writes one, so that here instances stand as they are.
func writeCases(cases []schemaCase, wrong map[string]string) ([]*ts.Method, []caseLine) {
	var methods []*ts.Method
	var lines []caseLine
	for i, c := range cases {
		m, err := ts.Read(contract.Contract{Name: "cases." + c.ID, Params: c.Schema, Result: c.Schema})
		if err != nil {
			wrong[c.ID] = err.Error()
			continue
		}
		methods = append(methods, m)
		if n := len(m.Declaration()); c.MaxBytes > 0 && n > c.MaxBytes {
			wrong[c.ID] = fmt.Sprintf("%d bytes, at most %d", n, c.MaxBytes)
		}
		for _, side := range []string{
			fmt.Sprintf("NonNullable<Parameters<Tools.cases[%q]>[0]>", c.ID), fmt.Sprintf("Awaited<ReturnType<Tools.cases[%q]>>", c.ID),
		} {
			for n, v := range slices.Concat(c.Valid, c.Invalid) {
				lines = append(lines, caseLine{c.ID, fmt.Sprintf("const v%d_%d: %s = %s;", i, len(lines), side, strings.Join(strings.Fields(string(v)), " ")), n < len(c.Valid)})
			}
		}
	}
	return methods, lines
}

// DocumentFigures are the component schemas of one document, all in one program.
type DocumentFigures struct {
	Schemas  int      `json:"schemas"`
	Read     int      `json:"read"`
	Named    int      `json:"named"` // types that keep a name
	Bytes    int      `json:"bytes"` // of declarations
	Problems []string `json:"problems,omitempty"`
}

func (r *SchemaReport) measureOpenAPI(c compiler, path string) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var api struct {
		Components struct {
			Schemas map[string]json.RawMessage `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(raw, &api); err != nil {
		return err
	}
	found := &DocumentFigures{Schemas: len(api.Components.Schemas)}
	r.OpenAPI = found
	var text strings.Builder
	for i, name := range slices.Sorted(maps.Keys(api.Components.Schemas)) {
		doc, err := withReached(name, api.Components.Schemas)
		if err != nil {
			return err
		}
		graph, err := schema.Parse(doc, schema.Options{Root: name})
		if err != nil {
			found.Problems = append(found.Problems, name+": "+err.Error())
			continue
		}
		found.Read++
		found.Named += len(graph.Named)
		text.WriteString(ts.Types(fmt.Sprintf("C%d", i), graph))
	}
	found.Bytes = text.Len()
	problems, err := c.check(map[string]string{"types.d.ts": text.String()})
	for _, p := range problems {
		found.Problems = append(found.Problems, p.String())
	}
	return err
}

// withReached makes a document of one component and those that it refers to.
func withReached(name string, all map[string]json.RawMessage) ([]byte, error) {
	reached := map[string]json.RawMessage{}
	for todo := []string{name}; len(todo) > 0; todo = todo[1:] {
		doc, ok := all[todo[0]]
		if _, done := reached[todo[0]]; done || !ok {
			continue
		}
		reached[todo[0]] = doc
		for _, part := range strings.Split(string(doc), `"#/components/schemas/`)[1:] {
			to, _, _ := strings.Cut(part, `"`)
			todo = append(todo, to)
		}
	}
	return json.Marshal(map[string]any{
		"$ref":       "#/components/schemas/" + contract.EscapeToken(name),
		"components": map[string]any{"schemas": reached},
	})
}
