package gen_test

import (
	"testing"

	"codemode/directory"
	"codemode/gen"
)

// TestBindingsAreCurrent keeps what stands in bindings the same as what the example directory gives.
func TestBindingsAreCurrent(t *testing.T) {
	dir, err := directory.Load("../fixtures/directory", directory.LoadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := gen.Generate(dir, gen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := out.AddGo("bindings"); err != nil {
		t.Fatal(err)
	}
	drift, err := gen.Check("../bindings", out.Files)
	if err != nil {
		t.Fatal(err)
	}
	if drift != "" {
		t.Errorf("bindings are stale; run make gen\n%s", drift)
	}
}
