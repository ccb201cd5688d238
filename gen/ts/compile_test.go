package ts

// This file finds the real compiler and runs it over what the tests emit.

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// problem is one error of the compiler.
type problem struct {
	file string
	line int // from 1
	code string
	text string
}

var problemLine = regexp.MustCompile(`(?m)^(?:(.+?)\((\d+),\d+\): )?error (TS\d+): (.*)$`)

// compile type-checks files as one program with --strict and only the ES2023 library.
func compile(t *testing.T, files map[string]string) []problem {
	t.Helper()
	tsc := compiler(t)
	dir := t.TempDir()
	args := []string{"--noEmit", "--strict", "--target", "es2023", "--lib", "es2023", "--moduleDetection", "legacy", "--pretty", "false"}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(files[name]), 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	cmd := exec.CommandContext(t.Context(), tsc, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v\n%s", tsc, err, &stderr)
	}
	var found []problem
	for _, m := range problemLine.FindAllStringSubmatch(string(out), -1) {
		line, _ := strconv.Atoi(m[2]) // "" for an error without a place
		found = append(found, problem{m[1], line, m[3], m[4]})
	}
	if err != nil && len(found) == 0 {
		t.Fatalf("%s: %v\n%s%s", tsc, err, out, &stderr)
	}
	return found
}

// wantClean fails for every problem.
func wantClean(t *testing.T, files map[string]string) {
	t.Helper()
	for i, p := range compile(t, files) {
		if i == 10 {
			t.Fatal("and more")
		}
		t.Errorf("%s:%d: %s: %s", p.file, p.line, p.code, p.text)
	}
}

// compiler returns the path of a TypeScript compiler, or skips the test.
func compiler(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("CODEMODE_TSC"); path != "" {
		return path
	}
	if path, err := exec.LookPath("tsc"); err == nil {
		return path
	}
	if cache, err := os.UserCacheDir(); err == nil {
		at := filepath.Join(cache, "codemode", "typescript-7.0.2", "node_modules", "@typescript", "typescript-*", "lib", "tsc")
		if found, err := filepath.Glob(at); err == nil && len(found) > 0 {
			return found[0]
		}
	}
	const why = "no TypeScript compiler: set CODEMODE_TSC, or put tsc on PATH"
	if os.Getenv("CODEMODE_TEST_REQUIRE") == "all" {
		t.Fatal(why)
	}
	t.Skip(why)
	return ""
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
