package accuracy_test

import (
	"os/exec"
	"testing"

	"codemode/bench"
	"codemode/bench/accuracy"
)

// TestEveryRecordedResultIsJudged replays all recorded calls: each result is judged, reaches its script
// as it was, and ends none. Two hold a card number past 2^53 that is declared as a number, and are marked
// for it.
func TestEveryRecordedResultIsJudged(t *testing.T) {
	worker := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", worker, "codemode/cmd/codemode-worker")
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("PATH", worker)
	r, err := accuracy.ResultsOf(t.Context(), bench.Options{Data: "../../../shared/data"})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Absent) > 0 {
		t.Skipf("no test data beside the project: %v", r.Absent)
	}
	if r.Calls != 1142 || r.Tasks != 200 || r.Methods != 81 {
		t.Errorf("%d calls of %d methods in %d tasks, want 1142, 81, 200", r.Calls, r.Methods, r.Tasks)
	}
	if r.Fit+r.Flagged+r.Undeclared != r.Calls {
		t.Errorf("%d fit, %d flagged, %d undeclared of %d", r.Fit, r.Flagged, r.Undeclared, r.Calls)
	}
	flagged := 0
	for _, c := range r.Reasons {
		flagged += c.Count
	}
	if flagged != r.Flagged {
		t.Errorf("reasons of %d, want %d", flagged, r.Flagged)
	}
	p := r.Replay
	if p.Crashed != 0 || p.Scripts != 200 || p.Invoked+p.Refused != r.Calls || p.Refused != p.Untyped || p.Delivered != r.Calls || p.Wide != 2 {
		t.Errorf("%+v", p)
	}
	if p.Mismatch != r.Flagged+p.Wide || p.MarkedOtherwise != 0 {
		t.Errorf("the runs marked %d, %d of them otherwise than the validator; want %d, 0", p.Mismatch, p.MarkedOtherwise, r.Flagged)
	}
	for _, h := range r.Halves {
		if h.Fit+h.Misfit+h.Unseen+h.Untyped != h.Results || h.Results == 0 {
			t.Errorf("%+v", h)
		}
	}
	for _, table := range r.Tables() {
		for _, row := range table.Rows {
			t.Log(row)
		}
	}
}

func TestResultsWithoutData(t *testing.T) {
	r, err := accuracy.Results(bench.Options{Data: t.TempDir()})
	if err != nil || len(r.Tables()) != 1 || len(r.Tables()[0].Notes) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}
