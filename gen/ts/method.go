package ts

// This file turns a contract into a method: the shape of its argument, its result and its types.

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"codemode/directory/contract"
	"codemode/gen/schema"
)

// Method is a contract with its schemas read, for every text that is written of it.
type Method struct {
	contract        contract.Contract
	namespace, name string
	params          *schema.Type // an object, or nil for no parameter
	unshown         error        // why the arguments are declared as an open object
	result          *schema.Type
	types           []namedType
	names           map[*schema.Named]string
	order           map[string]int
}

type namedType struct {
	name  string
	named *schema.Named
}

// Read reads a contract. Arguments whose schema no type can be written of are declared as an open object:
// see Unshown. Errors name the contract: a name that is not namespace.method, a result's schema that
// cannot be read, types that take more than a mebibyte.
func Read(c contract.Contract) (*Method, error) {
	m := &Method{contract: c, namespace: namespaceName(c.Name), name: methodName(c.Name)}
	if m.namespace == "" || m.name == "" {
		return nil, fmt.Errorf("typescript: contract %q (row %s): want a name like namespace.method", c.Name, c.Key)
	}
	result, err := schema.Parse(orTrue(c.Result), schema.Options{Root: "Result"})
	if err != nil {
		return nil, fmt.Errorf("typescript: %s (row %s): result: %w", c.Name, c.Key, err)
	}
	m.result, m.order = result.Root, positions(c.Positional)
	params, err := schema.Parse(orTrue(c.Params), schema.Options{Root: "Args"})
	if err == nil {
		m.params = argument(params.Root)
		m.nameTypes(params.Named, result.Named)
		if err = m.fits(); err == nil {
			return m, nil
		}
	}
	m.params, m.unshown, m.types = schema.Open(), fmt.Errorf("typescript: %s (row %s): params: %w", c.Name, c.Key, err), nil
	m.nameTypes(nil, result.Named)
	if err := m.fits(); err != nil {
		return nil, fmt.Errorf("typescript: %s (row %s): %w", c.Name, c.Key, err)
	}
	return m, nil
}

// Unshown says why the arguments are declared as an open object although their schema says more, nil
// where they are not. What checks calls goes by the schema all the same.
func (m *Method) Unshown() error { return m.unshown }

func (m *Method) fits() error {
	if n := m.bytes(); n > maxDeclaration {
		return fmt.Errorf("%w: its types take %d bytes, at most %d; leave out what callers do not need", schema.ErrTooLarge, n, maxDeclaration)
	}
	return nil
}

// maxDeclaration caps what one method's types may take, in bytes.
const maxDeclaration = 1 << 20

func (m *Method) bytes() int {
	n := len(m.signature("", 0))
	for _, t := range m.types {
		n += len(m.definition(t.named))
	}
	return n
}

func orTrue(doc []byte) []byte {
	if len(bytes.TrimSpace(doc)) == 0 {
		return []byte("true")
	}
	return doc
}

// argument returns the type of the one parameter: what of t can be an object, or nil for none.
func argument(t *schema.Type) *schema.Type {
	body := follow(t)
	if body.Kind == schema.Unknown || body.Kind == schema.Object && len(body.Properties) == 0 && len(body.Patterns) == 0 && body.Additional == nil {
		return nil
	}
	return t
}

// follow returns what a type says, references followed.
func follow(t *schema.Type) *schema.Type {
	for t.Kind == schema.Reference {
		t = t.Ref.Type
	}
	return t
}

// optional reports whether an object without any key is of the type.
func optional(t *schema.Type) bool {
	body := follow(t)
	switch body.Kind {
	case schema.Unknown:
		return true
	case schema.Object:
		return !slices.ContainsFunc(body.Properties, func(p schema.Property) bool { return p.Required })
	case schema.Union:
		return slices.ContainsFunc(body.Members, optional)
	case schema.Intersection:
		return !slices.ContainsFunc(body.Members, func(m *schema.Type) bool { return !optional(m) })
	}
	return false
}

// nameTypes names the types of both documents. A type of the result that has the name of a
// parameter's type is the same type when it is written the same; when any is not, all of the
// result's that share a name get another.
func (m *Method) nameTypes(params, result []*schema.Named) {
	if len(params) == 0 && len(result) == 0 {
		return
	}
	m.names = map[*schema.Named]string{}
	byName := map[string]*schema.Named{}
	for _, n := range params {
		m.names[n], byName[n.Name] = identifier(n.Name), n
		m.types = append(m.types, namedType{identifier(n.Name), n})
	}
	for _, n := range result {
		m.names[n] = identifier(n.Name)
	}
	same := !slices.ContainsFunc(result, func(n *schema.Named) bool {
		twin := byName[n.Name]
		return twin != nil && m.definition(twin) != m.definition(n)
	})
	for _, n := range result {
		if byName[n.Name] != nil && same {
			continue
		}
		name := n.Name
		for i := 2; byName[name] != nil; i++ {
			name = fmt.Sprintf("%sResult%s", n.Name, strings.TrimPrefix(fmt.Sprint(i), "2"))
		}
		byName[name] = n
		m.names[n] = identifier(name)
		m.types = append(m.types, namedType{identifier(name), n})
	}
	slices.SortFunc(m.types, func(a, b namedType) int { return strings.Compare(a.name, b.name) })
}

func (m *Method) definition(n *schema.Named) string {
	return printer{names: m.names, self: n}.text(n.Type, 0)
}

// signature writes "(args: ...): Promise<...>;" as it stands at an indent. Scope is what stands before a
// type's name outside of the method's own namespace.
func (m *Method) signature(scope string, indent int) string {
	p := printer{names: m.names, scope: scope + "."}
	out := "("
	if m.params != nil {
		args := printer{names: m.names, scope: p.scope, order: m.order}
		out += "args"
		if optional(m.params) {
			out += "?"
		}
		out += ": " + args.text(m.params, indent)
	}
	return out + "): Promise<" + p.text(m.result, indent) + ">;"
}

// declare writes the named types, inside the method's own namespace.
func (m *Method) declare(w *writer) {
	for _, t := range m.types {
		p := printer{names: m.names, self: t.named}
		w.comment(typeDoc(t.named.Type, t.name))
		w.line("type ", t.name, " = ", p.text(t.named.Type, w.indent), ";")
	}
}

func positions(names []string) map[string]int {
	out := make(map[string]int, len(names))
	for i, name := range names {
		if _, ok := out[name]; !ok {
			out[name] = i - len(names) // negative: before those that are not listed
		}
	}
	return out
}
