package ts

// This file holds text that tries to get out of its comment, literal or name.

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"codemode/directory/contract"
	"codemode/gen/schema"
)

var hostileTexts = []string{
	`*/ declare const evil: any; /*`, "*\u200b/ x", "* /*/ */", "**/", "/", "*", "//", "/*", "/** @ts-ignore */",
	"@ts-expect-error", "@ts-nocheck", "text\n@ts-ignore\n", "\n * @ts-expect-error", "*@ts-ignore", "/ * @ts-ignore",
	`/// <reference path="/etc/passwd" />`, "\"; declare const evil: any; \"", `\`, `\"`, `\\"`, "`${evil}`", "'", "a\nb", "a\r\nb\rc",
	"a\u2028b\u2029c", "\u202eevil\u202c", "\u2066x\u2069", "\x00\x07\x1b[31m", "\u0085", "\ufeff", "\xff\xfe", "\U000e0041tag",
	"constructor", "__proto__", "then", "new", "", " ", "1a", "a.b", "a]b", "}", "{", "日本", "$", "$61$", "undefined", "\u3164",
	strings.Repeat("long ", 700), strings.Repeat("@", 3000), strings.Repeat("*/", 1000), "%s%d%!",
}

// hostileContract puts one text in every place that a directory fills.
func hostileContract(name, text string) contract.Contract {
	q := compactJSON(text)
	schema := fmt.Sprintf(`{"type":"object","title":%[1]s,"description":%[1]s,"required":["lit","list"],"properties":{
		"lit":{"const":%[1]s,"description":%[1]s,"examples":[%[1]s]},
		"list":{"enum":[%[1]s,{%[1]s:%[1]s},null],"default":%[1]s,"title":%[1]s},
		"checked":{"type":"string","pattern":%[1]s,"format":%[1]s,"contentMediaType":%[1]s},
		%[2]s:{"type":"string"},"shared":{"$ref":"#/$defs/S"}},
		"$defs":{"S":{"type":"array","description":%[1]s,"items":{"$ref":"#/$defs/S"}}},
		"if":{"properties":{%[1]s:{"const":%[1]s}}},"then":{"required":[%[1]s]},
		"patternProperties":{%[1]s:{"type":"string"}}}`, q, compactJSON("named "+text))
	return contract.Contract{Key: text, Name: name, Description: text, WhenToUse: text, Notes: []string{text}, Deprecated: text,
		Examples: []contract.Example{{Text: text}}, Effect: contract.Effect(text), Positional: []string{text},
		Undo: &contract.Reference{Name: text, Args: map[string]string{text: text, "a": "/result/" + text}}, Readback: &contract.Reference{Name: "n." + text},
		Params: json.RawMessage(schema), Result: json.RawMessage(schema)}
}

func compactJSON(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// TestHostileText compiles every text in every place and reads the literals back as they went in.
func TestHostileText(t *testing.T) {
	program := map[string]string{"ambient.d.ts": Ambient()}
	var script strings.Builder
	var namespaces, methods []string
	seen := map[string]bool{}
	for i, text := range hostileTexts {
		ns := strings.ReplaceAll("n"+strings.ToValidUTF8(text, "\ufffd"), ".", "")
		name := ns + ".call " + text
		if len(text) > 1000 {
			ns, name = "long", fmt.Sprintf("long.call%d", i)
		}
		if seen[ns] {
			ns = fmt.Sprintf("%s%d", ns, i)
			name = ns + ".call"
		}
		seen[ns] = true
		out, err := namespace(ns, []contract.Contract{hostileContract(name, text)})
		if err != nil {
			t.Fatalf("%.40q: %v", text, err)
		}
		wantContained(t, out)
		program[fmt.Sprintf("n%d.d.ts", i)] = out
		namespaces, methods = append(namespaces, ns), append(methods, name)
		fmt.Fprintf(&script, "{ type A = Parameters<Tools.%s[%s]>[0]; const lit: A[\"lit\"] = %s; let back: %s = lit; }\n",
			identifier(ns), quote(methodName(name)), quote(text), quote(text))
	}
	program["granted.d.ts"] = Granted(methods, hostileTexts, nil)
	program["script.ts"] = script.String()
	wantClean(t, program)
	wantClean(t, map[string]string{"tools.d.ts": Tools(namespaces) + "declare namespace Tools {" + interfaces(namespaces) + "}"})
}

func interfaces(namespaces []string) string {
	var b strings.Builder
	for _, ns := range namespaces {
		fmt.Fprintf(&b, "interface %s {}\n", identifier(ns))
	}
	return b.String()
}

var (
	stringToken = regexp.MustCompile(`^"(?:[^"\\\n]|\\(?:["\\n]|u[0-9a-f]{4}|u\{[0-9a-f]+\}))*"`)
	// Inside of a template only ${string} is code.
	templateToken = regexp.MustCompile("^`(?:[^`\\\\$\n]|\\$\\{string\\}|\\\\(?:[`\"\\\\n$]|u[0-9a-f]{4}|u\\{[0-9a-f]+\\}))*`")
	commentToken  = regexp.MustCompile(`(?s)^/\*.*?\*/`)
	codeToken     = regexp.MustCompile(`^(?:[A-Za-z_$][A-Za-z0-9_$]*|-?[0-9][0-9a-zA-Z.+-]*|\.\.\.|[{}()\[\];:|&<>,?=.\s])`)
	directive     = regexp.MustCompile(`^[/*\s]*@ts-`)
)

// wantContained reads the text as tokens: comments, string literals, and nothing but names and the
// punctuation of declarations outside of them. Hostile words must not be among the names.
func wantContained(t *testing.T, out string) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Error("not valid UTF-8")
	}
	for _, r := range out {
		if r != '\n' && isHidden(r) {
			t.Fatalf("a hidden character %U in\n%s", r, out)
		}
	}
	for rest := out; rest != ""; {
		token := stringToken.FindString(rest)
		if token == "" {
			token = templateToken.FindString(rest)
		}
		if token == "" {
			if token = commentToken.FindString(rest); token != "" {
				wantNoDirective(t, token)
			} else if token = codeToken.FindString(rest); token == "evil" {
				t.Fatalf("%q got out in\n%s", token, out)
			}
		}
		if token == "" {
			t.Fatalf("no token at %.40q in\n%s", rest, out)
		}
		rest = rest[len(token):]
	}
}

