package directory_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codemode/directory"
)

const sideRows = `{"key":"CRM_LIST","type":"fn","description":"d","when_to_use":"w"}
{"key":"SHOP","type":"http","description":"d","target_map":{"get":"GET https://shop.example/$1"}}
`

// loadBeside loads a folder of two rows with one more file, and gives its findings without the folder.
func loadBeside(t *testing.T, name, text string) (*directory.Directory, []string, error) {
	t.Helper()
	folder := t.TempDir()
	for file, content := range map[string]string{"rows.jsonl": sideRows, name: text} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, file)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, file), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dir, err := directory.Load(folder, directory.LoadOptions{})
	var got []string
	if dir != nil {
		for _, f := range dir.Findings {
			got = append(got, string(f.Severity)+" "+f.Rule+" "+strings.ReplaceAll(f.String(), filepath.ToSlash(folder)+"/", ""))
		}
	}
	return dir, got, err
}

func TestRecordedNames(t *testing.T) {
	long := strings.Repeat("a", 2000)
	for _, tt := range []struct {
		name, text string
		names      map[string]string
		findings   []string
	}{
		{"good", "\ufeff{\"CRM_LIST\": \"crm.all\",\n \"SHOP#get\": \"shop.getIt\", \"GONE\": {\"retired\": \"crm.gone\"}}", map[string]string{"CRM_LIST": "crm.all", "SHOP#get": "shop.getIt", "GONE": "crm.gone"}, nil},
		{"empty", "{}", map[string]string{}, nil},
		{"not a name", "{\"CRM_LIST\":\n 7}", map[string]string{}, []string{`error malformed_name names.json:1: CRM_LIST: want "namespace.method" or {"retired": "namespace.method"}`}},
		{"one word", `{"CRM_LIST": "list"}`, map[string]string{}, []string{`error malformed_name names.json:1: CRM_LIST: "list" is not namespace.method; write two identifiers with a dot between, or remove the entry`}},
		{"three words", `{"CRM_LIST": "a.b.c"}`, map[string]string{}, []string{`error malformed_name names.json:1: CRM_LIST: "a.b.c" has '.', which no identifier holds there; write two identifiers with a dot between, or remove the entry`}},
		{"a path", `{"CRM_LIST": "../x.y"}`, map[string]string{}, []string{`error malformed_name names.json:1: CRM_LIST: "../x.y" is not namespace.method; write two identifiers with a dot between, or remove the entry`}},
		{"too long", `{"CRM_LIST": "` + long + `.x"}`, map[string]string{}, []string{`error malformed_name names.json:1: CRM_LIST: "` + long[:200] + `..." is not namespace.method; write two identifiers with a dot between, or remove the entry`}},
		{"twice in the file", "{\"CRM_LIST\": \"a.b\",\n\"CRM_LIST\": \"a.c\"}", map[string]string{"CRM_LIST": "a.b"}, []string{"error duplicate_name names.json:2: CRM_LIST: the row has an entry already; the first counts; remove one of the two"}},
		{"one name for two", "{\"CRM_LIST\": \"a.b\",\n\n\"SHOP#get\": \"a.B\"}", map[string]string{"CRM_LIST": "a.b"}, []string{"error duplicate_name names.json:3: SHOP#get: a.B is the name of CRM_LIST already; give each row a name of its own"}},
		{"namespaces but for case", `{"CRM_LIST": "a.b", "SHOP#get": "A.c"}`, map[string]string{"CRM_LIST": "a.b"}, []string{"error duplicate_name names.json:1: SHOP#get: namespace A differs from a above in case only; spell it alike"}},
		{"no such row", "{\n\"CRM_LITS\": \"a.b\"}", map[string]string{"CRM_LITS": "a.b"}, []string{`warning unknown_row names.json:2: CRM_LITS: the directory has no such row; its name stays taken; did you mean "CRM_LIST"? Else remove the entry, or write {"retired": "a.b"} to keep the name from other rows`}},
		{"the row of an operation", `{"SHOP": "a.b"}`, map[string]string{"SHOP": "a.b"}, []string{`warning unknown_row names.json:1: SHOP: the directory has no such row; its name stays taken; remove the entry, or write {"retired": "a.b"} to keep the name from other rows`}},
	} {
		dir, findings, err := loadBeside(t, "names.json", tt.text)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		names := map[string]string{}
		for ref, n := range dir.Names {
			names[ref] = n.Name
		}
		if diff := cmp.Diff(tt.names, names); diff != "" {
			t.Errorf("%s: names (-want +got):\n%s", tt.name, diff)
		}
		if diff := cmp.Diff(tt.findings, findings); diff != "" {
			t.Errorf("%s: findings (-want +got):\n%s", tt.name, diff)
		}
	}
}

// A file that cannot be read as a whole would let every name move: nothing loads.
func TestBrokenSideFiles(t *testing.T) {
	for _, text := range []string{"", "[]", "{", "{\n\"A\": \"b.c\"", "{\"A\"\n: }", "{} {}", "\xff", strings.Repeat("[", 1<<16)} {
		for _, name := range []string{"names.json", "observed.json"} {
			if _, _, err := loadBeside(t, name, text); err == nil || !strings.Contains(err.Error(), name+":") {
				t.Errorf("%s of %.20q: %v", name, text, err)
			}
		}
	}
}

