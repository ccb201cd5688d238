package bench_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"

	"codemode/bench"
	"codemode/fixtures"
	"codemode/fixtures/world"
	"codemode/runtime"
	"codemode/runtime/assemble"
	"codemode/runtime/invoke"
)

// BenchmarkRun takes a script through the whole pipeline in a warm service: accept, check, a process
// of its own, calls over HTTP to the simulated company, store, receipt.
func BenchmarkRun(b *testing.B) {
	system, grants := open(b)
	for _, kind := range []struct{ name, script string }{
		{"no call", `return 1 + 1`},
		{"one read", `return (await tools.shop.getStock({ sku: "KB-01" })).qty`},
		{"one write", `return await tools.notes.write({ name: "n", text: "t" })`},
		{"100 reads in turn", `let n = 0; for (let i = 0; i < 100; i++) n += (await tools.shop.getStock({ sku: "KB-01" })).qty; return n`},
		{"100 reads at once", `return (await Promise.all(Array.from({ length: 100 }, () => tools.shop.getStock({ sku: "KB-01" })))).length`},
	} {
		b.Run(kind.name, func(b *testing.B) {
			var timer bench.Timer
			for b.Loop() {
				b.StopTimer()
				system.WaitIdle() // a worker is in reserve, as it is when scripts come one at a time
				b.StartTimer()
				timer.Time(func() {
					result := system.Service.Run(b.Context(), runtime.Request{Sources: []runtime.Source{{Name: "main.ts", Text: kind.script}}, Grants: grants})
					if result.State != runtime.Finished {
						b.Fatalf("%s: %v", result.Reason, result.Error)
					}
				})
			}
			timer.Report(b)
		})
	}
}

// BenchmarkCheck is the check alone, of a script with a misspelt method.
func BenchmarkCheck(b *testing.B) {
	system, grants := open(b)
	var timer bench.Timer
	for n := 0; b.Loop(); n++ {
		script := fmt.Sprintf(`return (await tools.shop.getStok({ sku: "%d" })).qty`, n)
		timer.Time(func() {
			result := system.Service.Check(b.Context(), runtime.Request{Sources: []runtime.Source{{Name: "main.ts", Text: script}}, Grants: grants})
			if result.Reason != runtime.ReasonCheck {
				b.Fatalf("%s: %v", result.Reason, result.Error)
			}
		})
	}
	timer.Report(b)
}

// BenchmarkGenerate loads the example directory and generates everything from it.
func BenchmarkGenerate(b *testing.B) {
	var timer bench.Timer
	for b.Loop() {
		timer.Time(func() {
			if _, _, err := assemble.Generate("../fixtures/directory", false); err != nil {
				b.Fatal(err)
			}
		})
	}
	timer.Report(b)
}

// open is a service on the example directory, with a world behind it and every part warm.
func open(b *testing.B) (*assemble.System, []runtime.Grant) {
	b.Helper()
	worker := b.TempDir()
	build := exec.CommandContext(b.Context(), "go", "build", "-o", worker, "codemode/cmd/codemode-worker")
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	b.Setenv("PATH", worker)
	site := fixtures.Start(b)
	functions := map[string]invoke.Func{}
	for name, f := range world.Functions() {
		functions[name] = f
	}
	system, err := assemble.Open(b.Context(), assemble.Config{
		Directory: site.Directory(b), Store: filepath.Join(b.TempDir(), "store.db"), Functions: functions,
		Secrets: func(name string) (string, error) { return fixtures.Secrets()[name], nil },
	})
	if err != nil {
		b.Skip(err)
	}
	b.Cleanup(func() {
		if err := system.Close(); err != nil {
			b.Error(err)
		}
	})
	text, err := fixtures.Grant("everything.json", site.URL)
	if err != nil {
		b.Fatal(err)
	}
	grants, err := runtime.ParseGrants("everything.json", text)
	if err != nil {
		b.Fatal(err)
	}
	return system, grants
}
