package gen_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codemode/directory"
	"codemode/fixtures/tsc"
	"codemode/gen"
)

// hostileParts are what keys are made of below: scripts, reserved words, digits, case, look-alikes,
// nothing at all, and far too much.
var hostileParts = []string{"list", "List", "LIST", "li-st", "delete", "then", "constructor", "proto", "2fa", "天気", "Straße", "сrm", "crm", "CRM",
	"myNs", "myns", "İx", "i\u0307x", "\u212Aelvin", "é", "e\u0301", "🎉", "", " ", "*/", "x\u200Dy", strings.Repeat("a", 90), strings.Repeat("a", 90) + "b", strings.Repeat("long_", 2000)}

func randomRows(r *rand.Rand, n int) []directory.Row {
	seen := map[string]bool{}
	var rows []directory.Row
	for range n {
		pick := func() string { return hostileParts[r.IntN(len(hostileParts))] }
		row := directory.Row{Key: pick() + []string{"/", "_", ".", "-", ""}[r.IntN(5)] + pick(), Type: directory.MCP, Category: pick()}
		if r.IntN(4) == 0 {
			row.TargetMap = map[string]directory.Operation{pick(): {}, pick(): {}}
		}
		if !seen[row.Key] {
			seen[row.Key] = true
			rows = append(rows, row)
		}
	}
	return rows
}

// namesOf are the names of rows by reference, with what is recorded.
func namesOf(dir *directory.Directory) map[string]string {
	out := map[string]string{}
	var ops []gen.Operation
	for _, r := range dir.Rows {
		if r.Enabled != nil && !*r.Enabled {
			continue
		}
		if len(r.TargetMap) == 0 {
			ops = append(ops, gen.Operation{Key: r.Key, Category: r.Category, Type: r.Type})
		}
		for op := range r.TargetMap {
			ops = append(ops, gen.Operation{Key: r.Key, Operation: op, Category: r.Category, Type: r.Type})
		}
	}
	recorded := map[string]string{}
	for ref, n := range dir.Names {
		recorded[ref] = n.Name
	}
	for i, name := range gen.NamesWith(ops, recorded) {
		out[directory.Reference(ops[i].Key, ops[i].Operation)] = name
	}
	return out
}

// TestNamesStay lets a directory grow and shrink at random: no row ever changes its name, and no name
// ever belongs to two rows, not even one after the other.
func TestNamesStay(t *testing.T) {
	for seed := range uint64(15) {
		r := rand.New(rand.NewPCG(seed, 7))
		pool := randomRows(r, 60)
		dir := &directory.Directory{}
		everNamed, ownerOf := map[string]string{}, map[string]string{}
		before := map[string]string{}
		for step := range 12 {
			dir.Rows = nil
			for _, row := range pool {
				if r.IntN(3) > 0 {
					dir.Rows = append(dir.Rows, row)
				}
			}
			dir.Names = gen.Keep(dir, before).Names
			now := namesOf(dir)
			checkDistinct(t, slices.Collect(maps.Values(now)))
			for ref, name := range now {
				checkName(t, name)
				if err := gen.CheckName(name); err != nil {
					t.Errorf("seed %d: %v", seed, err)
				}
				if had, ok := everNamed[ref]; ok && had != name {
					t.Fatalf("seed %d step %d: %q moved from %s to %s", seed, step, ref, had, name)
				}
				folded := directory.FoldCase(name)
				if owner, ok := ownerOf[folded]; ok && owner != ref {
					t.Fatalf("seed %d step %d: %s of %q went to %q", seed, step, name, owner, ref)
				}
				everNamed[ref], ownerOf[folded] = name, ref
			}
			if again := gen.Keep(dir, now); len(again.Changes) > 0 {
				t.Fatalf("seed %d step %d: not settled: %+v", seed, step, again.Changes)
			}
			before = now
		}
	}
}

