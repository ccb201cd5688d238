package directory

// This file lints names for what a reader does not see: letters that show nothing, and words that mix
// Latin letters with those of another script that look like them.

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"codemode/directory/contract"
)

// maxSpellings caps the findings about the names of one row.
const maxSpellings = 20

// spellings looks at the key, the operations, and the names of arguments.
func (l *linter) spellings(r *Row) {
	found := 0
	look := func(what, name string) {
		if found < maxSpellings && l.spelling(r, what, name) {
			found++
		}
	}
	look("the key", r.Key)
	for _, name := range argumentNames(r.InputSchema, r.Arguments, r.Docs) {
		look("the argument", name)
	}
	for _, name := range r.operations() {
		op := r.TargetMap[name]
		look("the operation", name)
		for _, arg := range argumentNames(op.InputSchema, nil, op.Docs) {
			look("operation "+clipped(name)+": the argument", arg)
		}
	}
}

// argumentNames are those of a schema, a list and documentation lines, each word of the latter.
func argumentNames(schema json.RawMessage, list []Argument, docs Docs) []string {
	out := contract.PropertyNames(schema)
	for _, a := range list {
		out = append(out, a.Name)
	}
	for _, text := range docs.Args {
		out = append(out, strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("|,:;()[]{}", r) || unicode.IsSpace(r) })...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// spelling reports one name, its hidden characters by number.
func (l *linter) spelling(r *Row, what, name string) bool {
	if at := strings.IndexFunc(name, contract.Invisible); at >= 0 {
		hidden := []rune(name[at:])[0]
		l.warn(r, "invisible_name", fmt.Sprintf("%s %s holds %U, which shows nothing", what, cut(contract.Visible(name)), hidden), "write it without")
		return true
	}
	if word := contract.Confusable(name); word != "" {
		l.warn(r, "confusable_name", fmt.Sprintf("%s %s mixes Latin letters with others that look like them, in %+q", what, cut(name), cut(word)), "write each word in one script")
		return true
	}
	return false
}
