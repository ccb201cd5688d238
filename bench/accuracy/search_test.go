package accuracy

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"codemode/bench"
	"codemode/directory/contract"
	"codemode/gen"
)

// lines are two APIs, one twice, and a query that needs both.
const (
	apiLines = `{"category_name":"Money","tool_name":"Fx/Rates v1.2","api_name":"Convert","api_description":"Converts an amount of money.","required_parameters":[{"name":"from","type":"STRING","description":"currency","default":"usd"}],"optional_parameters":[{"name":"round","type":"BOOLEAN","description":"","default":""}],"template_response":{"rate":"float","history":[{"day":"str","_list_length":9}],"notes":"list of str with length 3"}}
{"category_name":"Weather","tool_name":"Sky","api_name":"Now","api_description":"","required_parameters":[],"optional_parameters":[{"name":"day","type":"DATE (YYYY-MM-DD)","description":"which","default":""}],"template_response":null}
{"category_name":"Other","tool_name":"Sky","api_name":"Now","api_description":"again","required_parameters":[],"optional_parameters":[]}
`
	needLines = `{"query_id":3,"query":"Convert usd into eur.","relevant_apis":[["Fx/Rates v1.2","Convert"],["Sky","Now"]]}
`
)

func writeSearchData(t *testing.T) string {
	t.Helper()
	data := t.TempDir()
	folder := filepath.Join(data, "stabletoolbench")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"apis.jsonl": apiLines, "queries.jsonl": needLines} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return data
}

func TestAPIRows(t *testing.T) {
	dir, err := apiRows(filepath.Join(writeSearchData(t), "stabletoolbench"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := gen.Generate(dir, gen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]contract.Contract{}
	for _, c := range out.Contracts {
		got[c.Name] = c
	}
	c, ok := got["fxRatesV12.convert"]
	if !ok || len(got) != 2 {
		t.Fatalf("contracts are %v", got)
	}
	if diff := cmp.Diff(`{"properties":{"from":{"default":"usd","description":"currency","type":"string"},"round":{"type":"boolean"}},"required":["from"],"type":"object"}`, string(c.Params)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(`{"properties":{"history":{"items":{"properties":{"day":{"type":"string"}},"type":"object"},"type":"array"},"notes":{"type":"array"},"rate":{"type":"number"}},"type":"object"}`, string(c.Result)); diff != "" {
		t.Error(diff)
	}
}

func TestNeedAmong(t *testing.T) {
	n := need{keys: []string{"a", "b", "a"}}
	for _, tt := range []struct {
		keys []string
		want float64
	}{{nil, 0}, {[]string{"a"}, 0.5}, {[]string{"b", "c", "a"}, 1}} {
		have := map[string]bool{}
		for _, k := range tt.keys {
			have[k] = true
		}
		if got := n.among(have); got != tt.want {
			t.Errorf("among %v: %v, want %v", tt.keys, got, tt.want)
		}
	}
}

// The textbook ranking finds words as they stand, and no others.
func TestPlainRanking(t *testing.T) {
	p := newPlainRanking([]contract.Contract{
		{Name: "a.one", Key: "A/one", Description: "Lists invoices of the customer."},
		{Name: "a.two", Key: "A/two", Description: "Lists invoices."},
		{Name: "b.three", Key: "B/three", Description: "An invoice."},
	})
	var got []string
	for _, h := range p.query("Invoices, customer!", 5) {
		got = append(got, h.Contract.Name)
	}
	if want := []string{"a.one", "a.two"}; !slices.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
}

func TestSearchWithoutData(t *testing.T) {
	r, err := Search(bench.Options{Data: t.TempDir()})
	if err != nil || len(r.(*SearchReport).Absent) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

// On the public queries search must stay what it was measured to be, with a little room for what
// others change in declarations.
func TestSearchOnPublicQueries(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "shared", "data", "stabletoolbench")
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("the data beside the project is absent: %v", err)
	}
	dir, err := apiRows(folder)
	if err != nil {
		t.Fatal(err)
	}
	needs, err := readNeeds(folder)
	if err != nil {
		t.Fatal(err)
	}
	out, err := gen.Generate(dir, gen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Contracts) != 2479 || len(needs) != 765 {
		t.Errorf("%d contracts, %d queries; want 2479 and 765", len(out.Contracts), len(needs))
	}
	m := newSearchMeasure(out, dir)
	every8th := slices.DeleteFunc(needs, func(n need) bool { return n.ID%8 != 1 }) // all take a minute with the race detector
	f, err := m.figures(ranking{"codemode", m.index.Query}, "odd", every8th)
	if err != nil {
		t.Fatal(err)
	}
	if f.Queries != 97 || f.Recall5 < 0.79 || f.All5 < 0.615 || f.All10 < 0.78 || f.Within1500 < 0.935 || f.Within3000 < 0.955 {
		t.Errorf("odd query ids: %+v", f)
	}
}
