// Command codemode-worker is the process that runs one script: it links the bundler, the engine and
// what it needs to lock itself in, and nothing else, so that it starts fast.
//
//	codemode-worker                                                    speaks frames over standard input and output
//	codemode-worker confine --read DIR... [--memory BYTES] -- argv...  locks itself in and becomes another program
//	codemode-worker probe                                              locks itself in as for a script, and tries to get out
//
// People do not call it; the codemode command does. Package child holds what it does.
package main

import (
	"fmt"
	"os"

	"codemode/cmd/codemode-worker/child"
)

func main() {
	if err := child.Run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "codemode-worker:", err)
		os.Exit(1)
	}
}
