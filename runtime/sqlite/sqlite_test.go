package sqlite

import (
	"path/filepath"
	"testing"

	"codemode/runtime"
	"codemode/runtime/storetest"
)

func open(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), Config{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) func() runtime.Store {
		path := filepath.Join(t.TempDir(), "store.db")
		return func() runtime.Store { return open(t, path) }
	})
}
