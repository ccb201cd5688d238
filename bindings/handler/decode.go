package handler

// This file reads JSON into Go values, in one pass over the text.

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"strconv"
	"strings"
)

var errNull = errors.New("null where a value must be")

// decode reads one value into v, which it first empties: of two equal keys the last counts, alone.
func (c *codec) decode(dec *json.Decoder, v reflect.Value, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("it nests deeper than %d", maxDepth)
	}
	v.SetZero()
	switch c.form {
	case object, list, dict:
		token, err := dec.Token()
		if err != nil {
			return err
		}
		if token == nil {
			return errNull
		}
		return c.container(dec, token, v, depth)
	case pointer:
		return c.elem.pointed(dec, v, depth)
	case optional:
		v.Field(0).SetBool(true)
		return c.elem.decode(dec, v.Field(1), depth)
	case whole:
		return decodeWhole(dec, v)
	}
	return dec.Decode(v.Addr().Interface())
}

// pointed reads into a new value behind the pointer v, or leaves it nil for null.
func (c *codec) pointed(dec *json.Decoder, v reflect.Value, depth int) error {
	target := reflect.New(v.Type().Elem())
	switch c.form {
	case object, list, dict:
		token, err := dec.Token()
		if err != nil || token == nil {
			return err
		}
		v.Set(target)
		return c.container(dec, token, target.Elem(), depth)
	}
	var raw json.RawMessage
	if err := dec.Decode(&raw); err != nil || string(raw) == "null" {
		return err
	}
	v.Set(target)
	return decode(c, raw, target.Elem())
}

// container reads what follows the first token of an object or array.
func (c *codec) container(dec *json.Decoder, open json.Token, v reflect.Value, depth int) error {
	want := json.Delim('{')
	if c.form == list {
		want = '['
	}
	if open != want {
		return fmt.Errorf("want %s", map[json.Delim]string{'{': "an object", '[': "a list"}[want])
	}
	if c.form == dict {
		v.Set(reflect.MakeMap(v.Type()))
	}
	if c.form == list {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	}
	given := make([]bool, len(c.fields))
	for i := 0; dec.More(); i++ {
		if c.form == list {
			elem := reflect.New(v.Type().Elem()).Elem()
			if err := c.elem.decode(dec, elem, depth+1); err != nil {
				return fmt.Errorf("[%d]: %w", i, err)
			}
			v.Set(reflect.Append(v, elem))
		} else if err := c.member(dec, v, given, depth+1); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return err
	}
	return c.complete(given)
}

// complete refuses an object without a key that is always sent. A script's arguments were validated; the
// text of the legacy surface was not, and an option of a union is told from another by what it holds.
func (c *codec) complete(given []bool) error {
	for i, f := range c.fields {
		if !given[i] && i != c.rest && f.omit == nil {
			return fmt.Errorf("%.80q is missing", f.name)
		}
	}
	return nil
}

func (c *codec) member(dec *json.Decoder, v reflect.Value, given []bool, depth int) error {
	token, err := dec.Token()
	if err != nil {
		return err
	}
	key, _ := token.(string)
	at, named := c.byName[key]
	switch {
	case c.form == dict:
		err = c.entry(dec, v, key, depth)
	case named:
		given[at] = true
		err = c.fields[at].codec.decode(dec, v.FieldByIndex(c.fields[at].index), depth)
	case c.rest >= 0:
		rest := c.fields[c.rest]
		m := v.FieldByIndex(rest.index)
		if m.IsNil() {
			m.Set(reflect.MakeMap(m.Type()))
		}
		err = rest.codec.entry(dec, m, key, depth)
	default:
		var dropped json.RawMessage
		err = dec.Decode(&dropped)
	}
	if err != nil {
		return fmt.Errorf("%.80q: %w", key, err)
	}
	return nil
}

func (c *codec) entry(dec *json.Decoder, m reflect.Value, key string, depth int) error {
	elem := reflect.New(m.Type().Elem()).Elem()
	if err := c.elem.decode(dec, elem, depth); err != nil {
		return err
	}
	m.SetMapIndex(reflect.ValueOf(key).Convert(m.Type().Key()), elem)
	return nil
}

// decodeWhole takes every spelling of a whole number that JSON Schema takes for an integer: 1.0 and
// 1e3 too.
func decodeWhole(dec *json.Decoder, v reflect.Value) error {
	var raw json.RawMessage
	if err := dec.Decode(&raw); err != nil {
		return err
	}
	if raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return errors.New("want a whole number")
	}
	if err := json.Unmarshal(plain(raw), v.Addr().Interface()); err != nil {
		return fmt.Errorf("want a whole number that fits %s", v.Kind())
	}
	return nil
}

// maxNumber caps the text of a number that is spelled with a point or an exponent, in bytes.
const maxNumber = 64

// plain writes a whole number without point and exponent, exactly; another stays as it is.
func plain(number []byte) []byte {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(string(number)), "e")
	if e, err := strconv.Atoi("0" + strings.TrimLeft(exponent, "+-")); err != nil || e > maxNumber || len(mantissa) > maxNumber {
		return number
	}
	r, ok := new(big.Rat).SetString(string(number))
	if !ok || !r.IsInt() {
		return number
	}
	return r.Num().Append(nil, 10)
}
