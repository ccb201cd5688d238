package main

// This file gives fn rows their Go functions and rows their secrets.

import (
	"fmt"
	"os"

	"codemode/fixtures/world"
	"codemode/runtime/invoke"
)

// functions are the Go functions linked into this binary: those of the example directory. A service
// with functions of its own links them and opens its system through package assemble.
func functions() map[string]invoke.Func {
	out := map[string]invoke.Func{}
	for name, f := range world.Functions() {
		out[name] = f
	}
	return out
}

// secretPrefix leads the environment variables that hold the $NAMEs of templates.
const secretPrefix = "CODEMODE_SECRET_"

func secret(name string) (string, error) {
	value, ok := os.LookupEnv(secretPrefix + name)
	if !ok {
		return "", fmt.Errorf("the environment has no %s%s", secretPrefix, name)
	}
	return value, nil
}
