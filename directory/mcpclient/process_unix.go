//go:build unix

package mcpclient

// This file gives a server's process a group of its own, so that what it started ends with it: npx and
// other launchers start the real server as a child.

import (
	"os/exec"
	"syscall"
)

func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) {
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // fails where the group is empty already
}
