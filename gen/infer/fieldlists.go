package infer

// This file reads the fields of Sphinx and Epydoc (":param int id: text", "@type id: int") and the tags of
// JSDoc, Javadoc, PHPDoc and YARD ("@param {int} id - text").

import (
	"strings"

	"codemode/directory/contract"
)

var fieldLine = compile(`^\s*[:@](param|parameter|arg|argument|kwarg|key|keyword|type|returns?|rtype|raises?|throws)(?:\s+([^:]*?))?\s*:(?:\s+|$)(.*)$`)

// tagLine is "@param ..." or "@returns ..." without the colon of a field.
var tagLine = compile(`^\s*[@\\](param|arg|argument|property|option|returns?|throws|example|see|type)(?:\[(?:in|out|in,out)\])?\s+(\S.*)$`)

// commentMark is what a comment's lines begin with.
var commentMark = compile(`^\s*(?:/\*\*?|\*/|\*+|///|//|#)\s?`)

// fromTag writes a tag of JSDoc and its like as fields of Sphinx.
func fromTag(line string) []string {
	if m := xmlTag.FindStringSubmatch(line); m != nil {
		if m[1] != "" {
			return []string{":param " + m[1] + ": " + strings.TrimSpace(m[2])}
		}
		return []string{":returns: " + strings.TrimSpace(m[3])}
	}
	if !strings.ContainsAny(line, `@\`) {
		return []string{line}
	}
	m := tagLine.FindStringSubmatch(commentMark.ReplaceAllString(line, ""))
	if m == nil || fieldLine.MatchString(line) && !strings.HasPrefix(m[2], "{") {
		return []string{commentMark.ReplaceAllString(line, "")}
	}
	kind, rest := m[1], m[2]
	if strings.HasPrefix(kind, "return") {
		return returnTag(rest)
	}
	if kind != "param" && kind != "arg" && kind != "argument" {
		return []string{":raises: " + rest}
	}
	t := tag{}
	t.read(rest)
	if t.name == "" {
		return []string{line}
	}
	return []string{":param " + t.name + ": " + t.words, ":type " + t.name + ": " + t.typed()}
}

// xmlTag is the documentation of .NET.
var xmlTag = compile(`^\W*(?:<param name="([\p{L}_]\w*)">(.*?)</param>|<returns>(.*?)</returns>)\s*$`)

func returnTag(rest string) []string {
	if typed, words, ok := bracketedType(rest); ok {
		return []string{":rtype: " + typed, ":returns: " + strings.TrimLeft(words, "-– ")}
	}
	first, words, _ := strings.Cut(rest, " ")
	if isTypeWords(plainType(first)) { // PHPDoc
		return []string{":rtype: " + plainType(first), ":returns: " + words}
	}
	return []string{":returns: " + rest}
}

// tag is "{number} [n=3] - how often", "n {number} how often", "int $n how often", "n [Integer] how often",
// "n how often".
type tag struct {
	name, kind, value, words string
	optional                 bool
}

// tagName is the name, in square brackets where it may be left out.
var tagName = compile(`^(?:\[\s*([\p{L}_][\p{L}\p{N}_.]*)\s*(?:=\s*([^\]]*?))?\s*\]|[$&]?([\p{L}_][\p{L}\p{N}_.]*(?:\[\]\.[\p{L}_][\p{L}\p{N}_]*)?))(\s.*|,.*|)$`)

func (t *tag) read(rest string) {
	kind, after, ok := bracketedType(rest)
	if first, more, _ := strings.Cut(rest, " "); !ok && strings.HasPrefix(strings.TrimSpace(more), "$") {
		kind, after, ok = plainType(strings.ReplaceAll(first, `\`, "")), strings.TrimSpace(more), true
	}
	if ok {
		rest, t.kind = after, kind
	}
	m := tagName.FindStringSubmatch(rest)
	if m == nil {
		return
	}
	t.name, t.value, t.optional, t.words = m[1]+m[3], m[2], m[1] != "", strings.TrimSpace(m[4])
	if kind, after, ok := bracketedType(t.words); ok && t.kind == "" {
		t.kind, t.words = kind, after
	}
	t.words = strings.TrimLeft(t.words, "-–— ")
	if strings.HasSuffix(t.kind, "=") || strings.HasPrefix(t.kind, "?") {
		t.optional = true
	}
	t.kind = strings.Trim(t.kind, "=?!")
	if many, ok := strings.CutPrefix(t.kind, "..."); ok {
		t.kind = many + "[]"
	}
}

func (t tag) typed() string {
	out := t.kind
	if t.optional {
		out += ", optional"
	}
	if t.value != "" {
		out += ", default " + t.value
	}
	return strings.TrimPrefix(out, ", ")
}

// bracketedType takes a type in braces, or in the square brackets of YARD.
func bracketedType(s string) (kind, after string, ok bool) {
	s = strings.TrimSpace(s)
	if s == "" || s[0] != '{' && s[0] != '[' {
		return "", s, false
	}
	closing := map[byte]byte{'{': '}', '[': ']'}[s[0]]
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case s[0]:
			depth++
		case closing:
			depth--
		}
		if depth == 0 {
			kind = plainType(s[1:i])
			bare := strings.Trim(kind, "=?!. ")
			return kind, strings.TrimSpace(s[i+1:]), s[0] == '{' || isTypeWords(bare) && !strings.Contains(bare, "=")
		}
	}
	return "", s, false
}

var (
	promised = compile(`^(?:Promise|Observable|Awaitable|Future|Task)\s*\.?<(.*)>$`)
	ofDotted = compile(`\b(Array|Object|Map|Set)\.<`)
)

// plainType writes the types of other languages as the ones that are read.
func plainType(s string) string {
	s = ofDotted.ReplaceAllString(strings.TrimSpace(s), "$1<")
	if m := promised.FindStringSubmatch(s); m != nil {
		s = m[1]
	}
	return s
}

// field is one ":param int id: text" of Sphinx.
type field struct{ kind, subject, text string }

func fieldList(p passage) []field {
	var out []field
	var lines []string
	for _, line := range p.lines {
		lines = append(lines, fromTag(line)...)
	}
	for _, line := range lines {
		if t := strings.TrimLeft(line, " \t"); len(out) == 0 && !strings.HasPrefix(t, ":") && !strings.HasPrefix(t, "@") {
			continue
		}
		m := fieldLine.FindStringSubmatch(line)
		switch {
		case m != nil:
			out = append(out, field{m[1], m[2], m[3]})
		case len(out) > 0 && leading(line) > 0 && strings.TrimSpace(line) != "":
			last := &out[len(out)-1]
			last.text = strings.TrimSpace(last.text + " " + strings.TrimSpace(line))
		case len(out) > 0 && strings.Trim(line, " */") != "":
			return out
		}
	}
	return out
}

// isArgument reports whether a field is of an argument.
func (f field) isArgument() bool {
	return strings.HasPrefix(f.kind, "param") || strings.HasPrefix(f.kind, "arg") || strings.HasPrefix(f.kind, "key") || f.kind == "kwarg"
}

// readFieldList reads ":param str id: text" with ":type id: str".
func readFieldList(p passage) docArgs {
	var out docArgs
	fields := fieldList(p)
	for _, f := range fields {
		words := strings.Fields(f.subject)
		if !f.isArgument() || len(words) == 0 {
			continue
		}
		d := docParam{name: strings.Trim(words[len(words)-1], "`*\\"), from: contract.FromArgs, source: source{words: clean(f.text)}}
		d.source.words = clean(":" + f.kind + " " + f.subject + ": " + f.text)
		if d.name, d.optionalArg = strings.CutSuffix(d.name, "?"); len(words) > 1 {
			d.readMeta(strings.Join(words[:len(words)-1], " "))
		}
		for _, t := range fields {
			if t.kind == "type" && strings.TrimSpace(t.subject) == words[len(words)-1] {
				d.readNumpyType(t.text)
			}
		}
		d.readTyped(singleTicks(f.text))
		d.readWords()
		if inner, name, nested := strings.Cut(d.name, "."); nested && out.addNested(inner, name, d) {
			continue
		}
		out.params = append(out.params, d.demanded())
	}
	return out
}

// addNested takes "opts.name" as a field of opts, which stands before it.
func (d *docArgs) addNested(of, name string, field docParam) bool {
	for i := range d.params {
		p := &d.params[i]
		list, isList := strings.CutSuffix(of, "[]")
		if p.name != list || isList != (p.schema.text("type") == "array") {
			continue
		}
		field.name = name
		inner := p.schema
		if isList {
			inner = p.schema.object("items")
		}
		if one := fieldsObject([]docParam{field}); inner == nil || !inner.has("properties") {
			inner = one
		} else {
			inner.object("properties").set(name, one.object("properties").values[name])
			if list, _ := one.value("required").([]any); len(list) > 0 {
				before, _ := inner.value("required").([]any)
				inner.set("required", append(before, list...))
			}
		}
		p.schema = inner
		if isList {
			p.schema = arrayOf(inner)
		}
		return true
	}
	return false
}
