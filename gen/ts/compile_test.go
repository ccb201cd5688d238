package ts

// This file runs the real compiler over what the tests emit.

import (
	"os"
	"path/filepath"
	"testing"

	"codemode/fixtures/tsc"
)

// compile type-checks files as one program with --strict and only the ES2023 library.
func compile(t *testing.T, files map[string]string) []tsc.Problem {
	t.Helper()
	return tsc.Compile(t, files, tsc.Strict...)
}

// wantClean fails for every problem.
func wantClean(t *testing.T, files map[string]string) {
	t.Helper()
	for i, p := range compile(t, files) {
		if i == 10 {
			t.Fatal("and more")
		}
		t.Error(p)
	}
}

// shared returns the path of a file of the test data beside the project, or skips the test.
func shared(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "data", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no test data beside the project: %v", err)
	}
	return path
}
