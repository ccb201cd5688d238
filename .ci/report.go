// Command report reads the events of go test -json and prints what a person wants of them: a line a
// package, the output of what failed, and what was skipped with its reason.
//
//	go test -json ./... | go run .ci/report.go
//
// It exits 1 when a test failed, and, with CODEMODE_TEST_REQUIRE=all, when anything was skipped but
// for want of the data that stands beside the project.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// event is one line of go test -json (go doc test2json).
type event struct{ Action, Package, Test, Output, ImportPath string }

type report struct {
	output  map[string][]string // of each test, and of each package's own lines
	failed  bool
	skipped []string
}

func main() {
	r := report{output: map[string][]string{}}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			r.read(line)
		}
		if err != nil {
			break
		}
	}
	os.Exit(r.end(os.Getenv("CODEMODE_TEST_REQUIRE") == "all"))
}

func (r *report) read(line []byte) {
	var e event
	if json.Unmarshal(line, &e) != nil {
		fmt.Print(string(line))
		return
	}
	name := e.Package + " " + e.Test
	switch {
	case e.Action == "build-output":
		fmt.Print(e.Output)
	case e.Action == "output":
		r.output[name] = append(r.output[name], e.Output)
		if e.Test == "" && isSummary(e.Output) {
			fmt.Print(e.Output)
		}
	case e.Action == "fail":
		r.failed = true
		fmt.Print(strings.Join(r.output[name], ""))
	case e.Action == "skip" && e.Test != "":
		r.skipped = append(r.skipped, name+": "+reason(r.output[name]))
	}
	if e.Action == "pass" || e.Action == "skip" {
		delete(r.output, name)
	}
}

func isSummary(line string) bool {
	return strings.HasPrefix(line, "ok ") || strings.HasPrefix(line, "FAIL\t") || strings.HasPrefix(line, "?")
}

// reason is what the test said last before it was skipped.
func reason(output []string) string {
	for i := len(output) - 1; i >= 0; i-- {
		if text := strings.TrimSpace(output[i]); !strings.HasPrefix(text, "---") && !strings.HasPrefix(text, "===") {
			return text
		}
	}
	return "no reason given"
}

func (r *report) end(requireAll bool) int {
	missing := false
	for _, s := range r.skipped {
		fmt.Println("skipped", s)
		missing = missing || !strings.Contains(s, "beside the")
	}
	switch {
	case r.failed:
		return 1
	case missing && requireAll:
		fmt.Println("CODEMODE_TEST_REQUIRE=all, and more was skipped than the tests of the data beside the project")
		return 1
	}
	return 0
}
