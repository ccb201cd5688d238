package directory

// This file is lint: what is wrong or doubtful about rows that loaded. Each rule is a function of one
// row; rules about secrets and references have files of their own.

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"codemode/directory/contract"
	"codemode/directory/template"
)

// Lint returns the findings of loading and those of every rule, sorted by file, line, key and rule. It
// never prints a secret. Rules and what they mean:
//
//	missing_description, missing_when_to_use   the law of a row (error)
//	invalid_template, wrong_kind               the template does not parse, or reads like another type's
//	unknown_method, missing_target             where the row goes cannot be meant, or is not said
//	lossy_key                                  the key holds what its name leaves out
//	invisible_name, confusable_name            a key or argument holds letters that show nothing, or that
//	                                           look like those of another script
//	secret_in_row, secret_in_observed          a credential stands in the row, or in what was learnt of it (error)
//	lower_case_secret, invalid_auth            a secret is not named as one and would be sent as text (error)
//	invalid_schema, unknown_schema_type, invalid_ref (error)
//	required_unknown, schema_not_object        a schema asks for what it does not describe
//	unknown_step, flow_cycle, unknown_reference  a row is named that is not there (error)
//	invalid_reference                          undo or readback cannot be read (error)
//	unknown_effect, unknown_placement, unknown_idempotency, reversible_without_undo (error)
//	effect_contradiction                       the effect and the method or documentation disagree
//	slot_gap, dollar_as_text                   numbers left out, a "$N" or "$name" kept as text
//	args_see_content, torn_sentence            documentation that says nothing
//	placeholder                                TYPE or NAME2 of a suggested line still stands there
//	unread_documentation                       a row of operations documents what only they can
//	unknown_label                              a line that begins like a documentation line and is none
//
// Load finds the rest: malformed_row, missing_key, duplicate_key, row_too_large, unknown_field,
// unknown_type, missing_type, inferred_type, documentation_row; of the files beside the rows malformed_name,
// duplicate_name, malformed_observation, duplicate_observation, unknown_row, side_file_ignored. What the
// generator makes of a row, and whether its arguments are those that are documented, package gen says.
func Lint(d *Directory) []Finding {
	l := &linter{rows: map[string]*Row{}, steps: map[string][]string{}, findings: slices.Clone(d.Findings)}
	for i := range d.Rows {
		l.rows[d.Rows[i].Key] = &d.Rows[i]
	}
	l.keys = slices.Sorted(maps.Keys(l.rows))
	for i := range d.Rows {
		l.row(&d.Rows[i])
	}
	l.cycles(d.Rows)
	l.observed(d)
	slices.SortStableFunc(l.findings, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Key, b.Key),
			strings.Compare(a.Rule, b.Rule), strings.Compare(a.Message, b.Message))
	})
	return l.findings
}

type linter struct {
	rows     map[string]*Row
	findings []Finding
	steps    map[string][]string // the rows that each flow calls
	keys     []string            // sorted, for hints
	hints    int                 // given so far; each costs a look at every key
}

func (l *linter) error(r *Row, rule, message, hint string) {
	l.findings = append(l.findings, Finding{File: r.File, Line: r.Line, Key: r.Key, Severity: SeverityError, Rule: rule, Message: message, Hint: hint})
}

func (l *linter) warn(r *Row, rule, message, hint string) {
	l.findings = append(l.findings, Finding{File: r.File, Line: r.Line, Key: r.Key, Severity: SeverityWarning, Rule: rule, Message: message, Hint: hint})
}

func (l *linter) row(r *Row) {
	l.law(r)
	l.key(r)
	l.spellings(r)
	l.vocabulary(r)
	l.documentation(r)
	l.schemas(r)
	l.secrets(r)
	l.credential(r)
	l.references(r)
	l.target(r)
	if src, ok := r.Source(); ok {
		l.template(r, part{source: src, docs: r.Docs, effect: r.Effect})
	}
	for _, name := range r.operations() {
		op := r.TargetMap[name]
		if src, err := r.OperationSource(name); err == nil {
			l.template(r, part{operation: name, source: src, docs: op.Docs, effect: cmp.Or(op.Effect, r.Effect)})
		}
	}
}

// part is what is callable of a row: itself, or one of its operations.
type part struct {
	operation string
	source    template.Source
	docs      Docs
	effect    string
}

// prefix names the operation in a message.
func (p part) prefix() string {
	if p.operation == "" {
		return ""
	}
	return "operation " + p.operation + ": "
}

func (l *linter) law(r *Row) {
	if strings.TrimSpace(r.Description) == "" {
		l.error(r, "missing_description", "the row has no description", `add "description" or a "# WHAT:" line`)
	}
	if strings.TrimSpace(r.WhenToUse) == "" {
		l.error(r, "missing_when_to_use", "the row does not say when to use it", `add "when_to_use" or a "# WHEN_TO_USE:" line`)
	}
}

func (l *linter) vocabulary(r *Row) {
	effects := []string{string(contract.Read), string(contract.Reversible), string(contract.Irreversible)}
	l.word(r, "effect", r.Effect, effects)
	for _, name := range r.operations() {
		l.word(r, "effect", r.TargetMap[name].Effect, effects)
	}
	l.word(r, "placement", r.Placement, []string{string(contract.Pure), string(contract.Remote), string(contract.Local)})
	l.word(r, "idempotency", r.Idempotency, []string{string(contract.IdempotencyNone), string(contract.IdempotencyHeader), string(contract.IdempotencyArgument)})
	reversible := slices.ContainsFunc(r.operations(), func(name string) bool { return r.TargetMap[name].Effect == string(contract.Reversible) })
	if (reversible || r.Effect == string(contract.Reversible)) && strings.TrimSpace(r.Undo) == "" {
		l.error(r, "reversible_without_undo", "the effect is reversible and no undo is named", `name the row that restores it in "undo", or say irreversible`)
	}
}

