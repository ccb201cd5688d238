package directory

// This file lints templates: whether they parse, are of the row's type, and agree with what is
// documented about their arguments and effect.

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"codemode/directory/contract"
	"codemode/directory/template"
)

func (l *linter) template(r *Row, p part) {
	t, err := template.Parse(p.source)
	kind := wrongKind(r, p.source)
	switch {
	case err != nil && kind != "":
		l.error(r, "wrong_kind", fmt.Sprintf("%sthe template of a row of type %s reads like one of %s", p.prefix(), r.Type, kind), "correct the type or the template")
		return
	case err != nil:
		message, _ := strings.CutPrefix(err.Error(), template.ErrTemplate.Error()+": ")
		l.error(r, "invalid_template", p.prefix()+message, "")
		return
	case kind != "":
		l.warn(r, "wrong_kind", fmt.Sprintf("%sthe template of a row of type %s reads like one of %s", p.prefix(), r.Type, kind), "correct the type or the template, unless it is meant so")
	}
	l.method(r, p, t.Method())
	l.lowerCase(r, p, t.Dollars)
	l.slots(r, p, t)
	l.arguments(r, p, t)
	l.effect(r, p, t)
	if t.Kind == template.Flow {
		l.flow(r, t)
	}
}

var plainWord = regexp.MustCompile(`^\S+$`)

// wrongKind names the type that a template clearly belongs to when it is not the row's own.
func wrongKind(r *Row, src template.Source) Type {
	content := src.Content
	switch r.Type {
	case Fn:
		if httpTarget.MatchString(src.Target) || httpTarget.MatchString(content) {
			return HTTP
		}
		if flowShape.MatchString(content) && parses(template.Flow, content) {
			return Flow
		}
	case HTTP:
		if !httpTarget.MatchString(src.Target) && !strings.HasPrefix(src.Target, "$") && flowShape.MatchString(content) {
			return Flow
		}
		if isArgumentList(content) {
			return Fn
		}
		if src.Target != "" && plainWord.MatchString(src.Target) && !strings.ContainsAny(src.Target, "/:$") {
			return CLI
		}
	case CLI:
		if httpTarget.MatchString(src.Target) {
			return HTTP
		}
		if src.Target == "" && flowShape.MatchString(content) {
			return Flow
		}
	case Flow:
		if httpTarget.MatchString(content) || content == "" && httpTarget.MatchString(src.Target) {
			return HTTP
		}
		if strings.HasPrefix(content, "[") && parses(template.Fn, content) {
			return Fn
		}
	}
	return ""
}

// isArgumentList matches ["$1","$2"]: the arguments of a function, in order and nothing else. A
// request whose body is such a list exists, but not often.
func isArgumentList(content string) bool {
	var items []string
	if !strings.HasPrefix(content, "[") || json.Unmarshal([]byte(content), &items) != nil || len(items) == 0 {
		return false
	}
	for i, item := range items {
		if item != fmt.Sprintf("$%d", i+1) {
			return false
		}
	}
	return true
}

func (l *linter) slots(r *Row, p part, t *template.Template) {
	have := map[int]bool{}
	for _, s := range t.Slots {
		have[s.Index] = true
	}
	for n := 1; n < t.Arity(); n++ {
		if !have[n] {
			l.warn(r, "slot_gap", fmt.Sprintf("%sthe template uses $%d but not $%d", p.prefix(), t.Arity(), n), "number the slots from $1 on without gaps")
			break
		}
	}
	for _, d := range t.Dollars {
		if d.Reason == "gap" {
			l.warn(r, "dollar_as_text", fmt.Sprintf("%s%s is kept as text, since lower numbers are not slots", p.prefix(), d.Text), "number the slots from $1 on, or leave it if it is an amount")
		}
	}
}

// arguments compares how many arguments are documented and used. Names are compared by package
// gen/infer, which binds them.
func (l *linter) arguments(r *Row, p part, t *template.Template) {
	if p.byName() {
		return
	}
	documented, source := p.properties, "the schema"
	if !p.hasSchema {
		documented, source = countArgs(p.docs.Args), "ARGS"
		if documented < 0 {
			return
		}
	} else if t.Arity() == 0 {
		return // arguments beside the template go where the row's type puts them
	}
	switch {
	case documented > t.Arity():
		l.warn(r, "unused_argument", fmt.Sprintf("%s%s documents %d arguments and the template uses %d", p.prefix(), source, documented, t.Arity()),
			"use the others in the template, or stop documenting them; an enumeration is not a list of arguments")
	case documented < t.Arity():
		l.warn(r, "undocumented_argument", fmt.Sprintf("%sthe template uses %d arguments and %s documents %d", p.prefix(), t.Arity(), source, documented),
			"document every argument in the template's order")
	}
}

