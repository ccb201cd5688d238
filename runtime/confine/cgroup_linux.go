package confine

// This file holds control groups: the unified hierarchy where the service was given a part of it, else
// version 1, where memory and pids stand in trees of their own.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// groups are the folders in which groups of processes are made.
type groups struct {
	unified string // "" for version 1
	memory  string // version 1
	pids    string // version 1
}

func (g *groups) String() string {
	if g.unified != "" {
		return "version 2, in " + g.unified
	}
	return "version 1, in " + g.memory + " and " + g.pids
}

const groupPrefix = "codemode-"

// findGroups finds out where this process may make groups.
func findGroups() (*groups, error) {
	own, err := ownGroups()
	if err != nil {
		return nil, err
	}
	two, why := findUnified(own[""])
	if why == nil {
		g := &groups{unified: two}
		g.sweep()
		return g, nil
	}
	g := &groups{memory: own["memory"], pids: own["pids"]}
	if g.memory == "" || g.pids == "" {
		return nil, why
	}
	for _, dir := range g.dirs() {
		if err := unix.Access(dir, unix.W_OK); err != nil {
			return nil, fmt.Errorf("the service may not make groups in %s: %w", dir, err)
		}
	}
	g.sweep()
	return g, nil
}

func (g *groups) dirs() []string {
	if g.unified != "" {
		return []string{g.unified}
	}
	return []string{g.memory, g.pids}
}

// ownGroups are the folders of this process's groups by controller; "" is the unified hierarchy.
func ownGroups() (map[string]string, error) {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, fmt.Errorf("the mounts can't be read: %w", err)
	}
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil, fmt.Errorf("this process's groups can't be read: %w", err)
	}
	return groupFolders(string(mounts), string(own)), nil
}

// groupFolders joins where each hierarchy is mounted with the process's place in it.
func groupFolders(mounts, own string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(own) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		for controller := range strings.SplitSeq(fields[1], ",") {
			if root, mount := hierarchy(mounts, controller); mount != "" {
				if rest, ok := strings.CutPrefix(fields[2], strings.TrimSuffix(root, "/")); ok {
					out[controller] = filepath.Join(mount, rest)
				}
			}
		}
	}
	return out
}

// hierarchy is the mount of a controller, and the group that is mounted there.
func hierarchy(mounts, controller string) (root, mount string) {
	for line := range strings.Lines(mounts) {
		before, after, ok := strings.Cut(line, " - ")
		left, right := strings.Fields(before), strings.Fields(after)
		if !ok || len(left) < 5 || len(right) < 3 {
			continue
		}
		if controller == "" && right[0] == "cgroup2" {
			return left[3], left[4]
		}
		if right[0] == "cgroup" && controller != "" {
			for option := range strings.SplitSeq(right[2], ",") {
				if option == controller {
					return left[3], left[4]
				}
			}
		}
	}
	return "", ""
}

// findUnified returns a folder of version 2 whose groups have limits. A group that has processes can't
// divide what it has, so the service moves into a group beside those of its workers.
func findUnified(own string) (string, error) {
	if own == "" {
		return "", errors.New("no control groups are mounted")
	}
	if parent := filepath.Dir(own); delegated(parent) && divides(parent) {
		return parent, nil // the service stands in a group of its own already
	}
	switch {
	case !offers(own, "cgroup.controllers"):
		return "", fmt.Errorf("the group %s has no controllers for memory and pids", own)
	case unix.Access(own, unix.W_OK) != nil:
		return "", fmt.Errorf("the group %s is not this service's to divide", own)
	case divides(own):
		return own, nil
	case !delegated(own) && !namespaceRoot():
		return "", fmt.Errorf("the group %s was not given to this service to divide", own)
	}
	return own, divide(own)
}

func divides(dir string) bool { return offers(dir, "cgroup.subtree_control") }

func offers(dir, file string) bool {
	raw, err := os.ReadFile(filepath.Join(dir, file))
	fields := " " + strings.TrimSpace(string(raw)) + " "
	return err == nil && strings.Contains(fields, " memory ") && strings.Contains(fields, " pids ")
}

// delegated reports whether systemd marked a group as one to be divided.
func delegated(dir string) bool {
	value := make([]byte, 8)
	for _, name := range []string{"user.delegate", "trusted.delegate"} {
		if n, err := unix.Getxattr(dir, name, value); err == nil && string(value[:n]) == "1" {
			return true
		}
	}
	return false
}

// namespaceRoot reports whether the process stands at the top of what it sees, as in a container.
func namespaceRoot() bool {
	raw, err := os.ReadFile("/proc/self/cgroup")
	return err == nil && strings.Contains("\n"+string(raw), "\n0::/\n")
}

func divide(dir string) error {
	service := filepath.Join(dir, groupPrefix+"service")
	if err := os.Mkdir(service, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("a group for the service itself: %w", err)
	}
	if err := write(service, "cgroup.procs", strconv.Itoa(os.Getpid())); err != nil {
		return err
	}
	return write(dir, "cgroup.subtree_control", "+memory +pids")
}

