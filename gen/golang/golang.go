// Package golang writes Go bindings: for each namespace of contracts a handler interface with typed
// arguments and results, an embeddable Unimplemented handler, and the glue to codemode/bindings/handler.
//
//	files, err := golang.Package("bindings", header, contracts) // crm.gen.go, shop.gen.go ..., tools.gen.go
//
// All namespaces stand in one package: crm.listContacts is the method ListContacts of CrmHandler, with
// *CrmListContactsArgs and *CrmListContactsResult.
//
// How a type is written:
//
//   - object: a struct; an optional place is a pointer, a slice or a map that is nil when the key is not
//     there; one that may also be null is a handler.Nullable. Keys beyond the named ones, where the
//     schema types them, stand in the field Additional.
//   - integer: int64; uint64 or *big.Int where format or bounds ask for it. number: float64.
//   - an enum of strings: a string type with constants.
//   - what Go has no type for (unions, intersections, tuples of several types, anything): in arguments
//     json.RawMessage, the exact text, read with handler.Decode; in results any, so that one of the
//     possible types is simply assigned. The comment says which; objects among them have a type.
//
// Names are made from contract names, keys and definitions. Where two would be equal, each gets "_" and
// a short hash of what it stands for, so that no name depends on the order of anything.
//
// The package validates nothing and never repeats in Go what the schema says: the runtime does.
package golang

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"codemode/directory/contract"
)

// Version is the form of the generated code. It is raised when the code needs something of package
// handler that it did not need before, or stands in another form there.
const Version = 1

// face is the package that generated code stands on.
const face = "codemode/bindings/handler"

// Package writes the Go files of a package that holds every contract, by file name. Header is the
// text of the first line's comment. Contracts may come in any order. Errors name the contract: a name
// that is no namespace.method, a name twice, a schema that cannot be read; and a package name that is
// no Go identifier.
func Package(name, header string, cs []contract.Contract) (map[string][]byte, error) {
	if !isPackageName(name) {
		return nil, fmt.Errorf("go: %q cannot name a package; use lower-case letters and digits", name)
	}
	methods, err := readMethods(cs)
	if err != nil {
		return nil, err
	}
	namespaces := group(methods)
	nameAll(namespaces)
	files := map[string][]byte{}
	for _, ns := range namespaces {
		if files[fileName(ns.name)], err = render(name, header, ns.write); err != nil {
			return nil, fmt.Errorf("go: namespace %s: %w", ns.name, err)
		}
	}
	files["tools.gen.go"], err = render(name, header, writeVersion)
	return files, err
}

// readMethods are the contracts as methods, sorted by name.
func readMethods(cs []contract.Contract) ([]*method, error) {
	methods := make([]*method, 0, len(cs))
	for _, c := range cs {
		m, err := newMethod(c)
		if err != nil {
			return nil, err
		}
		methods = append(methods, m)
	}
	slices.SortFunc(methods, func(a, b *method) int {
		return strings.Compare(a.namespace+"."+a.name, b.namespace+"."+b.name)
	})
	for i := 1; i < len(methods); i++ {
		if a, b := methods[i-1], methods[i]; a.contract.Name == b.contract.Name {
			return nil, fmt.Errorf("go: two contracts are named %q (rows %s and %s)", a.contract.Name, a.contract.Key, b.contract.Key)
		}
	}
	return methods, nil
}

func render(pkg, header string, write func(*jen.File)) ([]byte, error) {
	f := jen.NewFile(pkg)
	f.HeaderComment("// " + header)
	f.ImportName(face, "handler")
	f.ImportName("math/big", "big")
	write(f)
	var b bytes.Buffer
	if err := f.Render(&b); err != nil {
		return nil, fmt.Errorf("it cannot be written: %.300v", err) // the error holds the whole text
	}
	return b.Bytes(), nil
}

// writeVersion declares what the hand-written part of the package refers to, so that neither compiles
// with the other's next version.
func writeVersion(f *jen.File) {
	name := fmt.Sprintf("generated%d", Version)
	f.Commentf("// %s says in which form the generator wrote this package.", name)
	f.Const().Id(name).Op("=").Qual(face, fmt.Sprintf("Generated%d", Version))
}
