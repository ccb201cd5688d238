//go:build linux

package typecheck

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"codemode/runtime"
)

// TestConfinement looks at the child from outside: nothing of ours is in it.
func TestConfinement(t *testing.T) {
	t.Setenv("CODEMODE_CANARY", "secret")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if _, err := unix.FcntlInt(w.Fd(), unix.F_SETFD, 0); err != nil { // as an inherited one is
		t.Fatal(err)
	}
	leak, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", w.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	c := open(t, Config{MemoryBytes: 300 << 20})
	check(t, c, requestFor(t, runtime.CheckTools, "export default 1;"))
	p := c.idle[0]

	if env := readFile(t, proc(p.pid, "environ")); env != fmt.Sprintf("GOMEMLIMIT=%d\x00", 300<<20/4*3) {
		t.Errorf("environment %q", env)
	}
	fds, err := filepath.Glob(proc(p.pid, "fd/*"))
	if err != nil || len(fds) < 3 {
		t.Fatal(fds, err)
	}
	for _, fd := range fds {
		if to, err := os.Readlink(fd); err == nil && to == leak {
			t.Errorf("descriptor %s is ours", fd)
		}
	}
	cwd, err := os.Readlink(proc(p.pid, "cwd"))
	if err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(cwd); err != nil || len(entries) != 0 {
		t.Errorf("working directory %s: %v, %v", cwd, entries, err)
	}
	if limits := readFile(t, proc(p.pid, "limits")); !strings.Contains(strings.Join(strings.Fields(limits), " "), fmt.Sprintf("Max data size %d %d", 300<<20, 300<<20)) {
		t.Errorf("limits:\n%s", limits)
	}
	if group, err := syscall.Getpgid(p.pid); err != nil || group != p.pid {
		t.Errorf("process group %d of %d, %v", group, p.pid, err)
	}
	c.Close()
	if _, err := os.Stat(cwd); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its folder stays: %v", err)
	}
}

func proc(pid int, name string) string { return fmt.Sprintf("/proc/%d/%s", pid, name) }

// TestLauncher holds that the launcher runs the compiler, and that its whole family is ended.
func TestLauncher(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "pid")
	c := open(t, Config{Launcher: []string{"/bin/sh", "-c", `/bin/sleep 1000 & echo $! > ` + mark + `; exec "$@"`, "--"}})
	check(t, c, requestFor(t, runtime.CheckTools, "export default 1;"))
	kin, err := strconv.Atoi(strings.TrimSpace(readFile(t, mark)))
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	waitUntil(t, func() bool { return gone(kin) })
}

// gone says whether the process is no more, or only its entry is.
func gone(pid int) bool {
	raw, err := os.ReadFile(proc(pid, "stat"))
	return err != nil || strings.Contains(string(raw), ") Z ")
}

// TestNoCompiler holds that what does not start, does not answer, or is none, is Unavailable.
func TestNoCompiler(t *testing.T) {
	for name, launcher := range map[string][]string{
		"missing": {"/nonexistent"},
		"exits":   {"/bin/false"},
		"chatter": {"/bin/echo", "hello"},
		"mute":    {"/bin/sh", "-c", "exec /bin/sleep 1000"},
		"echo":    {"/bin/sh", "-c", "exec /bin/cat"},
	} {
		t.Run(name, func(t *testing.T) {
			c := open(t, Config{Launcher: launcher, Deadline: 300 * time.Millisecond})
			_, err := c.Check(t.Context(), requestFor(t, runtime.CheckTools, "export default 1;"))
			if e := runtime.AsError(err); e.Code != runtime.Unavailable || !strings.Contains(e.Hint, "--check=off") {
				t.Errorf("error %v (%v)", err, e.Cause)
			}
		})
	}
}

// TestCrash holds that the death of the compiler between and during checks is overcome.
func TestCrash(t *testing.T) {
	c := open(t, Config{})
	req := requestFor(t, runtime.CheckTools, "export default tools.crm.nope;")
	check(t, c, req)
	dead := c.idle[0].pid
	if err := syscall.Kill(dead, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if got := check(t, c, req); len(got) != 1 || c.idle[0].pid == dead {
		t.Errorf("%+v in process %d after %d", got, c.idle[0].pid, dead)
	}
}

// TestMemory holds that a script which needs too much memory ends its compiler and not more, and is
// told so in whichever way the compiler dies: where the limit falls decides that.
func TestMemory(t *testing.T) {
	var b strings.Builder
	b.WriteString("type D = 0|1|2|3|4|5|6|7|8|9;\n")
	for i := range 400 {
		fmt.Fprintf(&b, "let v%d: `x%d${D}${D}${D}${D}` = 'x%d0000';\n", i, i, i)
	}
	for mib := int64(120); mib < 280; mib += 20 {
		c := open(t, Config{MemoryBytes: mib << 20, Deadline: 60 * time.Second})
		_, err := c.Check(t.Context(), requestFor(t, runtime.CheckTools, b.String()))
		want := fmt.Sprintf("the script needs more than %d MiB to type-check", mib)
		if e := runtime.AsError(err); e.Code != runtime.CheckFailed || e.Message != want {
			t.Errorf("error %v (%v)", err, e.Cause)
		}
		check(t, c, requestFor(t, runtime.CheckTools, "export default 1;"))
	}
}

// TestParentDeath holds that no compiler outlives the process that started it, however that ends.
func TestParentDeath(t *testing.T) {
	const mark = "CODEMODE_TEST_PARENT"
	if os.Getenv(mark) != "" {
		c := open(t, Config{})
		check(t, c, requestFor(t, runtime.CheckTools, "export default 1;"))
		fmt.Printf("child %d\n", c.idle[0].pid)
		select {}
	}
	compiler(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestParentDeath$", "-test.v")
	cmd.Env = append(os.Environ(), mark+"=1", "TMPDIR="+t.TempDir())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	for pid == 0 {
		var word string
		if _, err := fmt.Fscan(out, &word); err != nil {
			t.Fatal(err)
		}
		if word == "child" {
			if _, err := fmt.Fscan(out, &pid); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait() // killed: the error says so
	waitUntil(t, func() bool { return gone(pid) })
}
