package runtime

// This file keeps integers exact between JSON, which has them of any size, and a script, where a
// number holds only those up to 2^53. A schema decides which ones a script sees as bigint.

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"codemode/directory/contract"
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
	Above       json.RawMessage            `json:"exclusiveMinimum"`
	Below       json.RawMessage            `json:"exclusiveMaximum"`
	Ref         string                     `json:"$ref"`
	Properties  map[string]json.RawMessage `json:"properties"`
	Additional  json.RawMessage            `json:"additionalProperties"`
	Items       json.RawMessage            `json:"items"`
	PrefixItems []json.RawMessage          `json:"prefixItems"`
	AllOf       []json.RawMessage          `json:"allOf"`
	AnyOf       []json.RawMessage          `json:"anyOf"`
	OneOf       []json.RawMessage          `json:"oneOf"`
}

// Bounds of one result or argument, so that neither a schema that refers to itself in many ways nor
// long names around many integers take more than their own size to look at.
const (
	maxNodes      = 256     // schemas that speak of one place; those past it say nothing
	maxPlaceBytes = 2 << 20 // pointers to the bigints of one result
)

// integers walks values beside their schema.
type integers struct {
	root     json.RawMessage
	parsed   map[string]*schemaNode   // by schema text
	expanded map[string][]*schemaNode // by schema text
	path     []string                 // names and indexes down to the place visited
	// number is called for every number, at the place of path, with its declared use.
	number func(n json.Number, use integerUse, integer bool) *Error
}

func newIntegers(root json.RawMessage) *integers {
	return &integers{root: root, parsed: map[string]*schemaNode{}, expanded: map[string][]*schemaNode{}}
}

// bigInts lists the places of a result that a script gets as bigint. An integer too large for a
// place declared as number is an error, never a rounding.
func bigInts(schema, value json.RawMessage) ([]string, *Error) {
	if !hasDigits(value) {
		return nil, nil
	}
	var places []string
	size := 0
	w := newIntegers(schema)
	w.number = func(n json.Number, use integerUse, _ bool) *Error {
		switch {
		case !isDigits(string(n)):
		case use == useBigInt, use == useUnknown && !isSafe(string(n)):
			at := w.pointer()
			if size += len(at) + len(`"",`); size > maxPlaceBytes {
				return Errorf(ResultTooLarge, "the result has too many integers that only a bigint holds").
					WithHint("the call was made; ask for less: a filter, a page, fewer fields")
			}
			places = append(places, at)
		case !isSafe(string(n)):
			return Errorf(RemoteFailed, "the result has %.60s at %.200s, more than a number can hold", n, w.place()).
				WithHint("the call was made; its row should declare format int64 there")
		}
		return nil
	}
	if err := w.document(value); err != nil {
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
	w := newIntegers(schema)
	w.number = func(n json.Number, _ integerUse, integer bool) *Error {
		if integer && !isDigits(string(n)) && beyondSafe(string(n)) {
			return Errorf(InvalidArgument, "%.200s is %.60s: a number this large has lost digits", w.place(), n).WithHint("write it as a bigint: 9007199254740993n")
		}
		return nil
	}
	return w.document(value)
}

func (w *integers) document(value json.RawMessage) *Error {
	dec := json.NewDecoder(bytes.NewReader(value))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return Errorf(RemoteFailed, "the value is not JSON").WithCause(err)
	}
	return w.walk([]json.RawMessage{w.root}, v)
}

// walk visits v under all the schemas that speak of its place, members in the order of their names: of
// two errors it is always the same one that is told.
func (w *integers) walk(schemas []json.RawMessage, v any) *Error {
	nodes := w.expand(schemas)
	switch v := v.(type) {
	case json.Number:
		use, integer := numberUse(nodes)
		return w.number(v, use, integer)
	case []any:
		for i, item := range v {
			if err := w.into(strconv.Itoa(i), itemSchemas(nodes, i), item); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if err := w.into(key, memberSchemas(nodes, key), v[key]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *integers) into(step string, schemas []json.RawMessage, v any) *Error {
	w.path = append(w.path, step)
	defer func() { w.path = w.path[:len(w.path)-1] }()
	return w.walk(schemas, v)
}

// pointer is the JSON Pointer (RFC 6901) of the place visited. It is written only when asked for: a
// long name may stand above a million numbers.
func (w *integers) pointer() string {
	var b strings.Builder
	for _, step := range w.path {
		b.WriteString("/" + contract.EscapeToken(step))
	}
	return b.String()
}

func (w *integers) place() string {
	if len(w.path) == 0 {
		return "its root"
	}
	return w.pointer()
}

func (w *integers) expand(schemas []json.RawMessage) []*schemaNode {
	if len(schemas) == 1 {
		return w.reach(schemas[0])
	}
	var nodes []*schemaNode
	for _, s := range schemas {
		if nodes = append(nodes, w.reach(s)...); len(nodes) > maxNodes {
			break
		}
	}
	return nodes
}

// reach follows references and combinators from s to the nodes that may apply, each once.
func (w *integers) reach(s json.RawMessage) []*schemaNode {
	if nodes, ok := w.expanded[string(s)]; ok {
		return nodes
	}
	var nodes []*schemaNode
	seen := map[*schemaNode]bool{}
	for queue := []json.RawMessage{s}; len(queue) > 0 && len(nodes) < maxNodes; queue = queue[1:] {
		node := w.node(queue[0])
		if node == nil || seen[node] {
			continue
		}
		seen[node], nodes = true, append(nodes, node)
		queue = append(queue, w.resolve(node.Ref))
		queue = append(queue, slices.Concat(node.AllOf, node.AnyOf, node.OneOf)...)
	}
	w.expanded[string(s)] = nodes
	return nodes
}

// node is nil for what is no object: true, false, nothing.
func (w *integers) node(s json.RawMessage) *schemaNode {
	if len(s) == 0 || s[0] != '{' {
		return nil
	}
	if n, ok := w.parsed[string(s)]; ok {
		return n
	}
	n := &schemaNode{}
	if json.Unmarshal(s, n) != nil {
		n = nil
	}
	w.parsed[string(s)] = n
	return n
}

// resolve follows a reference inside the document: "#", "#/$defs/Node", "#/$defs/a%20b".
func (w *integers) resolve(ref string) json.RawMessage {
	fragment, local := strings.CutPrefix(ref, "#")
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	if !local || fragment != "" && fragment[0] != '/' {
		return nil
	}
	at := w.root
	for _, step := range strings.Split(fragment, "/")[1:] {
		step = contract.UnescapeToken(step)
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

func numberUse(nodes []*schemaNode) (use integerUse, integer bool) {
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
func (n *schemaNode) wide() bool {
	return n.Format == "int64" || n.Format == "uint64" || beyond(string(n.Minimum), 1<<53) || beyond(string(n.Maximum), 1<<53) ||
		beyond(string(n.Above), 1<<53) || beyond(string(n.Below), 1<<53)
}

func itemSchemas(nodes []*schemaNode, i int) (out []json.RawMessage) {
	for _, n := range nodes {
		if i < len(n.PrefixItems) {
			out = append(out, n.PrefixItems[i])
		} else {
			out = append(out, n.Items)
		}
	}
	return out
}

func memberSchemas(nodes []*schemaNode, key string) (out []json.RawMessage) {
	for _, n := range nodes {
		if s, ok := n.Properties[key]; ok {
			out = append(out, s)
		} else {
			out = append(out, n.Additional)
		}
	}
	return out
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
