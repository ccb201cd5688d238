package gen_test

import (
	"slices"
	"testing"

	"codemode/directory"
	"codemode/directory/contract"
)

// sourceRows have each kind of row, and flows over them.
func sourceRows() []directory.Row {
	return []directory.Row{
		{Key: "GET", Type: directory.HTTP, Description: "d", Target: "GET https://a.example/$1", Effect: "read", Headers: map[string]string{"X-Key": "$USER_KEY"}},
		{Key: "NAMED", Type: directory.HTTP, Description: "d", Target: "GET https://a.example/{id}", Effect: "read"},
		{Key: "TOOL", Type: directory.MCP, Description: "d", Target: "notes#find"},
		{Key: "FN", Type: directory.Fn, Description: "d", Target: "safe"},
		{Key: "FN2", Type: directory.Fn, Description: "d", Target: "other"},
		{Key: "RUN", Type: directory.CLI, Description: "d", Target: "ls", Template: "$1"},
		{Key: "SEND", Type: directory.Dispatch, Description: "d", Target: "https://d.example/one"},
		{Key: "MANY", Type: directory.HTTP, Description: "d", Target: "https://c.example", TargetMap: map[string]directory.Operation{
			"get": {Target: "GET https://c.example/$1"}, "put": {Target: "PUT https://c.example/$1"}}},
		flowRow("F", "FN:$1"),
		flowRow("F_OF_F", "F:$1"),
		flowRow("F_MANY", "MANY:get|$1"),
		flowRow("F_ANY", "MANY:$1|$2"),
		flowRow("LOOP_A", "FN:$1 > LOOP_B:$PREV"),
		flowRow("LOOP_B", "FN2:$1 > LOOP_A:$PREV"),
		flowRow("TO_LOOP", "LOOP_A:$1"),
	}
}

func sources(t testing.TB, rows []directory.Row) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, c := range generate(t, rows).Contracts {
		out[directory.Reference(c.Key, c.Operation)] = c.Source
	}
	return out
}

// TestSource changes one row at a time, and looks at which contracts send something else.
func TestSource(t *testing.T) {
	target := func(to string) func(*directory.Row) { return func(r *directory.Row) { r.Target = to } }
	before := sources(t, sourceRows())
	for ref, source := range before {
		if len(source) != len(contract.Digest(nil)) {
			t.Errorf("%s: source %q", ref, source)
		}
	}
	for _, tt := range []struct {
		name, key string
		change    func(*directory.Row)
		want      []string
	}{
		{"another method", "GET", target("DELETE https://a.example/$1"), []string{"GET"}},
		{"another secret in the URL", "GET", target("GET https://a.example/$1?key=$ADMIN_KEY"), []string{"GET"}},
		{"another secret in a header", "GET", func(r *directory.Row) { r.Headers = map[string]string{"X-Key": "$ADMIN_KEY"} }, []string{"GET"}},
		{"another credential", "GET", func(r *directory.Row) { r.Auth = "ADMIN" }, []string{"GET"}},
		{"a body", "GET", func(r *directory.Row) { r.Template = `{"all":true}` }, []string{"GET"}},
		{"another tool of another server", "TOOL", target("shell#exec"), []string{"TOOL"}},
		{"another function", "FN", target("rm_rf"), []string{"F", "FN", "F_OF_F", "LOOP_A", "LOOP_B", "TO_LOOP"}},
		{"another program", "RUN", target("rm"), []string{"RUN"}},
		{"another word before the argument", "RUN", func(r *directory.Row) { r.Template = "-rf / $1" }, []string{"RUN"}},
		{"another endpoint of the same origin", "SEND", target("https://d.example/two"), []string{"SEND"}},
		{"another type", "FN2", func(r *directory.Row) { r.Type = directory.CLI }, []string{"FN2", "LOOP_A", "LOOP_B", "TO_LOOP"}},
		{"two operations change places", "MANY", func(r *directory.Row) {
			r.TargetMap = map[string]directory.Operation{"put": {Target: "GET https://c.example/$1"}, "get": {Target: "PUT https://c.example/$1"}}
		}, []string{"F_ANY", "F_MANY", "MANY#get", "MANY#put"}},
		{"one operation", "MANY", func(r *directory.Row) {
			r.TargetMap = map[string]directory.Operation{"get": {Target: "GET https://c.example/$1"}, "put": {Target: "PUT https://c.example/$1?force=1"}}
		}, []string{"F_ANY", "MANY#put"}},
		{"a step more", "F", func(r *directory.Row) { r.Template = "FN:$1 > FN2:$PREV" }, []string{"F", "F_OF_F"}},
		{"a circle ends elsewhere", "LOOP_B", func(r *directory.Row) { r.Template = "FN:$1 > LOOP_A:$PREV" }, []string{"LOOP_A", "LOOP_B", "TO_LOOP"}},

		{"words", "GET", func(r *directory.Row) {
			r.Description, r.WhenToUse, r.Version, r.Docs = "other", "ever", 9, directory.Docs{Args: []string{"id: string"}, Notes: []string{"n"}}
		}, nil},
		{"an argument that the template does not have", "NAMED", func(r *directory.Row) {
			r.InputSchema = []byte(`{"type":"object","properties":{"id":{"type":"integer"}, "more":{}}}`)
		}, nil},
		{"space around the target", "FN", target(" safe "), nil},
	} {
		rows := sourceRows()
		at := slices.IndexFunc(rows, func(r directory.Row) bool { return r.Key == tt.key })
		tt.change(&rows[at])
		var got []string
		for ref, source := range sources(t, rows) {
			if before[ref] != source {
				got = append(got, ref)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: other sources of %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestSourcesDiffer exchanges two rows' targets, and looks for rows that send the same.
func TestSourcesDiffer(t *testing.T) {
	rows := sourceRows()
	rows[3].Target, rows[4].Target = rows[4].Target, rows[3].Target
	before, after := sources(t, sourceRows()), sources(t, rows)
	if before["FN"] == after["FN"] || before["FN2"] == after["FN2"] || before["FN"] != after["FN2"] {
		t.Errorf("two rows that exchange their targets: %v and %v", before, after)
	}
	slices.Reverse(rows)
	for ref, source := range sources(t, rows) {
		if after[ref] != source {
			t.Errorf("%s: the order of rows matters", ref)
		}
	}
}
