// Command codemode turns a directory of stringly-typed tool rows into a typed TypeScript API and
// runs scripts on it, checked before anything happens and with nothing in reach but what was granted.
//
//	codemode run job.ts --directory rows/ --grant grant.json
//
// Standard output carries the result only; everything else goes to standard error. Exit codes:
// 0 finished, 1 script failed or run cancelled, 2 usage or bad input, 3 check failed, 4 a limit or
// budget stopped it, 5 a decision is needed, 6 a part is unavailable.
package main

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"codemode/runtime/assemble"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == assemble.WorkerArgument {
		os.Exit(workerMain(os.Args[2:]))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop) // the first interrupt ends things in order, a second one at once
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run is the whole command but for the process around it.
func run(ctx context.Context, args []string, stdout, stderr *os.File) int {
	out := &output{w: stdout}
	t := &terminal{out: out, err: stderr}
	root := newRoot(t)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	t.json = t.json || slices.Contains(args, "--json") // a wrong flag ends the parsing before it
	if out.failed != nil {
		err = &exitError{exitUnavailable, "standard output can't be written: " + out.failed.Error()}
	}
	if err == nil {
		return exitFinished
	}
	if err.Error() != "" {
		t.failed(err)
	}
	return codeOf(err)
}