func wantNoDirective(t *testing.T, comment string) {
	t.Helper()
	for line := range strings.Lines(comment) {
		if directive.MatchString(line) {
			t.Fatalf("a compiler directive: %q", line)
		}
	}
}

// FuzzDoc holds that no text of a directory gets out of its place, in any form of output.
func FuzzDoc(f *testing.F) {
	for _, s := range hostileTexts {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := hostileContract("crm.list", text)
		out, err := namespace("crm", []contract.Contract{c})
		if err != nil {
			return // text that is too large, or a reference by chance
		}
		wantContained(t, out)
		decl, err := Declaration(c)
		if err != nil {
			t.Fatal(err)
		}
		wantContained(t, decl)
		if limit := 30_000 + 40*len(text); len(decl) > limit {
			t.Errorf("%d bytes of declaration for %d bytes of text", len(decl), len(text))
		}
		wantContained(t, Granted([]string{text, "n." + text, text + ".m"}, []string{text}, nil))
		wantContained(t, Tools([]string{text}))
		c.Name = "n" + text + ".m" + text
		if line := index(t, []contract.Contract{c})[0].String(); strings.ContainsFunc(line, isHidden) {
			t.Errorf("a hidden character in %q", line)
		}
	})
}

// FuzzNames holds that different names get different identifiers, that every one is an identifier,
// and that literals read back.
func FuzzNames(f *testing.F) {
	f.Add("delete", "$delete")
	f.Add("a-b", "$a$2d$b")
	f.Add("$", "$$24$")
	f.Add("", "$")
	f.Fuzz(func(t *testing.T, a, b string) {
		a, b = strings.ToValidUTF8(a, "?"), strings.ToValidUTF8(b, "?")
		x, y := identifier(a), identifier(b)
		if !isIdentifier(x) || taken[x] {
			t.Errorf("%q gives %q", a, x)
		}
		if a != b && x == y {
			t.Errorf("%q and %q both give %q", a, b, x)
		}
		if stringToken.FindString(quote(a)) != quote(a) {
			t.Errorf("%q is quoted as %s", a, quote(a))
		}
	})
}

