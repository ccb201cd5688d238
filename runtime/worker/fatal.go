package worker

// This file reads from a dead worker's last words what it died of. Go ends a process that gets no
// more memory with one of several texts (runtime/malloc.go, mem_linux.go, os_linux.go, stack.go).

import "strings"

var memoryTexts = []string{
	"out of memory", "cannot allocate memory", "cannot map pages in arena", "failed to create new OS thread",
	"failed to reserve", "runtime: cannot allocate", "errno=12", "pthread_create failed",
}

func outOfMemory(stderr string) bool {
	for _, text := range memoryTexts {
		if strings.Contains(stderr, text) {
			return true
		}
	}
	return faulted(stderr)
}

// faulted reports a segmentation fault of the Go runtime itself ("PC=" is how it reports one outside
// Go code): in a process without C, its collector touched memory that it was not given.
func faulted(stderr string) bool {
	return strings.HasPrefix(stderr, "SIGSEGV: segmentation violation") && strings.Contains(stderr, "\nPC=")
}

func stackOverflow(stderr string) bool {
	return strings.Contains(stderr, "goroutine stack exceeds") || strings.Contains(stderr, "fatal error: stack overflow")
}