// byName reports whether the template says nothing about arguments: a default one, or a URL with
// {name} in it.
func (p part) byName() bool {
	isDefault := p.source.Kind == template.Fn && strings.TrimSpace(p.source.Content) == "" || p.source.Kind == template.Text && p.source.Content == "$1"
	return isDefault && p.hasSchema || bracedName.MatchString(p.source.Target)
}

var bracedName = regexp.MustCompile(`\{[A-Za-z_][\w-]*\}`)

// countArgs counts what an ARGS line names: parts between "|" or else commas, outside brackets. It
// returns -1 where the line does not say.
func countArgs(lines []string) int {
	text := strings.TrimSpace(strings.Join(lines, "|"))
	if strings.Contains(text, "\n") {
		return countLines(text)
	}
	switch {
	case len(lines) == 0, seeContent.MatchString(text), strings.Contains(text, "..."), strings.Contains(text, "…"):
		return -1
	case noArgs.MatchString(text):
		return 0
	}
	if n := countOutside(text, '|'); n > 1 {
		return n
	}
	return countOutside(text, ',')
}

// countLines counts the lines that begin like an argument: the others go on with one. A line that may
// hold several says nothing for sure.
func countLines(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		switch {
		case strings.Contains(line, "|") || seeContent.MatchString(line):
			return -1
		case argumentLine.MatchString(line):
			n++
		}
	}
	if n == 0 {
		return -1
	}
	return n
}

var noArgs = regexp.MustCompile(`(?i)^\W*(none|no arguments?|nothing|n/a)?\W*$`)

// countOutside counts the parts of text between separators that stand outside brackets and quotes.
// A comma only parts names, as in "a (string), b": after it a word and then a bracket, comma or end.
func countOutside(text string, sep byte) int {
	n, depth, quoted := 1, 0, false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case strings.IndexByte("([{<", c) >= 0:
			depth++
		case strings.IndexByte(")]}>", c) >= 0:
			depth = max(0, depth-1)
		case c == sep && depth == 0 && (sep == '|' || nameAfter.MatchString(text[i+1:])):
			n++
		}
	}
	return n
}

var nameAfter = regexp.MustCompile(`^\s*[A-Za-z_]\w*\??\s*([(,:\[{]|$)`)

// parameters counts the row's documented parameters.
func (r *Row) parameters() int {
	if r.InputSchema != nil {
		return schemaProperties(r.InputSchema)
	}
	return len(r.Arguments)
}

func schemaProperties(schema json.RawMessage) int {
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if schema == nil || json.Unmarshal(schema, &s) != nil {
		return 0 // a schema that is no object has no named parameters
	}
	return len(s.Properties)
}

func (r *Row) operations() []string { return slices.Sorted(maps.Keys(r.TargetMap)) }

// effect finds contradictions between the declared effect, the method and the documentation.
func (l *linter) effect(r *Row, p part, t *template.Template) {
	effect := contract.Effect(p.effect)
	writes := effect == contract.Reversible || effect == contract.Irreversible
	reads := t.Method() == "GET" || t.Method() == "HEAD"
	say := func(format string, args ...any) {
		l.warn(r, "effect_contradiction", p.prefix()+fmt.Sprintf(format, args...), "correct the effect, or what contradicts it")
	}
	switch {
	case reads && writes:
		say("%s reads, and the effect says %s", t.Method(), effect)
	case t.Method() == "DELETE" && effect == contract.Read:
		say("DELETE removes, and the effect says read")
	}
	if p.docs.Safe && writes {
		say("the documentation says SAFE, and the effect says %s", effect)
	}
	if p.docs.Safe && len(p.docs.Effects) > 0 {
		say("the documentation says SAFE and lists EFFECTS")
	}
	if (reads || effect == contract.Read) && len(p.docs.Effects) > 0 && !noArgs.MatchString(strings.Join(p.docs.Effects, " ")) {
		say("the row reads, and its documentation lists EFFECTS")
	}
}
