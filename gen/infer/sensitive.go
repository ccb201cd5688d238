package infer

// This file settles which arguments are sensitive: those that the row names, and those that its schema
// marks. A name that leads nowhere protects nothing, so it is an error.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"codemode/directory"
	"codemode/directory/contract"
)

// sensitive are pointers to the arguments declared so, by the row or by their schema.
func (b *builder) sensitive(params *object) []string {
	var out []string
	for _, name := range b.row.Sensitive {
		pointer := name
		if name != "" && !strings.HasPrefix(name, "/") {
			pointer = "/" + contract.EscapeToken(name)
		}
		stray := strayPointer(params, pointer)
		if stray != nil {
			b.strays = append(b.strays, sensitiveStray{name, *stray})
		}
		if stray == nil || stray.below {
			out = append(out, pointer)
		}
	}
	if b.operation == "" {
		b.diagnostics = append(b.diagnostics, sensitiveDiagnostics(b)...)
	}
	out = secretFields(params, "", out, 0)
	slices.Sort(out)
	return slices.Compact(out)
}

// sensitiveStray is a name of the row's sensitive list that leads nowhere.
type sensitiveStray struct {
	name string
	stray
}

// sensitiveDiagnostics are about names that lead nowhere in any of the row's operations: one list is for
// all of them.
func sensitiveDiagnostics(operations ...*builder) []Diagnostic {
	var out []Diagnostic
	for _, s := range operations[0].strays {
		elsewhere := slices.ContainsFunc(operations, func(b *builder) bool {
			return !slices.ContainsFunc(b.strays, func(other sensitiveStray) bool { return other.name == s.name })
		})
		if elsewhere || len(out) == maxDiagnostics {
			continue
		}
		for _, b := range operations { // the hint of the one that has something near
			i := slices.IndexFunc(b.strays, func(other sensitiveStray) bool { return other.name == s.name })
			if b.strays[i].near {
				s = b.strays[i]
				break
			}
		}
		out = append(out, Diagnostic{Key: operations[0].row.Key, Field: "sensitive", Severity: directory.SeverityError, Message: fmt.Sprintf("%q %s", short(s.name), s.message), Hint: s.hint})
	}
	return out
}

// stray says why a pointer leads nowhere.
type stray struct {
	message, hint string
	near          bool // the hint names what was probably meant
	below         bool // the pointer begins with an argument that is there
}

// strayPointer follows a pointer through the schema of the arguments; nil where it leads somewhere, or
// where the schema does not say.
func strayPointer(params *object, pointer string) *stray {
	if pointer == "" {
		return &stray{message: "is all of the arguments together", hint: "name each that is sensitive; " + known(names(params, params), "")}
	}
	if strings.Contains(strings.NewReplacer("~0", "", "~1", "").Replace(pointer), "~") {
		return &stray{message: "is no JSON Pointer", hint: "write ~0 for ~ and ~1 for / in a name"}
	}
	at, above := params, ""
	for token := range strings.SplitSeq(pointer[1:], "/") {
		name := contract.UnescapeToken(token)
		next, problem := step(params, resolved(params, at), name, above)
		if problem != nil {
			problem.below = above != ""
			return problem
		}
		if next == nil {
			return nil
		}
		at, above = next, above+"/"+token
	}
	return nil
}

// step is the schema of one member or item; nil without a problem where it is not known.
func step(root, at *object, name, above string) (*object, *stray) {
	_, err := strconv.ParseUint(name, 10, 31)
	properties := names(root, at)
	switch {
	case at == nil || at.object("properties").has(name):
		return at.object("properties").object(name), nil
	case at.text("type") == "array" || at.has("items"):
		if name == "*" || err == nil {
			return at.object("items"), nil
		}
		pointer := above + "/*/" + contract.EscapeToken(name)
		return nil, &stray{message: "names a member of what is a list", hint: fmt.Sprintf("did you mean %q, for all its items?", pointer), near: true}
	case at.object("additionalProperties") != nil:
		return at.object("additionalProperties"), nil
	case name == "*" || at.has("patternProperties") || slices.ContainsFunc([]string{"anyOf", "oneOf", "allOf", "if", "$ref", "prefixItems"}, at.has):
		return nil, nil
	case len(properties) == 0 && (at.values["additionalProperties"] == true || above != "" && (at.text("type") == "" || at.text("type") == "object")):
		return nil, nil // its members are not described
	case at.values["additionalProperties"] == true && nearName(name, properties) == "":
		return nil, nil
	}
	return nil, &stray{message: "names no argument", hint: known(properties, name), near: nearName(name, properties) != ""}
}

func resolved(root, at *object) *object {
	for range 20 { // a reference can lead to another
		rest, ok := strings.CutPrefix(at.text("$ref"), "#/")
		if !ok {
			return at
		}
		to := root
		for token := range strings.SplitSeq(rest, "/") {
			to = to.object(unescapePointer(token))
		}
		if to == nil {
			return at
		}
		at = to
	}
	return nil
}

func names(root, at *object) []string { return resolved(root, at).object("properties").names() }

// known says which names there are.
func known(names []string, asked string) string {
	const most = 10
	if near := nearName(asked, names); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	if len(names) == 0 {
		return "there are none; remove it"
	}
	quoted := make([]string, min(len(names), most))
	for i := range quoted {
		quoted[i] = strconv.Quote(short(names[i]))
	}
	text := "known are " + strings.Join(quoted, ", ")
	if len(names) > most {
		text += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return text
}

// nearName is the name that was probably meant, "" for none: at most a third of its letters differ.
func nearName(asked string, names []string) string {
	best, least := "", len(asked)/3+1
	if len(asked) < 2 || len(asked) > 64 {
		return ""
	}
	for _, name := range names[:min(len(names), 1000)] {
		if d := contract.EditDistance(strings.ToLower(asked), strings.ToLower(name)); d < least {
			best, least = name, d
		}
	}
	return best
}
