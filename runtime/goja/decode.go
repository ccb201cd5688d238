package goja

// This file reads JSON into plain values of the VM: the results of calls, and JSON.parse. goja's own
// JSON.parse rounds integers and turns a lone surrogate into U+FFFD.

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	js "github.com/dop251/goja"

	"codemode/directory/contract"
)

// maxParseDepth bounds the nesting of text that JSON.parse reads.
const maxParseDepth = 5000

type decoder struct {
	r    *run
	s    string
	pos  int
	max  int
	wide bool    // integers past 2^53 become BigInt
	big  bigints // nil when nothing below the current place is named
}

// bigints is a tree of the JSON Pointers (RFC 6901) that name integers to be read as BigInt.
type bigints map[string]bigints

func pointers(list []string) bigints {
	if len(list) == 0 {
		return nil
	}
	root := bigints{}
	for _, p := range list {
		at := root
		for _, token := range strings.Split(p, "/")[1:] {
			token = contract.UnescapeToken(token)
			if at[token] == nil {
				at[token] = bigints{}
			}
			at = at[token]
		}
		at[here] = bigints{}
	}
	return root
}

// here marks in the tree that the place itself is named; no JSON text can hold it as a name.
const here = "\xff"

// decode reads a result. It panics with a SyntaxError of the VM for text that is not JSON.
func (r *run) decode(doc []byte, bigInts []string) js.Value {
	if len(doc) == 0 {
		return js.Undefined()
	}
	d := &decoder{r: r, s: string(doc), max: maxParseDepth, wide: true, big: pointers(bigInts)}
	return d.document()
}

// parseText is JSON.parse without its reviver.
func (r *run) parseText(v js.Value) js.Value {
	s, ok := v.ToString().(js.String)
	if !ok {
		panic(r.vm.NewTypeError("JSON.parse takes text"))
	}
	text := s.String()
	if strings.ContainsRune(text, utf8.RuneError) && loneSurrogate(s) {
		d := &decoder{r: r}
		d.fail("half of a surrogate pair in the text")
	}
	d := &decoder{r: r, s: text, max: maxParseDepth}
	return d.document()
}

func (d *decoder) fail(format string, args ...any) {
	e, err := d.r.vm.New(d.r.vm.Get("SyntaxError"), d.r.vm.ToValue(fmt.Sprintf(format, args...)+" in JSON"))
	if err != nil {
		panic(err)
	}
	panic(e)
}

func (d *decoder) unexpected() {
	if d.pos >= len(d.s) {
		d.fail("unexpected end of text")
	}
	c, _ := utf8.DecodeRuneInString(d.s[d.pos:])
	d.fail("unexpected token %q at position %d", string(c), d.pos)
}

func (d *decoder) document() js.Value {
	v := d.value(0, d.big)
	d.space()
	if d.pos < len(d.s) {
		d.unexpected()
	}
	return v
}

func (d *decoder) space() {
	for d.pos < len(d.s) && strings.IndexByte(" \t\r\n", d.s[d.pos]) >= 0 {
		d.pos++
	}
}

func (d *decoder) peek() byte {
	if d.pos >= len(d.s) {
		return 0
	}
	return d.s[d.pos]
}

func (d *decoder) take(c byte) bool {
	d.space()
	if d.peek() != c || d.pos >= len(d.s) {
		return false
	}
	d.pos++
	return true
}

func (d *decoder) value(depth int, big bigints) js.Value {
	if depth > d.max {
		d.fail("nested more than %d deep", d.max)
	}
	d.space()
	switch c := d.peek(); {
	case c == '{':
		d.pos++
		return d.object(depth, big)
	case c == '[':
		d.pos++
		return d.array(depth, big)
	case c == '"':
		d.pos++
		return d.string()
	case c == '-' || c >= '0' && c <= '9':
		return d.number(big)
	}
	for word, v := range words {
		if strings.HasPrefix(d.s[d.pos:], word) {
			d.pos += len(word)
			return d.r.vm.ToValue(v)
		}
	}
	d.unexpected()
	return nil
}

var words = map[string]any{"true": true, "false": false, "null": nil}

