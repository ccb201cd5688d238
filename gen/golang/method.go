package golang

// This file turns a contract into a method with its types.

import (
	"bytes"
	"fmt"
	"strings"

	"codemode/directory/contract"
	"codemode/gen/schema"
)

type method struct {
	contract        contract.Contract
	namespace, name string
	goName          string // unique in its namespace's interface
	args            *typ   // nil for no argument
	unshown         error  // why the arguments are an open object
	result          *typ
	decls           []*decl // in the order they are written
}

func newMethod(c contract.Contract) (*method, error) {
	ns, name, _ := strings.Cut(c.Name, ".")
	if ns == "" || name == "" {
		return nil, fmt.Errorf("go: contract %q (row %s): want a name like namespace.method", c.Name, c.Key)
	}
	m := &method{contract: c, namespace: ns, name: name}
	params := schema.Open()
	if graph, err := schema.Parse(orTrue(c.Params), schema.Options{Root: "Args"}); err == nil {
		params = graph.Root
	} else {
		m.unshown = err
	}
	result, err := schema.Parse(orTrue(c.Result), schema.Options{Root: "Result"})
	if err != nil {
		return nil, fmt.Errorf("go: %s (row %s): result: %w", c.Name, c.Key, err)
	}
	at := place{goName: exported(ns) + exported(name), path: c.Name}
	if takesArguments(params) {
		w := walker{method: m, order: positions(c.Positional), raw: rawMessage, root: "Args"}
		m.args = w.whole(params, at)
	}
	w := walker{method: m, raw: anything, root: "Result"}
	m.result = w.whole(result.Root, at)
	return m, nil
}

func orTrue(doc []byte) []byte {
	if len(bytes.TrimSpace(doc)) == 0 {
		return []byte("true")
	}
	return doc
}

// takesArguments reports whether callers have anything to give: the rule of the TypeScript declarations.
func takesArguments(t *schema.Type) bool {
	body := follow(t)
	return body.Kind != schema.Unknown &&
		(body.Kind != schema.Object || len(body.Properties) > 0 || len(body.Patterns) > 0 || body.Additional != nil)
}

func follow(t *schema.Type) *schema.Type {
	for t.Kind == schema.Reference {
		t = t.Ref.Type
	}
	return t
}

// positions ranks the properties that calls name in order before the others.
func positions(names []string) map[string]int {
	out := make(map[string]int, len(names))
	for i, name := range names {
		if _, ok := out[name]; !ok {
			out[name] = i - len(names)
		}
	}
	return out
}

// namespace is what one file holds.
type namespace struct {
	name    string
	methods []*method
	// face is the handler interface, stub its Unimplemented form, glue the function that makes Funcs.
	face, stub, glue *decl
}

// group cuts sorted methods into namespaces.
func group(methods []*method) []*namespace {
	var out []*namespace
	for _, m := range methods {
		if len(out) == 0 || out[len(out)-1].name != m.namespace {
			name := func(before, after string) *decl {
				return &decl{want: cut(before+exported(m.namespace)+after, m.namespace), path: before + "\x00" + m.namespace + "\x00" + after}
			}
			out = append(out, &namespace{name: m.namespace, face: name("", "Handler"), stub: name("Unimplemented", "Handler"), glue: name("", "Handlers")})
		}
		ns := out[len(out)-1]
		ns.methods = append(ns.methods, m)
	}
	return out
}

// nameAll gives every declaration of the package its name, and every method its own.
func nameAll(all []*namespace) {
	var decls []*decl
	for _, ns := range all {
		decls = append(decls, ns.face, ns.stub, ns.glue)
		for _, m := range ns.methods {
			for _, d := range m.decls {
				decls = append(append(decls, d), d.values...)
			}
		}
		key := func(i int) string { return ns.methods[i].name }
		for i, name := range distinct(len(ns.methods), func(i int) string { return methodName(key(i)) }, key) {
			ns.methods[i].goName = name
		}
	}
	names := distinct(len(decls), func(i int) string { return decls[i].want }, func(i int) string { return decls[i].path })
	for i, name := range names {
		decls[i].name = name
	}
}
