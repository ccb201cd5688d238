package worker

// This file starts a worker that tries to get out.

import (
	"fmt"
	"os"
	"strconv"
	"time"
)

// Probe starts a worker as a pool does, in the mode that tries what it must not be able to do, and returns
// the line that it wrote and what the kernel says of it (/proc/<pid>/status; "" where there is none).
func Probe(command []string, o Outside) (line, status string, err error) {
	s := newSpawner(o)
	defer s.close()
	w, err := s.spawn(append(command[:len(command):len(command)], "probe"))
	if err != nil {
		return "", "", err
	}
	defer w.kill()
	timeout := time.AfterFunc(startTimeout, w.signal)
	defer timeout.Stop()
	line, err = w.out.ReadString('\n')
	if err != nil {
		w.kill()
		return "", "", fmt.Errorf("the worker says nothing of what holds it: %w; it wrote: %s", err, w.stderr.text())
	}
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(w.cmd.Process.Pid) + "/status")
	if err != nil {
		return line, "", nil // another system
	}
	return line, string(raw), nil
}
