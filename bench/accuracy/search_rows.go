package accuracy

// This file makes rows of a public list of APIs and reads the queries that go with it.

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"codemode/directory"
)

// api is one line of apis.jsonl.
type api struct {
	Tool        string          `json:"tool_name"`
	Name        string          `json:"api_name"`
	Category    string          `json:"category_name"`
	Description string          `json:"api_description"`
	Required    []apiParameter  `json:"required_parameters"`
	Optional    []apiParameter  `json:"optional_parameters"`
	Response    json.RawMessage `json:"template_response"`
}

type apiParameter struct {
	Name        string          `json:"name"`
	Type        string          `json:"type"`
	Description string          `json:"description"`
	Default     json.RawMessage `json:"default"`
}

// need is one line of queries.jsonl: a request in words, and the keys of the rows that it takes.
type need struct {
	ID       int        `json:"query_id"`
	Query    string     `json:"query"`
	Relevant [][]string `json:"relevant_apis"` // tool and API
	keys     []string
}

// apiRows makes a row of each API, as the importer does of an MCP server's tools: the tool is the
// server. An API that stands twice is taken once.
func apiRows(folder string) (*directory.Directory, error) {
	dir := &directory.Directory{}
	seen := map[string]bool{}
	err := readLines(filepath.Join(folder, "apis.jsonl"), func(line []byte) error {
		var a api
		if err := json.Unmarshal(line, &a); err != nil {
			return err
		}
		if key := apiKey(a.Tool, a.Name); !seen[key] {
			seen[key] = true
			row, err := a.row(key)
			if err != nil {
				return err
			}
			dir.Rows = append(dir.Rows, row)
		}
		return nil
	})
	return dir, err
}

// apiKey is "tool/api"; a "/", "." or ":" in the tool's own name would cut the namespace short.
func apiKey(tool, name string) string {
	return strings.TrimSpace(strings.NewReplacer("/", " ", ".", " ", ":", " ").Replace(tool)) + "/" + name
}

func (a api) row(key string) (directory.Row, error) {
	row := directory.Row{Key: key, Type: directory.MCP, Category: a.Category, Target: a.Tool, Description: strings.TrimSpace(a.Description)}
	properties, required := map[string]any{}, []string{}
	for i, p := range append(a.Required, a.Optional...) {
		properties[p.Name] = p.schema()
		if i < len(a.Required) {
			required = append(required, p.Name)
		}
	}
	var err error
	if row.InputSchema, err = json.Marshal(map[string]any{"type": "object", "properties": properties, "required": required}); err != nil {
		return row, err
	}
	var response any
	if len(a.Response) > 0 && json.Unmarshal(a.Response, &response) == nil && response != nil {
		row.OutputSchema, err = json.Marshal(responseSchema(response))
	}
	return row, err
}

func (p apiParameter) schema() map[string]any {
	out := map[string]any{}
	switch strings.ToLower(p.Type) {
	case "string", "enum":
		out["type"] = "string"
	case "number", "boolean", "array", "object":
		out["type"] = strings.ToLower(p.Type)
	case "date (yyyy-mm-dd)":
		out["type"], out["format"] = "string", "date"
	}
	if text := strings.TrimSpace(p.Description); text != "" {
		out["description"] = text
	}
	if len(p.Default) > 0 && string(p.Default) != `""` {
		out["default"] = p.Default
	}
	return out
}

// responseSchema reads a response whose values are replaced by what they were: "str", "int", or a
// list of one such item with its length beside it.
func responseSchema(sample any) map[string]any {
	switch sample := sample.(type) {
	case map[string]any:
		properties := map[string]any{}
		for name, value := range sample {
			if name != "_list_length" {
				properties[name] = responseSchema(value)
			}
		}
		return map[string]any{"type": "object", "properties": properties}
	case []any:
		out := map[string]any{"type": "array"}
		if len(sample) > 0 {
			out["items"] = responseSchema(sample[0])
		}
		return out
	case string:
		kind := map[string]string{"str": "string", "int": "integer", "float": "number", "bool": "boolean", "empty list": "array"}[sample]
		if kind == "" && strings.HasPrefix(sample, "list of ") {
			kind = "array"
		}
		if kind != "" {
			return map[string]any{"type": kind}
		}
	}
	return map[string]any{}
}

func readNeeds(folder string) ([]need, error) {
	var out []need
	err := readLines(filepath.Join(folder, "queries.jsonl"), func(line []byte) error {
		var n need
		if err := json.Unmarshal(line, &n); err != nil {
			return err
		}
		for _, pair := range n.Relevant {
			if len(pair) != 2 {
				return fmt.Errorf("query %d: a relevant API has %d parts, want tool and name", n.ID, len(pair))
			}
			n.keys = append(n.keys, apiKey(pair[0], pair[1]))
		}
		out = append(out, n)
		return nil
	})
	return out, err
}

// readLines hands over each line of a file; an error names the line.
func readLines(path string, each func([]byte) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<20)
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		if len(line) > 1 {
			if err := each(line); err != nil {
				return fmt.Errorf("%s:%d: %w", path, n, err)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
