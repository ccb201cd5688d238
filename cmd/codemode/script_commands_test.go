package main

// This file holds the commands that the scripts of testdata/script have beside testscript's own.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"codemode/fixtures/world"
)

// patience is how long a condition may take to come true.
const patience = time.Minute

type worldKey struct{}

// codeCommand is "code N PROGRAM ARGS...": runs it, and fails unless it exits with N.
func codeCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N PROGRAM ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// jsonCommand is "[!] json PATH [WANT]": compares a value in the JSON of standard output. PATH is names and indexes
// with dots between, "." for the whole, and "len" at its end for a list's length. WANT is JSON or bare text, "~RE" a regular
// expression, "<=N" a bound. Without WANT the value must be there, or with ! must not.
func jsonCommand(ts *testscript.TestScript, neg bool, args []string) {
	compare(ts, neg, "json", []byte(ts.ReadFile("stdout")), args)
}

// stateCommand is "[!] state PATH [WANT]": the same on what the world holds.
func stateCommand(ts *testscript.TestScript, neg bool, args []string) {
	compare(ts, neg, "state", worldState(ts), args)
}

func worldState(ts *testscript.TestScript) []byte {
	raw, err := json.Marshal(ts.Value(worldKey{}).(*world.World).State())
	ts.Check(err)
	return raw
}

func compare(ts *testscript.TestScript, neg bool, name string, document []byte, args []string) {
	if len(args) < 1 || len(args) > 2 || neg && len(args) != 1 {
		ts.Fatalf("usage: [!] %s PATH [WANT]", name)
	}
	got, err := lookUp(document, args[0])
	switch {
	case neg && err == nil:
		ts.Fatalf("%s is %s, want nothing there", args[0], got)
	case neg:
	case err != nil:
		ts.Fatalf("%v", err)
	case len(args) == 2 && !matches(got, args[1]):
		ts.Fatalf("%s is %s, want %s", args[0], got, args[1])
	}
}

// lookUp follows a path of names and indexes into a JSON document.
func lookUp(document []byte, path string) (json.RawMessage, error) {
	if !json.Valid(document) {
		return nil, fmt.Errorf("not one JSON document: %.300s", document)
	}
	at := json.RawMessage(document)
	if path == "." {
		return at, nil
	}
	for _, step := range strings.Split(path, ".") {
		var object map[string]json.RawMessage
		var list []json.RawMessage
		isObject, isList := json.Unmarshal(at, &object) == nil && object != nil, json.Unmarshal(at, &list) == nil && list != nil
		n, err := strconv.Atoi(step)
		switch {
		case step == "len" && isList:
			at = json.RawMessage(strconv.Itoa(len(list)))
		case isObject && object[step] != nil:
			at = object[step]
		case isList && err == nil && n < len(list):
			at = list[n]
		default:
			return nil, fmt.Errorf("%s: there is no %s in %.300s", path, step, at)
		}
	}
	return at, nil
}

// matches compares a value with what a script wants of it.
func matches(got json.RawMessage, want string) bool {
	text := string(got)
	var bare string
	if json.Unmarshal(got, &bare) == nil {
		text = bare
	}
	if re, ok := strings.CutPrefix(want, "~"); ok {
		return regexp.MustCompile(re).MatchString(text)
	}
	if most, ok := strings.CutPrefix(want, "<="); ok {
		a, errA := strconv.ParseFloat(text, 64)
		b, errB := strconv.ParseFloat(most, 64)
		return errA == nil && errB == nil && a <= b
	}
	var x, y bytes.Buffer
	return text == want || json.Compact(&x, got) == nil && json.Compact(&y, []byte(want)) == nil && x.String() == y.String()
}

// expandCommand is "expand FILE...": replaces $WORLD, $CANARY, $WORK and $DIR in the files.
func expandCommand(ts *testscript.TestScript, neg bool, args []string) {
	for _, name := range args {
		text := ts.ReadFile(name)
		for _, variable := range []string{"WORLD", "CANARY", "DIR", "WORK"} {
			text = regexp.MustCompile(`\$`+variable+`\b`).ReplaceAllLiteralString(text, ts.Getenv(variable))
		}
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o644))
	}
}

// shuffleCommand is "shuffle DIR INTO": writes the rows of the directory DIR into one file INTO, last first.
func shuffleCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: shuffle DIR INTO")
	}
	names, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "*.jsonl"))
	ts.Check(err)
	var rows []string
	for _, name := range names {
		rows = append(rows, strings.Split(strings.TrimSpace(ts.ReadFile(name)), "\n")...)
	}
	slices.Reverse(rows)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(strings.Join(rows, "\n")+"\n"), 0o644))
}

