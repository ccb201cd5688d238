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

// secret looks a secret up in the environment. A script and its receipt never learn which one was
// missing; who runs the command does.
func (t *terminal) secret(name string) (string, error) {
	value, ok := os.LookupEnv(secretPrefix + name)
	if !ok {
		t.say("the environment has no %s, which a row needs", printable(secretPrefix+name, 100))
		return "", fmt.Errorf("the environment has no %s%s", secretPrefix, name)
	}
	return value, nil
}
