// Package ts writes TypeScript declarations: what an agent reads, and what its script is checked
// against. They are ambient and global, with no imports.
//
//	m, err := ts.Read(contract)
//	m.Declaration()                                          // tools.crm.listContacts(args: ...): Promise<...>;
//	text, err := ts.Namespace("crm", []*ts.Method{m})        // declare namespace Tools { interface crm { ... } }
//	run := ts.Granted([]string{"crm.listContacts"}, []string{"orders.csv"}, []string{"wall_ms 30000"})
//
// Argument and result types stand in place. A type that is recursive or shared inside one method has
// a name below that method, Tools.crm.listContacts.Contact, so that no method's names depend on
// another's. What a schema leaves open is unknown, never any. All text that comes from a directory is
// data: it ends no comment, no literal and no line.
//
// The package infers nothing and checks nothing: a contract whose schema cannot be read is an error.
package ts

import (
	"fmt"
	"slices"
	"strings"

	"codemode/directory/contract"
)

// Namespace writes the declaration file of one namespace: "declare namespace Tools" with an
// interface named after ns and, in a namespace of the same name, the types its methods share. The
// methods may come in any order. Errors name the contract: a name outside ns, a name twice.
func Namespace(ns string, methods []*Method) (string, error) {
	methods = slices.Clone(methods)
	for _, m := range methods {
		if m.namespace != ns {
			return "", fmt.Errorf("typescript: contract %q (row %s) is not in namespace %q", m.contract.Name, m.contract.Key, ns)
		}
	}
	slices.SortFunc(methods, func(a, b *Method) int { return strings.Compare(a.name, b.name) })
	var w writer
	w.line("declare namespace Tools {")
	w.indent++
	w.line("interface ", identifier(ns), " {")
	w.indent++
	for i, m := range methods {
		if i > 0 && methods[i-1].name == m.name {
			return "", fmt.Errorf("typescript: two contracts are named %q (rows %s and %s)", m.contract.Name, methods[i-1].contract.Key, m.contract.Key)
		}
		w.comment(m.doc())
		w.line(propertyName(m.name), m.signature(identifier(ns)+"."+identifier(m.name), w.indent))
	}
	w.indent--
	w.line("}")
	w.named(ns, methods)
	w.indent--
	w.line("}")
	return w.String(), nil
}

// named writes the named types of the methods that have any.
func (w *writer) named(ns string, methods []*Method) {
	if !slices.ContainsFunc(methods, func(m *Method) bool { return len(m.types) > 0 }) {
		return
	}
	w.line("namespace ", identifier(ns), " {")
	w.indent++
	for _, m := range methods {
		if len(m.types) > 0 {
			w.line("namespace ", identifier(m.name), " {")
			w.indent++
			m.declare(w)
			w.indent--
			w.line("}")
		}
	}
	w.indent--
	w.line("}")
}

// Tools declares the constant that holds every namespace, for a program that is granted all.
func Tools(namespaces []string) string {
	members := make([]string, 0, len(namespaces))
	for _, ns := range sortedSet(namespaces) {
		members = append(members, "readonly "+propertyName(ns)+": Tools."+identifier(ns))
	}
	return constant("tools", members)
}

// Granted writes the small declaration file of one run: the methods ("namespace.method") it was
// granted, picked from their namespaces, and its inputs by name, under a comment with its limits ("wall_ms
// 30000"). A namespace with nothing granted does not exist; a method without a namespace is left out,
// since no declaration can hold it.
func Granted(methods, inputs, limits []string) string {
	granted := map[string][]string{}
	for _, name := range sortedSet(methods) {
		if ns, method, ok := strings.Cut(name, "."); ok {
			granted[ns] = append(granted[ns], quote(method))
		}
	}
	var tools, files []string
	for ns, names := range granted {
		tools = append(tools, fmt.Sprintf("readonly %s: Pick<Tools.%s, %s>", propertyName(ns), identifier(ns), strings.Join(names, " | ")))
	}
	slices.Sort(tools)
	for _, name := range sortedSet(inputs) {
		files = append(files, "readonly "+propertyName(name)+": InputFile")
	}
	return header(limits) + constant("tools", tools) + constant("inputs", files)
}

// header tells the limits of a run, a few to a line.
func header(limits []string) string {
	if len(limits) == 0 {
		return ""
	}
	var w writer
	lines := []string{"Limits of this run:"}
	for some := range slices.Chunk(limits, 5) {
		lines = append(lines, strings.Join(some, ", "))
	}
	w.comment(lines)
	return w.String()
}

// constant declares a value with members. One without any gets a named type: an empty literal has no
// place of declaration, by which a checker tells what was granted from what the script made.
func constant(name string, members []string) string {
	if len(members) == 0 {
		typ := strings.ToUpper(name[:1]) + name[1:]
		if name == "tools" {
			typ = "NoTools" // Tools is the namespace of all declarations
		}
		return "interface " + typ + " {}\ndeclare const " + name + ": " + typ + ";\n"
	}
	return "declare const " + name + ": {\n  " + strings.Join(members, ";\n  ") + ";\n};\n"
}

// Declaration writes the method as an agent should read it: its documentation, its signature as it is
// called, and the named types that it needs.
func (m *Method) Declaration() string {
	ns := m.namespace
	var w writer
	w.comment(m.doc())
	w.line("tools", access(ns), access(m.name), m.signature("Tools."+identifier(ns)+"."+identifier(m.name), 0))
	if len(m.types) > 0 {
		w.line("declare namespace Tools.", identifier(ns), ".", identifier(m.name), " {")
		w.indent++
		m.declare(&w)
		w.indent--
		w.line("}")
	}
	return w.String()
}

// Declaration reads a contract and writes its declaration.
func Declaration(c contract.Contract) (string, error) {
	m, err := Read(c)
	if err != nil {
		return "", err
	}
	return m.Declaration(), nil
}

func sortedSet(names []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

func namespaceName(name string) string {
	ns, _, _ := strings.Cut(name, ".")
	return ns
}

func methodName(name string) string {
	_, method, _ := strings.Cut(name, ".")
	return method
}
