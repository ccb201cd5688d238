package goja

// This file writes a script's values as JSON: arguments of calls and the result. JSON.stringify
// would not do: it drops or rounds silently what must be an error.

import (
	"encoding/base64"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	js "github.com/dop251/goja"
)

// maxDepth bounds the nesting of values that leave or enter the script.
const maxDepth = 500

// encodeError says what cannot be written, and where.
type encodeError struct {
	text, hint string
	tooLarge   bool
}

type encoder struct {
	r    *run
	out  []byte
	max  int64
	open map[*js.Object]bool // the objects around the current place
	err  *encodeError
}

// encode writes v; root names it in errors ("args", "result"). What a getter or toJSON throws passes
// on as a panic of the VM.
func (r *run) encode(v js.Value, root string, maxBytes int64) ([]byte, *encodeError) {
	e := &encoder{r: r, max: maxBytes, open: map[*js.Object]bool{}}
	if !e.value(v, root, 0) {
		return nil, e.err
	}
	return e.out, nil
}

func (e *encoder) fail(path, what, hint string) bool {
	if len(path) > 200 {
		path = strings.ToValidUTF8(path[:200], "") + "..."
	}
	e.err = &encodeError{text: path + " " + what, hint: hint}
	return false
}

func (e *encoder) room() bool {
	if int64(len(e.out)) > e.max {
		e.err = &encodeError{text: "the value is too large", tooLarge: true}
		return false
	}
	return true
}

func (e *encoder) value(v js.Value, path string, depth int) bool {
	switch v := v.(type) {
	case nil:
		e.out = append(e.out, "null"...)
	case js.String:
		return e.string(v, path)
	case *js.Symbol:
		return e.fail(path, "is a symbol, which JSON cannot hold", "send its description")
	case *js.Object:
		return e.object(v, path, depth)
	default:
		return e.primitive(v, path)
	}
	return e.room()
}

func (e *encoder) primitive(v js.Value, path string) bool {
	switch x := v.Export().(type) {
	case nil:
		e.out = append(e.out, "null"...)
	case bool:
		e.out = strconv.AppendBool(e.out, x)
	case int64:
		e.out = appendNumber(e.out, float64(x))
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return e.fail(path, "is "+v.String()+", which JSON cannot hold", "send a finite number or null")
		}
		e.out = appendNumber(e.out, x)
	case *big.Int:
		e.out = x.Append(e.out, 10)
	default:
		return e.fail(path, "cannot be written as JSON", "")
	}
	return e.room()
}

// appendNumber writes an integer that a number holds exactly as digits, and any larger one in
// exponent form: its digits would claim a precision it does not have.
func appendNumber(out []byte, f float64) []byte {
	const exact = 1<<53 - 1
	abs := math.Abs(f)
	switch {
	case f == 0:
		return append(out, '0')
	case f == math.Trunc(f) && abs <= exact:
		return strconv.AppendInt(out, int64(f), 10)
	case abs > exact || abs < 1e-6:
		return strconv.AppendFloat(out, f, 'e', -1, 64)
	}
	return strconv.AppendFloat(out, f, 'f', -1, 64)
}

func (e *encoder) string(v js.String, path string) bool {
	if int64(len(e.out))+int64(v.Length()) > e.max {
		e.err = &encodeError{text: "the value is too large", tooLarge: true}
		return false
	}
	s := v.String()
	if strings.ContainsRune(s, utf8.RuneError) && loneSurrogate(v) {
		return e.fail(path, "holds half of a surrogate pair, which is no text", "do not cut strings between the units of one character; use Array.from(text)")
	}
	e.out = appendQuoted(e.out, s)
	return e.room()
}

func loneSurrogate(s js.String) bool {
	for i := 0; i < s.Length(); i++ {
		c := rune(s.CharAt(i))
		if !utf16.IsSurrogate(c) {
			continue
		}
		if i+1 >= s.Length() || utf16.DecodeRune(c, rune(s.CharAt(i+1))) == utf8.RuneError {
			return true
		}
		i++
	}
	return false
}

func appendQuoted(out []byte, s string) []byte {
	out = append(out, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c == '\n':
			out = append(out, `\n`...)
		case c == '\r':
			out = append(out, `\r`...)
		case c == '\t':
			out = append(out, `\t`...)
		case c < 0x20:
			out = fmt.Appendf(out, `\u%04x`, c)
		default:
			out = append(out, c)
		}
	}
	return append(out, '"')
}

var (
	typeBytes   = reflect.TypeFor[[]byte]()
	typeBuffer  = reflect.TypeFor[js.ArrayBuffer]()
	typePromise = reflect.TypeFor[*js.Promise]()
	typeProxy   = reflect.TypeFor[js.Proxy]()
	typeMap     = reflect.TypeFor[[][2]any]()
	typePlain   = reflect.TypeFor[map[string]any]()
	typeArray   = reflect.TypeFor[[]any]()
)

func (e *encoder) object(o *js.Object, path string, depth int) bool {
	if depth > maxDepth {
		return e.fail(path, fmt.Sprintf("is nested more than %d deep", maxDepth), "flatten the value")
	}
	if e.open[o] {
		return e.fail(path, "refers back to an object around it (a cycle)", "send the fields that are needed")
	}
	e.open[o] = true
	defer delete(e.open, o)
	if done, ok := e.special(o, path); done {
		return ok
	}
	if f, ok := js.AssertFunction(o.Get("toJSON")); ok {
		v, err := f(o, e.r.vm.ToValue(""))
		if err != nil {
			panic(err)
		}
		if sub, isObject := v.(*js.Object); !isObject || sub != o {
			return e.value(v, path, depth+1)
		}
	}
	if o.ClassName() == "Array" || isTyped(o) {
		return e.array(o, path, depth)
	}
	return e.members(o, path, depth)
}

