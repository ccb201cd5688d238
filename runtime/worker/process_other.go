//go:build !linux

package worker

// This file stands where no kernel facility ends a worker whose service has died: such a worker ends
// when it reads the end of its input.

import (
	"os"
	"syscall"
	"time"
)

func attributes() *syscall.SysProcAttr { return nil }

func pollable(f *os.File) *os.File { return f }

func killGroup(pid int) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Kill() // gone already
	}
}

func cpuOf(int) time.Duration { return 0 }

func peakOf(any) int64 { return 0 }

func killedFromOutside(*os.ProcessState) bool { return false }