func TestNamesOfRecordedAreTheirs(t *testing.T) {
	ops := []gen.Operation{{Key: "CRM_LIST"}, {Key: "crm/list"}, {Key: "x/y"}}
	for _, tt := range []struct {
		name     string
		recorded map[string]string
		want     []string // "*" after a prefix stands for a hash
	}{
		{"the newcomer makes way", map[string]string{"CRM_LIST": "crm.list"}, []string{"crm.list", "crm.list_*", "x.y"}},
		{"pinned elsewhere", map[string]string{"CRM_LIST": "sales.all"}, []string{"sales.all", "crm.list", "x.y"}},
		{"the name of an absent row stays taken", map[string]string{"GONE": "x.Y"}, []string{"crm.list_*", "crm.list_*", "x.y_*"}},
		{"a reserved name is no name", map[string]string{"CRM_LIST": "crm.then", "x/y": "delete.y"}, []string{"crm.list_*", "crm.list_*", "x.y"}},
		{"of two alike the first counts", map[string]string{"CRM_LIST": "a.b", "crm/list": "A.B"}, []string{"a.b", "crm.list", "x.y"}},
		{"a namespace that differs in case only makes way", map[string]string{"GONE": "X.z"}, []string{"crm.list_*", "crm.list_*", "x_*"}},
	} {
		for i, got := range gen.NamesWith(ops, tt.recorded) {
			prefix, hash := strings.CutSuffix(tt.want[i], "*")
			if hash && (!strings.HasPrefix(got, prefix) || got == prefix) || !hash && got != tt.want[i] {
				t.Errorf("%s: %s is %s, want %s", tt.name, ops[i].Key, got, tt.want[i])
			}
		}
	}
}

func TestKeep(t *testing.T) {
	row := func(keys ...string) []directory.Row {
		var rows []directory.Row
		for _, k := range keys {
			rows = append(rows, directory.Row{Key: k, Type: directory.MCP})
		}
		return rows
	}
	off := false
	disabled := row("CRM_LIST")
	disabled[0].Enabled = &off
	entry := func(name string) directory.RecordedName { return directory.RecordedName{Name: name} }
	retired := func(name string) directory.RecordedName { return directory.RecordedName{Name: name, Retired: true} }
	for _, tt := range []struct {
		name         string
		rows         []directory.Row
		before       map[string]string
		have, want   map[string]directory.RecordedName
		says, unread int
		doubtful     string
	}{
		{name: "nothing before", rows: row("CRM_LIST", "crm/list")},
		{name: "nothing moved", rows: row("CRM_LIST", "CRM_GET"), before: map[string]string{"CRM_LIST": "crm.list"}},
		{name: "a newcomer of the same name", rows: row("CRM_LIST", "crm/list"), before: map[string]string{"CRM_LIST": "crm.list"},
			want: map[string]directory.RecordedName{"CRM_LIST": entry("crm.list")}, says: 1},
		{name: "gone", rows: row("CRM_GET"), before: map[string]string{"CRM_LIST": "crm.list"},
			want: map[string]directory.RecordedName{"CRM_LIST": retired("crm.list")}, says: 1},
		{name: "disabled", rows: disabled, before: map[string]string{"CRM_LIST": "crm.list"},
			want: map[string]directory.RecordedName{"CRM_LIST": retired("crm.list")}, says: 1},
		{name: "back again", rows: row("CRM_LIST"), before: nil, have: map[string]directory.RecordedName{"CRM_LIST": retired("crm.all")},
			want: map[string]directory.RecordedName{"CRM_LIST": entry("crm.all")}, says: 1},
		{name: "a maintainer moves a name", rows: row("CRM_LIST"), before: map[string]string{"CRM_LIST": "crm.list"},
			have: map[string]directory.RecordedName{"CRM_LIST": entry("crm.all")}, want: map[string]directory.RecordedName{"CRM_LIST": entry("crm.all")}},
		{name: "a maintainer gives a name to another row", rows: row("CRM_LIST", "crm/list"), before: map[string]string{"CRM_LIST": "crm.list"},
			have: map[string]directory.RecordedName{"crm/list": entry("crm.list")}, want: map[string]directory.RecordedName{"crm/list": entry("crm.list")}},
		{name: "a row under another key", rows: row("CRM_CONTACTS"), before: map[string]string{"CRM_CONTACTS": "crm.contacts"},
			have: map[string]directory.RecordedName{"CRM_CONTACTS": entry("crm.list")}, want: map[string]directory.RecordedName{"CRM_CONTACTS": entry("crm.list")}},
		{name: "a row under another key, before the first gen", rows: row("CRM_CONTACTS"), before: map[string]string{"CRM_LIST": "crm.list"},
			have: map[string]directory.RecordedName{"CRM_CONTACTS": entry("crm.list")}, want: map[string]directory.RecordedName{"CRM_CONTACTS": entry("crm.list")}},
		{name: "gone, and rows unread", rows: row("CRM_GET"), unread: 1, before: map[string]string{"CRM_LIST": "crm.list"}, doubtful: "CRM_LIST"},
		{name: "gone before, and rows unread", rows: row("CRM_GET"), unread: 1, have: map[string]directory.RecordedName{"CRM_LIST": retired("crm.list")},
			before: map[string]string{"CRM_GET": "crm.get"}, want: map[string]directory.RecordedName{"CRM_LIST": retired("crm.list")}},
		{name: "recorded, not there, and rows unread", rows: row("CRM_GET"), unread: 1, have: map[string]directory.RecordedName{"CRM_LIST": entry("crm.list")},
			before: map[string]string{"CRM_LIST": "crm.list"}, want: map[string]directory.RecordedName{"CRM_LIST": entry("crm.list")}, doubtful: "CRM_LIST"},
		{name: "a newcomer of the name of a row that may be unread", rows: row("crm/list"), unread: 1, before: map[string]string{"CRM_LIST": "crm.list"},
			want: map[string]directory.RecordedName{"CRM_LIST": entry("crm.list")}, says: 1, doubtful: "CRM_LIST"},
		{name: "names before that are none", rows: row("CRM_LIST"), before: map[string]string{"CRM_LIST": "crm.then", "GONE": "../x.y"}},
	} {
		got := gen.Keep(&directory.Directory{Rows: tt.rows, Names: tt.have, LeftOut: tt.unread}, tt.before)
		if tt.want == nil {
			tt.want = map[string]directory.RecordedName{}
		}
		if diff := cmp.Diff(tt.want, got.Names); diff != "" || len(got.Changes) != tt.says || strings.Join(got.Doubtful, " ") != tt.doubtful {
			t.Errorf("%s: %d changes, want %d; doubtful %q; (-want +got):\n%s", tt.name, len(got.Changes), tt.says, got.Doubtful, diff)
		}
	}
}

