//go:build !unix

package mcpclient

// This file is process_unix.go for systems without process groups: children of the server may outlive it.

import "os/exec"

func ownGroup(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) { cmd.Process.Kill() }
