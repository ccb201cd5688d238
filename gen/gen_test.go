package gen_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codemode/directory"
	"codemode/directory/contract"
	"codemode/gen"
	"codemode/gen/infer"
)

func rows() []directory.Row {
	out := []directory.Row{
		{Key: "CRM_LIST", Type: directory.HTTP, Description: "Lists contacts. All of them.", Target: "GET https://crm.example.com/contacts?q=$1"},
		{Key: "CRM_CREATE", Type: directory.HTTP, Description: "Creates a contact.", Target: "POST https://crm.example.com/contacts", Template: `{"name":"$1"}`,
			Effect: "reversible", Undo: "CRM_REMOVE id=/result/id", Readback: "CRM_LIST"},
		{Key: "CRM_REMOVE", Type: directory.HTTP, Description: "Removes one.", Target: "DELETE https://crm.example.com/contacts/$1",
			Docs: directory.Docs{Args: []string{"id"}}},
		{Key: "LOST", Type: directory.Fn, Category: "misc", Description: "Undoes nothing.", Effect: "reversible", Undo: "GONE"},
		{Key: "OFF", Type: directory.Fn, Description: "Disabled.", Enabled: new(false)},
		{Key: "MAP", Type: directory.HTTP, Description: "Many.", Target: "https://map.example.com",
			TargetMap: map[string]directory.Operation{"b": {Target: "GET /b/$1"}, "a": {Target: "POST /a"}}},
	}
	return out
}

