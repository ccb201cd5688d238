package ts

// This file makes data safe to stand in TypeScript text: names, string literals, comment text.

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"codemode/directory/contract"
	"codemode/gen/schema"
)

// taken are names that an interface, namespace or type cannot have, or that the generated text
// itself refers to.
var taken = set(`any as asserts async await bigint boolean break case catch class const constructor continue debugger declare
	default delete do else enum export extends false finally for from function get global if implements import in infer
	instanceof interface intrinsic is keyof let module namespace never new null number object of out override package private
	protected public readonly require return satisfies set static string super switch symbol this throw true try type typeof
	undefined unique unknown using var void while with yield Promise Record Pick Object Tools InputFile`)

func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// isIdentifier reports whether s is an identifier of ASCII letters, digits, "_" and "$".
func isIdentifier(s string) bool {
	for i, r := range s {
		if !(r == '_' || r == '$' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || i > 0 && r >= '0' && r <= '9') {
			return false
		}
	}
	return s != ""
}

// identifier turns any name into one that can be declared; different names stay different. A plain
// name stays as it is, another is "$" with what does not fit as "$hex$".
func identifier(name string) string {
	if isIdentifier(name) && !taken[name] && !strings.Contains(name, "$") {
		return name
	}
	var b strings.Builder
	b.WriteByte('$')
	for _, r := range name {
		if r != '$' && (isIdentifier(string(r)) || r >= '0' && r <= '9') {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "$%x$", r)
		}
	}
	return b.String()
}

// propertyName writes a key of an object or interface, quoted where it must be. "new" would declare
// a constructor, "get" and its like read as modifiers.
func propertyName(name string) string {
	switch name {
	case "new", "get", "set", "readonly", "constructor", "async", "static", "__proto__":
		return quote(name)
	}
	if isIdentifier(name) {
		return name
	}
	return quote(name)
}

// access writes a property access.
func access(name string) string {
	if isIdentifier(name) {
		return "." + name
	}
	return "[" + quote(name) + "]"
}

// quote writes a string literal.
func quote(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 2)
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r > 0xFFFF && isHidden(r):
			fmt.Fprintf(&b, `\u{%x}`, r)
		case isHidden(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// requote writes a JSON string as a string literal.
func requote(raw json.RawMessage) string {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return "string"
	}
	return quote(s)
}

// isHidden reports whether a character is not seen, or changes how others are.
func isHidden(r rune) bool {
	return contract.Invisible(r) || r == '\t' || r == '\n' || r == '\r' || r == utf8.RuneError
}

// prose is text of a row as the lines of a comment: those that read like a line of the declaration's own
// are quoted.
func prose(s string) []string {
	lines := plain(s)
	for i, line := range lines {
		lines[i] = schema.Quoted(line)
	}
	return lines
}

// plain makes text safe to stand in a comment, a line each in the result: nothing ends the comment,
// nothing is hidden, and no line starts with a tag or a compiler directive.
func plain(s string) []string {
	if isPlain(s) {
		return []string{s}
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range strings.ReplaceAll(s, "\r\n", "\n") {
		switch {
		case r >= ' ' && r <= '~':
			b.WriteByte(byte(r))
		case r == '\n' || r == 0x2028 || r == 0x2029 || r == '\r' || r == 0x85:
			b.WriteByte('\n')
		case r == '\t':
			b.WriteByte(' ')
		case isHidden(r):
		default:
			b.WriteRune(r)
		}
	}
	var lines []string
	for line := range strings.SplitSeq(strings.ReplaceAll(b.String(), "*/", `*\/`), "\n") {
		line = strings.Join(strings.Fields(line), " ")
		if strings.HasPrefix(strings.TrimLeft(line, "/* "), "@") {
			line = strings.Replace(line, "@", `\@`, 1)
		}
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// isPlain reports that a text is one line that plain would leave as it is: ASCII words, a space between
// two, without anything that starts a tag or ends a comment.
func isPlain(s string) bool {
	last := byte(' ')
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c > '~' || c == '@' || c == ' ' && last == ' ' || c == '/' && last == '*' {
			return false
		}
		last = c
	}
	return last != ' '
}

// oneLine is text on a single line, behind something that the declaration says.
func oneLine(s string) string { return strings.Join(plain(s), " ") }

// capped cuts text to about n bytes at a word's end and says so.
func capped(s string, n int) string {
	if len(s) <= n {
		return s
	}
	cut := n
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	if space := strings.LastIndexAny(s[:cut], " \n"); space > cut/2 {
		cut = space
	}
	return fmt.Sprintf("%s ... [cut: %d more characters]", strings.TrimRight(s[:cut], " \n"), utf8.RuneCountInString(s[cut:]))
}
