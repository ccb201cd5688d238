package ts

// This file writes a graph by itself, outside of any method.

import (
	"codemode/gen/schema"
)

// Types declares a namespace with the graph's own type, Root, and in a namespace Named below it those
// that Root needs by name.
//
//	g, err := schema.Parse([]byte(`{"type":"string"}`), schema.Options{})
//	text := ts.Types("Answer", g) // declare namespace Answer { type Root = string; }
func Types(namespace string, g *schema.Graph) string {
	names := map[*schema.Named]string{}
	for _, n := range g.Named {
		names[n] = identifier(n.Name)
	}
	var w writer
	w.line("declare namespace ", identifier(namespace), " {")
	w.indent++
	w.comment(typeDoc(g.Root, "Root"))
	w.line("type Root = ", printer{names: names, scope: "Named."}.text(g.Root, w.indent), ";")
	if len(g.Named) > 0 {
		w.line("namespace Named {")
		w.indent++
		for _, n := range g.Named {
			w.comment(typeDoc(n.Type, n.Name))
			w.line("type ", names[n], " = ", printer{names: names, self: n}.text(n.Type, w.indent), ";")
		}
		w.indent--
		w.line("}")
	}
	w.indent--
	w.line("}")
	return w.String()
}
