// Package child is what a worker process does, for the two programs that can become one: the slim
// codemode-worker, and codemode itself where the slim one is not installed.
//
//	child.Run(nil)                                                       // speaks frames over standard input and output
//	child.Run([]string{"confine", "--read", dir, "--", "tsc", "--api"})  // locks itself in and becomes another program
//
// It links the bundler, the engine and what a process needs to lock itself in, and nothing else. It
// wires these parts; what they do stands in their packages.
package child

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"

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
	}
	return fmt.Errorf("unknown mode %q; it has none, and \"confine\"", args[0])
}

// serve keeps no descriptor but the three it was given, and no right to open another.
func serve() error {
	if err := confine.CloseInherited(); err != nil {
		return err
	}
	engine, err := goja.New()
	if err != nil {
		return err
	}
	report, err := confine.Lock(confine.Policy{OpenFiles: 3})
	if err != nil {
		return err
	}
	return worker.Serve(context.Background(), os.Stdin, os.Stdout, worker.Parts{
		Bundler: esbuild.Bundler{}, Engine: engine, Confined: report.String(), LimitMemory: confine.LimitMemory,
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
