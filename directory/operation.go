package directory

// This file turns rows and operations into the sources that package template parses.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"codemode/directory/contract"
	"codemode/directory/template"
)

// UnmarshalJSON reads an object, or the string "METHOD url body".
func (o *Operation) UnmarshalJSON(raw []byte) error {
	if raw = bytes.TrimSpace(raw); len(raw) > 0 && raw[0] == '"' {
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return err
		}
		return o.fromText(text)
	}
	return json.Unmarshal(raw, (*plainOperation)(o))
}

// plainOperation is an Operation without its own way of being read.
type plainOperation Operation

func (o *Operation) fromText(text string) error {
	m := shortOperation.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return errors.New(`an operation as text reads "METHOD url body"`)
	}
	*o = Operation{Target: m[1], Content: strings.TrimSpace(m[2])}
	return nil
}

var shortOperation = regexp.MustCompile(`(?s)^([A-Za-z]+\s+\S+)(.*)$`)

// Source is what package template parses for a row that is one operation. Empty content becomes the
// type's default: "$1" of agent and dispatch, ["$1"] of fn, no body of http. Rows of type mcp and
// those with a target_map have no template of their own: ok is false.
func (r Row) Source() (src template.Source, ok bool) {
	if r.Type == MCP || len(r.TargetMap) > 0 {
		return template.Source{}, false
	}
	src = template.Source{Kind: r.Type.kind(), Target: r.Target, Content: r.Template, Headers: r.Headers}
	src.Params = namedParams(src, r.InputSchema)
	if src.Content == "" && (r.Type == Agent || r.Type == Dispatch) {
		src.Content = "$1"
	}
	return src, true
}

// OperationSource is what package template parses for an entry of target_map. Operations are http
// requests and share the row's headers.
func (r Row) OperationSource(name string) (src template.Source, err error) {
	op, ok := r.TargetMap[name]
	if !ok {
		return src, fmt.Errorf("row %s has no operation %q", r.Key, name)
	}
	src = template.Source{Kind: template.HTTP, Target: op.Target, Content: op.Content, Headers: r.Headers}
	src.Params = namedParams(src, op.InputSchema)
	return src, nil
}

var (
	numbered = regexp.MustCompile(`\$\$?[1-9]`)
	braced   = regexp.MustCompile(`\{([A-Za-z_][A-Za-z0-9_-]*)\}`)
	nameable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.\[\]-]*$`)
)

// namedParams are the names that {name} may have in an http source without numbered slots: the
// properties of its schema, and, where nothing in target and content looks like a slot, whatever stands in
// braces in the target.
func namedParams(src template.Source, schema json.RawMessage) []string {
	texts := src.Target + "\n" + src.Content
	for _, value := range src.Headers {
		texts += "\n" + value
	}
	if src.Kind != template.HTTP || !strings.Contains(texts, "{") || numbered.MatchString(texts) {
		return nil
	}
	names := slices.DeleteFunc(contract.PropertyNames(schema), func(n string) bool { return !nameable.MatchString(n) })
	if strings.Contains(src.Target+src.Content, "$") {
		return names
	}
	for _, m := range braced.FindAllStringSubmatch(src.Target, -1) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	return names
}

// settleOperations gives every operation its whole target and its documentation.
func (r *Row) settleOperations() {
	for name, op := range r.TargetMap {
		op.Target = joinTarget(r.Target, strings.TrimSpace(op.Target))
		op.Docs, op.Content = ParseDocs(op.Content)
		if strings.TrimSpace(op.Description) == "" {
			op.Description = op.Docs.Text()
		}
		r.TargetMap[name] = op
	}
}

// joinTarget puts the row's base before "METHOD /path"; an empty target is the row's own.
func joinTarget(base, target string) string {
	if target == "" {
		return base
	}
	method, path, ok := strings.Cut(target, " ")
	if base = strings.TrimSpace(base); !ok || !strings.HasPrefix(path, "/") || base == "" {
		return target
	}
	if _, url, ok := strings.Cut(base, " "); ok {
		base = url
	}
	return method + " " + strings.TrimSuffix(base, "/") + path
}

// kind is the template kind of a row type.
func (t Type) kind() template.Kind {
	switch t {
	case Fn:
		return template.Fn
	case HTTP:
		return template.HTTP
	case CLI:
		return template.CLI
	case Flow:
		return template.Flow
	}
	return template.Text
}

// Known reports whether t is one of the types above.
func (t Type) Known() bool {
	switch t {
	case Fn, HTTP, CLI, Flow, MCP, Agent, Dispatch:
		return true
	}
	return false
}
