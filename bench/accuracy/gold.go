package accuracy

// This file holds gold contracts: what a careful reader of a row alone would write down.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"codemode/directory/contract"
)

// gold is one line of a file in gold/: the contract of one operation, written from the row's words.
type gold struct {
	Call    string          `json:"call"` // "KEY" or "KEY/operation"
	Style   string          `json:"style"`
	Defects []string        `json:"defects"`
	Params  json.RawMessage `json:"params"` // an object schema; {} where the row does not state a type
	Result  json.RawMessage `json:"result"` // absent where the row states none
	Effect  contract.Effect `json:"effect"`
	Note    string          `json:"note"` // why, where a reader would hesitate
	half    string
}

// halves are the folders of gold/. Inference may be tuned on the first; the second is only counted.
var halves = []string{"tune", "held"}

// readGold reads both halves, sorted by call.
func readGold(folder string) ([]gold, error) {
	var all []gold
	seen := map[string]string{}
	for _, half := range halves {
		files, err := filepath.Glob(filepath.Join(folder, half, "*.jsonl"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			err := readLines(file, func(line []byte) error {
				g := gold{half: half}
				dec := json.NewDecoder(bytes.NewReader(line))
				dec.DisallowUnknownFields()
				if err := dec.Decode(&g); err != nil {
					return err
				}
				if other := seen[g.Call]; other != "" {
					return fmt.Errorf("%s stands in %s too", g.Call, other)
				}
				seen[g.Call] = file
				all = append(all, g)
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s holds no gold contracts: %w", folder, fs.ErrNotExist)
	}
	slices.SortFunc(all, func(a, b gold) int { return strings.Compare(a.Call, b.Call) })
	return all, nil
}

// kinds are what a failure of the row is counted under: its style, and each of its defects.
func (g gold) kinds() []string {
	kinds := []string{g.Style}
	for _, d := range g.Defects {
		kinds = append(kinds, "defect: "+d)
	}
	return kinds
}

// object is the part of an object schema that is judged.
type object struct {
	Properties map[string]json.RawMessage `json:"properties"`
	Required   []string                   `json:"required"`
}

// said is what a schema states, cut down to what is judged: the type, and below it the same of its
// parts. Words, bounds and formats are left out, and so is null beside another type.
func said(raw json.RawMessage) any {
	var v any
	if len(raw) == 0 || json.Unmarshal(raw, &v) != nil {
		return nil
	}
	return saidOf(v)
}

func saidOf(v any) any {
	schema, ok := v.(map[string]any)
	if !ok {
		return nil
	}
	out := map[string]any{}
	for _, word := range []string{"anyOf", "oneOf", "allOf", "prefixItems"} {
		if list, ok := schema[word].([]any); ok {
			for i := range list {
				list[i] = saidOf(list[i])
			}
			out[word] = list
		}
	}
	for _, word := range []string{"items", "additionalProperties"} {
		if part := saidOf(schema[word]); part != nil {
			out[word] = part
		}
	}
	if properties, ok := schema["properties"].(map[string]any); ok && len(properties) > 0 {
		parts := map[string]any{}
		for name, part := range properties {
			parts[name] = saidOf(part)
		}
		out["properties"] = parts
	}
	if enum, ok := schema["enum"].([]any); ok {
		out["enum"] = sortedValues(enum)
	} else if c, ok := schema["const"]; ok {
		out["enum"] = sortedValues([]any{c})
	} else if t, ok := schema["type"]; ok {
		out["type"] = oneType(t)
	} else if out["properties"] != nil {
		out["type"] = "object"
	}
	if ref, ok := schema["$ref"]; ok {
		out["$ref"] = ref
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// oneType drops null from a list of types, and a list of one is that one.
func oneType(t any) any {
	list, ok := t.([]any)
	if !ok {
		return t
	}
	list = slices.DeleteFunc(slices.Clone(list), func(v any) bool { return v == "null" })
	if len(list) == 1 {
		return list[0]
	}
	return sortedValues(list)
}

func sortedValues(list []any) any {
	texts := []string{}
	for _, v := range list {
		raw, err := json.Marshal(v)
		if err == nil && string(raw) != "null" {
			texts = append(texts, string(raw))
		}
	}
	slices.Sort(texts)
	return strings.Join(texts, "|")
}

// saidText is what said found, for comparing and for showing; "" where nothing is stated.
func saidText(raw json.RawMessage) string {
	v := said(raw)
	if v == nil {
		return ""
	}
	out, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(out)
}
