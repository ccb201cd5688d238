//go:build linux

package confine_test

// This file locks processes in, this test's binary started again, and lets them try what they lost.

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"codemode/runtime/confine"
)

const childArg = "-confined="

func TestMain(m *testing.M) {
	if confine.Inner() {
		return
	}
	for i, a := range os.Args[1:] {
		if mode, ok := strings.CutPrefix(a, childArg); ok {
			if err := child(mode, os.Args[i+2:]); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		}
	}
	os.Exit(m.Run())
}

// child does what its mode says and writes one line for each thing it tried.
func child(mode string, args []string) error {
	switch mode {
	case "lock":
		report, err := confine.Lock(confine.Policy{Open: true, Read: args[:1], OpenFiles: 64, MemoryBytes: 1 << 30})
		if err != nil {
			return err
		}
		fmt.Println("report", report)
		probe(args[0], args[1], args[2])
	case "exec":
		policy := confine.Policy{Read: args[:1], OpenFiles: 64, MemoryBytes: 1 << 30}
		return confine.Exec(policy, append([]string{args[1]}, args[2:]...), []string{"A=b"}, func(r confine.Report) { fmt.Println("report", r) })
	case "probe":
		fmt.Println("environment", os.Environ())
		probe(args[0], args[1], args[2])
	case "close":
		if err := confine.CloseInherited(); err != nil {
			return err
		}
		descriptors()
	}
	return nil
}

func probe(allowed, forbidden, address string) {
	_, err := os.ReadFile(filepath.Join(allowed, "file"))
	fmt.Println("allowed", err == nil)
	_, err = os.ReadFile(forbidden)
	fmt.Println("forbidden", denied(err))
	_, err = os.ReadDir(filepath.Dir(forbidden))
	fmt.Println("listing", denied(err))
	fmt.Println("writing", denied(os.WriteFile(filepath.Join(allowed, "new"), nil, 0o600)))
	_, err = net.Dial("tcp", address)
	fmt.Println("network", denied(err))
	fmt.Println("starting", denied(exec.Command("/bin/true").Run()))
	status, err := os.ReadFile("/proc/self/status")
	fmt.Println("proc", denied(err), len(status))
	descriptors()
	for name, resource := range map[string]int{"core": syscall.RLIMIT_CORE, "fsize": syscall.RLIMIT_FSIZE, "data": syscall.RLIMIT_DATA, "nofile": syscall.RLIMIT_NOFILE} {
		var l syscall.Rlimit
		if err := syscall.Getrlimit(resource, &l); err != nil {
			fmt.Println(name, err)
		}
		fmt.Println(name, l.Cur, l.Max)
	}
}

func denied(err error) bool {
	return errors.Is(err, syscall.EACCES) || errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EXDEV)
}

// descriptors tells whether any but the first three, and those of Go's own poller, are open.
func descriptors() {
	extra := 0
	for fd := 3; fd < 64; fd++ {
		var st syscall.Stat_t
		if syscall.Fstat(fd, &st) == nil && st.Mode&syscall.S_IFMT != 0 {
			extra++
		}
	}
	fmt.Println("descriptors", extra)
}

func start(t *testing.T, extra *os.File, args ...string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	if extra != nil {
		cmd.ExtraFiles = []*os.File{extra, extra}
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

// paths returns a directory to allow, a canary beside it and an address that listens.
func paths(t *testing.T) (allowed, forbidden, address string) {
	t.Helper()
	dir := t.TempDir()
	allowed, forbidden = filepath.Join(dir, "allowed"), filepath.Join(dir, "canary")
	if err := os.Mkdir(allowed, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(allowed, "file"), forbidden} {
		if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return allowed, forbidden, l.Addr().String()
}

func wants(t *testing.T, out string, lines ...string) {
	t.Helper()
	if strings.Contains(out, "missing: files") {
		t.Skip("this kernel has no Landlock: " + out)
	}
	for _, line := range lines {
		if !strings.Contains("\n"+out, "\n"+line+"\n") {
			t.Errorf("lacks %q:\n%s", line, out)
		}
	}
}

var lost = []string{"allowed true", "forbidden true", "listing true", "writing true", "network true", "starting true", "proc true 0",
	"core 0 0", "fsize 0 0", "data 1073741824 1073741824", "nofile 64 64"}

func TestLock(t *testing.T) {
	allowed, forbidden, address := paths(t)
	out := start(t, nil, childArg+"lock", allowed, forbidden, address)
	wants(t, out, lost...)
	if !strings.Contains(out, "no_new_privs capabilities open_files core file_size memory seccomp") {
		t.Errorf("report: %s", out)
	}
}

func TestExec(t *testing.T) {
	allowed, forbidden, address := paths(t)
	// Built without C, since the policy hides shared libraries; a binary with the race detector needs some.
	program := filepath.Join(allowed, "program")
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	secret, err := os.Open(forbidden)
	if err != nil {
		t.Fatal(err)
	}
	defer secret.Close()
	out := start(t, secret, childArg+"exec", allowed, program, childArg+"probe", allowed, forbidden, address)
	wants(t, out, append(lost, "environment [A=b]", "descriptors 0")...)
}

func TestCloseInherited(t *testing.T) {
	_, forbidden, _ := paths(t)
	secret, err := os.Open(forbidden)
	if err != nil {
		t.Fatal(err)
	}
	defer secret.Close()
	wants(t, start(t, secret, childArg+"close"), "descriptors 0")
}

func TestPathThatIsNone(t *testing.T) {
	if _, err := confine.Lock(confine.Policy{Read: []string{"/nonexistent/dir"}, OpenFiles: 64}); err == nil || !strings.Contains(err.Error(), "/nonexistent/dir") {
		t.Errorf("%v", err)
	}
}

func TestReportString(t *testing.T) {
	r := confine.Report{LandlockABI: 7, Enforced: []string{"files"}, Missing: []string{"udp"}}
	if got, want := r.String(), "landlock 7; enforced: files; missing: udp"; got != want {
		t.Errorf("%q", got)
	}
	if r.Enforces("udp") || !r.Enforces("files") {
		t.Error("Enforces does not say what the lists say")
	}
	if got := (confine.Report{}).String(); got != "landlock 0; enforced: nothing" {
		t.Errorf("%q", got)
	}
}
