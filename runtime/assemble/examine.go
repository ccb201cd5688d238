package assemble

// This file finds out what this machine enforces on a worker, by starting one that tries to get out, and
// refuses a system that asks for more.

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"codemode/runtime"
	"codemode/runtime/confine"
	"codemode/runtime/typecheck"
	"codemode/runtime/worker"
)

// Requirements are the names for Config.Require.
var Requirements = []string{"landlock", "seccomp", "uid", "cgroup", "memory"}

// Examination is what was found out of a worker.
type Examination struct {
	// Command is the worker's argv; Slim says that it is codemode-worker and not the whole codemode.
	Command []string `json:"command"`
	Slim    bool     `json:"slim"`
	// Probe is what the worker said, Status what the kernel said of it (/proc/<pid>/status).
	Probe  confine.Probe     `json:"probe"`
	Status map[string]string `json:"-"`
	// Groups says which control groups hold workers, "" for none.
	Groups string `json:"groups,omitempty"`
	// Causes are why the parts that a service does from outside are missing.
	Causes []confine.Cause `json:"causes,omitempty"`
}

// Examine starts a worker that tries to get out. It fails with Unavailable when none can be started.
func Examine(c Config) (*Examination, error) {
	command, err := c.workerCommand()
	if err != nil {
		return nil, err
	}
	outside := confine.NewOutside(confine.OutsideConfig{})
	defer outside.Close()
	return examine(command, outside)
}

func examine(command []string, outside *confine.Outside) (*Examination, error) {
	line, status, err := worker.Probe(command, holder{outside})
	if err != nil {
		return nil, runtime.Errorf(runtime.Unavailable, "the worker process cannot be started").
			WithHint("see that codemode-worker is of the same build as codemode").WithCause(err)
	}
	e := &Examination{Command: command, Slim: len(command) == 1, Groups: outside.Groups(), Causes: outside.Missing(), Status: map[string]string{}}
	if err := json.Unmarshal([]byte(line), &e.Probe); err != nil {
		return nil, runtime.Errorf(runtime.Unavailable, "the worker %s is of another build", command[0]).
			WithHint("install codemode and codemode-worker of one build").WithCause(err)
	}
	for field := range strings.Lines(status) {
		if name, value, ok := strings.Cut(field, ":"); ok {
			e.Status[name] = strings.TrimSpace(value)
		}
	}
	return e, nil
}

// Enforces reports whether one of Requirements holds.
func (e *Examination) Enforces(name string) bool {
	switch name {
	case "landlock":
		return e.Probe.Report.LandlockABI > 0
	case "seccomp":
		return e.Probe.Report.Enforces("seccomp") && e.Status["Seccomp"] == "2"
	case "uid":
		return e.ownUser() && strings.Trim(e.Status["CapPrm"]+e.Status["CapEff"], "0") == ""
	case "cgroup":
		return e.Groups != ""
	case "memory":
		return e.Status != nil && e.Status["Pid"] != "" // a limit of the data segment, as on every Linux
	}
	return false
}

// ownUser reports whether the worker has a user id that is neither root's nor the service's, in all of its
// four forms, and no groups.
func (e *Examination) ownUser() bool {
	ids := strings.Fields(e.Status["Uid"])
	service := fmt.Sprint(os.Geteuid())
	return len(ids) == 4 && e.Status["Groups"] == "" && !slices.ContainsFunc(ids, func(id string) bool { return id == "0" || id == service })
}

// Why says why a requirement is not met, and what to do.
func (e *Examination) Why(name string) (why, hint string) {
	for _, c := range e.Causes {
		if c.Name == name {
			return c.Why, c.Hint
		}
	}
	switch name {
	case "landlock":
		return "the kernel has none, or was started without it", "use Linux 5.13 or later, with landlock in its lsm= list"
	case "seccomp":
		return "the kernel has none, or a container forbids to use it", "use Linux 4.14 or later on amd64 or arm64, in a container that lets seccomp be called"
	}
	return "this system has none that codemode knows to use", "run codemode on Linux"
}

// required refuses a system that asks for what this machine does not enforce.
func (c Config) required(command []string, outside *confine.Outside) error {
	for _, name := range c.Require {
		if !slices.Contains(Requirements, name) {
			return runtime.Errorf(runtime.InvalidArgument, "%q can't be required; what can is %s", name, strings.Join(Requirements, ", "))
		}
	}
	if len(c.Require) == 0 {
		return nil
	}
	e, err := examine(command, outside)
	if err != nil {
		return err
	}
	var missing, hints []string
	for _, name := range c.Require {
		if !e.Enforces(name) {
			why, hint := e.Why(name)
			missing, hints = append(missing, name+" ("+why+")"), append(hints, hint)
		}
	}
	if lost := e.Probe.Lost(); len(lost) > 0 {
		missing, hints = append(missing, "a worker could "+strings.Join(lost, ", ")), append(hints, "see codemode doctor")
	}
	if len(missing) == 0 {
		return nil
	}
	return runtime.Errorf(runtime.Unavailable, "this machine does not enforce what is required: %s", strings.Join(missing, "; ")).
		WithHint("%s; or require less", strings.Join(hints, "; "))
}

// holder adapts confine to what package worker asks for.
type holder struct{ *confine.Outside }

func (h holder) Enter(cmd *exec.Cmd) (worker.Hold, error) {
	hold, err := h.Outside.Enter(cmd)
	if err != nil {
		return nil, err
	}
	return hold, nil
}

// Compiler finds the type checker, and returns its path and the command that starts it locked in, as it is
// started for a check; nothing is installed.
func (c Config) Compiler() (path string, command []string, err error) {
	compiler, err := typecheck.Find(typecheck.FindConfig{})
	if err != nil {
		return "", nil, err
	}
	launcher, err := c.confinement(compiler.Path)
	return compiler.Path, append(launcher, compiler.Path), err
}

// StoreFile is the path of the store that OpenStore opens.
func StoreFile(path string) (string, error) { return storePath(path) }