// awaitCommand is "await file NAME" or "await state PATH WANT": waits until it is so.
func awaitCommand(ts *testscript.TestScript, neg bool, args []string) {
	var holds func() bool
	switch {
	case len(args) == 2 && args[0] == "file":
		holds = func() bool { _, err := os.Stat(ts.MkAbs(args[1])); return err == nil }
	case len(args) == 3 && args[0] == "state":
		holds = func() bool { got, err := lookUp(worldState(ts), args[1]); return err == nil && matches(got, args[2]) }
	default:
		ts.Fatalf("usage: await file NAME, or await state PATH WANT")
	}
	if !within(patience, holds) {
		ts.Fatalf("waited %s for %s", patience, strings.Join(args, " "))
	}
}

// within polls until a condition holds.
func within(limit time.Duration, holds func() bool) bool {
	for deadline := time.Now().Add(limit); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}

// shownCommand is "shown FILE FIELD [text]": runs codemode receipts show with the id that stands in the JSON of FILE, with
// --json unless text is wanted.
func shownCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: shown FILE FIELD [text]")
	}
	raw, err := lookUp([]byte(ts.ReadFile(args[0])), args[1])
	ts.Check(err)
	var id string
	ts.Check(json.Unmarshal(raw, &id))
	show := []string{"receipts", "show", id}
	if len(args) == 2 {
		show = append(show, "--json")
	}
	ts.Check(ts.Exec("codemode", show...))
}

// canaryCommand is "canary CODE SCRIPT": runs the script checked, where it must exit with CODE, and then unchecked, where
// it must fail too; CODE "any" leaves both open. Whatever happens, nothing of the canary may come back.
func canaryCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: canary CODE SCRIPT")
	}
	grant := ts.Getenv("GRANTS") + "/everything.json"
	for _, mode := range []string{"tools", "off"} {
		code := 0
		if err := ts.Exec("codemode", "run", args[1], "-d", ts.Getenv("DIR"), "-g", grant, "--json", "--check="+mode); err != nil {
			var exit *exec.ExitError
			if !errors.As(err, &exit) {
				ts.Fatalf("%v", err)
			}
			code = exit.ExitCode()
		}
		if text := ts.ReadFile("stdout") + ts.ReadFile("stderr"); strings.Contains(text, canaryText) || strings.Contains(text, "root:x:") {
			ts.Fatalf("--check=%s gave the file back", mode)
		}
		if args[0] != "any" && (mode != "off" && strconv.Itoa(code) != args[0] || code == 0) {
			ts.Fatalf("--check=%s ended with exit code %d, want %s", mode, code, args[0])
		}
	}
}

// noChildrenCommand is "[!] nochildren": fails when a worker or compiler has outlived the command that started it. Such a
// process becomes a child of this one (adoptOrphans), also one of a script that runs at the same time.
func noChildrenCommand(ts *testscript.TestScript, neg bool, args []string) {
	var left []string
	if neg {
		if !within(patience, func() bool { return len(orphans()) > 0 }) {
			ts.Fatalf("nothing is left behind")
		}
		return
	}
	if !within(patience, func() bool { left = orphans(); return len(left) == 0 }) {
		ts.Fatalf("left behind: %s", strings.Join(left, ", "))
	}
}

// orphans are the workers and compilers that run as direct children of this process, which starts none itself.
func orphans() (found []string) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil
	}
	for _, name := range stats {
		stat, err := os.ReadFile(name)
		open, end := bytes.IndexByte(stat, '('), bytes.LastIndexByte(stat, ')')
		if err != nil || open < 0 || end < 0 {
			continue // ended meanwhile
		}
		program, rest := string(stat[open+1:end]), strings.Fields(string(stat[end+1:]))
		if rest[0] != "Z" && rest[1] == strconv.Itoa(os.Getpid()) && (strings.HasPrefix(program, "codemode-worker") || program == "tsc") {
			found = append(found, filepath.Base(filepath.Dir(name))+" "+program)
		}
	}
	return found
}

// holdStore is the program "holdstore FILE READY": holds the store FILE as a writer, says so with the file READY, and
// keeps it until it is killed.
func holdStore() {
	if err := hold(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "holdstore:", err)
		os.Exit(1)
	}
}

// exitCode is the program "exitcode FILE PROGRAM ARGS...": runs it, hands interrupts on, and writes its exit code to
// FILE, for programs that run in the background.
func exitCode() {
	cmd := exec.Command(os.Args[2], os.Args[3:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := passSignals(cmd); err != nil {
		fmt.Fprintln(os.Stderr, "exitcode:", err)
		os.Exit(1)
	}
	if err := os.WriteFile(os.Args[1], []byte(strconv.Itoa(cmd.ProcessState.ExitCode())), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "exitcode:", err)
		os.Exit(1)
	}
}
