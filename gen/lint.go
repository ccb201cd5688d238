package gen

// This file makes findings of what the generator has to say about rows, for whoever lints them.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/gen/infer"
)

// Lint adds the generator's diagnostics to what directory.Lint has found, in the same order. Rules:
//
//	unused_argument        an argument is documented that no slot carries
//	undocumented_argument  a slot carries one that the documentation leaves out
//	contract_<field>       what else is wrong with that field of the contract: contract_result
//
// One cause is one finding: where lint has named it already, by its own rule, the diagnostic is left out.
func Lint(dir *directory.Directory, out *Output, found []directory.Finding) []directory.Finding {
	rows, known := map[string]directory.Row{}, map[string][]directory.Finding{}
	for _, r := range dir.Rows {
		rows[r.Key] = r
	}
	for _, f := range found {
		known[f.Key] = append(known[f.Key], f)
	}
	all := slices.Clone(found)
	add := func(d infer.Diagnostic, rule string) {
		row, message := rows[d.Key], d.Message
		if d.Operation != "" {
			message = operationLead(d.Operation) + message
		}
		all = append(all, directory.Finding{File: row.File, Line: row.Line, Key: d.Key, Severity: d.Severity, Rule: rule, Message: message, Hint: d.Hint})
	}
	doubted := map[string]bool{} // what stands in ARGS could not be read as it is
	for _, d := range out.Diagnostics {
		doubted[directory.Reference(d.Key, d.Operation)] = doubted[directory.Reference(d.Key, d.Operation)] || strings.HasPrefix(d.Field, "params") && ruleOf(d) != ruleUnused
		if !slices.ContainsFunc(known[d.Key], func(f directory.Finding) bool { return covers(f, d) }) {
			add(d, ruleOf(d))
		}
	}
	for _, c := range out.Contracts {
		d, wrong := undocumented(rows[c.Key], c)
		said := slices.ContainsFunc(known[c.Key], func(f directory.Finding) bool { return f.Rule == "args_see_content" }) || doubted[directory.Reference(c.Key, c.Operation)]
		if wrong && !said {
			add(d, ruleUndocumented)
		}
	}
	slices.SortStableFunc(all, func(a, b directory.Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Key, b.Key),
			strings.Compare(a.Rule, b.Rule), strings.Compare(a.Message, b.Message))
	})
	return slices.Compact(all)
}

const (
	ruleUnused       = "unused_argument"
	ruleUndocumented = "undocumented_argument"
)

func operationLead(name string) string { return "operation " + name + ": " }

// ruleOf is the finding's stable name.
func ruleOf(d infer.Diagnostic) string {
	root, _, _ := strings.Cut(d.Field, "/")
	switch {
	case root == "params" && strings.Contains(d.Message, "no slot of the template carries it"):
		return ruleUnused
	case root == "params" && strings.Contains(d.Message, "a slot that input_schema does not know"):
		return ruleUndocumented
	}
	return "contract_" + root
}

// sameCause names the rules of directory.Lint that are about what a diagnostic is about, by its field;
// of arguments and results, by what it speaks of.
func sameCause(d infer.Diagnostic) []string {
	root, _, _ := strings.Cut(d.Field, "/")
	switch root {
	case "template":
		return []string{"invalid_template", "wrong_kind", "missing_target", "unknown_method", "dollar_as_text", "lower_case_secret", "slot_gap", "unknown_step", "flow_cycle"}
	case "effect", "undo", "readback":
		return []string{"reversible_without_undo", "unknown_effect", "unknown_reference", "invalid_reference"}
	case "placement", "idempotency":
		return []string{"unknown_" + root}
	case "params", "result":
		switch {
		case ruleOf(d) == ruleUnused || ruleOf(d) == ruleUndocumented:
			return nil
		case strings.Contains(d.Message, "schema"):
			return []string{"invalid_schema", "unknown_schema_type", "invalid_ref", "schema_not_object"}
		case strings.Contains(d.Message, "RETURNS"):
			return []string{"placeholder"}
		}
	}
	return nil
}

// covers reports whether a finding has named the cause of a diagnostic, of the same operation where it
// says which.
func covers(f directory.Finding, d infer.Diagnostic) bool {
	if !slices.Contains(sameCause(d), f.Rule) {
		return false
	}
	return d.Operation == "" || !strings.HasPrefix(f.Message, "operation ") || strings.HasPrefix(f.Message, operationLead(d.Operation))
}

// undocumented tells of slots whose arguments the documentation leaves out, where it lists arguments. A
// row that lists none is graded, and not wrong.
func undocumented(row directory.Row, c contract.Contract) (infer.Diagnostic, bool) {
	docs, source := row.Docs, "ARGS"
	if c.Operation != "" {
		docs = row.TargetMap[c.Operation].Docs
	}
	text := strings.Join(docs.Args, "\n")
	switch {
	case c.Operation == "" && len(row.Arguments) > 0:
		source = "arguments"
	case text == "" || strings.Contains(text, "...") || strings.Contains(text, "…"):
		return infer.Diagnostic{}, false
	}
	var missing []string
	for i, name := range c.Positional {
		if name != "" && !slices.Contains(c.Positional[:i], name) && !spokenOf(c, name) {
			missing = append(missing, fmt.Sprintf("$%d (%s)", i+1, name))
		}
	}
	return infer.Diagnostic{Key: c.Key, Operation: c.Operation, Field: "params", Severity: directory.SeverityWarning,
		Message: fmt.Sprintf("%s does not document %s of the template", source, strings.Join(missing, ", ")), Hint: "document every argument, in the template's order"}, missing != nil
}

// spokenOf reports whether the documentation gave an argument its name, or anything else: "debug|info"
// are the values of one.
func spokenOf(c contract.Contract, name string) bool {
	field := "params/" + contract.EscapeToken(name)
	if from := c.Provenance[field]; from != contract.FromNone && from != contract.FromTemplate {
		return true
	}
	for at, from := range c.Provenance {
		if strings.HasPrefix(at, field+"/") && from != contract.FromNone && from != contract.FromTemplate {
			return true
		}
	}
	return false
}
