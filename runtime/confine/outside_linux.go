package confine

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// Outside holds processes from outside. Its methods may be called concurrently.
type Outside struct {
	config OutsideConfig
	groups *groups // nil where there are none
	drop   bool    // processes get another user id
	// Missing is what this machine does not let the service do, known from the start.
	missing []Cause

	mu       sync.Mutex
	programs map[string]*os.File // opened once, by path
}

// NewOutside finds out what can be done here. It changes nothing but, where the service was given control
// groups to divide, the place of its own process in them.
func NewOutside(c OutsideConfig) *Outside {
	o := &Outside{config: c.withDefaults(), programs: map[string]*os.File{}}
	if why, hint := cannotDrop(o.config); why != "" {
		o.missing = append(o.missing, Cause{"uid", why, hint})
	} else {
		o.drop = true
	}
	var err error
	if o.groups, err = findGroups(); err != nil {
		o.missing = append(o.missing, Cause{"cgroup", err.Error(),
			"give the service control groups to divide: Delegate=memory pids in its systemd unit, or systemd-run --user --scope -p Delegate=yes"})
	}
	return o
}

// Missing is what can't be done, with the reasons. It grows when a program turns out to be unfit.
func (o *Outside) Missing() []Cause {
	o.mu.Lock()
	defer o.mu.Unlock()
	return append([]Cause(nil), o.missing...)
}

// Groups says which control groups are used, "" for none.
func (o *Outside) Groups() string {
	if o.groups == nil {
		return ""
	}
	return o.groups.String()
}

// Close closes the programs; processes that run go on.
func (o *Outside) Close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, f := range o.programs {
		_ = f.Close() // only read
	}
	o.programs = map[string]*os.File{}
}

// cannotDrop says why processes can't have another user id, and what to do.
func cannotDrop(c OutsideConfig) (why, hint string) {
	if os.Geteuid() != 0 {
		return fmt.Sprintf("the service runs as user %d, and so do its workers", os.Geteuid()), "start the service as root, which keeps no right in its workers"
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&header, &data[0]); err != nil {
		return "the service's capabilities can't be read: " + err.Error(), ""
	}
	if need := uint32(1<<unix.CAP_SETUID | 1<<unix.CAP_SETGID); data[0].Effective&need != need {
		return "the service is root without the capabilities to change user ids", "give it CAP_SETUID and CAP_SETGID"
	}
	if !mapped("/proc/self/uid_map", c.User) || !mapped("/proc/self/gid_map", c.Group) {
		return fmt.Sprintf("user %d or group %d does not exist in this user namespace", c.User, c.Group), "map more ids into the container"
	}
	return "", ""
}

// mapped reports whether a user namespace has the id.
func mapped(file string, id uint32) bool {
	raw, err := os.ReadFile(file)
	if err != nil {
		return true // no such namespaces
	}
	for line := range strings.Lines(string(raw)) {
		var first, outside, count uint64
		if n, _ := fmt.Sscan(line, &first, &outside, &count); n == 3 && uint64(id) >= first && uint64(id) < first+count {
			return true
		}
	}
	return false
}

// Enter makes the command start with another user id, no groups, and in a control group of its own. It is
// called on a command that has no ExtraFiles, before its start.
func (o *Outside) Enter(cmd *exec.Cmd) (*Hold, error) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	if o.drop {
		if err := o.lower(cmd); err != nil {
			return nil, err
		}
	}
	if o.groups == nil {
		return &Hold{}, nil
	}
	return o.groups.enter(cmd, o.config)
}

// lower gives the command the user id, and its program as a descriptor: a user without rights may not
// enter the folder that the program stands in.
func (o *Outside) lower(cmd *exec.Cmd) error {
	program, err := o.program(cmd.Path)
	if err != nil {
		return err
	}
	if program == nil {
		return nil // noted as missing
	}
	cmd.ExtraFiles = []*os.File{program}
	cmd.Path = "/proc/self/fd/3"
	cmd.SysProcAttr.Credential = &syscall.Credential{Uid: o.config.User, Gid: o.config.Group}
	return nil
}

// program opens a program once, so that all processes are of one build, whatever is installed meanwhile.
// It is nil for one that the user may not start in any way.
func (o *Outside) program(path string) (*os.File, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if f, ok := o.programs[path]; ok {
		return f, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("confine: open the program: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("confine: look at the program: %w", err)
	}
	if info.Mode()&0o001 == 0 {
		sealed, err := inMemory(f)
		_ = f.Close() // only read
		if err != nil {
			o.missing = append(o.missing, Cause{"uid", fmt.Sprintf("user %d may not start %s: %v", o.config.User, path, err), "chmod o+rx " + path})
		}
		f = sealed
	}
	o.programs[path] = f
	return f, nil
}

// inMemory copies a program that only its owner may start into a file without a name, which every user may
// start and none may change.
func inMemory(program *os.File) (*os.File, error) {
	fd, err := unix.MemfdCreate("codemode-worker", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING|unix.MFD_EXEC)
	if err == unix.EINVAL { // a kernel that does not know MFD_EXEC, and needs none
		fd, err = unix.MemfdCreate("codemode-worker", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	}
	if err != nil {
		return nil, fmt.Errorf("a copy in memory: %w", err)
	}
	f := os.NewFile(uintptr(fd), "codemode-worker")
	if _, err := io.Copy(f, program); err != nil {
		return nil, fmt.Errorf("a copy in memory: %w", err)
	}
	if _, err := unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_WRITE|unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_SEAL); err != nil {
		return nil, fmt.Errorf("a copy in memory: %w", err)
	}
	// What is open for writing can't be started.
	read, err := os.Open(fmt.Sprintf("/proc/self/fd/%d", f.Fd()))
	_ = f.Close() // sealed
	return read, err
}
