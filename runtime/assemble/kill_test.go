package assemble_test

// This file kills the service at every step of a run's journal, as kill -9 does, and resumes the run with
// another. What the destination saw decides.

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"codemode/runtime"
	"codemode/runtime/assemble"
)

const asVictim = "CODEMODE_TEST_VICTIM"

// victim is what the process that will be killed is told.
type victim struct {
	Rows, Store string
	Kill        int // the entry before which it dies
	Script      string
	Origin      string
}

// killScript reads, races, and writes twice, the second time after the first.
const killScript = `
const [a, b] = await Promise.all([tools.shop.price({ id: "a" }), tools.shop.price({ id: "b" })]);
const fast = await Promise.race([tools.shop.price({ id: "c" }), tools.shop.price({ id: "d" }), new Promise((r) => setTimeout(r, 3, { id: "timer", price: 0 }))]);
const tries = [];
for (const note of ["first " + fast.id, "second"]) {
	try { tries.push((await tools.shop.order({ note })).note); } catch (e) { tries.push((e as ToolError).code); }
}
export default { sum: a.price + b.price, fast: fast.id, tries };
`

func killRows(origin string) string {
	row := func(key, target, content, effect string) string {
		raw, err := json.Marshal(map[string]any{"key": key, "type": "http", "description": "d", "when_to_use": "w", "target": target, "content": content, "effect": effect})
		if err != nil {
			panic(err)
		}
		return string(raw) + "\n"
	}
	return row("SHOP_PRICE", "GET "+origin+"/price/$1", "# ARGS: id", "read") + row("SHOP_ORDER", "POST "+origin+"/orders", "# ARGS: note\n{\"note\":\"$1\"}", "")
}

// shop counts the orders by their note.
type shop struct {
	mu     sync.Mutex
	orders map[string]int
}

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodGet {
		id := r.URL.Path[len("/price/"):]
		time.Sleep(time.Duration(len(id)+int(id[0])%3) * time.Millisecond)
		fmt.Fprintf(w, `{"id":%q,"price":%d}`, id, id[0])
		return
	}
	var order struct{ Note string }
	if err := json.NewDecoder(r.Body).Decode(&order); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.orders[order.Note]++
	s.mu.Unlock()
	_ = json.NewEncoder(w).Encode(order) // a client that is gone
}

func (s *shop) times(note string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.orders[note]
}

// mortal kills its process before the nth entry of a run reaches the store.
type mortal struct {
	runtime.Store
	left int
}

func (m *mortal) Append(ctx context.Context, op, runID string, epoch int64, entries ...runtime.Entry) error {
	for i := range entries {
		if m.left == 0 {
			if err := m.Store.Append(ctx, op, runID, epoch, entries[:i]...); i > 0 && err != nil {
				panic(err)
			}
			if err := syscall.Kill(os.Getpid(), syscall.SIGKILL); err != nil {
				panic(err)
			}
			select {}
		}
		m.left--
	}
	return m.Store.Append(ctx, op, runID, epoch, entries...)
}

func (m *mortal) Finish(ctx context.Context, op string, epoch int64, r runtime.Receipt, entries ...runtime.Entry) error {
	if len(entries) > 0 {
		if err := m.Append(ctx, op+"/entries", r.RunID, epoch, entries...); err != nil {
			return err
		}
	}
	if m.left == 0 {
		if err := m.Append(ctx, op+"/end", r.RunID, epoch, runtime.Entry{}); err != nil {
			return err
		}
	}
	return m.Store.Finish(ctx, op, epoch, r)
}

// runVictim is the process that dies.
func runVictim(text string) error {
	var v victim
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return err
	}
	system, err := assemble.Open(context.Background(), assemble.Config{Directory: v.Rows, Store: v.Store, Check: runtime.CheckOff})
	if err != nil {
		return err
	}
	defer system.Close()
	system.Service.Store = &mortal{system.Service.Store, v.Kill}
	result := system.Service.Run(context.Background(), runtime.Request{
		Sources: []runtime.Source{{Name: "main.ts", Text: v.Script}}, Check: runtime.CheckOff, Grants: killGrants(v.Origin),
	})
	return json.NewEncoder(os.Stdout).Encode(result)
}

func killGrants(origin string) []runtime.Grant {
	return []runtime.Grant{{Principal: "user:a", Agent: "agent:b", Resource: "*", Operations: []string{"*"}, Egress: []string{origin}, Decisions: runtime.Decisions{Required: []string{}}}}
}

func TestKilledAtEveryStep(t *testing.T) {
	ctx := t.Context()
	workerOnPath(t)
	unknown, finished := 0, false
	for step := 0; !finished && step < 60; step++ {
		shop := &shop{orders: map[string]int{}}
		server := httptest.NewServer(shop)
		dir := t.TempDir()
		v := victim{Rows: filepath.Join(dir, "rows.jsonl"), Store: filepath.Join(dir, "store.db"), Kill: step, Script: killScript, Origin: server.URL}
		if err := os.WriteFile(v.Rows, []byte(killRows(server.URL)), 0o600); err != nil {
			t.Fatal(err)
		}
		finished = !die(t, v)
		if !finished {
			if r := takeOver(ctx, t, v, step); strings.Contains(string(r.Result), string(runtime.OutcomeUnknown)) {
				unknown++
			}
		}
		for note, n := range shop.orders {
			if n > 1 {
				t.Errorf("step %d: order %q was made %d times", step, note, n)
			}
		}
		server.Close()
	}
	if !finished {
		t.Error("the run did not come to its end in 60 steps")
	}
	if unknown == 0 {
		t.Error("no step left a write in doubt: the test does not reach where it matters")
	}
}

// workerOnPath builds the worker and puts it where systems look for it.
func workerOnPath(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", dir, "codemode/cmd/codemode-worker")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the worker: %v: %s", err, out)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// die runs the victim and reports whether it was killed.
func die(t *testing.T, v victim) bool {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), asVictim+"="+string(raw))
	out, err := cmd.CombinedOutput()
	if err == nil {
		return false
	}
	if status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
		t.Fatalf("the victim ended with %v: %s", err, out)
	}
	return true
}

// takeOver resumes the one run of the store, and holds its result against what the destination saw.
func takeOver(ctx context.Context, t *testing.T, v victim, step int) runtime.Result {
	t.Helper()
	system, err := assemble.Open(ctx, assemble.Config{Directory: v.Rows, Store: v.Store, Check: runtime.CheckOff, Now: func() time.Time { return time.Now().Add(time.Minute) }})
	if err != nil {
		t.Fatal(err)
	}
	defer system.Close()
	runs, err := system.Service.Store.Receipts(ctx, 10)
	if err != nil || len(runs) != 1 {
		t.Fatalf("step %d: %d runs, %v", step, len(runs), err)
	}
	result := system.Service.Resume(ctx, runs[0].RunID, runtime.Events{})
	if result.State != runtime.Finished {
		t.Fatalf("step %d: %s, %v", step, result.State, result.Error)
	}
	var got struct {
		Sum   int
		Fast  string
		Tries []string
	}
	if err := json.Unmarshal(result.Result, &got); err != nil || got.Sum != 'a'+'b' || len(got.Tries) != 2 {
		t.Fatalf("step %d: result %s, %v", step, result.Result, err)
	}
	if _, replayed := system.Service.Replay(ctx, result.RunID, runtime.Events{}); !replayed.Identical {
		t.Errorf("step %d: the replay differs: %q", step, replayed.Differences)
	}
	return result
}