func (d *decoder) object(depth int, big bigints) js.Value {
	o := d.r.vm.NewObject()
	if d.take('}') {
		return o
	}
	for {
		if !d.take('"') {
			d.unexpected()
		}
		key := d.string()
		if !d.take(':') {
			d.unexpected()
		}
		name := key.String()
		d.r.set(o, name, d.value(depth+1, big[name]))
		if d.take('}') {
			return o
		}
		if !d.take(',') {
			d.unexpected()
		}
		d.space()
	}
}

func (d *decoder) array(depth int, big bigints) js.Value {
	var items []any
	if d.take(']') {
		return d.r.vm.NewArray()
	}
	for {
		var sub bigints
		if big != nil {
			sub = big[strconv.Itoa(len(items))]
		}
		items = append(items, d.value(depth+1, sub))
		if d.take(']') {
			return d.r.vm.NewArray(items...)
		}
		if !d.take(',') {
			d.unexpected()
		}
	}
}

func (d *decoder) number(big bigints) js.Value {
	start := d.pos
	digits := func() int {
		from := d.pos
		for c := d.peek(); c >= '0' && c <= '9'; c = d.peek() {
			d.pos++
		}
		return d.pos - from
	}
	if d.peek() == '-' {
		d.pos++
	}
	lead := d.peek()
	if n := digits(); n == 0 || lead == '0' && n > 1 {
		d.unexpected()
	}
	whole := true
	if d.peek() == '.' {
		d.pos++
		whole = false
		if digits() == 0 {
			d.unexpected()
		}
	}
	if c := d.peek(); c == 'e' || c == 'E' {
		d.pos++
		whole = false
		if c := d.peek(); c == '+' || c == '-' {
			d.pos++
		}
		if digits() == 0 {
			d.unexpected()
		}
	}
	return d.numeric(d.s[start:d.pos], whole, big)
}

// maxDigits bounds an integer that becomes a BigInt; reading more takes quadratic time.
const maxDigits = 10_000

func (d *decoder) numeric(text string, whole bool, named bigints) js.Value {
	const exact = 1<<53 - 1
	_, isNamed := named[here]
	if whole {
		n, err := strconv.ParseInt(text, 10, 64)
		small := err == nil && -exact <= n && n <= exact
		switch {
		case small && !isNamed && text != "-0":
			return d.r.vm.ToValue(n)
		case isNamed || d.wide && !small:
			if len(text) > maxDigits {
				d.fail("an integer of more than %d digits", maxDigits)
			}
			b, _ := new(big.Int).SetString(text, 10)
			return d.r.vm.ToValue(b)
		}
	}
	f, _ := strconv.ParseFloat(text, 64) // out of range gives Infinity, as the language has it
	return d.r.vm.ToValue(f)
}

// string reads up to the closing quote; the opening one was taken.
func (d *decoder) string() js.Value {
	start := d.pos
	for d.pos < len(d.s) {
		switch c := d.s[d.pos]; {
		case c == '"':
			d.pos++
			return d.r.vm.ToValue(d.s[start : d.pos-1])
		case c == '\\':
			return d.escaped(start)
		case c < 0x20:
			d.fail("a control character in a string at position %d", d.pos)
		}
		d.pos++
	}
	d.unexpected()
	return nil
}

const escapes = "\"\\/bfnrt"

// escaped reads a string with escapes, in UTF-16 units, so that a lone surrogate stays one.
func (d *decoder) escaped(start int) js.Value {
	units := utf16.Encode([]rune(d.s[start:d.pos]))
	for d.pos < len(d.s) {
		c := d.s[d.pos]
		switch {
		case c == '"':
			d.pos++
			return js.StringFromUTF16(units)
		case c < 0x20:
			d.fail("a control character in a string at position %d", d.pos)
		case c != '\\':
			r, size := utf8.DecodeRuneInString(d.s[d.pos:])
			units = utf16.AppendRune(units, r)
			d.pos += size
		default:
			units = append(units, d.escape())
		}
	}
	d.unexpected()
	return nil
}

func (d *decoder) escape() uint16 {
	d.pos++
	if i := strings.IndexByte(escapes, d.peek()); i >= 0 && d.pos < len(d.s) {
		d.pos++
		return uint16("\"\\/\b\f\n\r\t"[i])
	}
	if d.peek() != 'u' || d.pos+5 > len(d.s) {
		d.unexpected()
	}
	n, err := strconv.ParseUint(d.s[d.pos+1:d.pos+5], 16, 16)
	if err != nil {
		d.unexpected()
	}
	d.pos += 5
	return uint16(n)
}
