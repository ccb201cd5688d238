package sqlite

// This file tests the store across processes: the test binary starts itself again as a child that
// does what childEnv says, and kills it.

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

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
	work := map[string]func(context.Context, *Store, string) error{"append": appendForever, "claim": claimAll}[what]
	if err := work(ctx, s, name); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// appendForever takes run_1 over, for a lease so short that the next process need not wait, and writes
// entries of both kinds.
func appendForever(ctx context.Context, s *Store, name string) error {
	epoch, err := s.Claim(ctx, "claim "+name, "run_1", time.Nanosecond)
	for i := 0; err == nil; i++ {
		id := fmt.Sprintf("%s.%d", name, i)
		if err = s.Append(ctx, id, "run_1", epoch, note(id, i%2 == 1)); err == nil {
			fmt.Println(id)
		}
	}
	return err
}

const races = 50

// claimAll reads when to begin, claims a run each tick from then on, as the other processes do, and
// names those that it won.
func claimAll(ctx context.Context, s *Store, name string) error {
	fmt.Println("ready")
	var begin int64
	if _, err := fmt.Scan(&begin); err != nil {
		return err
	}
	for race := range races {
		time.Sleep(time.Until(time.UnixMilli(begin + int64(race)*10)))
		runID := fmt.Sprint("run_", race)
		_, err := s.Claim(ctx, "claim "+name, runID, time.Hour)
		switch e := runtime.AsError(err); {
		case err == nil:
			fmt.Println(runID)
		case e.Code != runtime.Conflict:
			return err
		}
	}
	return nil
}

func childCommand(t *testing.T, program, what, path, name string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), program, "-test.run=^$", path, name)
	cmd.Env = append(os.Environ(), childEnv+"="+what)
	return cmd
}

// TestKilled kills a process in the middle of its appends, several times on one store. Every
// acknowledged entry is there after, relaxed ones too, in order, and at most one more of each kill.
func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := open(t, path)
	start(t, s, "run_1")
	if err := s.Suspend(t.Context(), "suspend", "run_1", 1); err != nil {
		t.Fatal(err)
	}
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
	if more := len(found) - len(acknowledged); more > kills {
		t.Errorf("%d entries more than acknowledged, want at most %d", more, kills)
	}
	for _, id := range acknowledged {
		i := slices.Index(found, id)
		if i < 0 {
			t.Fatalf("lost, or out of order: %s", id)
		}
		found = found[i+1:]
	}
	status, err := s.Run(t.Context(), "run_1")
	if err != nil || status.Epoch != kills+1 || status.State != runtime.Running || status.Held {
		t.Errorf("the run is left as %+v (%v)", status, err)
	}
}

// killAfter kills a child once it has acknowledged so many entries, and returns what it said.
func killAfter(t *testing.T, path, name string, lines int) []string {
	t.Helper()
	cmd := childCommand(t, os.Args[0], "append", path, name)
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

// journaled are the notes of run_1.
func journaled(t *testing.T, s *Store) []string {
	t.Helper()
	entries, err := s.Journal(t.Context(), "run_1")
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for i, e := range entries {
		if e.N != i+1 {
			t.Fatalf("entry %d has number %d", i+1, e.N)
		}
		var text string
		if e.Kind == runtime.EntryProgress && json.Unmarshal(e.Data, &text) == nil {
			texts = append(texts, text)
		}
	}
	return texts
}

// TestProcessesClaim lets several processes claim the same runs at once: each run has one winner.
func TestProcessesClaim(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := open(t, path)
	defer s.Close()
	for race := range races {
		start(t, s, fmt.Sprint("run_", race))
		if err := s.Suspend(t.Context(), "suspend", fmt.Sprint("run_", race), 1); err != nil {
			t.Fatal(err)
		}
	}
	var claimers []*claimer
	for i := range 3 {
		claimers = append(claimers, startClaimer(t, path, fmt.Sprint(i)))
	}
	begin := time.Now().Add(50 * time.Millisecond).UnixMilli()
	for _, c := range claimers {
		if _, err := fmt.Fprintln(c.stdin, begin); err != nil {
			t.Fatal(err)
		}
	}
	won := map[string]int{}
	for _, c := range claimers {
		runs := c.wait(t)
		t.Logf("one process won %d runs", len(runs))
		for _, runID := range runs {
			won[runID]++
		}
	}
	for race := range races {
		if n := won[fmt.Sprint("run_", race)]; n != 1 {
			t.Errorf("run_%d was claimed by %d processes", race, n)
		}
	}
}

type claimer struct {
	cmd   *exec.Cmd
	stdin io.Writer
	said  *bufio.Scanner
}

// startClaimer returns once the process is ready.
func startClaimer(t *testing.T, path, name string) *claimer {
	t.Helper()
	cmd := childCommand(t, os.Args[0], "claim", path, name)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &claimer{cmd, in, bufio.NewScanner(out)}
	if !c.said.Scan() || c.said.Text() != "ready" {
		t.Fatalf("the child said %q", c.said.Text())
	}
	return c
}

// wait returns the runs that the process won.
func (c *claimer) wait(t *testing.T) (runs []string) {
	t.Helper()
	for c.said.Scan() {
		runs = append(runs, c.said.Text())
	}
	if err := c.cmd.Wait(); err != nil {
		t.Errorf("child: %v: %q", err, runs)
	}
	return runs
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
	start(t, s, "run_1")
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
	cmd := childCommand(t, program, "append", path, "x")
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		cmd.Dir = dir
	}
	out, err := cmd.Output()
	if err == nil || !strings.Contains(string(out), "may not be written") || !strings.HasPrefix(string(out), "unavailable") {
		t.Errorf("the child said %q (%v)", out, err)
	}
}
