package accuracy

// This file measures inference on public function documents: each has a schema, which is withheld and
// then is the gold.

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/gen"
)

// functionDocuments are the documents, below the folder of the data.
const functionDocuments = "bfcl/func_docs.jsonl"

// document is one line of them.
type document struct {
	Class       string         `json:"class"`
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Parameters  documentSchema `json:"parameters"`
	Response    documentSchema `json:"response"`
}

type documentSchema struct {
	Type        string                     `json:"type"`
	Description string                     `json:"description,omitempty"`
	Properties  map[string]*documentSchema `json:"properties,omitempty"`
	Required    []string                   `json:"required,omitempty"`
	Items       *documentSchema            `json:"items,omitempty"`
	Enum        []any                      `json:"enum,omitempty"`
	Default     json.RawMessage            `json:"default,omitempty"`
}

// documents scores three amounts of words: the description; with it a docstring of names and
// descriptions; and one with types as a Python author writes them.
func documents(path string) (map[string]*Score, error) {
	var docs []document
	err := readLines(path, func(line []byte) error {
		var d document
		docs = append(docs, d)
		return json.Unmarshal(line, &docs[len(docs)-1])
	})
	if err != nil {
		return nil, err
	}
	out := map[string]*Score{}
	for left, words := range map[string]func(document) string{
		"1 description only":                  func(d document) string { return d.Description },
		"2 description and untyped docstring": func(d document) string { return d.docstring(false) },
		"3 description and typed docstring":   func(d document) string { return d.docstring(true) },
	} {
		score, err := scoreDocuments(docs, words)
		if err != nil {
			return nil, err
		}
		out[left] = score
	}
	return out, nil
}

func scoreDocuments(docs []document, words func(document) string) (*Score, error) {
	dir := &directory.Directory{}
	golds := map[string]gold{}
	for _, d := range docs {
		key := d.Class + "." + d.Name
		dir.Rows = append(dir.Rows, directory.Row{Key: key, Type: directory.MCP, Category: d.Class, Target: d.Class, Description: words(d)})
		g, err := d.gold(key)
		if err != nil {
			return nil, err
		}
		golds[key] = g
	}
	out, err := gen.Generate(dir, gen.Options{})
	if err != nil {
		return nil, err
	}
	sum := &Score{}
	for _, c := range out.Contracts {
		score, _ := judge(golds[c.Key], c)
		sum.add(score)
	}
	return sum, nil
}

// gold is what the withheld schema says. The result is not judged, since the words do not type it,
// and the effect is what a tool is taken for that declares none.
func (d document) gold(key string) (gold, error) {
	params, err := json.Marshal(d.Parameters.plain())
	return gold{Call: key, Style: "document", Params: params, Effect: contract.Irreversible}, err
}

// plain spells Python's type names as JSON Schema does.
func (s *documentSchema) plain() map[string]any {
	out := map[string]any{}
	if t, ok := map[string]string{"dict": "object", "float": "number", "tuple": "array", "any": ""}[s.Type]; ok {
		out["type"] = t
	} else {
		out["type"] = s.Type
	}
	if out["type"] == "" {
		delete(out, "type")
	}
	properties := map[string]any{}
	for name, p := range s.Properties {
		properties[name] = p.plain()
	}
	if len(properties) > 0 {
		out["properties"] = properties
	}
	if s.Items != nil {
		out["items"] = s.Items.plain()
	}
	if len(s.Enum) > 0 {
		out["enum"] = s.Enum
	}
	if s.Required != nil {
		out["required"] = s.Required
	}
	if len(s.Default) > 0 && string(s.Default) != "null" && string(s.Default) != `"None"` {
		out["default"] = s.Default
	}
	return out
}

// docstring is the description and an Args: block.
func (d document) docstring(typed bool) string {
	var b strings.Builder
	b.WriteString(strings.TrimSpace(d.Description) + "\n\nArgs:\n")
	names := slices.Clone(d.Parameters.Required)
	for name := range d.Parameters.Properties {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names[len(d.Parameters.Required):])
	for _, name := range names {
		p := d.Parameters.Properties[name]
		if p == nil {
			continue
		}
		mark := ""
		optional := !slices.Contains(d.Parameters.Required, name)
		switch {
		case typed && optional:
			mark = fmt.Sprintf(" (%s, optional)", p.python())
		case typed:
			mark = fmt.Sprintf(" (%s)", p.python())
		case optional:
			mark = " (optional)"
		}
		fmt.Fprintf(&b, "    %s%s: %s\n", name, mark, strings.Join(strings.Fields(p.Description), " "))
	}
	return b.String()
}

func (s *documentSchema) python() string {
	name, ok := map[string]string{"string": "str", "integer": "int", "boolean": "bool", "array": "list", "number": "float"}[s.Type]
	if !ok {
		name = s.Type
	}
	if name == "list" && s.Items != nil && s.Items.Type != "" {
		return "list[" + s.Items.python() + "]"
	}
	return name
}
