package handler

// This file writes Go values as JSON.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

func (c *codec) encode(b *bytes.Buffer, v reflect.Value, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("it nests deeper than %d; it may hold itself", maxDepth)
	}
	switch c.form {
	case dynamic:
		if v.IsNil() {
			b.WriteString("null")
			return nil
		}
		held := addressable(v.Elem())
		return newCodec(held.Type()).encode(b, held, depth+1)
	case pointer:
		if v.IsNil() {
			b.WriteString("null")
			return nil
		}
		return c.elem.encode(b, v.Elem(), depth+1)
	case optional:
		return c.elem.encode(b, v.Field(1), depth)
	case object:
		return c.object(b, v, depth)
	case list:
		return c.list(b, v, depth)
	case dict:
		b.WriteByte('{')
		if err := c.entries(b, v, depth, nil); err != nil {
			return err
		}
		b.WriteByte('}')
		return nil
	}
	return leafJSON(b, v)
}

// addressable lets methods of a pointer be found, as they are for fields of a struct.
func addressable(v reflect.Value) reflect.Value {
	p := reflect.New(v.Type()).Elem()
	p.Set(v)
	return p
}

func leafJSON(b *bytes.Buffer, v reflect.Value) error {
	if v.CanAddr() && v.Kind() != reflect.Interface {
		v = v.Addr()
	}
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v.Interface()); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the newline
	return nil
}

func (c *codec) list(b *bytes.Buffer, v reflect.Value, depth int) error {
	b.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := c.elem.encode(b, v.Index(i), depth+1); err != nil {
			return fmt.Errorf("[%d]: %w", i, err)
		}
	}
	b.WriteByte(']')
	return nil
}

func (c *codec) object(b *bytes.Buffer, v reflect.Value, depth int) error {
	b.WriteByte('{')
	for i, f := range c.fields {
		value := v.FieldByIndex(f.index)
		if i == c.rest || f.omit != nil && f.omit(value) {
			continue
		}
		if err := f.codec.writeMember(b, f.name, value, depth+1); err != nil {
			return err
		}
	}
	if c.rest >= 0 {
		if err := c.fields[c.rest].codec.entries(b, v.FieldByIndex(c.fields[c.rest].index), depth, c.byName); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

// entries writes a map's members, sorted, but for those that a field speaks for.
func (c *codec) entries(b *bytes.Buffer, m reflect.Value, depth int, taken map[string]int) error {
	keys := m.MapKeys()
	slices.SortFunc(keys, func(x, y reflect.Value) int { return strings.Compare(x.String(), y.String()) })
	for _, key := range keys {
		if _, ok := taken[key.String()]; ok {
			continue
		}
		if err := c.elem.writeMember(b, key.String(), addressable(m.MapIndex(key)), depth+1); err != nil {
			return err
		}
	}
	return nil
}

// writeMember writes one key and its value, behind a comma where one stands before it.
func (c *codec) writeMember(b *bytes.Buffer, key string, v reflect.Value, depth int) error {
	if last := b.Bytes()[b.Len()-1]; last != '{' {
		b.WriteByte(',')
	}
	if err := leafJSON(b, reflect.ValueOf(key)); err != nil {
		return err
	}
	b.WriteByte(':')
	if err := c.encode(b, v, depth); err != nil {
		return fmt.Errorf("%.80q: %w", key, err)
	}
	return nil
}
