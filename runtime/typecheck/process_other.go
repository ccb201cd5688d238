//go:build unix && !linux

package typecheck

// This file holds the same for other Unix systems, where the launcher has to do more.

import (
	"os"
	"syscall"
)

func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func sealDescriptors() {}

func limitMemory(int, int64) error { return nil }

func peakMemory(*os.ProcessState) int64 { return 0 }
