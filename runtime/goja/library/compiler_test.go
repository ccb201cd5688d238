package library_test

// This file runs the real compiler over files, with the library of this package or with its own.

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
	"strings"
	"testing"

	"codemode/runtime/goja/library"
)

// finding is one error of the compiler.
type finding struct {
	file string // "" for an error without a place
	line int    // from 1
	text string // "TS2304: Cannot find name 'Intl'."
}

var findingLine = regexp.MustCompile(`(?m)^(?:(.+?)\((\d+),\d+\): )?error (TS\d+: .*)$`)

// options are those that scripts are checked with.
var options = []string{"--noEmit", "--strict", "--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler",
	"--moduleDetection", "force", "--allowImportingTsExtensions", "--pretty", "false"}

// ours compiles files with the library of this package.
func ours(t *testing.T, files map[string]string) []finding {
	t.Helper()
	all := maps.Clone(files)
	for name, text := range library.Files() {
		all["library/"+name] = text
	}
	return compile(t, all, "--noLib")
}

// theirs compiles files with the compiler's own library.
func theirs(t *testing.T, files map[string]string) []finding {
	t.Helper()
	return compile(t, files, "--lib", "es2023")
}

func compile(t *testing.T, files map[string]string, more ...string) []finding {
	t.Helper()
	tsc, dir := compiler(t), t.TempDir()
	args := slices.Concat(options, more)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[name]), 0o644); err != nil {
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
	found := findings(string(out))
	if err != nil && len(found) == 0 {
		t.Fatalf("%s: %v\n%s%s", tsc, err, out, &stderr)
	}
	return found
}

func findings(out string) []finding {
	var found []finding
	for _, m := range findingLine.FindAllStringSubmatch(out, -1) {
		line, _ := strconv.Atoi(m[2]) // "" for an error without a place
		found = append(found, finding{m[1], line, strings.TrimSpace(m[3])})
	}
	return found
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
