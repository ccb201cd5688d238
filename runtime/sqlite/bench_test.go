package sqlite

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"

	"codemode/bench"
	"codemode/runtime"
)

func start(t testing.TB, s *Store, runID string, accounts map[string]runtime.Budget) {
	t.Helper()
	err := s.Start(t.Context(), "start", runtime.RunRecord{RunID: runID, Epoch: 1, Accounts: accounts,
		Started: runtime.Entry{Kind: runtime.EntryStarted, Data: json.RawMessage(`{}`)}})
	if err != nil {
		t.Fatal(err)
	}
}

func beginCall(runID, callID string, relaxed bool) runtime.CallIntent {
	return runtime.CallIntent{RunID: runID, CallID: callID, Epoch: 1, Method: "crm.list", Accounts: []string{"run", "grant:0"}, Relaxed: relaxed,
		Charge: map[runtime.Dimension]int64{runtime.Calls: 1}, Entry: runtime.Entry{Kind: runtime.EntryCalled, Data: json.RawMessage(fmt.Sprintf("%q", callID))}}
}

func endCall(runID, callID string, relaxed bool) runtime.CallOutcome {
	return runtime.CallOutcome{RunID: runID, CallID: callID, Epoch: 1, Accounts: []string{"run", "grant:0"}, Relaxed: relaxed,
		Entry: runtime.Entry{Kind: runtime.EntrySettled, Data: json.RawMessage(fmt.Sprintf("%q", callID))}}
}

// BenchmarkCall is the cost of one call: reserve and intent, settle and outcome.
func BenchmarkCall(b *testing.B) {
	for _, relaxed := range []bool{false, true} {
		b.Run(fmt.Sprintf("relaxed=%t", relaxed), func(b *testing.B) {
			s := open(b, filepath.Join(b.TempDir(), "store.db"))
			defer s.Close()
			start(b, s, "run_1", map[string]runtime.Budget{"run": {runtime.Calls: 1 << 40}, "grant:0": {}})
			var timer bench.Timer
			for n := 0; b.Loop(); n++ {
				id := fmt.Sprintf("call_%d", n)
				timer.Time(func() {
					if _, err := s.BeginCall(b.Context(), id+"/begin", beginCall("run_1", id, relaxed)); err != nil {
						b.Fatal(err)
					}
					if _, err := s.EndCall(b.Context(), id+"/end", endCall("run_1", id, relaxed)); err != nil {
						b.Fatal(err)
					}
				})
			}
			timer.Report(b)
		})
	}
}
