package mcpclient

// This file runs the process of a server that speaks over its standard streams.

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *lines
	errors *tail
	exited chan struct{}
	limit  time.Duration
	mark   string // an entry of its environment that no other process has
	once   sync.Once
}

// BaseEnv is what a program needs to be found and to find its files: PATH and HOME of this process.
func BaseEnv() []string { return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")} }

func start(s Server, limits Limits) (*process, error) {
	cmd := exec.Command(s.Command[0], s.Command[1:]...)
	if cmd.Env = s.Env; s.Env == nil {
		cmd.Env = BaseEnv()
	}
	mark := markName + "=" + rand.Text()
	cmd.Env = append(slices.Clip(cmd.Env), mark)
	cmd.WaitDelay = limits.CloseTimeout
	ownGroup(cmd)
	p := &process{cmd: cmd, mark: mark, errors: &tail{}, exited: make(chan struct{}), limit: limits.CloseTimeout}
	cmd.Stderr = p.errors
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if p.stdin, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("the server %s cannot be started: %w", s.Command[0], err)
	}
	p.stdout = &lines{ReadCloser: stdout, limit: limits.MaxMessageBytes, ended: make(chan struct{})}
	go func() {
		<-p.stdout.ended // Wait closes the pipe, so what stands in it is read first
		cmd.Wait()
		close(p.exited)
	}()
	return p, nil
}

// markName is the variable that marks what a server's process started.
const markName = "CODEMODE_MCP_PROCESS"

// ended reports a process that is gone.
func (p *process) ended() bool {
	select {
	case <-p.exited:
		return true
	case <-p.stdout.ended:
		return true
	default:
		return false
	}
}

// stop closes the input, waits a little, and kills the process with all that it started.
func (p *process) stop() {
	p.once.Do(func() {
		p.stdin.Close()
		select {
		case <-p.exited:
		case <-time.After(p.limit):
		}
		killGroup(p.cmd)
		killMarked(p.mark)
		p.stdout.finish()
		<-p.exited
	})
}

// lines is a process's output. It caps a line in place of the SDK, whose error would tell so in words only,
// and knows when the output has ended.
type lines struct {
	io.ReadCloser
	limit int
	run   int // bytes since the last line break
	long  atomic.Bool
	once  sync.Once
	ended chan struct{}
}

func (l *lines) Read(b []byte) (int, error) {
	n, err := l.ReadCloser.Read(b)
	for rest := b[:n]; ; {
		at := bytes.IndexByte(rest, '\n')
		if at < 0 {
			l.run += len(rest)
			break
		}
		l.run, rest = 0, rest[at+1:]
	}
	if l.run > l.limit {
		l.long.Store(true)
		l.finish()
		return 0, ErrTooLarge
	}
	if err != nil {
		l.finish()
	}
	return n, err
}

func (l *lines) finish() { l.once.Do(func() { close(l.ended) }) }

func (l *lines) tooLong() bool { return l.long.Load() }

// maxTail is how much of a process's standard error is kept.
const maxTail = 2 << 10

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b[max(0, len(b)-maxTail):]...)
	t.text = t.text[max(0, len(t.text)-maxTail):]
	return len(b), nil
}

// String is the text on one line, without control characters.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(string(t.text), ""))
	return strings.Join(strings.Fields(plain), " ")
}
