package goja

// This file holds what goja gets silently wrong about regular expressions: it takes \p{...} for
// letters, and a match that needs more backtracking than its matcher allows for none.

import (
	"errors"
	"regexp"
	"strings"
	"unicode/utf16"

	"github.com/dlclark/regexp2/v2"
	js "github.com/dop251/goja"
)

// nativeRegexp passes a pattern that the engine can match, and refuses one that it would take for
// something else without a word.
func (r *run) nativeRegexp(c js.FunctionCall) js.Value {
	pattern, flags := c.Argument(0), c.Argument(1).String()
	text := pattern.String()
	if strings.ContainsAny(flags, "vd") {
		r.refusePattern("the flags d and v are not supported")
	}
	if strings.Contains(flags, "u") {
		for i := 0; i+1 < len(text); i++ {
			if text[i] != '\\' {
				continue
			}
			if text[i+1] == 'p' || text[i+1] == 'P' {
				r.refusePattern("\\p{...} is not supported; write the characters as ranges, such as [A-Za-z\\u00C0-\\u024F]")
			}
			i++
		}
	}
	return pattern
}

func (r *run) refusePattern(why string) {
	e, err := r.vm.New(r.vm.Get("SyntaxError"), r.vm.ToValue("regular expression: "+why))
	must(err)
	panic(e)
}

// backtracks finds patterns that goja gives to its backtracking matcher; others take linear time.
var backtracks = regexp.MustCompile(`\(\?(?:[=!]|<[=!])|\\[1-9]|\\k<`)

// guardsExec reports whether the script's text may call exec on such a pattern. Watching exec makes
// every use of regular expressions slower, since goja keeps its fast paths for an exec of its own.
func (r *run) guardsExec() bool {
	code := r.bundle.Code
	return backtracks.MatchString(code) && (strings.Contains(code, "exec") || strings.Contains(code, "matchAll"))
}

// nativeGaveUp reports whether a match that found nothing had in truth given up: it takes source,
// flags, text and where it began.
func (r *run) nativeGaveUp(c js.FunctionCall) js.Value {
	source, flags := c.Argument(0).String(), c.Argument(1).String()
	text, ok := c.Argument(2).(js.String)
	if !ok || !backtracks.MatchString(source) {
		return r.vm.ToValue(false)
	}
	re, err := regexp2.Compile(source, options(flags))
	if err != nil {
		return r.vm.ToValue(false) // goja compiled it in its own way; there is nothing to compare
	}
	return r.vm.ToValue(gaveUp(re, units(text, strings.Contains(flags, "u")), int(c.Argument(3).ToInteger())))
}

func gaveUp(re *regexp2.Regexp, text []rune, start int) bool {
	m, err := re.FindRunesMatchStartingAt(text, min(max(start, 0), len(text)))
	for err == nil && m != nil {
		m, err = re.FindNextMatch(m)
	}
	return errors.Is(err, regexp2.ErrBacktrackingStackLimit)
}

// options are those that goja compiles with.
func options(flags string) regexp2.RegexOptions {
	opts := regexp2.RegexOptions(regexp2.ECMAScript)
	for flag, opt := range map[string]regexp2.RegexOptions{"m": regexp2.Multiline, "s": regexp2.Singleline, "i": regexp2.IgnoreCase, "u": regexp2.Unicode} {
		if strings.Contains(flags, flag) {
			opts |= opt
		}
	}
	return opts
}

// units are what goja's matcher walks: code points under the flag u, UTF-16 units without it.
func units(text js.String, unicode bool) []rune {
	out := make([]rune, 0, text.Length())
	for i := 0; i < text.Length(); i++ {
		c := rune(text.CharAt(i))
		if unicode && utf16.IsSurrogate(c) && i+1 < text.Length() {
			if pair := utf16.DecodeRune(c, rune(text.CharAt(i+1))); pair != 0xFFFD {
				c = pair
				i++
			}
		}
		out = append(out, c)
	}
	return out
}
