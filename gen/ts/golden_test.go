package ts

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"codemode/directory/contract"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden writes the contracts of each testdata/*.txtar in every form and compares with the
// archive's other files, or their one error; whatever was written compiles, all in one program. Each
// archive has a namespace to itself.
func TestGolden(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	program := map[string]string{"ambient.d.ts": Ambient()}
	var namespaces []string
	for _, path := range archives {
		t.Run(filepath.Base(path), func(t *testing.T) {
			ar, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			cs := contractsOf(t, ar)
			got := emit(cs)
			compareGolden(t, path, ar, got)
			if text := got["tools.d.ts"]; text != "" {
				ns := namespaceName(cs[0].Name)
				namespaces = append(namespaces, ns)
				program[ns+".d.ts"] = text
				program[ns+"-declare.d.ts"] = asProgram(ns, got["declare.txt"])
			}
		})
	}
	program["tools.d.ts"] = Tools(namespaces)
	wantClean(t, program)
}

func contractsOf(t *testing.T, ar *txtar.Archive) []contract.Contract {
	t.Helper()
	var cs []contract.Contract
	for _, f := range ar.Files {
		if f.Name == "contracts.json" {
			if err := json.Unmarshal(f.Data, &cs); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(cs) == 0 {
		t.Fatal("no contracts")
	}
	return cs
}

func emit(cs []contract.Contract) map[string]string {
	out := map[string]string{}
	methods, err := read(cs)
	if err != nil {
		return map[string]string{"error.txt": err.Error() + "\n"}
	}
	text, err := Namespace(namespaceName(cs[0].Name), methods)
	if err != nil {
		return map[string]string{"error.txt": err.Error() + "\n"}
	}
	out["tools.d.ts"] = text
	var names []string
	lines := Index(methods)
	for i, c := range cs {
		decl, err := Declaration(c)
		if err != nil {
			return map[string]string{"error.txt": err.Error() + "\n"}
		}
		out["declare.txt"] += decl
		out["index.txt"] += lines[i].String() + "\n"
		names = append(names, c.Name)
	}
	out["granted.d.ts"] = Granted(names[:1], []string{"orders"}, []string{"calls 1000", "wall_ms 30000", "cpu_ms 10000", "memory_bytes 268435456", "output_bytes 1048576", "console_lines 1000"})
	return out
}

func compareGolden(t *testing.T, path string, ar *txtar.Archive, got map[string]string) {
	t.Helper()
	if *update {
		ar.Files = slices.DeleteFunc(ar.Files, func(f txtar.File) bool { return f.Name != "contracts.json" })
		for _, name := range []string{"tools.d.ts", "declare.txt", "index.txt", "granted.d.ts", "error.txt"} {
			if got[name] != "" {
				ar.Files = append(ar.Files, txtar.File{Name: name, Data: []byte(got[name])})
			}
		}
		if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range ar.Files {
		if f.Name == "contracts.json" {
			continue
		}
		if diff := cmp.Diff(string(bytes.TrimSpace(f.Data)), strings.TrimSpace(got[f.Name])); diff != "" {
			t.Errorf("%s (-want +got):\n%s", f.Name, diff)
		}
		delete(got, f.Name)
	}
	for name := range got {
		t.Errorf("%s is not in the archive; run with -update", name)
	}
}

// asProgram turns declarations as they are read into ones that a compiler takes: each call form
// becomes a function of its own.
func asProgram(ns, decls string) string {
	var b strings.Builder
	n := 0
	for line := range strings.Lines(decls) {
		if strings.HasPrefix(line, "tools.") || strings.HasPrefix(line, "tools[") {
			n++
			line = "declare function " + ns + strings.Repeat("_", n) + line[strings.Index(line, "("):]
		}
		b.WriteString(line)
	}
	return b.String()
}