func write(dir, file, text string) error {
	f, err := os.OpenFile(filepath.Join(dir, file), os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// sweep removes the groups of services that were killed.
func (g *groups) sweep() {
	for _, dir := range g.dirs() {
		old, err := filepath.Glob(filepath.Join(dir, groupPrefix+"*-*"))
		if err != nil {
			return
		}
		for _, group := range old {
			owner, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(group), groupPrefix), "-")
			if pid, err := strconv.Atoi(owner); err == nil && errors.Is(unix.Kill(pid, 0), unix.ESRCH) {
				_ = unix.Rmdir(group) // one that still has processes stays
			}
		}
	}
}

// enter makes the group of a command that is about to start.
func (g *groups) enter(cmd *exec.Cmd, c OutsideConfig) (*Hold, error) {
	h := &Hold{unified: g.unified != ""}
	if err := h.make(g.dirs()); err != nil {
		h.Close()
		return nil, fmt.Errorf("confine: make a control group: %w", err)
	}
	err := write(h.pids(), "pids.max", strconv.Itoa(c.Processes))
	if c.MemoryBytes > 0 {
		err = errors.Join(err, h.LimitMemory(c.MemoryBytes))
	}
	if err == nil && h.unified {
		err = errors.Join(absent(write(h.memory(), "memory.swap.max", "0")), h.startInside(cmd))
	}
	if err != nil {
		h.Close()
		return nil, fmt.Errorf("confine: control group: %w", err)
	}
	return h, nil
}

// Hold is one process's control groups.
type Hold struct {
	dirs    []string // of version 1: memory, pids
	unified bool
	folder  *os.File // of version 2, until the start
	limit   int64    // of memory, as it was set last; setting one takes the kernel long
}

// make makes a group of one name in each of the folders.
func (h *Hold) make(in []string) error {
	first, err := os.MkdirTemp(in[0], fmt.Sprintf("%s%d-", groupPrefix, os.Getpid()))
	if err != nil {
		return err
	}
	h.dirs = append(h.dirs, first)
	for _, dir := range in[1:] {
		next := filepath.Join(dir, filepath.Base(first))
		if err := os.Mkdir(next, 0o700); err != nil {
			return err
		}
		h.dirs = append(h.dirs, next)
	}
	return nil
}

func (h *Hold) memory() string { return h.dirs[0] }
func (h *Hold) pids() string   { return h.dirs[len(h.dirs)-1] }

// startInside has the kernel start the process in its group: it never runs outside.
func (h *Hold) startInside(cmd *exec.Cmd) error {
	folder, err := os.Open(h.memory())
	if err != nil {
		return err
	}
	h.folder = folder
	cmd.SysProcAttr.UseCgroupFD, cmd.SysProcAttr.CgroupFD = true, int(folder.Fd())
	return nil
}

// Started must be called once the process is there. Version 1 moves it into its groups then, before it has
// been given anything to run.
func (h *Hold) Started(pid int) error {
	if h.folder != nil {
		return h.folder.Close()
	}
	for _, dir := range h.dirs {
		if err := write(dir, "cgroup.procs", strconv.Itoa(pid)); err != nil && !errors.Is(err, unix.ESRCH) {
			return fmt.Errorf("confine: enter a control group: %w", err)
		}
	}
	return nil
}

// LimitMemory bounds what the process holds, all that the kernel counts: a process that may have bytes of
// its own gets some more. It is killed past that, and may not swap.
func (h *Hold) LimitMemory(bytes int64) error {
	if len(h.dirs) == 0 || bytes == h.limit {
		return nil
	}
	h.limit = bytes
	limit := strconv.FormatInt(bytes+groupSlack, 10)
	if h.unified {
		return write(h.memory(), "memory.max", limit)
	}
	// The limit with swap is never below that without: one of the two orders is refused.
	swap := func() error { return absent(write(h.memory(), "memory.memsw.limit_in_bytes", limit)) }
	if err := swap(); err != nil {
		return errors.Join(write(h.memory(), "memory.limit_in_bytes", limit), swap())
	}
	return errors.Join(write(h.memory(), "memory.limit_in_bytes", limit), swap())
}

// absent takes a file that the kernel does not have, since it can't swap, for one that was written.
func absent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Peak is the most that the process has held, 0 when it isn't known: version 1 does not count what a
// process held before it came into its group.
func (h *Hold) Peak() int64 {
	if !h.unified {
		return 0
	}
	raw, err := os.ReadFile(filepath.Join(h.memory(), "memory.peak"))
	if err != nil {
		return 0
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(raw)), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// Kill kills all processes of the group, where the kernel can in one step.
func (h *Hold) Kill() {
	if h.unified {
		_ = write(h.memory(), "cgroup.kill", "1") // kernels before 5.14 have none; the process group is killed too
	}
}

// Close removes the groups of a process that was reaped.
func (h *Hold) Close() {
	for _, dir := range h.dirs {
		_ = unix.Rmdir(dir) // busy for as long as a process dies; the next service sweeps it
	}
}
