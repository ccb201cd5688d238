package confine

// This file tries what a locked-in process must not be able to do. Each attempt is the bare system call,
// with arguments that do no harm where it works: what a library would do first, or instead, hides which
// call was refused.

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Try tries all of it. It is for a process that ends afterwards: what is not held has happened.
func Try() []Attempt {
	out := []Attempt{environment()}
	for _, t := range trials() {
		err := t.try()
		a := Attempt{Name: t.name, Held: refused(err), Said: "it worked"}
		if err != nil {
			a.Said = err.Error()
		}
		out = append(out, a)
	}
	return out
}

// refused tells a refusal from a call that was taken and failed of its arguments.
func refused(err error) bool { return errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) }

// environment looks for variables that are not the service's own choice.
func environment() Attempt {
	var found []string
	for _, e := range os.Environ() {
		name, _, _ := strings.Cut(e, "=")
		if name != "GOMAXPROCS" && name != "GOGC" && name != "GOTRACEBACK" && name != "TZ" {
			found = append(found, name)
		}
	}
	a := Attempt{Name: "read the environment", Held: len(found) == 0, Said: "it is empty"}
	if len(found) > 0 {
		a.Said = "it holds " + strings.Join(found, " ")
	}
	return a
}

type trial struct {
	name string
	try  func() error
}

func trials() []trial {
	return []trial{
		{"read a file", func() error { return opened(unix.Open("/etc/passwd", unix.O_RDONLY, 0)) }},
		{"list a folder", func() error { return opened(unix.Open("/", unix.O_RDONLY|unix.O_DIRECTORY, 0)) }},
		{"write a file", writeFile},
		{"read the parent's environment", func() error {
			return opened(unix.Open(fmt.Sprintf("/proc/%d/environ", os.Getppid()), unix.O_RDONLY, 0))
		}},
		{"connect over TCP", func() error { return dial(unix.AF_INET, unix.SOCK_STREAM) }},
		{"send over UDP", func() error { return dial(unix.AF_INET, unix.SOCK_DGRAM) }},
		{"open a local socket", func() error { return opened(unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)) }},
		{"open a netlink socket", func() error { return opened(unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW, 0)) }},
		{"open a socket to the host of this machine", func() error { return opened(unix.Socket(unix.AF_VSOCK, unix.SOCK_STREAM, 0)) }},
		// Flags that no process can have: a thread's signal handlers without its memory.
		{"start a process", func() error { return call(unix.SYS_CLONE, unix.CLONE_SIGHAND|uintptr(unix.SIGCHLD)) }},
		{"become another program", execute},
		{"signal the parent", func() error { return unix.Kill(os.Getppid(), 0) }},
		{"trace a process", func() error { return call(unix.SYS_PTRACE, unix.PTRACE_CONT, uintptr(os.Getppid())) }},
		{"read another process's memory", func() error { return call(unix.SYS_PROCESS_VM_READV, uintptr(os.Getppid()), 0, 0, 0, 0, 0) }},
		{"make namespaces", func() error { return call(unix.SYS_UNSHARE, 0) }},
		{"change mounts", func() error { return call(unix.SYS_UMOUNT2, 0, 0) }},
		{"read keys", func() error { return call(unix.SYS_KEYCTL, unix.KEYCTL_GET_KEYRING_ID, ^uintptr(2), 0) }},
		{"set up io_uring", func() error { return call(unix.SYS_IO_URING_SETUP, 0, 0) }},
		{"load a BPF program", func() error { return call(unix.SYS_BPF, ^uintptr(0), 0, 0) }},
		{"open performance counters", func() error { return call(unix.SYS_PERF_EVENT_OPEN, 0, 0, 0, 0, 0) }},
		{"make an anonymous file", func() error { return opened(unix.MemfdCreate("attempt", 0)) }},
		{"make memory executable", executable},
		{"change a limit", func() error {
			return unix.Prlimit(0, unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 3, Max: 3}, nil)
		}},
		{"change the user id", func() error { return call(unix.SYS_SETRESUID, ^uintptr(0), ^uintptr(0), ^uintptr(0)) }},
	}
}

// call makes a system call with up to six arguments.
func call(number uintptr, arguments ...uintptr) error {
	var a [6]uintptr
	copy(a[:], arguments)
	if _, _, errno := unix.Syscall6(number, a[0], a[1], a[2], a[3], a[4], a[5]); errno != 0 {
		return errno
	}
	return nil
}

// opened closes what was got.
func opened(fd int, err error) error {
	if err == nil {
		_ = unix.Close(fd) // it was only tried
	}
	return err
}

func writeFile() error {
	path := fmt.Sprintf("%s/codemode-attempt-%d", os.TempDir(), os.Getpid())
	err := opened(unix.Open(path, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, 0o600))
	if err == nil {
		_ = unix.Unlink(path) // left behind at worst
	}
	return err
}

// dial connects to the discard port of this machine, which mostly nobody listens on.
func dial(family, kind int) error {
	fd, err := unix.Socket(family, kind, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	if err := unix.Connect(fd, &unix.SockaddrInet4{Port: 9, Addr: [4]byte{127, 0, 0, 1}}); err != nil || kind != unix.SOCK_DGRAM {
		return err
	}
	_, err = unix.Write(fd, []byte{0})
	return err
}

// execute names no program, so that it fails differently where it is allowed.
func execute() error {
	return call(unix.SYS_EXECVE, uintptr(unsafe.Pointer(unsafe.StringData("\x00"))), 0, 0)
}

func executable() error {
	memory, err := unix.Mmap(-1, 0, os.Getpagesize(), unix.PROT_READ|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err == nil {
		_ = unix.Munmap(memory) // it was only tried
	}
	return err
}
