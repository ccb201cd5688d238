package accuracy

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codemode/bench"
	"codemode/directory/contract"
)

// TestInferenceCounts holds each figure to a small directory whose faults are known.
func TestInferenceCounts(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "directory/a.jsonl", `{"key":"A_LIST","type":"http","category":"a","description":"Lists.","when_to_use":"Now.","target":"GET http://127.0.0.1:1/a?state=$1&limit=$2","content":"# ARGS: state (open or closed), limit (integer, default 5)"}
{"key":"A_PUT","type":"http","category":"a","description":"Puts.","when_to_use":"Now.","target":"PUT http://127.0.0.1:1/a/$1"}
`)
	write(t, dir, "gold/tune/a.jsonl", `{"call":"A_LIST","style":"args-lines","params":{"type":"object","properties":{"state":{"type":"string","enum":["open","closed"]},"limit":{"type":"integer","default":5}},"required":["state"]},"effect":"read"}
`)
	write(t, dir, "gold/held/a.jsonl", `{"call":"A_PUT","style":"template-only","defects":["nameless"],"params":{"type":"object","properties":{"thing":{"type":"boolean"}},"required":["thing"]},"result":{"type":"string"},"effect":"read"}
`)
	report, err := Inference(bench.Options{Fixtures: dir, Data: dir})
	if err != nil {
		t.Fatal(err)
	}
	r := report.(*InferenceReport)
	tune := Score{Rows: 1, Clean: 1, GoldNames: 2, Names: 2, RightNames: 2, Types: 2, RightTypes: 2, Required: 2, Defaults: 1, RightDefs: 1, Effects: 1}
	if d := cmp.Diff(&tune, r.Scores["tune"]); d != "" {
		t.Errorf("tune (-want +got)\n%s%v", d, r.Faults)
	}
	held := Score{Rows: 1, GoldNames: 1, Names: 1, Misnamed: 1, Results: 1}
	if d := cmp.Diff(&held, r.Scores["held"]); d != "" {
		t.Errorf("held (-want +got)\n%s", d)
	}
	want := map[string]map[string]int{"tune": {}, "held": {"template-only": 1, "defect: nameless": 1}}
	if d := cmp.Diff(want, r.Shortfalls); d != "" {
		t.Error(d)
	}
	if len(r.Faults) != 0 {
		t.Errorf("the held half's faults are shown: %v", r.Faults)
	}
}

// TestSiblingNames holds the one liberty with names to its rule.
func TestSiblingNames(t *testing.T) {
	g := gold{Call: "T/get", Params: []byte(`{"properties":{"order":{}},"required":["order"]}`), Effect: contract.Read}
	named := func(name string, from contract.Provenance) contract.Contract {
		return contract.Contract{Operation: "get", Effect: contract.Read, Params: []byte(`{"properties":{"` + name + `":{"type":"string"}},"required":["` + name + `"]}`),
			Provenance: map[string]contract.Provenance{"params/" + name: from}}
	}
	for _, tt := range []struct {
		name  string
		from  contract.Provenance
		right bool
	}{
		{"order", contract.FromTemplate, true},
		{"order_id", contract.FromTemplate, true},
		{"order_id", contract.FromArgs, false},     // not another operation's name for the place
		{"order_no", contract.FromTemplate, false}, // more than "_id"
		{"asset_id", contract.FromTemplate, false},
	} {
		score, faults := judge(g, named(tt.name, tt.from))
		if (score.RightNames == 1) != tt.right || (len(faults) == 0) != tt.right {
			t.Errorf("%s from %s: %+v", tt.name, tt.from, faults)
		}
	}
	row := named("order_id", contract.FromTemplate)
	row.Operation = ""
	if score, _ := judge(g, row); score.RightNames != 0 {
		t.Error("a row that is no operation of a target_map has no siblings")
	}
}

// TestWhatIsNotJudged holds what a template says by itself, and a flow's result, apart from faults.
func TestWhatIsNotJudged(t *testing.T) {
	g := gold{Call: "F", Params: []byte(`{"properties":{"n":{}},"required":["n"]}`), Effect: contract.Read}
	c := contract.Contract{Effect: contract.Read, Params: []byte(`{"properties":{"n":{"type":"string"}},"required":["n"]}`),
		Result: []byte(`{"type":"string"}`), Provenance: map[string]contract.Provenance{"result": contract.FromTemplate}}
	if score, faults := judge(g, c); score.ExtraTypes != 0 || score.WrongResult != 0 {
		t.Errorf("%+v", faults)
	}
	c.Provenance["result"] = contract.FromProse
	c.Params = []byte(`{"properties":{"n":{"type":["number","boolean"]}},"required":["n"]}`)
	if score, faults := judge(g, c); score.ExtraTypes != 1 || score.WrongResult != 1 {
		t.Errorf("%+v %+v", score, faults)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
