package worker

// This file holds one worker process: started, spoken to, killed and reaped.

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	goruntime "runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"codemode/runtime"
)

type process struct {
	cmd      *exec.Cmd
	in       *frameWriter
	stdin    io.Closer
	out      *bufio.Reader
	stderr   *headBuffer
	hold     Hold
	confined string

	exited chan struct{} // closed once the process is reaped
	kills  sync.Once
	reaped func()
}

// spawner starts every process from one OS thread that outlives them all: the kernel's "die with the
// parent" means the thread that started the process, and Go ends threads when it likes.
type spawner struct {
	jobs    chan func()
	live    sync.WaitGroup
	outside Outside // nil: nothing is done to them from outside
}

func newSpawner(o Outside) *spawner {
	s := &spawner{jobs: make(chan func()), outside: o}
	go func() {
		goruntime.LockOSThread() // never unlocked: the thread ends with the loop
		for job := range s.jobs {
			job()
		}
	}()
	return s
}

// close ends the thread once the last process is gone; it does not wait for that.
func (s *spawner) close() {
	go func() {
		s.live.Wait()
		close(s.jobs)
	}()
}

// start returns a worker that has said that it is ready.
func (s *spawner) start(argv []string) (*process, error) {
	w, err := s.spawn(argv)
	if err != nil {
		return nil, err
	}
	if err := w.ready(); err != nil {
		w.kill()
		return nil, fmt.Errorf("%w; it wrote: %s", err, w.stderr.text())
	}
	return w, nil
}

// spawn returns a process that has been started.
func (s *spawner) spawn(argv []string) (*process, error) {
	if len(argv) == 0 {
		return nil, errors.New("no command is configured")
	}
	w, err := prepare(argv)
	if err != nil {
		return nil, err
	}
	if w.hold, err = s.enter(w.cmd); err != nil {
		return nil, err
	}
	s.live.Add(1)
	w.reaped = func() { w.hold.Close(); s.live.Done() }
	if err := s.launch(w); err != nil {
		return nil, err
	}
	return w, nil
}

func prepare(argv []string) (*process, error) {
	w := &process{cmd: exec.Command(argv[0], argv[1:]...), stderr: &headBuffer{}, exited: make(chan struct{})}
	stdin, err := w.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	read, write, err := os.Pipe() // not StdoutPipe, which Wait would close under the reader
	if err != nil {
		return nil, err
	}
	w.stdin, w.in, w.out = stdin, newFrameWriter(stdin), bufio.NewReaderSize(read, 64<<10)
	w.cmd.Stdout, w.cmd.Stderr = write, w.stderr
	w.cmd.Env = environment()
	w.cmd.Dir = "/"
	w.cmd.WaitDelay = time.Second
	w.cmd.SysProcAttr = attributes()
	return w, nil
}

// environment is a worker's whole: one thread that computes, so that a script has no more than one core,
// and the bundler loses no time to waking others; no collection of garbage before the worker is ready.
func environment() []string {
	return []string{"GOMAXPROCS=1", "GOGC=off", "GOTRACEBACK=single", "TZ="}
}

// reap waits for the process, then lets the reader see the end of its output.
func (w *process) reap() {
	if write, ok := w.cmd.Stdout.(*os.File); ok {
		if err := write.Close(); err != nil {
			w.stderr.note("close the output pipe: " + err.Error())
		}
	}
	if err := w.cmd.Wait(); err != nil && w.cmd.ProcessState == nil {
		w.stderr.note("wait: " + err.Error())
	}
	w.reaped()
	close(w.exited)
}

// ready waits until the worker says so.
func (w *process) ready() error {
	timeout := time.AfterFunc(startTimeout, w.signal)
	defer timeout.Stop()
	f, err := readFrame(w.out, fromWorker(runtime.Limits{}))
	switch {
	case err != nil:
		return fmt.Errorf("the worker did not get ready: %w", err)
	case f.Kind != kindReady || f.Protocol != protocol:
		return fmt.Errorf("the worker is of another build (protocol %d, not %d)", f.Protocol, protocol)
	}
	w.confined = f.Confined
	return nil
}

func (w *process) alive() bool {
	select {
	case <-w.exited:
		return false
	default:
		return true
	}
}

// kill ends the process and returns when it is reaped.
func (w *process) kill() {
	w.signal()
	<-w.exited
	w.kills.Do(func() {
		if err := w.stdin.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
			w.stderr.note("close the input pipe: " + err.Error())
		}
	})
}

// signal kills the process and all it may have started.
func (w *process) signal() {
	if w.alive() {
		w.hold.Kill()
		killGroup(w.cmd.Process.Pid)
	}
}

// cpu is the CPU time that the process has used, 0 when it cannot be told.
func (w *process) cpu() time.Duration {
	if !w.alive() {
		return 0
	}
	return cpuOf(w.cmd.Process.Pid)
}

// peak is the largest resident size so far, 0 when it cannot be told. The figure that wait gives is
// no better than the size of the process that started it, so this one is read while it lives.
func (w *process) peak() int64 {
	if held := w.hold.Peak(); held > 0 {
		return held
	}
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(w.cmd.Process.Pid) + "/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(raw)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			if err != nil {
				return 0
			}
			return kb << 10
		}
	}
	return 0
}

// headBuffer keeps the first bytes written to it and takes the rest, so that a process that writes
// for ever neither blocks nor fills the service.
type headBuffer struct {
	mu   sync.Mutex
	kept []byte
}

const maxStderr = 8 << 10

func (b *headBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.kept = append(b.kept, p[:min(len(p), maxStderr-len(b.kept))]...)
	return len(p), nil
}

func (b *headBuffer) note(text string) {
	_, _ = b.Write([]byte(text + "\n")) // never fails
}

// text is what was kept, fit for a log: no control characters.
func (b *headBuffer) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return scrub(string(b.kept))
}

func scrub(s string) string {
	s = strings.ToValidUTF8(s, "?")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\n' && r != '\t' || r == 0x7f || r >= 0x80 && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return -1
		}
		return r
	}, s))
}
