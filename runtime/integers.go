package runtime

// This file keeps integers exact between JSON, which has them of any size, and a script, where a
// number holds only those up to 2^53. A schema decides which ones a script sees as bigint.

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// integerUse says how a script sees the number at one place of a result.
type integerUse int

const (
	useUnknown integerUse = iota // nothing is declared: exact, bigint where it must be
	useNumber
	useBigInt
)

// schemaNode is the part of JSON Schema that decides between number and bigint.
type schemaNode struct {
	Type        json.RawMessage            `json:"type"`
	Format      string                     `json:"format"`
	Minimum     json.Number                `json:"minimum"`
	Maximum     json.Number                `json:"maximum"`
	Ref         string                     `json:"$ref"`
	Properties  map[string]json.RawMessage `json:"properties"`
	Additional  json.RawMessage            `json:"additionalProperties"`
	Items       json.RawMessage            `json:"items"`
	PrefixItems []json.RawMessage          `json:"prefixItems"`
	AllOf       []json.RawMessage          `json:"allOf"`
	AnyOf       []json.RawMessage          `json:"anyOf"`
	OneOf       []json.RawMessage          `json:"oneOf"`
}

// integers walks values beside their schema.
type integers struct {
	root   json.RawMessage
	parsed map[string]schemaNode // by schema text
	// number is called for every number with its place and declared use.
	number func(pointer string, n json.Number, use integerUse, integer bool) *Error
}

// bigInts lists the places of a result that a script gets as bigint. An integer too large for a
// place declared as number is an error, never a rounding.
func bigInts(schema, value json.RawMessage) ([]string, *Error) {
	if !hasDigits(value) {
		return nil, nil
	}
	var places []string
	w := integers{root: schema, parsed: map[string]schemaNode{}}
	w.number = func(pointer string, n json.Number, use integerUse, _ bool) *Error {
		switch {
		case !isDigits(string(n)):
		case use == useBigInt, use == useUnknown && !isSafe(string(n)):
			places = append(places, pointer)
		case !isSafe(string(n)):
			return Errorf(RemoteFailed, "the result has %s at %s, more than a number can hold", n, orRoot(pointer)).
				WithHint("the call was made; its row should declare format int64 there")
		}
		return nil
	}
	if err := w.document(schema, value); err != nil {
		return nil, err
	}
	return places, nil
}

// unsafeIntegers refuses an argument that lost digits before it came here: a number beyond 2^53
// where an integer is declared. The worker writes such numbers with an exponent.
func unsafeIntegers(schema, value json.RawMessage) *Error {
	if !bytes.ContainsAny(value, "eE") {
		return nil
	}
	w := integers{root: schema, parsed: map[string]schemaNode{}}
	w.number = func(pointer string, n json.Number, _ integerUse, integer bool) *Error {
		if integer && !isDigits(string(n)) && beyondSafe(string(n)) {
			return Errorf(InvalidArgument, "%s is %s: a number this large has lost digits", orRoot(pointer), n).WithHint("write it as a bigint: 9007199254740993n")
		}
		return nil
	}
	return w.document(schema, value)
}

func (w integers) document(schema, value json.RawMessage) *Error {
	dec := json.NewDecoder(bytes.NewReader(value))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return Errorf(RemoteFailed, "the value is not JSON").WithCause(err)
	}
	return w.walk("", []json.RawMessage{schema}, v)
}

// walk visits v under all the schemas that speak of its place.
func (w integers) walk(at string, schemas []json.RawMessage, v any) *Error {
	nodes := w.expand(schemas, 0)
	switch v := v.(type) {
	case json.Number:
		use, integer := numberUse(nodes)
		return w.number(at, v, use, integer)
	case []any:
		for i, item := range v {
			if err := w.walk(at+"/"+strconv.Itoa(i), itemSchemas(nodes, i), item); err != nil {
				return err
			}
		}
	case map[string]any:
		for key, member := range v {
			if err := w.walk(at+"/"+pointerToken(key), memberSchemas(nodes, key), member); err != nil {
				return err
			}
		}
	}
	return nil
}

