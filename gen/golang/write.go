package golang

// This file writes declarations.

import (
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"
)

func (ns *namespace) write(f *jen.File) {
	ns.writeFace(f)
	ns.writeStub(f)
	ns.writeGlue(f)
	for _, m := range ns.methods {
		for _, d := range m.decls {
			f.Line()
			d.write(f)
		}
	}
}

func (ns *namespace) writeFace(f *jen.File) {
	comment(f.Group, ns.face.name+" implements tools."+ns.name+". Embed "+ns.stub.name+" to implement some of it and to go on compiling when methods are added.")
	f.Type().Id(ns.face.name).InterfaceFunc(func(g *jen.Group) {
		for i, m := range ns.methods {
			if i > 0 {
				g.Line()
			}
			comment(g, methodDoc(m)...)
			g.Id(m.goName).Params(m.params("ctx", "args")...).Params(m.result.code(), jen.Error())
		}
	})
}

// params are those of a method, without names where none are given.
func (m *method) params(names ...string) []jen.Code {
	out := []jen.Code{jen.Qual("context", "Context")}
	if m.args != nil {
		out = append(out, m.args.code())
	}
	for i := range out {
		if i < len(names) {
			out[i] = jen.Id(names[i]).Add(out[i])
		}
	}
	return out
}

func (ns *namespace) writeStub(f *jen.File) {
	comment(f.Group, ns.stub.name+" answers every method with handler.Unimplemented.")
	f.Type().Id(ns.stub.name).Struct()
	for _, m := range ns.methods {
		f.Func().Params(jen.Id(ns.stub.name)).Id(m.goName).Params(m.params()...).Params(jen.Id("r").Add(m.result.code()), jen.Id("err").Error()).
			Block(jen.Return(jen.Id("r"), jen.Qual(face, "Unimplemented").Call(jen.Lit(m.contract.Name), jen.Lit(ns.face.name+"."+m.goName))))
	}
}

func (ns *namespace) writeGlue(f *jen.File) {
	comment(f.Group, ns.glue.name+" are the methods of h by the row they stand for, as assemble.Config.Handlers takes them.")
	funcs := jen.Map(jen.String()).Qual(face, "Func")
	f.Func().Id(ns.glue.name).Params(jen.Id("h").Id(ns.face.name)).Add(funcs).Block(
		jen.Return(funcs.Clone().Values(jen.DictFunc(func(d jen.Dict) {
			for _, m := range ns.methods {
				adapter := "Typed"
				if m.args == nil {
					adapter = "NoArgs"
				}
				d[jen.Lit(m.row())] = jen.Qual(face, adapter).Call(jen.Id("h").Dot(m.goName))
			}
		}))))
}

// row is the row's key, with the operation where the row holds several.
func (m *method) row() string {
	if m.contract.Operation == "" {
		return m.contract.Key
	}
	return m.contract.Key + "#" + m.contract.Operation
}

func (d *decl) write(f *jen.File) {
	switch {
	case len(d.values) > 0:
		d.writeEnum(f)
	case d.target != nil:
		comment(f.Group, typeDoc(d.doc, d.name, "")...)
		f.Type().Id(d.name).Add(d.target.code())
	default:
		comment(f.Group, typeDoc(d.doc, d.name, "")...)
		f.Type().Id(d.name).StructFunc(func(g *jen.Group) {
			for _, field := range d.fields {
				comment(g, fieldDoc(field)...)
				g.Id(field.goName).Add(field.typ.code()).Tag(field.tags())
			}
		})
	}
}

func (d *decl) writeEnum(f *jen.File) {
	comment(f.Group, typeDoc(d.doc, d.name, "")...)
	f.Type().Id(d.name).String()
	f.Const().DefsFunc(func(g *jen.Group) {
		for _, v := range d.values {
			g.Id(v.name).Id(d.name).Op("=").Lit(v.value)
		}
	})
}

// tags spell a key for encoding/json, or for package handler alone where encoding/json cannot hold it.
func (f field) tags() map[string]string {
	switch {
	case f.other:
		return map[string]string{"json": "-", "keys": "other"}
	case isTagName(f.key) && f.optional:
		return map[string]string{"json": f.key + ",omitzero"}
	case isTagName(f.key):
		return map[string]string{"json": f.key}
	case f.optional:
		return map[string]string{"json": "-", "key": f.key, "omit": "zero"}
	}
	return map[string]string{"json": "-", "key": f.key}
}

// isTagName follows encoding/json, which ignores a name with other characters.
func isTagName(key string) bool {
	odd := func(r rune) bool {
		return !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}
	return key != "" && key != "-" && !strings.ContainsFunc(key, odd)
}

func (t *typ) code() *jen.Statement {
	switch t.form {
	case basic:
		return jen.Id(t.name)
	case bigInt:
		return jen.Op("*").Qual("math/big", "Int")
	case rawMessage:
		return jen.Qual("encoding/json", "RawMessage")
	case list:
		return jen.Index().Add(t.elem.code())
	case dict:
		return jen.Map(jen.String()).Add(t.elem.code())
	case pointer:
		return jen.Op("*").Add(t.elem.code())
	case nullable:
		return jen.Qual(face, "Nullable").Index(t.elem.value())
	case declared:
		return jen.Id(t.decl.name)
	case empty:
		return jen.Struct()
	}
	return jen.Any()
}

// value is the type without a pointer of its own.
func (t *typ) value() *jen.Statement {
	if t.form == bigInt {
		return jen.Qual("math/big", "Int")
	}
	return t.code()
}
