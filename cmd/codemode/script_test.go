package main

// This file runs the scripts of testdata/script: the command from end to end, with the real compiler,
// worker, store and a simulated company for each script to call.

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"codemode/fixtures"
	"codemode/fixtures/mcp"
	"codemode/fixtures/world"
	"codemode/runtime/typecheck"
)

func TestMain(m *testing.M) {
	testscript.Main(suite{m}, map[string]func(){"codemode": main, "holdstore": holdStore, "exitcode": exitCode})
}

// suite is all the tests, and what is around them.
type suite struct{ *testing.M }

// programsVariable names the folder that the programs are built into.
const programsVariable = "CODEMODE_TEST_PROGRAMS"

func (s suite) Run() int {
	dir, err := os.MkdirTemp("", "codemode-programs-")
	if err == nil {
		err = errors.Join(os.Setenv(programsVariable, dir), adoptOrphans())
	}
	code := 1
	if err == nil {
		code = s.M.Run()
	}
	if err = errors.Join(err, os.RemoveAll(dir)); err != nil {
		fmt.Fprintln(os.Stderr, "around the tests:", err)
		return 1
	}
	return code
}

// TestScript gives each script a directory ($DIR), grants ($GRANTS) and secrets that belong to a world of its own
// ($WORLD), a store ($STORE, the default one), the programs of this project on PATH ($BIN), and a file on the host
// that nothing may read ($CANARY, which says canary-5b1f0c).
func TestScript(t *testing.T) {
	compiler := requireCompiler(t)
	bin, err := programs()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               func(env *testscript.Env) error { return setUp(env, compiler, bin) },
		Condition: func(name string) (bool, error) {
			if name == "root" {
				return os.Getuid() == 0, nil
			}
			return false, errors.New("there is no such condition")
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": codeCommand, "json": jsonCommand, "state": stateCommand, "expand": expandCommand,
			"shuffle": shuffleCommand, "await": awaitCommand, "nochildren": noChildrenCommand, "canary": canaryCommand, "shown": shownCommand,
		},
	})
}

// requireCompiler is the path of the type checker that make installs.
func requireCompiler(t *testing.T) string {
	compiler, err := typecheck.Find(typecheck.FindConfig{})
	switch {
	case err == nil:
		return compiler.Path
	case os.Getenv("CODEMODE_TEST_REQUIRE") == "all":
		t.Fatalf("%v; make checker installs it", err)
	}
	t.Skipf("%v; make checker installs it", err)
	return ""
}

// programs builds the programs of the project once and returns the folder that holds them.
var programs = sync.OnceValues(func() (string, error) {
	dir := os.Getenv(programsVariable)
	build := exec.Command("go", "build", "-o", dir, "codemode/cmd/codemode", "codemode/cmd/codemode-worker", "codemode/fixtures/world/cmd/world", "codemode/fixtures/mcp/cmd/mcp-notes")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return dir, nil
})

func setUp(env *testscript.Env, compiler, bin string) error {
	w := world.New()
	server := httptest.NewServer(mcp.New().Beside(w.Handler()))
	env.Defer(server.Close)
	env.Values[worldKey{}] = w

	own := filepath.Join(env.WorkDir, ".bin")
	dir, grants := filepath.Join(env.WorkDir, ".directory"), filepath.Join(env.WorkDir, ".grants")
	canary := filepath.Join(env.WorkDir, ".canary.json")
	err := errors.Join(
		os.MkdirAll(own, 0o755), os.Symlink(filepath.Join(bin, "codemode-worker"), filepath.Join(own, "codemode-worker")), os.Symlink(filepath.Join(bin, "mcp-notes"), filepath.Join(own, "mcp-notes")),
		copyFixtures("directory", dir, server.URL), copyFixtures("grants", grants, server.URL), copyFixtures("scripts", filepath.Join(env.WorkDir, ".scripts"), server.URL),
		os.WriteFile(canary, []byte(`{"secret":"`+canaryText+`"}`), 0o644),
	)
	if !instrumented(env) {
		err = errors.Join(err, os.Symlink(filepath.Join(bin, "codemode"), filepath.Join(own, "codemode")))
	}
	env.Setenv("PATH", own+string(os.PathListSeparator)+env.Getenv("PATH"))
	env.Setenv("GORACE", "atexit_sleep_ms=0 "+os.Getenv("GORACE")) // else each command built for races takes a second to end
	for name, value := range fixtures.Secrets() {
		env.Setenv(secretPrefix+name, value)
	}
	for name, value := range map[string]string{
		"WORLD": server.URL, "DIR": dir, "GRANTS": grants, "SCRIPTS": filepath.Join(env.WorkDir, ".scripts"), "CANARY": canary, "BIN": bin,
		"XDG_STATE_HOME": filepath.Join(env.WorkDir, ".state"), "STORE": filepath.Join(env.WorkDir, ".state/codemode/codemode.db"),
		typecheck.EnvCompiler: compiler,
	} {
		env.Setenv(name, value)
	}
	return err
}

// instrumented reports a script whose codemode is this test's own build, so that the race detector sees it: those in
// which the command itself does several things at once. What happens within a run is seen by the race detector in
// package fixtures, where the service is part of the test. The other scripts take the plain program, which starts in a
// quarter of the time.
func instrumented(env *testscript.Env) bool {
	name := strings.TrimPrefix(filepath.Base(env.WorkDir), "script-")
	return slices.Contains([]string{"run", "parallel", "interrupt"}, name)
}

const canaryText = "canary-5b1f0c"

// copyFixtures writes a folder of the fixtures, pointed at the world at url.
func copyFixtures(folder, into, url string) error {
	files, err := fixtures.Files(folder)
	if err != nil {
		return err
	}
	if err := os.CopyFS(into, files); err != nil {
		return err
	}
	return filepath.WalkDir(into, func(name string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(name, []byte(strings.ReplaceAll(string(text), fixtures.Base, url)), 0o644)
	})
}
