package assemble_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codemode/fixtures"
	"codemode/runtime"
	"codemode/runtime/assemble"
)

func codeOf(err error) runtime.Code {
	var known *runtime.Error
	if errors.As(err, &known) {
		return known.Code
	}
	return ""
}

func TestOpenRefusesADirectoryThatIsNone(t *testing.T) {
	empty := t.TempDir()
	broken := filepath.Join(t.TempDir(), "rows.jsonl")
	if err := os.WriteFile(broken, []byte("{not json\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(empty, "nowhere"), empty, broken} {
		_, err := assemble.Open(t.Context(), assemble.Config{Directory: path, Check: runtime.CheckOff, CheckOnly: true})
		if codeOf(err) != runtime.InvalidArgument || !strings.Contains(err.Error(), filepath.Base(path)) {
			t.Errorf("Open(%s) = %v, want invalid_argument that names it", path, err)
		}
	}
}

func TestSurfaceIsWhatTheRuntimeNeeds(t *testing.T) {
	catalogue, err := assemble.OpenCatalogue(fixtures.Start(t).Directory(t))
	if err != nil {
		t.Fatal(err)
	}
	s := catalogue.Surface
	if len(s.Contracts) < 80 || s.Set == "" || s.Declarations["crm.d.ts"] == "" || s.Declarations["codemode.d.ts"] == "" {
		t.Errorf("%d contracts, set %q, %d declarations", len(s.Contracts), s.Set, len(s.Declarations))
	}
	if _, all := s.Declarations["tools.d.ts"]; all {
		t.Error("the shared declarations declare tools with every method, granted or not")
	}
	if c, ok := s.ContractNamed("crm.getContact"); !ok || !strings.Contains(s.Declare(c), "tools.crm.getContact(args: {") {
		t.Error("crm.getContact is not declared")
	}
	for name, want := range map[string]int{"crm.getContact": 1, "CRM_GET_CONTACT": 1, "crm.getcontact": 0, "cr": 0} {
		if got := len(catalogue.Named(name)); got != want {
			t.Errorf("Named(%q) has %d contracts, want %d", name, got, want)
		}
	}
	if len(catalogue.Named("crm")) < 5 {
		t.Error("the namespace crm has fewer than 5 methods")
	}
}

func TestExistingStoreIsNotMade(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	if _, err := assemble.OpenExistingStore(t.Context(), path); codeOf(err) != runtime.NotFound {
		t.Errorf("OpenExistingStore = %v, want not_found", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Error("reading made a store")
	}
	store, err := assemble.OpenStore(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if store, err = assemble.OpenExistingStore(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestCheckOnlySystemCloses(t *testing.T) {
	system, err := assemble.Open(t.Context(), assemble.Config{Directory: fixtures.Start(t).Directory(t), Check: runtime.CheckOff, CheckOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // a second Close has nothing left to do
		if err := system.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNoWorker holds that a program which is no worker itself is told what it lacks.
func TestNoWorker(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := assemble.Open(t.Context(), assemble.Config{Directory: fixtures.Start(t).Directory(t), Store: filepath.Join(t.TempDir(), "s.db"), Check: runtime.CheckOff})
	if e := runtime.AsError(err); err == nil || e.Code != runtime.Unavailable || !strings.Contains(e.Hint, "codemode/cmd/codemode-worker") {
		t.Errorf("error %v, hint %q", err, e.Hint)
	}
}
