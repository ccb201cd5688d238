package main

// This file looks at the machine for codemode doctor.

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"time"

	"codemode/runtime"
	"codemode/runtime/assemble"
	"codemode/runtime/typecheck"
)

// examine finds out all of it. The machine is well when all is there that is needed.
func examine(ctx context.Context, c assemble.Config) diagnosis {
	d := diagnosis{OK: true, Attempts: []attempt{}}
	d.Findings = append(d.Findings, kernel())
	e, err := assemble.Examine(c)
	if err != nil {
		d.Findings = append(d.Findings, broken("worker", err, "no script can be run"))
	} else {
		d.Findings = append(d.Findings, held(e)...)
		for _, a := range e.Probe.Attempts {
			d.Attempts = append(d.Attempts, attempt(a))
			d.OK = d.OK && a.Held
		}
	}
	d.Findings = append(d.Findings, namespaces(), checker(ctx, c), store(c.Store), clock())
	for _, f := range d.Findings {
		d.OK = d.OK && (f.OK || !f.Needed)
	}
	return d
}

// broken is a part that codemode can't do without and that failed.
func broken(name string, err error, follows string) finding {
	e := runtime.AsError(err)
	f := finding{Name: name, Needed: true, Found: e.Message, Follows: follows, Hint: e.Hint}
	if e.Cause != nil {
		f.Found += ": " + e.Cause.Error()
	}
	return f
}

func kernel() finding {
	f := finding{Name: "kernel", OK: goruntime.GOOS == "linux", Needed: true, Found: goruntime.GOOS + "/" + goruntime.GOARCH + " " + kernelRelease()}
	if !f.OK {
		f.Follows = "a script runs in a process of its own, with its limits of time and output, no stubs but those granted and no environment; the system itself holds it back by nothing"
		f.Hint = "run codemode on Linux, in a virtual machine or a container"
	}
	return f
}

// follows says what it means that a part is missing.
var follows = map[string]string{
	"landlock": "a worker that broke out of the engine is held from files by the list of system calls alone",
	"seccomp":  "a worker that broke out of the engine can call all of the kernel",
	"uid":      "a worker that broke out of the engine has the service's user id",
	"cgroup":   "a worker's memory is limited by its data segment alone, and what the kernel holds for it is not counted",
	"memory":   "a script can fill the machine's memory",
}

// held are the parts that hold a worker.
func held(e *assemble.Examination) []finding {
	r := e.Probe.Report
	found := map[string]string{
		"landlock": fmt.Sprintf("version %d; a worker keeps no path", r.LandlockABI),
		"seccomp":  "a worker keeps the system calls that computing needs",
		"uid":      fmt.Sprintf("a worker is user %s without capabilities or groups", strings.Join(slices.Compact(strings.Fields(e.Status["Uid"])), " ")),
		"cgroup":   e.Groups,
		"memory":   "each run's limit is that of its worker's data segment",
	}
	var out []finding
	for _, name := range assemble.Requirements {
		f := finding{Name: name, OK: e.Enforces(name), Found: found[name]}
		f.Needed = name != "cgroup" && (name != "uid" || os.Geteuid() == 0)
		if !f.OK {
			f.Found, f.Hint = e.Why(name)
			f.Follows = follows[name]
		}
		out = append(out, f)
	}
	limits := finding{Name: "limits", OK: len(r.Missing) == 0, Needed: true, Found: strings.Join(r.Enforced, " ")}
	if !limits.OK {
		limits.Found = "without " + strings.Join(r.Missing, " ")
		limits.Follows, limits.Hint = "these stay open to a worker that broke out of the engine", "use a later kernel"
	}
	return append(out, limits, build(e))
}

// build is the worker's binary. Another engine than the service expects would run scripts otherwise than
// was checked.
func build(e *assemble.Examination) finding {
	f := finding{Name: "worker", OK: true, Needed: true, Found: strings.Join(e.Command, " ")}
	own := assemble.Versions()
	for part, version := range e.Probe.Versions {
		if own[part] != "" && own[part] != version {
			f.OK, f.Follows, f.Hint = false, fmt.Sprintf("its %s is %s, that of codemode %s", part, version, own[part]), "install codemode and codemode-worker of one build"
		}
	}
	if !e.Slim {
		f.Found += " (codemode itself: a start costs more; put codemode-worker beside it)"
	}
	return f
}

// namespaces are not used for workers; programs behind tools are confined with them.
func namespaces() finding {
	f := finding{Name: "namespaces", Found: "user namespaces can be made"}
	switch most := strings.TrimSpace(readOr("/proc/sys/user/max_user_namespaces", "0")); {
	case goruntime.GOOS != "linux" || most == "0":
		f.Found = "user namespaces can't be made"
		f.Follows = "workers don't need them"
	case strings.TrimSpace(readOr("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "0")) == "1" && os.Geteuid() != 0:
		f.Found, f.Follows = "user namespaces are kept from ordinary users by AppArmor", "workers don't need them"
	default:
		f.OK = true
	}
	return f
}

func readOr(path, otherwise string) string {
	raw, err := os.ReadFile(path)
	if err != nil {
		return otherwise
	}
	return string(raw)
}

// checker starts the type checker once, locked in as for a check.
func checker(ctx context.Context, c assemble.Config) finding {
	const without = "scripts can only be run unchecked, with --check=off"
	path, command, err := c.Compiler()
	if err != nil {
		return broken("type checker", err, without)
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], append(command[1:], "--version")...)
	cmd.Env = []string{}
	start := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(start).Milliseconds()
	said := strings.TrimSpace(string(bytes.ToValidUTF8(out, nil)))
	if err != nil || !strings.HasSuffix(said, typecheck.Version) {
		return broken("type checker", runtime.Errorf(runtime.Unavailable, "%s does not start locked in", path).
			WithHint("codemode provision installs TypeScript "+typecheck.Version).WithCause(fmt.Errorf("%v: %s", err, said)), without)
	}
	return finding{Name: "type checker", OK: true, Needed: true, Found: fmt.Sprintf("TypeScript %s, started in %d ms: %s", typecheck.Version, took, path)}
}

// minFree is the free space below which a store is soon in trouble.
const minFree = 100 << 20

// store looks at the file, or the folder that it will be made in.
func store(path string) finding {
	f := finding{Name: "store", Needed: true, Follows: "no run can be recorded, so none is started", Hint: "name another file with --store"}
	path, err := assemble.StoreFile(path)
	if err != nil {
		return broken("store", err, f.Follows)
	}
	existing := path
	for _, err := os.Stat(existing); err != nil && filepath.Dir(existing) != existing; _, err = os.Stat(existing) {
		existing = filepath.Dir(existing)
	}
	if err := writable(existing); err != nil {
		f.Found = fmt.Sprintf("%s can't be written: %v", path, err)
		return f
	}
	free, known := freeBytes(existing)
	f.Found = path
	if known {
		f.Found += fmt.Sprintf(", %d MiB free", free>>20)
		if free < minFree {
			f.Follows, f.Hint = "runs fail once the disk is full", "free some space, or name another file with --store"
			return f
		}
	}
	f.OK, f.Follows, f.Hint = true, "", ""
	return f
}

// clock looks for one that is plainly wrong: grants expire by it.
func clock() finding {
	now := time.Now()
	f := finding{Name: "clock", Needed: true, OK: now.Year() >= 2026 && now.Year() < 2100, Found: now.UTC().Format(time.RFC3339)}
	if !f.OK {
		f.Follows, f.Hint = "grants expire at the wrong time, and receipts carry it", "set the machine's clock"
	}
	return f
}