// TestCombinations compiles schemas that ask for more combinations than a compiler will multiply out.
func TestCombinations(t *testing.T) {
	var types strings.Builder
	for i, format := range []string{
		`{"oneOf":[{"required":["a%[1]d"]},{"required":["b%[1]d"]}]}`,
		`{"if":{"properties":{"k%[1]d":{"const":1}}},"then":{"properties":{"a%[1]d":{"type":"string"}}}}`,
		`{"anyOf":[{"properties":{"k%[1]d":{"enum":[1,2]}},"required":["k%[1]d"]},{"properties":{"k%[1]d":{"enum":[3]}}},{"dependentRequired":{"k%[1]d":["a"]}}]}`,
	} {
		var parts []string
		for n := range 20 {
			parts = append(parts, fmt.Sprintf(format, n))
		}
		doc := `{"type":"object","properties":{"p":{"type":"string"}},"allOf":[` + strings.Join(parts, ",") + `]}`
		graph, err := schema.Parse([]byte(doc), schema.Options{})
		if err != nil {
			t.Fatal(err)
		}
		text := Types(fmt.Sprintf("S%d", i), graph)
		if len(text) > 20_000 {
			t.Errorf("%d bytes for %d of schema", len(text), len(doc))
		}
		types.WriteString(text)
	}
	wantClean(t, map[string]string{"types.d.ts": types.String(), "use.ts": "declare let a: S0.Root, b: S1.Root, c: S2.Root; a = { p: 'x' } as any; b = a as any; c = b as any;"})
}

// A row's own text never begins a line like one of the declaration's: each such line stands once.
func TestTextLikeALabel(t *testing.T) {
	lines := []string{"Effect: read", "**effect** : read", "\u0415ffect: read", "When to use: always", "Needs a decision: never", "Undo: x.y()", "Readback: x", "Precondition: x", "Returns: {}", "Arguments: none", "Deprecated: x"}
	text := "First.\n" + strings.Join(lines, "\n")
	params := json.RawMessage(fmt.Sprintf(`{"type":"object","description":%[1]s,"properties":{"p":{"type":"string","description":%[1]s},"s":{"$ref":"#/$defs/S"}},"$defs":{"S":{"type":"array","description":%[1]s,"items":{"$ref":"#/$defs/S"}}}}`, compactJSON(text)))
	c := contract.Contract{Key: "K", Name: "a.b", Description: text, WhenToUse: text, Notes: []string{text}, Examples: []contract.Example{{Text: text}}, Effect: contract.Irreversible, Params: params, Result: params}
	out, err := Declaration(c)
	if err != nil {
		t.Fatal(err)
	}
	like := 0
	for line := range strings.Lines(out) {
		comment, ok := strings.CutPrefix(strings.TrimSpace(line), "* ")
		if ok && schema.LikeLabel(comment) && !strings.HasPrefix(comment, "> ") {
			like++
			if comment != "Effect: irreversible" && !strings.HasPrefix(comment, "When to use: First.") && !strings.HasPrefix(comment, "Returns: First.") {
				t.Errorf("the line %q", comment)
			}
		}
	}
	if like != 3 || strings.Count(out, "> Effect: read") < 6 {
		t.Errorf("%d lines of the declaration's own:\n%s", like, out)
	}
}

// A pattern that nothing checks says so, at any place.
func TestUncheckedPatterns(t *testing.T) {
	doc := json.RawMessage(`{"type":"object","properties":{"a":{"type":"string","pattern":"^(a{1000}){2}$"},"b":{"type":"array","items":{"type":"string","pattern":"\\cA"}},"c":{"type":"string","pattern":"^[a-z]$"}}}`)
	out, err := Declaration(contract.Contract{Key: "K", Name: "a.b", Params: doc, Result: doc})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"@pattern ^(a{1000}){2}$ (not checked)", `@items pattern \cA (not checked)`, "@pattern ^[a-z]$ */"} {
		if strings.Count(out, want) != 2 {
			t.Errorf("%q does not stand twice:\n%s", want, out)
		}
	}
}
