package runtime

// This file keeps integers exact between JSON, which has them of any size, and a script, where a
// number holds only those up to 2^53. A schema decides which ones a script sees as bigint.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
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
	useListed // a number among the values declared: exact as it is
	useBigInt
)

// Bounds of one result or argument, so that neither a schema that refers to itself in many ways nor
// long names around many integers take more than their own size to look at.
const (
	maxNodes      = 256     // schemas that speak of one place; those past it say nothing
	maxPlaceBytes = 2 << 20 // pointers to the bigints of one result
)

// schemaLimits are those under which declarations are made.
var schemaLimits = contract.SchemaLimits{Bytes: 4 << 20, Depth: 256}

// integers walks values beside their schema.
type integers struct {
	schema *schemaReader
	path   []string // names and indexes down to the place visited
	// number is called for every number, at the place of path, with its declared use.
	number func(n json.Number, use integerUse, integer bool) *Error
}

func newIntegers(schema json.RawMessage) *integers {
	return &integers{schema: newSchemaReader(schema)}
}

// bigInts lists the places of a result that a script gets as bigint. An integer too large for a
// place declared as number is one of them, never a rounding; misfit names the first such place.
func bigInts(schema, value json.RawMessage) (places []string, misfit string, _ *Error) {
	if !hasDigits(value) || !hasWide(schema) && !hasWide(value) {
		return nil, "", nil
	}
	size := 0
	w := newIntegers(schema)
	w.number = func(n json.Number, use integerUse, integer bool) *Error {
		unsafe := !isSafe(string(n))
		if why := numberMisfit(string(n), use, integer, unsafe); why != "" && misfit == "" {
			misfit = fmt.Sprintf("%.60s at %.200s %s", n, w.place(), why)
		}
		switch {
		case !isDigits(string(n)):
		case use == useBigInt, use != useListed && unsafe:
			at := w.pointer()
			if size += len(at) + len(`"",`); size > maxPlaceBytes {
				return Errorf(ResultTooLarge, "the result has too many integers that only a bigint holds").
					WithHint("the call was made; ask for less: a filter, a page, fewer fields")
			}
			places = append(places, at)
		}
		return nil
	}
	if err := w.document(value); err != nil {
		return nil, "", err
	}
	return places, misfit, nil
}

// numberMisfit says why a number of a result does not arrive as it was declared, "" when it does. What
// is not written in plain digits is read as the language reads it.
func numberMisfit(n string, use integerUse, integer, unsafe bool) string {
	_, tooLarge := strconv.ParseFloat(n, 64)
	switch plain := isDigits(n); {
	case plain && use == useNumber && unsafe:
		return "is more than a number can hold and arrives as bigint; its row should declare format int64 there"
	case !plain && tooLarge != nil:
		return "is more than a number can hold and arrives as Infinity"
	case !plain && use == useBigInt:
		return "is not written in plain digits and arrives as number, not bigint"
	case !plain && integer && beyondSafe(n):
		return "is an integer past 2^53 that is not written in plain digits, and has lost some"
	}
	return ""
}

// unsafeIntegers refuses an argument that lost digits before it came here: a number beyond 2^53
// where an integer is declared. The worker writes such numbers with an exponent.
func unsafeIntegers(schema, value json.RawMessage) *Error {
	if !hasExponent(value) {
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
	return w.walk([]string{""}, v)
}

// walk visits v under all the schemas that speak of its place, members in the order of their names: of
// two errors it is always the same one that is told.
func (w *integers) walk(places []string, v any) *Error {
	switch v := v.(type) {
	case json.Number:
		use, integer := w.schema.numberUse(w.schema.nodes(places, v), v)
		return w.number(v, use, integer)
	case []any:
		nodes := w.schema.nodes(places, v)
		for i, item := range v {
			if err := w.into(strconv.Itoa(i), itemPlaces(nodes, i), item); err != nil {
				return err
			}
		}
	case map[string]any:
		nodes := w.schema.nodes(places, v)
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if err := w.into(key, w.schema.memberPlaces(nodes, key), v[key]); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *integers) into(step string, places []string, v any) *Error {
	w.path = append(w.path, step)
	defer func() { w.path = w.path[:len(w.path)-1] }()
	return w.walk(places, v)
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

// hasDigits is a cheap test for a number that might be wide.
func hasDigits(value []byte) bool { return bytes.ContainsAny(value, "0123456789") }

// hasExponent is a cheap test for a number with an exponent: 1e21.
func hasExponent(value []byte) bool {
	for i := 1; i < len(value)-1; i++ {
		if value[i]|0x20 == 'e' && isDigit(value[i-1]) && (isDigit(value[i+1]) || value[i+1] == '+' || value[i+1] == '-') {
			return true
		}
	}
	return false
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// hasWide is a cheap test for what could be a number past 2^53, or declare one.
func hasWide(doc []byte) bool {
	if bytes.Contains(doc, []byte("int64")) || bytes.Contains(doc, []byte(`\u`)) {
		return true
	}
	digits := 0
	for _, c := range doc {
		switch {
		case isDigit(c) || c == '.':
			if digits++; digits > 15 {
				return true
			}
		case (c == 'e' || c == 'E') && digits > 0:
			return true
		default:
			digits = 0
		}
	}
	return false
}

func isDigits(n string) bool { return !strings.ContainsAny(n, ".eE") }

// isSafe reports an integer of at most 2^53 - 1 (ECMA-262, Number.MAX_SAFE_INTEGER).
func isSafe(digits string) bool {
	return len(digits) < 16 || !beyondSafe(digits)
}

func beyondSafe(number string) bool { return contract.Beyond(number, 1<<53-1) }