func generate(t testing.TB, rows []directory.Row) *gen.Output {
	t.Helper()
	out, err := gen.Generate(&directory.Directory{Rows: rows}, gen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestGenerate(t *testing.T) {
	out := generate(t, rows())
	var names []string
	byName := map[string]contract.Contract{}
	for _, c := range out.Contracts {
		names = append(names, c.Name)
		byName[c.Name] = c
		if !c.Sealed() {
			t.Errorf("%s is not sealed", c.Name)
		}
	}
	want := []string{"crm.create", "crm.list", "crm.remove", "map.a", "map.b", "misc.lost"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	create := byName["crm.create"]
	if diff := cmp.Diff(&contract.Reference{Name: "crm.remove", Args: map[string]string{"id": "/result/id"}}, create.Undo); diff != "" || create.Effect != contract.Reversible {
		t.Errorf("undo of a reversible row: %s %s", create.Effect, diff)
	}
	if create.Readback == nil || create.Readback.Name != "crm.list" {
		t.Errorf("readback is %+v", create.Readback)
	}
	if lost := byName["misc.lost"]; lost.Effect != contract.Irreversible || lost.Undo != nil {
		t.Errorf("an undo that does not exist leaves %s, %+v", lost.Effect, lost.Undo)
	}
	if !slices.ContainsFunc(out.Diagnostics, func(d infer.Diagnostic) bool { return d.Key == "LOST" && d.Field == "undo" }) {
		t.Errorf("nothing is said of the lost undo: %+v", out.Diagnostics)
	}
	for name, text := range map[string]string{"index.txt": "crm.list(q) - Lists contacts\n", "crm.d.ts": "Lists contacts.", "tools.d.ts": "crm", "contracts.json": `"name": "crm.list"`} {
		if !bytes.Contains(out.Files[name], []byte(text)) {
			t.Errorf("%s lacks %q:\n%s", name, text, out.Files[name])
		}
		if name != "contracts.json" && !bytes.Contains(out.Files[name], []byte(gen.Header)) {
			t.Errorf("%s lacks the header", name)
		}
	}
	var back []contract.Contract
	if err := json.Unmarshal(out.Files["contracts.json"], &back); err != nil || len(back) != len(out.Contracts) || !back[0].Sealed() {
		t.Errorf("contracts.json does not read back as sealed contracts: %v", err)
	}
}

func TestGenerateRefusesTwoRowsOfOneKey(t *testing.T) {
	_, err := gen.Generate(&directory.Directory{Rows: []directory.Row{{Key: "A"}, {Key: "A"}}}, gen.Options{})
	if err == nil || !strings.Contains(err.Error(), `"A"`) {
		t.Errorf("err = %v, want one that names the key", err)
	}
}

func TestGenerateNothing(t *testing.T) {
	out := generate(t, nil)
	if string(out.Files["contracts.json"]) != "[]\n" || len(out.Files) != 4 {
		t.Errorf("files of an empty directory: %q", out.Files)
	}
}

func TestGenerateIsDeterministic(t *testing.T) {
	all := append(rows(), collidingRows()...)
	want := generate(t, all)
	for seed := range uint64(3) {
		shuffled := slices.Clone(all)
		rand.New(rand.NewPCG(seed, 1)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if diff := cmp.Diff(want, generate(t, shuffled)); diff != "" {
			t.Fatalf("another order of rows gives other output (-want +got):\n%.3000s", diff)
		}
	}
}

// collidingRows are rows enough for many collisions and map iterations.
func collidingRows() []directory.Row {
	var out []directory.Row
	for i := range 60 {
		key := strings.Repeat("x", i%7) + []string{"/list", "_LIST", ".List"}[i%3] + strings.Repeat("y", i/21)
		out = append(out, directory.Row{Key: "k" + key, Type: directory.MCP, Description: "d",
			InputSchema: json.RawMessage(`{"properties":{"b":{"exclusiveMinimum":true,"minimum":1,"exclusiveMaximum":true,"maximum":2},"a":{"type":"frob"}}}`)})
	}
	return out
}

func TestCheckAndWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "api")
	files := generate(t, rows()).Files
	if diff, err := gen.Check(dir, files); err != nil || !strings.Contains(diff, "missing: crm.d.ts") {
		t.Errorf("check of an absent folder: %q, %v", diff, err)
	}
	changed, err := gen.Write(dir, files)
	if err != nil || len(changed) != len(files) {
		t.Fatalf("first write changed %q, %v", changed, err)
	}
	if changed, err := gen.Write(dir, files); err != nil || len(changed) != 0 {
		t.Errorf("second write changed %q, %v", changed, err)
	}
	if diff, err := gen.Check(dir, files); err != nil || diff != "" {
		t.Errorf("check after write: %q, %v", diff, err)
	}

	write(t, dir, "mine.d.ts", "// by hand\n")
	write(t, dir, "old.d.ts", "// "+gen.Header+"\nold\n")
	write(t, dir, "tools.d.ts", "// "+gen.Header+"\nstale\n")
	diff, err := gen.Check(dir, files)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"only on disk: old.d.ts", "--- tools.d.ts", "+++ tools.d.ts", "-stale", "@@ -"} {
		if !strings.Contains(diff, want) {
			t.Errorf("the diff lacks %q:\n%s", want, diff)
		}
	}
	if strings.Contains(diff, "mine.d.ts") {
		t.Errorf("the diff names a file that is not generated:\n%s", diff)
	}
	changed, err = gen.Write(dir, files)
	if diff := cmp.Diff([]string{"old.d.ts", "tools.d.ts"}, changed); diff != "" || err != nil {
		t.Errorf("changed (-want +got):\n%s%v", diff, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "mine.d.ts")); err != nil {
		t.Errorf("a file by hand is gone: %v", err)
	}
}

func TestWriteLeavesForeignFilesAlone(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "crm.d.ts", "// by hand\n")
	if _, err := gen.Write(dir, generate(t, rows()).Files); err == nil || !strings.Contains(err.Error(), "crm.d.ts") {
		t.Errorf("err = %v, want one that names the file", err)
	}
	target := filepath.Join(t.TempDir(), "canary")
	write(t, filepath.Dir(target), "canary", "// "+gen.Header+"\n")
	dir = t.TempDir()
	if err := os.Symlink(target, filepath.Join(dir, "crm.d.ts")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if _, err := gen.Write(dir, generate(t, rows()).Files); err == nil {
		t.Error("a symbolic link was written through")
	}
	if data, err := os.ReadFile(target); err != nil || len(data) > 100 {
		t.Errorf("the link's target changed: %q, %v", data, err)
	}
}

func TestCheckCutsLongDiffs(t *testing.T) {
	dir := t.TempDir()
	var old, fresh bytes.Buffer
	for range 5000 {
		old.WriteString(strings.Repeat("a", 1000) + "\n")
		fresh.WriteString(strings.Repeat("b", 1000) + "\n")
	}
	write(t, dir, "big.d.ts", old.String())
	diff, err := gen.Check(dir, map[string][]byte{"big.d.ts": fresh.Bytes()})
	if err != nil || len(diff) > 200_000 || !strings.Contains(diff, "more lines") {
		t.Errorf("diff of %d bytes, %v", len(diff), err)
	}
}

func TestCheckSeesAMissingLastNewline(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.d.ts", "one\ntwo")
	diff, err := gen.Check(dir, map[string][]byte{"a.d.ts": []byte("one\ntwo\n")})
	if err != nil || !strings.Contains(diff, "-two") {
		t.Errorf("%q, %v", diff, err)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
