// Package learn makes schemas of results from recorded ones, and says where declared schemas disagree
// with them.
//
//	shape, err := learn.Observe([]byte(`{"id": 7, "tags": []}`))
//	shape.Merge(more)
//	schema := shape.Schema() // {"type":"object","properties":{"id":{"type":"number"},"tags":{"type":"array"}}}
//
// A shape is a summary of any number of results: which kinds of values stood at each place, how often,
// and under which keys; no value is kept, and no key that looks like one. Shapes merge: it makes no difference in which order, or in
// how many parts, results are observed.
//
// What is derived is less than what was seen: a field is required only when at least 5 objects had it
// and none lacked it; whole numbers are integers only when there were 5 of them; a value that was always
// null is of unknown type; an empty array has unknown items; values never become an enum, and objects
// stay open to other keys. A schema learnt so can still be wrong about the next result. It is observed,
// not declared.
//
// The package reads no files, validates nothing itself, and overrides no declaration.
package learn

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"
)

// Caps on what is observed.
const (
	maxDepth  = 12      // levels of nesting whose contents are looked at
	maxKeys   = 200     // keys of one object; with more it is a map
	maxValues = 200_000 // of one result
	maxBytes  = 8 << 20 // of one result
)

// Shape summarises results. The zero value has seen none.
type Shape struct{ root node }

// node is what was seen at one place. Counts are of values.
type node struct {
	Values  int `json:"n"`
	Null    int `json:"null,omitempty"`
	Boolean int `json:"boolean,omitempty"`
	Whole   int `json:"whole,omitempty"`   // numbers written as integers
	Number  int `json:"number,omitempty"`  // others
	String  int `json:"string,omitempty"`  // Text of them
	Text    int `json:"json,omitempty"`    // strings that hold a JSON object or array
	Array   int `json:"array,omitempty"`   // Empty of them
	Empty   int `json:"empty,omitempty"`   // arrays
	Object  int `json:"object,omitempty"`  //
	Sealed  int `json:"deep,omitempty"`    // containers too deep to look into
	Past    int `json:"past_53,omitempty"` // integers a double may round
	Minus   int `json:"minus,omitempty"`   // negative integers
	Over    int `json:"over,omitempty"`    // integers past int64; TooFar past uint64 too
	TooFar  int `json:"too_far,omitempty"` //
	// Items is what stood in arrays.
	Items *node `json:"items,omitempty"`
	// Keys are what stood under each key of objects; once there are more than maxKeys, or one of them is
	// data, Rest is what stood under any.
	Keys map[string]*node `json:"keys,omitempty"`
	Rest *node            `json:"rest,omitempty"`
}

// Observe makes the shape of one result. Errors: no JSON, and a result over 8 MiB or 200,000 values.
func Observe(result json.RawMessage) (*Shape, error) {
	if len(result) > maxBytes {
		return nil, fmt.Errorf("the result is longer than %d bytes", maxBytes)
	}
	v, err := decode(result)
	if err != nil {
		return nil, err
	}
	o := observer{left: maxValues, data: map[string]bool{}}
	s := &Shape{}
	o.see(&s.root, v, 0)
	if o.left < 0 {
		return nil, fmt.Errorf("the result holds more than %d values", maxValues)
	}
	return s, nil
}

func decode(raw json.RawMessage) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, fmt.Errorf("the result is no JSON: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the result is more than one JSON value")
	}
	return v, nil
}

// Results is how many were observed.
func (s *Shape) Results() int { return s.root.Values }

// PastDouble reports whether some integer was past 2^53: where it is declared as a number, it arrives as
// bigint rather than lose a digit, and the call is marked.
func (s *Shape) PastDouble() bool { return s.root.past() }

func (n *node) past() bool {
	if n == nil {
		return false
	}
	for _, v := range n.Keys {
		if v.past() {
			return true
		}
	}
	return n.Past > 0 || n.Items.past() || n.Rest.past()
}

// Merge adds what another shape has seen, which stays as it is.
func (s *Shape) Merge(other *Shape) { s.root.merge(&other.root) }

type observer struct {
	left int
	data map[string]bool // whether a key is data; most objects of a result have the same keys
}

func (o *observer) isData(key string) bool {
	is, known := o.data[key]
	if !known {
		is = isData(key)
		o.data[key] = is
	}
	return is
}

func (o *observer) see(n *node, v any, depth int) {
	if o.left--; o.left < 0 {
		return
	}
	n.Values++
	switch v := v.(type) {
	case nil:
		n.Null++
	case bool:
		n.Boolean++
	case json.Number:
		n.number(v)
	case string:
		n.String++
		if holdsJSON(v) {
			n.Text++
		}
	case []any:
		n.Array++
		o.array(n, v, depth)
	case map[string]any:
		n.Object++
		o.object(n, v, depth)
	}
}

func (o *observer) array(n *node, v []any, depth int) {
	switch {
	case len(v) == 0:
		n.Empty++
		return
	case depth >= maxDepth:
		n.Sealed++
		return
	}
	items := &node{}
	for _, e := range v {
		o.see(items, e, depth+1)
	}
	n.Items = into(n.Items, items)
}

func (o *observer) object(n *node, v map[string]any, depth int) {
	if len(v) == 0 {
		return
	}
	if depth >= maxDepth {
		n.Sealed++
		return
	}
	own := &node{Keys: map[string]*node{}}
	for k, e := range v {
		own.Keys[k] = &node{}
		o.see(own.Keys[k], e, depth+1)
	}
	own.fold(o.isData)
	n.mergeKeys(own)
}

// number counts a number by how it is written: 37.0 is no integer to whoever wrote it.
func (n *node) number(v json.Number) {
	text := string(v)
	if strings.ContainsAny(text, ".eE") {
		n.Number++
		return
	}
	n.Whole++
	digits := strings.TrimPrefix(text, "-")
	if text != digits && digits != "0" {
		n.Minus++
	}
	if len(digits) < 16 {
		return
	}
	if len(digits) > 20 {
		n.Past, n.Over, n.TooFar = n.Past+1, n.Over+1, n.TooFar+1
		return
	}
	i, _ := new(big.Int).SetString(text, 10)
	if i.CmpAbs(new(big.Int).Lsh(big.NewInt(1), 53)) > 0 {
		n.Past++
	}
	if !i.IsInt64() {
		n.Over++
		if !i.IsUint64() {
			n.TooFar++
		}
	}
}

func holdsJSON(s string) bool {
	s = strings.TrimSpace(s)
	return len(s) > 1 && (s[0] == '{' || s[0] == '[') && json.Valid([]byte(s))
}
