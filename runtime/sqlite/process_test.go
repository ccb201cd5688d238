package sqlite

// This file tests the store across processes: the test binary starts itself again as a child that
// does what childEnv says, and kills it.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"codemode/runtime"
)

const childEnv = "CODEMODE_SQLITE_TEST_CHILD"

func TestMain(m *testing.M) {
	if what := os.Getenv(childEnv); what != "" {
		os.Exit(child(what, os.Args[len(os.Args)-2], os.Args[len(os.Args)-1]))
	}
	os.Exit(m.Run())
}

// child works on the store at path and writes a line to standard output after each acknowledgement.
func child(what, path, name string) int {
	ctx := context.Background()
	s, err := Open(ctx, Config{Path: path})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer s.Close()
	for i := 0; what == "forever" || i < 40; i++ {
		id := fmt.Sprintf("call_%s_%d", name, i)
		_, err := s.BeginCall(ctx, id+"/begin", beginCall("run_1", id, i%2 == 1))
		if e := (*runtime.Error)(nil); errors.As(err, &e) && e.Code == runtime.BudgetExhausted {
			fmt.Println("refused", id)
			continue
		}
		if err != nil {
			fmt.Println(err)
			return 1
		}
		fmt.Println("called", id)
		if _, err := s.EndCall(ctx, id+"/end", endCall("run_1", id, i%2 == 1)); err != nil {
			fmt.Println(err)
			return 1
		}
		fmt.Println("settled", id)
	}
	return 0
}

func childCommand(t *testing.T, program, what, path, name string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), program, "-test.run=^$", path, name)
	cmd.Env = append(os.Environ(), childEnv+"="+what)
	return cmd
}

// TestKilled kills a process in the middle of a stream of calls, several times on one store. Every
// acknowledged operation is there after, at most one more of each kill, and the budget fits.
func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := open(t, path)
	const budget = 1 << 40
	start(t, s, "run_1", map[string]runtime.Budget{"run": {runtime.Calls: budget}, "grant:0": {}})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	var acknowledged []string
	const kills = 5
	for kill := range kills {
		acknowledged = append(acknowledged, killAfter(t, path, fmt.Sprint(kill), 40+31*kill)...)
	}
	s = open(t, path)
	defer s.Close()
	found := journaled(t, s)
	for _, line := range acknowledged {
		if !slices.Contains(found, line) {
			t.Errorf("lost: %s", line)
		}
	}
	if more := len(found) - len(acknowledged); more > kills {
		t.Errorf("%d operations more than acknowledged, want at most %d", more, kills)
	}
	begun := 0
	for _, line := range found {
		if strings.HasPrefix(line, "called") {
			begun++
		}
	}
	left, err := s.BeginCall(t.Context(), "last", beginCall("run_1", "call_last", false))
	if err != nil || left["run"][runtime.Calls] != int64(budget-begun-1) {
		t.Errorf("left %v (%v) after %d calls", left, err, begun)
	}
}

// killAfter kills a child once it has acknowledged so many operations, and returns what it said.
func killAfter(t *testing.T, path, name string, lines int) []string {
	t.Helper()
	cmd := childCommand(t, os.Args[0], "forever", path, name)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said []string
	for sc := bufio.NewScanner(out); sc.Scan(); {
		if said = append(said, sc.Text()); len(said) == lines {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if cmd.Wait() == nil || len(said) < lines {
		t.Fatalf("the child was not killed; it said %q", said[max(0, len(said)-3):])
	}
	return said
}

func journaled(t *testing.T, s *Store) []string {
	t.Helper()
	entries, err := s.Journal(t.Context(), "run_1")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for i, e := range entries {
		if e.N != i+1 {
			t.Fatalf("entry %d has number %d", i+1, e.N)
		}
		var id string
		if json.Unmarshal(e.Data, &id) == nil {
			lines = append(lines, string(e.Kind)+" "+id)
		}
	}
	return lines
}

// TestProcessesShareABudget lets several processes reserve at once: together exactly the limit.
func TestProcessesShareABudget(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := open(t, path)
	defer s.Close()
	const limit = 50
	start(t, s, "run_1", map[string]runtime.Budget{"run": {runtime.Calls: limit}, "grant:0": {runtime.Calls: 1000}})
	type answer struct {
		out []byte
		err error
	}
	answers := make(chan answer, 3)
	for i := range cap(answers) {
		go func() {
			out, err := childCommand(t, os.Args[0], "some", path, fmt.Sprint(i)).Output()
			answers <- answer{out, err}
		}()
	}
	var said []string
	for range cap(answers) {
		a := <-answers
		if a.err != nil {
			t.Errorf("child: %v: %s", a.err, a.out)
		}
		said = append(said, strings.Fields(string(a.out))...)
	}
	count := func(word string) (n int) {
		for _, w := range said {
			if w == word {
				n++
			}
		}
		return n
	}
	if count("called") != limit || count("settled") != limit || count("refused") != 40*cap(answers)-limit {
		t.Errorf("called %d, settled %d, refused %d of a limit of %d", count("called"), count("settled"), count("refused"), limit)
	}
	if n := len(journaled(t, s)); n != 2*limit {
		t.Errorf("journal has %d calls and settlements", n)
	}
}

// TestReadOnlyFile opens a file that the user may not write, as a user whom permissions bind.
func TestReadOnlyFile(t *testing.T) {
	dir, err := os.MkdirTemp("/tmp", "codemode-store") // t.TempDir is closed to others
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	path := filepath.Join(dir, "store.db")
	s := open(t, path)
	start(t, s, "run_1", nil)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	program := os.Args[0]
	if os.Getuid() == 0 {
		program = filepath.Join(dir, "program")
		data, err := os.ReadFile(os.Args[0])
		if err = errors.Join(err, os.WriteFile(program, data, 0o755), os.Chmod(dir, 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(path, 0o444); err != nil {
		t.Fatal(err)
	}
	cmd := childCommand(t, program, "some", path, "x")
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		cmd.Dir = dir
	}
	out, err := cmd.Output()
	if err == nil || !strings.Contains(string(out), "may not be written") || !strings.HasPrefix(string(out), "unavailable") {
		t.Errorf("the child said %q (%v)", out, err)
	}
}
