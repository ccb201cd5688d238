package infer

// This file holds JSON as a tree that keeps the order its author wrote, so that a contract lists
// parameters as its row does and the same row always gives the same bytes.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"codemode/directory/contract"
)

// object is a JSON object with its members in order. The other values of a tree are []any, string,
// json.Number, bool and nil, as encoding/json gives them.
type object struct {
	keys   []string
	values map[string]any
}

// obj makes an object of keys and values in turn.
func obj(pairs ...any) *object {
	o := &object{}
	for i := 0; i+1 < len(pairs); i += 2 {
		o.set(pairs[i].(string), pairs[i+1])
	}
	return o
}

func (o *object) get(key string) (any, bool) {
	v, ok := o.values[key]
	return v, ok
}

// value returns the member, nil where there is none or o is nil.
func (o *object) value(key string) any {
	if o == nil {
		return nil
	}
	return o.values[key]
}

func (o *object) has(key string) bool {
	if o == nil {
		return false
	}
	_, ok := o.values[key]
	return ok
}

func (o *object) text(key string) string {
	s, _ := o.value(key).(string)
	return s
}

// object returns the member when it is an object, else nil.
func (o *object) object(key string) *object {
	sub, _ := o.value(key).(*object)
	return sub
}

func (o *object) len() int {
	if o == nil {
		return 0
	}
	return len(o.keys)
}

// names are the members in order.
func (o *object) names() []string {
	if o == nil {
		return nil
	}
	return o.keys
}

func (o *object) set(key string, v any) {
	if o.values == nil {
		o.values = map[string]any{}
	}
	if _, ok := o.values[key]; !ok {
		o.keys = append(o.keys, key)
	}
	o.values[key] = v
}

// clone copies the object; its values are shared.
func (o *object) clone() *object {
	out := obj()
	for _, k := range o.names() {
		out.set(k, o.values[k])
	}
	return out
}

func (o *object) del(key string) {
	if _, ok := o.values[key]; !ok {
		return
	}
	delete(o.values, key)
	o.keys = slices.DeleteFunc(o.keys, func(k string) bool { return k == key })
}

// parseTree reads one JSON document, refusing what a contract could not be sealed with: numbers
// past a double, nesting past depth, trailing data. A repeated key keeps its last value.
func parseTree(doc []byte, depth int) (any, error) {
	dec := json.NewDecoder(bytes.NewReader(doc))
	dec.UseNumber()
	v, err := parseValue(dec, depth)
	if err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("there is data after the JSON document")
	}
	return v, nil
}

func parseValue(dec *json.Decoder, depth int) (any, error) {
	tok, err := dec.Token()
	if err != nil {
		return nil, cleanEOF(err)
	}
	if depth < 0 {
		return nil, errors.New("nested too deep")
	}
	switch t := tok.(type) {
	case json.Delim:
		if t == '{' {
			return parseObject(dec, depth)
		}
		return parseArray(dec, depth)
	case json.Number:
		if f, err := strconv.ParseFloat(string(t), 64); err != nil || math.IsInf(f, 0) {
			return nil, fmt.Errorf("the number %.40s does not fit a double", t)
		}
		return t, nil
	}
	return tok, nil
}

func parseObject(dec *json.Decoder, depth int) (any, error) {
	o := obj()
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return nil, cleanEOF(err)
		}
		v, err := parseValue(dec, depth-1)
		if err != nil {
			return nil, err
		}
		o.set(tok.(string), v)
	}
	_, err := dec.Token()
	return o, cleanEOF(err)
}

func parseArray(dec *json.Decoder, depth int) (any, error) {
	list := []any{}
	for dec.More() {
		v, err := parseValue(dec, depth-1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := dec.Token()
	return list, cleanEOF(err)
}

func cleanEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// render writes a tree back as compact JSON, members in their order.
func render(v any) json.RawMessage {
	return appendTree(nil, v)
}

func appendTree(out []byte, v any) []byte {
	switch t := v.(type) {
	case *object:
		out = append(out, '{')
		for i, k := range t.keys {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendString(out, k)
			out = append(out, ':')
			out = appendTree(out, t.values[k])
		}
		return append(out, '}')
	case []any:
		out = append(out, '[')
		for i, e := range t {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendTree(out, e)
		}
		return append(out, ']')
	case string:
		return appendString(out, t)
	case json.Number:
		return append(out, t...)
	case bool:
		return strconv.AppendBool(out, t)
	case int:
		return strconv.AppendInt(out, int64(t), 10)
	}
	return append(out, "null"...)
}

func appendString(out []byte, s string) []byte {
	if !strings.ContainsFunc(s, isEscaped) {
		return append(append(append(out, '"'), s...), '"')
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(strings.ToValidUTF8(s, "\uFFFD")); err != nil {
		return append(out, `""`...) // a string always encodes
	}
	return append(out, bytes.TrimSuffix(buf.Bytes(), []byte("\n"))...)
}

// isEscaped reports whether a rune may look different in JSON; the encoder knows how.
func isEscaped(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r >= utf8.RuneSelf }

// same reports whether two trees are the same value; the order of members does not count.
func same(a, b any) bool {
	oa, isA := a.(*object)
	ob, isB := b.(*object)
	if isA && isB {
		return oa.len() == ob.len() && !slices.ContainsFunc(oa.keys, func(k string) bool {
			v, ok := ob.get(k)
			return !ok || !same(oa.values[k], v)
		})
	}
	la, isA := a.([]any)
	lb, isB := b.([]any)
	if isA && isB {
		return slices.EqualFunc(la, lb, same)
	}
	return bytes.Equal(render(a), render(b))
}

// strs turns strings into a tree's array.
func strs(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

func itoa(n int) string { return strconv.Itoa(n) }

// short cuts text for a message.
func short(s string) string {
	if runes := []rune(s); len(runes) > 60 {
		return string(runes[:60]) + "..."
	}
	return s
}

// unescapePointer reads a token that may be in the URI fragment form (RFC 6901, 6).
func unescapePointer(token string) string {
	if plain, err := url.PathUnescape(token); err == nil {
		token = plain
	}
	return contract.UnescapeToken(token)
}
