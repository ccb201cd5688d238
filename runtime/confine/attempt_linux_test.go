package confine

// This file takes parts out of what locks a process in, and sees that the attempts notice.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	goruntime "runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
)

// What the process of a test does, by the environment it is started with.
const (
	envLock  = "CODEMODE_TEST_LOCK"  // lock, or filter alone
	envAllow = "CODEMODE_TEST_ALLOW" // calls that the filter lets pass as well
	envOpen  = "CODEMODE_TEST_OPEN"  // the weaker list
)

// inner is the process of these tests; the other file's main calls it.
func inner() bool {
	if mode := os.Getenv(envWait); mode != "" {
		wait(mode)
		return true
	}
	mode := os.Getenv(envLock)
	if mode == "" {
		return false
	}
	if err := tryInside(mode); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}

// wait is a process to be looked at, until its input ends.
func wait(mode string) {
	if mode == "causes" {
		for _, c := range NewOutside(OutsideConfig{}).Missing() {
			fmt.Printf("%s: %s\n", c.Name, c.Why)
		}
		return
	}
	fmt.Println("here")
	_, _ = io.Copy(io.Discard, os.Stdin) // until the test has seen enough
	var kept [][]byte
	for i := 0; mode == "fill" && i < 64; i++ { // 1 GiB, which no machine for tests lacks
		kept = append(kept, bytes.Repeat([]byte{1}, 16<<20))
	}
	goruntime.KeepAlive(kept)
}

func tryInside(mode string) error {
	open, allow := os.Getenv(envOpen) != "", strings.Fields(os.Getenv(envAllow))
	os.Clearenv()
	var report Report
	var err error
	switch mode {
	case "lock":
		report, err = Lock(Policy{Open: open, OpenFiles: 64})
	case "filter":
		c := systemCalls(open)
		c.names = append(c.names, allow...)
		c.when = slices.DeleteFunc(c.when, func(n seccomp.NameWithConditions) bool {
			return slices.Contains(allow, n.Name)
		})
		err = filter(c, &report)
	case "none":
	}
	if err != nil && !errors.Is(err, errNotApplied) { // a test that gives sockets back
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(Probe{Report: report, Attempts: Try()})
}

// tried runs the attempts in a process of their own, as the user.
func tried(t *testing.T, user uint32, env ...string) Probe {
	t.Helper()
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = env
	cmd.Stderr = os.Stderr
	if user != uint32(os.Geteuid()) {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}}
	}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var p Probe
	if err := json.Unmarshal(out, &p); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return p
}

// users are those whom a test can be.
func users() []uint32 {
	if os.Geteuid() == 0 {
		return []uint32{0, Nobody}
	}
	return []uint32{uint32(os.Geteuid())}
}

func needsFilter(t *testing.T) {
	t.Helper()
	if !seccomp.Supported() {
		t.Skip("this kernel has no seccomp")
	}
}

func TestEverythingIsHeld(t *testing.T) {
	needsFilter(t)
	for _, user := range users() {
		p := tried(t, user, envLock+"=lock")
		if lost := p.Lost(); len(lost) > 0 || len(p.Attempts) < 20 {
			t.Errorf("user %d: of %d attempts these went through: %q", user, len(p.Attempts), lost)
		}
		if len(p.Report.Missing) > 0 || !p.Report.Enforces("seccomp") {
			t.Errorf("user %d: %s", user, p.Report)
		}
	}
}

// Without a lock the attempts must go through, or they show nothing.
func TestNothingIsHeld(t *testing.T) {
	p := tried(t, uint32(os.Geteuid()), envLock+"=none")
	held := len(p.Attempts) - len(p.Lost())
	if os.Geteuid() == 0 && held > 3 { // containers withhold some: sockets to the host, counters, mounts
		t.Errorf("%d attempts are held by nothing: %+v", held, p.Attempts)
	}
	if !slices.Contains(p.Lost(), "connect over TCP") || !slices.Contains(p.Lost(), "read a file") {
		t.Errorf("%+v", p.Attempts)
	}
}

// Each system call that is let pass again is noticed by its attempts, and by no other.
func TestEachRuleHolds(t *testing.T) {
	needsFilter(t)
	for _, c := range []struct {
		allow string
		want  []string
	}{
		{"openat", []string{"read a file", "list a folder", "write a file"}},
		{"socket", []string{"open a local socket", "open a netlink socket"}},
		{"socket connect", []string{"connect over TCP", "open a local socket", "open a netlink socket"}},
		{"clone", []string{"start a process"}},
		{"execve", []string{"become another program"}},
		{"unshare", []string{"make namespaces"}},
		{"keyctl", []string{"read keys"}},
		{"io_uring_setup", []string{"set up io_uring"}},
		{"memfd_create", []string{"make an anonymous file"}},
		{"mmap", []string{"make memory executable"}},
		{"prlimit64", []string{"change a limit"}},
		{"setresuid", []string{"change the user id"}},
	} {
		plain := tried(t, uint32(os.Geteuid()), envLock+"=none").Lost()
		got := tried(t, uint32(os.Geteuid()), envLock+"=filter", envAllow+"="+c.allow).Lost()
		for _, name := range c.want {
			if slices.Contains(plain, name) && !slices.Contains(got, name) {
				t.Errorf("with %s allowed, %q is held still", c.allow, name)
			}
		}
		if len(got) > len(c.want)+3 {
			t.Errorf("with %s allowed, more goes through than its own: %q", c.allow, got)
		}
	}
}

// A program that may open files gets none of what reaches beyond it.
func TestProgramCalls(t *testing.T) {
	needsFilter(t)
	for _, user := range users() {
		lost := tried(t, user, envLock+"=filter", envOpen+"=1").Lost()
		for _, name := range []string{"connect over TCP", "send over UDP", "open a local socket", "open a netlink socket", "trace a process", "read another process's memory",
			"make namespaces", "change mounts", "read keys", "set up io_uring", "load a BPF program", "open performance counters"} {
			if slices.Contains(lost, name) {
				t.Errorf("user %d: %q goes through", user, name)
			}
		}
		if !slices.Contains(lost, "read a file") || !slices.Contains(lost, "become another program") {
			t.Errorf("user %d: it can't do its work: %q", user, lost)
		}
	}
}

// The names of calls are checked against both architectures: one that is misspelt would be left out.
func TestNamesOfCalls(t *testing.T) {
	for _, name := range slices.Concat(computeCalls().names, withheld) {
		_, amd := arch.X86_64.SyscallNames[name]
		_, arm := arch.AARCH64.SyscallNames[name]
		onlyAMD := []string{"epoll_wait", "iopl", "ioperm", "modify_ldt", "open_tree_attr"}
		if !amd && !arm && !slices.Contains(onlyAMD, name) || amd && !arm && !slices.Contains(onlyAMD, name) {
			t.Errorf("%s: known to amd64 %v, to arm64 %v", name, amd, arm)
		}
	}
	for _, n := range computeCalls().when {
		if _, ok := arch.AARCH64.SyscallNames[n.Name]; !ok {
			t.Errorf("%s is not known to arm64", n.Name)
		}
	}
}
