package library_test

// This file runs the real compiler over files, with the library of this package or with its own.

import (
	"maps"
	"slices"
	"testing"

	"codemode/fixtures/tsc"
	"codemode/runtime/goja/library"
)

// options are those that scripts are checked with.
var options = []string{"--strict", "--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler",
	"--moduleDetection", "force", "--allowImportingTsExtensions"}

// ours compiles files with the library of this package.
func ours(t *testing.T, files map[string]string) []tsc.Problem {
	t.Helper()
	all := maps.Clone(files)
	for name, text := range library.Files() {
		all["library/"+name] = text
	}
	return compile(t, all, "--noLib")
}

// theirs compiles files with the compiler's own library.
func theirs(t *testing.T, files map[string]string) []tsc.Problem {
	t.Helper()
	return compile(t, files, "--lib", "es2023")
}

func compile(t *testing.T, files map[string]string, more ...string) []tsc.Problem {
	t.Helper()
	return tsc.Compile(t, files, slices.Concat(options, more)...)
}
