package confine

// This file starts processes that are held from outside, and looks at them.

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

const envWait = "CODEMODE_TEST_WAIT" // wait, or fill: memory without end, or threads

// start starts this test's program, or a copy at path, and returns what the kernel says of it.
func start(t *testing.T, o *Outside, path string) (status string, hold *Hold) {
	t.Helper()
	cmd := exec.Command(path)
	cmd.Env, cmd.Dir = []string{envWait + "=wait"}, "/"
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if hold, err = o.Enter(cmd); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("start: %v", err)
	}
	t.Cleanup(func() { in.Close(); cmd.Wait(); hold.Close() })
	if err := hold.Started(cmd.Process.Pid); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatalf("it does not run: %v", err)
	}
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw), hold
}

// copyOf copies this program into a folder of the modes given.
func copyOf(t *testing.T, folder, file os.FileMode) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "closed")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "program")
	if err := os.WriteFile(path, raw, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, file); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, folder); err != nil {
		t.Fatal(err)
	}
	return path
}

// As root, a process gets a user id without rights, also for a program that this user could not find or
// not start.
func TestUserID(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a process another user id")
	}
	for _, c := range []struct{ folder, file os.FileMode }{{0o755, 0o755}, {0o700, 0o755}, {0o700, 0o711}, {0o700, 0o700}} {
		o := NewOutside(OutsideConfig{})
		status, _ := start(t, o, copyOf(t, c.folder, c.file))
		for _, want := range []string{"Uid:\t65534\t65534\t65534\t65534", "Gid:\t65534\t65534\t65534\t65534", "Groups:\t", "CapPrm:\t0000000000000000", "CapEff:\t0000000000000000"} {
			if !slices.Contains(strings.Split(strings.ReplaceAll(status, " \n", "\n"), "\n"), want) {
				t.Errorf("folder %o, file %o: no %q in\n%s", c.folder, c.file, want, status)
			}
		}
		o.Close()
	}
}

// An ordinary user's processes keep its id, and that is said.
func TestNoUserID(t *testing.T) {
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = []string{envWait + "=causes"}
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: Nobody, Gid: Nobody}}
	}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "uid: the service runs as user") {
		t.Errorf("%v %s", err, out)
	}
}

// A group has the limits that it was given, its process, and is gone afterwards.
func TestControlGroup(t *testing.T) {
	o := NewOutside(OutsideConfig{Processes: 50})
	defer o.Close()
	if o.groups == nil {
		t.Skipf("no control groups: %+v", o.Missing())
	}
	var dirs []string
	t.Run("there", func(t *testing.T) {
		status, hold := start(t, o, "/proc/self/exe")
		_, pid, _ := strings.Cut(status, "\nPid:\t")
		pid, _, _ = strings.Cut(pid, "\n")
		if err := hold.LimitMemory(100 << 20); err != nil {
			t.Fatal(err)
		}
		if err := hold.LimitMemory(200 << 20); err != nil {
			t.Fatal(err)
		}
		dirs = hold.dirs
		for _, dir := range dirs {
			if got := content(t, dir, "cgroup.procs"); got != pid {
				t.Errorf("%s holds %q, not %s", dir, got, pid)
			}
		}
		limit := map[bool]string{true: "memory.max", false: "memory.limit_in_bytes"}[hold.unified]
		if got := content(t, hold.memory(), limit); got != fmt.Sprint(200<<20+groupSlack) {
			t.Errorf("memory %s", got)
		}
		if got := content(t, hold.pids(), "pids.max"); got != "50" {
			t.Errorf("processes %s", got)
		}
	})
	for _, dir := range dirs {
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s stays", dir)
		}
	}
}

// What is over the group's limit is killed, though the process set itself none.
func TestControlGroupKills(t *testing.T) {
	o := NewOutside(OutsideConfig{MemoryBytes: 32 << 20})
	defer o.Close()
	if o.groups == nil {
		t.Skipf("no control groups: %+v", o.Missing())
	}
	cmd := exec.Command("/proc/self/exe")
	cmd.Env, cmd.Dir = []string{envWait + "=fill"}, "/"
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	hold, err := o.Enter(cmd)
	if err != nil {
		t.Fatal(err)
	}
	defer hold.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := hold.Started(cmd.Process.Pid); err != nil {
		t.Fatal(err)
	}
	in.Close() // now it may go on
	err = cmd.Wait()
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || !status.Signaled() || status.Signal() != syscall.SIGKILL {
		t.Errorf("it ended otherwise: %v", err)
	}
}

func content(t *testing.T, dir, file string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(raw))
}

// Groups that a killed service left are removed by the next, those of one that lives are not.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	dead := exec.Command("/proc/self/exe")
	dead.Env = []string{envWait + "=causes"}
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	left := filepath.Join(dir, fmt.Sprintf("%s%d-1", groupPrefix, dead.Process.Pid))
	ours := filepath.Join(dir, fmt.Sprintf("%s%d-1", groupPrefix, os.Getpid()))
	other := filepath.Join(dir, "codemode-service")
	for _, d := range []string{left, ours, other} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	(&groups{unified: dir}).sweep()
	for d, want := range map[string]bool{left: false, ours: true, other: true} {
		if _, err := os.Stat(d); (err == nil) != want {
			t.Errorf("%s is there: %v", d, err == nil)
		}
	}
}

func TestGroupFolders(t *testing.T) {
	const hybrid = `24 1 0:20 / /sys/fs/cgroup rw - tmpfs tmpfs rw
25 24 0:21 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory
26 24 0:22 / /sys/fs/cgroup/cpu,pids rw,relatime - cgroup cgroup rw,cpu,pids
27 24 0:23 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
`
	const container = "30 1 0:26 /docker/abc /sys/fs/cgroup ro,nosuid shared:4 - cgroup2 cgroup rw\n"
	for _, c := range []struct {
		mounts, own string
		want        map[string]string
	}{
		{hybrid, "3:cpu,pids:/a\n2:memory:/b/c\n0::/\n", map[string]string{"memory": "/sys/fs/cgroup/memory/b/c", "cpu": "/sys/fs/cgroup/cpu,pids/a", "pids": "/sys/fs/cgroup/cpu,pids/a", "": "/sys/fs/cgroup/unified"}},
		{container, "0::/docker/abc/leaf\n", map[string]string{"": "/sys/fs/cgroup/leaf"}},
		{container, "0::/elsewhere\n", map[string]string{}},
	} {
		got := groupFolders(c.mounts, c.own)
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}

// What is not marked as the service's own to divide is left alone, however writable it is.
func TestUnifiedIsNotTaken(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{"cgroup.controllers": "cpu memory pids\n", "cgroup.subtree_control": "\n"} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if namespaceRoot() {
		if err := os.WriteFile(filepath.Join(dir, "cgroup.controllers"), []byte("cpu\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := findUnified(dir); err == nil {
		t.Errorf("%s was taken", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "cgroup.controllers"), []byte("cpu memory pids\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "cgroup.subtree_control"), []byte("memory pids\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := findUnified(dir); err != nil || got != dir {
		t.Errorf("one that divides already: %q %v", got, err)
	}
}
