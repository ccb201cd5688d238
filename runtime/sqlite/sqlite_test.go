package sqlite

import (
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"codemode/runtime"
	"codemode/runtime/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Place {
		path, clock := filepath.Join(t.TempDir(), "store.db"), storetest.NewClock()
		return storetest.Place{Open: func() runtime.Store { return openAt(t, path, clock.Now) }, Now: clock.Now, Pass: clock.Pass}
	})
}

func open(t testing.TB, path string) *Store { return openAt(t, path, nil) }

func openAt(t testing.TB, path string, now func() time.Time) *Store {
	t.Helper()
	s, err := Open(t.Context(), Config{Path: path, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// start starts a run that is held for an hour.
func start(t testing.TB, s *Store, runID string) {
	t.Helper()
	err := s.Start(t.Context(), "start", runtime.RunRecord{RunID: runID}, time.Hour, runtime.Entry{Kind: runtime.EntryStarted})
	if err != nil {
		t.Fatal(err)
	}
}

// note is an entry that holds a text.
func note(text string, relaxed bool) runtime.Entry {
	raw, _ := json.Marshal(text) // a string is always JSON
	return runtime.Entry{Kind: runtime.EntryProgress, Data: raw, Relaxed: relaxed}
}
