// Package child is what a worker process does, for the two programs that can become one: the slim
// codemode-worker, and codemode itself where the slim one is not installed.
//
//	child.Run(nil)                                                       // speaks frames over standard input and output
//	child.Run([]string{"confine", "--read", dir, "--", "tsc", "--api"})  // locks itself in and becomes another program
//	child.Run([]string{"probe"})                                         // locks itself in as for a script, and tries to get out
//
// It links the bundler, the engine and what a process needs to lock itself in, and nothing else. It
// wires these parts; what they do stands in their packages.
package child

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path"
	"runtime/debug"

	"codemode/runtime"
	"codemode/runtime/confine"
	"codemode/runtime/esbuild"
	"codemode/runtime/goja"
	"codemode/runtime/worker"
)

// Run does what args say, and returns when there is nothing more to do, or never when the process
// became another program.
func Run(args []string) error {
	switch {
	case len(args) == 0:
		return serve()
	case args[0] == "confine":
		return confineAndExec(args[1:])
	case args[0] == "probe":
		return probe()
	}
	return fmt.Errorf("unknown mode %q; it has none, \"confine\" and \"probe\"", args[0])
}

// lockIn makes the engine, and keeps no descriptor but the three it was given and no right to another.
func lockIn() (*goja.Engine, confine.Report, error) {
	if err := confine.CloseInherited(); err != nil {
		return nil, confine.Report{}, err
	}
	engine, err := goja.New()
	if err != nil {
		return nil, confine.Report{}, err
	}
	report, err := confine.Lock(confine.Policy{OpenFiles: 3})
	return engine, report, err
}

// probe writes one line of JSON: how the process is locked in, and what it could do all the same. It
// stays until its input ends, so that it can be looked at from outside.
func probe() error {
	_, report, err := lockIn()
	if err != nil {
		return err
	}
	found := confine.Probe{Report: report, Attempts: confine.Try(), Versions: versions()}
	if err := json.NewEncoder(os.Stdout).Encode(found); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// versions are those that a run's outcome depends on, by the names that the service uses.
func versions() map[string]string {
	v := map[string]string{}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	v["go"] = info.GoVersion
	for _, m := range info.Deps {
		switch m.Path {
		case "github.com/evanw/esbuild", "github.com/dop251/goja":
			v[path.Base(m.Path)] = m.Version
		}
	}
	return v
}

// serve runs one script.
func serve() error {
	engine, report, err := lockIn()
	if err != nil {
		return err
	}
	return worker.Serve(context.Background(), os.Stdin, os.Stdout, worker.Parts{
		Bundler: esbuild.Bundler{}, Confined: report.String(), LimitMemory: confine.LimitMemory,
		Engine: func() (worker.VM, error) {
			vm, err := engine.Prepare()
			return func(ctx context.Context, p runtime.Program, b runtime.Bundle, port *worker.Port) runtime.Outcome {
				return vm.Run(ctx, p, b, port)
			}, err
		},
	})
}

// paths is a flag that may be given many times, or with many values in a row.
type paths []string

func (p *paths) String() string     { return fmt.Sprint(*p) }
func (p *paths) Set(s string) error { *p = append(*p, s); return nil }

// confineAndExec becomes argv with the environment it was given. Its report goes to standard error
// with --report, and always where the kernel has no Landlock: then the program can read everything.
func confineAndExec(args []string) error {
	flags := flag.NewFlagSet("confine", flag.ContinueOnError)
	var read paths
	flags.Var(&read, "read", "a file or directory that may be read and executed (again for more)")
	memory := flags.Int64("memory", 0, "limit of the data segment in bytes, 0 for none")
	report := flags.Bool("report", false, "say on standard error what is enforced")
	if err := flags.Parse(args); err != nil {
		return err
	}
	argv := flags.Args()
	if len(argv) == 0 {
		return errors.New("confine: name the program to start after --")
	}
	policy := confine.Policy{Read: read, OpenFiles: 256, MemoryBytes: *memory}
	return confine.Exec(policy, argv, os.Environ(), func(r confine.Report) {
		if *report || r.LandlockABI == 0 {
			fmt.Fprintln(os.Stderr, "codemode-worker: confined:", r)
		}
	})
}
