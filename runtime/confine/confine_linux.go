package confine

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"github.com/landlock-lsm/go-landlock/landlock"
	landlocksys "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
	"kernel.org/pub/linux/libs/security/libcap/psx"
)

// Lock applies the policy to every thread of the process. An error means that the process must not
// go on: a path of the policy does not exist, or the kernel refused what it offers.
func Lock(p Policy) (Report, error) {
	r, err := lock(p)
	if err != nil {
		return r, err
	}
	if err := filter(systemCalls(p.Open), &r); err != nil { // last: it forbids the calls that the others take
		return r, err
	}
	if r.Enforces("seccomp") {
		r.cover("tcp", "udp")
		if !p.Open {
			r.cover("files", "signals")
		}
	}
	return r, nil
}

// lock applies all but the filter of system calls.
func lock(p Policy) (Report, error) {
	var r Report
	startPoller()
	rules, err := rules(p.Read)
	if err != nil {
		return r, err
	}
	if err := landlock.V11.BestEffort().Restrict(rules...); err != nil {
		return r, fmt.Errorf("confine: landlock: %w", err)
	}
	if abi, err := landlocksys.LandlockGetABIVersion(); err == nil {
		r.LandlockABI = abi
	}
	// The versions that brought each right: see the kernel's landlock documentation.
	r.note("files", r.LandlockABI >= 1)
	r.note("tcp", r.LandlockABI >= 4)
	r.note("signals", r.LandlockABI >= 6)
	r.note("udp", r.LandlockABI >= 10)
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return r, fmt.Errorf("confine: no_new_privs: %w", err)
	}
	r.note("no_new_privs", true)
	if err := dropCapabilities(p.Open); err != nil {
		return r, err
	}
	r.note("capabilities", true)
	err = limit(p, &r) // apart from the return, which may read r before or after a call
	return r, err
}

// dropCapabilities gives up what makes root more than its user id. A process that may open files keeps
// the right to read those of other users: Landlock says which. Libraries start threads, so each drops them.
func dropCapabilities(read bool) error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData // 64 capabilities
	if err := unix.Capget(&header, &data[0]); err != nil {
		return fmt.Errorf("confine: read capabilities: %w", err)
	}
	if data == [2]unix.CapUserData{} {
		return nil
	}
	var keep uint32
	if read {
		keep = data[0].Permitted & (1 << unix.CAP_DAC_READ_SEARCH)
	}
	data = [2]unix.CapUserData{{Effective: keep, Permitted: keep}}
	_, _, errno := psx.Syscall3(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&data[0])), 0)
	if errno != 0 {
		return fmt.Errorf("confine: drop capabilities: %w", errno)
	}
	return nil
}

// startPoller makes the Go runtime open the two descriptors of its poller, which it does with the
// first timer: with no descriptor left it would end the process then.
func startPoller() { time.AfterFunc(time.Hour, func() {}).Stop() }

func rules(paths []string) ([]landlock.Rule, error) {
	var out []landlock.Rule
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("confine: a path to be read: %w", err)
		}
		if info.IsDir() {
			out = append(out, landlock.RODirs(path))
		} else {
			out = append(out, landlock.ROFiles(path))
		}
	}
	return out, nil
}

func limit(p Policy, r *Report) error {
	for _, l := range []struct {
		name     string
		resource int
		value    uint64
	}{
		{"open_files", unix.RLIMIT_NOFILE, p.OpenFiles},
		{"core", unix.RLIMIT_CORE, 0},
		{"file_size", unix.RLIMIT_FSIZE, 0},
	} {
		if err := syscall.Setrlimit(l.resource, &syscall.Rlimit{Cur: l.value, Max: l.value}); err != nil {
			return fmt.Errorf("confine: limit %s to %d: %w", l.name, l.value, err)
		}
		r.note(l.name, true)
	}
	if p.MemoryBytes > 0 {
		if err := LimitMemory(p.MemoryBytes); err != nil {
			return err
		}
		r.note("memory", true)
	}
	return nil
}

// LimitMemory sets RLIMIT_DATA, which counts what the process writes to: heap, stacks, globals. An
// allocation past it fails, which ends a Go program.
func LimitMemory(bytes int64) error {
	l := &syscall.Rlimit{Cur: uint64(bytes), Max: uint64(bytes)}
	if err := syscall.Setrlimit(unix.RLIMIT_DATA, l); err != nil {
		return fmt.Errorf("confine: limit memory to %d bytes: %w", bytes, err)
	}
	return nil
}

// CloseInherited closes the descriptors above standard error that the process was started with. It
// must run first: descriptors that the Go runtime made for itself (anonymous inodes) are left.
func CloseInherited() error {
	dir, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return fmt.Errorf("confine: list descriptors: %w", err)
	}
	for _, entry := range dir {
		fd, err := strconv.Atoi(entry.Name())
		if err != nil || fd <= 2 {
			continue
		}
		target, err := os.Readlink("/proc/self/fd/" + entry.Name())
		if err != nil || strings.HasPrefix(target, "anon_inode:[event") {
			continue // gone already (the listing's own), or the runtime's
		}
		if err := syscall.Close(fd); err != nil {
			return fmt.Errorf("confine: close descriptor %d: %w", fd, err)
		}
	}
	return nil
}

// Exec replaces the process, locked in by the policy, by another program: argv with env, and no
// descriptor but the first three. It returns only an error.
func Exec(p Policy, argv, env []string, note func(Report)) error {
	if err := unix.CloseRange(3, ^uint(0), unix.CLOSE_RANGE_CLOEXEC); err != nil {
		return fmt.Errorf("confine: descriptors: %w", err)
	}
	p.Open = true
	report, err := Lock(p)
	if err != nil {
		return err
	}
	note(report)
	return fmt.Errorf("confine: start %s: %w", argv[0], syscall.Exec(argv[0], argv, env))
}
