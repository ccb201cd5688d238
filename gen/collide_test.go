package gen_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codemode/directory"
	"codemode/gen"
)

func TestCollidingNamesAreTold(t *testing.T) {
	row := func(key string) directory.Row {
		return directory.Row{Key: key, Type: directory.MCP, Description: "d", Target: "s"}
	}
	many := directory.Row{Key: "MANY", Type: directory.HTTP, TargetMap: map[string]directory.Operation{"get": {Target: "GET https://a.example"}, "GET": {Target: "GET https://a.example"}}}
	out := generate(t, []directory.Row{row("A_ONE"), row("A_ONE_"), row("A_TWO"), row("myNS/x"), row("myns/x"), row("myns/y"), many})
	names := map[string]string{}
	for _, c := range out.Contracts {
		names[c.Key+"#"+c.Operation] = c.Name
	}
	var got []string
	for _, d := range out.Diagnostics {
		if d.Field == "name" {
			got = append(got, directory.Reference(d.Key, d.Operation)+": "+d.Message)
		}
	}
	ns := func(name string) string { return strings.SplitN(name, ".", 2)[0] }
	want := []string{
		"A_ONE: its name a.one would be that of A_ONE_ too; it is called " + names["A_ONE#"],
		"A_ONE_: its name a.one would be that of A_ONE too; it is called " + names["A_ONE_#"],
		"MANY#GET: its name many.get would be that of MANY#get too; it is called " + names["MANY#GET"],
		"MANY#get: its name many.get would be that of MANY#GET too; it is called " + names["MANY#get"],
		"myNS/x: its name myNs.x would be that of myns/x too; it is called " + names["myNS/x#"],
		"myNS/x: its namespace myNs differs from that of myns/x in case only; it is called " + ns(names["myNS/x#"]),
		"myns/x: its name myns.x would be that of myNS/x too; it is called " + names["myns/x#"],
		"myns/x: its namespace myns differs from that of myNS/x in case only; it is called " + ns(names["myns/x#"]),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !strings.HasPrefix(names["A_ONE#"], "a.one_") || names["A_ONE#"] == names["A_ONE_#"] {
		t.Errorf("names %v", names)
	}
}

func TestManyCollisionsAreBounded(t *testing.T) {
	var rows []directory.Row
	for i := range 3000 {
		rows = append(rows, directory.Row{Key: fmt.Sprintf("A%sONE%s", strings.Repeat("_", i%50+1), strings.Repeat("_", i/50)), Type: directory.MCP, Description: "d"})
	}
	for _, d := range generate(t, rows).Diagnostics {
		if len(d.Message) > 600 {
			t.Fatalf("a remark of %d bytes", len(d.Message))
		}
	}
}

// TestRemovedNamespace takes the rows of a namespace away, and then all of them.
func TestRemovedNamespace(t *testing.T) {
	dir := t.TempDir()
	keep := directory.Row{Key: "FLEET_ONE", Type: directory.MCP, Description: "d", Target: "s"}
	gone := directory.Row{Key: "NOTE_ONE", Type: directory.MCP, Description: "d", Target: "s"}
	for _, step := range []struct {
		rows []directory.Row
		gone string
	}{{[]directory.Row{keep, gone}, ""}, {[]directory.Row{keep}, "note.d.ts"}, {nil, "fleet.d.ts"}} {
		files := generate(t, step.rows).Files
		drift, err := gen.Check(dir, files)
		if err != nil {
			t.Fatal(err)
		}
		if told := strings.Contains(drift, "only on disk: "+step.gone); step.gone != "" && !told {
			t.Errorf("check does not name %s:\n%s", step.gone, drift)
		}
		changed, err := gen.Write(dir, files)
		if err != nil || step.gone != "" && !strings.Contains(strings.Join(changed, " "), step.gone) {
			t.Errorf("changed %q, %v; want %s among them", changed, err, step.gone)
		}
		if drift, err := gen.Check(dir, files); err != nil || drift != "" {
			t.Errorf("after writing: %q, %v", drift, err)
		}
	}
}

// A recorded name that no method can have is told, whether its row is there, gone or retired.
func TestUnusableRecordedNames(t *testing.T) {
	recorded := map[string]directory.RecordedName{
		"HERE": {Name: "then.then", File: "names.json", Line: 2}, "GONE": {Name: "class.enum", File: "names.json", Line: 3},
		"M#old": {Name: "codemode.tools", Retired: true, File: "names.json", Line: 4}, "PROTO": {Name: "__proto__.constructor", File: "names.json", Line: 5},
		"FINE": {Name: "crm.old", Retired: true, File: "names.json", Line: 6},
	}
	out, err := gen.Generate(&directory.Directory{Rows: []directory.Row{{Key: "HERE", Type: directory.MCP}}, Names: recorded}, gen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	for _, d := range out.Diagnostics {
		if d.Field == "name" && d.Severity == directory.SeverityError {
			said[directory.Reference(d.Key, d.Operation)] += d.Message
		}
	}
	for ref, entry := range recorded {
		if at := fmt.Sprintf("names.json:%d", entry.Line); strings.Contains(said[ref], at) != (ref != "FINE") {
			t.Errorf("%s: %q", ref, said[ref])
		}
	}
}
