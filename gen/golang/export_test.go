package golang

import (
	"fmt"
	"strings"

	"codemode/directory/contract"
)

// TypeOf is the Go type of a contract's "Args" or "Result", as it is written outside of the package,
// which is imported as zz.
func TypeOf(cs []contract.Contract, i int, document string) (string, error) {
	methods, err := readMethods(cs)
	if err != nil {
		return "", err
	}
	nameAll(group(methods))
	for _, m := range methods {
		if m.contract.Name != cs[i].Name {
			continue
		}
		t := m.result
		if document == "Args" {
			t = m.args
		}
		if t == nil {
			return "struct{}", nil
		}
		return outside(t), nil
	}
	return "", fmt.Errorf("no method %s", cs[i].Name)
}

func outside(t *typ) string {
	switch t.form {
	case list, dict, pointer:
		return strings.TrimSuffix(t.String(), t.elem.String()) + outside(t.elem)
	case declared:
		return "zz." + t.decl.name
	}
	return t.String()
}
