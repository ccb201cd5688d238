package condition

// This file turns arguments into CEL's values, as their shapes say. A value that does not fit, or
// would be rounded, becomes an error of its own: it counts once the condition looks at it.

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"cel.dev/cel-go/common/types"
)

const maxExact = 1 << 53 // integers up to it are exact as doubles

func (s *shape) convert(v any, place string) any {
	if v == nil {
		return types.NullValue
	}
	switch v := v.(type) {
	case json.Number:
		return s.number(v, place)
	case string:
		if s.kind == text || s.kind == open {
			return v
		}
	case bool:
		if s.kind == boolean || s.kind == open {
			return v
		}
	case []any:
		if s.kind == list || s.kind == open {
			return s.items(v, place)
		}
	case map[string]any:
		if s.kind == object || s.kind == dict || s.kind == open {
			return s.members(v, place)
		}
	}
	return types.NewErr("%s has another type than its parameter", place)
}

func (s *shape) items(v []any, place string) []any {
	elem := s.elem
	if elem == nil {
		elem = &shape{}
	}
	out := make([]any, len(v))
	for i, item := range v {
		out[i] = elem.convert(item, place+"[]")
	}
	return out
}

func (s *shape) members(v map[string]any, place string) map[string]any {
	out := make(map[string]any, len(v))
	for name, item := range v {
		switch {
		case s.kind == object && s.fields[name] != nil:
			out[name] = s.fields[name].convert(item, s.fields[name].place)
		case s.kind == object: // not declared: no condition can name it
		case s.elem != nil:
			out[name] = s.elem.convert(item, place+"[]")
		default:
			out[name] = (&shape{}).convert(item, place+"[]")
		}
	}
	return out
}

// number keeps integers exact: int where one is declared or written, double elsewhere.
func (s *shape) number(n json.Number, place string) any {
	written := !strings.ContainsAny(n.String(), ".eE")
	switch {
	case s.kind == integer, s.kind == open && written:
		if i, ok := whole(n.String(), written); ok {
			return i
		}
		return types.NewErr("%s is not a 64-bit integer", place)
	case s.kind == number, s.kind == open:
		if f, ok := double(n.String(), written); ok {
			return f
		}
		return types.NewErr("%s would be rounded", place)
	}
	return types.NewErr("%s has another type than its parameter", place)
}

// whole reads an integer, also one written as 5.0 or 5e3, as JSON Schema counts it.
func whole(n string, written bool) (int64, bool) {
	if written {
		i, err := strconv.ParseInt(n, 10, 64)
		return i, err == nil
	}
	f, err := strconv.ParseFloat(n, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) >= maxExact || f == 0 && !zero(n) {
		return 0, false
	}
	return int64(f), true
}

// double reads any number; one written as an integer must be exact.
func double(n string, written bool) (float64, bool) {
	if written {
		i, err := strconv.ParseInt(n, 10, 64)
		return float64(i), err == nil && i <= maxExact && i >= -maxExact
	}
	f, err := strconv.ParseFloat(n, 64)
	return f, err == nil
}

// zero reports whether a number is 0 as written, not for being too small.
func zero(n string) bool {
	digits, _, _ := strings.Cut(strings.ToLower(n), "e")
	return !strings.ContainsAny(digits, "123456789")
}
