package learn

// This file compares results with what their rows declare.

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"codemode/directory/contract"
)

// Misfit is one place of a value that does not fit a schema.
type Misfit struct {
	At   string // JSON Pointer into the value
	Want string // in words, without the value
}

// Judge says where a value does not fit a schema; none where it does.
type Judge func(schema, value json.RawMessage) ([]Misfit, error)

// Disagreement is one way in which results differ from a declaration.
type Disagreement struct {
	// Place is a JSON Pointer with "*" for any item of a list, and for a key that is data.
	Place string `json:"place"`
	Want  string `json:"want"`
	Got   string `json:"got"`   // the type of what stood there
	Count int    `json:"count"` // results
	// Example is one such value; only when values are wanted.
	Example json.RawMessage `json:"example,omitempty"`
}

// Comparison gathers what results say of one declaration.
type Comparison struct {
	Results int            `json:"results"`
	Fit     int            `json:"fit"`
	Differ  []Disagreement `json:"disagreements"` // the most frequent first
	Values  bool           `json:"-"`             // keep an example of each
	byPlace map[[3]string]int
}

const (
	maxDisagreements = 50
	maxExample       = 200 // bytes
)

// Add judges one more result. Its error is the judge's: a schema that cannot be used.
func (c *Comparison) Add(declared, result json.RawMessage, judge Judge) error {
	misfits, err := judge(declared, result)
	if err != nil {
		return err
	}
	c.Results++
	if len(misfits) == 0 {
		c.Fit++
		return nil
	}
	v, err := decode(result)
	if err != nil {
		return err
	}
	seen := map[[3]string]bool{}
	for _, m := range misfits {
		place, at, found := locate(v, m.At)
		got := "nothing"
		if found {
			got = TypeOf(at)
		}
		id := [3]string{place, m.Want, got}
		if !seen[id] {
			seen[id] = true
			c.count(id, at)
		}
	}
	return nil
}

func (c *Comparison) count(id [3]string, value any) {
	if c.byPlace == nil {
		c.byPlace = map[[3]string]int{}
	}
	i, ok := c.byPlace[id]
	if !ok {
		if len(c.Differ) >= maxDisagreements {
			return
		}
		i = len(c.Differ)
		c.byPlace[id] = i
		c.Differ = append(c.Differ, Disagreement{Place: id[0], Want: id[1], Got: id[2]})
	}
	c.Differ[i].Count++
	if raw, err := json.Marshal(value); err == nil && c.Values && (c.Differ[i].Example == nil || string(raw) < string(c.Differ[i].Example)) && len(raw) <= maxExample {
		c.Differ[i].Example = raw
	}
}

// Sorted puts the disagreements in order.
func (c *Comparison) Sorted() []Disagreement {
	out := slices.Clone(c.Differ)
	slices.SortFunc(out, func(a, b Disagreement) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(a.Place, b.Place), strings.Compare(a.Want, b.Want), strings.Compare(a.Got, b.Got))
	})
	return out
}

// locate follows a pointer; the place it gives has "*" for positions in lists.
func locate(v any, pointer string) (place string, at any, found bool) {
	if pointer == "" {
		return "", v, true
	}
	for token := range strings.SplitSeq(pointer[1:], "/") {
		name := contract.UnescapeToken(token)
		switch node := v.(type) {
		case map[string]any:
			sub, ok := node[name]
			if isData(name) {
				token = "*"
			}
			place += "/" + token
			if !ok {
				return place, nil, false
			}
			v = sub
		case []any:
			i, err := strconv.Atoi(name)
			place += "/*"
			if err != nil || i < 0 || i >= len(node) {
				return place, nil, false
			}
			v = node[i]
		default:
			return place + "/" + token, nil, false
		}
	}
	return place, v, true
}

// TypeOf names the type of a decoded value (numbers as json.Number), two levels deep and no value of it.
func TypeOf(v any) string { return typeOf(v, 2) }

func typeOf(v any, depth int) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case json.Number:
		if strings.ContainsAny(string(v), ".eE") {
			return "number"
		}
		return "integer"
	case string:
		if holdsJSON(v) {
			return "text that holds JSON"
		}
		return "string"
	case []any:
		return listType(v, depth)
	case map[string]any:
		return objectType(v, depth)
	}
	return "unknown"
}

func listType(v []any, depth int) string {
	if len(v) == 0 || depth == 0 {
		return "array"
	}
	var kinds []string
	for _, e := range v[:min(len(v), 100)] {
		if k := typeOf(e, depth-1); !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	slices.Sort(kinds)
	if len(kinds) > 3 {
		kinds = append(kinds[:3], "...")
	}
	return "array of " + strings.Join(kinds, " or ")
}

func objectType(v map[string]any, depth int) string {
	if depth == 0 {
		return "object"
	}
	names := make([]string, 0, len(v))
	for k := range v {
		names = append(names, k)
	}
	slices.Sort(names)
	var fields []string
	for i, k := range names {
		if i == 6 {
			fields = append(fields, "...")
			break
		}
		if isData(k) {
			k = "[key]"
		}
		if len(k) > 40 {
			k = strings.ToValidUTF8(k[:40], "") + "..."
		}
		if field := k + ": " + typeOf(v[names[i]], depth-1); k != "[key]" || !slices.Contains(fields, field) {
			fields = append(fields, field)
		}
	}
	return "{" + strings.Join(fields, ", ") + "}"
}
