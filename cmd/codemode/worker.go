package main

// This file makes codemode its own worker where the slim one is not installed.

import (
	"fmt"
	"os"

	"codemode/cmd/codemode-worker/child"
)

func workerMain(args []string) int {
	if err := child.Run(args); err != nil {
		fmt.Fprintln(os.Stderr, "codemode worker:", err)
		return 1
	}
	return 0
}
