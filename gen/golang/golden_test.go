package golang_test

import (
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"codemode/directory/contract"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden writes the contracts.json of each testdata/*.txtar and compares with the archive's other
// files.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no archives", err)
	}
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var cs []contract.Contract
		if err := json.Unmarshal(ar.Files[0].Data, &cs); err != nil {
			t.Fatal(err)
		}
		files := generate(t, cs)
		if *update {
			ar.Files = ar.Files[:1]
			for _, name := range slices.Sorted(maps.Keys(files)) {
				ar.Files = append(ar.Files, txtar.File{Name: name, Data: files[name]})
			}
			if err := os.WriteFile(path, txtar.Format(ar), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want := map[string]string{}
		for _, f := range ar.Files[1:] {
			want[f.Name] = string(f.Data)
		}
		got := map[string]string{}
		for name, text := range files {
			got[name] = string(text)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got); run with -update to accept:\n%s", path, diff)
		}
		wantVetted(t, cs)
	}
}
