package accuracy

import (
	"strings"
	"testing"

	"codemode/bench"
	"codemode/fixtures/tsc"
)

// TestSchema holds what must be true of the measured types, whatever else changes: as the
// specification is written no valid instance is refused, everything compiles, and of the invalid ones
// that a type can express at least 81 of 100 are caught.
func TestSchema(t *testing.T) {
	tsc.Find(t)
	report, err := Schema(bench.Options{Data: "../../../shared/data"})
	if err != nil {
		t.Fatal(err)
	}
	r := report.(*SchemaReport)
	if len(r.Absent) > 0 {
		t.Skipf("no test data beside the project: %v", r.Absent)
	}
	if r.Cases.Right != r.Cases.Total || r.Cases.Total != 27 {
		t.Errorf("%d of %d cases right: %v", r.Cases.Right, r.Cases.Total, r.Cases.Wrong)
	}
	if r.OpenAPI.Read != r.OpenAPI.Schemas || len(r.OpenAPI.Problems) > 0 || r.OpenAPI.Schemas < 200 {
		t.Errorf("%+v", *r.OpenAPI)
	}
	for _, d := range r.Suite {
		if d.Total.Broken > 0 || d.Total.Refused > 0 || d.Total.Valid < 400 {
			t.Errorf("%s %s: %+v %v", d.Draft, d.Reading, d.Total, d.Problems)
		}
		if d.Reading != "as written" {
			continue
		}
		if len(d.Rejected) > 0 {
			t.Errorf("%s rejects %v", d.Draft, d.Rejected)
		}
		if d.Can.InvalidCaught*100 < d.Can.Invalid*81 {
			t.Errorf("%s catches %d of %d", d.Draft, d.Can.InvalidCaught, d.Can.Invalid)
		}
	}
	var text strings.Builder
	for _, table := range r.Tables() {
		if err := table.Write(&text); err != nil {
			t.Fatal(err)
		}
	}
	t.Log(text.String())
}

// TestExpressible holds that every keyword of the list stands there once, with a reason.
func TestExpressible(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range expressible {
		if seen[e.Keyword] || e.Why == "" {
			t.Errorf("%+v", e)
		}
		seen[e.Keyword] = true
	}
}

// TestSchemaWithoutData says what is absent and measures nothing.
func TestSchemaWithoutData(t *testing.T) {
	tsc.Find(t)
	report, err := Schema(bench.Options{Data: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if r := report.(*SchemaReport); len(r.Absent) != 3 || r.Cases != nil || r.Suite != nil {
		t.Errorf("%+v", r)
	}
}
