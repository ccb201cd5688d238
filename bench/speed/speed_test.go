package speed

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"codemode/bench"
)

// Every script runs in every way, and the report has its figures.
func TestRun(t *testing.T) {
	bin := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(bin, "codemode-worker"), "codemode/cmd/codemode-worker")
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Setenv("PATH", bin)
	report, err := effort{rounds: 2, busy: 50 * time.Millisecond}.run(t.Context(), bench.Options{Fixtures: "../../fixtures"})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Scenarios) != len(scenarios()) || len(report.Rates) != 3 {
		t.Errorf("%d scripts, %d rates", len(report.Scenarios), len(report.Rates))
	}
	for _, s := range report.Scenarios {
		for way, took := range map[string]Times{"bare": s.Bare, "unchecked": s.Unchecked, "checked": s.Checked} {
			if took.P50 <= 0 || took.P95 < took.P50 {
				t.Errorf("%s, %s: %+v", s.Name, way, took)
			}
		}
	}
	for _, r := range report.Rates {
		if r.PerSecond <= 0 || r.P50 <= 0 {
			t.Errorf("%+v", r)
		}
	}
	var text strings.Builder
	for _, table := range report.Tables() {
		if err := table.Write(&text); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(text.String(), "100 reads in turn") || !strings.Contains(text.String(), "clients") {
		t.Errorf("%s", text.String())
	}
	if raw, err := json.Marshal(report); err != nil || !strings.Contains(string(raw), `"runs_per_second":`) {
		t.Errorf("%s, %v", raw, err)
	}
}
