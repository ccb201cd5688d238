package main

// This file runs the shell blocks of README.md, so that what it tells its readers to type works.

import (
	"bytes"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"codemode/fixtures"
	"codemode/fixtures/world"
	"codemode/runtime/assemble"
)

var shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")

func TestReadme(t *testing.T) {
	requireCompiler(t)
	bin, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := shellBlock.FindAllSubmatch(text, -1)
	if len(blocks) == 0 {
		t.Fatal("README.md has no ```sh block")
	}
	root, environment := readmeRoot(t), readmeEnvironment(t, bin)
	for i, block := range blocks {
		t.Run(fmt.Sprint(i+1), func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", string(block[1]))
			cmd.Dir, cmd.Env = root, environment
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s\n%s", err, block[1], out)
			}
		})
	}
}

// readmeRoot is a folder like the repository's root, as far as a reader's commands look into it: the fixtures, pointed
// at a world of the test's own, where a reader has one at the address that stands in the rows.
func readmeRoot(t *testing.T) string {
	server := httptest.NewServer(world.New().Handler())
	t.Cleanup(server.Close)
	root := t.TempDir()
	for _, folder := range []string{"directory", "grants", "scripts"} {
		if err := copyFixtures(folder, filepath.Join(root, "fixtures", folder), server.URL); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(filepath.Join(root, "bindings"), os.DirFS("../../bindings")); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return root
}

func readmeEnvironment(t *testing.T, bin string) []string {
	set := map[string]string{
		"PATH": bin + string(os.PathListSeparator) + os.Getenv("PATH"), "XDG_STATE_HOME": t.TempDir(),
	}
	for name, value := range fixtures.Secrets() {
		set[secretPrefix+name] = value
	}
	environment := os.Environ()
	for name, value := range set {
		environment = append(environment, name+"="+value)
	}
	return environment
}

// TestReadmeShowsWhatIs keeps the row and the declaration that the README shows what they are.
func TestReadmeShowsWhatIs(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := os.ReadFile("../../fixtures/directory/shop.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)```json\n(.*?)\n```").FindSubmatch(text)
	if shown == nil || !bytes.Contains(rows, shown[1]) {
		t.Error("the first row of README.md is not one of fixtures/directory/shop.jsonl")
	}
	script, err := os.ReadFile("../../fixtures/scripts/good/readme.ts")
	if err != nil {
		t.Fatal(err)
	}
	if body := regexp.MustCompile(`(?m)^// .*\n`).ReplaceAllString(string(script), ""); !strings.Contains(string(text), "```ts\n"+body+"```") {
		t.Errorf("README.md does not show the script as it is:\n%s", body)
	}
	catalogue, err := assemble.OpenCatalogue("../../fixtures/directory")
	if err != nil {
		t.Fatal(err)
	}
	c, ok := catalogue.Surface.ContractNamed("shop.cancelOrder")
	if !ok || !strings.Contains(string(text), "```ts\n"+catalogue.Surface.Declare(c)+"```") {
		t.Errorf("README.md does not show the declaration as it is:\n%s", catalogue.Surface.Declare(c))
	}
}

// TestReadmeLength keeps it short enough to be read through.
func TestReadmeLength(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n >= 200 {
		t.Errorf("README.md has %d lines, want fewer than 200", n)
	}
}
