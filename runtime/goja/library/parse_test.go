package library_test

// This file reads declarations as these files write them: a restricted style, one statement after the
// other, of which nothing may be passed over. What it does not understand is an error.

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"
)

// declared is what a set of declaration files declares.
type declared struct {
	values     map[string]string     // global values by name: their type, "function" for functions
	interfaces map[string]*structure // interfaces and classes by name
	types      int                   // type aliases
	statements int
	members    int
}

// structure is an interface: its own members, and the interfaces it extends.
type structure struct {
	extends []string
	members map[string]member // by name, "[Symbol.iterator]" for a symbol
	indexed bool              // has an index signature
	called  bool              // has call or construct signatures
}

type member struct{ method, optional bool }

var (
	commentText     = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	interfaceHead   = regexp.MustCompile(`^(?:interface|declare class) (\w+)(?: extends (.+?))? $`)
	valueStatement  = regexp.MustCompile(`^declare (?:var|const) (\w+): (.+)$`)
	functionHead    = regexp.MustCompile(`^declare function (\w+)[<(]`)
	typeHead        = regexp.MustCompile(`^type \w+(<.*?>)? =`)
	indexSignature  = regexp.MustCompile(`^\[\w+: (number|string|PropertyKey)\]: `)
	namedMember     = regexp.MustCompile(`^(\w+|\[Symbol\.\w+\])(\??)([:(<])`)
	modifiers       = regexp.MustCompile(`^(?:readonly )`)
	callSignature   = regexp.MustCompile(`^(?:new )?[(<]`)
	statementStart  = regexp.MustCompile(`(?m)^(?:type|interface|declare) `)
	memberStart     = regexp.MustCompile(`(?m)^  [^\s})|]`)
	privateMembers  = regexp.MustCompile(`^private `)
	headOfInterface = regexp.MustCompile(`^(?:interface|declare class) `)
)

// parse adds what text declares.
func (d *declared) parse(text string) error {
	text = commentText.ReplaceAllString(text, "")
	want := d.statements + len(statementStart.FindAllString(text, -1))
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		statement, rest, err := cutStatement(text)
		if err != nil {
			return err
		}
		if err := d.statement(statement); err != nil {
			return err
		}
		d.statements++
		text = rest
	}
	if d.statements != want {
		return fmt.Errorf("%d statements read, %d lines begin one", d.statements, want)
	}
	return nil
}

// cutStatement takes the first statement off: up to the ";" that ends it, or the "}" of an interface.
func cutStatement(text string) (statement, rest string, err error) {
	depth, braced := 0, headOfInterface.MatchString(text)
	for i, c := range text {
		switch c {
		case '{', '(', '[':
			depth++
		case '}', ')', ']':
			depth--
		}
		if depth == 0 && (c == ';' || braced && c == '}') {
			return text[:i+1], text[i+1:], nil
		}
	}
	return "", "", fmt.Errorf("a statement does not end: %.60q", text)
}

func (d *declared) statement(s string) error {
	s = strings.TrimSuffix(s, ";")
	if head, body, ok := strings.Cut(s, "{"); ok && headOfInterface.MatchString(s) {
		if name, ok := strings.CutPrefix(head, "declare class "); ok {
			d.values[strings.Fields(name)[0]] = "class"
		}
		return d.structure(head, strings.TrimSuffix(body, "}"))
	}
	if m := valueStatement.FindStringSubmatch(strings.ReplaceAll(s, "\n", " ")); m != nil {
		return d.value(m[1], m[2])
	}
	if m := functionHead.FindStringSubmatch(s); m != nil {
		return d.value(m[1], "function")
	}
	if typeHead.MatchString(s) {
		d.types++
		return nil
	}
	return fmt.Errorf("a statement of no known kind: %.80q", s)
}

func (d *declared) value(name, typ string) error {
	if d.values[name] != "" && typ != "function" {
		return fmt.Errorf("%s is declared twice", name)
	}
	d.values[name] = typ
	if body, ok := strings.CutPrefix(typ, "{"); ok { // an object type in place
		d.values[name] = "typeof_" + name
		return d.structure("interface typeof_"+name+" ", strings.TrimSuffix(body, "}"))
	}
	return nil
}

func (d *declared) structure(head, body string) error {
	m := interfaceHead.FindStringSubmatch(withoutParameters(head))
	if m == nil {
		return fmt.Errorf("an interface that is not understood: %.80q", head)
	}
	if d.interfaces[m[1]] != nil {
		return fmt.Errorf("interface %s is declared twice", m[1])
	}
	s := &structure{members: map[string]member{}}
	for _, base := range splitTop(m[2], ',') {
		name, _, _ := strings.Cut(base, "<")
		s.extends = append(s.extends, name)
	}
	d.interfaces[m[1]] = s
	read := 0
	for _, text := range splitTop(body, ';') {
		if err := s.member(text); err != nil {
			return fmt.Errorf("interface %s: %w", m[1], err)
		}
		read++
	}
	if lines := len(memberStart.FindAllString(body, -1)); lines != read && strings.Contains(body, "\n") {
		return fmt.Errorf("interface %s: %d members read, %d lines begin one", m[1], read, lines)
	}
	d.members += read
	return nil
}

