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
	stderr *tail
	once   sync.Once
	exited chan struct{}
}

// spawn starts a compiler. Its environment holds only the soft limit of its memory, its folder is
// empty and its own, and the descriptors are the three pipes.
func spawn(cfg Config, lib *library) (*process, error) {
	dir, err := os.MkdirTemp("", "codemode-check-")
	if err != nil {
		return nil, err
	}
	argv := append(append([]string{}, cfg.Launcher...), cfg.Compiler.Path,
		"--api", "--async", "--cwd", rootDir, "--callbacks", strings.Join(callbacks, ","))
	p := &process{dir: dir, stderr: &tail{}, exited: make(chan struct{}), fs: newFileSystem(lib)}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = dir
	cmd.Env = []string{fmt.Sprintf("GOMEMLIMIT=%d", cfg.MemoryBytes/4*3)}
	cmd.Stderr = p.stderr
	cmd.SysProcAttr = ownGroup()
	cmd.WaitDelay = time.Second // for a launcher whose child escaped the group and holds the pipes
	in, out, err := pipes(cmd)
	if err == nil {
		err = p.launch(cmd, cfg.MemoryBytes)
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
func (p *process) launch(cmd *exec.Cmd, memory int64) error {
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
		started <- limitMemory(p.pid, memory)
		cmd.Wait() // how it ended does not matter: whoever talks to it sees the pipes close
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

// tail keeps the last bytes of what the compiler says on standard error, for the private cause.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

const tailBytes = 2 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	// The first lines of a crash name it; the goroutines after them do not.
	if room := tailBytes - len(t.buf); room > 0 {
		t.buf = append(t.buf, b[:min(room, len(b))]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(t.buf))
}

// outOfMemory says whether the compiler died for want of memory, as far as it could say so.
func (p *process) outOfMemory() bool {
	s := p.stderr.String()
	return strings.Contains(s, "out of memory") || strings.Contains(s, "cannot allocate memory") ||
		strings.Contains(s, "runtime: cannot allocate")
}

func killGroup(pid int) { syscall.Kill(-pid, syscall.SIGKILL) }
