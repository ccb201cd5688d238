package gen

// This file keeps what is wrong about one row from reaching the others.

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/gen/infer"
	"codemode/gen/ts"
)

func (g *generator) report(c contract.Contract, field, message, hint string) {
	g.diagnose(c, field, message, hint, directory.SeverityError)
}

func (g *generator) remark(c contract.Contract, field, message, hint string) {
	g.diagnose(c, field, message, hint, directory.SeverityWarning)
}

func (g *generator) diagnose(c contract.Contract, field, message, hint string, severity directory.Severity) {
	g.diagnostics = append(g.diagnostics, infer.Diagnostic{Key: c.Key, Operation: c.Operation, Field: field, Severity: severity, Message: message, Hint: hint})
}

// settle makes a result's schema unknown where no declaration can be written of it, so that one row does
// not take its namespace down. A schema of arguments stays: it is what the Gate validates by, and one
// that it cannot use lets no call through. Only the declaration says less.
func (g *generator) settle() {
	g.methods = make([]*ts.Method, len(g.contracts))
	failed := make([]error, len(g.contracts))
	parallel(len(g.contracts), func(i int) { g.methods[i], failed[i] = ts.Read(g.contracts[i]) })
	for i, err := range failed {
		if err != nil {
			g.methods[i] = g.opened(&g.contracts[i], err)
		}
		if m := g.methods[i]; m != nil && m.Unshown() != nil {
			g.report(g.contracts[i], "params", "the arguments' schema cannot be written as a type; they are declared as an open object, and checked by the schema at run time: "+reason(m.Unshown()),
				"simplify it, and keep its references inside the document")
		}
	}
}

// opened reads a contract after its result was made unknown.
func (g *generator) opened(c *contract.Contract, why error) *ts.Method {
	probe := *c
	probe.Result = json.RawMessage("true")
	m, err := ts.Read(probe)
	if err != nil {
		g.failed = errors.Join(g.failed, err) // its name is no method's
		return nil
	}
	g.report(*c, "result", "the result's schema cannot be written as a type and is taken as unknown: "+reason(why), "simplify it, and keep its references inside the document")
	c.Result, c.Provenance["result"] = probe.Result, contract.FromNone
	return m
}

// reason bounds what an error quotes of a schema.
func reason(err error) string {
	if runes := []rune(err.Error()); len(runes) > 300 {
		return string(runes[:300]) + "..."
	}
	return err.Error()
}

// resolve turns the row keys in references into names, and drops those that lead nowhere: an undo
// that does not exist undoes nothing.
func (g *generator) resolve() {
	byName := map[string]contract.Contract{}
	for _, c := range g.contracts {
		byName[c.Name] = c
	}
	for i := range g.contracts {
		c := &g.contracts[i]
		c.Readback = g.resolved(*c, "readback", c.Readback, byName)
		c.Undo = g.resolved(*c, "undo", c.Undo, byName)
		if c.Effect == contract.Reversible && c.Undo == nil {
			c.Effect, c.Provenance["effect"] = contract.Irreversible, contract.FromNone
			g.report(*c, "effect", "declared as reversible, and its undo cannot be used; it is taken as irreversible", "correct undo as the remark about it says, or declare the effect as irreversible")
		}
	}
}

func (g *generator) resolved(c contract.Contract, field string, ref *contract.Reference, byName map[string]contract.Contract) *contract.Reference {
	if ref == nil {
		return nil
	}
	name, ok := g.names[ref.Name]
	if !ok {
		g.report(c, field, fmt.Sprintf("%s names %q, and the directory offers no such row", field, ref.Name), "write the key of a row, or KEY#operation")
		return nil
	}
	own, _ := argumentsOf(c)
	for _, arg := range slices.Sorted(maps.Keys(ref.Args)) {
		if from, ok := strings.CutPrefix(ref.Args[arg], "/args/"); ok && own != nil && !slices.Contains(own, firstToken(from)) {
			g.report(c, field, fmt.Sprintf("%s takes %s from %s, and the row has no such argument", field, arg, ref.Args[arg]), "it has: "+strings.Join(own, ", "))
			return nil
		}
	}
	known, required := argumentsOf(byName[name])
	for _, arg := range slices.Sorted(maps.Keys(ref.Args)) {
		if known != nil && !slices.Contains(known, arg) {
			g.report(c, field, fmt.Sprintf("%s gives %s the argument %q, which it does not take", field, ref.Name, arg), "it takes: "+strings.Join(known, ", "))
			return nil
		}
	}
	for _, arg := range required {
		if _, mapped := ref.Args[arg]; !mapped {
			g.remark(c, field, fmt.Sprintf("%s names %s, and nothing says where its argument %q comes from", field, ref.Name, arg),
				fmt.Sprintf("write %q, or /args/... for an argument of the call", ref.Name+" "+arg+"=/result/..."))
			break
		}
	}
	return &contract.Reference{Name: name, Args: ref.Args}
}

// firstToken is the first name of a JSON Pointer's rest (RFC 6901).
func firstToken(pointer string) string {
	token, _, _ := strings.Cut(pointer, "/")
	return contract.UnescapeToken(token)
}

// argumentsOf are the names a contract takes, nil where it takes others too or they stand elsewhere
// than at the root, and those it cannot do without.
func argumentsOf(c contract.Contract) (known, required []string) {
	var s struct {
		Required             []string        `json:"required"`
		AdditionalProperties json.RawMessage `json:"additionalProperties"`
		PatternProperties    json.RawMessage `json:"patternProperties"`
		Ref                  json.RawMessage `json:"$ref"`
	}
	if json.Unmarshal(contract.ClosedParams(c.Params), &s) != nil {
		return nil, nil
	}
	if string(s.AdditionalProperties) == "false" && s.PatternProperties == nil && s.Ref == nil {
		known = append([]string{}, contract.PropertyNames(c.Params)...)
	}
	return known, s.Required
}
