// Package typecheck is the Checker: it asks the native TypeScript 7 compiler, kept warm in a
// confined child process, what a script gets wrong, and sorts the answers into what would misuse
// the granted capabilities and what is only loose local code.
//
//	compiler, err := typecheck.Find(typecheck.FindConfig{})
//	...
//	checker, err := typecheck.New(typecheck.Config{Compiler: compiler})
//	...
//	defer checker.Close()
//	diagnostics, err := checker.Check(ctx, runtime.CheckRequest{Mode: runtime.CheckTools, ...})
//
// What blocks a run is decided in one table, in rule.go. The compiler sees a file system made of
// memory (filesystem.go): the script, its declarations, those of prepared packages, and the compiler's
// own lib.*.d.ts files.
//
// It does not run anything, does not decide authority (a script that fools it, say with
// @ts-ignore, which it honours as tsc does, still meets the Gate at every call), and does not
// confine the child by itself beyond memory, environment and descriptors: Config.Launcher does.
package typecheck

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"codemode/runtime"
	"codemode/runtime/accept"
)

// Config says how scripts are checked.
type Config struct {
	// Compiler is the compiler to use, from Find or Provision; required.
	Compiler Compiler
	// Launcher is an argv prefix that confines the child and executes the rest of its arguments;
	// empty starts the compiler directly.
	Launcher []string
	// Deadline bounds one check, the start of a process included; 0 means 10 s.
	Deadline time.Duration
	// MemoryBytes caps a compiler process's data segment (Linux), three quarters of it are its soft
	// limit; 0 means 512 MiB.
	MemoryBytes int64
	// Processes is how many compilers may run at once, one check each; 0 means 1.
	Processes int
	// Library replaces the compiler's ES2023 library by these ambient .d.ts files by name; empty
	// means the compiler's own, without the DOM.
	Library map[string]string
	// Packages are the prepared packages that scripts may import; their declarations are seen, nothing of
	// their code. None when nil.
	Packages accept.Packages
	// MaxDiagnostics caps what one check returns, errors before warnings; 0 means 20.
	MaxDiagnostics int
}

// Checker implements runtime.Checker. It is safe for concurrent use; further checks wait.
type Checker struct {
	cfg      Config
	lib      *library
	packages *packages
	slots    chan struct{}

	mu     sync.Mutex
	idle   []*process // least recently used first
	live   map[*process]bool
	closed bool
}

var _ runtime.Checker = (*Checker)(nil)

// maxChecks is after how many scripts a process is replaced, so that nothing adds up in it.
const maxChecks = 2000

// New returns a checker. No process is started before the first check. It fails with Unavailable
// when the compiler's library is not beside it.
func New(cfg Config) (*Checker, error) {
	cfg.Deadline = cmp.Or(cfg.Deadline, 10*time.Second)
	cfg.MemoryBytes = cmp.Or(cfg.MemoryBytes, 512<<20)
	cfg.Processes = cmp.Or(cfg.Processes, 1)
	cfg.MaxDiagnostics = cmp.Or(cfg.MaxDiagnostics, 20)
	for name := range cfg.Library {
		if !plainName(name) {
			return nil, runtime.Errorf(runtime.InvalidArgument, "the library file name %q is no plain relative path", clip(name, 80))
		}
	}
	path, err := filepath.EvalSymlinks(cfg.Compiler.Path)
	if err != nil {
		return nil, unavailable(err)
	}
	cfg.Compiler.Path = path
	lib, err := openLibrary(filepath.Dir(path))
	if err != nil {
		return nil, unavailable(err)
	}
	return &Checker{cfg: cfg, lib: lib, packages: newPackages(cfg.Packages), slots: make(chan struct{}, cfg.Processes), live: map[*process]bool{}}, nil
}

func unavailable(err error) *runtime.Error {
	return runtime.Errorf(runtime.Unavailable, "the type checker cannot be started").
		WithHint("install npm package typescript@%s, or run with --check=off", Version).WithCause(err)
}

// Close ends all compiler processes. A check under way fails with Cancelled.
func (c *Checker) Close() error {
	c.mu.Lock()
	c.closed = true
	processes := c.live
	c.live, c.idle = map[*process]bool{}, nil
	c.mu.Unlock()
	for p := range processes {
		p.kill()
	}
	return nil
}

