package gen

// This file adds Go bindings to a generated API, for maintainers who implement methods in Go.

import (
	"codemode/gen/golang"
)

const (
	goSuffix      = ".gen.go"
	goVersionFile = "tools" + goSuffix // there is always one
)

// AddGo adds to the files the Go bindings of the contracts, as a package of the given name: a
// <namespace>.gen.go for each namespace, and tools.gen.go. Errors: a name that is no package's, and a
// contract that cannot be written.
func (o *Output) AddGo(pkg string) error {
	files, err := golang.Package(pkg, Header, o.Contracts)
	for name, text := range files {
		o.Files[name] = text
	}
	return err
}
