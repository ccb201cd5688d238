//go:build !linux

package confine

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// This file stands where the kernel offers none of it: everything is reported as missing.

// Lock enforces nothing on this system and reports that.
func Lock(Policy) (Report, error) {
	return Report{Missing: []string{"files", "tcp", "signals", "udp", "no_new_privs", "capabilities", "open_files", "core", "file_size", "memory", "seccomp"}}, nil
}

// LimitMemory sets nothing on this system; the report of Lock says so.
func LimitMemory(int64) error { return nil }

// CloseInherited closes nothing on this system.
func CloseInherited() error { return nil }

// Exec runs argv as a child, unconfined, and ends with its exit code.
func Exec(p Policy, argv, env []string, note func(Report)) error {
	report, err := Lock(p)
	if err != nil {
		return err
	}
	note(report)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = env, os.Stdin, os.Stdout, os.Stderr
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return fmt.Errorf("confine: start %s: %w", argv[0], err)
	}
	os.Exit(cmd.ProcessState.ExitCode())
	return nil
}