// special writes or refuses the objects that are no plain data; done is false for plain ones.
func (e *encoder) special(o *js.Object, path string) (done, ok bool) {
	if _, callable := js.AssertFunction(o); callable {
		return true, e.fail(path, "is a function, which JSON cannot hold", "call it, or leave it out")
	}
	switch o.ExportType() {
	case typePromise:
		return true, e.fail(path, "is a promise", "await it first")
	case typeMap:
		return true, e.fail(path, "is a Map, which JSON cannot hold", "send Object.fromEntries(map) or [...map]")
	case typeBytes:
		b, _ := o.Export().([]byte)
		return true, e.base64(b)
	case typeBuffer:
		b, _ := o.Export().(js.ArrayBuffer)
		return true, e.base64(b.Bytes())
	case typeArray:
		if o.ClassName() == "Object" { // what goja exports like an array and is none
			return true, e.fail(path, "is a Set, which JSON cannot hold", "send [...set]")
		}
	}
	switch o.ClassName() {
	case "WeakMap", "WeakSet", "DataView", "RegExp", "Symbol":
		return true, e.fail(path, "is a "+o.ClassName()+", which JSON cannot hold", "send the data it stands for")
	case "Date":
		if math.IsNaN(o.ToFloat()) {
			return true, e.fail(path, "is an invalid Date", "check the text it was made of")
		}
	case "String", "Number", "Boolean", "BigInt":
		v, err := e.r.valueOf(o)
		if err != nil {
			panic(err)
		}
		if _, still := v.(*js.Object); still {
			return true, e.fail(path, "cannot be written as JSON", "")
		}
		return true, e.value(v, path, 0)
	}
	return false, false
}

// valueOf unboxes a boxed primitive.
func (r *run) valueOf(o *js.Object) (js.Value, error) {
	f, ok := js.AssertFunction(o.Get("valueOf"))
	if !ok {
		return o, nil
	}
	return f(o)
}

func (e *encoder) base64(b []byte) bool {
	if int64(len(e.out)+base64.StdEncoding.EncodedLen(len(b))) > e.max {
		e.err = &encodeError{text: "the value is too large", tooLarge: true}
		return false
	}
	e.out = append(e.out, '"')
	e.out = base64.StdEncoding.AppendEncode(e.out, b)
	e.out = append(e.out, '"')
	return true
}

func (e *encoder) array(o *js.Object, path string, depth int) bool {
	n := o.Get("length").ToInteger()
	e.out = append(e.out, '[')
	for i := int64(0); i < n; i++ {
		if i > 0 {
			e.out = append(e.out, ',')
		}
		index := strconv.FormatInt(i, 10)
		v := o.Get(index)
		if v == nil || js.IsUndefined(v) {
			v = js.Null()
		}
		if !e.value(v, path+"["+index+"]", depth+1) {
			return false
		}
	}
	e.out = append(e.out, ']')
	return e.room()
}

func (e *encoder) members(o *js.Object, path string, depth int) bool {
	e.out = append(e.out, '{')
	first := true
	for _, key := range keysOf(o) {
		v := o.Get(key)
		if v == nil || js.IsUndefined(v) {
			continue
		}
		if !first {
			e.out = append(e.out, ',')
		}
		first = false
		if strings.ContainsRune(key, utf8.RuneError) {
			return e.fail(path, "has a name with half of a surrogate pair, which is no text", "")
		}
		e.out = append(appendQuoted(e.out, key), ':')
		if !e.value(v, member(path, key), depth+1) {
			return false
		}
	}
	e.out = append(e.out, '}')
	return e.room()
}

// keysOf are an object's own. What an error says stands in members that are not enumerable; written without
// them it would be {}, as a reason of Promise.allSettled mostly is meant to be read.
func keysOf(o *js.Object) []string {
	keys := o.Keys()
	if o.ClassName() != "Error" {
		return keys
	}
	var said []string
	for _, key := range []string{"name", "message"} {
		if !slices.Contains(keys, key) {
			said = append(said, key)
		}
	}
	return append(said, keys...)
}

func member(path, key string) string {
	if isIdentifier(key) {
		return path + "." + key
	}
	return path + "[" + strconv.Quote(key) + "]"
}

// isTyped reports whether o is a typed array; those of bytes were written as base64 before.
func isTyped(o *js.Object) bool {
	t := o.ExportType()
	if t.Kind() != reflect.Slice || t == typeArray || t == typeMap {
		return false
	}
	switch t.Elem().Kind() {
	case reflect.Int8, reflect.Int16, reflect.Uint16, reflect.Int32, reflect.Uint32, reflect.Int64, reflect.Uint64, reflect.Float32, reflect.Float64:
		return true
	}
	return false
}

func isProxy(v js.Value) bool {
	o, ok := v.(*js.Object)
	return ok && o.ExportType() == typeProxy
}

// isPlainObject reports whether v can stand for named arguments.
func isPlainObject(v js.Value) bool {
	o, ok := v.(*js.Object)
	if !ok || o.ClassName() == "Array" {
		return false
	}
	t := o.ExportType()
	return t == typePlain || t == typeProxy
}
