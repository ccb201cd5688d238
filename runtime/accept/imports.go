package accept

// This file finds the places where a script imports something, from its tokens. What it can't tell for an
// import it leaves to the compilers, which see only files of the script and of packages.

import (
	"strconv"
	"strings"
)

// importForm is how something is imported.
type importForm byte

const (
	importStatic  importForm = iota // import ... from "x", import "x", export ... from "x"
	importCall                      // import("x")
	importMeta                      // import.meta
	importRequire                   // require("x"), import x = require("x")
)

// importSite is one such place.
type importSite struct {
	form  importForm
	spec  string
	at    int // where the specifier stands, or the keyword
	types bool
	with  int // where its attributes stand, -1 for none
	// names are those imported of the module: "default", "a"; not those of export from.
	names []string
}

// importSites returns the places in order.
func importSites(tokens []token) []importSite {
	var out []importSite
	own := declares(tokens, "require")
	for i, t := range tokens {
		if t.kind != identToken || i > 0 && tokens[i-1].is(".") && !spread(tokens, i) || i+1 >= len(tokens) {
			continue
		}
		switch t.text {
		case "import":
			out = append(out, imports(tokens, i)...)
		case "export":
			out = append(out, static(tokens, i)...)
		case "require":
			if !own && requires(tokens, i) {
				out = append(out, importSite{form: importRequire, at: t.start, with: -1})
			}
		}
	}
	return out
}

// spread reports that the word at i follows three dots, which are no member access.
func spread(tokens []token, i int) bool {
	return i > 2 && tokens[i-2].is(".") && tokens[i-3].is(".")
}

func imports(tokens []token, i int) []importSite {
	here := importSite{form: importCall, at: tokens[i].start, with: -1}
	switch next := tokens[i+1]; {
	case next.is("("):
		if isMethod(tokens, i) {
			return nil
		}
		return []importSite{here}
	case next.is("."):
		if i+2 < len(tokens) && tokens[i+2].is("meta") {
			here.form = importMeta
		}
		return []importSite{here}
	case next.is(":"), next.is(","), next.is("}"), next.is("="): // a member named import
		return nil
	}
	return static(tokens, i)
}

// isMethod reports that the word at i, before a parenthesis, names a method that is declared there.
func isMethod(tokens []token, i int) bool {
	after := tokens[i+1].match + 1
	return after > 0 && after < len(tokens) && (tokens[after].is("{") || tokens[after].is(":") && tokens[i].depth > 0 && i > 0 && (tokens[i-1].is("{") || tokens[i-1].is(",") || tokens[i-1].is(";")))
}

// requires reports a call or a use of Node's require.
func requires(tokens []token, i int) bool {
	switch next := tokens[i+1]; {
	case next.is("("):
		return !isMethod(tokens, i)
	case next.is("?"):
		return i+2 < len(tokens) && tokens[i+2].is(".")
	default:
		return next.is(".")
	}
}

// declares reports that the script declares the name itself.
func declares(tokens []token, name string) bool {
	for i := 1; i < len(tokens); i++ {
		if tokens[i].is(name) && (tokens[i-1].is("const") || tokens[i-1].is("let") || tokens[i-1].is("var") || tokens[i-1].is("function")) {
			return true
		}
	}
	return false
}

// maxClause is how many tokens outside of braces stand at most between import and its specifier.
const maxClause = 10

// static reads an import or export statement at i up to its specifier.
func static(tokens []token, i int) []importSite {
	site := importSite{form: importStatic, with: -1}
	j := i + 1
	if tokens[j].is("type") && j+1 < len(tokens) && !tokens[j+1].is(",") && !isFrom(tokens, j+1) {
		site.types, j = true, j+1
	}
	for steps := 0; j < len(tokens) && steps < maxClause; j, steps = j+1, steps+1 {
		t := tokens[j]
		switch {
		case t.kind == stringToken && isQuoted(t) && (j == i+1 && tokens[i].is("import") || isFrom(tokens, j-1)):
			site.spec, site.at = unquote(t.text), t.start
			if j+2 < len(tokens) && (tokens[j+1].is("with") || tokens[j+1].is("assert")) && tokens[j+2].is("{") {
				site.with = tokens[j+1].start
			}
			return []importSite{site}
		case t.is("{") && t.match > j:
			site.names = append(site.names, namesIn(tokens[j+1:t.match])...)
			j = t.match
		case t.is("*"), t.is(","), t.is("as"), isFrom(tokens, j):
		case t.kind == stringToken && j > 0 && tokens[j-1].is("as"): // export * as "a name" from
		case t.kind == identToken && (tokens[j-1].is("import") || tokens[j-1].is("type")):
			site.names = append(site.names, "default")
		case t.kind == identToken && tokens[j-1].is("as"):
		default:
			return nil
		}
	}
	return nil
}

// isFrom reports that the word at i is the from before a specifier.
func isFrom(tokens []token, i int) bool {
	return tokens[i].is("from") && i+1 < len(tokens) && tokens[i+1].kind == stringToken && isQuoted(tokens[i+1])
}

// namesIn returns the names before "as" of the list in braces.
func namesIn(tokens []token) []string {
	var names []string
	begins := true
	for i, t := range tokens {
		if begins && t.is("type") && i+1 < len(tokens) && !tokens[i+1].is(",") && !tokens[i+1].is("as") {
			continue
		}
		if begins && t.kind == identToken {
			names = append(names, t.text)
		}
		begins = t.is(",")
	}
	return names
}

func isQuoted(t token) bool { return t.text[0] == '"' || t.text[0] == '\'' }

// unquote gives the value of a string literal. What it does not know, or is cut off, stands as it is.
func unquote(literal string) string {
	body := strings.TrimSuffix(literal[1:], literal[:1])
	if !strings.Contains(body, `\`) {
		return body
	}
	var b strings.Builder
	for body != "" {
		if body[0] != '\\' || len(body) == 1 {
			b.WriteByte(body[0])
			body = body[1:]
			continue
		}
		text, size := escape(body[1:])
		b.WriteString(text)
		body = body[1+size:]
	}
	return b.String()
}

// escape reads what stands after a backslash, and how long it is.
func escape(s string) (string, int) {
	const simple = "n\nt\tr\rb\bf\fv\v0\x00"
	if i := strings.IndexByte(simple, s[0]); i >= 0 && i%2 == 0 {
		return simple[i+1 : i+2], 1
	}
	digits, size := "", 0
	switch {
	case s[0] == 'x' && len(s) >= 3:
		digits, size = s[1:3], 3
	case strings.HasPrefix(s, "u{") && strings.Contains(s, "}"):
		size = strings.IndexByte(s, '}') + 1
		digits = s[2 : size-1]
	case s[0] == 'u' && len(s) >= 5:
		digits, size = s[1:5], 5
	}
	if n, err := strconv.ParseUint(digits, 16, 21); err == nil && size > 0 {
		return string(rune(n)), size
	}
	return s[:1], 1
}