func (l *linter) word(r *Row, field, value string, vocabulary []string) {
	if value == "" || slices.Contains(vocabulary, value) {
		return
	}
	hint := "use " + strings.Join(vocabulary, ", ")
	if near := nearest(strings.ToLower(value), vocabulary); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	l.error(r, "unknown_"+field, fmt.Sprintf("unknown %s %q", field, value), hint)
}

// knownLabels are the labels of documentation lines, as they are written.
var knownLabels = []string{"WHAT", "WHEN_TO_USE", "ARGS", "RETURNS", "EX", "TESTS", "NOTE", "EFFECTS", "SAFE", "IDEMPOTENT"}

// labels warns of what leads a line like a label and is read as the end of the value before it.
func (l *linter) labels(r *Row, p part) {
	for _, label := range p.docs.UnknownLabels {
		hint := "known are " + strings.Join(knownLabels, ", ")
		if near := nearest(label, knownLabels); near != "" {
			hint = fmt.Sprintf("did you mean %q? Known are %s", near, strings.Join(knownLabels, ", "))
		}
		l.warn(r, "unknown_label", fmt.Sprintf("%sunknown label %q: its line is read as part of what stands before it", p.prefix(), label), hint)
	}
}

func (l *linter) documentation(r *Row) {
	l.labels(r, part{docs: r.Docs})
	for _, name := range r.operations() {
		l.labels(r, part{operation: name, docs: r.TargetMap[name].Docs})
	}
	l.unread(r)
	l.placeholders(r, part{docs: r.Docs})
	for _, name := range r.operations() {
		l.placeholders(r, part{operation: name, docs: r.TargetMap[name].Docs})
	}
	for _, args := range r.Docs.Args {
		if seeContent.MatchString(args) {
			l.warn(r, "args_see_content", "the arguments are documented as \"see content\"", "name them: # ARGS: first|second")
		}
	}
	texts := map[string][]string{"description": {r.Description}, "when_to_use": {r.WhenToUse}, "returns": r.Docs.Returns, "args": r.Docs.Args, "note": r.Docs.Notes}
	for _, name := range []string{"args", "description", "note", "returns", "when_to_use"} {
		if slices.ContainsFunc(texts[name], isTorn) {
			l.warn(r, "torn_sentence", name+" ends in the middle of a sentence", "write the rest of it")
		}
	}
}

// placeholders warns of what codemode lint --grades has suggested and nobody has filled in.
func (l *linter) placeholders(r *Row, p part) {
	for _, doc := range []struct {
		label string
		texts []string
	}{{"ARGS", p.docs.Args}, {"RETURNS", p.docs.Returns}} {
		if at := unfilledRE.FindStringSubmatch(strings.Join(doc.texts, "\n")); at != nil {
			l.warn(r, "placeholder", fmt.Sprintf("%s%s still has the placeholder %s", p.prefix(), doc.label, cmp.Or(at[1], at[2])), "write the type or name that it stands for; codemode help rows lists the types")
		}
	}
}

// unfilledRE matches TYPE where a type stands, and NAME2 where a name does.
var unfilledRE = regexp.MustCompile(`(?m)(?:^|[(:\[|]|, )\s*(TYPE)\s*(?:[,)}\]|]|or nothing|$)|(?:^|[\s,|])(NAME\d+)\s*(?:[(:,|]|$)`)

// unread warns of what a row of operations says in the place where nothing reads it.
func (l *linter) unread(r *Row) {
	if len(r.TargetMap) == 0 {
		return
	}
	var said []string
	for _, one := range []struct {
		name string
		said bool
	}{
		{"# ARGS", len(r.Docs.Args) > 0}, {"# RETURNS", len(r.Docs.Returns) > 0}, {"# EX", len(r.Docs.Examples) > 0}, {"# EFFECTS", len(r.Docs.Effects) > 0},
		{"# SAFE", r.Docs.Safe}, {"# IDEMPOTENT", r.Docs.Idempotent},
		{"arguments", len(r.Arguments) > 0}, {"input_schema", r.InputSchema != nil}, {"output_schema", r.OutputSchema != nil}, {"examples", len(r.Examples) > 0},
	} {
		if one.said {
			said = append(said, one.name)
		}
	}
	if said != nil {
		l.warn(r, "unread_documentation", strings.Join(said, ", ")+" stands in a row with a target_map, and none of its operations takes it", `write it into the operation: {"target": "METHOD url", "content": "# ARGS: ..."}`)
	}
}

var (
	seeContent = regexp.MustCompile(`(?i)^\W*see (the )?(content|template|below|body|docs?|documentation)\b`)
	tornRE     = regexp.MustCompile(`(?i)(?:\b(?:e\.g\.?|i\.e\.?|such as|for example|including|namely|and|or|the)|[,(:;])\s*$`)
)

// isTorn reports whether text ends in the middle of a sentence.
func isTorn(text string) bool {
	text = strings.TrimSpace(text)
	return tornRE.MatchString(text[max(0, len(text)-40):])
}
