package ts

import (
	"testing"

	"codemode/directory/contract"
)

// namespace reads contracts and writes their namespace.
func namespace(ns string, cs []contract.Contract) (string, error) {
	methods, err := read(cs)
	if err != nil {
		return "", err
	}
	return Namespace(ns, methods)
}

func index(t *testing.T, cs []contract.Contract) []Line {
	t.Helper()
	methods, err := read(cs)
	if err != nil {
		t.Fatal(err)
	}
	return Index(methods)
}

func read(cs []contract.Contract) ([]*Method, error) {
	methods := make([]*Method, len(cs))
	for i, c := range cs {
		var err error
		if methods[i], err = Read(c); err != nil {
			return nil, err
		}
	}
	return methods, nil
}