func TestObservedResults(t *testing.T) {
	dir, findings, err := loadBeside(t, "observed.json", `{
"CRM_LIST": {"results": 3, "schema": {"type": "array"}, "seen": {"n": 3}},
"SHOP#get": {"results": 1, "schema": true},
"SHOP": {"results": 1, "schema": true},
"CRM_LIST": {"results": 1, "schema": true},
"A": {"results": 0, "schema": true}, "B": {"results": 1}, "C": {"results": "x", "schema": true}, "D": {"results": 1, "schema": []},
"E": {"results": 1, "schema": {"type": "array", "type": "object"}}
}`)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"warning unknown_row observed.json:4: SHOP: the directory has no such row; remove the entry",
		"error duplicate_observation observed.json:5: CRM_LIST: the row has an entry at line 2 already; remove one of the two",
		`error malformed_observation observed.json:6: A: "results" is how many were recorded, at least 1; remove the entry and learn it again`,
		`error malformed_observation observed.json:6: B: "schema" is an object, or true; remove the entry and learn it again`,
		"error malformed_observation observed.json:6: C: results: want an integer, got string; remove the entry and learn it again",
		`error malformed_observation observed.json:6: D: "schema" is an object, or true; remove the entry and learn it again`,
		`error malformed_observation observed.json:7: E: not valid JSON: name "type" stands twice in an object; remove the entry and learn it again`,
	}
	if diff := cmp.Diff(want, findings); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	list, _ := dir.Row("CRM_LIST")
	shop, _ := dir.Row("SHOP")
	if list.Observed[""].Results != 3 || string(list.Observed[""].Schema) != `{"type": "array"}` || shop.Observed["get"].Results != 1 || len(shop.Observed) != 1 {
		t.Errorf("observed %+v and %+v", list.Observed, shop.Observed)
	}
}

func TestSideFilesOfOneFile(t *testing.T) {
	folder := t.TempDir()
	rows := filepath.Join(folder, "rows.jsonl")
	for file, text := range map[string]string{rows: sideRows, directory.NamesPath(rows): `{"CRM_LIST": "a.b"}`, filepath.Join(folder, "sub.names.json"): `{"key":"LONE","type":"fn"}`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dir, err := directory.Load(rows, directory.LoadOptions{})
	if err != nil || dir.Names["CRM_LIST"].Name != "a.b" {
		t.Errorf("the names of a file: %v, %v", dir, err)
	}
	// In the folder as a whole, a side file of one file counts for nothing and says so; a file that only
	// looks like one holds rows.
	dir, err = directory.Load(folder, directory.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := dir.Row("LONE"); !ok || len(dir.Rows) != 3 || len(dir.Names) != 0 || len(dir.Findings) != 1 || dir.Findings[0].Rule != "side_file_ignored" {
		t.Errorf("%d rows, names %v, findings %v", len(dir.Rows), dir.Names, dir.Findings)
	}
}

func TestKeyThatReadsLikeAnOperation(t *testing.T) {
	dir, findings, err := loadBeside(t, "more.jsonl", `{"key":"SHOP#get","type":"fn","description":"d"}`)
	if err != nil || len(dir.Rows) != 2 {
		t.Fatalf("%d rows, %v", len(dir.Rows), err)
	}
	want := []string{`error duplicate_key more.jsonl:1: SHOP#get: the key is also how an operation of another row is written; rename one of the two, without "#"`}
	if diff := cmp.Diff(want, findings); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFoldCase(t *testing.T) {
	for _, alike := range [][]string{{"kelvin", "KELVIN", "\u212Aelvin"}, {"miss", "MISS", "mi\u017Fs"}, {"straße", "STRAẞE"}, {"ΣΑΣ", "σας"}, {"ǅ", "ǆ", "Ǆ"}, {"İx", "IX"}} {
		for _, s := range alike {
			if directory.FoldCase(s) != directory.FoldCase(alike[0]) {
				t.Errorf("%q and %q fold to %q and %q", s, alike[0], directory.FoldCase(s), directory.FoldCase(alike[0]))
			}
		}
	}
	if directory.FoldCase("a.b") == directory.FoldCase("a_b") || directory.FoldCase("сrm") == directory.FoldCase("crm") {
		t.Error("names that differ fold to one")
	}
}

// FuzzSideFiles loads whatever stands beside rows: it loads or says why not, and no two names that it
// takes are one.
func FuzzSideFiles(f *testing.F) {
	f.Add(`{"CRM_LIST": "a.b", "SHOP#get": "A.b"}`, `{"CRM_LIST": {"results": 1, "schema": true}}`)
	f.Add(`{"CRM_LIST": {"retired": "a.b"}, "x": "a.ſ", "y": "a.S"}`, `{"CRM_LIST": {"results": 1e3}}`)
	folder := f.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "rows.jsonl"), []byte(sideRows), 0o600); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, names, observed string) {
		for path, text := range map[string]string{directory.NamesPath(folder): names, directory.ObservedPath(folder): observed} {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		dir, err := directory.Load(folder, directory.LoadOptions{})
		if err != nil {
			return
		}
		seen := map[string]string{}
		for ref, n := range dir.Names {
			if other, twice := seen[directory.FoldCase(n.Name)]; twice {
				t.Errorf("%q and %q are both %s", ref, other, n.Name)
			}
			seen[directory.FoldCase(n.Name)] = ref
			if n.Line < 1 || n.File == "" {
				t.Errorf("%q has no place", ref)
			}
		}
		if len(dir.Rows) != 2 {
			t.Errorf("%d rows", len(dir.Rows))
		}
	})
}
