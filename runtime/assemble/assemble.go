// Package assemble is the sole wiring: it opens the parts of a service and puts them together.
//
//	system, err := assemble.Open(ctx, assemble.Config{Directory: "rows/", Functions: functions})
//	...
//	defer system.Close()
//	result := system.Service.Run(ctx, request)
//
// It decides nothing about a run; the packages it wires do.
package assemble

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"time"

	"codemode/directory"
	"codemode/runtime"
	"codemode/runtime/accept"
	"codemode/runtime/condition"
	"codemode/runtime/confine"
	"codemode/runtime/egress"
	"codemode/runtime/goja/library"
	"codemode/runtime/invoke"
	"codemode/runtime/modules"
	"codemode/runtime/typecheck"
	"codemode/runtime/validate"
	"codemode/runtime/worker"
)

// Config says what a system is made of.
type Config struct {
	Directory string // path of the rows
	// Store is the path of the SQLite file; "" is codemode/codemode.db in the user's state folder.
	Store string
	// Check is the mode that requests will use; with runtime.CheckOff no compiler is looked for.
	Check runtime.CheckMode
	// CheckOnly opens neither store nor workers: the system can check and not run.
	CheckOnly bool
	// SelfWorker says that this program is a worker when it is started with WorkerArgument, as codemode is:
	// then it needs no codemode-worker beside it or on PATH, only a little more time.
	SelfWorker bool
	// Once is for a system that runs one script: it starts one worker and no more in reserve.
	Once bool
	// CallsOnly opens no workers: the system makes single calls and runs no scripts.
	CallsOnly bool
	// Modules is a prepared folder of packages that scripts may import, as codemode modules prepare makes it;
	// "" is none.
	Modules string
	// Require names what must hold the workers, of Requirements: Open fails on a machine that does not
	// enforce all of it.
	Require []string
	// Functions are the Go functions behind fn rows, by name.
	Functions map[string]invoke.Func
	// Handlers are Go functions in the place of rows, by "KEY" or "KEY#operation": bindings.CrmHandlers(crm).
	Handlers map[string]invoke.Handler
	// Rows are added to those of the directory: capabilities that are implemented in Go, as package
	// bindings/gofunc describes them.
	Rows []directory.Row
	// MCPServers are the programs behind mcp rows, by the name that rows give as their target. Rows whose
	// target is a URL need none.
	MCPServers map[string]MCPServer
	// Secrets looks up a $NAME of a template; nil means there are none.
	Secrets func(name string) (string, error)
	// Maximum is the server's own level of budgets, as in runtime.Service.
	Maximum runtime.Budget
	// Progress is told of long work, such as installing the compiler; nil discards.
	Progress func(message string)
	Log      *slog.Logger // nil discards
	// Now is the clock of the service and its store; nil means time.Now.
	Now func() time.Time
}

// System is a service with the parts that must be closed.
type System struct {
	*Catalogue
	Service *runtime.Service
	Invoker *invoke.Invoker

	packages accept.Packages // that scripts may import
	workers  *worker.Pool    // nil for a system that runs no scripts
	closers  []func() error
}

// Open opens all the parts. Errors are runtime errors: InvalidArgument for a bad directory,
// Unavailable for a part that can't be had.
func Open(ctx context.Context, c Config) (*System, error) {
	catalogue, err := OpenCatalogue(c.Directory, c.Rows...)
	if err != nil {
		return nil, err
	}
	s := &System{Catalogue: catalogue}
	s.Service = &runtime.Service{
		Surface: catalogue.Surface, Accept: accept.Within(accept.Limits{}), Validator: validate.New(), Conditions: condition.New(),
		Maximum: c.Maximum, Versions: Versions(), Log: c.Log, Now: c.now(), Search: catalogue.find, Room: runtime.NewRoom(), Digests: runtime.NewDigests(),
	}
	for _, open := range []func(context.Context, Config) error{s.openModules, s.openChecker, s.openInvoker, s.openStore, s.openWorkers} {
		if err := open(ctx, c); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

func (c Config) now() func() time.Time {
	if c.Now != nil {
		return c.Now
	}
	return time.Now
}

// Close ends every process and closes the store.
func (s *System) Close() error {
	var errs []error
	for _, c := range slices.Backward(s.closers) {
		errs = append(errs, c())
	}
	s.closers = nil
	return errors.Join(errs...)
}

// WaitIdle returns when no worker is being started or taken back, for who measures runs one by one.
func (s *System) WaitIdle() {
	if s.workers != nil {
		s.workers.WaitIdle()
	}
}

func (s *System) openModules(_ context.Context, c Config) error {
	if c.Modules == "" {
		return nil
	}
	m, err := modules.Open(c.Modules)
	if err != nil {
		return err
	}
	s.packages = m.Files()
	s.Service.Link = m.Link
	maps.Copy(s.Service.Versions, m.Versions())
	return nil
}

func (s *System) openChecker(ctx context.Context, c Config) error {
	if c.Check == runtime.CheckOff {
		return nil
	}
	compiler, err := typecheck.Provision(ctx, typecheck.FindConfig{}, c.Progress)
	if err != nil {
		return err
	}
	launcher, err := c.confinement(compiler.Path)
	if err != nil {
		return err
	}
	checker, err := typecheck.New(typecheck.Config{Compiler: compiler, Launcher: launcher, Library: library.Files(), Packages: s.packages})
	if err != nil {
		return err
	}
	s.Service.Checker = checker
	s.closers = append(s.closers, checker.Close)
	return nil
}

func (s *System) openInvoker(_ context.Context, c Config) error {
	client := egress.New(egress.Config{})
	s.closers = append(s.closers, func() error { client.Close(); return nil })
	servers := newMCPServers(c.MCPServers, client)
	s.closers = append(s.closers, servers.Close)
	invoker, err := invoke.New(invoke.Config{
		Rows: s.Directory.Rows, Contracts: s.Surface.Contracts, Functions: c.Functions, Handlers: c.Handlers, Secrets: c.Secrets, Egress: doer{client}, MCP: servers,
	})
	if err != nil {
		return runtime.Errorf(runtime.InvalidArgument, "directory %s: %v", c.Directory, err)
	}
	s.Invoker, s.Service.Invoker = invoker, invoker
	return nil
}

func (s *System) openStore(ctx context.Context, c Config) error {
	if c.CheckOnly {
		return nil
	}
	store, err := openStore(ctx, c.Store, c.now())
	if err != nil {
		return err
	}
	s.Service.Store = store
	s.closers = append(s.closers, store.Close)
	return nil
}

func (s *System) openWorkers(_ context.Context, c Config) error {
	if c.CheckOnly || c.CallsOnly {
		return nil
	}
	command, err := c.workerCommand()
	if err != nil {
		return err
	}
	outside := confine.NewOutside(confine.OutsideConfig{MemoryBytes: cmp.Or(c.Maximum[runtime.MemoryBytes], runtime.Limits{}.WithDefaults().MemoryBytes)})
	s.closers = append(s.closers, func() error { outside.Close(); return nil })
	if err := c.required(command, outside); err != nil {
		return err
	}
	pool := worker.NewOutside(worker.Config{Command: command, Once: c.Once}, holder{outside})
	s.workers, s.Service.Workers = pool, pool
	s.closers = append(s.closers, pool.Close)
	return nil
}
