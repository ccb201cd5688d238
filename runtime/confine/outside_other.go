//go:build !linux

package confine

import "os/exec"

// Outside does nothing on this system, and says so.
type Outside struct{}

// NewOutside returns one that does nothing.
func NewOutside(OutsideConfig) *Outside { return &Outside{} }

// Missing names all of it.
func (o *Outside) Missing() []Cause {
	const why = "this system has none that codemode knows to use"
	return []Cause{{"uid", why, "run codemode on Linux"}, {"cgroup", why, "run codemode on Linux"}}
}

// Groups is "".
func (o *Outside) Groups() string { return "" }

// Close does nothing.
func (o *Outside) Close() {}

// Enter leaves the command as it is.
func (o *Outside) Enter(*exec.Cmd) (*Hold, error) { return &Hold{}, nil }

// Hold holds nothing.
type Hold struct{}

// Started does nothing.
func (h *Hold) Started(int) error { return nil }

// LimitMemory does nothing.
func (h *Hold) LimitMemory(int64) error { return nil }

// Peak is 0: it is not known.
func (h *Hold) Peak() int64 { return 0 }

// Kill does nothing.
func (h *Hold) Kill() {}

// Close does nothing.
func (h *Hold) Close() {}
