package learn

// This file adds shapes up. Adding is commutative and associative: counts are sums, keys a union, and
// an object's keys are given up exactly when their union is too large or has one that is data, which it
// then stays.

import (
	"encoding/json"
	"errors"
	"fmt"
)

// into adds b to a, which is made where it is missing. Nothing of b is kept.
func into(a, b *node) *node {
	if b == nil {
		return a
	}
	if a == nil {
		a = &node{}
	}
	a.merge(b)
	return a
}

// counts are the sums of a node, in one order.
func (n *node) counts() []*int {
	return []*int{&n.Values, &n.Null, &n.Boolean, &n.Whole, &n.Number, &n.String, &n.Text, &n.Array, &n.Empty, &n.Object, &n.Sealed, &n.Past, &n.Minus, &n.Over, &n.TooFar}
}

func (n *node) merge(other *node) {
	for i, count := range other.counts() {
		*n.counts()[i] += *count
	}
	n.Items = into(n.Items, other.Items)
	n.mergeKeys(other)
}

func (n *node) mergeKeys(other *node) {
	if n.Rest != nil || other.Rest != nil {
		n.Rest, n.Keys = into(n.together(), other.together()), nil
		return
	}
	if len(other.Keys) > 0 && n.Keys == nil {
		n.Keys = map[string]*node{}
	}
	for k, v := range other.Keys {
		n.Keys[k] = into(n.Keys[k], v)
	}
	if len(n.Keys) > maxKeys { // none is data, or there were none
		n.Rest, n.Keys = n.together(), nil
	}
}

// fold gives up the keys of an object that has too many, or one that is data.
func (n *node) fold(isData func(string) bool) {
	give := len(n.Keys) > maxKeys
	for k := range n.Keys {
		give = give || isData(k)
	}
	if give {
		n.Rest, n.Keys = n.together(), nil
	}
}

// together is what stood under any key, nil for no key.
func (n *node) together() *node {
	if n.Rest != nil {
		return n.Rest
	}
	var out *node
	for _, v := range n.Keys {
		out = into(out, v)
	}
	return out
}

// MarshalJSON writes the summary; the same one has the same bytes.
func (s *Shape) MarshalJSON() ([]byte, error) { return json.Marshal(&s.root) }

// UnmarshalJSON reads a summary and refuses one that Observe and Merge cannot have made.
func (s *Shape) UnmarshalJSON(raw []byte) error {
	var root node
	if err := json.Unmarshal(raw, &root); err != nil {
		return err
	}
	if err := root.check(0); err != nil {
		return fmt.Errorf("not a summary of results: %w", err)
	}
	root.foldAll()
	s.root = root
	return nil
}

// foldAll gives up keys that are data, of a summary that was written when more keys were kept.
func (n *node) foldAll() {
	if n == nil {
		return
	}
	for _, sub := range append(n.children(), n.Items, n.Rest) {
		sub.foldAll()
	}
	n.fold(isData)
}

func (n *node) check(depth int) error {
	for _, count := range n.counts() {
		if *count < 0 || *count > 1<<50 {
			return errors.New("a count is out of range")
		}
	}
	if depth > maxDepth+1 {
		return errors.New("it is too deep")
	}
	if n.Values != n.Null+n.Boolean+n.Whole+n.Number+n.String+n.Array+n.Object || n.Text > n.String || n.Empty > n.Array || n.Past > n.Whole {
		return errors.New("its counts do not add up")
	}
	if len(n.Keys) > maxKeys || n.Rest != nil && len(n.Keys) > 0 {
		return errors.New("it has too many keys")
	}
	for _, sub := range append(n.children(), n.Items, n.Rest) {
		if sub == nil {
			continue
		}
		if err := sub.check(depth + 1); err != nil {
			return err
		}
	}
	for k, sub := range n.Keys {
		if sub == nil || sub.Values == 0 || sub.Values > n.Object {
			return fmt.Errorf("key %.50q was seen more often than its object", k)
		}
	}
	return nil
}

func (n *node) children() []*node {
	var out []*node
	for _, sub := range n.Keys {
		out = append(out, sub)
	}
	return out
}
