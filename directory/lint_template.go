package directory

// This file lints templates: whether they parse, are of the row's type, and agree with what is
// documented about their effect. Whether they agree with the documented arguments is for the generator to
// say, which binds them.

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

var noArgs = regexp.MustCompile(`(?i)^\W*(none|no arguments?|nothing|n/a)?\W*$`)

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
