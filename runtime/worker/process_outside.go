package worker

// This file holds what is done to a worker from outside, by the service that starts it.

import (
	"errors"
	"os/exec"
)

// Outside prepares a command so that its process is held from outside too: another user id, a control
// group. Its methods may be called concurrently.
type Outside interface {
	Enter(cmd *exec.Cmd) (Hold, error)
}

// Hold is what holds one process.
type Hold interface {
	// Started is called once the process is there, before it is given anything.
	Started(pid int) error
	// LimitMemory bounds what the process may hold from now on.
	LimitMemory(bytes int64) error
	// Peak is the most it has held, 0 when that isn't known.
	Peak() int64
	// Kill kills all of it; its process group is killed besides.
	Kill()
	// Close is called once the process is reaped.
	Close()
}

// noHold is that of a service that holds its workers by nothing from outside.
type noHold struct{}

func (noHold) Started(int) error       { return nil }
func (noHold) LimitMemory(int64) error { return nil }
func (noHold) Peak() int64             { return 0 }
func (noHold) Kill()                   {}
func (noHold) Close()                  {}

// enter prepares the command, which has not been started.
func (s *spawner) enter(cmd *exec.Cmd) (Hold, error) {
	if s.outside == nil {
		return noHold{}, nil
	}
	return s.outside.Enter(cmd)
}

// launch starts the process, on the thread that outlives it.
func (s *spawner) launch(w *process) error {
	result := make(chan error)
	s.jobs <- func() { result <- w.cmd.Start() }
	if err := <-result; err != nil {
		w.reaped()
		return err
	}
	go w.reap()
	if err := w.hold.Started(w.cmd.Process.Pid); err != nil {
		w.kill()
		return errors.Join(err, errNotHeld)
	}
	return nil
}

var errNotHeld = errors.New("the worker could not be held from outside")
