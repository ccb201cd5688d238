// Package worker runs each script in a process of its own, that holds one VM for one run and is
// killed and reaped after it, whatever the script did.
//
//	pool := worker.New(worker.Config{Command: []string{"/usr/lib/codemode/codemode-worker"}})
//	defer pool.Close()
//	outcome, err := pool.Run(ctx, program, host)
//
// The process is started before it is needed, warmed and locked in; it has no environment, no
// descriptor but its three pipes, and a process group of its own. It talks in frames (frame.go). It
// is believed nothing: every frame is capped, counted against the run's limits and checked, and one
// that a worker of this build would not send ends the run. A script that runs past its wall or CPU time
// is interrupted inside the process, and the process is killed a moment later if that did not help.
//
// The host decides in which order calls settle; the worker takes settlements in the order of the pipe. A
// script that can only go on with calls that wait for a person is suspended: the worker says so, and the
// service agrees unless one of them has settled meanwhile.
//
// The package declares the two parts that a worker process is made of, Bundler and Engine; the
// process's main wires them. It does not authorise calls, and keeps no journal.
package worker

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"codemode/runtime"
)

const (
	// startTimeout bounds how long a worker may take until it is ready.
	startTimeout = 10 * time.Second
	// grace is how long a script may take to notice that its time is over.
	grace = 300 * time.Millisecond
	// refillAfter is how long a run has the machine to itself, and its end as well, before the worker that
	// takes the place of its own is started: a start takes more than most scripts.
	refillAfter = 10 * time.Millisecond
)

// Config says how workers are started.
type Config struct {
	// Command is the argv of a process that calls Serve.
	Command []string
	// Idle is how many unused workers are kept ready; 0 means 2, a negative number none.
	Idle int
	// Once is for a service that runs one script: no worker takes the place of one that was taken.
	Once bool
}

// Pool starts workers. Its methods may be called concurrently.
type Pool struct {
	config  Config
	spawner *spawner

	mu       sync.Mutex
	calm     sync.Cond // told when busy has become 0
	idle     []*process
	pending  int // workers that are being started to be idle
	busy     int // workers that are being started or taken back
	closed   bool
	confined string
}

var _ runtime.Workers = (*Pool)(nil)

// New returns a pool and begins to start its first workers.
func New(c Config) *Pool { return NewOutside(c, nil) }

// NewOutside is New for workers that are held from outside as well; nil holds them by nothing.
func NewOutside(c Config, o Outside) *Pool {
	switch {
	case c.Once:
		c.Idle = 1
	case c.Idle == 0:
		c.Idle = 2
	}
	p := &Pool{config: c, spawner: newSpawner(o)}
	p.calm.L = &p.mu
	p.refill()
	return p
}

// Close kills the unused workers, and returns once these and those of ended runs are reaped. Runs under
// way end by their own context; Close does not wait for them, and a later Run returns Unavailable.
func (p *Pool) Close() error {
	p.mu.Lock()
	idle := p.idle
	closed := p.closed
	p.idle, p.closed = nil, true
	p.mu.Unlock()
	if closed {
		return nil
	}
	for _, w := range idle {
		w.kill()
	}
	p.waitCalm()
	p.spawner.close() // nothing more is started: what begins to start looks at closed first
	return nil
}

// WaitIdle returns when no worker is being started or taken back: a run that comes now has the machine to
// itself.
func (p *Pool) WaitIdle() {
	if !p.config.Once {
		p.refill()
	}
	p.waitCalm()
}

func (p *Pool) waitCalm() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.busy > 0 {
		p.calm.Wait()
	}
}

// rest says that a worker is no longer being started or taken back.
func (p *Pool) rest() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.busy--; p.busy == 0 {
		p.calm.Broadcast()
	}
}

// Confined says how the last started worker reported to be locked in, "" before the first.
func (p *Pool) Confined() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.confined
}

// Run runs the program in a fresh worker.
func (p *Pool) Run(ctx context.Context, prog runtime.Program, host runtime.Host) (runtime.Outcome, error) {
	prog.Limits = prog.Limits.WithDefaults()
	prog.Limits.MemoryBytes = max(prog.Limits.MemoryBytes, runtime.LeastMemory)
	w, err := p.take(ctx)
	if err != nil {
		return runtime.Outcome{}, err
	}
	defer p.refillSoon()
	if err := w.hold.LimitMemory(prog.Limits.MemoryBytes); err != nil {
		w.kill()
		return runtime.Outcome{}, runtime.Errorf(runtime.Unavailable, "the worker's memory can't be limited").
			WithHint("codemode doctor says what this machine enforces").WithCause(err)
	}
	x := &exchange{w: w, p: prog, host: host, started: time.Now(), warmed: w.cpu(), calls: newServed()}
	out := x.run(ctx)
	p.reap(w)
	return out, nil
}

// reap takes a killed process back, in the background.
func (p *Pool) reap(w *process) {
	p.mu.Lock()
	p.busy++
	p.mu.Unlock()
	go func() {
		defer p.rest()
		w.kill()
	}()
}

// take returns an unused worker that is alive.
func (p *Pool) take(ctx context.Context) (*process, error) {
	for {
		w, err := p.unused()
		switch {
		case err != nil:
			return nil, err
		case w == nil:
			defer p.rest()
			if err := ctx.Err(); err != nil {
				return nil, runtime.Errorf(runtime.Cancelled, "the run was cancelled before it began").WithCause(err)
			}
			return p.start()
		case w.alive():
			return w, nil
		}
		w.kill()
	}
}

// unused returns a worker of the reserve. If there is none, the pool counts as busy with the start of one,
// which the caller then makes.
func (p *Pool) unused() (*process, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, runtime.Errorf(runtime.Unavailable, "the pool of workers is closed")
	}
	n := len(p.idle)
	if n <= 1 {
		p.refillSoon()
	}
	if n == 0 {
		p.busy++
		return nil, nil
	}
	w := p.idle[n-1]
	p.idle = p.idle[:n-1]
	return w, nil
}

func (p *Pool) start() (*process, error) {
	w, err := p.spawner.start(p.config.Command)
	if err != nil {
		return nil, runtime.Errorf(runtime.Unavailable, "the worker process cannot be started").
			WithHint("see that codemode-worker stands beside codemode or on the PATH").WithCause(err)
	}
	p.mu.Lock()
	p.confined = w.confined
	p.mu.Unlock()
	return w, nil
}

func (p *Pool) refillSoon() {
	if !p.config.Once {
		time.AfterFunc(refillAfter, p.refill)
	}
}

// refill starts as many workers as are missing, in the background. A start that fails is left to the
// next Run, which starts its own and reports why.
func (p *Pool) refill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for !p.closed && len(p.idle)+p.pending < p.config.Idle {
		p.pending++
		p.busy++
		go p.startIdle()
	}
}

func (p *Pool) startIdle() {
	defer p.rest()
	w, err := p.start()
	p.mu.Lock()
	p.pending--
	closed := p.closed
	if err == nil && !closed {
		p.idle = append(p.idle, w)
	}
	p.mu.Unlock()
	if err == nil && closed {
		w.kill()
	}
}

var errProtocol = errors.New("the worker broke the protocol")

func broken(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errProtocol, fmt.Sprintf(format, args...))
}
