package typecheck

// This file holds the compiler's process: started with nothing of ours in it, ended with all its kin.

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	goruntime "runtime"
	"strings"
	"sync"
	"syscall"
	"time"
)

// process is one running compiler that knows one set of declarations.
type process struct {
	set     string
	conn    *conn
	fs      *fileSystem
	project project
	ready   bool // it has answered once
	checks  int

	pid    int
	dir    string
	stderr *head
	memory int64 // its limit in bytes
	peak   int64 // the most it held in bytes, known once it has exited; 0 where the system does not say
	once   sync.Once
	exited chan struct{}
}

// spawn starts a compiler. Its environment holds only the soft limit of its memory, its folder is
// empty and its own, and the descriptors are the three pipes.
func spawn(cfg Config, lib *library, packages *packages) (*process, error) {
	dir, err := os.MkdirTemp("", "codemode-check-")
	if err != nil {
		return nil, err
	}
	argv := append(append([]string{}, cfg.Launcher...), cfg.Compiler.Path,
		"--api", "--async", "--cwd", rootDir, "--callbacks", strings.Join(callbacks, ","))
	p := &process{dir: dir, stderr: &head{}, memory: cfg.MemoryBytes, exited: make(chan struct{}), fs: newFileSystem(lib, packages)}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = dir
	cmd.Env = []string{fmt.Sprintf("GOMEMLIMIT=%d", cfg.MemoryBytes/4*3)}
	cmd.Stderr = p.stderr
	cmd.SysProcAttr = ownGroup()
	cmd.WaitDelay = time.Second // for a launcher whose child escaped the group and holds the pipes
	in, out, err := pipes(cmd)
	if err == nil {
		err = p.launch(cmd)
	}
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	p.conn = newConn(out, in, p.fs)
	return p, nil
}

func pipes(cmd *exec.Cmd) (io.WriteCloser, io.ReadCloser, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	out, err := cmd.StdoutPipe()
	return in, out, err
}

// launch starts the command on an OS thread that stays until the process ended: a parent death
// signal is sent when the thread that started the process dies, not the whole parent.
func (p *process) launch(cmd *exec.Cmd) error {
	started := make(chan error)
	go func() {
		goruntime.LockOSThread()
		defer goruntime.UnlockOSThread()
		sealDescriptors()
		if err := cmd.Start(); err != nil {
			started <- err
			return
		}
		p.pid = cmd.Process.Pid
		started <- limitMemory(p.pid, p.memory)
		cmd.Wait() // how it ended does not matter: whoever talks to it sees the pipes close
		p.peak = peakMemory(cmd.ProcessState)
		killGroup(p.pid)
		os.RemoveAll(p.dir)
		close(p.exited)
	}()
	err := <-started
	if err != nil && p.pid != 0 {
		p.kill()
	}
	return err
}

// kill ends the process with its whole group and waits until it is gone.
func (p *process) kill() {
	p.once.Do(func() {
		select {
		case <-p.exited: // the id may be another's by now
		default:
			killGroup(p.pid)
		}
	})
	<-p.exited
}

// head keeps the first bytes of what the compiler says on standard error, for the private cause: the
// first lines of a crash name it, the goroutines after them do not.
type head struct {
	mu  sync.Mutex
	buf []byte
}

const headBytes = 2 << 10

func (h *head) Write(b []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if room := headBytes - len(h.buf); room > 0 {
		h.buf = append(h.buf, b[:min(room, len(b))]...)
	}
	return len(b), nil
}

func (h *head) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return string(bytes.TrimSpace(h.buf))
}

// outOfMemory says whether the compiler, which has exited, died for want of memory. Mostly it says
// so. About one death in ten is a segmentation fault instead, where Go's collector uses memory that
// it was refused; so a crash with half the limit in use counts too: the heap grows in arenas of
// 64 MiB, so the one refused may be that far ahead of what is in use.
func (p *process) outOfMemory() bool {
	s := p.stderr.String()
	return strings.Contains(s, "out of memory") || strings.Contains(s, "cannot allocate memory") ||
		strings.Contains(s, "SIGSEGV") && p.peak >= p.memory/2
}

func killGroup(pid int) { syscall.Kill(-pid, syscall.SIGKILL) }