// TestKeepManyCollisions names rows that all collide with those that were there.
func TestKeepManyCollisions(t *testing.T) {
	var rows []directory.Row
	before := map[string]string{}
	for i := range 3000 {
		key := fmt.Sprintf("A_ROW%d", i)
		before[key] = fmt.Sprintf("a.row%d", i)
		rows = append(rows, directory.Row{Key: key, Type: directory.MCP}, directory.Row{Key: fmt.Sprintf("a/row%d", i), Type: directory.MCP})
	}
	dir := &directory.Directory{Rows: rows}
	kept := gen.Keep(dir, before)
	if len(kept.Names) != 3000 {
		t.Fatalf("%d recorded, want 3000", len(kept.Names))
	}
	dir.Names = kept.Names
	for ref, name := range namesOf(dir) {
		if want, ok := before[ref]; ok && want != name {
			t.Fatalf("%s is %s, want %s", ref, name, want)
		}
	}
}

func TestNamesFileReadsBack(t *testing.T) {
	folder := t.TempDir()
	rows := `{"key":"CRM_\"<&>","type":"fn","description":"d"}` + "\n" + `{"key":"B","type":"fn","description":"d"}` + "\n"
	if err := os.WriteFile(filepath.Join(folder, "rows.jsonl"), []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := gen.NamesFile(map[string]directory.RecordedName{`CRM_"<&>`: {Name: "crm.one"}, "B": {Name: "b.two"}, "GONE": {Name: "crm.gone", Retired: true}})
	if err != nil {
		t.Fatal(err)
	}
	want := "{\n  \"B\": \"b.two\",\n  \"CRM_\\\"<&>\": \"crm.one\",\n  \"GONE\": {\"retired\":\"crm.gone\"}\n}\n"
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := os.WriteFile(directory.NamesPath(folder), text, 0o600); err != nil {
		t.Fatal(err)
	}
	dir, err := directory.Load(folder, directory.LoadOptions{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	out, err := gen.Generate(dir, gen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range out.Contracts {
		names = append(names, c.Key+" "+c.Name)
	}
	if diff := cmp.Diff([]string{"B b.two", `CRM_"<&> crm.one`}, names); diff != "" || dir.Names["GONE"].Line != 4 || !dir.Names["GONE"].Retired {
		t.Errorf("GONE is %+v; (-want +got):\n%s", dir.Names["GONE"], diff)
	}
}

func TestWrittenNames(t *testing.T) {
	folder := t.TempDir()
	out := generate(t, []directory.Row{{Key: "A", Type: directory.MCP, Description: "d", Target: "s"}})
	if names, err := gen.WrittenNames(filepath.Join(folder, "none")); err != nil || names != nil {
		t.Errorf("of no folder: %v, %v", names, err)
	}
	if _, err := gen.Write(folder, out.Files); err != nil {
		t.Fatal(err)
	}
	names, err := gen.WrittenNames(folder)
	if diff := cmp.Diff(map[string]string{"A": "mcp.a"}, names); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if err := os.WriteFile(filepath.Join(folder, "contracts.json"), []byte("[\n<<<<<<< ours\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := gen.WrittenNames(folder); err == nil || !strings.Contains(err.Error(), "contracts.json") {
		t.Errorf("of a broken file: %v", err)
	}
}

func TestRecordedNamesAreTold(t *testing.T) {
	row := func(key string) directory.Row {
		return directory.Row{Key: key, Type: directory.MCP, Description: "d", Target: "s"}
	}
	dir := &directory.Directory{Rows: []directory.Row{row("A_ONE"), row("B_TWO"), row("C_THREE")}, Names: map[string]directory.RecordedName{
		"A_ONE": {Name: "a.then", File: "names.json", Line: 2}, "GONE": {Name: "b.two", Retired: true}, "A_OTHER": {Name: "c.three"}}}
	out, err := gen.Generate(dir, gen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range out.Diagnostics {
		if d.Field == "name" {
			got = append(got, string(d.Severity)+" "+d.Key+": "+d.Message)
		}
	}
	name := map[string]string{}
	for _, c := range out.Contracts {
		name[c.Key] = c.Name
	}
	want := []string{
		`error A_ONE: its recorded name a.then (names.json:2) cannot be used: "then" is reserved and cannot be a method; it is called a.one`,
		"warning B_TWO: its name b.two is kept for GONE, which is gone; it is called " + name["B_TWO"],
		"warning C_THREE: its name c.three is recorded for A_OTHER; it is called " + name["C_THREE"],
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOneReferenceForTwoIsAnError(t *testing.T) {
	many := directory.Row{Key: "A", Type: directory.HTTP, TargetMap: map[string]directory.Operation{"b": {Target: "GET https://a.example"}}}
	_, err := gen.Generate(&directory.Directory{Rows: []directory.Row{many, {Key: "A#b", Type: directory.MCP}}}, gen.Options{})
	if err == nil || !strings.Contains(err.Error(), `"A#b"`) {
		t.Errorf("got %v", err)
	}
}

func FuzzKeptNames(f *testing.F) {
	f.Add("CRM_LIST", "crm/list", "crm.list", "x.then")
	f.Add("a.b", "A.B", "a.b_0000", "Ａ.b")
	f.Fuzz(func(t *testing.T, a, b, recorded, retired string) {
		ops := distinctOps([]gen.Operation{{Key: a}, {Key: b}, {Key: a, Operation: b}, {Key: b, Operation: a}})
		kept := map[string]string{directory.Reference(a, ""): recorded, "\x00gone": retired}
		names := gen.NamesWith(ops, kept)
		checkDistinct(t, names)
		for i, name := range names {
			if err := gen.CheckName(name); err != nil {
				t.Error(err)
			}
			if gen.CheckName(retired) == nil && gen.CheckName(recorded) != nil && directory.FoldCase(name) == directory.FoldCase(retired) {
				t.Errorf("%q got the name of another, %q", ops[i].Key, retired)
			}
		}
	})
}

// TestNamesNeedNoQuotes has the compiler read hostile names as they stand: an interface's name, a
// property without quotes, a property access.
func TestNamesNeedNoQuotes(t *testing.T) {
	var all []gen.Operation
	r := rand.New(rand.NewPCG(5, 9))
	for _, row := range randomRows(r, 400) {
		all = append(all, gen.Operation{Key: row.Key, Category: row.Category, Type: row.Type})
	}
	for _, script := range []string{"عربى/قائمة", "हिन्दी/सूची", "ไทย/รายการ", "한국어/목록", "ქართული/სია", "𝒳𝒴/𝒵", "ᚠᚢ/ᚦ", "x/١٢٣", "ㄅ/ㄆ", "Ⅷ/Ⅸ"} {
		all = append(all, gen.Operation{Key: script, Type: directory.MCP})
	}
	var text strings.Builder
	methods := map[string][]string{}
	for _, name := range gen.Names(distinctOps(all)) {
		ns, method, _ := strings.Cut(name, ".")
		methods[ns] = append(methods[ns], method)
	}
	text.WriteString("declare namespace Tools {\n")
	for _, ns := range slices.Sorted(maps.Keys(methods)) {
		fmt.Fprintf(&text, "interface %s {\n", ns)
		for _, m := range methods[ns] {
			fmt.Fprintf(&text, "%s: 1;\n", m)
		}
		text.WriteString("}\n")
	}
	text.WriteString("}\ndeclare const tools: {\n")
	for ns := range methods {
		fmt.Fprintf(&text, "%s: Tools.%s;\n", ns, ns)
	}
	text.WriteString("};\n")
	n := 0
	for ns := range methods {
		for _, m := range methods[ns] {
			n++
			fmt.Fprintf(&text, "tools.%s.%s satisfies 1;\n", ns, m)
		}
	}
	if n < 200 {
		t.Fatalf("only %d names", n)
	}
	for _, p := range tsc.Compile(t, map[string]string{"names.ts": text.String()}, tsc.Strict...) {
		t.Error(p)
	}
}
