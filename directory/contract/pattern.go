package contract

// This file says which regular expressions of a schema are checked at run time. Who validates, who writes
// declarations and who remarks on rows must agree on it.

import (
	"fmt"
	"regexp/syntax"
	"strconv"
	"strings"
)

const (
	maxPattern             = 4096
	maxPatternInstructions = 20_000 // of the compiled pattern
)

// CheckedPattern writes an ECMA-262 pattern as Go's regexp takes it, whose time is linear, and counts the
// instructions of a match. It is not ok for one that is not checked: it needs look-around or a back
// reference, is malformed, or is very large.
func CheckedPattern(text string) (expr string, instructions int, ok bool) {
	if expr, ok = goPattern(text); !ok {
		return "", 0, false
	}
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return "", 0, false
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil || len(prog.Inst) > maxPatternInstructions {
		return "", 0, false
	}
	return expr, len(prog.Inst), true
}

// goPattern writes ECMA-262's \uXXXX as Go does. Halves of surrogate pairs have no such form.
func goPattern(text string) (string, bool) {
	if len(text) > maxPattern {
		return "", false
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			out.WriteByte(text[i])
			continue
		}
		i++
		if text[i] != 'u' {
			out.WriteString(text[i-1 : i+1])
			continue
		}
		if i+5 > len(text) {
			return "", false
		}
		unit, err := strconv.ParseUint(text[i+1:i+5], 16, 16)
		if err != nil || unit >= 0xD800 && unit <= 0xDFFF {
			return "", false
		}
		fmt.Fprintf(&out, `\x{%04x}`, unit)
		i += 4
	}
	return out.String(), true
}
