package assemble

import (
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"runtime/debug"
	"strings"
	"testing"

	"codemode/runtime"
	"codemode/runtime/confine"
)

func buildWorker(t *testing.T) []string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), workerName)
	if out, err := exec.Command("go", "build", "-o", binary, "codemode/cmd/codemode-worker").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return []string{binary}
}

// A real worker is examined, and what it lacks is refused by name with what to do.
func TestRequire(t *testing.T) {
	if goruntime.GOOS != "linux" {
		t.Skip("no other system enforces anything")
	}
	command := buildWorker(t)
	outside := confine.NewOutside(confine.OutsideConfig{})
	defer outside.Close()
	e, err := examine(command, outside)
	if err != nil {
		t.Fatal(err)
	}
	if lost := e.Probe.Lost(); len(lost) > 0 || len(e.Probe.Attempts) < 20 {
		t.Errorf("%d attempts, not held: %q", len(e.Probe.Attempts), lost)
	}
	if os.Geteuid() == 0 && len(outside.Missing()) == 0 && !e.Enforces("uid") {
		t.Errorf("root's worker is user %s, capabilities %s", e.Status["Uid"], e.Status["CapPrm"])
	}
	for _, name := range Requirements {
		err := Config{Require: []string{name}}.required(command, outside)
		known := runtime.AsError(err)
		if (err == nil) != e.Enforces(name) {
			t.Errorf("%s is enforced %v, and required: %v", name, e.Enforces(name), err)
		}
		if err != nil && (known.Code != runtime.Unavailable || !strings.Contains(known.Message, name) || !strings.Contains(known.Hint, "require less")) {
			t.Errorf("%s: %v, hint %s", name, err, known.Hint)
		}
	}
	if e := runtime.AsError(Config{Require: []string{"trust"}}.required(command, outside)); e.Code != runtime.InvalidArgument || !strings.Contains(e.Message, "landlock") {
		t.Errorf("%v", e)
	}
	if err := (Config{Require: []string{"seccomp"}}).required([]string{"/bin/false"}, outside); runtime.AsError(err).Code != runtime.Unavailable {
		t.Errorf("a worker that does not start: %v", err)
	}
}

// What a report and the kernel say decides, each alone is not believed.
func TestEnforces(t *testing.T) {
	good := Examination{Probe: confine.Probe{Report: confine.Report{LandlockABI: 7, Enforced: []string{"seccomp"}}}, Groups: "version 2, in /x",
		Status: map[string]string{"Pid": "1", "Seccomp": "2", "Uid": "65534 65534 65534 65534", "CapPrm": "0000", "CapEff": "0000"}}
	for _, c := range []struct {
		name   string
		change func(*Examination)
	}{
		{"landlock", func(e *Examination) { e.Probe.Report.LandlockABI = 0 }},
		{"seccomp", func(e *Examination) { e.Status["Seccomp"] = "0" }},
		{"seccomp", func(e *Examination) { e.Probe.Report.Enforced = nil }},
		{"uid", func(e *Examination) { e.Status["Uid"] = "65534 0 65534 65534" }},
		{"uid", func(e *Examination) { e.Status["Groups"] = "0" }},
		{"uid", func(e *Examination) { e.Status["CapPrm"] = "0001" }},
		{"cgroup", func(e *Examination) { e.Groups = "" }},
		{"memory", func(e *Examination) { e.Status = map[string]string{} }},
	} {
		e := good
		e.Status = map[string]string{}
		for k, v := range good.Status {
			e.Status[k] = v
		}
		if !e.Enforces(c.name) {
			t.Errorf("%s does not hold where all is well", c.name)
		}
		c.change(&e)
		if e.Enforces(c.name) {
			t.Errorf("%s holds without its part", c.name)
		}
		if why, hint := e.Why(c.name); why == "" || hint == "" {
			t.Errorf("%s: no reason or no hint", c.name)
		}
	}
}

// The collector's limit is set once, and not against the operator.
func TestLimitMemory(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	t.Setenv("GOMEMLIMIT", "5GiB")
	LimitMemory()
	if got := debug.SetMemoryLimit(-1); got != before {
		t.Errorf("the limit is %d, and was %d before", got, before)
	}
	t.Setenv("GOMEMLIMIT", "")
	LimitMemory()
	if got := debug.SetMemoryLimit(-1); got < serviceMemory || got > 100*serviceMemory {
		t.Errorf("the limit is %d", got)
	}
}