// Check type-checks the script. Besides Unavailable and Timeout it returns InvalidArgument for a
// request that is none, CheckFailed when the compiler died of the script, Cancelled when ctx was
// cancelled, and Internal when the declarations themselves do not compile.
func (c *Checker) Check(ctx context.Context, req runtime.CheckRequest) ([]runtime.Diagnostic, error) {
	switch req.Mode {
	case runtime.CheckOff:
		return nil, nil
	case runtime.CheckTools, runtime.CheckStrict:
	default:
		return nil, runtime.Errorf(runtime.InvalidArgument, "unknown check mode %q", clip(string(req.Mode), 40)).WithHint("use tools, strict or off")
	}
	req.Script = ownFiles(req.Script)
	if err := admit(req); err != nil {
		return nil, err
	}
	reach := accept.NewReach(req.Script, c.cfg.Packages)
	refused := reach.Refused()
	found, err := c.queue(ctx, req)
	if err != nil && (len(refused) == 0 || ctx.Err() != nil) {
		return nil, err
	}
	return join(append(refused, reach.Untyped()...), found, req.Script.Files, c.cfg.MaxDiagnostics), nil
}

// queue waits for a slot to check in.
func (c *Checker) queue(ctx context.Context, req runtime.CheckRequest) ([]runtime.Diagnostic, error) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return nil, c.ended(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Deadline)
	defer cancel()
	return c.check(ctx, req)
}

// check runs in a slot. A process that was idle may have died meanwhile, so its failure is tried
// again in the next; that of a new process counts.
func (c *Checker) check(ctx context.Context, req runtime.CheckRequest) ([]runtime.Diagnostic, error) {
	for {
		p, err := c.acquire(req)
		if err != nil {
			return nil, err
		}
		used := p.checks > 0
		out, err := c.checkIn(ctx, p, req)
		if err == nil {
			return out, nil
		}
		if err = c.explain(ctx, p, err); !used || ctx.Err() != nil || runtime.AsError(err).Code != runtime.CheckFailed {
			return nil, err
		}
	}
}

// checkIn checks in the process, and keeps it for the next check if that went well.
func (c *Checker) checkIn(ctx context.Context, p *process, req runtime.CheckRequest) ([]runtime.Diagnostic, error) {
	stop := context.AfterFunc(ctx, p.kill)
	out, err := c.examine(ctx, p, req)
	if p.checks++; stop() && err == nil && p.checks < maxChecks {
		c.keep(p)
	} else {
		c.drop(p)
	}
	return out, err
}

// acquire returns a process that knows the request's declarations, an idle one if there is.
func (c *Checker) acquire(req runtime.CheckRequest) (*process, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, runtime.Errorf(runtime.Cancelled, "the type checker is closed")
	}
	if i := slices.IndexFunc(c.idle, func(p *process) bool { return p.set == req.Set }); i >= 0 {
		p := c.idle[i]
		c.idle = slices.Delete(c.idle, i, i+1)
		return p, nil
	}
	if len(c.idle) > 0 && len(c.live) >= c.cfg.Processes {
		old := c.idle[0]
		c.idle = c.idle[1:]
		delete(c.live, old)
		old.kill()
	}
	p, err := spawn(c.cfg, c.lib, c.packages)
	if err != nil {
		return nil, unavailable(err)
	}
	p.set = req.Set
	p.declare(req.Declarations, c.cfg.Library)
	c.live[p] = true
	return p, nil
}

func (c *Checker) keep(p *process) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.live[p] {
		c.idle = append(c.idle, p)
	}
}

func (c *Checker) drop(p *process) {
	c.mu.Lock()
	delete(c.live, p)
	c.mu.Unlock()
	p.kill()
}

// ended is the error of a context that is over.
func (c *Checker) ended(ctx context.Context) *runtime.Error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return runtime.Errorf(runtime.Cancelled, "the type check was cancelled").WithCause(context.Cause(ctx))
	}
	return runtime.Errorf(runtime.Timeout, "the script takes too long to type-check").
		WithHint("take out deeply nested literals and computed types, or split the script").WithCause(context.Cause(ctx))
}

// explain turns a failed conversation into what the caller is told.
func (c *Checker) explain(ctx context.Context, p *process, err error) error {
	var own *runtime.Error
	c.mu.Lock()
	closed := c.closed
	c.mu.Unlock()
	switch {
	case errors.As(err, &own):
		return own
	case closed:
		return runtime.Errorf(runtime.Cancelled, "the type checker is closed")
	case !p.ready && !errors.Is(ctx.Err(), context.Canceled):
		return unavailable(fmt.Errorf("%w: %s", err, p.stderr))
	case ctx.Err() != nil:
		return c.ended(ctx)
	}
	message := "the type checker could not cope with the script"
	if p.outOfMemory() {
		message = fmt.Sprintf("the script needs more than %d MiB to type-check", c.cfg.MemoryBytes>>20)
	}
	return runtime.Errorf(runtime.CheckFailed, "%s", message).
		WithHint("take out deeply nested literals and computed types").WithCause(fmt.Errorf("%w: %s", err, p.stderr))
}