// withoutParameters takes the type parameters out of an interface's head: "interface A<B<C>> extends D ".
func withoutParameters(head string) string {
	from := strings.IndexAny(head[min(len("interface "), len(head)):], "< ") + len("interface ")
	if from >= len(head) || head[from] != '<' {
		return head
	}
	depth := 0
	for i, c := range head[from:] {
		switch {
		case c == '<':
			depth++
		case c == '>' && head[from+i-1] != '=':
			if depth--; depth == 0 {
				return head[:from] + head[from+i+1:]
			}
		}
	}
	return head
}

func (s *structure) member(text string) error {
	if privateMembers.MatchString(text) {
		return nil
	}
	text = modifiers.ReplaceAllString(text, "")
	switch m := namedMember.FindStringSubmatch(text); {
	case callSignature.MatchString(text):
		s.called = true
	case indexSignature.MatchString(text):
		s.indexed = true
	case m != nil && m[1] != "new":
		s.members[m[1]] = member{method: m[3] != ":", optional: m[2] != ""}
	default:
		return fmt.Errorf("a member that is not understood: %.80q", text)
	}
	return nil
}

// splitTop splits at sep outside of all brackets, and drops what is blank.
func splitTop(text string, sep rune) []string {
	var parts []string
	depth, from := 0, 0
	add := func(part string) {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	for i, c := range text {
		switch {
		case strings.ContainsRune("{([", c), c == '<':
			depth++
		case strings.ContainsRune("})]", c), c == '>' && text[i-1] != '=':
			depth--
		case c == sep && depth == 0:
			add(text[from:i])
			from = i + 1
		}
	}
	add(text[from:])
	return parts
}

// all returns an interface with what it inherits.
func (d *declared) all(name string) (*structure, error) {
	own := d.interfaces[name]
	if own == nil {
		return nil, fmt.Errorf("there is no interface %s", name)
	}
	out := &structure{members: map[string]member{}, indexed: own.indexed, called: own.called}
	for _, base := range own.extends {
		inherited, err := d.all(base)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		maps.Copy(out.members, inherited.members)
		out.indexed = out.indexed || inherited.indexed
		out.called = out.called || inherited.called
	}
	maps.Copy(out.members, own.members)
	return out, nil
}

// TestParse holds that nothing is passed over: what is read is as it stands, and what is not
// understood is an error.
func TestParse(t *testing.T) {
	d := &declared{values: map[string]string{}, interfaces: map[string]*structure{}}
	text := "// A;\ninterface A<T extends () => any> extends B<T>, C {\n  readonly a?: { b: T; c(): void };\n  d<U>(u: U): (x: U) => void;\n" +
		"  new (a: T): A<T>;\n  [key: string]: any;\n  readonly [Symbol.iterator]: string;\n}\ninterface B<T> { b: T }\ninterface C {}\n" +
		"type X<T> =\n  | { a: T; b: 1 }\n  | T;\ndeclare var A: A<() => 1>;\ndeclare function f(a: {\n  b: 1;\n}): void;\n"
	if err := d.parse(text); err != nil {
		t.Fatal(err)
	}
	want := map[string]member{"a": {optional: true}, "d": {method: true}, "[Symbol.iterator]": {}, "b": {}}
	if s := all(t, d, "A"); !maps.Equal(s.members, want) || !s.indexed || !s.called {
		t.Errorf("%+v", s)
	}
	if d.statements != 6 || d.types != 1 || d.values["f"] != "function" || d.values["A"] != "A<() => 1>" {
		t.Errorf("%+v", d)
	}
	for _, bad := range []string{
		"declare let a: number;", "declare module 'x' {}", "namespace N { const a: 1 }", "declare var a;", "export type A = 1;", "interface A { a: 1",
		"interface A {\n  get a(): number;\n}", "interface A {\n  'a-b': number;\n}", "interface A {\n  [x in y]: number;\n}", "interface A { a }",
		"interface A {\n  a: 1,\n  b: 2;\n}", "interface A {\n  a: 1;\n  b: 2\n  c: 3;\n}", "interface A {} interface A {}", "declare var a: 1; declare var a: 2;",
		"type A = 1\ninterface B {}", "interface A extends B & C {}\n-",
	} {
		d := &declared{values: map[string]string{}, interfaces: map[string]*structure{}}
		if err := d.parse(bad); err == nil {
			t.Errorf("%q was read as %+v", bad, d)
		}
	}
}
