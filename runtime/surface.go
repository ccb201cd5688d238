package runtime

// This file holds a directory as the runtime sees it: contracts, and the declarations made of them.

import (
	"slices"
	"strings"

	"codemode/directory/contract"
)

// Surface is what a directory offers, with the texts that describe it to a checker and an agent.
type Surface struct {
	// Contracts are sorted by name.
	Contracts []contract.Contract
	// Declarations are ambient .d.ts files shared by all runs; Set is their digest.
	Declarations map[string]string
	Set          string
	// Granted writes the ambient .d.ts of one run, that picks the methods, declares the inputs and tells
	// the limits.
	Granted func(methods, inputs, limits []string) string
	// Declare writes the complete declaration of one method, the types it needs included.
	Declare func(c contract.Contract) string
}

// ContractNamed returns the contract with the name.
func (s Surface) ContractNamed(name string) (contract.Contract, bool) {
	i, ok := slices.BinarySearchFunc(s.Contracts, name, func(c contract.Contract, n string) int { return strings.Compare(c.Name, n) })
	if !ok {
		return contract.Contract{}, false
	}
	return s.Contracts[i], true
}
