package assemble

// This file finds the parts that live outside the program: the compiler, the worker, the store.

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"codemode/runtime"
	"codemode/runtime/egress"
	"codemode/runtime/invoke"
	"codemode/runtime/modules"
	"codemode/runtime/sqlite"
	"codemode/runtime/typecheck"
	"codemode/runtime/validate"
)

// workerName is the slim binary; WorkerArgument makes codemode itself behave as one (Config.SelfWorker).
const (
	workerName     = "codemode-worker"
	WorkerArgument = "__worker"
)

// workerCommand is the slim worker where it stands beside this program or on PATH, else this program
// itself where it can be one: starting a binary that links everything costs four times as much.
func (c Config) workerCommand() ([]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, runtime.Errorf(runtime.Unavailable, "this program can't tell where it is, so no worker can be started").WithCause(err)
	}
	if real, err := filepath.EvalSymlinks(self); err == nil {
		beside := filepath.Join(filepath.Dir(real), workerName)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return []string{beside}, nil
		}
	}
	if path, err := exec.LookPath(workerName); err == nil {
		return []string{path}, nil
	}
	if c.SelfWorker {
		return []string{self, WorkerArgument}, nil
	}
	return nil, runtime.Errorf(runtime.Unavailable, "there is no %s beside %s or on PATH", workerName, self).
		WithHint("build it from codemode/cmd/" + workerName + " and put it there: scripts run in it, and it locks the type checker in")
}

// confinement is the argv prefix that locks the compiler in: it reads its own folder and no more.
func (c Config) confinement(compiler string) ([]string, error) {
	if goruntime.GOOS != "linux" {
		return nil, nil
	}
	command, err := c.workerCommand()
	if err != nil {
		return nil, err
	}
	path, err := filepath.EvalSymlinks(compiler)
	if err != nil {
		return nil, runtime.Errorf(runtime.Unavailable, "the compiler %s can't be read", compiler).WithCause(err)
	}
	return append(command, "confine", "--read", filepath.Dir(path), "--"), nil
}

// Provision finds the compiler or installs it, and returns where it is.
func Provision(ctx context.Context, progress func(string)) (string, error) {
	compiler, err := typecheck.Provision(ctx, typecheck.FindConfig{}, progress)
	return compiler.Path, err
}

// PrepareModules installs packages into a folder for Config.Modules, and returns remarks.
func PrepareModules(ctx context.Context, folder string, packages []string, out io.Writer) ([]string, error) {
	return modules.Prepare(ctx, folder, packages, out)
}

// OpenStore opens the SQLite file at path, or the user's own, and creates it where it is missing.
func OpenStore(ctx context.Context, path string) (runtime.Store, error) {
	return openStore(ctx, path, time.Now)
}

func openStore(ctx context.Context, path string, now func() time.Time) (runtime.Store, error) {
	path, err := storePath(path)
	if err != nil {
		return nil, err
	}
	return sqlite.Open(ctx, sqlite.Config{Path: path, Now: now})
}

// Clerk is a service that reads and answers what a store holds, and runs nothing.
func Clerk(store runtime.Store) *runtime.Service {
	return &runtime.Service{Store: store, Validator: validate.New(), Versions: Versions(), Now: time.Now}
}

// OpenExistingStore is OpenStore for reading what was recorded: a store that is not there is NotFound
// and is not created.
func OpenExistingStore(ctx context.Context, path string) (runtime.Store, error) {
	path, err := storePath(path)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, runtime.Errorf(runtime.NotFound, "there is no store at %s", path).WithHint("codemode run makes one; --store names another")
	}
	return sqlite.Open(ctx, sqlite.Config{Path: path})
}

func storePath(path string) (string, error) {
	if path != "" {
		return path, nil
	}
	path, err := defaultStore()
	if err != nil {
		return "", runtime.Errorf(runtime.Unavailable, "there is no home folder to keep receipts in").WithHint("name a file with --store").WithCause(err)
	}
	return path, nil
}

// defaultStore follows the XDG base directory specification.
func defaultStore() (string, error) {
	if state := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(state) {
		return filepath.Join(state, "codemode", "codemode.db"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, ".local", "state", "codemode", "codemode.db"), nil
}

// Versions are those of codemode and of the parts that a run's outcome depends on.
func Versions() map[string]string {
	v := map[string]string{"codemode": "devel", "typescript": typecheck.Version}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" {
		v["codemode"] = info.Main.Version
	}
	v["go"] = info.GoVersion
	for _, m := range info.Deps {
		switch m.Path {
		case "github.com/evanw/esbuild":
			v["esbuild"] = m.Version
		case "github.com/dop251/goja":
			v["goja"] = m.Version
		}
	}
	return v
}

// doer adapts the egress client to what package invoke asks for.
type doer struct{ client *egress.Client }

func (d doer) Do(ctx context.Context, r invoke.Request) (*invoke.Response, error) {
	reply, err := d.client.Do(ctx, egress.Request(r))
	if err != nil {
		return nil, err
	}
	return (*invoke.Response)(reply), nil
}

// serviceMemory is what the heap of a service should stay under, in bytes. Most of its memory is what
// results leave behind while they are read, judged and written on.
const serviceMemory = 96 << 20

// LimitMemory has the garbage collector of a process that is a service and nothing else work harder as the
// heap nears what a service needs, or what this one needs with its directory. Call it once the system is
// open. What the operator says in GOMEMLIMIT stands.
func LimitMemory() {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	limit := int64(serviceMemory)
	if live[0].Value.Kind() == metrics.KindUint64 {
		limit = max(limit, serviceMemory/2+2*int64(live[0].Value.Uint64()))
	}
	debug.SetMemoryLimit(limit)
}