// expand follows references and combinators to the nodes that may apply; 16 levels are enough for
// any schema that ends.
func (w integers) expand(schemas []json.RawMessage, depth int) []schemaNode {
	var nodes []schemaNode
	for _, s := range schemas {
		node, ok := w.node(s)
		if !ok || depth > 16 || len(nodes) > 256 {
			continue
		}
		nodes = append(nodes, node)
		if target := w.resolve(node.Ref); target != nil {
			nodes = append(nodes, w.expand([]json.RawMessage{target}, depth+1)...)
		}
		for _, part := range [][]json.RawMessage{node.AllOf, node.AnyOf, node.OneOf} {
			nodes = append(nodes, w.expand(part, depth+1)...)
		}
	}
	return nodes
}

func (w integers) node(s json.RawMessage) (schemaNode, bool) {
	if len(s) == 0 || s[0] != '{' {
		return schemaNode{}, false
	}
	if n, ok := w.parsed[string(s)]; ok {
		return n, true
	}
	var n schemaNode
	if json.Unmarshal(s, &n) != nil {
		return schemaNode{}, false
	}
	w.parsed[string(s)] = n
	return n, true
}

// resolve follows a reference inside the document: "#", "#/$defs/Node".
func (w integers) resolve(ref string) json.RawMessage {
	fragment, local := strings.CutPrefix(ref, "#")
	if !local || ref == "" {
		return nil
	}
	at := w.root
	for _, step := range strings.Split(fragment, "/")[1:] {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		var object map[string]json.RawMessage
		var array []json.RawMessage
		if json.Unmarshal(at, &object) == nil {
			at = object[step]
		} else if i, err := strconv.Atoi(step); err == nil && json.Unmarshal(at, &array) == nil && i >= 0 && i < len(array) {
			at = array[i]
		} else {
			return nil
		}
	}
	return at
}

func numberUse(nodes []schemaNode) (use integerUse, integer bool) {
	for _, n := range nodes {
		isInteger := bytes.Contains(n.Type, []byte(`"integer"`))
		switch {
		case isInteger && n.wide():
			return useBigInt, true
		case isInteger || bytes.Contains(n.Type, []byte(`"number"`)):
			use, integer = useNumber, integer || isInteger
		}
	}
	return use, integer
}

// wide reports an integer that a number can't hold by its declaration: the rule by which the
// declarations say bigint.
func (n schemaNode) wide() bool {
	return n.Format == "int64" || n.Format == "uint64" || beyond(string(n.Minimum), 1<<53) || beyond(string(n.Maximum), 1<<53)
}

func itemSchemas(nodes []schemaNode, i int) (out []json.RawMessage) {
	for _, n := range nodes {
		if i < len(n.PrefixItems) {
			out = append(out, n.PrefixItems[i])
		} else {
			out = append(out, n.Items)
		}
	}
	return out
}

func memberSchemas(nodes []schemaNode, key string) (out []json.RawMessage) {
	for _, n := range nodes {
		if s, ok := n.Properties[key]; ok {
			out = append(out, s)
		} else {
			out = append(out, n.Additional)
		}
	}
	return out
}

func pointerToken(key string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(key) }

func orRoot(pointer string) string {
	if pointer == "" {
		return "its root"
	}
	return pointer
}

// hasDigits is a cheap test for a number that might be wide.
func hasDigits(value []byte) bool { return bytes.ContainsAny(value, "0123456789") }

func isDigits(n string) bool { return !strings.ContainsAny(n, ".eE") }

// isSafe reports an integer of at most 2^53 - 1 (ECMA-262, Number.MAX_SAFE_INTEGER).
func isSafe(digits string) bool {
	return len(digits) < 16 || !beyondSafe(digits)
}

func beyondSafe(number string) bool { return beyond(number, 1<<53-1) }

func beyond(number string, limit float64) bool {
	if len(number) > 400 || number == "" {
		return number != ""
	}
	f, _, err := big.ParseFloat(number, 10, 200, big.ToZero)
	return err == nil && f.Abs(f).Cmp(big.NewFloat(limit)) > 0
}
