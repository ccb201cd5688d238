package main

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestImports keeps the rules by which the packages fit together. Each ban has its reason.
func TestImports(t *testing.T) {
	packages := listPackages(t)
	for _, p := range packages {
		for _, imported := range p.Imports {
			if reason := banned(p.ImportPath, imported); reason != "" {
				t.Errorf("%s imports %s: %s", p.ImportPath, imported, reason)
			}
		}
	}
}

// TestOneImporter keeps each whole engine behind one package, so that it can be replaced there.
func TestOneImporter(t *testing.T) {
	owners := map[string][]string{
		// The engine, and the bare VM that it is measured against.
		"github.com/dop251/goja":                        {"codemode/runtime/goja", "codemode/bench/speed"},
		"github.com/nlnwa/whatwg-url":                   {"codemode/runtime/goja"},
		"github.com/evanw/esbuild":                      {"codemode/runtime/esbuild"},
		"github.com/go-sourcemap/sourcemap":             {"codemode/runtime/esbuild"},
		"modernc.org/sqlite":                            {"codemode/runtime/sqlite"},
		"cel.dev/cel-go":                                {"codemode/runtime/condition"},
		"github.com/santhosh-tekuri/jsonschema":         {"codemode/runtime/validate"},
		"github.com/landlock-lsm/go-landlock":           {"codemode/runtime/confine"},
		"github.com/elastic/go-seccomp-bpf":             {"codemode/runtime/confine"},
		"kernel.org/pub/linux/libs/security/libcap/psx": {"codemode/runtime/confine"},
		"github.com/kljensen/snowball":                  {"codemode/directory/search"},
		"github.com/tiktoken-go/tokenizer":              {"codemode/directory/tokens"},
		"code.dny.dev/ssrf":                             {"codemode/runtime/egress"},
		// A server, a client, and a real server that both are tested against.
		"github.com/modelcontextprotocol/go-sdk": {"codemode/runtime/mcp", "codemode/directory/mcpclient", "codemode/fixtures/mcp"},
		"github.com/pb33f/libopenapi":            {"codemode/directory/importer/openapi"},
		"github.com/pb33f/go-yaml":               {"codemode/directory/importer/openapi"},
		"github.com/spf13/cobra":                 {"codemode/cmd/codemode"},
		"golang.org/x/term":                      {"codemode/cmd/codemode"},
		"github.com/dave/jennifer":               {"codemode/gen/golang"},
		"github.com/invopop/jsonschema":          {"codemode/bindings/gofunc"},
	}
	for _, p := range listPackages(t) {
		for _, imported := range p.Imports {
			for module, allowed := range owners {
				if (imported == module || strings.HasPrefix(imported, module+"/")) && !slices.Contains(allowed, p.ImportPath) {
					t.Errorf("%s imports %s, which only %s may", p.ImportPath, imported, strings.Join(allowed, " and "))
				}
			}
		}
	}
}

// banned says why one package may not import another, "" when it may.
func banned(from, to string) string {
	own := strings.HasPrefix(to, "codemode/")
	runtimeChild := strings.HasPrefix(from, "codemode/runtime/") && from != "codemode/runtime/assemble"
	switch {
	case from == "codemode/directory/contract" && !isStandard(to):
		return "the leaf that everything shares depends on nothing"
	case under(from, "codemode/directory") && own && !under(to, "codemode/directory"):
		return "rows are data; they know nothing of who generates or runs"
	case under(from, "codemode/gen") && (under(to, "codemode/runtime") || under(to, "codemode/bindings")):
		return "the generator must build before anything generated exists"
	case to == "codemode/bindings":
		return "codemode gen must build while the bindings are stale"
	case under(from, "codemode/runtime") && under(to, "codemode/bindings"):
		return "bindings are handed to the runtime; it knows none"
	case from == "codemode/runtime" && !isStandard(to) && to != "codemode/directory/contract":
		return "the domain depends on no library and on no part that serves it"
	case from == "codemode/runtime/accept" && !isStandard(to) && to != "codemode/runtime":
		return "bundler and checker both ask it, so it knows neither, and no library"
	case runtimeChild && to != "codemode/runtime" && to != "codemode/runtime/accept" && under(to, "codemode/runtime") && !under(to, from):
		return "parts of the runtime meet in assemble, so that each can be replaced alone"
	case runtimeChild && under(to, "codemode/gen"):
		return "what runs must not depend on what generates"
	case !under(from, "codemode/cmd") && under(to, "codemode/cmd"):
		return "nothing imports a command"
	case under(to, "codemode/fixtures") && !under(from, "codemode/fixtures") && !under(from, "codemode/bench") && from != "codemode/cmd/codemode":
		return "fixtures are for tests, the benches and the demo"
	}
	return ""
}

func under(path, root string) bool {
	return path == strings.TrimSuffix(root, "/") || strings.HasPrefix(path, strings.TrimSuffix(root, "/")+"/")
}

func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && first != "codemode"
}

type goPackage struct {
	ImportPath string
	Imports    []string
}

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "codemode/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []goPackage
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var p goPackage
		if err := dec.Decode(&p); err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	if len(packages) < 10 {
		t.Fatalf("go list found %d packages", len(packages))
	}
	return packages
}
